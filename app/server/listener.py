"""A listening socket that goes on when the process has no file left."""

import errno
import os
import socket
from contextlib import suppress
from typing import Any

from app.server.answers import CROWDED_ANSWER

_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_WAITING_IN_THE_KERNEL = 2048


class Listener(socket.socket):
    """Refuses connections for which there is no file.

    asyncio writes a traceback for each of them and stops accepting for a second. One file is
    kept in hand: it is given up for as long as it takes to tell a client that it cannot be
    served.

    Parameters
    ----------
    bound
        The socket to take over; it is detached.
    """

    def __init__(self, bound: socket.socket) -> None:
        super().__init__(fileno=bound.detach())
        self._spare = os.open(os.devnull, os.O_RDONLY)

    def listen(self, _backlog: int = 0, /) -> None:
        """Listen; asyncio's number is how many it accepts at a time, not how many may wait."""
        super().listen(_WAITING_IN_THE_KERNEL)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection.

        Raises
        ------
        BlockingIOError
            No client waits, or no file was left and one client was told so.
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
                    client.send(CROWDED_ANSWER)
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
