"""The workers of `steadygrid serve`: they claim jobs from the table itself, and what sends webhooks.

``with EmbeddedWorkers(settings): ...`` locks the data directory, brings the database up to
date and keeps the worker processes (``python -m workers.embedded``) alive until the block
ends. The API next to them wakes them through named pipes, see `app.broker.Doorbell`.
"""

import fcntl
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import structlog

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.migrate import open_database
from app.logs import configure_logging
from app.settings import Settings
from app.tracing import Tracing
from steadygrid.processes.lifeline import die_with_parent
from workers.counts import Counts
from workers.draining import drain
from workers.registration import Registration
from workers.service_process import ServiceProcess
from workers.supervisor import Ran, Supervisor
from workers.sweeper import Sweeper

log = structlog.get_logger(__name__)

_POLL_SECONDS = 1.0
_LOCK_SECONDS = 30.0
_RETRY_SECONDS = 0.5


class DataDirectoryInUseError(Exception):
    """Another `steadygrid serve` uses this data directory."""


class EmbeddedWorkers:
    """The worker processes of one `steadygrid serve`, from start to end.

    Raises
    ------
    DataDirectoryInUseError
        On entering, if the data directory is another's.
    NotStartedError
        On entering, if the database cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock: int | None = None
        self.services = [
            ServiceProcess("workers.embedded", [str(slot)], settings.environment())
            for slot in range(settings.embedded_workers)
        ]
        if settings.worker_senders:
            self.services.append(
                ServiceProcess("workers.sender", environment=settings.environment())
            )

    def __enter__(self) -> Self:
        """Lock, upgrade, start."""
        settings = self._settings
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = lock_file(settings.lock_path, seconds=0.0)
        open_database(settings, migrate=True).close()
        for service in self.services:
            service.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the sender and the workers, which finish their jobs in time or give them back."""
        try:
            failed = kind is not None and issubclass(kind, Exception)
            if self._settings.drain_seconds > 0 and not failed:
                self._drain()
        finally:
            for service in self.services:
                service.ask_to_stop()
            for service in self.services:
                service.stop()
            if self._lock is not None:
                os.close(self._lock)

    def _drain(self) -> None:
        settings = self._settings
        names = [embedded_name(settings, slot) for slot in range(settings.embedded_workers)]
        database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
        log.info("draining", seconds=settings.drain_seconds)
        with suppress(DatabaseUnavailableError):
            drain(database, names, settings.drain_seconds)
        database.close()


def lock_file(path: Path, seconds: float) -> int:
    """Lock a file for this process's life, waiting for at most so long.

    Parameters
    ----------
    path
        Of the file, which is made if it is not there.
    seconds
        To wait at most.

    Returns
    -------
    int
        The descriptor that holds the lock.

    Raises
    ------
    DataDirectoryInUseError
        If another process has it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    patience = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= patience:
                os.close(descriptor)
                raise DataDirectoryInUseError(
                    f"{DataDirectoryInUseError.__doc__} ({path.parent})"
                ) from None
            time.sleep(0.05)
        else:
            return descriptor


def open_bell(path: Path) -> int:
    """Make a named pipe and open it so that reading never blocks and never ends."""
    with suppress(FileExistsError):
        os.mkfifo(path, 0o600)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)


def stop_on_signals() -> int:
    """Give a descriptor that becomes readable at SIGTERM or SIGINT."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)

    def stop(*_: object) -> None:
        with suppress(BlockingIOError):
            os.write(writing, b"!")

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    return reading


def embedded_name(settings: Settings, slot: int) -> str:
    """Name an embedded worker.

    Parameters
    ----------
    settings
        Of the service.
    slot
        Its number there.
    """
    return f"embedded-{slot}@{socket.gethostname()}:{settings.data_dir.absolute()}"


class EmbeddedWorker:
    """One worker process: waits for the bell, works until the table is empty."""

    def __init__(self, settings: Settings, slot: int, stop: int) -> None:
        self._stop = stop
        self._traces_url = settings.traces_url
        self._bell = open_bell(settings.wake_paths[slot])
        self._database = Database.open(
            settings.effective_database_url, settings.database_busy_seconds
        )
        # Always the same name: the next process that has it knows that the one before is gone.
        self._worker = embedded_name(settings, slot)
        self._sweeper = Sweeper(self._database, settings)
        counts = Counts()
        self._registration = Registration(self._database, self._worker, counts)
        self._supervisor = Supervisor(
            self._database,
            settings,
            self._worker,
            stop,
            self._bell,
            self.keep_house,
            counts=counts,
        )

    def keep_house(self) -> None:
        """Sweep and register, if it is time."""
        self._registration.renew_if_due()
        self._sweeper.sweep_if_due()

    def run(self) -> None:
        """Work until told to stop."""
        self._supervisor.warm_up()
        # Afterwards: it has a thread, and only a process without others forks.
        self._supervisor.tracing = Tracing.open("worker", self._traces_url)
        log.info("worker_started", worker=self._worker)
        orphans_unclaimed = True
        while not self._supervisor.stopping:
            try:
                if orphans_unclaimed:
                    self._sweeper.reclaim_orphans(self._worker)
                    orphans_unclaimed = False
                self.keep_house()
                if not self._work():
                    self._wait(_POLL_SECONDS)
            except DatabaseUnavailableError:
                self._wait(_RETRY_SECONDS)
        self._supervisor.close()
        if self._supervisor.tracing is not None:
            self._supervisor.tracing.close()
        self._registration.end()
        self._database.close()
        log.info("worker_stopped", worker=self._worker)

    def _work(self) -> bool:
        with self._database.read_all() as unit:
            if not unit.queue.pending():
                return False
        return self._supervisor.run() not in (Ran.NOTHING, Ran.DRAINED)

    def _wait(self, seconds: float) -> None:
        ready, _, _ = select.select([self._bell, self._stop], [], [], seconds)
        if self._bell in ready:
            with suppress(BlockingIOError):
                os.read(self._bell, 4096)


def main() -> None:
    """Be the worker process ``PARENT SLOT``."""
    parent, slot = int(sys.argv[1]), int(sys.argv[2])
    die_with_parent(parent)
    stop = stop_on_signals()
    settings = Settings()
    configure_logging(settings)
    lock = lock_file(settings.data_dir / f"worker-{slot}.lock", _LOCK_SECONDS)
    EmbeddedWorker(settings, slot, stop).run()
    os.close(lock)


if __name__ == "__main__":
    main()
