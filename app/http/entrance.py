"""What every request passes first: HEAD becomes GET, and a crowd is refused."""

from collections.abc import Callable

from fastapi import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.refusals import Refusal
from app.server.answers import CROWDED_DETAIL, RETRY_CROWDED_SECONDS
from app.server.capacity import CROWDED


class Entrance:
    """Answer ``HEAD`` as ``GET`` without its body; refuse those the server has no room for.

    Parameters
    ----------
    app
        The application inside.
    refuse
        Writes a refusal as a response.
    """

    def __init__(self, app: ASGIApp, refuse: Callable[[Refusal], Response]) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif CROWDED in (scope.get("extensions") or {}):
            again = {"Retry-After": str(RETRY_CROWDED_SECONDS)}
            refusal = Refusal("too_many_connections", CROWDED_DETAIL, headers=again)
            await self._refuse(refusal)(scope, receive, send)
        elif scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, _head_only(send))
        else:
            await self._app(scope, receive, send)


def _head_only(send: Send) -> Send:
    """Pass an answer's head on and end it there, streams too."""
    ended = False

    async def send_head(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.start":
            await send(message)
        elif not ended:
            ended = True
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_head
