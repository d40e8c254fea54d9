"""Supervising one job at a time: claim, lease, heartbeat, cancel, hard stop.

The same in both modes. The solve itself happens in a child process, because long
computations in C or Python hold the interpreter lock for longer than a lease.
"""

import os
import select
import selectors
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum, auto
from typing import Any, TypeVar

import structlog

from app.db.counters import Count
from app.db.engine import Database
from app.db.errors import DatabaseFullError, DatabaseUnavailableError, StaleAttemptError
from app.db.packing import schedule_of_frame
from app.db.queue import Claim, Found
from app.db.skills import Skills
from app.db.unit import AllTenants
from app.settings import Settings
from app.tracing import Tracing
from steadygrid.domain.errors import FAILURES
from steadygrid.domain.job import JobState, Outcome
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import MOST_GROWN
from workers.counts import Counts
from workers.job_spans import spans_of
from workers.lanes import Lanes
from workers.registration import OUR_SKILLS
from workers.solver_child import SolverChild

log = structlog.get_logger(__name__)
T = TypeVar("T")

_RETRY_SECONDS = 0.5
_SETTLE_SECONDS = 60.0
_FULL_SECONDS = 240.0
"""So long an answer waits for room on the disk of the database; Celery has 300 s left then."""
_FULL_RETRY_SECONDS = 5.0
_STARTUP_SECONDS = 60.0
_PROGRESS_SECONDS = 1.0


def job_error(
    code: str, detail: str | None = None, errors: Sequence[dict[str, str]] = ()
) -> dict[str, Any]:
    """Write the error of a failed job.

    Parameters
    ----------
    errors
        The single faults of its body, where it is at fault.
    """
    error = {"code": code, "detail": detail or FAILURES[code].sentence}
    return error | ({"errors": list(errors)} if errors else {})


class Ran(Enum):
    """What came of an attempt to work."""

    NOTHING = auto()
    """There was no job to take."""
    ENDED = auto()
    """The job is final, or no longer this worker's."""
    RETURNED = auto()
    """The job is queued again."""
    DRAINED = auto()
    """This worker is to take no more jobs."""


class _ReturnedError(Exception):
    """The job was let go, and no failure was counted."""

    def __init__(self, state: JobState) -> None:
        super().__init__(state)
        self.state = state


