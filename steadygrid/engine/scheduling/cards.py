"""Slots in which a processor sends over several links: cards of which any serves any link.

Each card becomes a vertex of the bipartite graph of senders and receivers, and the time of each arc is
given to the cards at both of its ends. Where it is cut among several cards at one end, they share the
vertex at the other end, and no two of them are busy with the arc at a time. Where it is cut at both
ends, the arc gets two vertices of its own. The cards of its sender serve one, and the other serves
the cards of its receiver. An edge joins these for the time in which it is idle. Both vertices
are busy all the time. So whenever the first is served, the second serves. What is decomposed is an
ordinary bipartite multigraph, in which no vertex is busy for longer than the period.

So shares of ``sum / k <= 1`` at both ends of every link, and of at most 1 on it, are exactly what slots
carry.
"""

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from steadygrid.engine.scheduling.matching import Edge, TooManyTransfers, decompose
from steadygrid.engine.scheduling.timeline import Piece

Part = tuple[Hashable, int]
"""A vertex, and a time that it is busy."""


@dataclass
class ArcOperations:
    """Operations on one arc.

    Attributes
    ----------
    sender, receiver
        The ports at its ends.
    demands
        Operations with their times, in the order in which they run.
    """

    sender: Hashable
    receiver: Hashable
    demands: list[tuple[int, int]] = field(default_factory=list)

    @property
    def time(self) -> int:
        """Of all operations."""
        return sum(time for _, time in self.demands)


def pieces_on_cards(
    arc_operations: Sequence[ArcOperations],
    cards: Mapping[Hashable, int],
    length: int,
    max_transfers: int | None = None,
) -> list[Piece]:
    """Order operations so that each runs for its time, within `length`.

    Parameters
    ----------
    arc_operations
        One for each arc; in whole numbers of a unit of the caller's, with times above 0.
    cards
        By port, how many transfers it serves at a time; 1 where it is left out.
    length
        The period. No arc is busy for longer, and no port for longer than all its cards together.

    Returns
    -------
    list of Piece
        In each of them an arc has at most one operation, and a port as many as it has cards.

    Raises
    ------
    ValueError
        If an arc or a port has more to do.
    TooManyTransfers
        If the pieces list more operations than `max_transfers`.

    Notes
    -----
    At each port fewer arcs are cut than it has cards, and only arcs that are cut at both ends get
    vertices. Beyond that, see `decompose`.
    """
    graph = _Graph(arc_operations, cards, length)
    matchings = decompose(graph.edges, length, graph.listed_at_most(max_transfers))
    pieces: list[Piece] = []
    listed = 0
    for matching in matchings:
        edges = zip(matching.edges, matching.times, strict=True)
        for piece in graph.pieces(matching.duration, edges):
            listed += len(piece.operations)
            if max_transfers is not None and listed > max_transfers:
                raise TooManyTransfers
            pieces.append(piece)
    return pieces


