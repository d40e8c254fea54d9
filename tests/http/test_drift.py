"""Watched schedules over HTTP: one loss makes one new plan, and nothing waits for a solve."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from fractions import Fraction
from http.client import HTTPConnection
from typing import Any, cast

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.grid_tables import watches
from app.db.models import LOCAL_TENANT
from app.db.unit import Unit
from app.db.watches import Taken, WatchWork
from app.grids import drift
from app.grids.keeper import DriftKeeper, keeper_of
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.http.sources import Sources
from app.settings import Settings
from steadygrid.domain.platform import Platform
from steadygrid.studies.drift import step
from steadygrid.studies.measurements import measured_document
from tests.http.conftest import ON_SQLITE, listening
from tests.http.processes import PATIENCE
from tests.http.solving import solve_next
from tests.http.test_measurements import NOON, at, data, post, posted, speeds
from tests.http.test_quotas import give
from tests.http.test_replans import FIGURE_3, succeeded


def watched(client: TestClient, database: Database, **asked: Any) -> tuple[str, str]:
    """Solve a job on a stored platform and watch it; give the addresses of both."""
    place = posted(client)
    problem = FIGURE_3["problem"] | {"platform": place.rpartition("/")[2]}
    job = succeeded(client, database, FIGURE_3 | {"problem": problem})
    answer = client.put(f"{job}/drift", json=asked)
    assert answer.status_code == 200, answer.text
    assert answer.json()["platform"] == problem["platform"]
    return job, place


def until(client: TestClient, url: str, ready: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Ask until an answer is as it will be."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        told: dict[str, Any] = client.get(url).json()
        if ready(told):
            return told
        time.sleep(0.05)
    raise AssertionError(told)


def evaluated(client: TestClient, job: str) -> dict[str, Any]:
    return until(client, f"{job}/drift", lambda told: told["state"] not in ("waiting", "delayed"))


def plans(client: TestClient, job: str) -> list[dict[str, Any]]:
    url = f"/v1/replans?of_job={job.rpartition('/')[2]}"
    found: list[dict[str, Any]] = client.get(url).json()["items"]
    return found


def test_one_loss_makes_one_plan_and_a_further_loss_another(
    client: TestClient, database: Database
) -> None:
    job, place = watched(client, database, loss="1/10")
    receiver = {"url": "https://192.0.9.1/", "events": ["platform.drift", "replan.finished"]}
    webhook = client.post("/v1/webhooks", json=receiver).json()["links"]["self"]
    told = client.get(f"{job}/drift").json()
    assert (told["state"], told["planned"], told["kept"]) == ("unmeasured", "21/40", None)
    # 5 % slower: nothing is lost but what the processor does.
    post(client, place, speeds(at(0), P2="19/40"))
    told = evaluated(client, job)
    assert (told["state"], told["kept"], told["replan"]) == ("kept", "399/800", None)
    assert told["lost"] == "1/20"
    for minute, speed in ((1, "1/4"), (2, "249/1000"), (3, "1/4")):
        post(client, place, speeds(at(minute), P2=speed))
        told = evaluated(client, job)
    assert (told["state"], told["kept"], told["lost"]) == ("drifted", "21/80", "1/2")
    assert told["limited_by"] == ["P2.compute"]
    (plan,) = plans(client, job)
    assert plan["id"] == told["replan"]
    first = client.get(plan["links"]["self"]).json()
    assert first["measured"] == {"processors": {"P2": {"speed": "1/4"}}}
    assert (first["kept"]["same_shares"]["value"], first["state"]) == ("21/80", "queued")
    assert solve_next(database) == plan["job"]
    assert client.get(plan["links"]["self"]).json()["optimum"]["value"] == "37/80"
    post(client, place, speeds(at(4), P2=0))
    told = evaluated(client, job)
    assert (told["kept"], told["lost"], len(plans(client, job))) == ("0", "1", 2)
    # All is as planned again, and then lost again.
    post(client, place, speeds(at(5), P2="1/2"))
    assert evaluated(client, job)["state"] == "kept"
    post(client, place, speeds(at(6), P2="1/4"))
    assert evaluated(client, job)["state"] == "drifted"
    assert len(plans(client, job)) == 3
    sent = client.get(f"{webhook}/deliveries").json()["items"]
    assert [one["event"] for one in sent] == ["platform.drift"] * 3
    made = {one["links"]["self"] for one in plans(client, job)}
    assert {one["links"]["subject"] for one in sent} == made
    history = client.get(f"{place}/history").json()["items"]
    assert [(one["kept"], one["best"]) for one in history] == [
        ("21/80", None),
        ("21/40", None),
        ("0", None),
        ("21/80", None),
        ("5229/20000", None),
        ("21/80", "37/80"),
        ("399/800", None),
    ]
    assert [one["replan"] is not None for one in history] == [
        True,
        False,
        True,
        *[False] * 2,
        True,
        False,
    ]
    assert {one["job"] for one in history} == {told["job"]}
    page = client.get(f"{place}/history?limit=3&job={told['job']}").json()
    rest = client.get(f"{place}/history?page_token={page['next_page_token']}").json()
    assert page["items"] + rest["items"] == history
    schema = client.get("/openapi.json").json()
    for name, document in (
        ("Drift", evaluated(client, job)),
        ("HistoryPage", page),
        ("MeasuredJob", client.get(f"{job}/measured").json()),
        ("MeasuredJob", client.get(f"{job}/measured?numbers=float").json()),
    ):
        component = {"$ref": f"#/components/schemas/{name}"}
        jsonschema_rs.validator_for({**component, **schema}).validate(document)
    assert client.delete(f"{job}/drift").status_code == 204
    assert client.get(f"{job}/drift").status_code == 404
    assert client.get(f"{place}/history").json()["items"] == history


def test_a_forecast_says_what_is_expected_and_a_loss_may_be_told_only(
    client: TestClient, database: Database
) -> None:
    job, place = watched(client, database, forecast="mean", samples=2, solve=False)
    measured = [speeds(at(k), P2=one) for k, one in enumerate((9, "1/4", "1/8"))]
    post(client, place, *measured)
    told = evaluated(client, job)
    # The mean of the last two is 3/16: P2 does 7/20 of the period's tasks at 1/2.
    assert (told["kept"], told["state"]) == (str(Fraction(21, 40) * Fraction(3, 8)), "drifted")
    (plan,) = plans(client, job)
    assert (plan["job"], plan["state"]) == (None, "none")


def parts_of(client: TestClient) -> Resources:
    application: Any = client.app
    found: Resources = application.state.resources
    return found


def stopped(client: TestClient) -> DriftKeeper:
    """Stop the background of a service, as if its process had died."""
    application: Any = client.app
    keeper = keeper_of(application)
    portal: Any = client.portal
    portal.call(keeper.close)
    return keeper


def test_what_a_process_leaves_that_dies_is_taken_up_once(
    client: TestClient,
    database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keeper = stopped(client)
    parts = parts_of(client)
    try:
        job, place = watched(client, database)
        post(client, place, speeds(at(), P2="1/4"))
        job_id = job.rpartition("/")[2]
        assert client.get(f"{job}/drift").json()["state"] == "waiting"

        def take(lease: float) -> list[Taken]:
            with database.write_all() as unit:
                return unit.watch_work.take(lease, 9)

        # Dies after it has taken the watch: no other process gets it before the lease is over.
        (late,) = take(-1.0)
        (second,) = take(60.0)
        assert take(60.0) == []
        found = drift.evaluate(Sources(settings, database), b"", LOCAL_TENANT, job_id)
        assert isinstance(found, drift.Evaluation)
        # Dies in the unit that stores: nothing of it is there.
        with pytest.raises(RuntimeError, match="killed"), killed_at_the_end(monkeypatch):
            drift.keep(parts, second, found)
        assert (plans(client, job), client.get(f"{job}/drift").json()["kept"]) == ([], None)
        # Was too slow: another one has taken it since.
        with pytest.raises(drift.OutdoneError):
            drift.keep(parts, late, found)
        assert plans(client, job) == []
        drift.keep(parts, second, found)
        # Says it again: too late.
        again = drift.evaluate(Sources(settings, database), b"", LOCAL_TENANT, job_id)
        assert isinstance(again, drift.Evaluation)
        assert (again.step.crossing, again.replan) == (False, None)
        assert take(60.0) == []
        (plan,) = plans(client, job)
        assert client.get(f"{job}/drift").json()["replan"] == plan["id"]
        with database.read(LOCAL_TENANT) as unit:
            jobs = [one for one in unit.jobs.page(9).items if one.replan_of == job_id]
        assert [one.id for one in jobs] == [plan["job"]]
    finally:
        portal: Any = client.portal
        portal.call(restart, keeper)


async def restart(keeper: DriftKeeper) -> None:
    keeper.start()
    await asyncio.sleep(0)


def test_the_database_is_closed_when_no_unit_is_in_progress(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, portal = stopped(client), cast(Any, client.portal)
    begun, ended = threading.Event(), threading.Event()

    def slowly(_: WatchWork, *__: Any) -> list[Taken]:
        begun.set()
        time.sleep(0.5)
        ended.set()
        return []

    try:
        with monkeypatch.context() as patched:
            patched.setattr(WatchWork, "take", slowly)
            portal.call(restart, keeper)
            assert begun.wait(30)
            portal.call(keeper.close)
            assert ended.is_set()
    finally:
        portal.call(restart, keeper)


@contextmanager
def killed_at_the_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every unit of a tenant fail before it commits."""
    before = Database.write

    @contextmanager
    def write(database: Database, tenant: str) -> Iterator[Unit]:
        with before(database, tenant) as unit:
            yield unit
            raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(Database, "write", write)
        yield


