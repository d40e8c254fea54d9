"""A solve's hold on the process in which HiGHS searches integer programs."""

import errno
import os
import threading
import time
from contextlib import suppress
from typing import Any

from steadygrid.domain.errors import SolverError
from steadygrid.processes.child import Child
from steadygrid.processes.frames import Frame

MODULE = "steadygrid.engine.solving.search_process"
SECONDS_TO_STOP = 0.15
"""What a search that is asked to stop gets before its process is killed."""
MOST_KEPT_BYTES = 1 << 29
"""A process that has grown beyond is not kept for the next search."""


class SearchChild:
    """A search process: started when first needed, and again after it was killed.

    It is of the process that started it: one that is forked neither uses nor ends it.
    """

    def __init__(self) -> None:
        self._child: Child | None = None
        self._starter = os.getpid()
        self._again: tuple[dict[str, Any], bytes] | None = None
        """What goes to another process if this one turns out to have died while it was idle."""
        self._number = 0
        self.busy = False
        """Whether it has a search that has not ended."""
        self.swollen = False
        """Whether it holds too much memory to be kept."""

    @property
    def pid(self) -> int | None:
        """The process's id, if there is one."""
        return None if self._child is None else self._child.pid

    def start(self) -> Child:
        """Start a process, unless there is one. It imports while no caller waits for it.

        Raises
        ------
        MemoryError, SolverError
            If the system gives none.
        """
        if self._child is not None and self._ours and self._child.alive:
            return self._child
        self.kill()
        # The kernel watches the thread that starts a process. One that may end before the
        # process should leaves it to the end of the pipe.
        lasting = threading.current_thread() is threading.main_thread()
        try:
            # A kill of the solver kills its whole session, and this with it.
            self._child = Child(MODULE, f"{lasting * os.getpid()}", own_session=False)
        except OSError as error:
            if error.errno == errno.ENOMEM:
                raise MemoryError("no memory for a search process") from error
            raise SolverError(f"no search process could be started: {error.strerror}") from error
        self._starter = os.getpid()
        self.swollen = False
        return self._child

    def begin(self, message: dict[str, Any], payload: bytes) -> None:
        """Give it a search.

        Parameters
        ----------
        message
            What to search, and how; JSON-ready.
        payload
            What belongs to the message, in bytes.
        """
        idle = self._child
        child = self.start()
        self._number += 1
        search = {"type": "search", "number": self._number} | message, payload
        self._again = search if child is idle else None
        self.busy = True
        child.send(*search)

    def help(self, values: bytes) -> None:
        """Give the search that goes on a solution that was found elsewhere.

        Parameters
        ----------
        values
            Of all columns, in doubles.
        """
        if self.busy and self._child is not None:
            self._child.send({"type": "better", "number": self._number}, values)

    def receive(self, seconds: float) -> list[Frame]:
        """Give the frames that arrive next, none if none does for some time.

        Raises
        ------
        MemoryError
            If the process died for want of memory.
        SolverError
            If it died of something else.
        """
        assert self._child is not None
        frames = self._child.receive(seconds)
        for frame in frames:
            self._again = None
            if frame.message["type"] in ("ended", "failure"):
                self.busy = False
                self.swollen = frame.message.get("peak_bytes", 0) > MOST_KEPT_BYTES
        if self._child.ended and not frames:
            self._fail(self._child)
        return frames

    def settle(self) -> None:
        """Stop the search that may still go on; kill the process if it does not obey."""
        if self.busy and self._child is not None:
            self._child.send({"type": "stop", "number": self._number})
            patience = time.monotonic() + SECONDS_TO_STOP
            with suppress(MemoryError, SolverError):
                while self.busy and (seconds := patience - time.monotonic()) > 0:
                    self.receive(seconds)
        if self.busy or self.swollen:
            self.kill()

    def kill(self) -> None:
        """End the process at once; without a process do nothing."""
        self.busy = False
        child, self._child = self._child, None
        if child is not None and self._ours:
            child.kill()

    @property
    def _ours(self) -> bool:
        return self._starter == os.getpid()

    def _fail(self, child: Child) -> None:
        code = child.kill()
        self._child, self.busy = None, False
        search, self._again = self._again, None
        if child.out_of_memory:
            raise MemoryError("the integer program needs more memory than there is")
        if search is not None:
            self.start().send(*search)
            self.busy = True
        else:
            raise SolverError(f"the integer program's search ended with exit code {code}")
