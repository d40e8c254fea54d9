"""Header fields that tell browsers how little an answer may do."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.answers import DATA_POLICY


class HeaderFields:
    """Give every answer a content security policy, and forbid guessing its type.

    Parameters
    ----------
    app
        The application inside. A policy that it sets stays.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_fields(message: Message) -> None:
            if message["type"] == "http.response.start":
                fields = MutableHeaders(scope=message)
                fields.setdefault("Content-Security-Policy", DATA_POLICY)
                fields.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        await self._app(scope, receive, send_with_fields)
