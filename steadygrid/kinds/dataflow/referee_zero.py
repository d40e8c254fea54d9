"""Firings that take no time and start at the same moment wait for each other in no circle.

Starts and times alone do not tell: in a circle of firings that take no time each may start when the
one before ends, at the same moment, and yet none is ever the first. Rows are put in an order instead:
a row comes after another if, for a token or as the next firing of its sequential actor, it waits for
it at the same moment. If all rows can be put in one order, the firings of every moment can.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from steadygrid.kinds.dataflow.referee_graph import Channel, Graph
from steadygrid.kinds.dataflow.referee_tokens import Course, Piece, Timed

Node = tuple[int, int]
"""A row, by its actor and number; or, numbered from -1 down, what joins rows that handle a token."""


def waiting_in_a_circle(
    graph: Graph,
    rows: Sequence[Timed],
    joined: Sequence[Channel],
    course: Callable[[Channel], Course],
) -> int | None:
    """Give an actor of which a firing without time waits for itself. None: there is none.

    Parameters
    ----------
    graph
        Actors and channels by number.
    rows
        Starts and ends of each actor's rows.
    joined
        Channels, and the free places of those that have a limit.
    course
        Gives what happens on a channel.

    Returns
    -------
    int or None
        Its number.
    """
    idle = [any(start == end for start, end in zip(t.starts, t.ends, strict=True)) for t in rows]
    channels = _in_circles([c for c in joined if idle[c.source] and idle[c.target]], len(rows))
    after: dict[Node, list[Node]] = defaultdict(list)
    for number, channel in enumerate(channels):
        _join(after, channel, number, rows[channel.source], course(channel))
    if graph.sequential:
        for actor in {channel.source for channel in channels}:
            starts, ends = rows[actor].starts, rows[actor].ends
            following = (*starts[1:], rows[actor].again)
            for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
                if start == end == following[row]:
                    after[actor, row].append((actor, (row + 1) % len(starts)))
    left = _without_order(after)
    return min(actor for actor, _ in left if actor >= 0) if left else None


def _in_circles(channels: list[Channel], actors: int) -> list[Channel]:
    """Leave out channels, over and over, to which none leads or from which none leads on.

    Linear: first from the beginnings of routes on, then from their ends back.
    """
    for back in (False, True):
        following: list[list[int]] = [[] for _ in range(actors)]
        waits = [0] * actors
        for channel in channels:
            one, other = channel.source, channel.target
            if back:
                one, other = other, one
            following[one].append(other)
            waits[other] += 1
        free = [actor for actor, count in enumerate(waits) if not count]
        for actor in free:
            for other in following[actor]:
                waits[other] -= 1
                if not waits[other]:
                    free.append(other)
        channels = [c for c in channels if waits[c.source] and waits[c.target]]
    return channels


def _join(
    after: dict[Node, list[Node]], channel: Channel, number: int, source: Timed, course: Course
) -> None:
    """Note which rows of a channel's target wait for which of its source at the same moment."""
    made: dict[int, list[Piece]] = defaultdict(list)
    taken: dict[int, list[Piece]] = defaultdict(list)
    for piece in course.producers():
        _, _, moment, row = piece
        if source.starts[row] == source.ends[row]:
            made[moment].append(piece)
    for piece in course.consumers():
        taken[piece[2]].append(piece)
    joint = 0
    for moment in made.keys() & taken.keys():
        pieces = made[moment] + taken[moment]
        cuts = sorted({cut for low, high, _, _ in pieces for cut in (low, high)})
        place = {cut: joint + i for i, cut in enumerate(cuts)}
        joint += len(cuts)
        for low, high, _, row in made[moment]:
            for i in range(place[low], place[high]):
                after[channel.source, row].append((-1 - number, i))
        for low, high, _, row in taken[moment]:
            for i in range(place[low], place[high]):
                after[-1 - number, i].append((channel.target, row))


def _without_order(after: dict[Node, list[Node]]) -> set[Node]:
    """Take away what waits for nothing that is left, over and over; give the rest."""
    waits: dict[Node, int] = defaultdict(int)
    for node, following in list(after.items()):
        waits[node] += 0
        for other in following:
            waits[other] += 1
    free = [node for node, count in waits.items() if not count]
    for node in free:
        del waits[node]
        for other in after.get(node, ()):
            waits[other] -= 1
            if not waits[other]:
                free.append(other)
    return set(waits)
