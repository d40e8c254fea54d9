"""What operators ask, and what happens when the database is away."""

import ast
import gzip
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.models import workers
from app.db.skills import Skills
from app.db.unit import Unit
from app.main import STATUS_BY_CODE, create_app
from app.operations.service import ALL_DRAINED, NO_WORKER, NO_WORKER_FOR, OLD_WORKERS_FOR
from steadygrid.kinds import PROBLEMS, SOLVES
from tests.http.bodies import BODY, claim, finish
from tests.http.conftest import ON_SQLITE, quiet
from tests.tree import modules, syntax_of
from workers.registration import OUR_SKILLS

KINDS = tuple(PROBLEMS)


@ON_SQLITE
def test_a_process_is_alive_whatever_happens(client: TestClient) -> None:
    answer = client.get("/livez")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


def test_a_service_with_its_database_is_ready_and_says_if_it_lacks_workers(
    client: TestClient, database: Database
) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "warnings": [NO_WORKER]}
    with database.write_all() as unit:
        unit.workers.seen("a", OUR_SKILLS, {})
    assert client.get("/readyz").json() == {"status": "ready", "warnings": []}
    with database.write_all() as unit:
        unit.workers.drain(["a"])
    assert client.get("/readyz").json() == {"status": "ready", "warnings": [ALL_DRAINED]}
    with database.write_all() as unit:
        unit.workers.seen("b", Skills(KINDS[1:], SOLVES), {})
    told = [NO_WORKER_FOR.format(KINDS[0])]
    assert client.get("/readyz").json() == {"status": "ready", "warnings": told}


@pytest.mark.parametrize(
    ("skills", "warnings"),
    [
        ([(KINDS, SOLVES), (("cell",), SOLVES)], []),
        ([(KINDS[:-2], SOLVES), (KINDS[-1:], SOLVES)], [NO_WORKER_FOR.format(KINDS[-2])]),
        ([(KINDS, SOLVES - 1)], [OLD_WORKERS_FOR.format(", ".join(sorted(KINDS)))]),
        ([(KINDS, SOLVES - 1), (KINDS[1:], SOLVES)], [OLD_WORKERS_FOR.format(KINDS[0])]),
        ([(("cell",), SOLVES - 1), None], []),
    ],
)
def test_a_service_says_which_jobs_no_worker_solves(
    client: TestClient,
    database: Database,
    skills: list[tuple[tuple[str, ...], int] | None],
    warnings: list[str],
) -> None:
    with database.write_all() as unit:
        for name, has in enumerate(skills):
            unit.workers.seen(str(name), Skills(*has or ((), 0)), {})
            if has is None:  # as workers of the version before do
                unknown = update(workers).where(workers.c.id == str(name)).values(skills=None)
                unit._connection.execute(unknown)
    assert client.get("/readyz").json()["warnings"] == warnings


@ON_SQLITE
def test_a_job_requires_what_its_kind_says(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        vars(PROBLEMS["master_worker"]),
        "requires",
        lambda instance, options: SOLVES + len(instance.master),
    )
    client.post("/v1/jobs", json=BODY)
    with database.write_all() as unit:
        assert unit.queue.pending() == 1
        assert unit.queue.claim("w", Skills(KINDS, SOLVES), 30) is None
        assert unit.queue.claim("w", Skills(KINDS, SOLVES + 1), 30) is not None


def test_the_service_tells_its_limits_and_its_workers_solvers(
    client: TestClient, database: Database
) -> None:
    with database.write_all() as unit:
        unit.workers.seen("a", OUR_SKILLS, {"highs": "1.15.1", "pyomo": "6.10"})
        unit.workers.seen("b", OUR_SKILLS, {"highs": "1.15.0", "pyomo": "6.10"})
    info = client.get("/v1/info").json()
    assert info["name"] == "steadygrid"
    assert info["limits"]["max_processors"] == 100_000
    assert info["limits"]["max_body_bytes"] == 64 * 2**20
    stars = info["problem_limits"]["divisible_star"]
    assert (stars["max_processors_searched"], stars["max_messages_by_rule"]) == (64, 100_000)
    assert "master_worker" not in info["problem_limits"]
    assert info["solvers"] == [
        {"name": "highs", "version": "1.15.0", "workers": 1},
        {"name": "highs", "version": "1.15.1", "workers": 1},
        {"name": "pyomo", "version": "6.10", "workers": 2},
    ]
    assert "application/simgrid+xml" in info["platform_formats"]
    assert info["problems"] == [one["kind"] for one in client.get("/v1/problems").json()["items"]]


