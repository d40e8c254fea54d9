"""A transport whose end is sure, and which lets the client read the last answer."""

import asyncio
from collections.abc import Callable
from typing import Any

LINGER_SECONDS = 2.0
"""How long what a client still sends is thrown away after the last answer."""


class LastingTransport:
    """Wraps the transport of one connection; everything but closing is passed on.

    A socket that is closed while the client is sending is reset, and a reset may destroy
    the answer on its way: where some of a body is unread, only the sending half is closed
    at first. And asyncio waits for ever until the last answer is taken: here it waits for
    `patience` seconds.

    Parameters
    ----------
    transport
        asyncio's.
    unread
        Says whether the client may be in the middle of a body.
    patience
        Seconds for the client to take what has been written.
    """

    def __init__(
        self, transport: asyncio.Transport, unread: Callable[[], bool], patience: float
    ) -> None:
        self._transport = transport
        self._unread = unread
        self._patience = patience
        self._end: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        """Whether nothing more is to be written or read."""
        return self._end is not None or self._transport.is_closing()

    def close(self) -> None:
        """Let the client have what was written, then close."""
        if self.is_closing():
            return
        seconds = self._patience
        if self._unread():
            seconds = LINGER_SECONDS
            self._transport.write_eof()
            self._transport.resume_reading()
        else:
            self._transport.close()
        loop = asyncio.get_running_loop()
        self._end = loop.call_later(seconds, self._transport.abort)

    def lost(self) -> None:
        """Forget the timer: the connection has ended."""
        if self._end is not None:
            self._end.cancel()
