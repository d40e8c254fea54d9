"""The picture of shares: who does how much, of everything and exactly."""

import json
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.domain.view import Measure
from steadygrid.pictures import shares
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.house_style import SERIES
from steadygrid.pictures.picture import THEMES, Picture, Wanted
from tests.draws import draws
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import example, reported, star

TOTALS = {
    "rr4870-figure-3": Fraction(21, 40),
    "star": Fraction(13, 15),
    "bags-of-two-kinds": Fraction(2),
    "bags-of-uniform-tasks": Fraction(24, 17),
    "bags-on-demand": Fraction(2000, 1001),
    "divisible-load-on-a-star": Fraction(1),
    "divisible-load-on-a-tree-with-results": Fraction(1),
    "divisible-load-with-latencies": Fraction(1),
    "divisible-loads-on-a-chain": Fraction(9 + 6 + 12),
}


def labels(drawn: Picture) -> list[str]:
    return [row["label"] for row in drawn.datasets["labels"]]


def chain(loads: int, processors: int = 2) -> dict[str, Any]:
    """Make a problem of loads of 1, 2, 3, ... units of work on a chain."""
    ids = [f"P{i}" for i in range(processors)]
    return {
        "kind": "divisible_chain",
        "platform": {
            "processors": [{"id": name, "speed": 1} for name in ids],
            "links": [
                {"source": one, "target": other, "bandwidth": 100} for one, other in pairwise(ids)
            ],
        },
        "loads": [
            {"id": f"L{k}", "communication_volume": 1, "computation_volume": k}
            for k in range(1, loads + 1)
        ],
    }


@pytest.mark.parametrize("name", sorted(TOTALS))
def test_bars_and_table_are_all_there_is(name: str) -> None:
    report = example(name)
    drawn = picture_of(report, "shares", Wanted())
    rows = shares.rows_of(report, Wanted())
    assert sum(part.length for row in rows for part in row.parts) == 1
    amounts = [row[2] for row in drawn.table.rows if isinstance(row[2], Fraction)]
    assert sum(amounts, Fraction(0)) == TOTALS[name]
    assert sum(Fraction(str(row[3])) for row in drawn.table.rows) == 1


@pytest.mark.parametrize(
    "name", ["cell-filter-bank", "rr4870-figure-9", "rr4872-figure-2-scatter", "microscope"]
)
def test_where_nothing_is_shared_out_there_is_no_picture(name: str) -> None:
    assert "shares" not in {entry.name for entry in entries_of(example(name))}


def test_a_view_tells_who_does_how_much_of_what() -> None:
    view = example("bags-of-two-kinds").view
    assert [tuple(share) for share in view.shares] == [("P2", "T1", 1), ("P1", "T2", 1)]
    assert view.shared is Measure.RATE
    chain_view = example("divisible-loads-on-a-chain").view
    work = {"L1": 9, "L2": 6, "L3": 12}
    for load, volume in work.items():
        assert sum(share.amount for share in chain_view.shares if share.part == load) == volume


def test_a_picture_says_how_much_there_is() -> None:
    said = {
        name: picture_of(example(name), "shares", Wanted()).description
        for name in ("star", "divisible-load-on-a-star", "divisible-loads-on-a-chain")
    }
    assert said == {
        "star": "3 processors share 13/15 tasks per time unit; the greatest share of one is 38.5 %.",
        "divisible-load-on-a-star": "3 processors share the load; the greatest share of one is 47.1 %.",
        "divisible-loads-on-a-chain": "4 processors share 27 Tflop of work; the greatest share of one"
        " is 41.7 %.",
    }
    alone = picture_of(reported(star([])), "shares", Wanted()).description
    assert alone == "One processor does all of 1 task per time unit."


def test_several_loads_are_stacked_and_named() -> None:
    drawn = picture_of(example("divisible-loads-on-a-chain"), "shares", Wanted())
    assert [key["label"] for key in drawn.datasets["keys"]] == ["L1", "L2", "L3"]
    colours = [key["colour"] for key in drawn.datasets["keys"]]
    assert colours == list(SERIES["light"][:3])
    for bar in drawn.datasets["bars"]:
        assert bar["colour"] == colours[["L1", "L2", "L3"].index(bar["told1"])]
    one = picture_of(example("star"), "shares", Wanted())
    assert one.datasets["keys"] == []


