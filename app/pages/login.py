"""Logging in with a key, and out: the only forms that post, so that they work without scripts."""

import re
from http import HTTPStatus
from typing import Annotated
from urllib.parse import parse_qs, urlencode

import structlog
from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from app.access import sessions
from app.access.attempts import SharedAttempts
from app.http.bodies import Body, body_reader
from app.http.clients import client_address
from app.http.paths import own_path, root_of
from app.http.resources import resources_of
from app.pages import words
from app.pages.rendering import NOT_KEPT, html
from app.settings import Settings

LOGIN, LOGOUT = "/login", "/logout"
LONGEST_FORM = 2**13
"""Bytes of a form: a key, and where to go on."""
_FIRST_PAGE = "/"
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]{0,2000}", re.ASCII)
"""What leads to a page here and nowhere else, however a browser reads it."""

log = structlog.get_logger(__name__)

Form = Annotated[
    Body, Depends(body_reader(["application/x-www-form-urlencoded"], longest=LONGEST_FORM))
]


def login_router(settings: Settings, attempts: SharedAttempts) -> APIRouter:
    """Make the routes by which people log in to a service that asks for keys.

    Parameters
    ----------
    attempts
        Counts. Its creator closes it.
    """
    router = APIRouter(include_in_schema=False)
    cookie = sessions.Cookie.from_settings(settings)

    @router.get(LOGIN)
    def login_page(
        request: Request, destination: Annotated[str, Query(alias="next")] = _FIRST_PAGE
    ) -> Response:
        """Ask for a key. A user who has logged in goes on."""
        value = cookie.presented(request.scope)
        if value is not None and sessions.find(resources_of(request).database, value):
            return _lead(request, destination)
        return _form(request, destination)

    @router.post(LOGIN)
    async def log_in(request: Request, body: Form) -> Response:
        """Begin a session, and go on."""
        destination, key = _read(body)
        address = client_address(request.scope, settings.proxies)
        seconds = await attempts.wait(address)
        if seconds:
            answer = _form(request, destination, words.too_many_attempts(seconds), 429)
            answer.headers["Retry-After"] = str(seconds)
            return answer
        database, earlier = resources_of(request).database, cookie.presented(request.scope)
        value = await run_in_threadpool(sessions.log_in, database, key, earlier)
        if value is None:
            log.warning("login_refused", address=address)
            return _form(request, destination, words.NO_KEY, 401)
        answer = _lead(request, destination)
        cookie.set_session(answer, value)
        return answer

    @router.post(LOGOUT)
    def log_out(request: Request) -> Response:
        """End the session."""
        value = cookie.presented(request.scope)
        if value is not None:
            sessions.log_out(resources_of(request).database, value)
        answer = _lead(request, LOGIN)
        cookie.remove(answer)
        return answer

    return router


def lead_to_login(request: Request) -> Response:
    """Lead a user who is not known to the form, and from there back."""
    path, query = own_path(request.scope), request.url.query
    wanted = f"{path}?{query}" if query else path
    asked = "" if wanted == _FIRST_PAGE else f"?{urlencode({'next': wanted})}"
    return _lead(request, LOGIN + asked)


def _read(body: Body) -> tuple[str, str]:
    try:
        given = parse_qs(bytes(body.content).decode("utf-8", "replace"), max_num_fields=10)
    except ValueError:
        given = {}
    return given.get("next", [_FIRST_PAGE])[0], given.get("key", [""])[0].strip()


def _form(request: Request, destination: str, fault: str = "", status: int = 200) -> Response:
    answer = html(
        request,
        "login",
        f"{words.FAULT}: {words.LOG_IN}" if fault else words.LOG_IN,
        status,
        busy="",
        version=request.app.version,
        destination=destination,
        fault=fault,
    )
    answer.headers.update(NOT_KEPT)
    return answer


def _lead(request: Request, destination: str) -> RedirectResponse:
    """Lead on to a page of this service; anything else becomes the first page."""
    path = destination if _OWN_PATH.fullmatch(destination) else _FIRST_PAGE
    return RedirectResponse(root_of(request.scope) + path, HTTPStatus.SEE_OTHER, NOT_KEPT)
