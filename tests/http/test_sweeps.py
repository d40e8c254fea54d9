"""Sweeps over HTTP: made, followed, read as jobs and as a table, tried again, cancelled, deleted."""

import csv
import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app import sweep_creation
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.unit import Unit
from app.sweeps import endpoints, service
from tests.http.bodies import BODY, SWEEP, claim, finish
from tests.http.test_audit_lines import told

POST = "/v1/sweeps"
ERROR = {"code": "internal", "detail": "it failed"}


def posted(client: TestClient, body: Any = SWEEP, **headers: str) -> str:
    answer = client.post(POST, json=body, headers=headers)
    assert answer.status_code in (200, 202), answer.text
    own: str = answer.json()["links"]["self"]
    assert answer.headers["Location"] == own
    return own


def work(database: Database, ends: str) -> None:
    """End as many jobs, each as its letter says: solved, or failed."""
    for end in ends:
        taken = claim(database)
        if end == "s":
            finish(database, taken)
        else:
            with database.write_all() as unit:
                unit.queue.fail(taken, ERROR)


def long(values: int) -> dict[str, Any]:
    """A sweep with so many jobs."""
    (worker, _) = SWEEP["parameters"]
    return SWEEP | {"parameters": [worker | {"values": list(range(1, values + 1))}]}


def test_a_sweep_says_what_it_is_and_how_far(client: TestClient, database: Database) -> None:
    own = posted(client, SWEEP | {"name": "two", "labels": {"study": "a"}})
    sweep = client.get(own).json()
    assert sweep["counts"]["queued"] == sweep["jobs"] == sweep["created"] == 6
    assert sweep["parameters"] == SWEEP["parameters"]
    expected = ("two", {"study": "a"}, "running", "sweep", "master_worker", "product", None)
    names = ("name", "labels", "state", "kind", "job_kind", "mode", "finished_at")
    assert tuple(sweep[name] for name in names) == expected
    work(database, "ssssf")
    assert client.get(own).json()["counts"] == {
        "queued": 1,
        "running": 0,
        "cancelling": 0,
        "succeeded": 4,
        "failed": 1,
        "cancelled": 0,
    }
    work(database, "s")
    ended = client.get(own)
    assert (ended.json()["state"], ended.json()["outcomes"]["optimal"]) == ("succeeded", 5)
    assert ended.json()["finished_at"] is not None
    assert "cancel" not in ended.json()["links"]
    (listed,) = client.get(POST).json()["items"]
    assert (listed["id"], listed["parameters"]) == (ended.json()["id"], None)


def test_a_plan_posted_again_is_the_same_sweep(client: TestClient) -> None:
    own = posted(client, SWEEP | {"name": "two"})
    plan = client.get(f"{own}/plan").json()
    again = posted(client, plan)
    assert client.get(f"{again}/plan").json() == plan
    bodies = []
    for one in (own, again):
        jobs = client.get(f"{one}/jobs").json()["items"]
        bodies.append([client.get(job["links"]["instance"]).json() for job in jobs])
    assert bodies[0] == bodies[1]
    assert bodies[0][0]["problem"]["platform"]["processors"][1]["unit_time"] == "2"
    assert bodies[0][3]["problem"]["platform"]["processors"][1]["unit_time"] == "5/2"
    assert bodies[0][3]["problem"]["platform"]["links"][0]["unit_time"] == "1/2"
    single = client.post("/v1/jobs", json=bodies[0][3])
    assert client.get(f"{single.json()['links']['self']}/instance").json() == bodies[0][3]


def test_a_sweep_s_job_is_a_job_like_any_other(client: TestClient, database: Database) -> None:
    own = posted(client)
    single = client.post("/v1/jobs", json=BODY).json()["id"]
    work(database, "s" * 7)
    first, *_ = client.get(f"{own}/jobs?limit=1").json()["items"]
    sweep = own.rsplit("/", 1)[-1]
    assert first["sweep"] == {"id": sweep, "index": 0, "try": 1}
    assert first["links"]["sweep"] == own
    links = first["links"]
    for name in links.keys() - {"sweep"}:
        assert client.get(links[name]).status_code == 200, name
    drawn = client.get(f"{links['pictures']}/gantt.csv")
    assert drawn.status_code == 200, drawn.text
    assert client.get(f"/jobs/{first['id']}", headers={"Accept": "text/html"}).status_code == 200
    ids = [job["id"] for job in client.get(f"/v1/jobs?sweep={sweep}").json()["items"]]
    assert len(ids) == 6
    assert first["id"] in ids
    assert [job["id"] for job in client.get("/v1/jobs?sweep=none").json()["items"]] == [single]
    refused = client.delete(links["self"])
    assert (refused.status_code, refused.json()["code"]) == (409, "job_of_sweep")
    assert client.get("/v1/jobs?sweep=swp_1").status_code == 422


