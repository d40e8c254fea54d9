"""Making the jobs of a sweep, piece by piece, in any process.

The request that made the sweep begins, a thread of its process goes on, and the sweeper takes up
what a process has left that is gone. What is left to do is read from the sweep's row, so that
nothing is made twice or left out.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from app.db.engine import Database
from app.db.new_jobs import NewJob, new_job_id
from app.db.packing import unpack
from app.db.sweep_work import SweepJob, Unmade
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.kinds import SOLVES
from steadygrid.studies.bodies import Bodies
from steadygrid.studies.sweep_plan import Facts, Parameter, Plan
from steadygrid.submissions.submission import size_submission

PIECE = 500
"""Jobs that are made in one unit."""
LEASE_SECONDS = 30.0
"""For so long no process takes up what another has begun."""
MOST_WARNED = 100
"""Combinations of values that are read to know what is given but not used. Other jobs have no warnings
until they have been solved."""
MOST_READING_SECONDS = 0.5
"""After which no more of them are read: the process that makes jobs may have leases to renew."""


def make_jobs(
    database: Database,
    sweep_id: str | None,
    lease_seconds: float = LEASE_SECONDS,
    until: float | None = None,
    told: Callable[[Sequence[str]], None] = lambda _: None,
) -> bool:
    """Make the jobs of a sweep that are not there yet, `PIECE` by `PIECE`, one at least.

    Parameters
    ----------
    sweep_id
        The sweep. None: one that no process works on, if there is one.
    lease_seconds
        For so long after each piece no other process takes the sweep up.
    until
        A moment of `time.monotonic` at which to stop after a piece. None: when all are made.
    told
        Is given the ids of the jobs of each piece, after its commit: the caller has to wake
        workers.

    Returns
    -------
    bool
        Whether the time was over first. False: all jobs of the sweep are there, or they are not
        wanted any more; or no sweep was taken.

    Raises
    ------
    DatabaseUnavailableError
        The next process goes on.
    """
    with database.write_all() as unit:
        sweep = unit.sweep_work.take_unmade(lease_seconds, sweep_id)
    making = None
    while sweep is not None:
        making = making or _Making(unpack(sweep.packed_plan))
        some = making.jobs(sweep)
        if _stored(database, sweep, some, lease_seconds):
            told([one.job.id for one in some])
            sweep = sweep._replace(created=sweep.created + len(some))
            if sweep.created == sweep.jobs:
                return False
        else:
            with database.write_all() as unit:
                sweep = unit.sweep_work.take_unmade(lease_seconds, sweep.id)
        if until is not None and time.monotonic() >= until:
            return sweep is not None
    return False


class _OutdoneError(Exception):
    """Another process has made the jobs, or they are not wanted any more."""


def _stored(
    database: Database, sweep: Unmade, some: Sequence[SweepJob], lease_seconds: float
) -> bool:
    try:
        with database.write_all() as unit:
            if not unit.sweep_work.make_some(sweep, some, lease_seconds):
                raise _OutdoneError
    except _OutdoneError:
        return False
    return True


class _Making:
    """The rows of a sweep's jobs."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self._bodies = Bodies(plan)
        self._listed = "patches" in plan
        self._plan = Plan(plan["template"], ()) if self._listed else Plan.from_document(plan)
        self._telling = [_tells(self._plan, parameter) for parameter in self._plan.parameters]
        self._warnings: dict[tuple[int, ...], Sequence[str]] = {}
        self._read_for = 0.0

    def jobs(self, sweep: Unmade) -> list[SweepJob]:
        """Give the next ones."""
        return [self._job(index) for index in islice(range(sweep.created, sweep.jobs), PIECE)]

    def _job(self, index: int) -> SweepJob:
        facts = self._facts(index)
        job = NewJob(
            id=new_job_id(),
            kind=facts.kind,
            name=facts.name,
            labels=facts.labels,
            warnings=self._warned(index),
            time_limit=facts.time_limit,
            packed=None,
            requires=SOLVES,
            priority=facts.priority,
        )
        return SweepJob(job, index)

    def _facts(self, index: int) -> Facts:
        if not self._listed:
            return self._plan.facts(index)
        try:
            return Plan(self._bodies.body(index), ()).facts(0)
        except InstanceError:
            return self._plan.facts(0)  # it will end as failed, with its faults

    def _warned(self, index: int) -> Sequence[str]:
        """Say what is given but not used: the same for jobs that differ in their numbers only."""
        chosen: tuple[int, ...] = ()
        if any(self._telling):
            choice = self._plan.choice(index)
            pairs = zip(choice, self._telling, strict=True)
            chosen = tuple(number for number, tells in pairs if tells)
        if chosen not in self._warnings:
            if len(self._warnings) >= MOST_WARNED or self._read_for > MOST_READING_SECONDS:
                return ()
            begun = time.monotonic()
            self._warnings[chosen] = self._read(index)
            self._read_for += time.monotonic() - begun
        return self._warnings[chosen]

    def _read(self, index: int) -> Sequence[str]:
        limits = Limits()
        try:
            submission = self._bodies.submission(index, limits)
            return size_submission(submission, limits).warnings
        except (InstanceError, LimitError):
            return ()  # it will end as failed, with its faults


def _tells(plan: Plan, parameter: Parameter) -> bool:
    """Say whether what is given but not used may depend on a parameter: methods, options, parts."""
    if parameter.at is None:
        return False
    for target in parameter.targets:
        for place in parameter.places(plan.template, target):
            if place == ("options", "time_limit") or place[0] == "name":
                continue
            if place[:2] in (("problem", "platform"), ("problem", "application")) and place[3:]:
                continue
            return True
    return False
