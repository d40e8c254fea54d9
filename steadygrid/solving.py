"""Solving in processes of their own, which a hard stop ends even if they are busy."""

import atexit
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, Self

from steadygrid.domain.errors import InternalError, SolverError, TimeLimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.domain.trace import Trace
from steadygrid.environment import SolveSettings
from steadygrid.processes.child import Child, wait_for_children
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import tell_of_memory
from steadygrid.submissions.submission import Submission

Told = Callable[[dict[str, Any]], None]
"""Is called with how far a solve is: ``phase``, ``iterations``, ``value``, ``bound``, ``exact``,
``elapsed``."""

MODULE = "steadygrid.engine.answer_process"
"""What the process runs; named, not imported, since here nothing knows a solver."""
MEMORY: int = SolveSettings.model_fields["solver_memory_bytes"].default
"""Address space of the process, in bytes, unless the caller says otherwise."""
GRACE: float = SolveSettings.model_fields["hard_stop_grace_seconds"].default
"""Seconds past the time limit after which it is killed, likewise."""
MOST_CORES = 2
"""That a solve computes on: no search has more halves."""
STARTUP_SECONDS = 60.0
"""For imports and for reading the submission, before the time limit begins."""
IDLE_SECONDS = 60.0
"""After which a process that is kept for the next solve ends by itself."""
_LEFT_ALONE: list[Child] = []
"""Processes of the one that this was forked from: they are neither ended nor waited for here."""
LOOK_SECONDS = 0.5
"""Longest wait without a look around: a signal may have reached another thread than the one that
has to act on it."""


class Found(NamedTuple):
    """What a solve has found, and how it came to it."""

    result: Result
    schedule: AnySchedule | None
    trace: Trace


def cores_here() -> int:
    """Give how many cores a solve computes on unless the caller says otherwise."""
    able = getattr(os, "sched_getaffinity", None)
    found = os.cpu_count() if able is None else len(able(0))
    return min(MOST_CORES, found or 1)


class Question(Protocol):
    """What a solver process reads itself, and what it says of the answer; it is pickled."""

    def read(self, limits: Limits, shared: Any) -> Submission:
        """Give what is to be solved; `SchedulingError` where it is at fault.

        Parameters
        ----------
        shared
            What `Solver.share` gave, as it is in that process.
        """

    def extract(self, found: Found) -> Any:
        """Give what of the answer is wanted."""


class ProgramQuestion(NamedTuple):
    """A `Question` for the linear program of a submission, not for its answer."""

    submission: Submission

    def read(self, limits: Limits, shared: Any) -> Submission:  # noqa: ARG002 - as Question has it
        """Give what is to be solved. See `Question.read`."""
        return self.submission

    def extract(self, found: Any) -> StatedProgram:
        """Give the program, which is all that was found."""
        program: StatedProgram = found
        return program


