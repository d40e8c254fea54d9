"""Several API processes behind one port: what they keep together, and how they end."""

import http.client
import json
import os
import re
import secrets
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from app.access.attempts import MOST
from app.db.engine import Database
from app.db.scopes import Scope
from app.server.capacity import capacity_of, share_of
from app.settings import Settings
from steadygrid.cli.terminal import Refusal
from tests.http.bodies import BODY
from tests.http.processes import PATIENCE, Served, served, until
from tests.integration.drills import gone
from workers.commands.serving import serve_api_until_signal

PROCESSES = 2
CALLS = 6


@contextmanager
def several(folder: Path, database: str, redis: str, **settings: Any) -> Iterator[Served]:
    options = ("--processes", str(PROCESSES))
    urls: dict[str, Any] = {"database_url": database, "redis_url": redis}
    with served(folder, options=options, **urls, **settings) as service:
        until(lambda: complete(service))
        yield service


def children(service: Served) -> list[int]:
    found = Path(f"/proc/{service.process.pid}/task").glob("*/children")
    return [int(pid) for file in found for pid in file.read_text().split()]


def complete(service: Served) -> bool:
    """Whether there are all processes, and each of them answers."""
    found = children(service)
    return len(found) == PROCESSES and all(answers(service, pid) for pid in found)


def answers(service: Served, pid: int) -> bool:
    with suppress(OSError), alone(service, pid, seconds=0.5) as ask:
        return ask("GET", "/livez")[0] == 200
    return False


@contextmanager
def alone(service: Served, pid: int, seconds: float = PATIENCE) -> Iterator["Ask"]:
    """Let one process alone answer: the others sleep."""
    others = set(children(service)) - {pid}
    for other in others:
        os.kill(other, signal.SIGSTOP)
    try:
        yield Ask(service.port, seconds)
    finally:
        for other in others:
            os.kill(other, signal.SIGCONT)


