"""How long one tenant's reads and posts take while another one does all that it may do.

Quiet and hostile times take turns, so that other work of the machine is in both. The hostile
tenant is a process of its own, ``python -m benchmarks.hostile_tenant HABIT PORT KEY JOB``.
"""

import json
import math
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from app.db.scopes import Scope
from benchmarks.generators import random_platform
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.service import API, EXAMPLE, connect, request, served
from benchmarks.turns import claim_one
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import restore_submission

ROUNDS = 4
SECONDS = 5.0
"""Of one quiet or hostile time."""
SETTLING_SECONDS = 1.0
MOST_TIMES_QUIET = 3
LARGE = 60_000_000
SLOW_CLIENTS = 30
WAITING_CLIENTS = 3_000
BUSY_CLIENTS = 16
NODES, LINKS = 1_000, 4_000
"""Of the platform that the hostile tenant asks about."""


class Asker(NamedTuple):
    """Who asks a service."""

    port: int
    key: str
    job: str
    """A job of its own that has been solved."""

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        """Ask by a connection of its own."""
        return request(connect(self.port), method, path, body, self.key)

    def head(self, line: str, *fields: str) -> bytes:
        """Write the head of a request."""
        own = ("Host: localhost", f"Authorization: Bearer {self.key}", *fields)
        return "\r\n".join((f"{line} HTTP/1.1", *own, "", "")).encode()


class Times(NamedTuple):
    """Seconds that requests took."""

    reads: list[float]
    posts: list[float]


def measure() -> Iterator[Measurement]:
    """Let one tenant be hostile in each of its habits, and look at how another one is served."""
    for habit in HABITS:
        with served(API, auth="keys") as service:
            mine, theirs = (_asker(service.port, service.database, name) for name in "ab")
            quiet, hostile = Times([], []), Times([], [])
            _look(mine, Times([], []), SECONDS)  # what is slow once is no part of this
            for _ in range(ROUNDS):
                _look(mine, quiet, SECONDS)
                with _hostile(habit, theirs):
                    time.sleep(SETTLING_SECONDS)
                    _look(mine, hostile, SECONDS)
                time.sleep(SETTLING_SECONDS)
        for what, before, after in zip(Times._fields, quiet, hostile, strict=True):
            yield Measurement(f"{what}, quiet, 99 of 100 ({habit})", 1000 * _p99(before), "ms")
            yield Measurement(f"{what} beside {habit}, 99 of 100", 1000 * _p99(after), "ms")
            ratio = _p99(after) / _p99(before)
            yield Measurement(
                f"{what} beside {habit} / quiet", ratio, "times", claim=MOST_TIMES_QUIET
            )


def _asker(port: int, url: str, tenant: str) -> Asker:
    """Make a tenant with a key, and solve a job of its own."""
    database = Database.open(url)
    with database.write_all() as unit:
        unit.tenants.create(tenant)
        key = unit.keys.create(tenant, [Scope.READ, Scope.SUBMIT])
    asker = Asker(port, key, "")
    status, text = asker.ask("POST", "/v1/jobs", EXAMPLE.read_bytes())
    if status != 202:
        raise RuntimeError(f"the job was not accepted: {status} {text[:500]!r}")
    taken = claim_one(database)
    with database.read(taken.tenant) as one:
        asked = restore_submission(one.jobs.instance(taken.job_id))
    result, schedule = run(asked, Control(60.0), Limits())
    packed = None if schedule is None else pack_schedule(schedule)
    document = result.model_dump(mode="json") | {"schedule": None if packed is None else packed.id}
    members = (document[name] for name in ("objective", "bound", "gap"))
    with database.write_all() as unit:
        unit.queue.succeed(taken, Found(result.outcome, *members), pack(document), packed)
    database.close()
    return asker._replace(job=f"/v1/jobs/{taken.job_id}")


def _look(asker: Asker, times: Times, seconds: float) -> None:
    """Read and post for so long, by one connection; both have to be answered well."""
    connection, body = connect(asker.port), EXAMPLE.read_bytes()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for seen, expected, method, path, sent in (
            (times.reads, 200, "GET", asker.job, None),
            (times.posts, 202, "POST", "/v1/jobs", body),
        ):
            with stopwatch() as watch:
                status, text = request(connection, method, path, sent, key=asker.key)
            if status != expected:
                raise RuntimeError(f"{method} {path} was answered with {status}: {text[:500]!r}")
            seen.append(watch.seconds)


def _p99(times: list[float]) -> float:
    return sorted(times)[math.ceil(0.99 * len(times)) - 1]