def test_a_tenant_is_told_what_it_may_have_and_has(client: TestClient, database: Database) -> None:
    told = client.get("/v1/info").json()["tenant"]
    everything = dict.fromkeys(
        (
            "queued_jobs",
            "sweep_jobs",
            "running_jobs",
            "requests_per_minute",
            "solver_seconds_per_day",
            "stored_bytes",
        )
    )
    assert told["quotas"] == everything | {
        "waiting_requests": 250,
        "time_limit": 3600.0,
        "priority": 9,
        "retention_days": 90,
    }
    assert (told["name"], told["stored_bytes"], told["measured_at"]) == ("local", None, None)
    for _ in range(3):
        client.post("/v1/jobs", json=BODY)
    claim(database)
    with database.write_all() as unit:
        unit.tenants.change("local", {"queued_jobs": 5})
        unit.tenants.keep_measured({"local": 77}, unit.tenants.stored())
    told = client.get("/v1/info").json()["tenant"]
    assert told["quotas"]["queued_jobs"] == 5
    assert (told["queued_jobs"], told["running_jobs"], told["stored_bytes"]) == (2, 1, 77)
    assert told["measured_at"].endswith("Z")


@ON_SQLITE
def test_the_kinds_say_what_they_ask_and_give_an_example_to_post(client: TestClient) -> None:
    for kind in client.get("/v1/problems").json()["items"]:
        details = client.get(kind["links"]["self"]).json()
        assert kind.items() <= details.items()
        assert details["methods"]
        assert details["sources"]
        assert details["instance_schema"]["properties"]["kind"]["const"] == kind["kind"]
        assert "objective" in details["result_schema"]["properties"]
        assert {"/notes", "/certificate/solver"} <= {*details["not_judged"]}
        assert client.post("/v1/jobs", json=details["example"]).status_code == 202


@ON_SQLITE
def test_the_kinds_are_a_list_like_any_other(client: TestClient) -> None:
    whole = client.get("/v1/problems").json()
    assert client.get("/v1/problems", params={"limit": 100_000}).json() == whole
    refused = client.get("/v1/problems", params={"page_token": "nonsense"})
    assert refused.status_code == 422


def test_metrics_count_the_jobs_in_the_table(client: TestClient, database: Database) -> None:
    for _ in range(3):
        client.post("/v1/jobs", json=BODY)
    finish(database, claim(database))
    answer = client.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain")
    lines = answer.text.splitlines()
    assert 'steadygrid_jobs{kind="master_worker",state="queued"} 2.0' in lines
    assert 'steadygrid_jobs{kind="master_worker",state="succeeded"} 1.0' in lines
    assert 'steadygrid_jobs{kind="master_worker",state="failed"} 0.0' in lines
    assert "steadygrid_database_up 1.0" in lines
    assert "steadygrid_workers 0.0" in lines
    (age,) = (line for line in lines if line.startswith("steadygrid_oldest_queued_seconds "))
    assert 0 <= float(age.split()[1]) < 600
    for _ in range(2):
        finish(database, claim(database))
    assert "steadygrid_oldest_queued_seconds 0.0" in client.get("/metrics").text.splitlines()
    assert any(
        line.startswith('steadygrid_http_requests_total{handler="/v1/jobs",method="POST"')
        for line in lines
    )


@ON_SQLITE
def test_what_clients_make_up_is_one_value_in_the_metrics(client: TestClient) -> None:
    for number in range(5):
        client.request(f"BREW{number}", f"/pots/{number}")
        client.request(f"BREW{number}", "/v1/jobs")
        client.get(f"/pots/{number}")
    lines = [
        line
        for line in client.get("/metrics").text.splitlines()
        if line.startswith("steadygrid_http_requests_total")
    ]
    assert not [line for line in lines if "BREW" in line or "pots" in line]
    unknown = 'steadygrid_http_requests_total{handler="other",method="other",status="4xx"} 5.0'
    assert unknown in lines


@ON_SQLITE
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/livez",
        "/readyz",
        "/metrics",
        "/docs",
        "/openapi.json",
        "/v1/info",
        "/v1/jobs",
        "/v1/problems/cell",
        "/nowhere",
        f"/v1/jobs/job_{'0' * 32}",
    ],
)
def test_head_answers_as_get_does_without_the_body(client: TestClient, path: str) -> None:
    whole = client.get(path, follow_redirects=False)
    head = client.head(path, follow_redirects=False)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    assert head.headers["Content-Type" if whole.content else "Location"]


@ON_SQLITE
def test_a_stream_has_a_head_too(client: TestClient) -> None:
    own = client.post("/v1/jobs", json=BODY).json()["links"]["events"]
    head = client.head(own)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["Content-Type"].startswith("text/event-stream")


FOREIGN = {"Origin": "https://pages.example.org"}
PREFLIGHT = FOREIGN | {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type, idempotency-key",
}