def test_what_is_measured_of_a_link_of_one_direction_says_nothing_of_the_other() -> None:
    ends = {"source": "P1", "target": "P2", "unit_time": 1}
    links = [ends | {"duplex": "simplex"}, {"source": "P2", "target": "P1", "unit_time": 1}]
    links[1]["duplex"] = "simplex"
    processors = [{"id": one, "unit_time": 1} for one in ("P1", "P2")]
    platform = Platform.model_validate({"processors": processors, "links": links})
    back = {"source": "P2", "target": "P1", "bandwidth": "1/9"}
    assert measured_document(platform, {"link:P2->P1": Fraction(1, 9)}) == {"links": [back]}
    both = Platform.model_validate({"processors": processors, "links": [ends]})
    there = {"source": "P1", "target": "P2", "bandwidth": "1/9"}
    assert measured_document(both, {"link:P2->P1": Fraction(1, 9)}) == {"links": [there]}


def test_a_full_queue_delays_a_plan_and_loses_none(client: TestClient, database: Database) -> None:
    job, place = watched(client, database)
    give(database, queued_jobs=1)
    assert client.post("/v1/jobs", json=FIGURE_3).status_code == 202
    post(client, place, speeds(at(), P2="1/4"))
    told = until(client, f"{job}/drift", lambda told: told["error"] is not None)
    assert (told["state"], told["error"]["code"], plans(client, job)) == (
        "delayed",
        "quota_exceeded",
        [],
    )
    give(database, queued_jobs=None)
    # Half a minute later.
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(watches).values(lease_until=current_time(-1)))
    application: Any = client.app
    keeper_of(application).nudge()
    assert evaluated(client, job)["error"] is None
    assert len(plans(client, job)) == 1


