"""Schedules that are told as runs of links: their parts over HTTP, and slots that are derived."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.schedules import service, transfers
from steadygrid.domain.periods import first_periods, hop_periods
from steadygrid.domain.runs import Cargo, Run
from steadygrid.domain.schedule import Allocation, Computation, Schedule, Transfer
from steadygrid.domain.slots import slot_document
from tests.http.bodies import INPUT, schedule
from tests.http.on_sqlite import settings
from tests.http.test_schedule_parts import stored

__all__ = ["settings"]

F = Fraction
LATE = ("late", "task")


def in_runs() -> Schedule:
    """A period of 9: M sends to A, and A on to W, twice; numbers are made up."""
    path = ("M", "A", "W")
    ways = (Transfer(INPUT, path, F(1)), Transfer(LATE, path, F(1)))
    return replace(
        schedule(),
        period=F(9),
        allocations=(Allocation(0, F(2, 9), F(2), {"task": ("W",), "late": ("M",)}, ways),),
        computations=(Computation("W", "task", 0, F(2), F(1, 2), F(4)),),
        files=(INPUT, LATE),
        slots=(),
        runs=(
            Run(F(0), F(5), "M", "A", (Cargo(INPUT, 0, F(2), F(3)), Cargo(LATE, 0, F(1), F(1)))),
            Run(F(1), F(2), "A", "W", (Cargo(LATE, 0, F(1), F(1)),)),
            Run(F(5, 2), F(8), "A", "W", (Cargo(INPUT, 0, F(2), F(4)), Cargo(LATE, 0, F(1), F(1)))),
            Run(F(6), F(7), "M", "A", (Cargo(LATE, 0, F(1), F(1)),)),
        ),
    )


@pytest.fixture
def path(client: TestClient, database: Database) -> str:
    return stored(client, database, in_runs())


def everything(client: TestClient, url: str, limit: int, **more: Any) -> list[Any]:
    """Read a part page by page."""
    found: list[Any] = []
    params: dict[str, Any] = {"limit": limit, **more}
    while True:
        answer = client.get(url, params=params)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["items"]) <= limit
        found += page["items"]
        if page["next_page_token"] is None:
            return found
        params["page_token"] = page["next_page_token"]


def test_the_header_counts_runs_and_the_slots_that_they_make(client: TestClient, path: str) -> None:
    header = client.get(path).json()
    assert header["counts"] == {
        "allocations": 1,
        "computations": 1,
        "runs": 4,
        "cargo": 6,
        "slots": 9,
        "transfers": 14,
    }
    assert header["interruptions"] == 2
    assert header["links"]["runs"] == f"{path}/runs"


@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_runs_and_their_slots_are_listed_page_by_page(
    client: TestClient, path: str, limit: int
) -> None:
    runs = everything(client, f"{path}/runs", limit)
    assert runs[0] == {
        "start": "0",
        "end": "5",
        "sender": "M",
        "receiver": "A",
        "cargo": [
            {"file": list(INPUT), "allocation": 0, "count": "2", "time": "3"},
            {"file": list(LATE), "allocation": 0, "count": "1", "time": "1"},
        ],
    }
    assert [run["start"] for run in runs] == ["0", "1", "5/2", "6"]
    slots = everything(client, f"{path}/slots", limit)
    assert slots == [slot_document(slot) for slot in in_runs().slots]
    assert slots[0]["transfers"][0]["count"] == "2/3"  # goes on in the next slot


def test_numbers_are_rounded_on_demand(client: TestClient, path: str) -> None:
    (first, *_) = client.get(f"{path}/runs?numbers=float").json()["items"]
    assert (first["end"], first["cargo"][0]["time"]) == (5.0, 3.0)


def test_a_document_has_runs_and_is_read_back(client: TestClient, path: str) -> None:
    document = client.get(f"{path}/document").json()
    assert "slots" not in document
    assert Schedule.from_document(document) == in_runs()


def test_too_many_slots_are_not_derived(
    client: TestClient, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def few(*given: Any) -> Any:
        return transfers.derived_page(given[0], given[1], given[2], given[3], given[4], 13)

    monkeypatch.setattr(service, "derived_page", few)
    answer = client.get(f"{path}/slots")
    assert (answer.status_code, answer.json()["code"]) == (409, "slots_too_many")
    assert "14 transfers" in answer.json()["detail"]
    assert "/runs" in answer.json()["detail"]
    assert client.get(f"{path}/runs").status_code == 200


def test_slots_of_older_schedules_are_joined_to_runs(
    client: TestClient, database: Database
) -> None:
    path = stored(client, database)
    assert client.get(f"{path}/runs").json()["items"] == [
        {
            "start": "0",
            "end": "1",
            "sender": "M",
            "receiver": "W",
            "cargo": [{"file": list(INPUT), "allocation": 0, "count": "1", "time": "1"}],
        }
    ]
    flowing = stored(client, database, replace(schedule(), ports="multiport"))
    assert client.get(f"{flowing}/runs").json()["items"] == []


def expected_events(begin: Fraction, end: Fraction) -> list[tuple[Any, ...]]:
    """What the runs and computations of `in_runs` do in a window, worked out one by one."""
    made = in_runs()
    allocation = made.allocations[0]
    tasks = first_periods(made.files, allocation, "one_port")
    hops = hop_periods(made.files, allocation, "one_port")
    first = {
        (way.file, ends): period
        for way, periods in zip(allocation.transfers, hops, strict=True)
        for ends, period in zip((("M", "A"), ("A", "W")), periods, strict=True)
    }
    events: list[tuple[Any, ...]] = []
    for period in range(1, 9):
        zero = (period - 1) * made.period
        for done in made.computations:
            if period >= tasks[done.task, done.processor]:
                start = zero + done.start
                events.append((start, start + done.time, done.processor, str(done.count)))
        for run in made.runs or ():
            ends = run.sender, run.receiver
            for start, stop, cargo in run.stretches():
                if period >= first[cargo.file, ends]:
                    events.append((zero + start, zero + stop, ends, str(cargo.count)))
    return sorted(
        (one for one in events if one[0] < end and one[1] > begin),
        key=lambda one: (one[0], str(one)),
    )


@pytest.mark.parametrize("limit", [1, 4, 1000])
@pytest.mark.parametrize(
    ("begin", "end"), [("0", "45"), ("11/2", "20"), ("28", "29"), ("31", "40")]
)
def test_events_are_cargo_in_the_order_of_their_starts(
    client: TestClient, path: str, begin: str, end: str, limit: int
) -> None:
    listed = everything(client, f"{path}/timeline", limit, **{"from": begin, "to": end})
    assert [F(event["start"]) for event in listed] == sorted(F(event["start"]) for event in listed)
    events = [
        (
            F(event["start"]),
            F(event["end"]),
            event["processor"] if event["kind"] == "compute" else tuple(event["link"]),
            event["count"],
        )
        for event in listed
    ]
    assert sorted(events, key=lambda one: (one[0], str(one))) == expected_events(F(begin), F(end))
