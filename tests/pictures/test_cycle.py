"""The picture of the critical cycle: every step in order, and what lies between."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import vl_convert

from steadygrid.domain.view import Cycle, Step, View
from steadygrid.pictures import cycle
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import Wanted
from steadygrid.pictures.rendering import VEGA_LITE, svg
from steadygrid.report.report import Report
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import example, reported

F = Fraction


def ring(steps: int) -> Report:
    """Give an answer whose cycle has some steps, the i-th of which takes i time units."""
    report = replace(example("dataflow-two-actors"))
    listed = tuple(Step(f"a{i}", (), i, F(i), f"c{i}", i % 2) for i in range(1, steps + 1))
    report.__dict__["view"] = View(cycle=Cycle(listed, "firing", "token", F(2), "iteration"))
    return report


def graph(names: tuple[str, ...], tokens: int) -> dict[str, Any]:
    """Make a problem of actors in a circle, with tokens on the channel that closes it."""
    pairs = zip(names, (*names[1:], names[0]), strict=True)
    channels: list[dict[str, Any]] = [
        {"source": source, "target": target, "production": 1, "consumption": 1}
        for source, target in pairs
    ]
    channels[-1]["tokens"] = tokens
    actors = [{"id": name, "times": 1 + i} for i, name in enumerate(names)]
    return {"kind": "dataflow", "graph": {"actors": actors, "channels": channels}}


def test_the_cycle_of_a_replicated_workflow_is_that_of_its_answer() -> None:
    report = example("replicated-workflow")
    result: Any = report.result
    drawn = picture_of(report, "cycle", Wanted())
    listed = [(row[1], row[3], row[6]) for row in drawn.table.rows]
    assert listed == [
        (one.operation if isinstance(one.operation, str) else " to ".join(one.operation),
         one.data_set, one.time)
        for one in result.critical_cycle
    ]  # fmt: skip
    assert sum(F(row[5]) for row in drawn.table.rows if isinstance(row[5], int)) == result.length
    assert drawn.title == "1384 time units for 6 data sets"
    assert drawn.description == (
        "10 operations, each of which waits for the one before: a turn takes 1384 time units and gets"
        " 6 data sets further, 692/3 time units for each."
    )
    words = [arrow["words"] for arrow in drawn.datasets["arrows"]]
    assert words[:3] == ["1 data set later", "", "1 data set later"]
    assert words.count("2 data sets later") == 2
    narrow = picture_of(report, "cycle", Wanted(width=320)).datasets["arrows"]
    assert {arrow["words"] for arrow in narrow} == {""}
    assert [arrow["told"] for arrow in narrow].count("2 data sets later") == 2
    assert drawn.datasets["steps"][1]["detail"] == "P1 → P2 · data set 4 · 186 time units"


def test_the_circuit_of_a_dataflow_graph_has_channels_and_tokens() -> None:
    report = example("dataflow-two-actors")
    drawn = cycle.picture(report, Wanted())
    assert [row[1:] for row in drawn.table.rows] == [
        ("a", None, 1, "b--a", 2, 1),
        ("b", None, 2, "a--b", 0, 2),
        ("b", None, 3, "the firing before", 0, 2),
    ]
    assert drawn.datasets["arrows"][0]["words"] == "b--a · 2 tokens"
    assert drawn.title == "5 time units for 1 iteration"


def test_a_deadlock_is_drawn_without_times() -> None:
    drawn = cycle.picture(reported(graph(("a", "b"), 0)), Wanted())
    assert drawn.title == "A cycle that waits for ever"
    assert {row[6] for row in drawn.table.rows} == {None}
    assert {row[1] for row in drawn.table.rows} == {"a", "b"}


def test_answers_without_a_cycle_have_no_picture() -> None:
    report = example("rr4870-figure-3")
    assert "cycle" not in {entry.name for entry in entries_of(report)}
    with pytest.raises(ValueError, match="names no cycle"):
        cycle.picture(report, Wanted())


@pytest.mark.parametrize("steps", [1, 2, 3, cycle.MOST_STEPS, cycle.MOST_STEPS + 1, 1_000])
def test_rings_of_any_length_are_drawn(steps: int) -> None:
    drawn = cycle.picture(ring(steps), Wanted(width=320))
    rows = drawn.datasets["steps"]
    assert len(rows) == min(steps, cycle.MOST_STEPS) == len(drawn.datasets["arrows"])
    assert len({(row["x"], row["y"]) for row in rows}) == len(rows)
    assert len(drawn.table.rows) == steps
    hidden = steps - cycle.MOST_STEPS + 1
    if hidden > 1:
        marks = [row["mark"] for row in rows]
        half = cycle.MOST_STEPS // 2
        kept = [str(i) for i in range(1, half + 1)]
        assert marks == [*kept, "…", *map(str, range(half + hidden + 1, steps + 1))]
        assert rows[half]["name"] == f"{hidden:,} more steps"
        assert f"{hidden:,} steps in the middle" in drawn.description.replace("1000", "1,000")
    else:
        assert [row["mark"] for row in rows] == [str(i) for i in range(1, steps + 1)]
        assert "in the middle" not in drawn.description
    assert vl_convert.vegalite_to_vega(drawn.vega, vl_version=VEGA_LITE)


def test_one_operation_waits_for_itself() -> None:
    drawn = cycle.picture(ring(1), Wanted(width=320))
    assert drawn.description == (
        "1 operation that waits for itself: a turn takes 1 time unit and gets 2 iterations further,"
        " 0.5 time units for each."
    )
    assert drawn.datasets["steps"][0]["detail"] == "1 time unit"


def test_steps_are_as_large_as_their_times() -> None:
    rows = cycle.picture(ring(5), Wanted()).datasets["steps"]
    sizes = [float(row["size"]) for row in rows]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 5


def test_ids_of_a_cycle_are_data() -> None:
    names = tuple(name for name in HOSTILE if name.isprintable())
    drawn = cycle.picture(reported(graph(names, 1)), Wanted(theme="dark"))
    assert len(drawn.datasets["steps"]) == len(names)
    written = json.dumps([drawn.spec, drawn.description], ensure_ascii=False)
    assert not [name for name in names if name in written]
    text = svg(drawn.vega, 800).decode()
    assert "<script" not in text
    assert "&lt;script&gt;" in text
