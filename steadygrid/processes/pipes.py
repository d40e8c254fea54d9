"""The pipes to a process: by the system's poll where there is one, else by a thread for each."""

import os
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from steadygrid.processes.fork import ForkedProcess

PIECE = 1 << 18
_ERRORS_KEPT = 4096
_LAST_SECONDS = 1.0
"""For threads that read, past the end of the process."""


class PolledPipes:
    """Pipes that never block, and are looked at when the system's poll says so.

    Attributes
    ----------
    errors
        The last of what the process wrote to standard error.
    """

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self._files = stdin, stdout, stderr
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._files)
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe, False)
        self._unsent: deque[memoryview] = deque()
        self._silent = False
        self.errors = b""

    @property
    def sending(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._unsent)

    def send(self, *pieces: memoryview) -> None:
        """Write pieces, now or later. They are not copied."""
        self._unsent.extend(pieces)
        self.write()

    def write(self) -> None:
        """Write as much as the pipe takes now."""
        try:
            while self._unsent:
                written = os.write(self.stdin, self._unsent[0][:PIECE])
                self._unsent[0] = self._unsent[0][written:]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()  # it is dead; the end of its output says so too

    def read(self) -> bytes | None:
        """Give the next piece of its output. Nothing at the end, None where none has arrived."""
        try:
            return os.read(self.stdout, PIECE)
        except BlockingIOError:
            return None

    def read_errors(self) -> None:
        """Keep the last of what it wrote to standard error, so that the pipe never fills."""
        with suppress(BlockingIOError):
            while piece := os.read(self.stderr, PIECE):
                self.errors = (self.errors + piece)[-_ERRORS_KEPT:]
            self._silent = True

    def register(self, poll: "select.poll") -> None:
        """Let a poll hear when there is something to read or to write."""
        poll.register(self.stdout, select.POLLIN)
        if not self._silent:
            poll.register(self.stderr, select.POLLIN)
        if self._unsent:
            poll.register(self.stdin, select.POLLOUT)

    def close_input(self) -> None:
        """End its input."""
        self._files[0].close()

    def close(self) -> None:
        """Close all. The process has ended."""
        self.read_errors()
        for pipe in self._files:
            with suppress(OSError):
                pipe.close()
        self._unsent.clear()


_NEWS = threading.Condition()
"""Of the threads that read: any of them has something."""


class ThreadedPipes:
    """Pipes that block, each with a thread that reads or writes it, and closes it in the end.

    It can all that `PolledPipes` can, but its threads do it.
    """

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self._arrived: deque[bytes] = deque()
        self._unsent: deque[memoryview | None] = deque()
        self._more = threading.Condition()
        self.errors = b""
        self._readers = [
            _started(self._read_output, stdout),
            _started(self._keep_errors, stderr),
        ]
        _started(self._write_input, stdin)

    @property
    def has_news(self) -> bool:
        """Whether something waits to be read."""
        return bool(self._arrived)

    @property
    def sending(self) -> bool:
        """Whether something waits to be written."""
        return any(piece is not None for piece in tuple(self._unsent))

    def send(self, *pieces: memoryview | None) -> None:
        """Write pieces, which are not copied. None ends the input."""
        with self._more:
            self._unsent.extend(pieces)
            self._more.notify()

    def write(self) -> None:
        """Do nothing: a thread does it."""

    def read(self) -> bytes | None:
        """Give the next piece of its output. Nothing at the end, None where none has arrived."""
        try:
            return self._arrived.popleft()
        except IndexError:
            return None

    def read_errors(self) -> None:
        """Do nothing: a thread does it."""

    def close_input(self) -> None:
        """End its input, after what is still to be written."""
        self.send(None)

    def close(self) -> None:
        """Hear the last of a process that has ended; the threads end."""
        end = time.monotonic() + _LAST_SECONDS
        for reader in self._readers:
            reader.join(max(0.0, end - time.monotonic()))
        with self._more:
            self._unsent.clear()
        self.close_input()

    def _read_output(self, pipe: IO[bytes]) -> None:
        piece = b"-"
        while piece:
            piece = _piece(pipe)
            with _NEWS:
                self._arrived.append(piece)
                _NEWS.notify_all()

    def _keep_errors(self, pipe: IO[bytes]) -> None:
        while piece := _piece(pipe):
            self.errors = (self.errors + piece)[-_ERRORS_KEPT:]

    def _write_input(self, pipe: IO[bytes]) -> None:
        while True:
            with self._more:
                self._more.wait_for(lambda: self._unsent)
                piece = self._unsent[0]
            if piece is None:
                return
            try:
                while piece:
                    piece = piece[os.write(pipe.fileno(), piece[:PIECE]) :]
            except OSError:
                with self._more:
                    self._unsent.clear()  # it is dead; the end of its output says so too
                continue
            with self._more, suppress(IndexError):
                self._unsent.popleft()


def _started(run: Callable[[IO[bytes]], None], pipe: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=_run_and_close, args=(run, pipe), name="pipe", daemon=True)
    thread.start()
    return thread


def _run_and_close(run: Callable[[IO[bytes]], None], pipe: IO[bytes]) -> None:
    try:
        run(pipe)
    finally:
        with suppress(OSError):
            pipe.close()


def _piece(pipe: IO[bytes]) -> bytes:
    try:
        return os.read(pipe.fileno(), PIECE)
    except OSError:
        return b""


def pipes_of(process: "subprocess.Popen[bytes] | ForkedProcess") -> PolledPipes | ThreadedPipes:
    """Give the pipes to a process that was started with all three."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    kind = PolledPipes if hasattr(select, "poll") else ThreadedPipes
    return kind(process.stdin, process.stdout, process.stderr)


def wait_for_any(pipes: Sequence[PolledPipes | ThreadedPipes], seconds: float) -> None:
    """Wait until any process has written something or takes more, at most for some time."""
    polled = [one for one in pipes if isinstance(one, PolledPipes)]
    if polled or not pipes:
        if not hasattr(select, "poll"):
            time.sleep(seconds)
            return
        poll = select.poll()
        for one in polled:
            one.register(poll)
        poll.poll(seconds * 1000)
        return
    threaded = [one for one in pipes if isinstance(one, ThreadedPipes)]
    with _NEWS:
        _NEWS.wait_for(lambda: any(one.has_news for one in threaded), seconds)
