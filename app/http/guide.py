"""``/docs/guide/``: the guide that ``make docs`` builds, served from a folder and needing no key.

The content security policy lets its pages run the scripts that are served here, and the one inline
script that the theme writes into every page, named by its hash. They ask no other host.
"""

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qs

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import Scope

from app.error_entries import GUIDE
from app.http.paths import root_of
from app.http.refusals import Refusal
from app.settings import Settings

FIRST_PAGE = "index.html"
_POLICY = (
    "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data:;"
    " script-src {scripts}; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'"
)
_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_KEPT = "public, max-age=31536000, immutable"


def serve_guide(app: FastAPI, settings: Settings) -> None:
    """Add the guide to an application.

    Parameters
    ----------
    app
        Serves the guide below `GUIDE`.
    settings
        Name the folder of the guide.
    """

    async def lead(request: Request) -> Response:
        return RedirectResponse(f"{root_of(request.scope)}{GUIDE}/")

    app.add_route(GUIDE, lead, include_in_schema=False)
    app.mount(GUIDE, Guide(settings.guide_folder))


class Guide(StaticFiles):
    """The files of the guide. None that is hidden or lies outside of the folder.

    Parameters
    ----------
    folder
        Where ``make docs`` has put the guide. It need not exist.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._folder = folder

    async def check_config(self) -> None:
        """Accept a folder that does not exist: each request looks whether it is there."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file.

        Parameters
        ----------
        path
            Below the folder; ``.`` is the first page.
        scope
            The request.

        Raises
        ------
        Refusal
            If no guide is installed.
        HTTPException
            If there is no such file.
        """
        if not (self._folder / FIRST_PAGE).is_file():
            raise Refusal(
                "guide_not_installed",
                "The guide is not installed on this service. Run `make docs` and set"
                " STEADYGRID_GUIDE_DIR to build/guide.",
            )
        name = FIRST_PAGE if path == "." else path
        if any(part.startswith(".") for part in Path(name).parts):
            raise HTTPException(404)
        answer = await super().get_response(name, scope)
        version = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("v")
        kept = version is not None and name.startswith("_static/")
        answer.headers["Cache-Control"] = _KEPT if kept else "no-cache"
        answer.headers["Content-Security-Policy"] = _POLICY.format(
            scripts=_own_scripts(self._folder / FIRST_PAGE)
        )
        answer.headers["Referrer-Policy"] = "same-origin"
        answer.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return answer


def _own_scripts(page: Path) -> str:
    return _sources(page, page.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _sources(page: Path, _changed: int) -> str:
    digests = (hashlib.sha256(one).digest() for one in _INLINE_SCRIPT.findall(page.read_bytes()))
    own = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return " ".join(("'self'", *own))
