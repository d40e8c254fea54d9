"""A sweep solved here, without a service: each job in a process that may be killed, or in this one."""

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from steadygrid.documents import merged, plain, without_store
from steadygrid.domain.errors import InternalError, SchedulingError, failure_of
from steadygrid.domain.job import JobState
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.solving import GRACE, LOOK_SECONDS, MEMORY, Found, Solver, solvers, wait_for_solvers
from steadygrid.studies.bodies import Bodies
from steadygrid.studies.sweep import CheckedSweep, Plan, plan_sweep, read_sweep
from steadygrid.studies.sweep_table import SweepRow, row_of
from steadygrid.submissions.submission import Submission

Answering = Callable[[Submission, Limits], Found]
Counted = Callable[[int, int], None]
"""Is called with how many jobs have ended, and how many of these have failed."""


def read_plan(body: Any, limits: Limits, options: Mapping[str, Any] | None = None) -> CheckedSweep:
    """Read and check the body of ``POST /v1/sweeps`` where nothing is stored.

    Parameters
    ----------
    body
        JSON-ready, or with numbers and nouns as objects of Python's. See `plain`.
    options
        More options, which go before those of the template.

    Raises
    ------
    InstanceError, LimitError
        With the faults found. Their pointers walk the body.
    """
    document = plain(body)
    if options and isinstance(document, dict) and isinstance(document.get("template"), dict):
        template = document["template"]
        more = merged(template.get("options", {}), plain(options))
        document = {**document, "template": {**template, "options": more}}
    with without_store():
        return plan_sweep(read_sweep(document, limits), limits)


@dataclass(frozen=True)
class NumberedJob:
    """A job of a sweep, read where it is solved: the bodies of all jobs are there."""

    index: int

    def read(self, limits: Limits, shared: Bodies) -> Submission:
        """Make the body and read it. See `Bodies.submission`."""
        return shared.submission(self.index, limits)

    def extract(self, found: Found) -> dict[str, Any]:
        """Keep what a row of the table tells."""
        result, schedule = found.result, found.schedule
        document = result.model_dump(mode="json", include={"outcome", "objective", "bound", "gap"})
        return document | {"period": schedule.period if isinstance(schedule, Schedule) else None}


def run_sweep(
    plan: Plan,
    limits: Limits,
    *,
    workers: int = 1,
    memory: int = MEMORY,
    grace: float = GRACE,
    on_ended: Counted | None = None,
) -> Generator[SweepRow, None, None]:
    """Solve all jobs, and give their rows in order, even if a later one ends first.

    Parameters
    ----------
    workers
        Processes that solve side by side, each with one thread.
    memory, grace
        Of each. See `steadygrid.solving.solvers`.

    Yields
    ------
    SweepRow
        As soon as all jobs before have ended. A job that fails is a row. After Ctrl-C those that
        have ended, before `KeyboardInterrupt` is raised.
    """
    number, bodies = min(workers, plan.jobs), Bodies(plan.document())
    ended: dict[int, SweepRow] = {}
    with solvers(number, limits, memory=memory, grace=grace, shared=bodies) as lent:
        bench = _Bench(plan, lent)
        due = 0
        failed = 0
        while due < plan.jobs:
            try:
                rows = bench.rows()
                ended.update((row.index, row) for row in rows)
                failed += sum(row.error is not None for row in rows)
                if rows and on_ended is not None:
                    on_ended(due + len(ended), failed)
            except KeyboardInterrupt:
                bench.close()
                yield from (ended[index] for index in sorted(ended))
                raise
            while due in ended:
                yield ended.pop(due)
                due += 1


def run_sweep_here(
    plan: Plan, limits: Limits, answer: Answering
) -> Generator[SweepRow, None, None]:
    """Solve all jobs in this process, one after the other. See `run_sweep`.

    Parameters
    ----------
    plan
        Template and parameters.
    limits
        How large a problem may be.
    answer
        Answers one submission.
    """
    bodies = Bodies(plan.document())
    for job in map(NumberedJob, range(plan.jobs)):
        begun = time.monotonic()
        try:
            told = job.extract(answer(job.read(limits, bodies), limits))
        except (SchedulingError, MemoryError) as error:
            told = _failure(error)
        yield _row(plan, job.index, told, time.monotonic() - begun)


class _Bench:
    """The processes, and what each of them does."""

    def __init__(self, plan: Plan, solvers: list[Solver]) -> None:
        self._plan = plan
        self._solvers = solvers
        self._idle = list(solvers)
        self._busy: dict[int, Solver] = {}
        """By the number of the job."""
        self._next = 0

    def rows(self) -> list[SweepRow]:
        """Keep all processes busy for a moment, and give the rows of jobs that have ended."""
        while self._idle and self._next < self._plan.jobs:
            index, self._next = self._next, self._next + 1
            solver = self._busy[index] = self._idle.pop()
            solver.begin(NumberedJob(index), self._plan.facts(index).time_limit)
        wait_for_solvers(list(self._busy.values()), LOOK_SECONDS)
        rows = [self._heard(index, solver) for index, solver in self._busy.items()]
        ended = [row for row in rows if row is not None]
        self._idle += (self._busy.pop(row.index) for row in ended)
        return ended

    def _heard(self, index: int, solver: Solver) -> SweepRow | None:
        try:
            told = solver.listen(0.0)
        except (SchedulingError, MemoryError) as error:
            told = _failure(error)
        return None if told is None else _row(self._plan, index, told, solver.seconds)

    def close(self) -> None:
        """End all processes at once."""
        for solver in self._solvers:
            solver.stop()


def _row(plan: Plan, index: int, told: Mapping[str, Any], seconds: float) -> SweepRow:
    state = JobState.FAILED if "error" in told else JobState.SUCCEEDED
    return row_of(index, plan.named_values(index), state.value, seconds=round(seconds, 3), **told)


def _failure(error: SchedulingError | MemoryError) -> dict[str, Any]:
    failure = failure_of(error)
    detail = failure.sentence
    if isinstance(error, SchedulingError) and not isinstance(error, InternalError):
        detail = error.detail
    return {"error": {"code": failure.code, "detail": detail}}
