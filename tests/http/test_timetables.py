"""Schedules that repeat row by row: their rows, and what they say happens when."""

from fractions import Fraction

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import pack_schedule
from steadygrid.domain.timetable import (
    Computing,
    Row,
    Timetable,
    occurrence_document,
    occurrences,
)
from tests.domain.test_timetable import ROWS
from tests.http.bodies import BODY, claim, finish
from tests.http.on_sqlite import settings

__all__ = ["settings"]


@pytest.fixture
def path(client: TestClient, database: Database) -> str:
    return stored(client, database, ROWS)


def stored(client: TestClient, database: Database, schedule: Timetable) -> str:
    own = client.post("/v1/jobs", json=BODY).headers["Location"]
    finish(database, claim(database), schedule)
    found: str = client.get(own).json()["links"]["schedule"]
    return found


def test_it_reads_back_as_it_was(path: str, client: TestClient, database: Database) -> None:
    schedule_id = path.rpartition("/")[2]
    assert pack_schedule(ROWS).id == schedule_id
    with database.read("local") as unit:
        assert unit.schedules.load(schedule_id) == ROWS
    assert client.get(f"{path}/document").json() == ROWS.document
    header = client.get(path, params={"numbers": "float"}).json()
    assert header.pop("links")["rows"] == f"{path}/rows"
    assert header == ROWS.header | {
        "id": schedule_id,
        "period": 14,
        "instances_per_period": 2,
        "throughput": 1 / 7,
        "optimal_throughput": 1 / 7,
        "loss": 0,
    }


def test_its_rows_are_paged(path: str, client: TestClient) -> None:
    first = client.get(f"{path}/rows", params={"limit": 4}).json()
    params = {"page_token": first["next_page_token"], "numbers": "float"}
    second = client.get(f"{path}/rows", params=params).json()
    assert first["items"] == ROWS.document["rows"][:4]
    assert second == {
        "items": [
            {"kind": "compute", "processor": "P3", "task": "filter", "residue": 1, "modulus": 2,
             "start": 14, "time": 1 / 3, "every": 14},
        ],
        "next_page_token": None,
    }  # fmt: skip


@pytest.mark.parametrize("part", ["allocations", "computations", "slots", "dispatch"])
def test_what_it_does_not_have_is_empty(path: str, client: TestClient, part: str) -> None:
    assert client.get(f"{path}/{part}").json() == {"items": [], "next_page_token": None}


def events(begin: int, end: int) -> list[dict[str, object]]:
    found = occurrences(ROWS.rows, Fraction(begin), Fraction(end))
    return [occurrence_document(ROWS.rows[one.row], one) for one in found]


def test_its_timeline_is_one_period_unless_asked_for_more(path: str, client: TestClient) -> None:
    page = client.get(f"{path}/timeline").json()
    assert page == {"items": events(0, 14), "next_page_token": None}
    later = client.get(f"{path}/timeline", params={"from": "1000000"}).json()
    assert later["items"] == events(10**6, 10**6 + 14)
    assert {event["data_set"] for event in later["items"]} == {142856, 142857, 142858, 142859}


def test_its_timeline_is_paged(path: str, client: TestClient) -> None:
    seen: list[dict[str, object]] = []
    token, pages = None, 0
    while token is not None or not pages:
        params = {"from": "3", "to": "100", "limit": "7"}
        params |= {} if token is None else {"page_token": token}
        page = client.get(f"{path}/timeline", params=params).json()
        seen, token, pages = [*seen, *page["items"]], page["next_page_token"], pages + 1
    assert seen == events(3, 100)
    assert pages > len(seen) // 7


def test_the_latest_pages_of_the_shortest_rows_follow_each_other(
    client: TestClient, database: Database
) -> None:
    short = Fraction(1, 10**63)
    row = Row(Computing("read", "P1"), 0, 1, short, short, short)
    path = stored(client, database, Timetable("one_port", short, 1, (row,)))
    params = {"from": "9" * 1099, "to": "9" * 1100, "limit": "1"}
    for turn in range(3):
        page = client.get(f"{path}/timeline", params=params).json()
        (event,) = page["items"]
        assert event["data_set"] == int("9" * 1099) * 10**63 - 1 + turn
        params["page_token"] = page["next_page_token"]


@pytest.mark.parametrize("token", ["", "!", "WyJhIl0", "MS4wLjAuMA", "Wy0xXQ", "NS4w", "MC4tMQ"])
def test_a_page_token_that_is_none_is_refused(path: str, client: TestClient, token: str) -> None:
    answer = client.get(f"{path}/timeline", params={"page_token": token})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "invalid_page_token"
