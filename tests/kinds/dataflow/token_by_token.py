"""A second way to the period: every token by its place, every firing by itself."""

from collections.abc import Iterator
from fractions import Fraction

import networkx as nx

from steadygrid.kinds.dataflow.schemas import DataflowInstance

Firing = tuple[str, int]


class Deadlock(Exception):
    """Some firing never starts."""


class Tokens:
    """Who makes and who takes each token, straight from the definition."""

    def __init__(self, instance: DataflowInstance) -> None:
        graph = instance.graph
        self.sequential = instance.concurrency == "sequential"
        self.phases = {
            a.id: len(a.times) if isinstance(a.times, tuple) else 1 for a in graph.actors
        }
        self.times = {
            a.id: a.times if isinstance(a.times, tuple) else (a.times,) for a in graph.actors
        }
        self.channels = [
            (
                c.source,
                c.target,
                self._rates(c.production, c.source),
                self._rates(c.consumption, c.target),
                c.tokens,
            )
            for c in graph.channels
        ]
        self.cycles = self._repetitions()
        self.iteration = {a: q * self.phases[a] for a, q in self.cycles.items()}

    def _rates(self, given: object, actor: str) -> tuple[int, ...]:
        return given if isinstance(given, tuple) else (given,) * self.phases[actor]  # type: ignore[return-value]

    def _repetitions(self) -> dict[str, int]:
        for total in range(1, 10_000):
            first = next(iter(self.phases))
            share = {first: Fraction(total)}
            for _ in self.phases:
                for a, b, made, taken, _tokens in self.channels:
                    if a in share:
                        share[b] = share[a] * sum(made) / sum(taken)
                    elif b in share:
                        share[a] = share[b] * sum(taken) / sum(made)
            if all(value.denominator == 1 for value in share.values()):
                return {a: int(value) for a, value in share.items()}
        raise AssertionError("repetitions of more than 10,000 cycles")

    def time(self, firing: Firing) -> Fraction:
        actor, number = firing
        return self.times[actor][number % self.phases[actor]]

    def waits_for(self, firing: Firing) -> Iterator[Firing]:
        """Give the firings that make what a firing takes, and the one before it where that counts."""
        actor, number = firing
        if self.sequential and number:
            yield actor, number - 1
        for channel in range(len(self.channels)):
            yield from self.makers(firing, channel)

    def makers(self, firing: Firing, channel: int) -> Iterator[Firing]:
        """Give the firings that make what a firing takes from a channel."""
        actor, number = firing
        source, target, made, taken, tokens = self.channels[channel]
        if target == actor:
            first = _before(taken, number)
            for position in range(first, first + taken[number % len(taken)]):
                if position >= tokens:
                    yield source, _maker(made, position - tokens)


def _before(rates: tuple[int, ...], firing: int) -> int:
    cycle, phase = divmod(firing, len(rates))
    return cycle * sum(rates) + sum(rates[:phase])


def _maker(rates: tuple[int, ...], token: int) -> int:
    cycle, rest = divmod(token, sum(rates))
    phase = 0
    while rest >= rates[phase]:
        rest -= rates[phase]
        phase += 1
    return cycle * len(rates) + phase


def earliest_starts(tokens: Tokens, iterations: int) -> dict[Firing, Fraction]:
    """Let every firing of some iterations start as soon as its tokens are there."""
    firings = [(a, n) for a, size in tokens.iteration.items() for n in range(size * iterations)]
    starts: dict[Firing, Fraction] = {}
    while len(starts) < len(firings):
        before = len(starts)
        for firing in firings:
            needed = set(tokens.waits_for(firing))
            if firing not in starts and needed <= starts.keys():
                starts[firing] = max(
                    (starts[other] + tokens.time(other) for other in needed), default=Fraction(0)
                )
        if len(starts) == before:
            raise Deadlock
    return starts


def simulated_period(instance: DataflowInstance, most: int = 24) -> Fraction | None:
    """Run a graph in which each actor waits for each until a state comes back; None: not in time."""
    tokens = Tokens(instance)
    starts = earliest_starts(tokens, most)
    memory = 1 + max(
        (-(-held // (tokens.cycles[a] * sum(made))) for a, _, made, _, held in tokens.channels),
        default=0,
    )
    states = [
        [
            starts[a, n]
            for a, size in tokens.iteration.items()
            for n in range(i * size, (i + memory) * size)
        ]
        for i in range(most - memory + 1)
    ]
    for last in range(len(states) - 1, len(states) // 2, -1):
        for first in range(last - 1, -1, -1):
            gaps = {b - a for a, b in zip(states[first], states[last], strict=True)}
            if len(gaps) == 1:
                return gaps.pop() / (last - first)
    return None


def enumerated_period(instance: DataflowInstance) -> Fraction:
    """Write out an iteration, each firing a node, and look at every simple cycle.

    Raises
    ------
    Deadlock
        If one of them holds no token.
    """
    tokens = Tokens(instance)
    far = 2 + max((held for *_, held in tokens.channels), default=0)
    delays: dict[tuple[Firing, Firing], int] = {}
    for actor, size in tokens.iteration.items():
        for number in range(size):
            late = number + far * size
            for source, other in tokens.waits_for((actor, late)):
                before, turn = other % tokens.iteration[source], other // tokens.iteration[source]
                ends = (source, before), (actor, number)
                delay = far - turn
                delays[ends] = min(delay, delays.get(ends, delay))
    net = nx.DiGraph()
    net.add_edges_from(delays)
    best = Fraction(0)
    for cycle in nx.simple_cycles(net):
        turns = sum(delays[ends] for ends in zip(cycle, cycle[1:] + cycle[:1], strict=True))
        if turns <= 0:
            raise Deadlock
        best = max(best, sum(map(tokens.time, cycle), Fraction(0)) / turns)
    return best


def most_tokens(
    tokens: Tokens, starts: dict[Firing, Fraction], channel: int, *, to_the_end: bool = False
) -> int:
    """Count the tokens of a channel from the start of who makes them to start or end of who takes them."""
    source, target, made, taken, held = tokens.channels[channel]
    # What takes no time frees its places after what starts at the same moment.
    moves = [((at, False), made[n % len(made)]) for (a, n), at in starts.items() if a == source]
    moves += [
        (
            (at + to_the_end * tokens.time((a, n)), to_the_end and not tokens.time((a, n))),
            -taken[n % len(taken)],
        )
        for (a, n), at in starts.items()
        if a == target
    ]
    most = now = held
    for time in sorted({at for at, _ in moves}):
        now += sum(change for at, change in moves if at == time)
        most = max(most, now)
    return most
