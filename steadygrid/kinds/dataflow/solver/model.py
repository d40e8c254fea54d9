"""What a firing waits for, as a graph of times and heights.

Letters: ``phi_a`` phases of actor a, ``q_a`` cycles through them per iteration, ``M`` tokens of a
channel at the beginning, ``T`` time per iteration. An actor is unfolded ``K_a`` times: a turn is K_a of
its cycles, phase p of a turn one of ``K_a phi_a``, and ``x_ap(n)``, the start in turn n, is
``u_ap + n T K_a / q_a``. `K_a` divides `q_a`.

For a channel from a to b let I and O be the tokens made and taken up to a phase of a turn, ``g`` the
greatest common divisor of those of a whole turn. Phase p of a makes, in turn n, the positions
``M + n I_end + I(p-1) + 1 .. M + n I_end + I(p)``; phase p' of b takes, in turn n',
``n' O_end + O(p'-1) + 1 .. n' O_end + O(p')``. They meet where ``D = n' O_end - n I_end``, a multiple
of g, has

(1) ``D > M + I(p-1) - O(p')`` and ``D + O(p'-1) < M + I(p)``,

and then p' waits for p. Since ``n' K_b/q_b - n K_a/q_a = D/Theta`` with
``Theta = q_a sum(production) = q_b sum(consumption)``, the least such D says the most:

(2) ``u_bp' - u_ap >= t_ap - T D / Theta``.

Where firings of a end in order it is enough to wait for the firing that makes the last token, which
is (1) with ``O(p') - 1`` in place of ``O(p'-1)``. They do where a is sequential, and at the least
starts where no actor has phases.

The least ``y = D + O(p') - M`` above ``I(p-1)`` depends on p' only by its residue modulo g, and whether
(1) holds only by its consumption besides. So phases of b that agree in both share a node of no time
between them and those of a: rates without a common divisor then need ``K_a phi_a + K_b phi_b`` edges,
not their product.

Source: Bodin, Munier-Kordon, Dupont de Dinechin, "Optimal and fast throughput evaluation of CSDF",
DAC 2016. The conditions for firings that overlap are the design's own.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from steadygrid.engine.cycles.graph import Graph, Integers, Whole, fitting, largest, whole
from steadygrid.kinds.dataflow.solver.net import Channel, Net

MOST_NODES = 300_000
"""Phases of the graph of one round. The schedule has a row for each. What comes after the rounds, the
referee too, takes some 10 s for so many, and has to end before the hard stop."""
MOST_EDGES = 5_000_000
_ROOM = 2**61
FEW_PAIRS = 40
"""Pairs of phases that are looked at one by one: calls of numpy would take longer."""
_PIECE = 2**18
"""Pairs that are looked at between two heartbeats."""

Heartbeat = Callable[[], None]


class TooLargeError(Exception):
    """A round needs more nodes or edges than are allowed."""


class Block(NamedTuple):
    """The edges of one channel between unfolded actors.

    An end that is not negative is a phase of the source's, or the target's, turn; -1 - m is the m-th
    node between. Edges from a phase take its time, others none.

    Attributes
    ----------
    between
        How many nodes there are between.
    heights
        ``D / g``. The parts of a route over a node between add up to it.
    """

    between: int
    sources: Integers
    targets: Integers
    heights: Whole


def unfold(channel: Channel, turns: tuple[int, int], heartbeat: Heartbeat) -> Block:
    """Say which phases of the target wait for which of the source, by (1).

    Parameters
    ----------
    turns
        ``K`` of source and target.

    Raises
    ------
    TooLargeError
        If there are more than `MOST_EDGES`.
    """
    if channel.name is None:
        return _in_a_row(len(channel.production) * turns[0])
    if len(channel.production) == len(channel.consumption) == turns[0] == turns[1] == 1:
        return _of_one_firing(channel)
    if len(channel.production) * turns[0] * len(channel.consumption) * turns[1] <= FEW_PAIRS:
        return _edges_of_few_phases(channel, turns)
    most = turns[0] * sum(channel.production) + turns[1] * sum(channel.consumption)
    kind = np.int64 if 2 * most + channel.tokens < _ROOM else object
    produced = np.tile(np.array(channel.production, dtype=kind), turns[0])
    consumed = np.tile(np.array(channel.consumption, dtype=kind), turns[1])
    after = np.cumsum(produced)
    taken = np.cumsum(consumed)
    divisor = gcd(int(after[-1]), int(taken[-1]))
    makers, takers = np.flatnonzero(produced != 0), np.flatnonzero(consumed != 0)
    after, taken = after[makers], taken[takers]
    residues = (taken - channel.tokens) % divisor
    reaches = consumed[takers]
    if channel.ordered:
        reaches = np.ones(len(takers), dtype=kind)
    elif kind is np.int64:
        reaches = np.minimum(reaches, divisor)
    some_residues, one = np.unique(residues, return_inverse=True)
    some_reaches, two = np.unique(reaches, return_inverse=True)
    classes, firing_class = np.unique(one * len(some_reaches) + two, return_inverse=True)
    residue = some_residues[classes // len(some_reaches)]
    reach = some_reaches[classes % len(some_reaches)]
    met = _meetings(after - produced[makers], after, residue, reach, divisor, heartbeat)
    maker, of_class, ahead = (np.concatenate(parts) for parts in zip(*met, strict=True))
    behind = (residue[firing_class] - taken + channel.tokens) // divisor
    return _joined(makers[maker], of_class, ahead, takers, firing_class, behind)


def _in_a_row(phases: int) -> Block:
    """Let each firing wait for the one before it."""
    places = np.arange(phases)
    heights = np.zeros(phases, dtype=np.int64)
    heights[-1] = 1
    return Block(0, places, np.roll(places, -1), heights)


def _of_one_firing(channel: Channel) -> Block:
    """Let the only firing of a turn wait for the only one: always, as g tokens follow each other."""
    (made,), (taken,) = channel.production, channel.consumption
    divisor = gcd(made, taken)
    # The least D that is a multiple of g and above M - O.
    height = (channel.tokens - taken) // divisor + 1
    return Block(0, np.zeros(1, np.int64), np.zeros(1, np.int64), np.array([height]))


def _edges_of_few_phases(channel: Channel, turns: tuple[int, int]) -> Block:
    """Look at each phase of the source and each of the target, as (1) reads."""
    made, taken = channel.production * turns[0], channel.consumption * turns[1]
    divisor = gcd(sum(made), sum(taken))
    sources, targets, heights = [], [], []
    before = channel.tokens
    for maker, number in enumerate(made):
        used = 0
        for taker, reach in enumerate(taken):
            used += reach
            if number and reach:
                height = (before - used) // divisor + 1
                nearest = 1 if channel.ordered else reach
                if height * divisor + used - nearest < before + number:
                    sources.append(maker)
                    targets.append(taker)
                    heights.append(height)
        before += number
    return Block(0, np.array(sources), np.array(targets), whole(heights))


Meetings = tuple[Integers, Integers, Whole]


def _meetings(
    before: Whole, after: Whole, residue: Whole, reach: Whole, divisor: int, heartbeat: Heartbeat
) -> Iterator[Meetings]:
    """Find who makes what firings of each class take: maker, class, ``(y - residue) / g``."""
    rounds = int(after[-1]) // divisor + 2
    by_turns = rounds < len(before)
    at_once = max(1, _PIECE // min(rounds, len(before)))
    edges = 0
    for first in range(0, len(residue), at_once):
        heartbeat()
        piece = slice(first, first + at_once)
        find = _by_rounds if by_turns else _by_pairs
        maker, firing_class, ahead = find(before, after, residue[piece], reach[piece], divisor)
        edges += len(maker)
        if edges > MOST_EDGES:
            raise TooLargeError
        yield maker, firing_class + first, ahead


def _by_pairs(before: Whole, after: Whole, residue: Whole, reach: Whole, divisor: int) -> Meetings:
    """Look at each maker and each class."""
    y = before[:, None] + 1 + (residue[None, :] - before[:, None] - 1) % divisor
    meets = np.asarray(y < after[:, None] + reach[None, :], dtype=np.bool_)
    maker, firing_class = np.nonzero(meets)
    return maker, firing_class, (y[maker, firing_class] - residue[firing_class]) // divisor


def _by_rounds(before: Whole, after: Whole, residue: Whole, reach: Whole, divisor: int) -> Meetings:
    """Look at each class in each of the turns of g tokens that a turn of the source makes."""
    turns = np.arange(int(after[-1]) // divisor + 2, dtype=np.int64).astype(before.dtype)
    y = (residue[:, None] + turns[None, :] * divisor).ravel()
    firing_class = np.repeat(np.arange(len(residue)), len(turns))
    last = np.searchsorted(before, y, side="left")
    first = np.maximum(
        np.searchsorted(before, y - divisor, side="left"),
        np.searchsorted(after, y - reach[firing_class], side="right"),
    )
    counts = np.maximum(last - first, 0)
    which = np.repeat(np.arange(len(y)), counts)
    within = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
    return (
        first[which] + within,
        firing_class[which],
        (y[which] - residue[firing_class[which]]) // divisor,
    )


def _joined(
    maker: Integers,
    of_class: Integers,
    ahead: Whole,
    takers: Integers,
    firing_class: Integers,
    behind: Whole,
) -> Block:
    """Lead the makers of each class to its takers, directly or over a node between."""
    sizes = np.bincount(firing_class)
    pairs = sizes[of_class]
    if int(pairs.sum()) > len(maker) + len(takers):
        return Block(
            len(sizes),
            np.concatenate((maker, -1 - firing_class)),
            np.concatenate((-1 - of_class, takers)),
            np.concatenate((ahead, behind)),
        )
    by_class = np.argsort(firing_class, kind="stable")
    begins = np.cumsum(sizes) - sizes
    edge = np.repeat(np.arange(len(maker)), pairs)
    within = np.arange(len(edge)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    place = by_class[begins[of_class[edge]] + within]
    return Block(0, maker[edge], takers[place], ahead[edge] + behind[place])


@dataclass(frozen=True)
class Unfolded:
    """A net whose actors are unfolded: the graph of one round.

    Attributes
    ----------
    turns
        ``K`` of each actor.
    blocks
        Of each channel.
    starts
        First node of each actor. The nodes between follow the last actor's.
    first_edges
        Of each block, and the number of edges.
    between
        First node between of each block.
    height_unit
        What a height counts: the ``height_unit``-th part of an iteration.
    """

    net: Net
    turns: tuple[int, ...]
    blocks: tuple[Block, ...]
    starts: tuple[int, ...]
    first_edges: tuple[int, ...]
    between: tuple[int, ...]
    height_unit: int
    graph: Graph

    def actor(self, node: int) -> int | None:
        """Say whose phase a node is. None for one between."""
        return bisect_right(self.starts, node) - 1 if node < self.phases else None

    @property
    def phases(self) -> int:
        """Nodes that are phases of actors."""
        return self.starts[-1]

    def actors_on(self, cycle: Sequence[int]) -> list[int]:
        """Give the actors whose phases lie on a cycle of edges."""
        sources = np.asarray(self.graph.sources)[list(cycle)]
        sources = sources[sources < self.phases]
        places = np.searchsorted(self.starts, sources, side="right") - 1
        return np.unique(places).tolist()  # type: ignore[no-any-return]


class Unfolding:
    """Makes the graphs of rounds, and keeps the edges of channels that stay as they are.

    Parameters
    ----------
    live
        Whether every firing takes one unit: then no cycle without tokens can hide behind firings that
        take no time.
    """

    def __init__(self, net: Net, *, live: bool, heartbeat: Heartbeat) -> None:
        self._net, self._heartbeat = net, heartbeat
        self._known: dict[int, tuple[tuple[int, int], Block]] = {}
        self._alike: dict[tuple[object, ...], Block] = {}
        phases = [len(actor.times) for actor in net.actors]
        self._phases = np.array(phases)
        self._first = np.array([0, *accumulate(phases)])
        scale = net.scale
        self._times = whole(
            [
                1 if live else time.numerator * (scale // time.denominator)
                for actor in net.actors
                for time in actor.times
            ]
        )

    def unfold(self, turns: Sequence[int]) -> Unfolded:
        """Unfold each actor so many times.

        Raises
        ------
        TooLargeError
            If that is too much.
        """
        net = self._net
        self._alike.clear()
        sizes = [k * len(a.times) for k, a in zip(turns, net.actors, strict=True)]
        starts = (0, *accumulate(sizes))
        if starts[-1] > MOST_NODES:
            raise TooLargeError
        blocks = []
        edges = 0
        for place in range(len(net.channels)):
            blocks.append(self._block(place, turns))
            edges += len(blocks[-1].sources)
            if edges > MOST_EDGES:
                raise TooLargeError
        unit = lcm(*(a.repetitions // k for k, a in zip(turns, net.actors, strict=True)))
        return self._assembled(tuple(turns), starts, tuple(blocks), unit)

    def _block(self, place: int, turns: Sequence[int]) -> Block:
        channel = self._net.channels[place]
        asked = turns[channel.source], turns[channel.target]
        known = self._known.get(place)
        if known is None or known[0] != asked:
            known = self._known[place] = asked, self._made(channel, asked)
        return known[1]

    def _made(self, channel: Channel, turns: tuple[int, int]) -> Block:
        """Unfold a channel. Those that differ in their ends only share a block."""
        own = channel.name is None
        rates = channel.production, channel.consumption
        key = (own, *rates, channel.tokens, channel.ordered, *turns)
        block = self._alike.get(key)
        if block is None:
            block = self._alike[key] = unfold(channel, turns, self._heartbeat)
        return block

    def _assembled(
        self,
        turns: tuple[int, ...],
        starts: tuple[int, ...],
        blocks: tuple[Block, ...],
        unit: int,
    ) -> Unfolded:
        net = self._net
        self._heartbeat()
        sizes = [len(block.sources) for block in blocks]
        first_edges = (0, *accumulate(sizes))
        *between, nodes = accumulate((block.between for block in blocks), initial=starts[-1])
        channel = np.repeat(np.arange(len(blocks)), sizes)
        first, middle = np.array(starts), np.array(between, dtype=np.int64)[channel]
        source = np.array([c.source for c in net.channels], dtype=np.int64)[channel]
        target = np.array([c.target for c in net.channels], dtype=np.int64)[channel]
        maker = _concatenate([block.sources for block in blocks])
        taker = _concatenate([block.targets for block in blocks])
        self._heartbeat()
        times = self._times[self._first[source] + np.maximum(maker, 0) % self._phases[source]]
        times[maker < 0] = 0
        graph = Graph(
            nodes,
            np.where(maker < 0, middle - 1 - maker, first[source] + maker),
            np.where(taker < 0, middle - 1 - taker, first[target] + taker),
            times,
            self._heights(blocks, turns, unit, channel),
        )
        return Unfolded(net, turns, blocks, starts, first_edges, tuple(between), unit, graph)

    def _heights(
        self, blocks: Sequence[Block], turns: tuple[int, ...], unit: int, channel: Integers
    ) -> Whole:
        """Give heights in parts of an iteration, not in turns of g tokens."""
        net = self._net
        parts = [actor.repetitions // turn for actor, turn in zip(net.actors, turns, strict=True)]
        units = whole([unit // lcm(parts[c.source], parts[c.target]) for c in net.channels])
        heights = _concatenate([block.heights for block in blocks])
        numbers = (heights, units)
        fits = max(1, largest(heights)) * largest(units) < _ROOM and all(
            values.dtype != object for values in numbers
        )
        heights, units = (fitting(values, fits) for values in numbers)
        return heights * units[channel]


def _concatenate(parts: Sequence[Whole]) -> Whole:
    together: Whole = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
    return together
