"""Where two bodies differ, in words."""

from typing import Any

from app.pages.differences import differences

UNITS = {"time": "s", "data": "B", "work": "flop"}


def body(**platform: Any) -> Any:
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "name": "campus",
                "units": UNITS,
                "processors": [{"id": "P1", "speed": "1000000000"}, {"id": "P2", "unit_time": "2"}],
                "links": [{"source": "P1", "target": "P2", "bandwidth": "125000000"}],
                "media": [],
                **platform,
            },
            "master": "P1",
            "task": {"work": "1", "input_size": "10"},
        },
        "options": {"time_limit": 60},
        "labels": {"of": "a"},
    }


def told(first: Any, second: Any) -> list[tuple[str, ...]]:
    return [(one.where, one.first, one.second) for one in differences(first, second)]


def test_quantities_have_their_units() -> None:
    other = body(
        processors=[{"id": "P2", "unit_time": "3"}, {"id": "P1", "speed": "2500000000/3"}],
        links=[{"source": "P1", "target": "P2", "bandwidth": "62500000", "latency": "1/10"}],
        media=[{"id": "wan", "bandwidth": "7", "latency": "0"}],
    )
    other["problem"]["task"] = {"work": "1", "input_size": "20000"}
    other["options"] = {"time_limit": 90, "period": "bounded"}
    other["labels"] = {"of": "b", "campus": "north"}
    assert told(body(), other) == [
        ("host P1, speed", "1,000,000,000 flop/s", "2500000000/3 flop/s"),
        ("host P2, unit time", "2 s each", "3 s each"),
        ("link P1 \u2192 P2, bandwidth", "125,000,000 B/s", "62,500,000 B/s"),
        ("link P1 \u2192 P2, latency", "not there", "0.1 s"),
        ("medium wan", "not there", "bandwidth 7 B/s"),
        ("task, input size", "10 B", "20,000 B"),
        ("time limit", "60 s", "90 s"),
        ("period", "not there", "bounded"),
        ("label of", "a", "b"),
        ("label campus", "not there", "north"),
    ]


def test_without_units_numbers_stand_alone_and_ids_are_no_numbers() -> None:
    first, other = body(units=None), body(units=None, name="other")
    first["problem"]["master"], other["problem"]["master"] = "10000", "10001"
    other["problem"]["platform"]["processors"][0]["speed"] = "1000000001"
    assert told(first, other) == [
        ("platform, name", "campus", "other"),
        ("host P1, speed", "1,000,000,000", "1,000,000,001"),
        ("master", "10000", "10001"),
    ]


def test_what_is_rounded_alike_is_told_exactly() -> None:
    first, other = (
        body(processors=[{"id": "P", "speed": text}]) for text in ("1/3", "33333333/100000000")
    )
    assert told(first, other) == [("host P, speed", "1/3 flop/s", "33333333/100000000 flop/s")]


def test_entries_without_names_are_counted() -> None:
    first, other = {"problem": {"stages": [[1], [2, 3]]}}, {"problem": {"stages": [[1], [2, 4]]}}
    assert told(first, other) == [("stage 2, entry 2", "3", "4")]
