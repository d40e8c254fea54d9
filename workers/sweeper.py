"""The sweeper: nothing that a crash, a broker or a network lost stays lost.

Several may run at once: every step is a conditional write. ``python -m workers.sweeper``
sweeps for ever; `steadygrid worker` starts it next to itself, an embedded worker sweeps
by itself.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import structlog

from app.db.counters import Count
from app.db.engine import Database
from app.db.errors import DatabaseFullError, DatabaseUnavailableError
from app.db.measuring import Measuring
from app.db.quotas import Quotas
from app.db.unit import AllTenants
from app.logs import configure_logging
from app.publisher import Publisher
from app.settings import Settings
from steadygrid.processes.lifeline import die_with_parent
from workers.counts import Counts
from workers.pieces import PAUSE_SECONDS
from workers.retention import Retention
from workers.supervisor import job_error
from workers.unfinished import Unfinished
from workers.wakes import Publish, Wakes

log = structlog.get_logger(__name__)

_BATCH = 200
_PURGE_SECONDS = 600.0
_WORKER_FORGOTTEN_SECONDS = 86_400.0
_MEASUREMENTS = 1_000
"""Measured values that are deleted in one unit."""
_MEASURED_ROWS = 5_000
_MEASURED_PIECES = 20
"""In one sweep: the sweeper has a lease to renew."""
_DELETION_FORGOTTEN_SECONDS = 3600.0
_ADD_SECONDS = 30.0
"""Between two times that the sweeper says in the database what it has done."""


class Sweeper:
    """Looks after the jobs table.

    Parameters
    ----------
    database, settings
        The table, and how patient to be.
    publish
        Sends wake-up messages. None where workers look at the table themselves.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        publish: Publish | None = None,
    ) -> None:
        self._database = database
        self._settings = settings
        limit = settings.tenant_running_jobs
        self._wakes = None if publish is None else Wakes(database, publish, limit)
        self._counts = Counts()
        self._retention = Retention(database, settings.retention_days, self._counts)
        self._unfinished = Unfinished(database, settings.sweep_seconds, self.wake)
        self._next_sweep = 0.0
        self._next_purge = 0.0
        self._next_adding = 0.0
        self._patient_until = 0.0
        self._measuring: Measuring | None = None

    @property
    def pause(self) -> float:
        """Seconds after which there may be something to do."""
        seconds = self._settings.sweep_seconds
        under_way = self._retention.is_unfinished or self._unfinished.is_unfinished
        return min(seconds, PAUSE_SECONDS) if under_way else seconds

    def sweep_if_due(self) -> None:
        """Sweep if the last time is long enough ago. A database that is away is skipped."""
        for more in (self._retention, self._unfinished):
            with suppress(DatabaseUnavailableError):
                more.go_on_if_due()
        now = time.monotonic()
        if now < self._next_sweep:
            return
        self._next_sweep = now + self._settings.sweep_seconds
        with suppress(DatabaseUnavailableError):
            self.sweep()

    def sweep(self) -> None:
        """Reclaim expired leases, wake a worker for what waits, now and then purge and measure.

        Raises
        ------
        DatabaseUnavailableError
            Then the next sweep does it.
        """
        self.reclaim_expired()
        self.forget_transient()
        self.wake()
        now = time.monotonic()
        if now >= self._next_purge:
            self._next_purge = now + _PURGE_SECONDS
            self.purge()
            self.begin_measuring()
        self.measure()
        self._counts.count(Count.SWEEPS)
        if now >= self._next_adding:
            self._next_adding = now + _ADD_SECONDS
            self.add_counts()

    def add_counts(self) -> None:
        """Say in the database what was done since the last time."""
        with self._counts.taken() as counted, self._database.write_all() as unit:
            unit.counters.add(counted)

    def reclaim_expired(self) -> None:
        """Queue, fail as poison or cancel the jobs of workers that have not come back.

        Where the disk was full no lease could be renewed: once there is room, workers have as long
        as a lease to renew theirs.
        """
        if time.monotonic() < self._patient_until:
            return
        with self._database.read_all() as unit:
            expired = unit.queue.expired()
        for job_id in expired:
            try:
                with self._database.write_all() as unit:
                    state = unit.queue.reclaim(
                        job_id, self._settings.max_failures, job_error("poison")
                    )
            except DatabaseFullError:
                self._patient_until = time.monotonic() + self._settings.lease_seconds
                raise
            if state is not None:
                self._counts.count(Count.RECLAIMED)
                log.warning("lease_expired", job=job_id, state=state.value)

    def reclaim_orphans(self, worker: str) -> None:
        """Do the same for the jobs of one worker that is known to be gone, at once."""
        with self._database.read_all() as unit:
            orphans = unit.queue.orphans(worker)
        for job_id in orphans:
            with self._database.write_all() as unit:
                state = unit.queue.reclaim_orphan(
                    job_id, worker, self._settings.max_failures, job_error("poison")
                )
            if state is not None:
                self._counts.count(Count.RECLAIMED)
                log.warning("worker_gone", job=job_id, state=state.value)

    def forget_transient(self) -> None:
        """Delete transient jobs that have ended some time ago."""
        with self._database.read_all() as unit:
            tenants = unit.retention.tenants_of_transient()
        for tenant in tenants:
            with self._database.write_all() as unit:
                unit.retention.forget_transient(tenant, _BATCH)

    def wake(self) -> None:
        """Wake a worker if there is something to take: the message for it may be lost.

        Workers of other versions have sweepers of their own, see `workers.wakes.Wakes.peers`.
        """
        if self._wakes is not None:
            self._wakes.peers()

    def purge(self) -> None:
        """Forget what is over: keys, sessions, views, workers, jobs, days, audit lines, deliveries."""
        with self._database.write_all() as unit:
            keys = unit.queue.purge_keys(self._settings.idempotency_days)
            workers = unit.workers.purge(_WORKER_FORGOTTEN_SECONDS)
            sessions = unit.sessions.purge()
            views = unit.views.purge()
            unit.queue.purge_deleted(_DELETION_FORGOTTEN_SECONDS)
            unit.tenants.forget_solver_days()
        lines = self._purge_in_batches(
            lambda unit: unit.audit.purge(self._settings.audit_days, _BATCH)
        )
        deliveries = self._purge_in_batches(
            lambda unit: unit.deliveries.purge(self._settings.webhook_days, _BATCH)
        )
        self._purge_measurements()
        if keys or workers or sessions or views or lines or deliveries:
            log.info(
                "purged",
                idempotency_keys=keys,
                workers=workers,
                sessions=sessions,
                views=views,
                audit_lines=lines,
                deliveries=deliveries,
            )

    def _purge_in_batches(self, purge: Callable[[AllTenants], int]) -> int:
        """Delete in small batches: other processes write to the same tables meanwhile."""
        purged = 0
        while True:
            with self._database.write_all() as unit:
                batch = purge(unit)
            purged += batch
            if batch < _BATCH:
                return purged

    def _purge_measurements(self) -> None:
        """Delete in small batches, too: who posts measurements waits for the platform's row."""
        for _ in range(_MEASURED_PIECES):
            with self._database.write_all() as unit:
                gone = unit.retention.purge_measurements(
                    self._settings.measurement_days, _MEASUREMENTS
                )
            if not gone:
                return

    def begin_measuring(self) -> None:
        """Measure what tenants have stored, if it is time for that."""
        with self._database.write_all() as unit:
            if unit.tenants.begin_measuring(Quotas.usual(self._settings)):
                self._measuring = Measuring(unit.tenants.stored())

    def measure(self) -> None:
        """Go on with measuring, if that has begun, for a moment."""
        if self._measuring is None:
            return
        for _ in range(_MEASURED_PIECES):
            with self._database.read_all() as unit:
                more = unit.tenants.measure(self._measuring, _MEASURED_ROWS)
            if not more:
                with self._database.write_all() as unit:
                    unit.tenants.keep_measured(self._measuring.sizes, self._measuring.before)
                self._measuring = None
                return


def main() -> None:
    """Sweep until SIGTERM, or until the parent that was named dies."""
    if len(sys.argv) > 1:
        die_with_parent(int(sys.argv[1]))
    settings = Settings()
    configure_logging(settings)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    sweeper = Sweeper(database, settings, _publisher(settings))
    log.info("sweeper_started", pid=os.getpid())
    while not stop.is_set():
        sweeper.sweep_if_due()
        stop.wait(sweeper.pause)
    database.close()


def _publisher(settings: Settings) -> Publisher | None:
    if settings.redis_url is None:
        return None
    return Publisher(settings.redis_url)


if __name__ == "__main__":
    main()