@ON_SQLITE
def test_a_reader_that_dies_once_delays_an_evaluation_by_half_a_minute(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, portal = stopped(client), cast(Any, client.portal)

    async def dies(*_: Any) -> None:
        raise Refusal("reading_failed", "The process has ended.")

    try:
        job, place = watched(client, database)
        post(client, place, speeds(at(), P2="1/4"))
        pauses = []
        with monkeypatch.context() as patched:
            patched.setattr(parts_of(client).readers, "work", dies)
            for _ in range(2):
                assert portal.call(keeper.step)
                with database.engine.connect() as connection, connection.begin():
                    now = connection.execute(select(current_time())).scalar_one()
                    end = connection.execute(select(watches.c.lease_until)).scalar_one()
                    connection.execute(update(watches).values(lease_until=current_time(-1)))
                pauses.append((end - now).total_seconds())
        # What kills a process each time would do so again and again.
        assert (20 < pauses[0] <= 30, 590 < pauses[1] <= 600) == (True, True), pauses
    finally:
        portal.call(restart, keeper)
    assert evaluated(client, job)["state"] == "drifted"


def test_who_cannot_be_watched_is_told_why(client: TestClient, database: Database) -> None:
    waits = client.post("/v1/jobs", json=FIGURE_3).headers["Location"]
    answer = client.put(f"{waits}/drift", json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "job_not_finished")
    solve_next(database)

    def refused(body: Any) -> list[tuple[str, str]]:
        answer = client.put(f"{waits}/drift", json=body)
        assert answer.status_code == 422
        return [(one["pointer"], one["code"]) for one in answer.json()["errors"]]

    assert refused({}) == [("#/platform", "unknown_platform")]
    assert refused({"platform": "plt_" + "0" * 32}) == [("#/platform", "unknown_platform")]
    other = client.post("/v1/platforms", json={"processors": [{"id": "Q", "speed": 1}]}).json()
    assert refused({"platform": other["id"]}) == [("#/platform", "other_platform")]
    assert refused({"loss": 0, "forecasts": 1, "samples": 1}) == [
        ("#/loss", "zero_rational"),
        ("#/samples", "greater_than_equal"),
        ("#/forecasts", "extra_forbidden"),
    ]
    assert refused({"cost": 1}) == [("#", "cost_and_horizon")]
    assert refused({"loss": "0." + "3" * 60 + "e-30"}) == [("#/loss", "rational_too_long")]
    assert client.get(f"{waits}/measured").status_code == 404
    # Its platform, stored later, is known by its content.
    place = posted(client)
    assert client.put(f"{waits}/drift", json={}).json()["links"]["platform"] == place
    assert client.delete(waits).status_code == 204
    assert client.get(f"{waits}/drift").status_code == 404


def test_the_job_s_stream_tells_what_is_slower_and_what_is_kept(
    settings: Settings, client: TestClient, database: Database
) -> None:
    job, place = watched(client, database)
    with listening(settings) as address, closing(HTTPConnection(*address, PATIENCE)) as stream:
        stream.request("GET", f"{job}/measured/events")
        lines = (line.decode() for line in stream.getresponse())
        assert data(lines)["items"] == []
        post(client, place, speeds(at(), P2="11/25", P3="49/100"))
        told = data(lines)
        assert [(one["resource"], one["slower"], one["text"]) for one in told["items"]] == [
            ("processor:P2", "3/25", "12 % slower than planned"),
            ("processor:P3", "1/50", None),
        ]
        while told["drift"]["state"] == "waiting":
            told = data(lines)
        assert (told["drift"]["state"], told["drift"]["lost"]) == ("drifted", "3/25")
        # It is watched no more, and later again: the stream that is open tells both at once.
        assert client.delete(f"{job}/drift").status_code == 204
        assert data(lines)["drift"] is None
        post(client, place, speeds(at(1), P2="1/4"))
        assert [one["measured"] for one in data(lines)["items"]] == ["1/4"]
        assert client.put(f"{job}/drift", json={"loss": "1/3"}).status_code == 200
        post(client, place, speeds(at(2), P2="1/5"))
        told = data(lines)
        while told["drift"]["state"] == "waiting":
            told = data(lines)
        assert (told["drift"]["state"], told["drift"]["lost"]) == ("drifted", "3/5")


def test_a_start_says_exactly_where_a_schedule_is(client: TestClient, database: Database) -> None:
    job = succeeded(client, database)
    missing = client.get(f"{job}/epoch")
    assert missing.status_code == 404
    start = {"epoch": at(), "unit_seconds": "3/2"}
    assert client.put(f"{job}/epoch", json=start).json()["epoch"] == at()
    period = Fraction(client.get(client.get(job).json()["links"]["schedule"]).json()["period"])
    moment = (NOON + timedelta(hours=1, microseconds=1)).isoformat().replace("+00:00", "Z")
    told = client.get(f"{job}/epoch?at={moment}").json()
    elapsed = (3600 + Fraction(1, 10**6)) / Fraction(3, 2)
    assert Fraction(told["elapsed"]) == elapsed
    assert int(told["number"]) == elapsed // period + 1
    assert Fraction(told["position"]) == elapsed % period
    events = client.get(told["links"]["timeline"]).json()["items"]
    assert {one["period"] for one in events} >= {int(told["number"])}
    before = client.get(f"{job}/epoch?at=2026-11-27T11:59:59Z").json()
    assert (before["elapsed"], before["number"], before["position"]) == ("-2/3", "0", "0")
    # The platform says its unit.
    assert client.put(f"{job}/epoch", json={"epoch": at()}).json()["unit_seconds"] == "1"
    refused = client.put(f"{job}/epoch", json={"epoch": "today"}).json()["errors"]
    assert [one["pointer"] for one in refused] == ["#/epoch"]
    assert client.delete(f"{job}/epoch").status_code == 204
    assert client.delete(f"{job}/epoch").status_code == 404


@given(st.lists(st.fractions(0, 1, max_denominator=100), max_size=30), st.sampled_from((5, 10, 3)))
def test_each_plan_is_for_a_further_loss(kept: list[Fraction], part: int) -> None:
    one, loss = Fraction(1), Fraction(1, part)
    reference = one
    for rate in kept:
        before, found = reference, step(one, reference, rate, loss)
        reference = found.reference
        assert found.crossing == (before - rate > loss)
        assert rate >= reference - loss
        # The same again is no further loss.
        assert not step(one, reference, rate, loss).crossing
