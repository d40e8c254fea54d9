"""The JavaScript of Vega, which draws pictures in pages: made once, kept as a file, served for ever.

The process that draws makes it, which takes some seconds; it is a megabyte that only a new version of
vl-convert changes. Pages ask for ``vega.js`` and are led to the name that its content has.
"""

import gzip
import hashlib
import re
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.http.pictures import Order, pictures_installed
from app.http.refusals import Refusal
from app.http.resources import resources_of
from app.http.who import who
from app.pages.assets import FOLDER, KEPT
from steadygrid.pictures.errors import PicturesNotInstalled

LEAD = f"{FOLDER}/vega.js"
"""Leads to the file."""
BUNDLE = f"{FOLDER}/vega-{{name}}.js"
_NAME = re.compile(r"vega-(?P<version>[0-9A-Za-z.+]+)-(?P<digest>[0-9a-f]{12})\.js")


class Bundle(NamedTuple):
    """What is served."""

    name: str
    content: bytes
    packed: bytes
    """Compressed once, not for each request."""


def folder(data_dir: Path) -> Path:
    """Say where bundles are kept."""
    return data_dir / "assets"


def name_of(content: bytes) -> str:
    """Name a bundle by what made it, and by its content."""
    digest = hashlib.sha256(content).hexdigest()[:12]
    return f"vega-{version('vl-convert-python')}-{digest}.js"


def find(place: Path) -> str | None:
    """Give the name of the bundle that the vl-convert which is installed has made, if it is kept."""
    mine = version("vl-convert-python")
    for path in sorted(place.glob("vega-*.js")):
        found = _NAME.fullmatch(path.name)
        if found and found["version"] == mine:
            if name_of(path.read_bytes()) == path.name:
                return path.name
            path.unlink(missing_ok=True)
    return None


def keep(place: Path, content: bytes) -> str:
    """Keep a bundle, whole or not at all; several processes may do so at once."""
    place.mkdir(parents=True, exist_ok=True)
    name = name_of(content)
    with tempfile.NamedTemporaryFile(dir=place, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)
    Path(file.name).rename(place / name)
    return name


@cache
def read(path: Path) -> Bundle:
    """Read a bundle; `FileNotFoundError` if it is not kept."""
    content = path.read_bytes()
    return Bundle(path.name, content, gzip.compress(content, 9, mtime=0))


async def lead(request: Request) -> Response:
    """Lead to the bundle, which is made if it is not there.

    Raises
    ------
    Refusal
        ``pictures_not_installed``, ``picture_failed`` or ``too_many_pictures``.
    """
    if not pictures_installed():
        raise Refusal(PicturesNotInstalled.code, PicturesNotInstalled().detail)
    parts = resources_of(request)
    place = folder(parts.settings.data_dir)
    name = await run_in_threadpool(find, place)
    if name is None:
        order = Order({"format": "bundle"}, b"")
        made = await parts.pictures.drawn(request, who(request), lambda: order)
        name = await run_in_threadpool(keep, place, made)
    root = request.scope.get("root_path", "").rstrip("/")
    fields = {"Cache-Control": "no-cache"}
    return RedirectResponse(f"{root}{FOLDER}/{name}", 307, fields)


async def serve_bundle(request: Request) -> Response:
    """Answer with a bundle by its full name."""
    name = f"vega-{request.path_params['name']}.js"
    if not _NAME.fullmatch(name):
        raise HTTPException(404)
    place = folder(resources_of(request).settings.data_dir)
    try:
        found = await run_in_threadpool(read, place / name)
    except FileNotFoundError:
        raise HTTPException(404) from None
    fields = {"Cache-Control": KEPT, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    content = found.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, fields["Content-Encoding"] = found.packed, "gzip"
    return Response(content, headers=fields, media_type="text/javascript; charset=utf-8")
