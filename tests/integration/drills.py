"""Real processes to break: a service in either mode, and a Redis of one's own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app.broker import Broker, open_broker
from app.db.engine import Database
from app.db.jobs import JobRecord
from app.db.models import LOCAL_TENANT
from app.db.new_jobs import NewJob
from app.operations.service import enough_messages
from app.settings import Settings
from steadygrid.domain.job import JobState
from steadygrid.kinds import SOLVES
from steadygrid.kinds.master_worker import PROBLEM
from tests.environment import bare
from tests.http.processes import free_port
from tests.integration.invariants import assert_invariants

T = TypeVar("T")

QUICK: dict[str, Any] = {
    "pipeline": "tests.integration.known_answer",
    "lease_seconds": 2.0,
    "heartbeat_seconds": 0.4,
    "cancel_poll_seconds": 0.2,
    "cancel_grace_seconds": 1.0,
    "sweep_seconds": 0.5,
    "solver_memory_bytes": 1024 * 2**20,
}
"""The same service, only less patient."""

SERVE = """
import signal, sys
from app.logs import configure_logging
from app.settings import Settings
from workers.embedded import EmbeddedWorkers
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
configure_logging(Settings())
with EmbeddedWorkers(Settings()):
    while True:
        signal.pause()
"""
WORK = "from workers.tasks import run_worker; run_worker({concurrency}, {level!r})"


def until(what: Callable[[], T], seconds: float = 60.0) -> T:
    """Wait for something to be true."""
    patience = time.monotonic() + seconds
    while not (found := what()):
        if time.monotonic() > patience:
            raise AssertionError(f"waited for {seconds} s in vain")
        time.sleep(0.02)
    return found


class Redis:
    """A Redis server without persistence, to be killed."""

    def __init__(self, directory: Path) -> None:
        if shutil.which("redis-server") is None:
            pytest.skip("there is no redis-server to break")
        self.port = free_port()
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "dir": self._directory}
        arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        self._process = subprocess.Popen(
            ["redis-server", *arguments, "--appendonly", "no"], stdout=subprocess.DEVNULL
        )
        until(self._answers)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.2):
            return True
        return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Service:
    """Workers in processes of their own, and the front end's side of them in this one."""

    def __init__(self, settings: Settings, log: Path, concurrency: int = 1) -> None:
        self.settings = settings
        self.database = Database.open(settings.effective_database_url)
        self.broker: Broker = open_broker(settings, partial(enough_messages, self.database))
        self.tenant = LOCAL_TENANT
        """Whose jobs these are."""
        self.accepted = 0
        self._log = log
        self._concurrency = concurrency
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self,
        *,
        ready: bool = True,
        covered: bool = False,
        solves: int = SOLVES,
        level: str = "ERROR",
    ) -> None:
        """Start the service.

        `covered`: slower, and seen by the coverage; `solves`: of another version, `level`: of Celery's
        own log, if it is not embedded.
        """
        version = f"import steadygrid.kinds; steadygrid.kinds.SOLVES = {solves}\n"
        work = version + WORK.format(concurrency=self._concurrency, level=level)
        code = SERVE if self.settings.embedded else work
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                env=bare(covered=covered) | self.settings.environment(),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        if ready:
            until(self.workers)

    def log(self) -> str:
        """What its processes have said so far."""
        return self._log.read_text()

    def workers(self) -> list[str]:
        with suppress(Exception), self.database.read_all() as unit:
            return [worker.id for worker in unit.workers.active()]
        return []

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def tree(self) -> list[int]:
        """All processes of the service, parents before their children."""
        found = [self.pid]
        for pid in found:
            found += children_of(pid)
        return found

    def solvers(self) -> list[int]:
        return [pid for pid in self.tree() if "workers.solver_process" in command_of(pid)]

    def holders(self) -> list[int]:
        """The processes that supervise a solver."""
        return [parent_of(pid) for pid in self.solvers()]

    def stop(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill_everything()
            self._process = None

    def kill_everything(self) -> None:
        for pid in self.tree():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert self._process is not None
        self._process.wait()
        self._process = None

    def close(self) -> None:
        self.stop()
        self.broker.close()
        self.database.close()

    def accept(self, *, publish: bool = True, requires: int = 0, **labels: str) -> str:
        """Do what ``POST /v1/jobs`` does with a small job that misbehaves as its labels say."""
        options = {"time_limit": float(labels.pop("time_limit", 60))}
        labels.setdefault("do", "solve")
        body = dict(PROBLEM.example) | {"options": options, "labels": labels}
        job = NewJob.create("master_worker", body, labels, requires=requires)
        with self.database.write(self.tenant) as unit:
            unit.jobs.add(job)
        self.accepted += 1
        if publish:
            self.broker.wake(requires)
        return job.id

    def cancel(self, job_id: str) -> None:
        with self.database.write(self.tenant) as unit:
            unit.jobs.cancel(job_id)
        self.broker.nudge()

    def job(self, job_id: str) -> JobRecord:
        with self.database.read(self.tenant) as unit:
            found = unit.jobs.get(job_id)
        assert found is not None
        return found

    def wait(self, job_id: str, *states: JobState, seconds: float = 30.0) -> JobRecord:
        """Wait for one of the states; none: for a final one."""

        def arrived() -> bool:
            state = self.job(job_id).state
            return state in states if states else state.final

        try:
            until(arrived, seconds)
        except AssertionError:
            lines = self._log.read_text().splitlines()[-30:]
            raise AssertionError("\n".join([repr(self.job(job_id)), *lines])) from None
        return self.job(job_id)

    def assert_invariants(self) -> None:
        assert_invariants(self.database, self.accepted)


def children_of(pid: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def command_of(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text()
    return ""


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def gone(pid: int) -> bool:
    """Whether a process computes no more: it is gone, or a zombie without other threads."""
    try:
        ended = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        return ended and sum(1 for _ in Path(f"/proc/{pid}/task").iterdir()) <= 1
    except OSError:
        return True
