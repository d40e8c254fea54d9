"""A supervisor's end of the pipes to one solver process."""

import os
import signal
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import structlog

from app.settings import PREFIX, Settings
from steadygrid.children.frames import Frame, FrameReader, encode_frame
from steadygrid.children.lifeline import OUT_OF_MEMORY, SINGLE_THREADED, python

log = structlog.get_logger(__name__)

TRIAL = "trial"
"""What a solver process is given after its pipeline if it is only to import it."""
_NO_LIMIT = 1 << 62
_TRIED = ("pipeline", "solver_memory_bytes")
_PIECE = 1 << 18
_ERRORS_KEPT = 4096
_RETIREMENT_SECONDS = 1.0


class UnfitSolverError(Exception):
    """No solver process can work with these settings; the message says which is wrong."""


def try_solver(settings: Settings) -> None:
    """Look whether a solver process can import what the settings name, within their memory.

    Costs a second or two where they differ from the defaults, else nothing.

    Raises
    ------
    UnfitSolverError
        It cannot.
    """
    chosen = (settings.pipeline, settings.solver_memory_bytes)
    if chosen == tuple(Settings.model_fields[name].default for name in _TRIED):
        return
    if _imports(*chosen) is None:
        return
    reason = _imports(settings.pipeline, _NO_LIMIT)
    if reason is not None:
        raise UnfitSolverError(
            f"{PREFIX}PIPELINE={settings.pipeline} cannot be used ({reason}): name a module"
            " with a function `run` that can be imported, in a folder on PYTHONPATH"
        )
    raise UnfitSolverError(
        f"{PREFIX}SOLVER_MEMORY_BYTES={settings.solver_memory_bytes} is less than a solver"
        " process needs for its imports alone: leave it out, or give 1073741824 (1 GiB) or more"
    )


def _imports(pipeline: str, memory: int) -> str | None:
    """Give None if a solver process can import, else its last words."""
    command = python(
        "workers.running.solver_process", str(os.getpid()), str(memory), pipeline, TRIAL
    )
    tried = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env=os.environ | SINGLE_THREADED,
    )
    words = tried.stderr.decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(words) if line.strip()), "it was killed")
    return None if tried.returncode == 0 else last


class SolverChild:
    """A solver process: started at once, importing while nobody waits for it.

    Start it in a thread that lives as long as it should (see `steadygrid.children.lifeline`). It has a
    session of its own, so that it and all its descendants can be killed together.
    """

    def __init__(self, settings: Settings) -> None:
        command = python(
            "workers.running.solver_process",
            str(os.getpid()),
            str(settings.solver_memory_bytes),
            settings.pipeline,
        )
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env=os.environ | SINGLE_THREADED,
        )
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
        self.jobs = 0
        """Jobs it was given so far; the last one's number."""
        self.ready = False
        """Whether it has said that its imports are done."""
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

    def begin(self, packed: bytes, time_limit: float, limits: dict[str, Any]) -> None:
        """Give it a job."""
        self.jobs += 1
        message = {
            "type": "job",
            "number": self.jobs,
            "time_limit": time_limit,
            "limits": limits,
        }
        self._queue(encode_frame(message, packed))

    def cancel(self) -> None:
        """Ask it to stop the job that it was given last."""
        self._queue(encode_frame({"type": "cancel", "number": self.jobs}))

    def _queue(self, data: bytes) -> None:
        self._unsent.append(memoryview(data))
        self.write()

    def write(self) -> None:
        """Write as much as the pipe takes now."""
        try:
            while self._unsent:
                written = os.write(self.stdin, self._unsent[0][:_PIECE])
                rest = self._unsent.popleft()[written:]
                if rest:
                    self._unsent.appendleft(rest)
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()  # it is dead; the end of its output says so too

    def read(self) -> Iterator[Frame]:
        """Yield the frames that have arrived; sets `ended` at the end of its output."""
        self.read_errors()
        while True:
            try:
                piece = os.read(self.stdout, _PIECE)
            except BlockingIOError:
                return
            if not piece:
                self.ended = True
                return
            yield from self._reader.feed(piece)

    def look(self) -> bool:
        """Tell whether it is ready, while it has no job to speak of."""
        for frame in self.read():
            self.ready = self.ready or frame.message["type"] == "ready"
        return self.ready

    def read_errors(self) -> None:
        """Keep the last of what it wrote to standard error, so that the pipe never fills."""
        with suppress(BlockingIOError):
            while piece := os.read(self.stderr, _PIECE):
                self._errors = (self._errors + piece)[-_ERRORS_KEPT:]

    @property
    def out_of_memory(self) -> bool:
        """Whether it died for want of memory, as far as its last words tell."""
        return any(words in self._errors for words in OUT_OF_MEMORY)

    def retire(self) -> None:
        """End it in good order if it is idle, for which a second is more than enough."""
        if not self._closed and self._process.stdin is not None:
            self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_RETIREMENT_SECONDS)
        self.kill()

    def kill(self) -> int:
        """Kill it and all its descendants, and give its exit code; again does nothing."""
        if self._closed:
            return self._process.wait()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        self.read_errors()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self.ended = self._closed = True
        return code
