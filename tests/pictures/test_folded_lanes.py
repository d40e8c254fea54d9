"""Lanes that do the same are drawn once, and no lane is lost."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.pictures.folded_lanes import fold
from steadygrid.report.bars import Bar
from steadygrid.report.folding import MOST_NAMED, group_label, named
from steadygrid.report.lanes import (
    Lane,
    Port,
    lanes_of,
)
from tests.draws import draws
from tests.pictures.reports import example
from tests.pictures.schedules import DRAWN

F = Fraction
PORTS: list[Port] = ["compute", "send"]


@st.composite
def some_lanes(draw: st.DrawFn) -> list[Lane]:
    lanes: list[Lane] = []
    for number in range(draw(st.integers(0, 12))):
        port = draw(st.sampled_from(PORTS))
        ends = draw(st.sampled_from([(), (1,), (1, 2), (2,)]))
        other = draw(st.sampled_from("ABC"))
        bars = tuple(Bar(F(i), F(i + 1), "send", "x", (other,), F(1), F(1)) for i in ends)
        lanes.append(Lane(f"P{number}.{port}", (f"P{number}",), port, "", 0, bars))
    return lanes


@settings(max_examples=draws(15, 2_000), deadline=None)
@given(some_lanes())
def test_every_lane_is_in_one_fold_with_all_that_do_the_same(lanes: list[Lane]) -> None:
    folds = fold(lanes)
    assert sorted(lane.resource for one in folds for lane in one.lanes) == sorted(
        lane.resource for lane in lanes
    )
    shown = [(one.lanes[0].port, [(bar.start, bar.end) for bar in one.bars]) for one in folds]
    assert all(shown.count(one) == 1 for one in shown)
    for one in folds:
        for lane in one.lanes:
            assert lane.port == one.lanes[0].port
            assert [(b.start, b.end) for b in lane.bars] == [(b.start, b.end) for b in one.bars]
        for place, bar in enumerate(one.bars):
            assert set(bar.whom) == {lane.bars[place].whom[0] for lane in one.lanes}


@pytest.mark.parametrize("name", DRAWN)
def test_folds_of_real_schedules_lose_no_lane(name: str) -> None:
    found = lanes_of(example(name))
    assert found is not None
    folds = fold(found.lanes)
    assert sorted(lane.resource for one in folds for lane in one.lanes) == sorted(
        lane.resource for lane in found.lanes
    )


def test_lanes_that_do_other_amounts_stay_apart() -> None:
    bar = Bar(F(0), F(1), "compute", "x", (), F(1), F(1))
    lanes = [
        Lane(f"{name}.compute", (name,), "compute", "", 0, (bar._replace(count=F(n)),))
        for name, n in (("A", 1), ("B", 2), ("C", 1))
    ]
    assert [one.members for one in fold(lanes)] == [("A", "C"), ("B",)]
    assert [one.name for one in fold(lanes)] == ["A … ×2", "B"]


def test_links_that_carry_the_same_are_called_by_the_ends_of_the_first() -> None:
    bar = Bar(F(0), F(1), "carry", "x", (), F(1), F(1, 2))
    links = [
        Lane(f"{name}.site->hub.link", (f"{name}.site", "hub"), "link", "", 0, (bar,))
        for name in ("A", "B")
    ]
    assert [(one.name, one.members) for one in fold(links)] == [
        ("A→hub … ×2", ("A.site→hub", "B.site→hub"))
    ]
    half = Lane("A--B.half", ("A", "B"), "link", "", 0, (bar,))
    assert [one.name for one in fold([half])] == ["A↔B"]


def test_groups_are_called_by_their_first_and_their_number() -> None:
    assert group_label(["graphene-1.nancy.grid5000.fr"]) == "graphene-1.nancy.grid5000.fr"
    assert group_label(["graphene-1.nancy.grid5000.fr", "b", "c"]) == "graphene-1 … ×3"
    assert group_label([".hidden", "b"]) == ".hidden … ×2"


def test_members_are_named_up_to_a_number() -> None:
    names = [f"P{i}" for i in range(MOST_NAMED + 3)]
    assert named(names[:2]) == "P0, P1"
    assert named(names[:MOST_NAMED]).endswith(", P49")
    assert named(names).endswith(", P49 and 3 more")
