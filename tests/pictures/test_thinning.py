"""Short bars are joined, and nothing is lost."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.pictures.thinning import thin
from steadygrid.report.bars import Bar, cut_bars
from steadygrid.report.lanes import (
    lanes_of,
)
from tests.draws import draws
from tests.pictures.reports import example
from tests.pictures.schedules import DRAWN

F = Fraction
LENGTHS = st.fractions(F(1, 50), 8, max_denominator=50)


@st.composite
def lanes_of_bars(draw: st.DrawFn) -> list[list[Bar]]:
    lanes: list[list[Bar]] = []
    for _ in range(draw(st.integers(1, 4))):
        clock, bars = F(0), []
        for idle, length in draw(st.lists(st.tuples(LENGTHS, LENGTHS), max_size=25)):
            start = clock + idle * draw(st.sampled_from([0, 1]))
            clock = start + length
            what, share = draw(st.sampled_from("xy")), draw(st.sampled_from([F(1), F(1, 3)]))
            bars.append(Bar(start, clock, "send", what, (what,), F(2), length * share))
        lanes.append(bars)
    return lanes


@settings(max_examples=draws(10, 2_000), deadline=None)
@given(lanes_of_bars(), st.integers(1, 300), st.integers(8, 60))
def test_busy_times_and_pieces_stay_the_same(lanes: list[list[Bar]], cells: int, most: int) -> None:
    end = max((bar.end for bars in lanes for bar in bars), default=F(1))
    thinned = thin(lanes, F(0), end, cells, most)
    assert sum(map(len, thinned.bars)) <= most
    for before, after in zip(lanes, thinned.bars, strict=True):
        assert sum((bar.busy for bar in after), F(0)) == sum((bar.busy for bar in before), F(0))
        assert sum(bar.pieces for bar in after) == len(before)
        assert [bar.start for bar in after] == sorted(bar.start for bar in after)
        long = [bar for bar in before if bar.end - bar.start >= end / thinned.cells]
        assert set(long) <= set(after)
        for bar in after:
            inside = [one for one in before if bar.start <= one.start and one.end <= bar.end]
            assert bar.pieces <= len(inside)
            assert bar.busy <= bar.end - bar.start


@settings(max_examples=draws(10, 2_000), deadline=None)
@given(lanes_of_bars(), st.integers(0, 5))
def test_halving_joins_as_the_greater_cells_do_at_once(lanes: list[list[Bar]], times: int) -> None:
    end = max((bar.end for bars in lanes for bar in bars), default=F(1))
    bars = sum(map(len, lanes))
    slowly = thin(lanes, F(0), end, 2**times * 3, 8)
    if slowly.cells.denominator == 1:
        at_once = thin(lanes, F(0), end, int(slowly.cells), bars)
        assert slowly.bars == at_once.bars


def test_what_is_joined_is_counted() -> None:
    bars = [Bar(F(i), F(i) + F(1, 2), "send", "x", ("P",), F(3), F(1, 2)) for i in range(4)]
    bars.append(Bar(F(4), F(10), "send", "x", ("Q",), F(30), F(6)))
    (left,) = thin([bars], F(0), F(10), 5, 10).bars
    assert left == (
        Bar(F(0), F(3, 2), "send", "x", ("P",), F(6), F(1), None, 2),
        Bar(F(2), F(7, 2), "send", "x", ("P",), F(6), F(1), None, 2),
        bars[-1],
    )
    mixed = [bars[0], bars[1]._replace(doing="compute", what="y", whom=())]
    ((one,),) = thin([mixed], F(0), F(10), 5, 10).bars
    assert (one.doing, one.what, one.whom, one.count, one.busy) == ("mixed", "", (), None, 1)


def test_bars_are_cut_to_the_window() -> None:
    bar = Bar(F(0), F(8), "carry", "x", (), F(4), F(2))
    assert cut_bars([bar], F(2), F(6)) == [Bar(F(2), F(6), "carry", "x", (), None, F(1))]
    assert cut_bars([bar], F(0), F(8)) == [bar]
    assert cut_bars([bar], F(8), F(9)) == []


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("cells", [3, 100])
def test_real_schedules_keep_their_busy_times(name: str, cells: int) -> None:
    found = lanes_of(example(name))
    assert found is not None
    lanes = [cut_bars(lane.bars, found.begin, found.end) for lane in found.lanes]
    thinned = thin(lanes, found.begin, found.end, cells, 5_000)
    assert [sum((bar.busy for bar in bars), F(0)) for bars in thinned.bars] == [
        sum((bar.busy for bar in bars), F(0)) for bars in lanes
    ]
