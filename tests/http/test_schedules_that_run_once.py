"""Schedules without a period: their events, and the parts that they do not have."""

from fractions import Fraction

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import pack_schedule
from app.schedules.service import EVENTS
from steadygrid.domain.forms import FORMS
from steadygrid.domain.timeline import Event, Timeline
from tests.http.bodies import BODY, claim, finish
from tests.http.on_sqlite import settings

__all__ = ["settings"]

COUNT = 2_500
"""Events on each of two processors and the link between them; more than a chunk holds."""
LENGTH = Fraction(1, 2)


def once() -> Timeline:
    """One load in many installments, each sent, and computed right after."""
    share = Fraction(1, COUNT)
    sent = [
        Event(i * LENGTH, (i + 1) * LENGTH, ("M", "W"), "a", i + 1, share) for i in range(COUNT)
    ]
    done = [Event((i + 1) * LENGTH, (i + 2) * LENGTH, "W", "a", i + 1, share) for i in range(COUNT)]
    events = sorted([*sent, *done], key=lambda event: event.start)
    return Timeline("one_port", (COUNT + 1) * LENGTH, tuple(events))


@pytest.fixture
def path(client: TestClient, database: Database) -> str:
    own = client.post("/v1/jobs", json=BODY).headers["Location"]
    finish(database, claim(database), once())
    found: str = client.get(own).json()["links"]["schedule"]
    return found


def test_it_reads_back_as_it_was(path: str, database: Database) -> None:
    schedule_id = path.rpartition("/")[2]
    assert pack_schedule(once()).id == schedule_id
    with database.read("local") as unit:
        assert unit.schedules.load(schedule_id) == once()


def test_every_form_of_schedules_has_events() -> None:
    assert EVENTS.keys() == FORMS.keys()


def test_its_header_has_a_makespan_and_no_period(path: str, client: TestClient) -> None:
    header = client.get(path).json()
    assert header.pop("links")["timeline"] == f"{path}/timeline"
    assert header == {
        "id": path.rpartition("/")[2],
        "form": "once",
        "period": None,
        "makespan": "2501/2",
        "instances_per_period": None,
        "throughput": None,
        "optimal_throughput": None,
        "loss": None,
        "rounding_loss": None,
        "ports": "one_port",
        "prologue_periods": None,
        "latency_periods": None,
        "preempted": None,
        "counts": {
            "allocations": 0,
            "computations": 0,
            "slots": 0,
            "transfers": 0,
            "events": 2 * COUNT,
        },
        "files": [],
    }
    assert client.get(path, params={"numbers": "float"}).json()["makespan"] == 1250.5


@pytest.mark.parametrize("part", ["allocations", "computations", "slots", "dispatch"])
def test_what_repeats_is_empty(path: str, client: TestClient, part: str) -> None:
    answer = client.get(f"{path}/{part}")
    assert answer.status_code == 200
    assert answer.json() == {"items": [], "next_page_token": None}


def test_its_timeline_has_all_events_by_default(path: str, client: TestClient) -> None:
    page = client.get(f"{path}/timeline").json()
    assert page["next_page_token"] is None
    assert page["items"] == once().document["events"]


def test_its_timeline_is_paged(path: str, client: TestClient) -> None:
    seen, token = [], None
    for _ in range(3):
        params = {"limit": 2_000} | ({} if token is None else {"page_token": token})
        page = client.get(f"{path}/timeline", params=params).json()
        seen += page["items"]
        token = page["next_page_token"]
    assert token is None
    assert seen == once().document["events"]


def test_a_window_holds_what_overlaps_it(path: str, client: TestClient) -> None:
    window = {"from": "1", "to": "5/4", "numbers": "float"}
    page = client.get(f"{path}/timeline", params=window).json()
    assert page == {
        "items": [
            {"start": 1.0, "end": 1.5, "link": ["M", "W"], "kind": "transfer", "load": "a",
             "installment": 3, "share": 0.0004},
            {"start": 1.0, "end": 1.5, "processor": "W", "kind": "compute", "load": "a",
             "installment": 2, "share": 0.0004},
        ],
        "next_page_token": None,
    }  # fmt: skip
    after = client.get(f"{path}/timeline", params={"from": "1250"}).json()
    assert [event["kind"] for event in after["items"]] == ["compute"]


@pytest.mark.parametrize("token", ["", "!", "WyJhIl0", "MS4wLjAuMA", "Wy0xXQ"])
def test_a_page_token_that_is_none_is_refused(path: str, client: TestClient, token: str) -> None:
    answer = client.get(f"{path}/timeline", params={"page_token": token})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "invalid_page_token"
