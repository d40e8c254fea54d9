"""How often the actors of a graph fire for each other: phases, rates, and the repetition vector.

Edward A. Lee, David G. Messerschmitt: Synchronous data flow, Proceedings of the IEEE 75(9), 1987;
Bilsen, Engels, Lauwereins, Peperstraete: Cyclo-static dataflow, IEEE Transactions on Signal
Processing 44(2), 1996.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from steadygrid.kinds.dataflow.schemas import DataflowGraph

MOST_REPETITIONS = 10**15
"""Cycles of an actor in an iteration are fewer."""


class UnbalancedError(Exception):
    """The tokens of a channel pile up, or run out.

    Attributes
    ----------
    channel
        Its number.
    route
        Channels, by number, that lead from its source to its target over others, in either direction.
    cycles
        As many of the source, and of the target, belong together by the channels of `route`.
    """

    def __init__(self, channel: int, route: Sequence[int], cycles: tuple[int, int]) -> None:
        super().__init__(channel)
        self.channel, self.route, self.cycles = channel, route, cycles


class TooManyRepetitionsError(Exception):
    """An iteration holds `MOST_REPETITIONS` cycles of an actor, or more.

    Attributes
    ----------
    actor
        Its number.
    """

    def __init__(self, actor: int) -> None:
        super().__init__(actor)
        self.actor = actor


@dataclass(frozen=True)
class Ends:
    """The ends of each channel, as numbers of actors, and the tokens that a cycle moves there."""

    sources: Sequence[int]
    targets: Sequence[int]
    produced: Sequence[int]
    consumed: Sequence[int]


def phases_of(graph: DataflowGraph) -> list[int]:
    """Give the number of phases of each actor: the length of the longest list that it has."""
    index = {actor.id: i for i, actor in enumerate(graph.actors)}
    phases = [_length(actor.times) for actor in graph.actors]
    for channel in graph.channels:
        for end, rates in (
            (channel.source, channel.production),
            (channel.target, channel.consumption),
        ):
            phases[index[end]] = max(phases[index[end]], _length(rates))
    return phases


def _length(given: object) -> int:
    return len(given) if isinstance(given, tuple) else 1


def in_a_cycle(rates: int | tuple[int, ...], phases: int) -> int:
    """Count the tokens of a cycle through all phases.

    Parameters
    ----------
    rates
        Tokens of each phase, or one number for all.
    phases
        How many the actor has.
    """
    if isinstance(rates, int):
        return rates * phases
    return sum(rates) if len(rates) == phases else rates[0] * phases


def ends_of(graph: DataflowGraph, phases: Sequence[int]) -> Ends:
    """Look up the ends of every channel, which exist.

    Parameters
    ----------
    graph
        As it was sent; ends of channels are actors that there are.
    phases
        How many each actor has.
    """
    index = {actor.id: i for i, actor in enumerate(graph.actors)}
    sources = [index[channel.source] for channel in graph.channels]
    targets = [index[channel.target] for channel in graph.channels]
    return Ends(
        sources,
        targets,
        [in_a_cycle(c.production, phases[a]) for c, a in zip(graph.channels, sources, strict=True)],
        [
            in_a_cycle(c.consumption, phases[b])
            for c, b in zip(graph.channels, targets, strict=True)
        ],
    )


def parts_of(count: int, ends: Ends) -> list[list[int]]:
    """Give the actors of each connected part, in order.

    Parameters
    ----------
    count
        How many actors there are. They are numbered from 0.
    ends
        Of each channel, with the tokens that a cycle makes and takes.
    """
    return [sorted(part) for part in _Walk(count, ends).parts()]


def repetitions(count: int, ends: Ends) -> list[int]:
    """Give the cycles of each actor in an iteration: the least whole numbers that balance all channels.

    Parts that are not connected have iterations of their own.

    Parameters
    ----------
    count
        How many actors there are. They are numbered from 0.
    ends
        Of each channel, with the tokens that a cycle makes and takes.

    Raises
    ------
    UnbalancedError
        There are none: of the first channel that does not fit to those before.
    TooManyRepetitionsError

    Notes
    -----
    Linear in actors and channels. No number in between has more than twice the digits of
    `MOST_REPETITIONS`, besides the given ones.
    """
    found = [0] * count
    walk = _Walk(count, ends)
    for part in walk.parts():
        common = 1
        for actor in part:
            rate = walk.rates[actor]
            common = lcm(common, rate.denominator)
            if common >= MOST_REPETITIONS:
                raise TooManyRepetitionsError(part[0])
        for actor in part:
            rate = walk.rates[actor]
            found[actor] = common // rate.denominator * rate.numerator
            if found[actor] >= MOST_REPETITIONS:
                raise TooManyRepetitionsError(actor)
    walk.check()
    return found


def _forest(count: int, ends: Ends) -> Iterator[int]:
    """Give the channels, in order, that join what those before do not."""
    above = list(range(count))

    def top(actor: int) -> int:
        while above[actor] != actor:
            above[actor] = above[above[actor]]
            actor = above[actor]
        return actor

    for channel, (source, target) in enumerate(zip(ends.sources, ends.targets, strict=True)):
        one, other = top(source), top(target)
        if one != other:
            above[max(one, other)] = min(one, other)
            yield channel


class _Walk:
    """Visits each part over its first channels that suffice, in either direction, breadth first."""

    def __init__(self, count: int, ends: Ends) -> None:
        self._ends = ends
        self._beside: list[list[int]] = [[] for _ in range(count)]
        for channel in _forest(count, ends):
            self._beside[ends.sources[channel]].append(channel)
            self._beside[ends.targets[channel]].append(channel)
        self.rates = [Fraction(0)] * count
        """Cycles of an actor for one of the first actor of its part."""
        self._over: list[int | None] = [None] * count
        self._depth = [0] * count

    def parts(self) -> Iterator[list[int]]:
        """Give the actors of each part as they are visited; ends early where rates are too long."""
        ends = self._ends
        for root in range(len(self.rates)):
            if self.rates[root]:
                continue
            self.rates[root] = Fraction(1)
            part = [root]
            for actor in part:
                rate = self.rates[actor]
                for channel in self._beside[actor]:
                    forward = ends.sources[channel] == actor
                    other = ends.targets[channel] if forward else ends.sources[channel]
                    if self.rates[other]:
                        continue
                    factor = Fraction(ends.produced[channel], ends.consumed[channel])
                    # What is too long already is refused, and need not grow.
                    long = max(rate.numerator, rate.denominator) >= MOST_REPETITIONS
                    grown = rate if long else rate * factor if forward else rate / factor
                    self.rates[other] = grown
                    self._over[other], self._depth[other] = channel, self._depth[actor] + 1
                    part.append(other)
            yield part

    def check(self) -> None:
        """Refuse the first channel that the others do not balance."""
        ends = self._ends
        for channel, (source, target) in enumerate(zip(ends.sources, ends.targets, strict=True)):
            made = self.rates[source] * ends.produced[channel]
            if made != self.rates[target] * ends.consumed[channel]:
                ratio = self.rates[source] / self.rates[target]
                raise UnbalancedError(
                    channel, self._tree_path(source, target), ratio.as_integer_ratio()
                )

    def _tree_path(self, one: int, other: int) -> list[int]:
        """Give the channels of the tree from one actor to another."""
        up: list[int] = []
        down: list[int] = []
        while one != other:
            deeper = self._depth[one] >= self._depth[other]
            channel = self._over[one if deeper else other]
            assert channel is not None
            (up if deeper else down).append(channel)
            near = self._ends.sources[channel], self._ends.targets[channel]
            if deeper:
                one = near[0] if near[1] == one else near[1]
            else:
                other = near[0] if near[1] == other else near[1]
        return up + down[::-1]


def in_circles(count: int, ends: Ends) -> list[bool]:
    """Tell for each actor whether a cycle of channels leads through it.

    Linear; walks iteratively (Kosaraju's algorithm).

    Parameters
    ----------
    count
        How many actors there are. They are numbered from 0.
    ends
        Of each channel, with the tokens that a cycle makes and takes.
    """
    after: list[list[int]] = [[] for _ in range(count)]
    before: list[list[int]] = [[] for _ in range(count)]
    found = [False] * count
    for source, target in zip(ends.sources, ends.targets, strict=True):
        after[source].append(target)
        before[target].append(source)
        found[source] = found[source] or source == target
    order: list[int] = []
    seen = [False] * count
    for root in range(count):
        if seen[root]:
            continue
        seen[root] = True
        stack = [(root, iter(after[root]))]
        while stack:
            actor, rest = stack[-1]
            following = next((other for other in rest if not seen[other]), None)
            if following is None:
                order.append(actor)
                stack.pop()
            else:
                seen[following] = True
                stack.append((following, iter(after[following])))
    taken = [False] * count
    for root in reversed(order):
        if taken[root]:
            continue
        taken[root] = True
        part = [root]
        for actor in part:
            for other in before[actor]:
                if not taken[other]:
                    taken[other] = True
                    part.append(other)
        if len(part) > 1:
            for actor in part:
                found[actor] = True
    return found