class Supervisor:
    """Works on one job at a time with one warm solver process.

    Use it from one thread only: its solver process dies with the thread that made it.

    Parameters
    ----------
    database, settings
        Where the jobs are, and how long is long.
    worker
        This worker's name in the table.
    stop
        A file descriptor that becomes readable when running jobs are to be given back.
    bell
        A non-blocking one that becomes readable when the table is worth a look.
    housekeeping
        Called about once a second while a job runs; must be quick and must not raise.
    skills
        Which jobs to take.
    counts
        Where starts of solver processes are counted.
    tracing
        Makes spans. None: there are no traces.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        worker: str,
        stop: int,
        bell: int | None = None,
        housekeeping: Callable[[], None] = lambda: None,
        skills: Skills = OUR_SKILLS,
        counts: Counts | None = None,
        tracing: Tracing | None = None,
    ) -> None:
        self.tracing = tracing
        self._counts = Counts() if counts is None else counts
        self.database = database
        self.settings = settings
        self.worker = worker
        self.stop = stop
        self.bell = bell
        self.housekeeping = housekeeping
        self.skills = skills
        self._child: SolverChild | None = None
        self._successor: SolverChild | None = None
        self._lanes = Lanes()

    @property
    def stopping(self) -> bool:
        """Whether running jobs are to be given back."""
        return bool(select.select([self.stop], [], [], 0)[0])

    def warm_up(self) -> SolverChild:
        """Have a solver process ready, or importing."""
        if self._child is None or not self._child.alive:
            self._end_child()
            self._child = self._successor or self._new_child()
            self._successor = None
        return self._child

    def _new_child(self) -> SolverChild:
        return SolverChild(self.settings, self._count_start)

    def _count_start(self, seconds: float, cpu_seconds: float) -> None:
        self._counts.count(Count.SOLVER_STARTS)
        self._counts.count(Count.SOLVER_START_SECONDS, seconds)
        self._counts.count(Count.SOLVER_START_CPU_SECONDS, cpu_seconds)

    def close(self) -> None:
        """End the solver process, and its successor if it has one."""
        self._end_child()
        if self._successor is not None:
            self._successor.retire()
            self._successor = None

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.retire()
            self._child = None

    def _succeed(self) -> None:
        """Hand over to a fresh solver process once it is ready; until then the old one goes on."""
        if self._successor is None:
            self._successor = self._new_child()
        elif self._successor.look() or not self._successor.alive:
            self._end_child()

    def wait_while_drained(self, seconds: float) -> None:
        """Do nothing while this worker is to take no jobs, for so long at most, or until it stops.

        Raises
        ------
        DatabaseUnavailableError
            If that cannot be known.
        """
        patience = time.monotonic() + seconds
        while time.monotonic() < patience and not select.select([self.stop], [], [], 1.0)[0]:
            with self.database.read_all() as unit:
                if not unit.workers.is_drained(self.worker):
                    return

    def run(self, claimed: Callable[[], None] = lambda: None) -> Ran:
        """Claim the job whose turn it is and see it through.

        Parameters
        ----------
        claimed
            Called between the two, if there was a job.

        Raises
        ------
        DatabaseUnavailableError
            Before anything was begun. A job that was claimed comes back by its lease.
        """
        settings = self.settings
        with self.database.write_all() as unit:
            claim = unit.queue.claim(
                self.worker,
                self.skills,
                settings.lease_seconds,
                settings.tenant_running_jobs,
                self._lanes.first,
            )
            drained = claim is None and unit.workers.is_drained(self.worker)
        if claim is None:
            return Ran.DRAINED if drained else Ran.NOTHING
        self._lanes.claimed()
        claimed()
        child = self.warm_up()
        packed = None
        if claim.sweep_id is None or child.sweep != claim.sweep_id:
            with self.database.read_all() as unit:
                packed = unit.queue.instance(claim)
        with structlog.contextvars.bound_contextvars(job=claim.job_id, attempt=claim.attempt):
            log.info("job_claimed", kind=claim.kind)
            self._begin(child, claim, packed)
            solve = _Solve(self, claim, child)
            del packed
            try:
                ran = solve.watch()
            except BaseException:
                child.kill()  # it must not meet the next job in the middle of this one
                raise
            if solve.spoiled:
                child.kill()
                self._end_child()
            elif child.jobs >= settings.solver_jobs or child.grown_bytes > MOST_GROWN:
                self._succeed()
            if not self.stopping:
                self.warm_up()
            return ran

    def _begin(self, child: SolverChild, claim: Claim, packed: bytes | None) -> None:
        limits = self.settings.limits.model_dump()
        if claim.sweep_id is not None:
            place = claim.sweep_id, claim.sweep_index
            child.begin_of_sweep(*place, packed, claim.time_limit, limits)
        elif packed is not None:
            child.begin(packed, claim.time_limit, limits)


class _Solve:
    """One claimed job in the hands of a solver process."""

    def __init__(self, supervisor: Supervisor, claim: Claim, child: SolverChild) -> None:
        self._supervisor = supervisor
        self._database = supervisor.database
        self._settings = supervisor.settings
        self._claim = claim
        self._child = child
        self._spans = spans_of(supervisor.tracing, claim)
        now = time.monotonic()
        self._began = now
        self._renewed = now
        self._next_beat = now + self._settings.heartbeat_seconds
        self._next_look = now + self._settings.cancel_poll_seconds
        self._progress: dict[str, Any] | None = None
        self._progress_due = now + _PROGRESS_SECONDS
        self._kill_at: float | None = None
        self._hard_at = now + self._budget + (0.0 if child.ready else _STARTUP_SECONDS)
        self.spoiled = True
        """Whether the solver process must not be used again."""

    @property
    def _budget(self) -> float:
        return self._claim.time_limit + self._settings.hard_stop_grace_seconds

    def watch(self) -> Ran:
        """Stay with the job until it has ended or is out of our hands."""
        try:
            return self._watch()
        finally:
            self._spans.end("lost")

    def _watch(self) -> Ran:
        with selectors.DefaultSelector() as selector:
            for source in (self._child.stdout, self._child.stderr, self._supervisor.stop):
                selector.register(source, selectors.EVENT_READ)
            if self._supervisor.bell is not None:
                selector.register(self._supervisor.bell, selectors.EVENT_READ)
            while True:
                if self._child.sending:
                    selector.register(self._child.stdin, selectors.EVENT_WRITE)
                ready = selector.select(max(0.0, self._next_deadline() - time.monotonic()))
                if self._child.stdin in selector.get_map():
                    selector.unregister(self._child.stdin)
                    self._child.write()
                try:
                    ran = self._attend({key.fd for key, _ in ready})
                except StaleAttemptError:
                    log.warning("lease_lost")
                    self._child.kill()
                    return Ran.ENDED
                except _ReturnedError as returned:
                    log.warning("job_given_back", state=returned.state.value, reason="disk_full")
                    return Ran.RETURNED if returned.state is JobState.QUEUED else Ran.ENDED
                if ran is not None:
                    return ran
                self._supervisor.housekeeping()

    def _next_deadline(self) -> float:
        deadlines = [self._next_beat, self._next_look, self._hard_at]
        if self._kill_at is not None:
            deadlines.append(self._kill_at)
        if self._progress is not None:
            deadlines.append(self._progress_due)
        return min(deadlines)

    def _attend(self, ready: set[int]) -> Ran | None:
        for frame in self._child.read():
            ran = self._on_frame(frame)
            if ran is not None:
                return ran
        if self._child.ended:
            return self._crashed()
        if self._supervisor.stop in ready:
            return self._give_back()
        now = time.monotonic()
        if self._kill_at is not None and now >= self._kill_at:
            log.info("solver_killed", reason="cancel")
            return self._cancelled()
        if now >= self._hard_at:
            log.warning("solver_killed", reason="hard_timeout")
            self._child.kill()
            return self._failed(job_error("hard_timeout"))
        self._keep_contact(now, rung=self._bell_rang(ready))
        return None

    def _bell_rang(self, ready: set[int]) -> bool:
        bell = self._supervisor.bell
        if bell is None or bell not in ready:
            return False
        with suppress(BlockingIOError):
            os.read(bell, 4096)
        return True

    def _keep_contact(self, now: float, *, rung: bool) -> None:
        progress = self._progress if now >= self._progress_due else None
        try:
            if now >= self._next_beat or progress is not None:
                with self._database.write_all() as unit:
                    state = unit.queue.heartbeat(
                        self._claim, self._settings.lease_seconds, progress
                    )
                self._renewed = now
                self._next_beat = now + self._settings.heartbeat_seconds
                if progress is not None:
                    self._progress = None
                    self._progress_due = now + _PROGRESS_SECONDS
            elif now >= self._next_look or rung:
                with self._database.read_all() as unit:
                    state = unit.queue.state(self._claim)
            else:
                return
        except DatabaseFullError:
            # Without room others cannot take the job either: the solve goes on.
            self._next_beat = self._progress_due = now + self._settings.heartbeat_seconds
            return
        except DatabaseUnavailableError as error:
            if now - self._renewed > self._settings.lease_seconds:
                raise StaleAttemptError(StaleAttemptError.__doc__) from error
            self._next_beat = self._next_look = self._progress_due = now + _RETRY_SECONDS
            return
        self._next_look = now + self._settings.cancel_poll_seconds
        if state is JobState.CANCELLING and self._kill_at is None:
            log.info("cancel_requested")
            self._kill_at = now + self._settings.cancel_grace_seconds
            self._child.cancel()
        elif state not in (JobState.RUNNING, JobState.CANCELLING):
            raise StaleAttemptError(StaleAttemptError.__doc__)

    def _on_frame(self, frame: Frame) -> Ran | None:
        message = frame.message
        if "peak_bytes" in message:
            self._child.weigh(message)
        match message["type"]:
            case "ready":
                self._child.is_ready(message)
                self._hard_at = time.monotonic() + self._budget
            case "progress":
                self._progress = message["progress"]
                self._spans.phase(message["progress"].get("phase"))
            case "answer":
                self.spoiled = message["peak_bytes"] > self._settings.solver_memory_bytes // 4
                return self._succeeded(message, frame.payload)
            case "interrupted":
                return self._cancelled()
            case "failure":
                if message["code"] == "internal":
                    log.error(
                        "solve_raised", error=message.get("error"), trace=message.get("trace")
                    )
                else:
                    self.spoiled = message["code"] in ("out_of_memory", "hard_timeout")
                faults = message.get("errors", ())
                return self._failed(job_error(message["code"], message.get("detail"), faults))
        return None

    def _succeeded(self, message: dict[str, Any], payload: bytes) -> Ran:
        outcome, *members = message["found"]
        found = Found(Outcome(outcome), *members)
        size, end = message["result_size"], len(payload) - message["trace_size"]
        schedule = schedule_of_frame(message["schedule"], memoryview(payload)[size:end])
        trace = payload[end:] or None
        # Of the others, what their owner read when they were accepted stands in the row.
        warnings = message["warnings"]
        answer = found, payload[:size], schedule, self._progress, trace, warnings
        try:
            self._settle(lambda unit: unit.queue.succeed(self._claim, *answer))
        except (StaleAttemptError, _ReturnedError):
            raise
        except Exception as error:  # noqa: BLE001 an answer that cannot be stored
            log.error("answer_not_stored", error=type(error).__name__)
            return self._failed(job_error("internal"))
        self._spans.end("succeeded", found.outcome.value)
        log.info("job_succeeded", outcome=found.outcome.value, seconds=self._seconds)
        return Ran.ENDED

    def _failed(self, error: dict[str, Any]) -> Ran:
        self._settle(lambda unit: unit.queue.fail(self._claim, error))
        self._spans.end("failed", error["code"])
        log.warning("job_failed", code=error["code"], seconds=self._seconds)
        return Ran.ENDED

    def _cancelled(self) -> Ran:
        self._child.kill()
        self._settle(lambda unit: unit.queue.cancelled(self._claim))
        self._spans.end("cancelled")
        log.info("job_cancelled", seconds=self._seconds)
        return Ran.ENDED

    def _give_back(self) -> Ran:
        self._child.kill()
        state = self._settle(lambda unit: unit.queue.give_back(self._claim))
        self._spans.end("given_back")
        log.info("job_given_back", state=state.value)
        return Ran.RETURNED if state is JobState.QUEUED else Ran.ENDED

    def _crashed(self) -> Ran:
        code = self._child.kill()
        if self._child.out_of_memory:
            return self._failed(job_error("out_of_memory"))
        state = self._settle(
            lambda unit: unit.queue.crashed(
                self._claim, self._settings.max_failures, job_error("poison")
            )
        )
        log.warning("solver_died", exit_code=code, state=state.value)
        return Ran.RETURNED if state is JobState.QUEUED else Ran.ENDED

    @property
    def _seconds(self) -> float:
        return round(time.monotonic() - self._began, 3)

    def _settle(self, write: Callable[[AllTenants], T]) -> T:
        # A commit that raised may have been kept. The retry reads the state again: it is
        # fenced, so that nothing is written twice, and says that the attempt is over.
        began = time.monotonic()
        self._spans.store()
        while True:
            try:
                with self._database.write_all() as unit:
                    return write(unit)
            except DatabaseFullError:
                self._wait_for_room(time.monotonic() - began)
            except DatabaseUnavailableError as error:
                if time.monotonic() > began + _SETTLE_SECONDS or self._supervisor.stopping:
                    raise StaleAttemptError(StaleAttemptError.__doc__) from error
                time.sleep(_RETRY_SECONDS)

    def _wait_for_room(self, waited: float) -> None:
        """Hold a job whose end finds no room on the disk. What is small may find some.

        If its owner does not want it any more it is cancelled. If it has waited for too long, or this
        worker ends, it is queued again.
        """
        seconds = min(_FULL_RETRY_SECONDS, self._settings.heartbeat_seconds)
        stopping = bool(select.select([self._supervisor.stop], [], [], seconds)[0])
        returned = None
        try:
            with self._database.write_all() as unit:
                state = unit.queue.heartbeat(self._claim, self._settings.lease_seconds)
                if stopping or waited > _FULL_SECONDS or state is JobState.CANCELLING:
                    returned = unit.queue.give_back(self._claim)
        except DatabaseUnavailableError as error:
            if stopping:
                raise StaleAttemptError(StaleAttemptError.__doc__) from error
            returned = None
        if returned is not None:
            raise _ReturnedError(returned)
        self._supervisor.housekeeping()
