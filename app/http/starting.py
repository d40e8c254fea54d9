"""Why an application does not start, in a sentence and without a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.db.errors import NotStartedError
from app.settings import Settings, SettingsError, read_settings


def settings_or_exit() -> Settings:
    """Read the settings; end the process with a sentence if they are wrong."""
    try:
        return read_settings()
    except SettingsError as error:
        sys.exit("\n  ".join(["steadygrid: the settings are wrong", *error.args]))


@contextmanager
def explained(app: FastAPI) -> Iterator[None]:
    """Keep the reason for which the block, a part of the start, is not done."""
    try:
        yield
    except NotStartedError as error:
        app.state.why_not = str(error)
        raise


class WhyNot:
    """Tells the server the sentence that `explained` kept, instead of a traceback."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return

        async def tell(message: Message) -> None:
            reason = getattr(scope["app"].state, "why_not", None)
            if message["type"] == "lifespan.startup.failed" and reason is not None:
                message = {**message, "message": f"steadygrid: {reason}"}
            await send(message)

        await self._app(scope, receive, tell)
