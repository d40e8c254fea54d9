"""The reins of one solve: its deadline, its cancel flag, and the channel of its progress."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.domain.job import Phase, Result
from steadygrid.domain.trace import Trace
from steadygrid.engine.solving.record import Known, Record, known
from steadygrid.engine.solving.search_processes import LASTING, SearchProcesses

T = TypeVar("T")


class Interruptible(Protocol):
    """What can be told to stop: a HiGHS instance."""

    def cancelSolve(self) -> Any:  # noqa: N802
        """Ask the running solve to end soon."""


class _Stop:
    """Whether a solve was asked to stop, and who has to hear of it; shared with its parts."""

    def __init__(self) -> None:
        self.told = threading.Event()
        self._lock = threading.Lock()
        self._reached: list[Interruptible] = []

    def stop(self) -> None:
        """Stop the solve, and all that runs for it."""
        with self._lock:
            self.told.set()
            for solver in self._reached:
                solver.cancelSolve()

    @contextmanager
    def reaching(self, solver: Interruptible) -> Iterator[None]:
        """Reach a solver, too, while it runs."""
        with self._lock:
            self._reached.append(solver)
            if self.told.is_set():
                solver.cancelSolve()
        try:
            yield
        finally:
            with self._lock:
                self._reached.remove(solver)


class Control:
    """Deadline, cancellation and progress of one solve.

    Parameters
    ----------
    time_limit
        Seconds from now. None for no limit.
    report
        Called with a progress object (``phase``, ``iterations``, ``value``, ``bound``, ``exact``,
        ``elapsed``) on every change; must be quick.
    searches
        Lends the processes in which integer programs are searched.
    cores
        How many may compute at a time; with more than one, two halves of a search go on side by
        side, see `steadygrid.engine.solving.other_half`.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        report: Callable[[dict[str, Any]], None] | None = None,
        searches: SearchProcesses = LASTING,
        cores: int = 1,
    ) -> None:
        self._time_limit = time_limit
        self.restart()
        self._report = report
        self.searches = searches
        self.cores = cores
        self._stop = _Stop()
        self._state: dict[str, Any] = {}
        self._told: dict[str, Known] = {}
        self._record = Record()

    def restart(self) -> None:
        """Count the time from now: what went before was loading, and nothing of the solve."""
        self._started = time.monotonic()
        self._deadline = None if self._time_limit is None else self._started + self._time_limit

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float:
        """Seconds left, never negative; infinite without a limit."""
        if self._deadline is None:
            return float("inf")
        return max(0.0, self._deadline - time.monotonic())

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._stop.told.is_set()

    def extend(self, seconds: float) -> None:
        """Allow at least this many seconds from now, under any earlier limit."""
        if self._deadline is not None:
            self._deadline = max(self._deadline, time.monotonic() + seconds)

    def limited(self, seconds: float, *, silent: bool = False) -> "Control":
        """Give a part of the work reins of its own, with less time at most.

        Cancelling either cancels both, and progress goes out as that of this control; only the
        deadline is the part's own, never later than this one's. The progress of a `silent` part,
        whose bounds hold for the part only, does not go out.

        Parameters
        ----------
        seconds
            Most that the part may take.
        silent
            Whether its progress stays its own.
        """
        part = Control(
            min(seconds, self.remaining),
            None if silent else self._report,
            self.searches,
            self.cores,
        )
        part._started, part._stop = self._started, self._stop
        if not silent:
            part._state, part._told, part._record = self._state, self._told, self._record
        return part

    def check(self) -> None:
        """Call between steps.

        Raises
        ------
        Cancelled, OutOfTime
            If the solve was cancelled or its time is over.
        """
        if self.cancelled:
            raise Cancelled
        if self.remaining <= 0:
            raise OutOfTime

    def timed(self, items: Iterable[T]) -> Iterator[T]:
        """Give items one by one, and check before each.

        Raises
        ------
        Cancelled, OutOfTime
            See `check`.
        """
        for item in items:
            self.check()
            yield item

    def cancel(self) -> None:
        """Stop the solve, from any thread."""
        self._stop.stop()

    def attached(self, solver: Interruptible) -> AbstractContextManager[None]:
        """Let `cancel` reach a solver while it runs."""
        return self._stop.reaching(solver)

    def phase(self, phase: Phase) -> None:
        """Say what the solve does now, and check."""
        self._state["phase"] = phase.value
        self._send()
        self.check()

    def progress(
        self,
        *,
        iterations: int | None = None,
        value: Fraction | float | None = None,
        bound: Fraction | float | None = None,
    ) -> None:
        """Say how far the solve is. What is None stays as it was.

        Parameters
        ----------
        iterations
            How many rounds the search for values and bounds has made.
        value
            Of something that was found and may be the answer, of the whole instance. A fraction
            if it is exact, a float if it is a solver's. Not every one has to be the best so far.
        bound
            What no answer of the whole instance is better than, likewise.
        """
        if iterations is not None:
            self._state["iterations"] = iterations
        found = {"value": known(value), "bound": known(bound)}
        for name, one in found.items():
            if one is not None:
                self._told[name] = one
                self._state[name] = str(one.value)
        if self._told:
            self._state["exact"] = all(one.exact for one in self._told.values())
        self._record.take(iterations, self.elapsed, found["value"], found["bound"])
        self._send()

    def trace(self, result: Result) -> Trace:
        """Give what was known when, now that there is an answer. See `Record.trace`."""
        return self._record.trace(result, self.elapsed)

    def _send(self) -> None:
        if self._report is not None:
            self._report({**self._state, "elapsed": round(self.elapsed, 3)})
