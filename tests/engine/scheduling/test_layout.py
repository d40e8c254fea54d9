"""Files per slot."""

from fractions import Fraction

from steadygrid.engine.scheduling.layout import (
    Order,
    fluid_layout,
    is_preempted,
    length_of,
    multiplier,
    rounded_layout,
    scaled,
    whole_layout,
)
from steadygrid.engine.scheduling.timeline import Piece
from steadygrid.engine.scheduling.workload import operations
from tests.engine.scheduling.checks import figure_3

WORKLOAD, PLANS = figure_3()
HOPS = operations(WORKLOAD, PLANS)[:2]
"""P1 -> P2 and P1 -> P3, 2 time units per file."""
ORDER = Order(
    [Piece(3, (0,), (3,)), Piece(3, (1,), (3,)), Piece(4, (0,), (4,))], Fraction(1), Fraction(10)
)


def counts(layout: list) -> list[list[tuple[int, Fraction]]]:
    return [list(stretch.counts) for stretch in layout]


def test_an_interrupted_file_is_moved_in_parts() -> None:
    layout = fluid_layout(HOPS, [Fraction(3), Fraction(1)], ORDER)
    half = Fraction(3, 2)
    assert counts(layout) == [[(0, half)], [(1, Fraction(1))], [(0, half)]]
    assert is_preempted(layout)
    assert multiplier(layout) == 2
    assert not is_preempted(scaled(layout, 2))
    assert length_of(scaled(layout, 2)) == 20


def test_an_operation_that_is_done_needs_no_more_slots() -> None:
    layout = fluid_layout(HOPS, [Fraction(3, 2), Fraction(1)], ORDER)
    assert counts(layout) == [[(0, Fraction(3, 2))], [(1, Fraction(1))], []]


def test_whole_files_follow_the_pieces() -> None:
    layout = whole_layout(HOPS, [3, 1], ORDER, 1, None)
    assert counts(layout) == [[(0, 1)], [(1, 1)], [(0, 2)]]
    assert [stretch.duration for stretch in layout] == [2, 2, 4]
    doubled = whole_layout(HOPS, [3, 1], ORDER, 2, Fraction(5))
    assert counts(doubled) == [[(0, 3)], [(1, 2)], [(0, 3)]]
    assert [stretch.duration for stretch in doubled] == [10, 5, 10]


def test_rounding_every_piece_down_loses_files() -> None:
    assert counts(rounded_layout(HOPS, None, ORDER, None)) == [[(0, 1)], [(1, 1)], [(0, 2)]]
    assert counts(rounded_layout(HOPS, [1, 1], ORDER, None)) == [[(0, 1)], [(1, 1)]]
