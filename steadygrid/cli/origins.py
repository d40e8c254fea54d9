"""Where the packages of a plug-in come from."""

import json
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, EntryPoint
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

from steadygrid.cli.terminal import Refusal, shown


def check_origin(point: EntryPoint) -> None:
    """Look whether the packages of a plug-in are those that its distribution brought.

    Some of them have common names. Python may find others of these names first: in the current
    folder, or on ``PYTHONPATH``. Nothing is imported here.

    Raises
    ------
    Refusal
        It would take another one.
    """
    if point.dist is None:
        return
    for name in _packages(point.dist):
        found = _place(name)
        homes = list(_homes(point.dist, name))
        if found is None or not homes or found in homes:
            continue
        raise Refusal(
            f"foreign_package: the package {name!r} is not that of {point.dist.name}, as Python"
            f" finds {shown(str(found))} first: start `steadygrid` by its own script, and take"
            " that folder out of PYTHONPATH"
        )


def _packages(distribution: Distribution) -> list[str]:
    return (distribution.read_text("top_level.txt") or "").split()


def _place(name: str) -> Path | None:
    """Give the folder of a package, or the file of a module, that Python would take."""
    if name in sys.modules:
        origin = getattr(sys.modules[name], "__file__", None)
    else:
        spec = find_spec(name)
        origin = None if spec is None else spec.origin
    if origin is None:
        return None
    place = Path(origin).resolve()
    return place.parent if place.name == "__init__.py" else place


def _homes(distribution: Distribution, name: str) -> Iterator[Path]:
    """Give where a package of a distribution may lie: where it was installed, or its source."""
    if any(file.parts[0] == name for file in distribution.files or ()):
        yield Path(str(distribution.locate_file(name))).resolve()
    origin = json.loads(distribution.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        source = Path(unquote(urlsplit(origin["url"]).path)).resolve()
        yield source / name
        yield source.parent / name
