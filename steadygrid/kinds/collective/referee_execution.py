"""How long a program takes that sends chunks along trees, replayed piece by piece."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from steadygrid.kinds.collective.referee_carriers import Carriers
from steadygrid.kinds.collective.referee_rates import share_fairly

_BITS_OF_UNIT = 48
"""A piece of one chunk has two to this power of units."""
_BITS_OF_RATE = 20
"""The slowest resource carries two to this power of units in a tick."""
_MOST_BITS = 36
"""No resource may carry more than two to this power of units in a tick."""
_PLACES = 2
"""Pieces of a channel that may be on their route and not received."""

Route = tuple[str, ...]
Piece = tuple[int, int, int]
"""A move, a loop and an instance."""
Channel = tuple[str, str, int]


class ChunkTree(NamedTuple):
    """Where equal chunks of one message go.

    Attributes
    ----------
    gathered
        Routes that bring operands towards the root, where they are combined.
    spread
        Routes that lead from the root on.
    """

    root: str
    gathered: tuple[Route, ...]
    spread: tuple[Route, ...]
    chunks: int = 1


class Program(NamedTuple):
    """Trees, and how ranks run them.

    Attributes
    ----------
    order
        ``depth`` or ``start``.
    split
        ``arc``, ``halves``, ``thirds`` or ``depth``: into how many parts of equal depth the moves
        between two ranks are split, each with blocks of its own.
    loops
        How often all moves are done.
    piece
        Data of one chunk in one loop of one instance.
    """

    trees: Sequence[ChunkTree]
    order: str
    split: str
    instances: int
    loops: int
    piece: Fraction


class _Move(NamedTuple):
    """One hop of one chunk between two that keep it."""

    tree: int
    position: int
    route: Route
    after: tuple[int, ...]
    depth: int
    gathers: bool


def replay(program: Program, carriers: Carriers, step_time: Fraction) -> Fraction | None:
    """Give the time until all has been received. None where links differ by more than can be told.

    Parameters
    ----------
    program
        Its trees are trees, and their routes lead over hops that there are.
    carriers
        All that its routes use.
    step_time
        For which a block is busy before the data of a piece flows.

    Notes
    -----
    A tick lasts so long that the slowest resource in use carries ``2**20`` units in it, and a piece of
    a chunk has ``2**48`` units. Rates are rounded down, latencies and step times up to whole ticks.
    The order ``start`` is that in which moves start in one loop of one instance, without latencies and
    step times, where each sender takes the first move, in the order ``depth``, whose data is there.
    """
    moves = _in_depth_order(program.trees)
    used = {
        resource
        for move in moves
        for hop in pairwise(move.route)
        for resource in carriers.uses[hop]
    }
    if not used:
        return Fraction(0)
    slowest = min(carriers.bandwidths[resource] for resource in used)
    capacities = {
        resource: carriers.bandwidths[resource] * 2**_BITS_OF_RATE // slowest for resource in used
    }
    if max(capacities.values()) > 2**_MOST_BITS:
        return None
    tick: Fraction = program.piece / (slowest * 2 ** (_BITS_OF_UNIT - _BITS_OF_RATE))
    clock = _Clock(carriers, capacities, tick, _ticks(step_time, tick))
    if program.order == "start":
        timeless = replace(clock, carriers=carriers._replace(latencies={}), step=0)
        first = _Run(moves, program._replace(instances=1, loops=1), timeless, hurried=True)
        first.finish()
        moves = _reordered(moves, first.started)
    ticks = _Run(moves, program, clock).finish()
    return ticks * tick


def blocks_of(program: Program) -> int:
    """Count the blocks of the busiest rank: one for each channel that it sends or receives by.

    Parameters
    ----------
    program
        Its trees are trees.
    """
    moves = _in_depth_order(program.trees)
    channels = set(_channels(moves, program.split))
    busy = Counter(rank for sender, receiver, _ in channels for rank in (sender, receiver))
    return program.instances * max(busy.values(), default=0)


def depth_of(program: Program) -> int:
    """Count the routes of the longest chain that a chunk takes.

    Parameters
    ----------
    program
        Its trees are trees.
    """
    return max((depth for tree in program.trees for depth in _depths(tree)), default=0)


def _channels(moves: Sequence[_Move], split: str) -> list[Channel]:
    """Give each move its channel: between its ranks, and for one part of all depths."""
    deepest = max((move.depth for move in moves), default=1)
    parts = {"arc": 1, "halves": 2, "thirds": 3, "depth": deepest}[split]
    part_of = {
        depth: next(part for part in range(parts) if deepest * (part + 1) >= parts * depth)
        for depth in range(1, deepest + 1)
    }
    return [(move.route[0], move.route[-1], part_of[move.depth]) for move in moves]


def _ticks(time: Fraction, tick: Fraction) -> int:
    return ceil(time / tick)


def _in_depth_order(trees: Sequence[ChunkTree]) -> list[_Move]:
    """List the moves of all chunks by depth, tree and position; equal chunks are trees of their own."""
    chunks = [tree for tree in trees for _ in range(tree.chunks)]
    hops = [
        (depth, number, position)
        for number, tree in enumerate(chunks)
        for position, depth in enumerate(_depths(tree))
    ]
    place = {hop[1:]: index for index, hop in enumerate(sorted(hops))}
    moves = []
    for depth, number, position in sorted(hops):
        tree = chunks[number]
        after = tuple(place[number, before] for before in _moves_before(tree)[position])
        route = (*tree.gathered, *tree.spread)[position]
        gathers = position < len(tree.gathered)
        moves.append(_Move(number, position, route, after, depth, gathers))
    return moves


@lru_cache(4_096)
def _moves_before(tree: ChunkTree) -> tuple[tuple[int, ...], ...]:
    """List for each route, by position, those that bring what it passes on."""
    into: dict[str, list[int]] = {}
    for position, route in enumerate(tree.gathered):
        into.setdefault(route[-1], []).append(position)
    brought = {tree.root: into.get(tree.root, [])}
    for position, route in enumerate(tree.spread, start=len(tree.gathered)):
        brought[route[-1]] = [position]
    return (
        *(tuple(into.get(route[0], ())) for route in tree.gathered),
        *(tuple(brought[route[0]]) for route in tree.spread),
    )


@lru_cache(4_096)
def _depths(tree: ChunkTree) -> tuple[int, ...]:
    """Count for each route, by position, those that follow each other up to it."""
    before = _moves_before(tree)
    depths: dict[int, int] = {}
    waiting = list(range(len(before)))
    while waiting:
        for position in waiting:
            if all(other in depths for other in before[position]):
                depths[position] = 1 + max((depths[other] for other in before[position]), default=0)
        waiting = [position for position in waiting if position not in depths]
    return tuple(depths[position] for position in range(len(before)))


def _reordered(moves: Sequence[_Move], started: Mapping[Piece, int]) -> list[_Move]:
    """List moves by when they started in a run."""
    order = sorted(range(len(moves)), key=lambda move: (started[move, 0, 0], move))
    place = {move: index for index, move in enumerate(order)}
    return [
        moves[move]._replace(after=tuple(place[other] for other in moves[move].after))
        for move in order
    ]


@dataclass(frozen=True)
class _Clock:
    """What moves take, in ticks and units."""

    carriers: Carriers
    capacities: Mapping[str, int]
    tick: Fraction
    step: int

    def latency(self, route: Route) -> int:
        """Round the latencies of a route up."""
        latencies = (self.carriers.latencies.get(hop, Fraction(0)) for hop in pairwise(route))
        return _ticks(sum(latencies, Fraction(0)), self.tick)

    def uses(self, route: Route) -> Counter[str]:
        """Count how often a route uses each resource."""
        return Counter(name for hop in pairwise(route) for name in self.carriers.uses[hop])


@dataclass
class _Lane:
    """The two blocks of one instance of a channel."""

    waiting: list[Piece] = field(default_factory=list)
    """The next one last."""
    sent: list[Piece] = field(default_factory=list)
    received: int = 0
    busy: bool = False


class _Run:
    """One run of a program, event by event.

    Parameters
    ----------
    moves
        In their order.
    program
        Says how they are run.
    clock
        What they take.
    hurried
        Whether a block takes the first move whose data is there, instead of the next one in the order,
        and combines operands as they arrive.
    """

    def __init__(
        self, moves: Sequence[_Move], program: Program, clock: _Clock, *, hurried: bool = False
    ) -> None:
        self._step = clock.step
        self._hurried = hurried
        self._capacities = clock.capacities
        self._moves = moves
        self._uses = [clock.uses(move.route) for move in moves]
        self._latencies = [clock.latency(move.route) for move in moves]
        self._lanes: dict[tuple[Channel, int], _Lane] = {}
        self._passed_on: list[list[int]] = [[] for _ in moves]
        chains: dict[tuple[int, str], list[int]] = {}
        self._channels = _channels(moves, program.split)
        for index, move in enumerate(moves):
            for other in move.after:
                self._passed_on[other].append(index)
            if move.gathers and not hurried:
                chains.setdefault((move.tree, move.route[-1]), []).append(index)
        links = [link for chain in chains.values() for link in pairwise(chain)]
        self._combined_after = dict(links)
        self._combined_before = {after: before for before, after in links}
        for instance in range(program.instances):
            for loop in reversed(range(program.loops)):
                for index in reversed(range(len(moves))):
                    lane = self._lanes.setdefault((self._channels[index], instance), _Lane())
                    lane.waiting.append((index, loop, instance))
        self._rates: dict[frozenset[Piece], dict[Piece, int]] = {}
        self._flowing: dict[Piece, int] = {}
        self._later: list[tuple[int, bool, Piece]] = []
        self._arrived: set[Piece] = set()
        self._received: set[Piece] = set()
        self._stirred: list[tuple[Channel, int]] = list(self._lanes)
        self.started: dict[Piece, int] = {}
        """When each piece was started, in ticks."""

    def finish(self) -> int:
        """Run to the end; give the tick at which the last piece is received."""
        now = 0
        while True:
            for key in dict.fromkeys(self._stirred):
                self._start(self._lanes[key], now)
            self._stirred.clear()
            if not self._flowing and not self._later:
                break
            now = self._advance(now)
            while self._later and self._later[0][0] == now:
                _, arrives, piece = heappop(self._later)
                if arrives:
                    self._receive(piece)
                else:
                    self._flowing[piece] = 2**_BITS_OF_UNIT
        assert all(not lane.waiting for lane in self._lanes.values())
        return now

    def _lane(self, piece: Piece) -> tuple[Channel, int]:
        move, _, instance = piece
        return self._channels[move], instance

    def _start(self, lane: _Lane, now: int) -> None:
        """Let the sender's block take the next piece, if it is free and has data and a place for it."""
        if lane.busy or len(lane.sent) - lane.received >= _PLACES:
            return
        piece = next((piece for piece in self._offered(lane) if self._has_data(piece)), None)
        if piece is None:
            return
        if piece == lane.waiting[-1]:
            lane.waiting.pop()
        else:
            lane.waiting.remove(piece)
        lane.sent.append(piece)
        lane.busy = True
        self.started[piece] = now
        if self._step:
            heappush(self._later, (now + self._step, False, piece))
        else:
            self._flowing[piece] = 2**_BITS_OF_UNIT

    def _offered(self, lane: _Lane) -> Iterator[Piece]:
        if self._hurried:
            return reversed(lane.waiting)
        return iter(lane.waiting[-1:])

    def _has_data(self, piece: Piece) -> bool:
        move, *others = piece
        return all((other, *others) in self._received for other in self._moves[move].after)

    def _advance(self, now: int) -> int:
        """Let data flow until something ends; give the tick at which that is."""
        flows = frozenset((move, 0, instance) for move, _, instance in self._flowing)
        if flows not in self._rates:
            listed = sorted(flows)
            shared = share_fairly([self._uses[move] for move, _, _ in listed], self._capacities)
            self._rates[flows] = dict(zip(listed, shared, strict=True))
        rates = self._rates[flows]
        rated = [
            (piece, left, rates[piece[0], 0, piece[2]]) for piece, left in self._flowing.items()
        ]
        ends = [now - -left // rate for _, left, rate in rated if rate]
        then = min(ends + [tick for tick, _, _ in self._later[:1]])
        for piece, left, rate in rated:
            self._flowing[piece] = left - rate * (then - now)
            if self._flowing[piece] <= 0:
                del self._flowing[piece]
                heappush(self._later, (then + self._latencies[piece[0]], True, piece))
                self._lanes[self._lane(piece)].busy = False
                self._stirred.append(self._lane(piece))
        return then

    def _receive(self, piece: Piece) -> None:
        """Note that a piece has arrived; receive it, and all that has waited for that."""
        self._arrived.add(piece)
        waiting = [piece]
        for one in waiting:
            move, loop, instance = one
            lane = self._lanes[self._lane(one)]
            if one not in self._arrived or lane.sent[lane.received] != one:
                continue
            before = self._combined_before.get(move)
            if before is not None and (before, loop, instance) not in self._received:
                continue
            self._arrived.remove(one)
            self._received.add(one)
            lane.received += 1
            waiting += lane.sent[lane.received : lane.received + 1]
            if move in self._combined_after:
                waiting.append((self._combined_after[move], loop, instance))
            self._stirred.append(self._lane(one))
            self._stirred += [(self._channels[other], instance) for other in self._passed_on[move]]
