"""What pages load beside themselves: style sheets and scripts, named by their content.

A name with a hash in it never means anything else, so browsers keep the file for ever. Scripts are
ES modules that import each other by their plain names, ``./live.js``. What is served names the
files with their hashes.
"""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER = "/static"
KEPT = "public, max-age=31536000, immutable"
"""These files are the same for every caller."""
_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_IMPORT = re.compile(r'(?<=["\'])\./([a-z_-]+\.js)(?=["\'])')


@dataclass(frozen=True)
class Asset:
    """A file as it is served."""

    name: str
    content: bytes
    packed: bytes
    """Compressed once, not for each request."""
    content_type: str


@cache
def asset(name: str) -> Asset:
    """Give a file of the folder ``static`` by its plain name, such as ``steadygrid.css``.

    Raises
    ------
    KeyError
        If there is none.
    """
    stem, _, kind = name.rpartition(".")
    place = files("app.pages") / "static" / name
    if kind not in _TYPES or not place.is_file():
        raise KeyError(name)
    text = place.read_text(encoding="utf-8")
    if kind == "js":
        text = _IMPORT.sub(lambda found: f"./{asset(found[1]).name}", text)
    content = text.encode()
    digest = hashlib.sha256(content).hexdigest()[:12]
    return packed_asset(f"{stem}-{digest}.{kind}", content)


def packed_asset(name: str, content: bytes) -> Asset:
    """Make a file to be served of its full name and its content.

    Parameters
    ----------
    name
        Of the file, with its ending.
    content
        Of the file.
    """
    packed = gzip.compress(content, 9, mtime=0)
    return Asset(name, content, packed, _TYPES[name.rpartition(".")[2]])


def address(name: str) -> str:
    """Give the path of a file of the folder ``static``."""
    return f"{FOLDER}/{asset(name).name}"


@cache
def _served() -> dict[str, Asset]:
    names = (place.name for place in (files("app.pages") / "static").iterdir())
    known = (asset(name) for name in names if name.rpartition(".")[2] in _TYPES)
    return {one.name: one for one in known}


async def serve_asset(request: Request) -> Response:
    """Answer with a file by its full name."""
    found = _served().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return asset_answer(request, found)


def asset_answer(request: Request, asset: Asset) -> Response:
    """Answer with a file, compressed if the client takes that.

    Parameters
    ----------
    request
        It says whether the client takes gzip.
    asset
        The file.
    """
    headers = {
        "Cache-Control": KEPT,
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
    }
    content = asset.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = asset.packed, "gzip"
    return Response(content, headers=headers, media_type=asset.content_type)