def test_a_wrong_axis_of_a_sweep_s_picture_is_named(client: TestClient, database: Database) -> None:
    own = posted(client)
    work(database, "s" * 6)
    (item,) = client.get(f"{own}/pictures").json()["items"]
    varying = [one["name"] for one in client.get(own).json()["parameters"]]
    for axes, wrong in (
        ({"y": "z"}, ["y"]),
        ({"x": varying[0], "y": varying[0]}, ["y"]),
        ({"x": "z", "y": "z"}, ["x", "y"]),
    ):
        refused = client.get(item["links"]["svg"], params=axes)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
        told = [(one["parameter"], one["code"]) for one in refused.json()["errors"]]
        assert told == [(name, "no_axis") for name in wrong]
    turned = client.get(item["links"]["svg"], params={"x": varying[1], "y": varying[0]})
    assert turned.status_code == 200


def test_a_stored_platform_is_part_of_the_template(client: TestClient) -> None:
    platform = client.post("/v1/platforms", json=BODY["problem"]["platform"]).json()["id"]
    template = BODY | {"problem": BODY["problem"] | {"platform": platform}}
    own = posted(client, SWEEP | {"template": template})
    assert client.delete(f"/v1/platforms/{platform}").status_code == 204
    (_, last) = client.get(f"{own}/jobs?limit=2").json()["items"]
    body = client.get(last["links"]["instance"]).json()
    assert body["problem"]["platform"]["links"][0]["unit_time"] == "1/2"


def test_validate_only_sizes_and_stores_nothing(client: TestClient) -> None:
    told_of = client.post(POST, params={"validate_only": True}, json=SWEEP).json()
    assert (told_of["valid"], told_of["jobs"], told_of["checked"]) == (True, 6, 4)
    assert {one["index"] for one in told_of["sizes"].values()} <= set(range(6))
    assert client.get(POST).json()["items"] == []


