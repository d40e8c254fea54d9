"""Commands that other distributions add: the service is one of them."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from steadygrid.cli.terminal import Refusal, complain, shown

GROUP = "steadygrid.commands"
"""Entry points of functions that take a `typer.Typer` and add commands to it."""
OF_THE_SERVICE = ("serve", "api", "worker", "keys", "tenants", "database", "audit", "assets")
"""What the service adds: where it is not installed, these commands say how to get it."""


class Commands(TyperGroup):
    """The commands of the library, and those of other distributions.

    The latter are loaded when one of them is asked for, or when all are listed.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._plugged_in = False
        self._broken: list[str] = []

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Give a command by its name.

        Parameters
        ----------
        ctx
            Of Typer.
        cmd_name
            As it was typed.
        """
        if cmd_name not in self.commands:
            self._plug_in()
            if cmd_name not in self.commands and cmd_name in OF_THE_SERVICE:
                return _absent(cmd_name, self._broken)
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: Any) -> list[str]:
        """List all commands that there are."""
        self._plug_in()
        complain([f"note: {line}" for line in self._broken])
        return super().list_commands(ctx)

    def _plug_in(self) -> None:
        if self._plugged_in:
            return
        self._plugged_in = True
        for point in entry_points(group=GROUP):
            check_origin(point)
            added = typer.Typer()
            try:
                point.load()(added)
            except ImportError as error:
                self._broken.append(f"the commands of {point.value} cannot be loaded: {error}")
            else:
                for name, command in get_group(added).commands.items():
                    self.commands.setdefault(name, command)


def _absent(name: str, broken: list[str]) -> TyperCommand:
    """Make a command that says why it is not there; it takes any arguments."""
    lines = broken or [
        f"`steadygrid {name}` belongs to the service, which is not installed:"
        " pip install 'steadygrid[service]'"
    ]
    free = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return TyperCommand(name, callback=partial(_refuse, lines), context_settings=free)


def _refuse(lines: list[str]) -> NoReturn:
    raise Refusal(lines)


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
