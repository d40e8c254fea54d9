"""uvicorn's HTTP protocol with deadlines, on a transport whose end is sure."""

import asyncio
import re
from collections.abc import Callable, MutableMapping
from typing import Any, cast
from urllib.parse import unquote

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from app.server.answers import PreparedAnswers
from app.server.capacity import CROWDED, PROBES
from app.server.guard import Guard

LINGER_SECONDS = 2.0
"""How long what a client still sends is thrown away after the last answer."""
_ABSOLUTE = re.compile(rb"https?://([^/]*)(/.*)?", re.IGNORECASE)


class LastingTransport:
    """Wraps the transport of one connection; everything but closing is passed on.

    A socket that is closed while the client is sending is reset, and a reset may destroy
    the answer before it arrives. Where some of a body is unread, only the sending half is closed
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


class GuardedConfig(Config):
    """uvicorn's configuration, the guard of its connections, and the answers to refused ones."""

    guard: Guard
    answers: PreparedAnswers


class GuardedProtocol(H11Protocol):
    """One connection, which ends when its client does not keep to the deadlines.

    From the connection, or the first byte of a further request, to the end of its header
    fields: `Guard.header_seconds`, however the bytes come. An answer that cannot be sent on
    for `Guard.stall_seconds` is cut off. The body's deadline is the application's
    (`app.http.body_guard`). A body that the application does not read has as long as a header.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        guarded = cast(GuardedConfig, config)
        self._guard, self._answers = guarded.guard, guarded.answers
        self._served = self.app
        self.app = self._answer
        self._lasting: LastingTransport
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        self._lasting = LastingTransport(transport, self._mid_body, self._guard.stall_seconds)
        super().connection_made(cast(asyncio.Transport, self._lasting))
        self._guard.enter(self)
        crowded = self._guard.crowded(self)
        self._expect(self._guard.reserve_seconds if crowded else self._guard.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        self._guard.leave(self)
        self._expect(None)
        self._unstall()
        self._lasting.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends, unless it has had its last answer."""
        if self._lasting.is_closing():
            return
        super().data_received(data)
        if self.busy or self._lasting.is_closing():
            self._expect(None)
        elif self._deadline is None:
            self._expect(self._guard.header_seconds)

    def pause_writing(self) -> None:
        """Give the client a while to take what is written."""
        super().pause_writing()
        seconds = self._guard.stall_seconds
        self._stalled = self.loop.call_later(seconds, self._lasting.abort)

    def resume_writing(self) -> None:
        """Go on."""
        self._unstall()
        super().resume_writing()

    def reject(self) -> None:
        """Say that there are too many connections, and close."""
        self._end_with(self._answers.crowded)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await self._serve(in_origin_form(scope), receive, send)
        except asyncio.CancelledError:
            # By the server alone, which has waited long enough before it ends.
            if self.cycle.response_started:
                raise
            for message in self._answers.ending():
                await send(message)

    async def _serve(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if not self._guard.crowded(self):
            await self._served(scope, receive, send)
            return

        async def send_last(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
            await send(message)

        if scope["path"] not in PROBES:
            scope["extensions"] = {CROWDED: {}}
        await self._served(scope, receive, send_last)

    def _mid_body(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def _expect(self, seconds: float | None) -> None:
        """Set the deadline of a request's header fields. None: there is none."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        self._deadline = None
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._end_with(self._answers.late)
        else:
            # Nothing was asked, or the answer was given and its body goes on for ever.
            self._lasting.abort()

    def _end_with(self, answer: Callable[[], bytes]) -> None:
        if not self.busy and not self._lasting.is_closing():
            self._lasting.write(answer())
        self._lasting.close()

    def _unstall(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


def in_origin_form(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Give a request as if it had named its host in ``Host`` alone.

    Proxies are asked with targets in absolute form, ``GET http://grid.example.org/v1/info``.
    The host of the target counts, even if the field differs (RFC 9112, section 3.2.2).
    """
    found = _ABSOLUTE.fullmatch(scope["raw_path"])
    if found is None:
        return scope
    raw_path = found[2] or b"/"
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {
        **scope,
        "raw_path": raw_path,
        "path": unquote(raw_path.decode("ascii")),
        "headers": [(b"host", found[1]), *others],
    }
