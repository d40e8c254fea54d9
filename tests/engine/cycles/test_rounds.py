"""Rounds of unfolding: against operations that are unfolded completely."""

import random
from collections.abc import Mapping, Sequence
from math import gcd, lcm
from typing import NamedTuple

import numpy as np
import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.engine.cycles.graph import Graph
from steadygrid.engine.cycles.ratio import NoProgress, critical
from steadygrid.engine.cycles.rounds import Deadlock, Rounds, TooLarge, Unfolded, lifted, periodic
from steadygrid.engine.solving.control import Control
from tests.draws import draws
from tests.engine.cycles.plainly import Edge, graph_of, totals


class Uniform(NamedTuple):
    """Operations that occur once per data set, with times that repeat; edges (o, o', shift)."""

    times: Sequence[Sequence[int]]
    edges: Sequence[tuple[int, int, int]]
    joining: bool = False

    def unfold(self, turns: Sequence[int]) -> Unfolded:
        """Edges between all residues that meet, or through a node for each class of residues."""
        begin = np.concatenate(([0], np.cumsum(turns))).tolist()
        owner = np.repeat(np.arange(len(turns)), turns).tolist()
        edges: list[Edge] = []
        for one, two, shift in self.edges:
            common = gcd(turns[one], turns[two])
            nodes = range(len(owner), len(owner) + common) if self.joining else []
            owner += [-1] * len(nodes)
            for a in range(turns[one]):
                time = self.times[one][a % len(self.times[one])]
                if self.joining:
                    edges.append((begin[one] + a, nodes[(a + shift) % common], time, shift))
                else:
                    edges += [
                        (begin[one] + a, begin[two] + b, time, shift)
                        for b in range((a + shift) % common, turns[two], common)
                    ]
            if self.joining:
                edges += [(nodes[b % common], begin[two] + b, 0, 0) for b in range(turns[two])]
        return Unfolded(graph_of(len(owner), edges), np.array(owner, dtype=np.int64))

    def required(self, owners: Sequence[int]) -> Mapping[int, int]:
        """All operations need the least common multiple of their repetitions."""
        number = lcm(*(len(self.times[owner]) for owner in owners))
        return dict.fromkeys(owners, number)

    def completely(self) -> Graph:
        """All data sets of a turn of everything."""
        turn = lcm(*map(len, self.times))
        edges = [
            (one * turn + n, two * turn + (n + shift) % turn, row[n % len(row)], shift)
            for one, two, shift in self.edges
            for row in [self.times[one]]
            for n in range(turn)
        ]
        return graph_of(len(self.times) * turn, edges)


class Channel(NamedTuple):
    """From an actor to an actor, with tokens per firing, and tokens to begin with."""

    source: int
    target: int
    production: int
    consumption: int
    tokens: int