class _Graph:
    """Cards, and the arcs that are cut at both ends, as vertices. What each edge stands for."""

    def __init__(
        self, arc_operations: Sequence[ArcOperations], cards: Mapping[Hashable, int], length: int
    ) -> None:
        self.edges: list[Edge] = []
        self._operations: list[int | None] = []
        """By edge. None where it leads to or from an arc's own vertex."""
        self._served: dict[int, deque[tuple[int, int]]] = {}
        """By each edge from a sender's card to an arc's own vertex, what is left to do there."""
        self._numbers: dict[Hashable, int] = {}
        senders, receivers = (
            _on_cards(
                [(getattr(on_arc, end), on_arc.time) for on_arc in arc_operations], cards, length
            )
            for end in ("sender", "receiver")
        )
        for on_arc, sent, received in zip(arc_operations, senders, receivers, strict=True):
            if len(sent) > 1 and len(received) > 1:
                self._add_vertices(on_arc, sent, received, length - on_arc.time)
            else:
                self._add_edges(on_arc, sent, received)

    def _add_edges(
        self, on_arc: ArcOperations, sent: Sequence[Part], received: Sequence[Part]
    ) -> None:
        """Join the cards of an arc that has one card at one end at least."""
        if len(sent) > 1:
            ((receiver, _),) = received
            for operation, sender, time in _dealt(on_arc.demands, sent):
                self._add(sender, receiver, time, operation)
        else:
            ((sender, _),) = sent
            for operation, receiver, time in _dealt(on_arc.demands, received):
                self._add(sender, receiver, time, operation)

    def _add_vertices(
        self, on_arc: ArcOperations, sent: Iterable[Part], received: Iterable[Part], idle: int
    ) -> None:
        served, serves = (
            ("served", on_arc.sender, on_arc.receiver),
            ("serves", on_arc.sender, on_arc.receiver),
        )
        left = deque(on_arc.demands)
        for card, time in sent:
            self._served[len(self.edges)] = left
            self._add(card, served, time, None)
        for card, time in received:
            self._add(serves, card, time, None)
        if idle:
            self._add(serves, served, idle, None)

    def _add(self, sender: Hashable, receiver: Hashable, time: int, operation: int | None) -> None:
        numbers = self._numbers
        one = numbers.setdefault(sender, len(numbers))
        other = numbers.setdefault(receiver, len(numbers))
        self.edges.append(Edge(one, other, time))
        self._operations.append(operation)

    def listed_at_most(self, max_transfers: int | None) -> int | None:
        """Give how many edges matchings may list that list no more operations."""
        if max_transfers is None:
            return None
        beside = sum(operation is None for operation in self._operations)
        return max_transfers + beside * (len(self.edges) + 2 * len(self._numbers))

    def pieces(self, duration: int, edges: Iterable[tuple[int, int]]) -> Iterator[Piece]:
        """Say what runs in a matching. It is cut where an arc's own vertex changes operations."""
        runs: list[tuple[int, int, int]] = []
        for edge, time in edges:
            operation = self._operations[edge]
            if operation is not None:
                runs.append((operation, 0, time))
            elif edge in self._served:
                runs += _taken(self._served[edge], time)
        cuts = sorted({0, duration, *(start for _, start, _ in runs)})
        for start, end in pairwise(cuts):
            here = [
                (operation, min(last, end) - start)
                for operation, first, last in runs
                if first <= start < last
            ]
            yield Piece(end - start, tuple(k for k, _ in here), tuple(time for _, time in here))


def _on_cards(
    arcs: Iterable[tuple[Hashable, int]], cards: Mapping[Hashable, int], length: int
) -> list[list[Part]]:
    """Give the time of each arc to the cards of its port at one end, whole where it fits."""
    at_port: dict[Hashable, list[tuple[int, int]]] = {}
    found: list[list[Part]] = []
    for number, (port, time) in enumerate(arcs):
        at_port.setdefault(port, []).append((number, time))
        found.append([])
    for port, listed in at_port.items():
        rooms = [(length, card) for card in range(min(cards.get(port, 1), len(listed)))]
        waiting: list[tuple[int, int]] = []
        for number, time in sorted(listed, key=lambda one: -one[1]):
            fitting = bisect_left(rooms, (time, -1))
            if fitting == len(rooms):
                waiting.append((number, time))
                continue
            room, card = rooms.pop(fitting)
            insort(rooms, (room - time, card))
            found[number].append(((port, card), time))
        emptiest = [((port, card), room) for room, card in reversed(rooms)]
        for number, part, time in _dealt(waiting, emptiest):
            found[number].append((part, time))
    return found


def _dealt(
    demands: Iterable[tuple[int, int]], parts: Iterable[tuple[Hashable, int]]
) -> Iterator[tuple[int, Hashable, int]]:
    """Fill parts with demands, one after the other: number of the demand, part, time."""
    left = deque(parts)
    for number, demand in demands:
        while demand:
            if not left:
                raise ValueError("a port has more to do than its cards have time")
            part, room = left.popleft()
            time = min(room, demand)
            if time:
                yield number, part, time
            demand -= time
            if room > time:
                left.appendleft((part, room - time))


def _taken(left: deque[tuple[int, int]], time: int) -> list[tuple[int, int, int]]:
    """Take what is done in a time from the front: operation, start and end."""
    now = 0
    taken: list[tuple[int, int, int]] = []
    while now < time:
        operation, demand = left.popleft()
        done = min(demand, time - now)
        taken.append((operation, now, now + done))
        now += done
        if demand > done:
            left.appendleft((operation, demand - done))
    return taken
