"""One job through all parts of an installed steadygrid, as its image runs them.

``run`` beside this file calls it with the environment that it has made; only what that
environment holds is used: no test tool, nothing of the checkout.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

API = ("steadygrid", "api")
KEYS = ("steadygrid", "keys")
MIGRATIONS = ("steadygrid", "database", "migrate")
WORKER = ("steadygrid", "worker")
WORKER_HEALTH = ("python", "-P", "-m", "workers.health")
SCRIPTS = Path(sysconfig.get_path("scripts"))
PATIENCE_SECONDS = 60.0

T = TypeVar("T")

KEY: list[str] = []
"""The one key of the service that is tried, once it is made."""


def main(example: Path) -> None:
    """Solve the example; AssertionError or an exit code other than 0 where it fails."""
    with database() as url:
        settings = {
            "STEADYGRID_DATABASE_URL": url,
            "STEADYGRID_REDIS_URL": os.environ["STEADYGRID_TEST_REDIS"],
            "STEADYGRID_LOG_JSON": "true",
        }
        run(MIGRATIONS, settings)
        KEY.append(output((*KEYS, "create", "--tenant", "grid"), settings))
        port = free_port()
        with (
            running("api", (*API, "--port", str(port)), settings),
            running("worker", WORKER, settings),
        ):
            solve(f"http://127.0.0.1:{port}", example)
            run(WORKER_HEALTH, settings)
        # No worker is there any more.
        run(WORKER_HEALTH, settings, expected=1)


def solve(service: str, example: Path) -> None:
    """Post the example, wait, and let the referee judge what the service gives."""
    until(lambda: get(f"{service}/readyz"))
    body = example.read_bytes()
    job = get(f"{service}/v1/jobs?wait=60", body)
    assert (job["state"], job["outcome"]) == ("succeeded", "optimal"), job
    files = []
    for name, link in (
        ("instance", job["links"]["instance"]),
        ("result", job["links"]["result"]),
        ("schedule", job["links"]["schedule"] + "/document"),
    ):
        files.append(f"{name}.json")
        Path(files[-1]).write_text(json.dumps(get(service + link)), encoding="utf-8")
    instance, result, schedule = files
    run(("steadygrid", "check", instance, "--result", result, "--schedule-in", schedule), {})
    without_pictures(service, job["links"]["self"])


def without_pictures(service: str, job: str) -> None:
    """What draws is not installed: the service says so, and how to get it."""
    assert get(f"{service}/v1/info")["pictures"] is False
    (first, *_) = get(f"{service}{job}/pictures")["items"]
    for link in first["links"].values():
        status, refusal = refused(service + link)
        assert (status, refusal["code"]) == (501, "pictures_not_installed"), refusal
        assert "pip install 'steadygrid[pictures]'" in refusal["detail"], refusal


def refused(url: str) -> tuple[int, Any]:
    """Request what is refused."""
    try:
        return 200, get(url)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def get(url: str, body: bytes | None = None) -> Any:
    """Request a JSON document."""
    fields = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY[0]}"}
    request = urllib.request.Request(url, body, fields)
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS + 10) as answer:
        return json.load(answer)


def until(work: Callable[[], T]) -> T:
    """Try until it works."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return work()
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def run(command: tuple[str, ...], settings: dict[str, str], expected: int = 0) -> None:
    """Run a command of the environment to its end."""
    done = subprocess.run(
        installed(command),
        env=os.environ | settings,
        stderr=subprocess.DEVNULL if expected else None,
        check=False,
    )
    assert done.returncode == expected, f"{command}: exit code {done.returncode}"


def output(command: tuple[str, ...], settings: dict[str, str]) -> str:
    """Run a command of the environment, and give the one line that it prints."""
    done = subprocess.run(
        installed(command), env=os.environ | settings, capture_output=True, text=True, check=True
    )
    (line,) = done.stdout.splitlines()
    return line


@contextmanager
def running(name: str, command: tuple[str, ...], settings: dict[str, str]) -> Iterator[None]:
    """Keep a service running; it must end by itself when it is asked to."""
    log = Path(f"{name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            installed(command), env=os.environ | settings, stdout=output, stderr=output
        )
    try:
        yield
        assert process.poll() is None, f"{name} has ended"
        process.send_signal(signal.SIGTERM)
        # Some servers end in order and then die of the signal that they were sent.
        code = process.wait(PATIENCE_SECONDS)
        assert code in (0, -signal.SIGTERM), f"{name}: exit code {code}"
    except BaseException:
        process.kill()
        sys.stderr.write(f"--- {name}\n{log.read_text(encoding='utf-8', errors='replace')}\n")
        raise


def installed(command: tuple[str, ...]) -> list[str]:
    """Name a command of this environment by its path."""
    program, *arguments = command
    return [str(SCRIPTS / program), *arguments]


@contextmanager
def database() -> Iterator[str]:
    """Make an empty database and drop it."""
    import psycopg  # of the environment that is tried; tests import this module without need of it

    server = os.environ["STEADYGRID_TEST_POSTGRES"]
    name = f"steadygrid_installation_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def free_port() -> int:
    """Find a port that no process has."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
