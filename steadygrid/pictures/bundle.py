"""The JavaScript that draws in browsers, kept as a file: made once, since that takes seconds.

A file is named by the version of vl-convert that made it and by its content, so that what was cut
short or changed is never taken for it, and several versions can share a folder.
"""

import hashlib
import re
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from steadygrid.pictures.drawn import write_whole

_NAME = re.compile(r"vega-(?P<version>[0-9A-Za-z.+]+)-(?P<digest>[0-9a-f]{12})\.js", re.ASCII)


def name_of(content: bytes) -> str:
    """Name a bundle that the vl-convert which is installed has made."""
    return f"vega-{version('vl-convert-python')}-{_digest(content)}.js"


def is_ours(name: str) -> bool:
    """Whether the vl-convert which is installed would give such a name."""
    found = _NAME.fullmatch(name)
    return found is not None and found["version"] == version("vl-convert-python")


def find(folder: Path) -> tuple[str, bytes] | None:
    """Give name and content of the bundle of the installed vl-convert, if it is kept whole."""
    names: list[str] = []
    with suppress(OSError):
        names = sorted(path.name for path in folder.iterdir() if is_ours(path.name))
    for name in names:
        content = read(folder, name)
        if content is not None:
            return name, content
    return None


def read(folder: Path, name: str) -> bytes | None:
    """Give the content of a bundle of any version. None unless it is kept whole.

    Parameters
    ----------
    folder
        Where bundles are kept.
    name
        Of the file, with the digest of its content.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    try:
        content = (folder / name).read_bytes()
    except OSError:
        return None
    return content if _digest(content) == found["digest"] else None


def keep(folder: Path, content: bytes) -> Path:
    """Keep a bundle, whole or not at all; several processes may do so at once.

    Parameters
    ----------
    folder
        Where bundles are kept.
    content
        The JavaScript.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    OSError
        If the folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name_of(content)
    write_whole(path, content)
    return path


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
