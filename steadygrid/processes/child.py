"""A parent's end of the pipes to one process of ours."""

import os
import select
import signal
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from steadygrid.processes.frames import Frame, FrameReader, encode_head
from steadygrid.processes.lifeline import OUT_OF_MEMORY, environment, python

_PIECE = 1 << 18
_ERRORS_KEPT = 4096
_RETIREMENT_SECONDS = 1.0


class Child:
    """A process of ours: started at once, listened to, and killed where it does not end.

    Start it in a thread that lives as long as it should (see `steadygrid.processes.lifeline`).

    Parameters
    ----------
    module, arguments
        What it runs; its own end of the pipes is a `steadygrid.processes.wire.Wire`.
    own_session
        Whether it leads a session of its own, so that it and all its descendants are killed
        together, and Ctrl-C on a terminal is left to its parent.

    Raises
    ------
    OSError
        If the system gives no process.
    """

    def __init__(self, module: str, *arguments: str, own_session: bool = True) -> None:
        self._process = subprocess.Popen(
            python(module, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=own_session,
            env=environment(),
        )
        self._own_session = own_session
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.stdin = self._process.stdin.fileno()
        self.stdout = self._process.stdout.fileno()
        self.stderr = self._process.stderr.fileno()
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe, False)
        self._reader = FrameReader()
        self._unsent: deque[memoryview] = deque()
        self._errors = b""
        self._silent = False
        self._closed = False
        self.ended = False
        """Whether its output has ended: it is dead or about to be."""

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return not self.ended and self._process.poll() is None

    @property
    def sending(self) -> bool:
        """Whether something waits to be written to it."""
        return bool(self._unsent)

    def send(self, message: dict[str, Any], payload: bytes | bytearray = b"") -> None:
        """Give it a frame; what the pipe does not take now is left to `write`.

        The payload is not copied: it must stay as it is until it has been written.

        Parameters
        ----------
        message
            JSON-ready.
        payload
            Bytes that follow the message.
        """
        if not self._closed:
            self._unsent.append(memoryview(encode_head(message, len(payload))))
            if payload:
                self._unsent.append(memoryview(payload))
            self.write()

    def write(self) -> None:
        """Write as much as the pipe takes now."""
        try:
            while self._unsent:
                written = os.write(self.stdin, self._unsent[0][:_PIECE])
                self._unsent[0] = self._unsent[0][written:]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()  # it is dead; the end of its output says so too

    def read(self) -> Iterator[Frame]:
        """Yield the frames that have arrived; sets `ended` at the end of its output."""
        if not self._closed:
            self._read_errors()
        while not self.ended:
            try:
                piece = os.read(self.stdout, _PIECE)
            except BlockingIOError:
                return
            self.ended = not piece
            yield from self._reader.feed(piece)

    def receive(self, seconds: float) -> list[Frame]:
        """Give the frames that arrive next, none if none does for some time."""
        if self._closed:
            return []
        poll = select.poll()
        poll.register(self.stdout, select.POLLIN)
        if not self._silent:
            poll.register(self.stderr, select.POLLIN)
        if self._unsent:
            poll.register(self.stdin, select.POLLOUT)
        poll.poll(max(0.0, seconds) * 1000)
        self.write()
        return list(self.read())

    def _read_errors(self) -> None:
        """Keep the last of what it wrote to standard error, so that the pipe never fills."""
        with suppress(BlockingIOError):
            while piece := os.read(self.stderr, _PIECE):
                self._errors = (self._errors + piece)[-_ERRORS_KEPT:]
            self._silent = True

    @property
    def out_of_memory(self) -> bool:
        """Whether it died for want of memory, as far as its last words tell."""
        return any(words in self._errors for words in OUT_OF_MEMORY)

    @property
    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        return self._errors.decode("utf-8", "replace").strip()

    def retire(self) -> None:
        """End it in good order if it is idle, for which a second is more than enough."""
        if not self._closed and self._process.stdin is not None:
            self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_RETIREMENT_SECONDS)
        self.kill()

    def kill(self) -> int:
        """Kill it, with all that is in its own session, and give its exit code."""
        if self._closed:
            return self._process.wait()
        if self._own_session and self._process.returncode is None:
            # What has been waited for has no id any more: another may have got it.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        code = self._process.wait()
        self._read_errors()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._unsent.clear()
        self.ended = self._closed = True
        return code
