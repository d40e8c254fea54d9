"""The JavaScript of Vega, which draws pictures in pages: made once, kept as a file, served for ever.

The process that draws makes it, which takes some seconds. It is a megabyte that only a new version of
vl-convert changes. Pages ask for ``vega.js`` and are led to the name that its content has.
"""

from pathlib import Path

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.http.paths import root_of
from app.http.pictures import Order, pictures_installed
from app.http.refusals import Refusal
from app.http.resources import resources_of
from app.pages.assets import FOLDER, Asset, asset_answer, packed_asset
from steadygrid.pictures import bundle
from steadygrid.pictures.errors import PicturesNotInstalled

LEAD = f"{FOLDER}/vega.js"
"""Leads to the file."""
BUNDLE = f"{FOLDER}/vega-{{name}}.js"

log = structlog.get_logger(__name__)


class VegaBundle:
    """The bundle of one application, in memory once it has been asked for.

    Parameters
    ----------
    folder
        Where it is kept. If it is not there it is made, and if it cannot be written there it is
        made again by each process, once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mine: Asset | None = None
        self._older: dict[str, Asset] = {}
        """Of other versions, by name: pages that those have served still ask for them."""

    async def lead(self, request: Request) -> Response:
        """Lead to the bundle, which is made if it is not there.

        Raises
        ------
        Refusal
            ``pictures_not_installed``, ``picture_failed`` or ``too_many_pictures``.
        """
        if not pictures_installed():
            raise Refusal(PicturesNotInstalled.code, PicturesNotInstalled().detail)
        found = await self._bundle(request)
        fields = {"Cache-Control": "no-cache"}
        return RedirectResponse(f"{root_of(request.scope)}{FOLDER}/{found.name}", 307, fields)

    async def serve(self, request: Request) -> Response:
        """Answer with a bundle by its full name. A process that has none may have to make it."""
        name = f"vega-{request.path_params['name']}.js"
        found = await run_in_threadpool(self._find_asset, name)
        if found is None and pictures_installed() and bundle.is_ours(name):
            found = await self._bundle(request)
        if found is None or found.name != name:
            raise HTTPException(404)
        return asset_answer(request, found)

    async def _bundle(self, request: Request) -> Asset:
        if self._mine is None:
            await run_in_threadpool(self._find)
        if self._mine is None:
            order = Order({"format": "bundle"}, b"")
            made = await resources_of(request).pictures.drawn(request, lambda: order)
            await run_in_threadpool(self._keep, made)
        assert self._mine is not None
        return self._mine

    def _find_asset(self, name: str) -> Asset | None:
        for known in (self._mine, self._older.get(name)):
            if known is not None and known.name == name:
                return known
        content = bundle.read(self._folder, name)
        if content is None:
            return None
        return self._older.setdefault(name, packed_asset(name, content))

    def _find(self) -> None:
        if (found := bundle.find(self._folder)) is not None:
            self._mine = packed_asset(*found)

    def _keep(self, made: bytes) -> None:
        try:
            bundle.keep(self._folder, made)
        except OSError as error:
            log.warning("bundle_not_kept", folder=str(self._folder), reason=error.strerror)
        self._mine = packed_asset(bundle.name_of(made), made)
