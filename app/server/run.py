"""Serving the application, with uvicorn inside."""

import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from app.server.capacity import ACCEPTED_AT_A_TIME, capacity_of
from app.server.guard import Guard
from app.server.listener import Listener
from app.server.protocol import GuardedConfig, GuardedProtocol
from app.settings import Settings

APPLICATION = "app.main:create_app"
SHUTDOWN_SECONDS = 10
"""How long running requests may go on after SIGTERM."""


class GuardedServer(uvicorn.Server):
    """A server that keeps to the deadlines and limits of the settings.

    Parameters
    ----------
    settings
        The application's too, where it is made from the environment.
    application
        What to serve; by default it is made when the server starts.
    greet
        Called when the server listens.

    Raises
    ------
    TooManyConnectionsError
        The process may not open enough files.
    """

    def __init__(
        self,
        settings: Settings,
        application: Any = None,
        greet: Callable[[], None] = lambda: None,
    ) -> None:
        config = GuardedConfig(
            application or APPLICATION,
            factory=application is None,
            http=GuardedProtocol,
            ws="none",
            backlog=ACCEPTED_AT_A_TIME,
            access_log=False,
            log_config=None,
            log_level="error",
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            server_header=False,
            proxy_headers=False,
        )
        config.guard = Guard(settings, capacity_of(settings).connections)
        super().__init__(config)
        self._greet = greet

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then greet."""
        await super().startup(sockets)
        if self.started:
            self._greet()

    def serve_on(self, listener: socket.socket) -> None:
        """Serve until a signal."""
        with Listener(listener) as guarded:
            self.run(sockets=[guarded])
