"""The picture of trees: every transfer is in one row, below where it comes from or goes to."""

import json
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.combination import Combination
from steadygrid.domain.roles import SUM
from steadygrid.domain.schedule import Allocation, Schedule, Transfer
from steadygrid.pictures import trees
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.pictures.picture import THEMES, Wanted
from steadygrid.pictures.routing_trees import Tree, shapes_of, tree_of
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import example, reported

ONE = Fraction(1)


def allocation(
    *transfers: tuple[str, str],
    combined: tuple[tuple[str, tuple[str, ...]], ...] = (),
    rate: int = 1,
) -> Allocation:
    """Make one of transfers, each as its data and its path with blanks between processors."""
    return Allocation(
        0,
        Fraction(rate),
        ONE,
        {},
        tuple(Transfer(("m", data), tuple(path.split()), ONE) for data, path in transfers),
        message="m",
        combinations=tuple(Combination(k, p, operands) for k, (p, operands) in enumerate(combined)),
    )


def outline(tree: Tree) -> list[str]:
    """Write a tree with an indent for each depth, and what its rows are."""
    marks = {(True, False): " *", (False, True): " +", (False, False): ""}
    return [
        "  " * row.depth
        + ("" if row.transfer is None else "<" if row.inwards else ">")
        + row.processor
        + marks[row.begins, row.combines]
        for row in tree.rows
    ]


def ring(operation: str, size: int = 5, **more: Any) -> dict[str, Any]:
    ids = [f"P{i}" for i in range(size)]
    processors = [{"id": name, "speed": 1} for name in ids]
    links = [{"source": ids[i], "target": ids[(i + 1) % size], "unit_time": 1} for i in range(size)]
    platform = {"processors": processors, "links": links}
    return {"kind": "collective", "operation": operation, "platform": platform} | more


def test_what_is_spread_goes_down_from_its_source() -> None:
    spread = allocation(("S", "S A"), ("S", "A r B"), ("S", "S C"), ("S", "B D"))
    assert outline(tree_of(spread)) == ["S *", "  >A", "    >B", "      >D", "  >C"]


def test_what_is_combined_comes_from_below_its_target() -> None:
    combined = (("A", ("A", "B")), ("T", ("T", "C", "--0")))
    gathered = allocation(("B", "B A"), ("--0", "A T"), ("C", "C T"), combined=combined)
    assert outline(tree_of(gathered)) == ["T +", "  <C *", "  <A +", "    <B *"]


def test_a_processor_is_in_as_many_rows_as_its_data_takes_paths() -> None:
    # T has data, which A combines and sends back.
    gathered = allocation(("T", "T A"), ("--0", "A T"), combined=(("A", ("T", "A")),))
    assert outline(tree_of(gathered)) == ["T", "  <A +", "    <T *"]


def test_what_is_combined_and_then_spread_goes_in_both_directions() -> None:
    everything = allocation(
        ("B", "B A"), (SUM, "A B"), ("C", "C A"), (SUM, "B C"), combined=(("A", ("A", "B", "C")),)
    )
    tree = tree_of(everything)
    assert outline(tree) == ["A +", "  <B *", "  <C *", "  >B", "    >C"]
    assert tree.gathers
    assert tree.spreads


def test_paths_in_parts_are_all_there() -> None:
    half = Fraction(1, 2)
    parts = [Transfer(("m", "S"), path, half) for path in (("S", "a", "T"), ("S", "b", "T"))]
    tree = tree_of(allocation()._replace(transfers=tuple(parts)))
    assert outline(tree) == ["S *", "  >T", "  >T"]


def test_a_shape_knows_no_names_and_no_order() -> None:
    one = tree_of(allocation(("S", "S A"), ("S", "S B"), ("S", "A C"), rate=2))
    other = tree_of(allocation(("X", "X Y"), ("X", "X Z"), ("X", "Z W"), rate=3))
    chain = tree_of(allocation(("S", "S A"), ("S", "A B"), ("S", "B C"), rate=4))
    relayed = tree_of(allocation(("S", "S A"), ("S", "S B"), ("S", "A r C"), rate=1))
    shapes, places = shapes_of([one, chain, other, relayed])
    assert [(shape.tree, shape.number, shape.rate) for shape in shapes] == [
        (other, 2, 5),
        (chain, 1, 4),
        (relayed, 1, 1),
    ]
    assert places == [0, 1, 0, 2]


