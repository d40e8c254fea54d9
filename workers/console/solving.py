"""Solving in a process of its own, which a hard stop ends whatever it is doing."""

import os
import pickle
import select
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import IO, Any

from steadygrid.children.frames import Frame, FrameReader, encode_frame
from steadygrid.children.lifeline import OUT_OF_MEMORY, SINGLE_THREADED, python
from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import Submission
from workers.solving.control import Control

MODULE = "workers.console.solve_process"
LOOK_SECONDS = 0.1
"""Between two looks at whether the solve was cancelled."""
STARTUP_SECONDS = 60.0
"""For imports and for reading the submission, before the time limit begins."""
_PIECE = 1 << 18
_ERRORS_KEPT = 4096


def solve_apart(
    submission: Submission,
    control: Control,
    limits: Limits,
    *,
    memory: int,
    grace: float,
    module: str = MODULE,
) -> tuple[Result, AnySchedule | None]:
    """Build, solve, prove, reconstruct and verify in a process of its own.

    Parameters
    ----------
    control
        Where progress goes out, and what may cancel the solve.
    memory
        Address space of the process, in bytes.
    grace
        Seconds past the time limit after which it is killed. No signal handler and no thread is
        sure to run while a solver computes; another process is.
    module
        What the process runs.

    Raises
    ------
    Cancelled, OutOfTime
        If the solve was cancelled, or had to be killed.
    SolverError
        If the process died.
    Exception
        Whatever the pipeline raises.
    """
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            python(module, str(os.getpid()), str(memory)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            start_new_session=True,
            env=os.environ | SINGLE_THREADED,
        )
        try:
            with suppress(BrokenPipeError):
                _send(process, {"type": "job"}, pickle.dumps((submission.document(), limits)))
            frame = _Watch(process, control, submission.options.time_limit + grace).answer()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            code = process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        if frame is None:
            raise _death(errors, code)
    found = pickle.loads(frame.payload)  # noqa: S301 - both ends are one command
    if frame.message["type"] == "error":
        raise found
    result, schedule = found
    return result, schedule


def _send(process: "subprocess.Popen[bytes]", message: dict[str, Any], data: bytes = b"") -> None:
    assert process.stdin is not None
    rest = memoryview(encode_frame(message, data))
    while rest:
        rest = rest[process.stdin.write(rest) or 0 :]


class _Watch:
    """Listens to the process until it has an answer, is dead or has to be killed."""

    def __init__(self, process: "subprocess.Popen[bytes]", control: Control, budget: float) -> None:
        self._process = process
        self._control = control
        self._budget = budget
        self._end = time.monotonic() + budget + STARTUP_SECONDS
        self._cancelled = False

    def answer(self) -> Frame | None:
        """Wait for the last frame; None if there is none."""
        reader = FrameReader()
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        while True:
            self._look()
            if not select.select([output], [], [], LOOK_SECONDS)[0]:
                continue
            piece = os.read(output, _PIECE)
            if not piece:
                return None
            for frame in reader.feed(piece):
                kind = frame.message["type"]
                if kind == "begun":
                    self._end = time.monotonic() + self._budget
                elif kind == "progress":
                    self._control.relay(frame.message["progress"])
                else:
                    return frame

    def _look(self) -> None:
        if time.monotonic() >= self._end:
            raise Cancelled if self._cancelled else OutOfTime
        if self._control.cancelled and not self._cancelled:
            self._cancelled = True
            with suppress(BrokenPipeError):
                _send(self._process, {"type": "cancel", "number": 1})


def _death(errors: IO[bytes], code: int) -> BaseException:
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - _ERRORS_KEPT))
    last = errors.read()
    if any(words in last for words in OUT_OF_MEMORY):
        return MemoryError()
    return SolverError(f"The process that solved ended with exit code {code}.")