@contextmanager
def _hostile(habit: str, asker: Asker) -> Iterator[None]:
    """Be hostile as long as the block lasts."""
    command = [sys.executable, "-m", "benchmarks.hostile_tenant", habit]
    with subprocess.Popen(
        [*command, str(asker.port), asker.key, asker.job], stdout=subprocess.PIPE
    ) as process:
        try:
            if process.stdout is None or process.stdout.readline() != b"begun\n":
                raise RuntimeError(f"the hostile tenant did not begin ({habit})")
            yield
        finally:
            process.kill()


def _begin(count: int, work: Callable[[], Any]) -> None:
    """Do something again and again in threads, for ever."""

    def for_ever() -> None:
        while True:
            with suppress(OSError):
                work()

    for _ in range(count):
        threading.Thread(target=for_ever, daemon=True).start()


def _send_slowly(asker: Asker) -> None:
    """Announce large bodies, and send of each a little and then a byte now and then."""
    fields = ("Content-Type: application/json", f"Content-Length: {LARGE}")
    head = asker.head("POST /v1/jobs", *fields)

    def send() -> None:
        with socket.create_connection(("127.0.0.1", asker.port)) as client:
            client.sendall(head + b" " * 10_000)
            while True:
                time.sleep(1)
                client.sendall(b" ")

    _begin(SLOW_CLIENTS, send)


def _wait_everywhere(asker: Asker) -> None:
    """Follow streams with as many connections as there may be, and wait for the end of a job."""
    status, text = asker.ask("POST", "/v1/jobs", EXAMPLE.read_bytes())
    assert status == 202, text
    queued = json.loads(text)["links"]["self"]
    for number in range(WAITING_CLIENTS):
        path = ("/v1/events", f"{queued}/events", f"{queued}?wait=60")[number % 3]
        client = socket.create_connection(("127.0.0.1", asker.port))
        client.sendall(asker.head(f"GET {path}"))
        _KEPT.append(client)


_KEPT: list[socket.socket] = []


def _send_large(asker: Asker) -> None:
    """Post bodies of 60 MB that are read to their end."""
    body = json.dumps(_body()).encode()
    links = b'{"source":"P0","target":"P1","unit_time":1},'
    body = body.replace(b'"links": [', b'"links": [' + links * ((LARGE - len(body)) // len(links)))
    _begin(8, lambda: asker.ask("POST", "/v1/jobs", body))


def _validate(asker: Asker) -> None:
    """Have bodies looked at that are accepted."""
    body = json.dumps(_body()).encode()
    _begin(BUSY_CLIENTS, lambda: asker.ask("POST", "/v1/jobs?validate_only=true", body))


def _post_short(asker: Asker) -> None:
    """Post bodies that are just short enough to be read in threads."""
    body = json.dumps(_body(140, 300)).encode()
    _begin(BUSY_CLIENTS, lambda: asker.ask("POST", "/v1/jobs", body))


def _sweep(asker: Asker) -> None:
    """Make sweeps of many jobs."""
    values = [f"{number}/7" for number in range(1, 5_000)]
    place = "/problem/platform/processors/1/unit_time"
    sweep = {
        "template": json.loads(EXAMPLE.read_bytes()),
        "parameters": [{"name": "a", "at": [place], "values": values}],
    }
    body = json.dumps(sweep).encode()
    _begin(BUSY_CLIENTS, lambda: asker.ask("POST", "/v1/sweeps", body))


def _study(asker: Asker) -> None:
    """Ask what would help, and what is kept of a schedule."""
    what_if, replan = b'{"factor": 2, "solve": 100}', b'{"measured": {}}'

    def ask() -> None:
        asker.ask("POST", f"{asker.job}/what-if?validate_only=true", what_if)
        asker.ask("POST", f"{asker.job}/replan?validate_only=true", replan)

    _begin(BUSY_CLIENTS, ask)


def _read_much(asker: Asker) -> None:
    """Read lists of jobs as long as they come."""
    _begin(BUSY_CLIENTS, lambda: asker.ask("GET", "/v1/jobs?limit=500"))


HABITS: Mapping[str, Callable[[Asker], None]] = {
    "slow uploads": _send_slowly,
    "waiting": _wait_everywhere,
    "bodies of 60 MB": _send_large,
    "validations": _validate,
    "short bodies": _post_short,
    "sweeps": _sweep,
    "studies": _study,
    "reads": _read_much,
}


def _body(nodes: int = NODES, links: int = LINKS) -> dict[str, Any]:
    instance = random_platform(7, num_processors=nodes, num_links=links)
    return {"problem": instance.model_dump(mode="json", exclude_none=True)}


def main() -> None:
    """Be hostile until the process is ended."""
    habit, port, key, job = sys.argv[1:]
    HABITS[habit](Asker(int(port), key, job))
    print("begun", flush=True)
    while True:
        time.sleep(600)


if __name__ == "__main__":
    main()
