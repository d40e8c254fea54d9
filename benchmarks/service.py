"""The service on its embedded default: a tiny job from post to answer, status requests, posts while
many jobs wait, and the processor time that a post takes.
"""

import http.client
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import insert

from app.db.engine import Database
from app.db.models import jobs
from app.db.new_jobs import new_job_id
from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.job import JobState

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "rr4870-figure-3.json"
JOBS = 40
ROUNDS = 5
"""Of which the quickest counts, where processor time is measured."""
QUEUED = 90_000
STATUS_CLIENTS = 4
STATUS_SECONDS = 5.0
PATIENCE = 60.0
"""Seconds for the service to come up, or for one answer."""

_SCHEDULED = 2
"""The kind of Linux's clocks of processes that counts nanoseconds on a processor."""

SERVE = ("steadygrid", "serve", "--port")
API = ("steadygrid", "api", "--port")
"""Commands that take a port as their last argument."""


class Served(NamedTuple):
    """A service that runs."""

    port: int
    pid: int
    database: str
    """The URL of its database."""


def measure() -> Iterator[Measurement]:
    """Serve from an empty data directory; post and wait, then ask for a job's status."""
    with served() as service:
        port = service.port
        body = EXAMPLE.read_bytes()
        first, times = _post_and_wait(port, body)
        yield Measurement(
            "tiny job, POST with wait, median", 1000 * statistics.median(times), "ms", claim=150
        )
        yield Measurement("tiny job, POST with wait, slowest", 1000 * max(times), "ms")
        yield Measurement(
            f"status GET, {STATUS_CLIENTS} clients",
            _status_rate(port, first),
            "/s",
            claim=500,
            at_least=True,
        )
    # The API alone: no worker takes the jobs that wait.
    with served(API) as service:
        yield Measurement("POST, empty queue, median", _post(service.port, body), "ms")
        post, probe = _processor_times(service, body)
        yield Measurement("POST, processor time of the API", post, "ms", claim=5)
        yield Measurement("GET /livez, processor time of the API", probe, "ms")
        _queue_up(service.database, QUEUED)
        yield Measurement(
            f"POST, {QUEUED:,} jobs queued, median", _post(service.port, body), "ms", claim=50
        )


@contextmanager
def served(command: Sequence[str] = SERVE, **settings: Any) -> Iterator[Served]:
    """Run a command of ours on a free port, with some settings; end it with its workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEADYGRID_")}
        environment["STEADYGRID_DATA_DIR"] = str(Path(folder) / "data")
        environment |= {f"STEADYGRID_{name.upper()}": str(v) for name, v in settings.items()}
        program, *arguments = command
        with log.open("wb") as sink:
            server = subprocess.Popen(
                [Path(sys.executable).with_name(program), *arguments, str(port)],
                env=environment,
                stdout=sink,
                stderr=sink,
            )
        try:
            _wait_until_ready(port, server, log)
            yield Served(port, server.pid, f"sqlite:///{folder}/data/steadygrid.db")
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait_until_ready(port: int, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if request(connect(port), "GET", "/readyz")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"the service did not come up:\n{log.read_text(errors='replace')[-2000:]}")


def connect(port: int) -> http.client.HTTPConnection:
    """Prepare a connection to a service on this machine."""
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)


def request(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes | None = None,
    key: str | None = None,
) -> tuple[int, bytes]:
    """Ask, as who has a key if one is given; give status and content."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def _post_and_wait(port: int, body: bytes) -> tuple[str, list[float]]:
    """Post the same instance again and again; give the first job's path and all times."""
    connection = connect(port)
    jobs: list[str] = []
    times: list[float] = []
    for _ in range(JOBS + 1):
        with stopwatch() as watch:
            status, text = request(connection, "POST", "/v1/jobs?wait=30", body)
        job = json.loads(text)
        if status != 200 or job["outcome"] != "optimal":
            raise RuntimeError(f"the job did not end well: {status} {text[:500]!r}")
        jobs.append(f"/v1/jobs/{job['id']}")
        times.append(watch.seconds)
    # The first one waits for the worker's first imports.
    return jobs[0], times[1:]


def _post(port: int, body: bytes) -> float:
    """Post without waiting, again and again; the median in milliseconds."""
    connection = connect(port)
    times = []
    for _ in range(JOBS):
        with stopwatch() as watch:
            status, text = request(connection, "POST", "/v1/jobs", body)
        if status != 202:
            raise RuntimeError(f"the job was not accepted: {status} {text[:500]!r}")
        times.append(watch.seconds)
    return 1000 * statistics.median(times)


def _processor_times(service: Served, body: bytes) -> tuple[float, float]:
    """Give the milliseconds of processor time that a post takes, and what any request takes."""
    connection = connect(service.port)
    posts, probes = [], []
    for _ in range(ROUNDS):
        began = _processor_seconds(service.pid)
        for _ in range(JOBS):
            request(connection, "POST", "/v1/jobs", body)
        posted = _processor_seconds(service.pid)
        for _ in range(JOBS):
            request(connection, "GET", "/livez")
        posts.append(posted - began)
        probes.append(_processor_seconds(service.pid) - posted)
    return 1000 * min(posts) / JOBS, 1000 * min(probes) / JOBS


def _processor_seconds(pid: int) -> float:
    """Read the processor clock of a process, that of all its threads."""
    return time.clock_gettime((~pid << 3) | _SCHEDULED)


def queued_row() -> dict[str, Any]:
    """Give a row of a queued job without an instance, but for its id."""
    return {
        "kind": "master_worker",
        "state": JobState.QUEUED.value,
        "labels": {},
        "warnings": [],
        "time_limit": 60.0,
        "attempt": 0,
        "failures": 0,
        "wakes": 0,
        "seq": 1,
        "woken_at": datetime.now(UTC),
        "created_at": datetime.now(UTC),
    }


def _queue_up(url: str, number: int) -> None:
    """Queue jobs without instances, by SQL."""
    row = queued_row()
    database = Database.open(url)
    with database.engine.connect() as connection, connection.begin():
        connection.execute(insert(jobs), [row | {"id": new_job_id()} for _ in range(number)])
    database.close()


def _status_rate(port: int, path: str) -> float:
    """Ask for one job from several connections at once; answers per second."""
    counts = [0] * STATUS_CLIENTS
    failures: list[int] = []
    end = time.monotonic() + STATUS_SECONDS

    def client(number: int) -> None:
        connection = connect(port)
        while time.monotonic() < end and not failures:
            status, _ = request(connection, "GET", path)
            if status != 200:
                failures.append(status)
            counts[number] += 1

    clients = [threading.Thread(target=client, args=(i,)) for i in range(STATUS_CLIENTS)]
    with stopwatch() as watch:
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join()
    if failures:
        raise RuntimeError(f"a status request was answered with {failures[0]}")
    return sum(counts) / watch.seconds
