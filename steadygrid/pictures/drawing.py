"""The process that draws, seen from its parent: started on first need, watched, and ended.

vl-convert holds the interpreter's lock while it draws, never returns in a forked process, and dies in
one whose address space is limited. So it runs in a process of its own, that is not forked, whose
resident memory is watched.
"""

import os
import queue
import threading
import time
from pathlib import Path
from typing import Any

from steadygrid.children.child import Child
from steadygrid.children.frames import Frame
from steadygrid.domain.errors import Fault
from steadygrid.pictures.errors import PictureError, PictureFailed, picture_error

MODULE = "steadygrid.pictures.drawing_process"
"""What the process runs, unless somebody has an entry of their own."""
SECONDS = 20.0
"""For one picture, after which the process is killed."""
MEMORY = 2**30
"""Resident bytes, above which it is killed."""
MOST = 500
"""Pictures that it draws before another takes over."""
IDLE_SECONDS = 300.0
"""Without a picture, after which it ends."""
STARTUP_SECONDS = 60.0
"""For the imports of the process, before it listens."""
LOOK_SECONDS = 0.1
"""Between two looks at its memory, and at whether anybody still waits."""


class _Request:
    """A picture that somebody waits for."""

    def __init__(self, message: dict[str, Any], payload: bytes) -> None:
        self.message = message
        self.payload = payload
        self.answer: bytes | BaseException = b""
        self.done = threading.Event()
        self.given_up = threading.Event()


class Drawer:
    """Draws one picture after the other, in a process of its own.

    Any thread may ask. The process starts with the first picture, in a thread that lives as long as
    it does (see `steadygrid.children.lifeline`), and dies with this one.

    Parameters
    ----------
    module
        What the process runs: it calls `steadygrid.pictures.drawing_process.serve`.
    seconds
        For one picture, after which the process is killed; its start is not counted.
    memory
        Resident bytes, above which it is killed while it draws.
    most
        Pictures that it draws before another process takes over.
    idle
        Seconds without a picture, after which it ends.
    """

    def __init__(
        self,
        module: str = MODULE,
        *,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        most: int = MOST,
        idle: float = IDLE_SECONDS,
    ) -> None:
        self._module = module
        self._seconds = seconds
        self._memory = memory
        self._most = most
        self._idle = idle
        self._begin()

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._turn = threading.Lock()
        self._door = threading.Lock()
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._keeper: threading.Thread | None = None
        self._current: _Request | None = None
        self.pid: int | None = None
        """Of the process, while there is one."""

    def draw(self, message: dict[str, Any], payload: bytes = b"") -> bytes:
        """Have a picture drawn, and wait for it; whoever comes meanwhile is next.

        Parameters
        ----------
        message, payload
            What the process understands; `message` is written as JSON.

        Raises
        ------
        PictureError
            What the process raises; `PictureFailed` where it had to be killed, or died.
        """
        if self._owner != os.getpid():
            self._begin()  # In a fork there is no thread that keeps the process.
        request = _Request(message, payload)
        with self._turn:
            with self._door:
                if self._keeper is None:
                    self._keeper = threading.Thread(
                        target=self._keep, args=(self._requests,), name="drawer", daemon=True
                    )
                    self._keeper.start()
                self._current = request
                self._requests.put(request)
            try:
                # Not without a limit: a signal may have reached another thread than this one.
                while not request.done.wait(0.5):
                    pass
            except BaseException:
                request.given_up.set()
                raise
        if isinstance(request.answer, BaseException):
            raise request.answer
        return request.answer

    def close(self) -> None:
        """End the process; a picture that is being drawn fails, and the next one starts another."""
        if self._owner != os.getpid():
            return
        with self._door:
            keeper, self._keeper = self._keeper, None
            if keeper is None:
                return
            if self._current is not None:
                self._current.given_up.set()
            self._requests.put(None)
            self._requests = queue.SimpleQueue()
        keeper.join()

    def _keep(self, requests: "queue.SimpleQueue[_Request | None]") -> None:
        """Start the process when it is needed, hand it one request after the other, and end it."""
        child: Child | None = None
        drawn = 0
        try:
            while True:
                try:
                    request = requests.get(timeout=None if child is None else self._idle)
                except queue.Empty:
                    self._retire(child)
                    child = None
                    continue
                if request is None:
                    return
                if child is not None and (not child.alive or drawn >= self._most):
                    self._retire(child)
                    child = None
                try:
                    if child is None:
                        drawn = 0
                        child = Child(self._module, str(os.getpid()))
                        self.pid = child.pid
                        self._hear(child, request, STARTUP_SECONDS, "to start", None)
                    child.send({"type": "draw", "message": request.message}, request.payload)
                    frame = self._hear(child, request, self._seconds, "for it", self._memory)
                    request.answer = _answer(frame)
                    drawn += 1
                except BaseException as error:  # noqa: BLE001 - whoever asked is told
                    request.answer = error
                    if child is not None:
                        child.kill()
                        child = self.pid = None
                request.done.set()
                if child is not None and 2 * _resident(child.pid) > self._memory:
                    self._retire(child)
                    child = None
        finally:
            self._retire(child)

    def _retire(self, child: Child | None) -> None:
        """End a process in good order."""
        self.pid = None
        if child is not None:
            child.retire()

    def _hear(
        self, child: Child, request: _Request, seconds: float, what: str, memory: int | None
    ) -> Frame:
        """Wait for the next frame, within time and memory."""
        end = time.monotonic() + seconds
        while not child.ended:
            for frame in child.receive(min(LOOK_SECONDS, end - time.monotonic())):
                return frame
            if request.given_up.is_set():
                raise PictureFailed("Drawing was stopped.")
            if time.monotonic() >= end:
                raise PictureFailed(
                    f"{seconds:g} s were not enough {what}; ask for less of it, or for another"
                    " format."
                )
            if memory is not None and _resident(child.pid) > memory:
                raise PictureFailed(
                    f"It needed more than {memory:,} bytes of memory; ask for less of it, for a"
                    " smaller width or scale, or for another format."
                )
        code = child.kill()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        died = PictureFailed(f"The process that draws {how}.")
        if child.last_words:
            died.add_note(f"It said last:\n{child.last_words}")
        raise died


def _answer(frame: Frame) -> bytes | PictureError:
    message = frame.message
    if message["type"] == "picture":
        return frame.payload
    faults = [Fault(tuple(pointer), code, detail) for pointer, code, detail in message["faults"]]
    error = picture_error(message["code"], message["detail"], faults)
    if message["trace"]:
        error.add_note(message["trace"])
    return error


def _resident(pid: int) -> int:
    """Give the memory that a process has resident, in bytes; 0 where it cannot be told."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
