"""A whole service in real processes, its tenants, and what breaks it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import text

from app.db.ids import new_id
from app.db.scopes import Scope
from app.db.webhooks import OF_WEBHOOKS
from app.settings import Settings
from tests.environment import bare
from tests.http.processes import free_port
from tests.integration.drills import Service, children_of, command_of
from tests.tree import ROOT

EVENTS = (
    "job.succeeded",
    "job.failed",
    "job.cancelled",
    "sweep.finished",
    "replan.finished",
    "platform.drift",
)
LEASE = 1.0
PATIENCE = 1_200.0
"""Seconds. For an answer it is long: on a busy machine a service takes minutes to start."""


class Said(NamedTuple):
    """What the service has answered."""

    status: int
    content: Any


class Site(Service):
    """API, workers, sweepers and sender, as a site runs them, in either mode."""

    def __init__(self, settings: Settings, log: Path, concurrency: int) -> None:
        super().__init__(settings, log, concurrency)
        self.port = free_port()
        self._api: subprocess.Popen[bytes] | None = None

    def start(self, *, ready: bool = True, **_: Any) -> None:
        """Start all of it; the embedded service is one command."""
        if self.settings.embedded:
            self._process = self._run("serve")
        else:
            super().start(ready=ready)
            self.start_the_api()

    def start_the_api(self) -> None:
        """Start the API that runs apart from workers."""
        self._api = self._run("api")

    def _run(self, command: str) -> subprocess.Popen[bytes]:
        program = Path(sys.executable).with_name("steadygrid")
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [program, command, "--port", str(self.port)],
                env=bare() | self.settings.environment(),
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def stop_the_api(self, which: signal.Signals = signal.SIGTERM) -> None:
        """End the API in order, or kill it."""
        if self._api is not None:
            self._api.send_signal(which)
            try:
                self._api.wait(30)
            except subprocess.TimeoutExpired:
                self._api.kill()
                self._api.wait()
            self._api = None

    def close(self) -> None:
        self.stop_the_api()
        super().close()

    def processes(self, module: str) -> list[int]:
        """All processes of the service that run a module."""
        found = self.tree() if self._api is None else [*self.tree(), self._api.pid]
        for pid in found:
            found += [child for child in children_of(pid) if child not in found]
        return [pid for pid in found if module in command_of(pid)]

    def ask(self, method: str, path: str, body: Any = None, **fields: str) -> Said:
        """Ask until the service answers: a client that repeats what may not have arrived."""
        sent = None if body is None else json.dumps(body)
        more = {"Content-Type": "application/json", **fields}
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with (
                suppress(OSError, http.client.HTTPException),
                closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as one,
            ):
                one.request(method, path, sent, more)
                answer = one.getresponse()
                content = answer.read()
                if answer.status != 503:
                    return Said(answer.status, json.loads(content) if content else None)
            time.sleep(0.05)
        raise AssertionError(f"no answer to {method} {path} within {PATIENCE} s")


class Faults:
    """What may happen to the processes of a service.

    Parameters
    ----------
    site
        The service.
    draw
        Which one of several processes it happens to.
    """

    def __init__(self, site: Site, draw: Random) -> None:
        self._site = site
        self._draw = draw

    def kill_a_solver(self) -> None:
        self._kill(self._site.solvers())

    def kill_a_worker(self) -> None:
        self._kill(self._workers())

    def kill_a_sweeper(self) -> None:
        self._kill(self._site.processes("workers.sweeper"))

    def kill_a_sender(self) -> None:
        self._kill(self._site.processes("workers.sender"))

    def kill_a_reader(self) -> None:
        """Of long bodies and of watched schedules."""
        self._kill(self._site.processes("app.reading_process"))

    def kill_the_api(self) -> None:
        self._site.stop_the_api(signal.SIGKILL)
        self._site.start_the_api()

    def restart_the_api(self) -> None:
        self._site.stop_the_api()
        self._site.start_the_api()

    def put_a_worker_to_sleep(self) -> None:
        """For longer than its lease: then it must write nothing."""
        for pid in self._workers()[:1]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                time.sleep(1.5 * LEASE)
                os.kill(pid, signal.SIGCONT)

    def kill_everything(self) -> None:
        self._site.stop_the_api(signal.SIGKILL)
        self._site.kill_everything()
        self._site.start(ready=False)

    def stop_and_start(self) -> None:
        self._site.stop_the_api()
        self._site.stop()
        self._site.start(ready=False)

    def drop_connections(self) -> None:
        with self._site.database.engine.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )

    def _workers(self) -> list[int]:
        # A solver that has just lost its worker has another parent, which is none of ours.
        tree = self._site.tree()
        with suppress(OSError):
            return [pid for pid in self._site.holders() if pid in tree]
        return []

    def _kill(self, pids: list[int]) -> None:
        if pids:
            with suppress(ProcessLookupError):
                os.kill(self._draw.choice(pids), signal.SIGKILL)


def let_in(site: Site, tenant: str, most_running: int | None, receiver: int) -> dict[str, str]:
    """Make a tenant with a webhook of its own; give the header fields of its requests.

    Parameters
    ----------
    site
        The service.
    tenant
        Its name.
    most_running
        How many of its jobs may run. None: any number.
    receiver
        The port of this machine that hears of what has ended.
    """
    with site.database.write_all() as unit:
        unit.tenants.create(tenant)
        unit.tenants.change(tenant, {"running_jobs": most_running})
        key = unit.keys.create(tenant, [Scope.READ, Scope.SUBMIT])
    url = f"http://127.0.0.1:{receiver}/{tenant}"
    with site.database.write(tenant) as one:
        one.webhooks.add(new_id(OF_WEBHOOKS), url, EVENTS, "whsec_c2VjcmV0")
    return {"Authorization": f"Bearer {key}"}
