"""A solve's end of the pipes to the process in which HiGHS searches integer programs."""

import atexit
import errno
import os
import select
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from steadygrid.children.frames import Frame, FrameReader, encode_frame
from steadygrid.children.lifeline import OUT_OF_MEMORY, SINGLE_THREADED
from steadygrid.domain.errors import SolverError

SECONDS_TO_STOP = 0.15
"""What a search that is told to stop gets before its process is killed."""
MOST_KEPT_BYTES = 1 << 29
"""A process that has grown beyond is not kept for the next search."""
_PIECE = 1 << 18
_ERRORS_KEPT = 4096
_ROOT = Path(__file__).parents[2]


class SearchChild:
    """A search process: started when first needed, and again after it was killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._poll = select.poll()
        self._reader = FrameReader()
        self._unsent: deque[memoryview] = deque()
        self._again: bytes | None = None
        """What goes to another process if this one turns out to have died while it was idle."""
        self._errors = b""
        self._number = 0
        self.busy = False
        """Whether it has a search that has not ended."""
        self.swollen = False
        """Whether it holds too much memory to be kept."""

    @property
    def pid(self) -> int | None:
        """The process's id, if there is one."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start a process, unless there is one; it imports while nobody waits for it.

        Raises
        ------
        MemoryError, SolverError
            If the system gives none.
        """
        if self._process is not None and self._process.poll() is None:
            return
        self.kill()
        # The kernel watches the thread that starts a process. One that may end before the
        # process should leaves it to the end of the pipe.
        lasting = threading.current_thread() is threading.main_thread()
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
        try:
            process = self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "workers.solving.search_process",
                    f"{lasting * os.getpid()}",
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=os.environ | SINGLE_THREADED | {"PYTHONPATH": path},
            )
        except OSError as error:
            if error.errno == errno.ENOMEM:
                raise MemoryError("no memory for a search process") from error
            raise SolverError(f"no search process could be started: {error.strerror}") from error
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        os.set_blocking(process.stdin.fileno(), False)
        self._input, self._output, self._complaints = (
            pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr)
        )
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._complaints, select.POLLIN)
        self._reader = FrameReader()
        self._errors = b""
        self.swollen = False

    def begin(self, message: dict[str, Any], payload: bytes) -> None:
        """Give it a search."""
        idle = self._process
        self.start()
        self._number += 1
        data = encode_frame({"type": "search", "number": self._number} | message, payload)
        self._again = data if self._process is idle else None
        self.busy = True
        self._send(data)

    def receive(self, seconds: float) -> list[Frame]:
        """Give the frames that arrive next, none if none does for some time.

        Raises
        ------
        MemoryError
            If the process died for want of memory.
        SolverError
            If it died of something else.
        """
        frames: list[Frame] = []
        for pipe, _ in self._poll.poll(seconds * 1000):
            if pipe == self._complaints:
                self._read_errors()
            elif pipe != self._output:
                self._write()
            elif piece := os.read(pipe, _PIECE):
                frames += self._reader.feed(piece)
                self._again = None
            else:
                self._fail()
                break
        for frame in frames:
            if frame.message["type"] in ("ended", "failure"):
                self.busy = False
                self.swollen = frame.message.get("peak_bytes", 0) > MOST_KEPT_BYTES
        return frames

    def settle(self) -> None:
        """Stop the search that may still go on; kill the process if it does not obey."""
        if self.busy and self._process is not None:
            self._send(encode_frame({"type": "stop", "number": self._number}))
            patience = time.monotonic() + SECONDS_TO_STOP
            with suppress(MemoryError, SolverError):
                while self.busy and (seconds := patience - time.monotonic()) > 0:
                    self.receive(seconds)
        if self.busy or self.swollen:
            self.kill()

    def kill(self) -> int | None:
        """End the process at once, and give its exit code; without a process do nothing."""
        self.busy = False
        self._unsent.clear()
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        code = process.wait()
        os.set_blocking(self._complaints, False)
        with suppress(BlockingIOError):
            while self._read_errors():
                pass
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        return code

    def _send(self, data: bytes) -> None:
        self._unsent.append(memoryview(data))
        self._poll.register(self._input, select.POLLOUT)
        self._write()

    def _write(self) -> None:
        try:
            while self._unsent:
                written = os.write(self._input, self._unsent[0][:_PIECE])
                self._unsent[0] = self._unsent[0][written:]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            return
        except OSError:
            self._unsent.clear()  # it is dead; the end of its output says so too
        self._poll.unregister(self._input)

    def _read_errors(self) -> bool:
        piece = os.read(self._complaints, _PIECE)
        self._errors = (self._errors + piece)[-_ERRORS_KEPT:]
        if not piece:
            with suppress(KeyError):
                self._poll.unregister(self._complaints)
        return bool(piece)

    def _fail(self) -> None:
        code = self.kill()
        if self._again is not None:
            data, self._again = self._again, None
            self.start()
            self.busy = True
            self._send(data)
            return
        if any(words in self._errors for words in OUT_OF_MEMORY):
            raise MemoryError("the integer program needs more memory than there is")
        raise SolverError(f"the integer program's search ended with exit code {code}")


_idle: list[SearchChild] = []


@contextmanager
def search_child() -> Iterator[SearchChild]:
    """Lend a search process that nobody else uses; it is kept for the next one."""
    try:
        child = _idle.pop()
    except IndexError:
        child = SearchChild()
    try:
        child.start()
        yield child
    finally:
        child.settle()
        if child.pid is not None and not _idle:
            _idle.append(child)
        else:
            child.kill()


def start_early() -> None:
    """Have a process ready for the next search."""
    with suppress(MemoryError, SolverError), search_child():
        pass


def end_idle() -> None:
    """End the process that is kept for the next search."""
    while _idle:
        _idle.pop().kill()


atexit.register(end_idle)
# A forked process must neither use nor end what is its parent's.
os.register_at_fork(after_in_child=_idle.clear)
