"""The longest request body, enforced before anything of it is kept."""

from collections.abc import Callable

from fastapi import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.refusals import Refusal


class BodyLimit:
    """Refuse bodies that are too long with ``body_too_large``.

    An announced length is refused at once; a chunked body when it crosses the limit, by
    raising the refusal where the body is read.

    Parameters
    ----------
    app
        The application inside.
    most
        Bytes.
    refuse
        Writes the refusal as a response.
    """

    def __init__(self, app: ASGIApp, most: int, refuse: Callable[[Refusal], Response]) -> None:
        self._app = app
        self._most = most
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = next(
            (value for name, value in scope["headers"] if name == b"content-length"), b"0"
        )
        # More than 18 digits are beyond any limit and need no conversion.
        if len(announced) > 18 or (announced.isdigit() and int(announced) > self._most):
            await self._refuse(self._refusal())(scope, receive, send)
            return
        taken = 0

        async def receive_counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                raise self._refusal()
            return message

        await self._app(scope, receive_counted, send)

    def _refusal(self) -> Refusal:
        return Refusal(
            "body_too_large",
            f"The body is longer than {self._most:,} bytes.",
            headers={"Connection": "close"},
        )
