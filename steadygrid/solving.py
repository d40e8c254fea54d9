"""Solving in processes of their own, which a hard stop ends whatever they are doing."""

import os
import pickle
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Self

from steadygrid.children.child import Child
from steadygrid.children.frames import Frame
from steadygrid.domain.errors import SolverError, TimeLimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.trace import Trace
from steadygrid.problems.submission import Submission

Told = Callable[[dict[str, Any]], None]
"""Is told how far a solve is: ``phase``, ``iterations``, ``value``, ``bound``, ``exact``,
``elapsed``."""

MODULE = "workers.running.answer_process"
"""What the process runs; named, not imported, since here nothing knows a solver."""
MEMORY = 4 * 2**30
"""Address space of the process, in bytes, unless somebody says otherwise."""
GRACE = 30.0
"""Seconds past the time limit after which it is killed, likewise."""
STARTUP_SECONDS = 60.0
"""For imports and for reading the submission, before the time limit begins."""
LOOK_SECONDS = 0.5
"""Longest wait without a look around: a signal may have reached another thread than the one that
has to act on it."""


class Found(NamedTuple):
    """What a solve has found, and how it came to it."""

    result: Result
    schedule: AnySchedule | None
    trace: Trace


class Solver:
    """A process that builds, solves, proves, reconstructs and verifies one submission after the other.

    It begins with the first one, and anew after each that fails. Whatever is raised here meanwhile, such
    as `KeyboardInterrupt`, ends it at once, with all that it has started.

    Parameters
    ----------
    memory
        Address space of the process, in bytes.
    grace
        Seconds past the time limit after which it is killed. No signal handler and no thread is
        sure to run while a solver computes; another process is.

    Examples
    --------
    >>> from steadygrid.problems import PROBLEMS
    >>> from steadygrid.problems.submission import parse_submission
    >>> asked = parse_submission(PROBLEMS["master_worker"].example, Limits())
    >>> with Solver(Limits()) as solver:
    ...     found = [solver.solve(asked).result.objective.value for _ in range(2)]
    >>> found
    [Fraction(21, 40), Fraction(21, 40)]
    """

    def __init__(self, limits: Limits, *, memory: int = MEMORY, grace: float = GRACE) -> None:
        self._limits = limits
        self._memory = memory
        self._grace = grace
        self._child: Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def solve(self, submission: Submission, on_progress: Told | None = None) -> Found:
        """Answer a submission.

        Parameters
        ----------
        on_progress
            What it raises ends the solve.

        Raises
        ------
        SchedulingError
            Whatever the pipeline raises; `TimeLimitError` where the process had to be killed,
            `SolverError` where it died.
        MemoryError
            If it needed more memory than it was given.
        """
        answer: Found | None = None
        try:
            if self._child is None:
                self._child = Child(MODULE, str(os.getpid()), str(self._memory))
            child = self._child
            child.send({"type": "job"}, pickle.dumps((submission, self._limits)))
            frame = _last_frame(child, submission.options.time_limit, self._grace, on_progress)
            if frame is None:
                raise _death(child, child.kill(), self._memory)
            found = pickle.loads(frame.payload)  # noqa: S301 - both ends are one installation
            if frame.message["type"] == "failure":
                raise _too_little(self._memory) if isinstance(found, MemoryError) else found
            answer = found
        finally:
            if answer is None:
                self._end()
        return answer

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()


def solve_apart(
    submission: Submission,
    limits: Limits,
    *,
    memory: int = MEMORY,
    grace: float = GRACE,
    on_progress: Told | None = None,
) -> Found:
    """Answer one submission in a process of its own; see `Solver`."""
    with Solver(limits, memory=memory, grace=grace) as solver:
        return solver.solve(submission, on_progress)


def _last_frame(
    child: Child, time_limit: float, grace: float, on_progress: Told | None
) -> Frame | None:
    """Listen until there is an answer; None if the process has died before."""
    end = time.monotonic() + STARTUP_SECONDS + time_limit + grace
    while not child.ended:
        seconds = end - time.monotonic()
        if seconds <= 0:
            raise TimeLimitError(f"The solve was stopped {grace:g} s after its {time_limit:g} s.")
        for frame in child.receive(min(seconds, LOOK_SECONDS)):
            match frame.message["type"]:
                case "begun":
                    end = time.monotonic() + time_limit + grace
                case "progress":
                    if on_progress is not None:
                        on_progress(frame.message["progress"])
                case "answer" | "failure":
                    return frame
    return None


def _death(child: Child, code: int, memory: int) -> Exception:
    if child.out_of_memory:
        return _too_little(memory)
    how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    died = SolverError(f"Its process {how}.")
    if child.last_words:
        died.add_note(f"It said last:\n{child.last_words}")
    return died


def _too_little(memory: int) -> MemoryError:
    return MemoryError(f"the solve needed more than the {memory:,} bytes that it was given")