class Ask:
    """Requests something, by a connection of its own."""

    def __init__(self, port: int, seconds: float) -> None:
        self._port = port
        self._seconds = seconds

    def __call__(
        self, method: str, path: str, body: bytes | None = None, **fields: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        with closing(
            http.client.HTTPConnection("127.0.0.1", self._port, timeout=self._seconds)
        ) as one:
            one.request(method, path, body, named)
            answer = one.getresponse()
            return answer.status, answer.headers, answer.read()


def key_of(url: str, **quotas: int) -> str:
    """Make a tenant with a key for everything."""
    database = Database.open(url)
    tenant = f"tenant-{secrets.token_hex(8)}"
    with database.write_all() as unit:
        unit.tenants.create(tenant)
        if quotas:
            unit.tenants.change(tenant, quotas)
        key = unit.keys.create(tenant, Scope)
    database.close()
    return key


@pytest.mark.postgres
@pytest.mark.redis
def test_what_processes_count_they_count_together(
    tmp_path: Path, postgres_url: str, redis_url: str
) -> None:
    settings = {"auth": "keys", "trusted_proxies": "127.0.0.1"}
    with several(tmp_path, postgres_url, redis_url, **settings) as service:
        first, second = children(service)
        metrics: dict[str, Any] = {"Authorization": f"Bearer {key_of(postgres_url)}"}
        key: dict[str, Any] = {
            "Authorization": f"Bearer {key_of(postgres_url, requests_per_minute=CALLS)}"
        }

        def counted(ask: Ask) -> float:
            status, _, text = ask("GET", "/metrics", **metrics)
            assert status == 200
            assert b"steadygrid_database_up 1.0" in text
            line = r'^steadygrid_http_requests_total\{handler="/v1/problems".* (\S+)$'
            return sum(map(float, re.findall(line, text.decode(), re.MULTILINE)))

        # Requests of a tenant, and what Prometheus is told of them.
        left = []
        for pid in (first, second):
            with alone(service, pid) as ask:
                for _ in range(CALLS // 2):
                    status, headers, _ = ask("GET", "/v1/problems", **key)
                    assert status == 200
                    left.append(headers["RateLimit"].split(";")[1])
        assert left == [f"r={number}" for number in reversed(range(CALLS))]
        # A process counts a request shortly after it has answered it: it must not sleep before.
        until(lambda: counted(Ask(service.port, PATIENCE)) >= CALLS)
        for pid in (first, second):
            with alone(service, pid) as ask:
                assert ask("GET", "/v1/problems", **key)[0] == 429
                # Requests of the same handler from before: those that the tenant was refused are none.
                assert counted(ask) == CALLS

        # Attempts to log in, of a network that no other test has.
        network = "2001:db8:" + ":".join(secrets.token_hex(2) for _ in range(2)) + "::1"
        form: dict[str, Any] = {
            "Content_Type": "application/x-www-form-urlencoded",
            "X_Forwarded_For": network,
        }
        body = urlencode({"key": f"sk_{'a' * 8}_{'b' * 32}"}).encode()
        for pid in (first, second):
            with alone(service, pid) as ask:
                for _ in range(MOST // 2):
                    assert ask("POST", "/login", body, **form)[0] == 401
        for pid in (first, second):
            with alone(service, pid) as ask:
                status, headers, _ = ask("POST", "/login", body, **form)
                assert status == 429
                assert 0 < int(headers["Retry-After"]) <= 60


@pytest.mark.postgres
@pytest.mark.redis
def test_every_process_tells_of_all_jobs(tmp_path: Path, postgres_url: str, redis_url: str) -> None:
    with several(tmp_path, postgres_url, redis_url, auth="off") as service:
        posted: set[str] = set()
        streams = []
        for pid in children(service):
            one = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
            with alone(service, pid):
                one.request("GET", "/v1/events")
                answer = one.getresponse()
                while b"event: summary" not in answer.readline():
                    pass
            streams.append((one, answer))
        for pid in children(service):
            with alone(service, pid) as ask:
                assert b"steadygrid_event_streams 2.0" in ask("GET", "/metrics")[2]
        for pid in children(service):
            with alone(service, pid) as ask:
                body = json.dumps(BODY).encode()
                status, _, text = ask("POST", "/v1/jobs", body, Content_Type="application/json")
                assert status == 202
                posted.add(json.loads(text)["id"])
        for _, answer in streams:
            told: set[str] = set()
            while told < posted:
                line = answer.readline()
                if line.startswith(b'data: {"items"'):
                    told |= {job["id"] for job in json.loads(line[6:])["items"]}
            assert told == posted
        first, second = children(service)
        os.kill(first, signal.SIGKILL)
        until(lambda: first not in children(service))
        with alone(service, second) as ask:
            assert b"steadygrid_event_streams 1.0" in ask("GET", "/metrics")[2]
        for one, _ in streams:
            one.close()


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_process_that_dies_is_replaced_and_all_end_together(
    tmp_path: Path, postgres_url: str, redis_url: str, end: signal.Signals
) -> None:
    with several(tmp_path, postgres_url, redis_url, auth="off") as service:
        first, second = children(service)
        os.kill(first, signal.SIGKILL)
        until(lambda: first not in children(service) and complete(service))
        left = children(service)
        assert second in left
        service.process.send_signal(end)
        code = service.process.wait(30)
        until(lambda: all(gone(pid) for pid in left), 45)
        assert code == {signal.SIGTERM: 0, signal.SIGINT: 130, signal.SIGKILL: -9}[end]
        said = service.log.read_text()
        assert said.count("service_died") == 1, said
        assert "service_killed" not in said, said
        assert "Traceback" not in said, said


@pytest.mark.parametrize(
    "urls",
    [
        {},
        {"redis_url": "redis://127.0.0.1/0"},
        {"database_url": "postgresql://visitor@127.0.0.1:1/none"},
        {
            "database_url": "postgresql://visitor@127.0.0.1:1/none",
            "redis_url": "sentinel://127.0.0.1:26379/0",
        },
    ],
)
def test_several_processes_need_a_store_that_they_share(
    tmp_path: Path, urls: dict[str, Any]
) -> None:
    settings = Settings(data_dir=tmp_path, **urls)
    with pytest.raises(Refusal, match=r"processes_need_shared_store.*STEADYGRID_REDIS_URL"):
        serve_api_until_signal(settings, "127.0.0.1", 0, processes=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("processes", [1, 2, 3, 7])
def test_processes_have_equal_parts_of_what_one_takes(processes: int) -> None:
    settings = Settings(max_connections=100, reading_processes=6)
    share = share_of(settings, processes)
    assert capacity_of(share).connections == 100 // processes
    assert share.reading_processes == max(1, 6 // processes)