class Solver:
    """A process that builds, solves, proves, reconstructs and verifies one submission after the other.

    It begins with the first one, and anew after each that has ended it. Every exception here
    meanwhile, such as `KeyboardInterrupt`, ends it at once, with all that it has started.

    Parameters
    ----------
    memory
        Address space of the process, in bytes.
    grace
        Seconds past the time limit after which it is killed. No signal handler and no thread is
        sure to run while a solver computes; another process is.
    idle
        Seconds without a submission after which the process ends by itself. None: never.
    cores
        How many each solve computes on.

    Examples
    --------
    >>> from steadygrid.kinds import PROBLEMS
    >>> from steadygrid.submissions.submission import parse_submission
    >>> asked = parse_submission(PROBLEMS["master_worker"].example, Limits())
    >>> with Solver(Limits()) as solver:
    ...     found = [solver.solve(asked).result.objective.value for _ in range(2)]
    >>> found
    [Fraction(21, 40), Fraction(21, 40)]
    """

    def __init__(
        self,
        limits: Limits,
        *,
        memory: int = MEMORY,
        grace: float = GRACE,
        idle: float | None = None,
        cores: int = 1,
    ) -> None:
        self._limits = limits
        self._cores = cores
        self._memory = memory
        self._grace = grace
        self._idle = idle
        self._child: Child | None = None
        self._busy = False
        self._warm = False
        self._unread: bytes | None = None
        self._shared: bytes | None = None
        self._knows_shared = True
        self._time_limit = 0.0
        self._begun = self._end = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def solve(self, submission: Submission, on_progress: Told | None = None) -> Found:
        """Answer a submission.

        Parameters
        ----------
        on_progress
            What it raises ends the solve.

        Raises
        ------
        SchedulingError, MemoryError
            See `listen`.
        """
        answer: Found = self.ask(submission, submission.options.time_limit, on_progress)
        return answer

    def ask(
        self, asked: Submission | Question, time_limit: float, on_progress: Told | None = None
    ) -> Any:
        """Hand something over and wait for what came of it. See `begin` and `listen`."""
        answer: Any = None
        try:
            self.begin(asked, time_limit, told=on_progress is not None)
            while answer is None:
                answer = self.listen(LOOK_SECONDS, on_progress)
        finally:
            if self._busy:
                self.stop()
        return answer

    def expect(self, limits: Limits, grace: float, cores: int) -> None:
        """Change what holds for the next submissions.

        Parameters
        ----------
        limits
            How large a problem may be.
        grace
            Seconds past the time limit after which the process is killed.
        cores
            How many each solve computes on.
        """
        self._limits = limits
        self._grace = grace
        self._cores = cores

    def share(self, what: Any) -> None:
        """Give what the next questions have in common. Each process hears of it once.

        Parameters
        ----------
        what
            It is pickled. None: nothing any more.
        """
        self._shared, self._knows_shared = pickle.dumps(what), False

    def begin(self, asked: Submission | Question, time_limit: float, *, told: bool = False) -> None:
        """Hand a submission over; everything handed over before has been answered.

        Parameters
        ----------
        time_limit
            Of the submission, in seconds.
        told
            Whether `listen` is to tell how far the solve is.
        """
        self._hand_over(pickle.dumps((asked, self._limits, told, self._cores)), time_limit)

    def _hand_over(self, packed: bytes, time_limit: float) -> None:
        if self._child is not None and not self._child.alive:
            self.stop()
        if self._child is None:
            tell_of_memory()
            idle = [] if self._idle is None else [str(self._idle)]
            self._child = Child(MODULE, str(os.getpid()), str(self._memory), *idle)
            self._owner, self._warm = os.getpid(), False
            self._knows_shared = self._shared is None
        self._busy, self._unread = True, packed
        self._time_limit = time_limit
        self._begun = time.monotonic()
        self._end = self._begun + STARTUP_SECONDS + time_limit + self._grace
        if not self._knows_shared:
            self._knows_shared = True
            self._child.send({"type": "shared"}, self._shared or b"")
        self._child.send({"type": "job"}, packed)

    def listen(self, seconds: float, on_progress: Told | None = None) -> Any:
        """Give the answer. None if there is none after so long.

        Parameters
        ----------
        seconds
            To wait at most.
        on_progress
            Is called with how far the solve is. What it raises goes on to the caller.

        Returns
        -------
        Found or None
            Or what a `Question` keeps of it.

        Raises
        ------
        SchedulingError
            All that the pipeline raises; `TimeLimitError` where the process had to be killed,
            `SolverError` where it died.
        MemoryError
            If it needed more memory than it was given.
        """
        child = self._child
        if child is None:
            raise ValueError("nothing was handed over")
        if child.ended:
            unread, warm, code = self._unread, self._warm, self.stop()
            if self._idle is not None and unread is not None and (warm or not code):
                self._hand_over(unread, self._time_limit)  # it has ended without beginning with it
                return None
            raise _death(child, code, self._memory)
        left = self._end - time.monotonic()
        if left <= 0:
            self.stop()
            raise TimeLimitError(
                f"The solve was stopped {self._grace:g} s after its {self._time_limit:g} s."
            )
        for frame in child.receive(min(seconds, left)):
            match frame.message["type"]:
                case "begun":
                    self._unread = None
                    self._begun = time.monotonic()
                    self._end = self._begun + self._time_limit + self._grace
                case "progress":
                    if on_progress is not None:
                        on_progress(frame.message["progress"])
                case "answer" | "failure":
                    self._unread = None
                    return self._opened(frame)
        return None

    def _opened(self, frame: Frame) -> Any:
        self._busy, self._warm = False, True
        found = pickle.loads(frame.payload)  # noqa: S301 - both ends are one installation
        if frame.message["type"] == "answer":
            return found
        if isinstance(found, MemoryError | InternalError):
            self.stop()  # what is left in it is unknown
        raise _too_little(self._memory) if isinstance(found, MemoryError) else found

    @property
    def busy(self) -> bool:
        """Whether its process has something that it has not answered."""
        return self._busy

    @property
    def seconds(self) -> float:
        """How long ago the solve began; imports and reading are left out."""
        return time.monotonic() - self._begun

    def stop(self) -> int:
        """End the process at once, with all that it has started; give its exit code.

        After a fork it is the parent's, and is left alone.
        """
        code = 0
        if self._child is not None and self._owner == os.getpid():
            code = self._child.kill()
        elif self._child is not None:
            _LEFT_ALONE.append(self._child)
        # The process counts as busy until it has ended: an interrupt in between leaves it to be ended.
        self._child = None
        self._busy = False
        return code