def test_the_table_is_the_same_as_json_and_as_csv(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.sweeps.table.ROWS_AT_ONCE", 4)
    own = posted(client)
    work(database, "ssfss")
    rows: list[Any] = []
    token = None
    while not rows or token:
        page = client.get(
            f"{own}/table", params={"limit": 4} | ({"page_token": token} if token else {})
        )
        rows += page.json()["items"]
        token = page.json()["next_page_token"]
    assert [row["index"] for row in rows] == list(range(6))
    assert [row["state"] for row in rows] == ["succeeded"] * 2 + ["failed"] + ["succeeded"] * 2 + [
        "queued"
    ]
    assert rows[0]["parameters"] == {"worker": 2, "link": 1}
    assert (rows[0]["value"], rows[0]["approx"], rows[0]["period"]) == ("1/2", 0.5, "2")
    assert rows[2]["error"] == "internal"
    by_path = client.get(f"{own}/table.csv")
    by_field = client.get(f"{own}/table", headers={"Accept": "text/csv, application/json;q=0.5"})
    assert by_path.text == by_field.text
    assert by_path.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = list(csv.DictReader(io.StringIO(by_path.text)))
    for row, line in zip(rows, lines, strict=True):
        flat = row | row.pop("parameters")
        for name, value in flat.items():
            written = (
                "" if value is None else json.dumps(value) if isinstance(value, bool) else value
            )
            assert line[name] == str(written), name


def test_failed_jobs_are_tried_again_and_stay(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "RETRIED_AT_ONCE", 2)
    monkeypatch.setattr(service, "MOST_RETRIED", 3)
    own = posted(client)
    work(database, "fsffff")
    before = client.get(f"{own}/jobs").json()["items"]
    key = {"Idempotency-Key": "again"}
    first = client.post(f"{own}/retry", headers=key)
    assert (first.status_code, first.json()) == (202, {"retried": 3, "more": True})
    replayed = client.post(f"{own}/retry", headers=key)
    assert (replayed.status_code, replayed.json()) == (200, first.json())
    assert client.post(f"{own}/retry").json() == {"retried": 2, "more": False}
    assert client.post(f"{own}/retry").json() == {"retried": 0, "more": False}
    assert client.get(own).json()["state"] == "running"
    after = client.get(f"{own}/jobs").json()["items"]
    assert [job["sweep"]["try"] for job in after] == [2, 1, 2, 2, 2, 2]
    old = client.get(before[0]["links"]["self"]).json()
    assert (old["state"], old["replaced_by"]) == ("failed", after[0]["id"])
    assert after[0]["retry_of"] == old["id"]
    work(database, "s" * 5)
    assert client.get(own).json()["counts"]["succeeded"] == 6


def test_a_retry_of_unknown_outcome_may_be_asked_again(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = posted(client)
    work(database, "ffssss")
    write = Database.write

    @contextmanager
    def raising(database: Database, tenant: str) -> Iterator[Unit]:
        with write(database, tenant) as unit:
            yield unit
        raise DatabaseUnavailableError("connection lost")

    key = {"Idempotency-Key": "again"}
    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", raising)
        assert client.post(f"{own}/retry", headers=key).status_code == 503
    again = client.post(f"{own}/retry", headers=key)
    assert (again.status_code, again.json()) == (200, {"retried": 2, "more": False})


def test_a_cancelled_sweep_ends_what_waits_and_asks_what_runs(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PIECE", 2)
    own = posted(client)
    work(database, "f")
    running = claim(database)
    asked = client.post(f"{own}/cancel")
    assert (asked.status_code, asked.json()["state"]) == (202, "cancelling")
    assert asked.json()["counts"]["cancelled"] == 4
    with database.write_all() as unit:
        unit.queue.cancelled(running)
    again = client.post(f"{own}/cancel")
    assert (again.status_code, again.json()["state"]) == (200, "cancelled")
    refused = client.post(f"{own}/retry")
    assert (refused.status_code, refused.json()["code"]) == (409, "sweep_cancelled")
    assert client.delete(own).status_code == 204
    for path in (own, f"{own}/jobs", f"{own}/table", f"{own}/table.csv", f"{own}/events"):
        assert client.get(path).status_code == 404
    assert client.get("/v1/jobs").json()["items"] == []
    sweep = own.rsplit("/", 1)[-1]
    expected = [("sweep.cancelled", sweep), ("sweep.deleted", sweep)]
    assert sorted(line[2:] for line in told(database)) == expected


def test_what_a_request_has_no_time_for_goes_on_behind_it(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(service, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(service, "PIECE", 5)
    monkeypatch.setattr(sweep_creation, "PIECE", 5)
    answer = client.post(POST, json=long(23))
    assert (answer.json()["state"], answer.json()["jobs"]) == ("creating", 23)
    own = answer.json()["links"]["self"]
    settle(client, own, created=23)
    assert [row["index"] for row in client.get(f"{own}/table").json()["items"]] == list(range(23))
    client.post(f"{own}/cancel")
    settle(client, own, state="cancelled")
    assert client.delete(own).status_code == 204
    with ThreadPoolExecutor(1) as thread:
        thread.submit(gone, client).result(20)


def settle(client: TestClient, own: str, **wanted: Any) -> None:
    """Wait until a sweep is as wanted."""
    limit = threading.Event()
    for _ in range(500):
        sweep = client.get(own).json()
        if all(sweep[name] == value for name, value in wanted.items()):
            return
        limit.wait(0.02)
    raise AssertionError((wanted, sweep))


def gone(client: TestClient) -> None:
    while client.get("/v1/jobs").json()["items"]:
        pass


def test_what_a_process_leaves_undone_is_resumed(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if it were killed: its thread never gets to it."""
    monkeypatch.setattr(service, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(sweep_creation, "PIECE", 5)
    monkeypatch.setattr("app.http.background.Background.go_on", lambda *_: None)
    own = client.post(POST, json=long(12)).json()["links"]["self"]
    assert client.get(own).json()["created"] == 5
    work(database, "s" * 5)
    assert client.get(own).json()["state"] == "creating"
    assert not sweep_creation.make_jobs(database, own.rsplit("/", 1)[-1])
    work(database, "s" * 7)
    assert client.get(own).json()["state"] == "succeeded"


@contextmanager
def worked_once_followed(
    monkeypatch: pytest.MonkeyPatch, database: Database, ends: str
) -> Iterator[None]:
    """End jobs as `work` does, as soon as a request has looked how their sweep stands."""
    looked, news = threading.Event(), service.news

    def seen(*given: Any) -> service.News:
        found = news(*given)
        looked.set()
        return found

    def end_them() -> None:
        assert looked.wait(30)
        work(database, ends)

    with monkeypatch.context() as patch, ThreadPoolExecutor(1) as worker:
        patch.setattr(service, "news", seen)
        done = worker.submit(end_them)
        yield
        done.result()


def test_a_stream_tells_counts_until_the_end(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "EVENT_SECONDS", 0.02)
    own = posted(client)
    with worked_once_followed(monkeypatch, database, "sssssf"):
        answer = client.get(f"{own}/events")
    told_of = []
    for block in answer.text.strip().split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")
        )
        if "data" in fields:
            told_of.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
    assert [one[:2] for one in told_of] == [("counts", None)] * (len(told_of) - 1) + [
        ("end", "end")
    ]
    assert told_of[0][2]["counts"]["queued"] == 6
    last = told_of[-1][2]
    assert (last["state"], last["outcomes"]["optimal"], last["counts"]["failed"]) == (
        "succeeded",
        5,
        1,
    )
    assert len({json.dumps(data) for _, _, data in told_of}) == len(told_of) - 1
    known = {"Last-Event-ID": "end"}
    assert client.get(f"{own}/events", headers=known).status_code == 204
    client.post(f"{own}/retry")
    with worked_once_followed(monkeypatch, database, "s"):
        assert "event: end" in client.get(f"{own}/events", headers=known).text