def test_long_chains_are_trees_too() -> None:
    chain = tree_of(allocation(*(("P0", f"P{i} P{i + 1}") for i in range(20_000))))
    assert chain.rows[-1].depth == 20_000
    assert shapes_of([chain, chain])[1] == [0, 0]


@pytest.mark.parametrize(
    "body",
    [
        ring("allreduce"),
        ring("reduce", target="P0"),
        ring("reduce", target="P0", combine={"work": 1}),
        ring("reduce_scatter", 4),
        ring("all_to_all", 4),
        ring("allgather", 4),
        ring("gather", target="P2", sources=["P0", "P1"]),
    ],
    ids=lambda body: body["operation"],
)
def test_every_transfer_of_a_schedule_is_one_row(body: dict[str, Any]) -> None:
    report = reported(body)
    schedule = report.schedule
    assert isinstance(schedule, Schedule)
    for one in schedule.allocations:
        tree = tree_of(one)
        rows = [row.transfer for row in tree.rows if row.transfer is not None]
        assert sorted(rows) == sorted(one.transfers)
        assert [row.above for row in tree.rows].count(None) == 1
        for row in tree.rows:
            if row.transfer is not None and row.above is not None:
                ends = row.transfer.path[0], row.transfer.path[-1]
                near, far = reversed(ends) if row.inwards else ends
                assert (tree.rows[row.above].processor, row.processor) == (near, far)
    drawn = picture_of(report, "trees", Wanted())
    assert sum(Fraction(str(row[3])) for row in drawn.table.rows) == 1
    assert {row[0]: row[2] for row in drawn.table.rows} == {
        one.index: one.rate for one in schedule.allocations
    }


def test_an_example_says_who_sends_to_whom_by_whom() -> None:
    drawn = picture_of(example("rr4872-figure-2-scatter"), "trees", Wanted())
    assert [row["label"] for row in drawn.datasets["names"]] == ["s, source", "→ P0 via a"]
    assert [row["label"] for row in drawn.datasets["captions"]] == ["100 % · 1 per time unit"]
    assert [row["label"] for row in drawn.datasets["under"]] == ["message P0, and 1 tree like it"]
    assert [row[5] for row in drawn.table.rows] == ["s->a->P0", "s->b->P1"]


def test_shapes_and_rows_that_are_left_out_are_counted() -> None:
    drawn = picture_of(example("two-boxes-allgather"), "trees", Wanted())
    assert len(drawn.datasets["captions"]) == trees.MOST_TREES
    assert drawn.description.endswith(" 10 shapes more are not drawn.")
    assert max(row[4] for row in drawn.table.rows) == 22
    ids = [f"P{i}" for i in range(50)]
    links = [{"source": "P0", "target": name, "unit_time": 1} for name in ids[1:]]
    platform = {"processors": [{"id": name} for name in ids], "links": links}
    problem = {"kind": "collective", "operation": "broadcast", "source": "P0", "platform": platform}
    wide = picture_of(reported(problem), "trees", Wanted(width=320))
    assert len(wide.datasets["names"]) == trees.MOST_ROWS
    assert wide.datasets["under"][-1]["label"] == "and 20 more transfers"


def test_other_kinds_have_no_trees() -> None:
    for name in ("star", "rr4870-figure-9", "divisible-load-on-a-star", "dataflow-two-actors"):
        assert "trees" not in {entry.name for entry in entries_of(example(name))}


def test_hostile_ids_are_data_only() -> None:
    first, *others = HOSTILE
    links = [{"source": first, "target": name, "unit_time": 1} for name in others]
    platform = {"processors": [{"id": name} for name in HOSTILE], "links": links}
    problem = {
        "kind": "collective",
        "operation": "broadcast",
        "source": first,
        "platform": platform,
    }
    report = reported(problem)
    for theme in THEMES:
        drawn = picture_of(report, "trees", Wanted(theme=theme, width=320))
        told = json.dumps([drawn.spec, drawn.title, drawn.description], ensure_ascii=False)
        assert not any(name in told for name in HOSTILE)
        assert len(drawn.datasets["names"]) == len(HOSTILE)
