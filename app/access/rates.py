"""How often a tenant may ask: counted before anything is done, and told in every answer."""

from collections.abc import Callable, Mapping

from fastapi import Request, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.access.meter import MINUTE, Counted, Meter
from app.http.identity import identity_of
from app.http.paths import own_path
from app.http.refusals import Refusal
from app.http.resources import resources_of

_NAME = '"requests"'


class Rates:
    """Refuse the requests of a tenant who asks too often, with 429; streams and waits count once.

    The answers to the others have ``RateLimit`` and ``RateLimit-Policy``
    (draft-ietf-httpapi-ratelimit-headers-10).

    Parameters
    ----------
    app
        The application inside.
    meter
        Counts; its creator closes it.
    is_free
        Whether a path may be asked for at any time.
    refuse
        Writes a refusal as a response to a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        meter: Meter,
        is_free: Callable[[str], bool],
        refuse: Callable[[Request, Refusal], Response],
    ) -> None:
        self._app = app
        self._meter = meter
        self._is_free = is_free
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or self._is_free(own_path(scope)):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        tenant = identity_of(request).tenant
        counted = await self._meter.count(resources_of(request).database, tenant)
        if counted is None:
            await self._app(scope, receive, send)
        elif counted.left < 0:
            await self._refuse(request, _too_often(counted))(scope, receive, send)
        else:
            await self._app(scope, receive, _add_fields(send, _fields(counted)))


def _fields(counted: Counted) -> Mapping[str, str]:
    return {
        "RateLimit-Policy": f"{_NAME};q={counted.most};w={MINUTE}",
        "RateLimit": f"{_NAME};r={max(0, counted.left)};t={counted.seconds}",
    }


def _too_often(counted: Counted) -> Refusal:
    return Refusal(
        "quota_exceeded",
        f"This tenant may ask {counted.most:,} times a minute. Ask again in {counted.seconds} s.",
        headers={"Retry-After": str(counted.seconds), **_fields(counted)},
    )


def _add_fields(send: Send, fields: Mapping[str, str]) -> Send:
    """Pass an answer on with further header fields."""

    async def send_told(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(fields)
        await send(message)

    return send_told
