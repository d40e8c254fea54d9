"""Schedules in pages, and what never changes."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from steadygrid.domain.combination import Combination
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Grouping,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from tests.http.bodies import BODY, INPUT, claim, finish, schedule
from tests.http.on_sqlite import settings

__all__ = ["settings"]


def stored(client: TestClient, database: Database, found: Schedule | None = None) -> str:
    """Store a schedule by way of a job and give its path."""
    own = client.post("/v1/jobs", json=BODY).headers["Location"]
    finish(database, claim(database), found)
    path: str = client.get(own).json()["links"]["schedule"]
    return path


def long_schedule(count: int) -> Schedule:
    """A period of `count` slots, each with as many transfers to the worker; made up."""
    one = Fraction(1)
    base = schedule()
    return Schedule(
        **{
            **vars(base),
            "period": Fraction(count),
            "slots": tuple(
                Slot(Fraction(i), one, (SlotTransfer("M", "W", INPUT, 0, one),) * count)
                for i in range(count)
            ),
        }
    )


def test_the_header_says_how_long_the_parts_are(client: TestClient, database: Database) -> None:
    path = stored(client, database)
    answer = client.get(path)
    assert answer.status_code == 200
    header = answer.json()
    assert header.pop("links")["slots"] == f"{path}/slots"
    assert header == {
        "id": path.rpartition("/")[2],
        "form": "periodic",
        "period": "2",
        "makespan": None,
        "instances_per_period": "1",
        "throughput": "1/2",
        "optimal_throughput": "1/2",
        "loss": "0",
        "rounding_loss": None,
        "ports": "one_port",
        "prologue_periods": 1,
        "latency_periods": 2,
        "preempted": False,
        "counts": {"allocations": 1, "computations": 1, "slots": 1, "transfers": 1},
        "files": [["begin", "task"]],
    }


@pytest.mark.parametrize(
    ("grouping", "exact", "rounded"),
    [
        (
            Grouping(8, Fraction(7, 2)),
            {"grouped_periods": 8, "latency_time": "7/2"},
            {"grouped_periods": 8, "latency_time": 3.5},
        ),
        (
            Grouping(1, Fraction(0), Fraction(5, 2), Fraction(1)),
            {"latency_time": "0", "completion_time_at_most": "5/2", "no_schedule_before": "1"},
            {"latency_time": 0, "completion_time_at_most": 2.5, "no_schedule_before": 1},
        ),
    ],
)
def test_the_header_says_how_latencies_are_paid(
    client: TestClient,
    database: Database,
    grouping: Grouping,
    exact: dict[str, Any],
    rounded: dict[str, Any],
) -> None:
    path = stored(client, database, replace(schedule(), grouping=grouping))
    header = client.get(path).json()
    assert header | exact == header
    assert ("no_schedule_before" in header) == (grouping.no_schedule_before is not None)
    assert (
        client.get(path, params={"numbers": "float"}).json() | rounded
        == client.get(path, params={"numbers": "float"}).json()
    )
    assert Schedule.from_document(client.get(f"{path}/document").json()).grouping == grouping


def test_the_parts_are_as_the_contract_shows_them(client: TestClient, database: Database) -> None:
    path = stored(client, database)

    def items(part: str, **params: Any) -> Any:
        page = client.get(f"{path}/{part}", params=params).json()
        assert page["next_page_token"] is None
        return page["items"]

    assert items("allocations") == [
        {
            "index": 0,
            "rate": "1/2",
            "instances_per_period": "1",
            "tasks": {"task": "W"},
            "transfers": [{"file": ["begin", "task"], "path": ["M", "W"], "share": "1"}],
        }
    ]
    assert items("computations") == [
        {
            "processor": "W",
            "task": "task",
            "allocation": 0,
            "count": "1",
            "start": "0",
            "time": "2",
        }
    ]
    assert items("slots", numbers="float") == [
        {
            "start": 0.0,
            "duration": 1.0,
            "transfers": [
                {
                    "sender": "M",
                    "receiver": "W",
                    "file": ["begin", "task"],
                    "allocation": 0,
                    "count": 1.0,
                }
            ],
        }
    ]
    assert items("allocations", numbers="float")[0]["transfers"][0]["share"] == 1.0
    assert items("dispatch", count=3) == [0, 0, 0]


@pytest.mark.parametrize(
    "part",
    [
        *("", "/allocations", "/computations", "/slots?limit=1", "/timeline", "/dispatch"),
        "/document",
    ],
)
def test_nothing_of_a_schedule_ever_changes(
    client: TestClient, database: Database, part: str
) -> None:
    path = stored(client, database) + part
    answer = client.get(path)
    tag = answer.headers["ETag"]
    assert tag.startswith('"')
    assert "immutable" in answer.headers["Cache-Control"]
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == tag
    assert client.get(path, headers={"If-None-Match": '"x"'}).status_code == 200


def test_parts_are_paged_to_the_end(client: TestClient, database: Database) -> None:
    path = stored(client, database, long_schedule(7)) + "/slots"
    starts: list[str] = []
    params: dict[str, Any] = {"limit": 3}
    while True:
        page = client.get(path, params=params).json()
        starts += [slot["start"] for slot in page["items"]]
        if page["next_page_token"] is None:
            break
        params["page_token"] = page["next_page_token"]
    assert starts == [str(i) for i in range(7)]


@pytest.mark.parametrize("part", ["allocations", "computations", "slots", "timeline"])
@pytest.mark.parametrize("token", ["x", "%00", "WyJhIl0", "Wy0xXQ", "MC4wLjAuMA", "Ww", "9" * 5000])
def test_page_tokens_that_were_made_up_are_refused(
    client: TestClient, database: Database, part: str, token: str
) -> None:
    path = stored(client, database)
    answer = client.get(f"{path}/{part}?page_token={token}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["parameter"] == "page_token"


def timeline(client: TestClient, path: str, **params: Any) -> Any:
    return client.get(f"{path}/timeline", params=params).json()["items"]


def transfer(start: str, end: str, period: int) -> dict[str, Any]:
    where = {"link": ["M", "W"], "kind": "transfer", "file": ["begin", "task"], "allocation": 0}
    return {"start": start, "end": end, "count": "1", **where, "period": period}


def compute(start: str, end: str, period: int) -> dict[str, Any]:
    where = {"processor": "W", "kind": "compute", "task": "task", "allocation": 0}
    return {"start": start, "end": end, "count": "1", **where, "period": period}


def test_the_timeline_begins_with_the_prologue(client: TestClient, database: Database) -> None:
    path = stored(client, database)
    # Without a window: to the end of the first period in which everything takes part.
    assert timeline(client, path) == [
        transfer("0", "1", 1),
        compute("2", "4", 2),
        transfer("2", "3", 2),
    ]


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ({"from": "0", "to": "2"}, [transfer("0", "1", 1)]),
        ({"from": "1", "to": "2"}, []),
        ({"from": "1/2", "to": "1"}, [transfer("0", "1", 1)]),
        ({"from": "7/2"}, [compute("2", "4", 2), compute("4", "6", 3), transfer("4", "5", 3)]),
        ({"to": "1/4"}, [transfer("0", "1", 1)]),
        ({"from": "3", "to": "3"}, []),
        (
            {"from": "2e30", "to": "2000000000000000000000000000001"},
            [
                compute(f"2{'0' * 30}", f"2{'0' * 29}2", 10**30 + 1),
                transfer(f"2{'0' * 30}", f"2{'0' * 29}1", 10**30 + 1),
            ],
        ),
    ],
)
def test_a_window_holds_what_overlaps_it(
    client: TestClient, database: Database, window: dict[str, str], expected: list[Any]
) -> None:
    assert timeline(client, stored(client, database), **window) == expected


def test_the_timeline_is_paged(client: TestClient, database: Database) -> None:
    path = stored(client, database, long_schedule(5)) + "/timeline"
    window = {"from": "3", "to": "12"}
    whole = client.get(path, params=window).json()
    assert whole["next_page_token"] is None
    found: list[Any] = []
    params: dict[str, Any] = window | {"limit": 4}
    while True:
        page = client.get(path, params=params).json()
        found += page["items"]
        if page["next_page_token"] is None:
            break
        params["page_token"] = page["next_page_token"]
    assert found == whole["items"]
    assert len(found) == 9 * 5 + 2
    starts = [Fraction(event["start"]) for event in found]
    assert starts == sorted(starts)


def test_a_timeline_gives_at_most_ten_thousand_events(
    client: TestClient, database: Database
) -> None:
    path = stored(client, database, long_schedule(110)) + "/timeline"
    page = client.get(path, params={"limit": 10**6, "to": "110"}).json()
    assert len(page["items"]) == 10_000
    rest = client.get(path, params={"to": "110", "page_token": page["next_page_token"]}).json()
    assert len(rest["items"]) == 2_100
    assert rest["next_page_token"] is None


@pytest.mark.parametrize(
    ("parameter", "value", "code"),
    [
        ("from", "now", "not_a_rational"),
        ("from", "-1", "not_a_rational"),
        ("from", "1/0", "not_a_rational"),
        ("from", "\x00", "not_a_rational"),
        ("to", "1e999", "not_a_rational"),
        ("to", "9" * 1101, "not_a_rational"),
        ("to", "1", "window_backwards"),
        ("limit", "0", "greater_than_equal"),
        ("count", "3", "unknown_parameter"),
    ],
)
def test_a_window_that_is_none_is_refused(
    client: TestClient, database: Database, parameter: str, value: str, code: str
) -> None:
    path = stored(client, database)
    params = {parameter: value} | ({"from": "2"} if code == "window_backwards" else {})
    answer = client.get(f"{path}/timeline", params=params)
    assert answer.status_code == 422
    error = answer.json()["errors"][0]
    assert (error["parameter"], error["code"]) == (parameter, code)


def test_dates_may_be_as_long_as_those_of_answers(client: TestClient, database: Database) -> None:
    path = stored(client, database)
    begin = "2" + "0" * 1000
    assert timeline(client, path, **{"from": begin, "to": begin[:-1] + "1"})[1]["start"] == begin


@pytest.mark.parametrize("count", ["0", "10001", "x"])
def test_a_count_of_instances_has_bounds(
    client: TestClient, database: Database, count: str
) -> None:
    path = stored(client, database)
    answer = client.get(f"{path}/dispatch", params={"count": count})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["parameter"] == "count"


def test_a_dispatch_order_goes_on_where_it_ended(client: TestClient, database: Database) -> None:
    base = schedule()
    (whole,) = base.allocations
    rates = (Fraction(1, 4), Fraction(1, 20), Fraction(1, 10))
    allocations = tuple(whole._replace(index=i, rate=rate) for i, rate in enumerate(rates))
    path = f"{stored(client, database, replace(base, allocations=allocations))}/dispatch"

    def order(**asked: int) -> Any:
        return client.get(path, params=asked).json()["items"]

    first = order(count=40)
    assert set(first) == {0, 1, 2}
    assert order(**{"from": 3}, count=37) == order(start=3, count=37) == first[3:]
    assert order(**{"from": 8 * 10**16 + 3}, count=5) == first[3:8]
    assert client.get(path, params={"from": -1}).status_code == 422
    both = client.get(path, params={"from": 3, "start": 3})
    assert both.json()["errors"][0]["code"] == "conflicting_parameters"


@pytest.mark.parametrize("name", ["from", "start"])
def test_a_place_that_too_many_instances_decide_is_refused(
    client: TestClient, database: Database, name: str
) -> None:
    base = schedule()
    (whole,) = base.allocations
    slow = Fraction(1, 10**8)
    rates = (1 - 4 * slow, slow, 3 * slow)
    allocations = tuple(whole._replace(index=i, rate=rate) for i, rate in enumerate(rates))
    path = f"{stored(client, database, replace(base, allocations=allocations))}/dispatch"
    assert client.get(path, params={name: 2_000_000}).status_code == 200
    answer = client.get(path, params={name: 42_000_000})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["parameter"], error["code"]) == (name, "limit_exceeded")
    assert "1,000,000 can be: an allocation has a very small rate" in error["detail"]


def test_a_dispatch_order_is_paged_by_those_who_ask_for_pages(
    client: TestClient, database: Database
) -> None:
    path = f"{stored(client, database)}/dispatch"
    whole = client.get(path, params={"count": 5}).json()
    assert whole == {"items": [0] * 5, "next_page_token": None}
    lengths: list[int] = []
    token = None
    while token or not lengths:
        more: dict[str, Any] = {"page_token": token} if token else {}
        page = client.get(path, params={"from": 7, "count": 5, "limit": 2, **more}).json()
        lengths.append(len(page["items"]))
        token = page["next_page_token"]
    assert lengths == [2, 2, 1]
    refused = client.get(path, params={"page_token": "nonsense"})
    assert refused.json()["errors"][0]["code"] == "invalid_page_token"


def test_a_dispatch_order_is_that_of_one_message(client: TestClient, database: Database) -> None:
    base = schedule()
    (whole,) = base.allocations
    half = whole.rate / 2
    carried = (("A", whole.rate), ("A->B", half), ("A->B", half))
    listed = tuple(
        Allocation(
            index,
            rate,
            Fraction(1),
            {},
            (Transfer((name, "M"), ("M", "W"), Fraction(1)),),
            message=name,
        )
        for index, (name, rate) in enumerate(carried)
    )
    hops = tuple(
        SlotTransfer("M", "W", (name, "M"), index, Fraction(1))
        for index, (name, _) in enumerate(carried)
    )
    slots = (Slot(Fraction(0), Fraction(1), hops),)
    made = replace(base, allocations=listed, computations=(), slots=slots)
    path = stored(client, database, made)
    order = {
        name: client.get(f"{path}/dispatch", params={"count": 3, "message": name}).json()["items"]
        for name in ("A", "A->B")
    }
    assert order == {"A": [0, 0, 0], "A->B": [1, 2, 1]}
    told = client.get(f"{path}/allocations").json()["items"]
    assert [one["message"] for one in told] == ["A", "A->B", "A->B"]
    for name, code in (({}, "missing_parameter"), ({"message": "C"}, "unknown_message")):
        answer = client.get(f"{path}/dispatch", params=name)
        assert answer.status_code == 422
        error = answer.json()["errors"][0]
        assert (error["parameter"], error["code"]) == ("message", code)
    assert client.get(f"{path}/timeline", params={"to": "1"}).status_code == 200


def test_no_message_is_named_where_there_is_none(client: TestClient, database: Database) -> None:
    path = stored(client, database)
    assert client.get(f"{path}/dispatch", params={"message": "A"}).status_code == 422


def test_an_empty_schedule_has_an_empty_timeline(client: TestClient, database: Database) -> None:
    nothing = {"allocations": (), "computations": (), "slots": ()}
    zero = Fraction(0)
    rates = {"instances_per_period": zero, "throughput": zero, "optimal_throughput": zero}
    path = stored(client, database, Schedule(**{**vars(schedule()), **nothing, **rates}))
    assert timeline(client, path, to="1000000") == []
    assert client.get(f"{path}/dispatch").json() == {"items": [], "next_page_token": None}


def relayed(ports: Any) -> Schedule:
    """Files reach the worker over two hops, half of them by a longer way; made up."""
    one, half = Fraction(1), Fraction(1, 2)
    paths = (("M", "R", "W"), ("M", "R", "S", "W"))
    hops = (("M", "R"), ("R", "W"), ("R", "S"), ("S", "W"))
    return Schedule(
        **{
            **vars(schedule()),
            "ports": ports,
            "allocations": (
                Allocation(
                    0, half, one, {"task": ("W",)}, tuple(Transfer(INPUT, p, half) for p in paths)
                ),
            ),
            "computations": (Computation("W", "task", 0, one, Fraction(1), one),),
            "slots": (
                Slot(Fraction(0), one, tuple(SlotTransfer(*hop, INPUT, 0, half) for hop in hops)),
            ),
        }
    )


@pytest.mark.parametrize(
    ("ports", "first"),
    [
        ("one_port", {"MR": 1, "RW": 2, "RS": 2, "SW": 3, "W": 4}),
        ("multiport", {"MR": 1, "RW": 1, "RS": 1, "SW": 1, "W": 2}),
    ],
)
def test_each_operation_takes_part_from_its_first_period_on(
    client: TestClient, database: Database, ports: str, first: dict[str, int]
) -> None:
    events = timeline(client, stored(client, database, relayed(ports)), to="20")
    found: dict[str, list[int]] = {}
    for event in events:
        name = "".join(event.get("link", event.get("processor", "")))
        found.setdefault(name, []).append(event["period"])
    assert found == {name: list(range(period, 11)) for name, period in first.items()}


def combined(tasks: dict[str, tuple[str, ...]]) -> Schedule:
    """What b and c have is combined on b, and then with what a has, on a; made up."""
    one = Fraction(1)
    moves = (("c", "b", "c"), ("b", "a", "--0"))
    hops = tuple(SlotTransfer(a, b, ("data", data), 0, one) for a, b, data in moves)
    ways = tuple(Transfer(("data", data), (a, b), one) for a, b, data in moves)
    steps = (Combination(0, "b", ("b", "c")), Combination(1, "a", ("--0", "a")))
    carried = Allocation(0, one / 2, one, tasks, ways, None, "data", steps)
    return Schedule(
        **{
            **vars(schedule()),
            "files": tuple(("data", name) for name in "abc"),
            "allocations": (carried,),
            "computations": tuple(
                Computation(on, task, 0, one, Fraction(0), one) for task, (on,) in tasks.items()
            ),
            "slots": (Slot(Fraction(0), one, hops),),
        }
    )


@pytest.mark.parametrize(
    ("tasks", "first"),
    [
        ({}, {"cb": 1, "ba": 2}),
        ({"--0": ("b",), "--1": ("a",)}, {"cb": 1, "b": 2, "ba": 3, "a": 4}),
    ],
)
def test_combinations_are_told_and_order_what_happens(
    client: TestClient, database: Database, tasks: dict[str, tuple[str, ...]], first: dict[str, int]
) -> None:
    made = combined(tasks)
    path = stored(client, database, made)
    (told,) = client.get(f"{path}/allocations").json()["items"]
    assert told["combinations"] == [
        {"index": 0, "processor": "b", "operands": ["b", "c"]},
        {"index": 1, "processor": "a", "operands": ["--0", "a"]},
    ]
    assert Schedule.from_document(client.get(f"{path}/document").json()) == made
    found: dict[str, int] = {}
    for event in timeline(client, path, to="12"):
        name = "".join(event.get("link", event.get("processor", "")))
        found.setdefault(name, event["period"])
    assert found == first


def test_what_combines_nothing_says_nothing_of_it(client: TestClient, database: Database) -> None:
    (told,) = client.get(f"{stored(client, database)}/allocations").json()["items"]
    assert "combinations" not in told
