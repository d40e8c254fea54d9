"""Files per slot, and per run of a link."""

from fractions import Fraction

from steadygrid.engine.scheduling.run_layout import Load, RunLayout, RunOrder, run_order
from steadygrid.engine.scheduling.slot_layout import SlotLayout, SlotOrder
from steadygrid.engine.scheduling.timeline import Interval, Piece
from steadygrid.engine.scheduling.workload import operations
from tests.engine.scheduling.checks import figure_3

WORKLOAD, PLANS = figure_3()
HOPS = operations(WORKLOAD, PLANS)[:2]
"""P1 -> P2 and P1 -> P3, 2 time units per file."""
ORDER = SlotOrder(
    [Piece(3, (0,), (3,)), Piece(3, (1,), (3,)), Piece(4, (0,), (4,))], Fraction(1), Fraction(10)
)


def counts(layout: SlotLayout) -> list[list[tuple[int, Fraction]]]:
    return [list(stretch.counts) for stretch in layout.stretches]


def test_an_interrupted_file_is_moved_in_parts() -> None:
    layout = ORDER.fluid(HOPS, [Fraction(3), Fraction(1)])
    half = Fraction(3, 2)
    assert counts(layout) == [[(0, half)], [(1, Fraction(1))], [(0, half)]]
    assert layout.is_preempted
    assert layout.multiplier == 2
    assert not layout.scaled(2).is_preempted
    assert layout.scaled(2).length == 20


def test_an_operation_that_is_done_needs_no_more_slots() -> None:
    layout = ORDER.fluid(HOPS, [Fraction(3, 2), Fraction(1)])
    assert counts(layout) == [[(0, Fraction(3, 2))], [(1, Fraction(1))], []]


def test_whole_files_follow_the_pieces() -> None:
    layout = ORDER.whole(HOPS, [3, 1], 1, None)
    assert counts(layout) == [[(0, 1)], [(1, 1)], [(0, 2)]]
    assert [stretch.duration for stretch in layout.stretches] == [2, 2, 4]
    doubled = ORDER.whole(HOPS, [3, 1], 2, Fraction(5))
    assert counts(doubled) == [[(0, 3)], [(1, 2)], [(0, 3)]]
    assert [stretch.duration for stretch in doubled.stretches] == [10, 5, 10]


def test_rounding_every_piece_down_loses_files() -> None:
    assert counts(ORDER.rounded(HOPS, None, None)) == [[(0, 1)], [(1, 1)], [(0, 2)]]
    assert counts(ORDER.rounded(HOPS, [1, 1], None)) == [[(0, 1)], [(1, 1)]]


def interrupted() -> RunOrder:
    """P1 sends to P2, to P3, and to P2 again: the same order as runs of links."""
    intervals = [Interval(0, 2, 0), Interval(2, 3, 0), Interval(3, 6, 1), Interval(6, 10, 0)]
    resources = {0: (("send", "P1"), ("receive", "P2")), 1: (("send", "P1"), ("receive", "P3"))}
    arcs = [hop.arc.index for hop in HOPS]
    return run_order(intervals, arcs, Fraction(1), Fraction(10), resources, {})


def carried(layout: RunLayout) -> list[tuple[int, int, list[Load]]]:
    return [(run.start, run.end, [*run.loads]) for run in layout.runs]


def test_intervals_that_touch_are_one_run() -> None:
    half = Fraction(3, 2)
    layout = interrupted().fluid(HOPS, [Fraction(3), Fraction(1)])
    assert carried(layout) == [(0, 3, [(0, half, 3)]), (3, 6, [(1, 1, 3)]), (6, 10, [(0, half, 4)])]
    assert layout.is_preempted
    assert layout.multiplier == 2
    assert (layout.scaled(2).length, layout.scaled(2).is_preempted) == (20, False)


def test_runs_of_whole_files_start_as_early_as_can_be() -> None:
    layout = interrupted().whole(HOPS, [3, 1], 1, None)
    assert carried(layout) == [(0, 2, [(0, 1, 2)]), (2, 4, [(1, 1, 2)]), (4, 8, [(0, 2, 4)])]
    grained = interrupted().whole(HOPS, [3, 1], 2, Fraction(5))
    assert carried(grained) == [(0, 2, [(0, 3, 2)]), (2, 3, [(1, 2, 1)]), (3, 5, [(0, 3, 2)])]
    assert (grained.unit, grained.length) == (5, 25)


def test_runs_join_where_nothing_is_left_between_them() -> None:
    layout = interrupted().rounded(HOPS, [3, 0], None)
    assert carried(layout) == [(0, 6, [(0, 3, 6)])]
    assert layout.carried(2) == [3, 0]
