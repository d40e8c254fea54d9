"""What Prometheus reads, over HTTP."""

import asyncio
import json
import re
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.counters import Count
from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.http.reading import Readers
from app.http.watcher import Watcher
from app.operations.metrics import MOST_TENANTS, OTHER, OTHER_TENANTS
from steadygrid.domain.errors import FAILURES
from tests.http.bodies import BODY, claim, finish
from tests.http.conftest import ON_SQLITE, listening, quiet
from tests.http.processes import PATIENCE, Served, until
from workers.registration import OUR_SKILLS

FAILED = "steadygrid_jobs_failed_total"


def values(client: TestClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {sorted_labels(name): float(value) for name, _, value in pairs}


def sorted_labels(name: str) -> str:
    metric, brace, said = name.partition("{")
    return f"{metric}{brace}{','.join(sorted(said[:-1].split(',')))}}}" if brace else name


def labels(found: dict[str, float], metric: str) -> set[str]:
    return {name[len(metric) :] for name in found if name.startswith(f"{metric}{{")}


def test_an_operator_s_questions_have_answers(client: TestClient, database: Database) -> None:
    for _ in range(3):
        client.post("/v1/jobs", json=BODY)
    finish(database, claim(database))
    with database.write_all() as unit:
        failing = unit.queue.claim("w", OUR_SKILLS, 30)
        assert failing is not None
    with database.write_all() as unit:
        unit.queue.fail(failing, {"code": "invalid_schedule", "detail": "x"})
    with database.write_all() as unit:
        unit.workers.seen("a", OUR_SKILLS, {"steadygrid": "1.2.3"})
        unit.workers.seen("b", OUR_SKILLS, {"steadygrid": "1.2.3"})
        unit.workers.drain(["b"])
        unit.counters.add({Count.SOLVER_STARTS: 2, Count.SOLVER_START_SECONDS: 3.5})
        unit.counters.add({Count.SWEEPS: 1, Count.SENDER_LOOKS: 4})
        unit.counters.add({Count.DELIVERED: 3, Count.UNDELIVERED: 2})
        unit.tenants.keep_measured({"local": 77}, unit.tenants.stored())
    found = values(client)
    mine = 'tenant="local",kind="master_worker"'
    ended = 'kind="master_worker",lane="single",outcome="optimal"'
    expected = {
        f'steadygrid_active_jobs{{{mine},state="queued"}}': 1,
        f'steadygrid_active_jobs{{{mine},state="running"}}': 0,
        f"steadygrid_job_waiting_seconds_count{{{ended}}}": 1,
        f'steadygrid_job_solving_seconds_bucket{{{ended},le="+Inf"}}': 1,
        'steadygrid_jobs_failed_total{kind="master_worker",code="invalid_schedule"}': 1,
        'steadygrid_jobs_failed_total{kind="cell",code="poison"}': 0,
        'steadygrid_attempts_total{kind="master_worker",end="ended"}': 2,
        'steadygrid_attempts_total{kind="cell",end="lease_lost"}': 0,
        'steadygrid_stored_bytes{tenant="local"}': 77,
        'steadygrid_worker_versions{version="1.2.3"}': 2,
        "steadygrid_workers_drained": 1,
        "steadygrid_solver_starts_total": 2,
        "steadygrid_solver_start_seconds_total": 3.5,
        "steadygrid_sweeper_rounds_total": 1,
        "steadygrid_sender_looks_total": 4,
        'steadygrid_delivery_attempts_total{end="succeeded"}': 3,
        'steadygrid_delivery_attempts_total{end="failed"}': 2,
        "steadygrid_event_streams": 0,
    }
    assert {name: found.get(sorted_labels(name)) for name in expected} == expected
    assert 0 < found['steadygrid_solver_seconds_total{tenant="local"}'] < 60
    assert 0 < found['steadygrid_tenant_oldest_queued_seconds{tenant="local"}'] < 60
    for process in ("sweeper", "sender"):
        assert 0 <= found[f"steadygrid_{process}_last_seconds"] < 60


@ON_SQLITE
def test_the_values_of_labels_are_bounded(client: TestClient, database: Database) -> None:
    with database.write_all() as unit:
        for number in range(MOST_TENANTS + 3):
            unit.tenants.create(f"t{number}")
    with database.write("t502") as unit:
        unit.jobs.add(NewJob.create("cell", {}))
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(taken, {"code": "made-up\n", "detail": ""})
    with database.write("t501") as unit:
        unit.jobs.add(NewJob.create("cell", {}))
    found = values(client)
    tenants = labels(found, "steadygrid_stored_bytes")
    # One of those with a label of their own has never been measured.
    assert len(tenants) == MOST_TENANTS
    assert {f'{{tenant="{OTHER_TENANTS}"}}', '{tenant="t501"}'} <= tenants
    codes = {re.findall('code="([^"]*)"', one)[0] for one in labels(found, FAILED)}
    assert codes == {*FAILURES, OTHER}
    assert found[f'{FAILED}{{code="{OTHER}",kind="cell"}}'] == 1


@ON_SQLITE
def test_a_stream_is_counted_while_it_is_open(client: TestClient) -> None:
    job = client.post("/v1/jobs", json=BODY).json()
    with client.stream("GET", job["links"]["events"]):
        assert values(client)["steadygrid_event_streams"] == 1
    assert values(client)["steadygrid_event_streams"] == 0


def test_clients_that_leave_are_counted_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait for a job, and for a process that never answers."""
    begun, waits, ended = threading.Event(), threading.Event(), Watcher.ended

    async def waited(*arguments: Any) -> bool:
        waits.set()
        return await ended(*arguments)

    async def never(_readers: Readers, *_arguments: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Readers, "work", never)
    monkeypatch.setattr(Watcher, "ended", waited)
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path, max_connections=9)
    with listening(settings) as (host, port):
        asker: Any = SimpleNamespace(port=port)
        made = Served.ask(asker, "POST", "/v1/jobs", json.dumps(BODY).encode())
        path = json.loads(made.content)["links"]["self"]

        def leave(method: str, rest: str, ready: Callable[[], bool]) -> None:
            with socket.create_connection((host, port), PATIENCE) as client:
                fields = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 2"
                client.sendall(f"{method} {path}{rest} HTTP/1.1\r\n{fields}\r\n\r\n{{}}".encode())
                until(ready)

        def counted(method: str, rest: str) -> bool:
            handler = f'handler="/v1/jobs/{{job_id}}{rest}"'
            text = Served.ask(asker, "GET", "/metrics").content.decode()
            lines = [
                line for line in text.splitlines() if handler in line and 'status="499"' in line
            ]
            mine = [line for line in lines if line.startswith("steadygrid_http_requests_total")]
            return any(f'method="{method}"' in line and line.endswith(" 1.0") for line in mine)

        leave("GET", "?wait=60", waits.is_set)
        until(lambda: counted("GET", ""))
        leave("POST", "/what-if", begun.is_set)
        until(lambda: counted("POST", "/what-if"))
