"""A whole service in real processes, its tenants, and what breaks it."""

import http.client
import json
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from app.db.ids import new_id
from app.db.scopes import Scope
from app.db.webhooks import OF_WEBHOOKS
from app.settings import Settings
from tests.environment import bare
from tests.http.processes import free_port
from tests.integration.drills import Service, children_of, command_of
from tests.integration.process_faults import Faults
from tests.tree import ROOT

EVENTS = (
    "job.succeeded",
    "job.failed",
    "job.cancelled",
    "sweep.finished",
    "replan.finished",
    "platform.drift",
)
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


class SiteFaults(Faults):
    """What may happen to a whole site.

    Parameters
    ----------
    site
        The service.
    draw
        Which one of several processes it happens to.
    """

    _service: Site

    def kill_a_sender(self) -> None:
        self._kill_one_of("workers.sender")

    def kill_a_reader(self) -> None:
        """Of long bodies and of watched schedules."""
        self._kill_one_of("app.reading_process")

    def kill_the_api(self) -> None:
        self._service.stop_the_api(signal.SIGKILL)
        self._service.start_the_api()

    def restart_the_api(self) -> None:
        self._service.stop_the_api()
        self._service.start_the_api()

    def kill_everything(self) -> None:
        self._service.stop_the_api(signal.SIGKILL)
        super().kill_everything()

    def stop_and_start(self) -> None:
        self._service.stop_the_api()
        super().stop_and_start()

    def _kill_one_of(self, module: str) -> None:
        self._kill(self._service.processes(module))


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