@ON_SQLITE
def test_no_foreign_page_may_use_the_service_by_default(client: TestClient) -> None:
    for answer in (
        client.get("/v1/info", headers=FOREIGN),
        client.options("/v1/jobs", headers=PREFLIGHT),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_pages_of_the_origins_that_are_set_may_use_the_service(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'steadygrid.db'}"
    origins = "http://localhost:3000, https://pages.example.org"
    with TestClient(
        create_app(quiet(url, tmp_path, cors_origins=origins)), base_url="http://localhost"
    ) as client:
        before = client.options("/v1/jobs", headers=PREFLIGHT)
        assert before.status_code == 200
        assert before.headers["Access-Control-Allow-Origin"] == FOREIGN["Origin"]
        for path, status in (("/v1/info", 200), ("/nowhere", 404)):
            answer = client.get(path, headers=FOREIGN)
            assert answer.status_code == status
            assert answer.headers["Access-Control-Allow-Origin"] == FOREIGN["Origin"]
            assert "Location" in answer.headers["Access-Control-Expose-Headers"]
        stranger = client.get("/v1/info", headers={"Origin": "https://else.example.org"})
        assert "Access-Control-Allow-Origin" not in stranger.headers


def test_without_its_database_the_service_says_so(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    away = Database.open(f"postgresql://visitor@127.0.0.1:{port}/nothing")
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        database = client.app.state.resources.database  # type: ignore[attr-defined]
        database.close()
        database.engine = away.engine
        for method, path in (
            ("GET", "/readyz"),
            ("GET", "/v1/jobs"),
            ("GET", "/v1/info"),
            ("GET", f"/v1/jobs/job_{'0' * 32}"),
            ("GET", f"/v1/jobs/job_{'0' * 32}/events"),
            ("POST", f"/v1/jobs/job_{'0' * 32}/cancel"),
            ("GET", f"/v1/schedules/sch_{'0' * 32}"),
        ):
            answer = client.request(method, path)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), path
            assert answer.headers["Retry-After"] == "5"
            assert str(settings.database_url) not in answer.text
        refusal = client.post("/v1/jobs", json=BODY)
        assert (refusal.status_code, refusal.json()["code"]) == (503, "unavailable")
        assert client.get("/livez").status_code == 200
        assert "steadygrid_database_up 0.0" in client.get("/metrics").text
    away.close()


def test_a_commit_that_was_kept_although_it_raised_is_an_accepted_job(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Database.write

    @contextmanager
    def raising(database: Database, tenant: str) -> Iterator[Unit]:
        with write(database, tenant) as unit:
            yield unit
        raise DatabaseUnavailableError("connection lost")

    @contextmanager
    def failing(database: Database, tenant: str) -> Iterator[Unit]:
        with write(database, tenant) as unit:
            yield unit
            raise DatabaseUnavailableError("connection lost")

    monkeypatch.setattr(Database, "write", raising)
    answer = client.post("/v1/jobs", json=BODY)
    assert answer.status_code == 202
    monkeypatch.setattr(Database, "write", failing)
    assert client.post("/v1/jobs", json=BODY).status_code == 503
    assert len(client.get("/v1/jobs").json()["items"]) == 1


def test_an_unforeseen_error_is_internal_and_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Unit) -> object:
        raise RuntimeError("a secret")

    monkeypatch.setattr(Unit, "jobs", property(broken))
    app = create_app(quiet(f"sqlite:///{tmp_path / 'steadygrid.db'}", tmp_path))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        answer = client.get(f"/v1/jobs/job_{'0' * 32}")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text


@ON_SQLITE
@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip", "gzip"), ("zstd", "zstd"), ("gzip, zstd", "zstd"), ("br", None), ("identity", None)],
)
def test_long_answers_are_compressed(
    client: TestClient, accepted: str, encoding: str | None
) -> None:
    headers = {"Accept-Encoding": accepted}
    with client.stream("GET", "/v1/problems/master_worker", headers=headers) as answer:
        raw = b"".join(answer.iter_raw())
    assert answer.headers.get("Content-Encoding") == encoding
    if encoding == "gzip":
        assert json.loads(gzip.decompress(raw))["kind"] == "master_worker"


@ON_SQLITE
def test_short_answers_are_left_alone(client: TestClient) -> None:
    answer = client.get("/livez", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_every_code_of_a_refusal_has_its_status() -> None:
    codes = set()
    for path in modules("app"):
        for node in ast.walk(syntax_of(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    codes.add(first.value)
    assert codes <= STATUS_BY_CODE.keys()
    assert {"malformed_json", "job_not_finished", "queue_full"} <= codes
