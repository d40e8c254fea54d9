"""The service on its embedded default: a tiny job from post to answer, and status requests."""

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measurement import Measurement, stopwatch

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "rr4870-figure-3.json"
JOBS = 40
STATUS_CLIENTS = 4
STATUS_SECONDS = 5.0
PATIENCE = 60.0
"""Seconds for the service to come up, or for one answer."""


def measure() -> Iterator[Measurement]:
    """Serve from an empty data directory; post and wait, then ask for a job's status."""
    with served() as (port, _):
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


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Run ``steadygrid serve``; give its port and process id, end it with its worker."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STEADYGRID_")}
        command = Path(sys.executable).with_name("steadygrid")
        arguments = ["serve", "--port", str(port), "--data-dir", str(Path(folder) / "data")]
        with log.open("wb") as sink:
            server = subprocess.Popen(
                [command, *arguments], env=environment, stdout=sink, stderr=sink
            )
        try:
            _wait_until_ready(port, server, log)
            yield port, server.pid
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
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None
) -> tuple[int, bytes]:
    """Ask; give status and content."""
    headers = {"Content-Type": "application/json"} if body is not None else {}
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
