"""Intervals and the pieces they are cut into."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.timeline import (
    Interval,
    Piece,
    distribute,
    intervals_of,
    pieces_of,
)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), st.integers(0, 2)), max_size=12))
def test_pieces_hold_operations_without_a_common_resource(
    plan: list[tuple[int, int, int]],
) -> None:
    # Operation k on lane r uses ("lane", r); lanes run one after the other on their own.
    ends = [0, 0, 0]
    intervals, resources = [], {}
    for k, (pause, time, lane) in enumerate(plan):
        start = ends[lane] + pause
        ends[lane] = start + time
        intervals.append(Interval(start, ends[lane], k))
        resources[k] = (("lane", lane),)
    pieces = pieces_of(intervals, resources)
    done = dict.fromkeys(resources, 0)
    for piece in pieces:
        used = [r for k in piece.operations for r in resources[k]]
        assert len(used) == len(set(used))
        for k, time in zip(piece.operations, piece.times, strict=True):
            assert 0 < time <= piece.duration
            done[k] += time
    assert done == {k: time for k, (_, time, _) in enumerate(plan)}
    assert sum(piece.duration for piece in pieces) <= max(ends)


def test_only_conflicts_cut_the_time() -> None:
    intervals = [Interval(0, 4, 0), Interval(1, 2, 1), Interval(2, 3, 2), Interval(4, 6, 3)]
    resources = {0: ("a",), 1: ("b",), 2: ("c",), 3: ("a",)}
    assert pieces_of(intervals, resources) == [
        Piece(4, (0, 1, 2), (4, 1, 1)),
        Piece(2, (3,), (2,)),
    ]


def test_too_many_transfers_are_given_up() -> None:
    intervals = [Interval(k, k + 1, k) for k in range(5)]
    resources = dict.fromkeys(range(5), ("a",))
    assert len(pieces_of(intervals, resources, 5)) == 5
    with pytest.raises(TooManyTransfers):
        pieces_of(intervals, resources, 4)


def test_pieces_turn_into_intervals_from_their_start() -> None:
    pieces = [Piece(3, (1, 2), (3, 1)), Piece(2, (2,), (2,))]
    assert intervals_of(pieces) == [Interval(0, 3, 1), Interval(0, 1, 2), Interval(3, 5, 2)]


def test_operations_of_a_link_follow_each_other_through_its_windows() -> None:
    assert distribute([(0, 2), (5, 9)], [(7, 3), (8, 2)]) == [
        Interval(0, 2, 7),
        Interval(5, 6, 7),
        Interval(6, 8, 8),
    ]


def test_windows_that_are_too_short_are_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        distribute([(0, 2)], [(7, 3)])
