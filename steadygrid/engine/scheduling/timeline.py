"""From intervals to slots: which operations run side by side, and for how long."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from steadygrid.engine.scheduling.matching import TooManyTransfers


class Interval(NamedTuple):
    """An operation runs from `start` to `end`, whole numbers of a time unit of the caller's."""

    start: int
    end: int
    operation: int


class Piece(NamedTuple):
    """A stretch of the period. Each operation runs for its time, at most the duration."""

    duration: int
    operations: tuple[int, ...]
    times: tuple[int, ...]


def intervals_of(pieces: Iterable[Piece]) -> list[Interval]:
    """Let every operation of a piece start when the piece does."""
    intervals: list[Interval] = []
    start = 0
    for piece in pieces:
        intervals += (
            Interval(start, start + time, operation)
            for operation, time in zip(piece.operations, piece.times, strict=True)
        )
        start += piece.duration
    return intervals


def batches(
    times: Sequence[int],
    resources: Mapping[int, Sequence[Hashable]],
    capacities: Mapping[Hashable, int] = MappingProxyType({}),
) -> list[Piece]:
    """Order operations so that each runs once, without a break.

    A resource serves as many at a time as its capacity says, or one.
    First fit, longest first: a piece is as long as its longest operation. The pieces list
    every operation once, and are no more than twice the operations at the busiest port;
    together they may be longer than needed.

    Parameters
    ----------
    times
        Of the operations; 0 for those that do not run.
    resources
        What each operation uses.
    capacities
        By resource, how many operations it serves at a time; 1 where it is left out.
    """
    taken: dict[Hashable, list[int]] = defaultdict(list)
    """For each number of operations, the pieces in which a resource has as many, as bits."""
    members: list[list[int]] = []
    for k in sorted((k for k, time in enumerate(times) if time), key=lambda k: -times[k]):
        full = 0
        for resource in resources[k]:
            levels, most = taken[resource], capacities.get(resource, 1)
            full |= levels[most - 1] if len(levels) >= most else 0
        free = ~full & (full + 1)
        position = free.bit_length() - 1
        for resource in set(resources[k]):
            _take(taken[resource], free)
        if position == len(members):
            members.append([])
        members[position].append(k)
    return [
        Piece(times[batch[0]], tuple(batch), tuple(times[k] for k in batch)) for batch in members
    ]


def _take(levels: list[int], piece: int) -> None:
    """Count one more operation in a piece."""
    for level, pieces in enumerate(levels):
        if not pieces & piece:
            levels[level] |= piece
            return
    levels.append(piece)


def distribute(
    open_times: Iterable[tuple[int, int]], demands: Iterable[tuple[int, int]]
) -> list[Interval]:
    """Let operations that share a link run one after the other whenever the link is open.

    Parameters
    ----------
    open_times
        Starts and ends in order, without overlaps.
    demands
        Operations with the time that each needs, in total no more than the link is open.

    Raises
    ------
    ValueError
        If the link is not open for long enough.
    """
    intervals: list[Interval] = []
    times = iter(open_times)
    start = end = 0
    for operation, demand in demands:
        left = demand
        while left:
            if start == end:
                window = next(times, None)
                if window is None:
                    raise ValueError("the slots are too short for the transfers")
                start, end = window
            time = min(left, end - start)
            intervals.append(Interval(start, start + time, operation))
            start += time
            left -= time
    return intervals


def pieces_of(
    intervals: Iterable[Interval],
    resources: Mapping[int, Sequence[Hashable]],
    max_transfers: int | None = None,
) -> list[Piece]:
    """Cut the time where two operations meet that use a resource in common.

    Parameters
    ----------
    intervals
        Operations that run at the same time have no resource in common.
    resources
        What each operation uses.
    max_transfers
        Give up when the pieces together list more operations than this.

    Returns
    -------
    list of Piece
        Operations of a piece have no resource in common, so that each of them may run at any
        time of the piece.

    Raises
    ------
    TooManyTransfers
        See `max_transfers`.

    Notes
    -----
    Greedy, which gives the fewest pieces for the given intervals: a piece is as long as
    possible, and a longer beginning never hurts what follows. O(n log n) for n intervals,
    plus the size of the answer.
    """
    pieces: list[Piece] = []
    listed = 0
    holder: dict[Hashable, int] = {}
    begun: list[Interval] = []
    start = 0

    def close(end: int) -> list[Interval]:
        nonlocal listed
        times: Counter[int] = Counter()
        for interval in begun:
            time = min(interval.end, end) - max(interval.start, start)
            if time:
                times[interval.operation] += time
        listed += len(times)
        if max_transfers is not None and listed > max_transfers:
            raise TooManyTransfers
        pieces.append(Piece(end - start, tuple(times), tuple(times.values())))
        return [interval for interval in begun if interval.end > end]

    last = 0
    for interval in sorted(intervals):
        last = max(last, interval.end)
        operation = interval.operation
        if any(holder.get(r, operation) != operation for r in resources[operation]):
            begun = close(interval.start)
            start = interval.start
            holder = {r: i.operation for i in begun for r in resources[i.operation]}
        begun.append(interval)
        holder.update(dict.fromkeys(resources[operation], operation))
    if begun:
        close(last)
    return pieces