def test_more_loads_than_colours_leave_the_smallest_to_one_grey() -> None:
    report = reported(chain(9))
    drawn = picture_of(report, "shares", Wanted())
    named = [key["label"] for key in drawn.datasets["keys"]]
    assert named == ["L5", "L6", "L7", "L8", "L9", "4 more"]
    assert drawn.datasets["keys"][-1]["colour"] == SERIES["light"][-1]
    done = [Fraction(bar["told2"].split()[0]) for bar in drawn.datasets["bars"]]
    assert sum(done) == 45
    assert len(drawn.datasets["bars"]) <= 2 * 6
    assert {row[1] for row in drawn.table.rows} == {f"L{k}" for k in range(1, 10)}


def test_six_loads_have_a_colour_each() -> None:
    drawn = picture_of(reported(chain(6)), "shares", Wanted())
    keys = [(key["label"], key["colour"]) for key in drawn.datasets["keys"]]
    assert keys == list(zip([f"L{k}" for k in range(1, 7)], SERIES["light"], strict=True))


def test_twins_that_do_the_same_are_one_bar() -> None:
    report = reported(star([(f"T{i}", 2, "1/500") for i in range(30)] + [("Z", 4, "1/9")]))
    drawn = picture_of(report, "shares", Wanted())
    assert labels(drawn) == ["T0 ×30", "M", "Z"]
    assert drawn.datasets["bars"][0]["told2"] == "15"
    assert drawn.datasets["bars"][0]["told3"] == "1/2 = 0.5"
    assert [row[2] for row in drawn.table.rows] == [Fraction(1, 2)] * 30 + [1, Fraction(1, 4)]


def test_those_of_one_speed_that_differ_are_bars_of_their_own_while_there_is_room() -> None:
    workers = [(f"W{i:02}", 2, f"1/{10**6 + i}") for i in range(39)]
    assert len(labels(picture_of(reported(star(workers)), "shares", Wanted()))) == 40
    many = [*workers, ("X", 2, f"1/{10**7}")]
    assert labels(picture_of(reported(star(many)), "shares", Wanted())) == ["W00 ×40", "M"]


def test_bars_beyond_the_fortieth_are_counted_in_one_more() -> None:
    workers = [(f"W{i:02}", i + 2, f"1/{10**6 + i}") for i in range(50)]
    drawn = picture_of(reported(star(workers)), "shares", Wanted())
    assert len(labels(drawn)) == 41
    assert labels(drawn)[-1] == "11 more"
    assert [row[4] for row in drawn.table.rows] == [*range(1, 41), *[41] * 11]


def test_shares_of_random_stars_are_the_throughput() -> None:
    random = Random(16)
    for _ in range(draws(3, 200)):
        workers = [
            (f"W{i}", random.randint(1, 3), f"1/{random.randint(1, 80)}")
            for i in range(random.randint(1, 70))
        ]
        report = reported(star(workers))
        assert report.result.objective is not None
        rows = shares.rows_of(report, Wanted())
        assert sum(part.length for row in rows for part in row.parts) == 1
        done = sum((group.total for group in shares.grouped_shares(report)), Fraction(0))
        assert done == report.result.objective.value


def test_hostile_ids_are_data_only() -> None:
    problem = star([(name, i + 1, "1/1000") for i, name in enumerate(HOSTILE)])
    classes = [{"input_size": 1, "work": 1, "probability": 1}]
    bags = [{"id": name, "classes": classes} for name in HOSTILE[:4]]
    problem = {k: problem[k] for k in ("platform", "master")} | {
        "kind": "bag_of_tasks",
        "bags": bags,
    }
    report = reported(problem)
    for theme in THEMES:
        drawn = picture_of(report, "shares", Wanted(theme=theme, width=320))
        told = json.dumps([drawn.spec, drawn.title, drawn.description], ensure_ascii=False)
        assert not any(name in told for name in HOSTILE)
        assert {row[1] for row in drawn.table.rows} == set(HOSTILE[:4])
