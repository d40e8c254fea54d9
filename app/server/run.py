"""Serving the application, with uvicorn inside and a socket that outlives the last free file."""

import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from app.error_entries import ErrorEntries
from app.server.answers import PreparedAnswers
from app.server.capacity import ACCEPTED_AT_A_TIME, capacity_of
from app.server.guard import Guard
from app.server.protocol import GuardedConfig, GuardedProtocol
from app.settings import Settings

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_WAITING_IN_THE_KERNEL = 2048
APPLICATION = "app.main:create_app"
SHUTDOWN_SECONDS = 10
"""How long running requests may go on after SIGTERM."""


class Listener(socket.socket):
    """Refuses connections for which there is no file.

    asyncio writes a traceback for each of them and stops accepting for a second. One file is
    kept in hand: it is given up for as long as it takes to tell a client that it cannot be
    served.

    Parameters
    ----------
    bound
        The socket to take over; it is detached.
    answers
        Has what a client reads for which there is no file.
    """

    def __init__(self, bound: socket.socket, answers: PreparedAnswers) -> None:
        super().__init__(fileno=bound.detach())
        self._answers = answers
        self._spare = os.open(os.devnull, os.O_RDONLY)

    def listen(self, _backlog: int = 0, /) -> None:
        """Listen; asyncio's number is how many it accepts at a time, not how many may wait."""
        super().listen(_WAITING_IN_THE_KERNEL)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection.

        Raises
        ------
        BlockingIOError
            No client waits, or no file was left and one client heard it.
        """
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
        self._refuse_one()
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    def _refuse_one(self) -> None:
        self._give_up_spare()
        try:
            with suppress(OSError):
                client, _ = super().accept()
                with client:
                    client.setblocking(False)
                    client.send(self._answers.crowded())
        finally:
            with suppress(OSError):
                self._spare = os.open(os.devnull, os.O_RDONLY)

    def _give_up_spare(self) -> None:
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1

    def close(self) -> None:
        """Stop listening."""
        self._give_up_spare()
        super().close()


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
    accepted
        Connections that are taken before anything else is looked at.

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
        accepted: int = ACCEPTED_AT_A_TIME,
    ) -> None:
        config = GuardedConfig(
            application or APPLICATION,
            factory=application is None,
            http=GuardedProtocol,
            ws="none",
            backlog=accepted,
            access_log=False,
            log_config=None,
            log_level="error",
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            server_header=False,
            proxy_headers=False,
        )
        config.guard = Guard(settings, capacity_of(settings).connections)
        config.answers = self._answers = PreparedAnswers(ErrorEntries(settings))
        super().__init__(config)
        self._greet = greet

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then greet."""
        await super().startup(sockets)
        if self.started:
            self._greet()

    def serve_on(self, listener: socket.socket) -> None:
        """Serve until a signal."""
        with Listener(listener, self._answers) as guarded:
            self.run(sockets=[guarded])