def wait_for_solvers(solvers: Sequence[Solver], seconds: float) -> None:
    """Wait until there is something to `Solver.listen` to, at most for some time."""
    wait_for_children([one._child for one in solvers if one._child is not None], seconds)


class _IdleSolver:
    """The solver process of the main thread, kept from one solve to the next.

    The system ends a process with the thread that has started it, so other threads keep none.
    """

    def __init__(self) -> None:
        self._solver: Solver | None = None
        self._sort: tuple[str, int] | None = None

    def take(self, limits: Limits, memory: int, grace: float, cores: int) -> Solver:
        """Give the solver that is kept, where it is of the right sort, or a new one."""
        sort, solver = (MODULE, memory), self._solver
        self._solver = None
        if solver is None or sort != self._sort:
            if solver is not None:
                solver.stop()
            return Solver(limits, memory=memory, grace=grace, idle=IDLE_SECONDS, cores=cores)
        solver.expect(limits, grace, cores)
        return solver

    def keep(self, solver: Solver, memory: int) -> None:
        """Take it back; of two, since one solve began within another, the last is kept.

        One that is busy, since its end was interrupted, would give the next solve its old answer.
        """
        self.close()
        if solver.busy:
            solver.stop()
        self._solver, self._sort = solver, (MODULE, memory)

    def close(self) -> None:
        """End the process, if there is one."""
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.stop()


_IDLE = _IdleSolver()
atexit.register(_IDLE.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_IDLE.close)  # which leaves it to the parent


def close() -> None:
    """End the process that `solve` keeps for the next solve, and free its memory.

    It ends by itself after a minute without a solve, and with the program.
    """
    _IDLE.close()


@contextmanager
def solvers(
    number: int, limits: Limits, *, memory: int = MEMORY, grace: float = GRACE, shared: Any = None
) -> Iterator[list[Solver]]:
    """Give processes that work side by side, in the main thread the one that is kept among them.

    Each computes on one core. They end with the block. Where all has been answered, that one is kept again.

    Parameters
    ----------
    number
        How many.
    limits, memory, grace
        See `Solver`.
    shared
        See `Solver.share`.
    """
    keeps = threading.current_thread() is threading.main_thread()
    found = [_IDLE.take(limits, memory, grace, 1)] if keeps else []
    rest = range(number - len(found))
    found += [Solver(limits, memory=memory, grace=grace, idle=IDLE_SECONDS) for _ in rest]
    try:
        for solver in found:
            solver.share(shared)
        yield found
        if keeps:
            kept = found.pop(0)
            kept.share(None)
            _IDLE.keep(kept, memory)
    finally:
        for solver in found:
            solver.stop()


def solve_apart(
    submission: Submission,
    limits: Limits,
    *,
    memory: int = MEMORY,
    grace: float = GRACE,
    cores: int | None = None,
    on_progress: Told | None = None,
) -> Found:
    """Answer one submission in a process apart, which the main thread keeps. See `Solver`.

    Parameters
    ----------
    submission
        What was asked, with its options.
    limits
        How large a problem may be.
    memory
        The most address space that the process may take, in bytes.
    grace
        Seconds after the time limit of the submission until the process is killed.
    cores
        How many the solve computes on. None: `cores_here`.
    on_progress
        Is called with how far the solve is.
    """
    cores = cores_here() if cores is None else cores
    with _process_apart(limits, memory, grace, cores) as solver:
        return solver.solve(submission, on_progress)


def program_apart(
    submission: Submission,
    limits: Limits,
    *,
    memory: int = MEMORY,
    grace: float = GRACE,
    on_progress: Told | None = None,
) -> StatedProgram:
    """Give the linear program of a submission, which a process apart builds and solves.

    Parameters
    ----------
    submission, limits, memory, grace, on_progress
        As `solve_apart` takes them.

    Raises
    ------
    SchedulingError, MemoryError
        See `Solver.listen`; `InstanceError` ``no_program`` where there is no single one.
    """
    with _process_apart(limits, memory, grace, 1) as solver:
        question = ProgramQuestion(submission)
        found: StatedProgram = solver.ask(question, submission.options.time_limit, on_progress)
        return found


@contextmanager
def _process_apart(limits: Limits, memory: int, grace: float, cores: int) -> Iterator[Solver]:
    """Give the process that the main thread keeps, or one that ends with the block."""
    if threading.current_thread() is not threading.main_thread():
        with Solver(limits, memory=memory, grace=grace, cores=cores) as solver:
            yield solver
        return
    solver = _IDLE.take(limits, memory, grace, cores)
    try:
        yield solver
    finally:
        _IDLE.keep(solver, memory)


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