class Dataflow(NamedTuple):
    """Actors of one phase; heights in units of an iteration's part, common to all channels."""

    times: Sequence[int]
    repetitions: Sequence[int]
    channels: Sequence[Channel]
    tell_advances: bool = True

    @property
    def common(self) -> int:
        return lcm(*(self.repetitions[c.source] * c.production for c in self.channels))

    def unfold(self, turns: Sequence[int]) -> Unfolded:
        """Equation (10) for the producer of the last token that each firing takes."""
        begin = np.concatenate(([0], np.cumsum(turns))).tolist()
        edges: list[Edge] = []
        for one, two, production, consumption, tokens in self.channels:
            unit = gcd(turns[one] * production, turns[two] * consumption)
            height = self.common // (self.repetitions[one] * production)
            for a in range(turns[one]):
                for b in range(turns[two]):
                    most = tokens + (a + 1) * production - (b + 1) * consumption
                    distance = ((most - production) // unit + 1) * unit
                    if distance <= most:
                        edges.append(
                            (begin[one] + a, begin[two] + b, self.times[one], distance * height)
                        )
        owner = np.repeat(np.arange(len(turns)), turns)
        advances = [
            self.common * turn // q for turn, q in zip(turns, self.repetitions, strict=True)
        ]
        graph = graph_of(len(owner), edges)
        return Unfolded(graph, owner, advances if self.tell_advances else None)

    def required(self, owners: Sequence[int]) -> Mapping[int, int]:
        """Enough firings of each for whole iterations of the cycle."""
        common = gcd(*(self.repetitions[owner] for owner in owners))
        return {owner: self.repetitions[owner] // common for owner in owners}

    def completely(self) -> Graph:
        """One node per firing of an iteration; heights are iterations."""
        begin = np.concatenate(([0], np.cumsum(self.repetitions))).tolist()
        edges = []
        for one, two, production, consumption, tokens in self.channels:
            for b in range(self.repetitions[two]):
                firing = -((tokens - (b + 1) * consumption) // production) - 1
                back, a = divmod(firing, self.repetitions[one])
                edges.append((begin[one] + a, begin[two] + b, self.times[one], -back))
        return graph_of(begin[-1], edges)


def random_uniform(draw: random.Random) -> Uniform:
    number = draw.randint(1, 4)
    times = [
        [draw.randint(0, 9) for _ in range(draw.choice([1, 2, 3, 4, 6]))] for _ in range(number)
    ]
    lowest = draw.choice([0, 1, 1, 1, -1])
    edges = [
        (draw.randrange(number), draw.randrange(number), draw.randint(lowest, 5))
        for _ in range(draw.randint(1, 7))
    ]
    return Uniform(times, edges, draw.random() < 0.5)


def random_dataflow(draw: random.Random) -> Dataflow:
    number = draw.randint(1, 4)
    repetitions = [draw.randint(1, 6) for _ in range(number)]
    channels = []
    for _ in range(draw.randint(1, 6)):
        one, two = draw.randrange(number), draw.randrange(number)
        common = lcm(repetitions[one], repetitions[two]) * draw.randint(1, 2)
        tokens = draw.randint(0, 2 * common)
        channels.append(
            Channel(one, two, common // repetitions[one], common // repetitions[two], tokens)
        )
    times = [draw.choice([0, draw.randint(1, 9)]) for _ in range(number)]
    return Dataflow(times, repetitions, channels, draw.random() < 0.5)


def assert_rounds_end_right(
    recurrence: Uniform | Dataflow, start: Sequence[int], unit: int
) -> Rounds | None:
    """Compare with the complete graph; heights of rounds count `unit` for one of its heights."""
    try:
        expected = critical(recurrence.completely())
    except NoProgress:
        with pytest.raises(Deadlock) as raised:
            periodic(recurrence, start, 10**6)
        graph, stuck = raised.value.unfolded.graph, raised.value
        edges = list(
            zip(
                graph.sources.tolist(),
                graph.targets.tolist(),
                graph.times,
                graph.heights,
                strict=True,
            )
        )
        time, height = totals(edges, stuck.cycle)
        assert height < 0 or (height == 0 and time > 0)
        return None
    found = periodic(recurrence, start, 10**6)
    assert found.exact
    assert found.critical.ratio * unit == expected.ratio
    return found


@pytest.mark.parametrize("seed", range(2))
def test_rounds_find_the_period_of_uniform_recurrences(seed: int) -> None:
    draw = random.Random(seed)
    several = 0
    for _ in range(draws(150, 5_000)):
        recurrence = random_uniform(draw)
        found = assert_rounds_end_right(recurrence, [len(row) for row in recurrence.times], 1)
        several += found is not None and found.rounds > 1
    assert several > 10


@pytest.mark.parametrize("seed", range(2))
def test_rounds_find_the_period_of_dataflow_graphs_and_their_deadlocks(seed: int) -> None:
    draw = random.Random(seed)
    several = deadlocks = 0
    for _ in range(draws(150, 5_000)):
        recurrence = random_dataflow(draw)
        ones = [1] * len(recurrence.times)
        found = assert_rounds_end_right(recurrence, ones, recurrence.common)
        several += found is not None and found.rounds > 1
        deadlocks += found is None
    assert min(several, deadlocks) > 10


def test_a_circuit_of_firings_that_take_no_time_is_seen_with_times_of_1() -> None:
    channels = [Channel(0, 1, 1, 2, 0), Channel(1, 0, 2, 1, 1)]
    assert periodic(Dataflow([0, 0], [2, 1], channels), [1, 1], 99).critical.ratio == 0
    with pytest.raises(Deadlock) as raised:
        periodic(Dataflow([1, 1], [2, 1], channels), [1, 1], 99, until_finite=True)
    assert raised.value.turns == (2, 1)
    alive = [Channel(0, 1, 1, 2, 0), Channel(1, 0, 2, 1, 2)]
    first = periodic(Dataflow([1, 1], [2, 1], alive), [1, 1], 99, until_finite=True)
    assert first.critical.ratio > 0


@pytest.mark.parametrize("turns", ["auto", "sequential"])
def test_the_published_example_of_two_actors(turns: str) -> None:
    """A produces 2 tokens in 1, B takes one at a time for 2, and frees two of A's places."""
    channels = [Channel(0, 1, 2, 1, 0), Channel(1, 0, 1, 2, 2)]
    if turns == "sequential":
        channels += [Channel(0, 0, 1, 1, 1), Channel(1, 1, 1, 1, 1)]
    recurrence = Dataflow([1, 2], [1, 2], channels)
    found = periodic(recurrence, [1, 1], 99)
    assert found.critical.ratio * recurrence.common == (3 if turns == "auto" else 5)


BALANCED = Uniform(
    [[7, 3, 5], [2, 9, 4, 6, 1], [8, 2, 2, 1]],
    [(0, 0, 3), (1, 1, 5), (2, 2, 4), (0, 1, 0), (1, 2, 0), (2, 0, 1)],
)


def test_what_would_grow_too_large_ends_with_a_period_that_can_be_kept() -> None:
    exact = periodic(BALANCED, [3, 5, 4], 10**6)
    assert (exact.exact, exact.turns, exact.nodes) == (True, (60, 60, 60), 180)
    for joining in (False, True):
        refused = periodic(BALANCED._replace(joining=joining), [3, 5, 4], 40)
        assert (refused.exact, refused.turns, refused.rounds) == (False, (3, 5, 4), 2)
        assert refused.critical.ratio > exact.critical.ratio
    with pytest.raises(TooLarge, match="more than 11 nodes, after 0 rounds"):
        periodic(BALANCED, [3, 5, 4], 11)


def test_an_unfolding_may_refuse_itself() -> None:
    class Refusing(Uniform):
        def unfold(self, turns: Sequence[int]) -> Unfolded:
            if sum(turns) > 12:
                raise TooLarge
            return Uniform.unfold(self, turns)

    refused = periodic(Refusing(BALANCED.times, BALANCED.edges), [3, 5, 4], 10**6)
    assert (refused.exact, refused.nodes) == (False, 12)


@pytest.mark.parametrize("joining", [False, True])
def test_a_round_begins_with_what_the_last_one_found(joining: bool) -> None:
    """The critical loop is real at once, so that no further policy is needed."""
    recurrence = Uniform(
        [[30, 30], [1, 2, 3], [1, 1, 5]],
        [(0, 0, 1), (0, 1, 0), (1, 2, 0), (2, 0, 2), (1, 1, 3), (2, 2, 3)],
        joining,
    )
    old = recurrence.unfold([2, 3, 3])
    found = critical(old.graph)
    assert found.ratio == 30
    new = recurrence.unfold([6, 3, 6])
    again = critical(new.graph, policy=lifted(old, found, new))
    assert (again.ratio, again.statistics.policy_rounds) == (30, 1)


@pytest.mark.parametrize("size", [1, 10**30])
def test_starts_of_later_passes_are_later(size: int) -> None:
    """With what a pass advances the lifted policy is critical at once."""
    channels = [Channel(0, 1, 3, 2, 6), Channel(1, 0, 2, 3, 6), Channel(1, 1, 1, 1, 1)]
    recurrence = Dataflow([4 * size, 3 * size], [2, 3], channels)
    old, new = recurrence.unfold([2, 3]), recurrence.unfold([8, 9])
    found = critical(old.graph)
    again = critical(new.graph, policy=lifted(old, found, new))
    assert again.ratio == found.ratio
    assert again.statistics.exact_rounds == 1
    cold = critical(new.graph).statistics
    assert again.statistics.policy_rounds <= cold.policy_rounds


def test_the_rounds_end_when_their_heartbeat_does() -> None:
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        periodic(BALANCED, [3, 5, 4], 10**6, control.check)
