"""Answers built slowly, on the fully unfolded graph, token by token; they use nothing of the referee."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product
from math import lcm
from typing import Any, NamedTuple

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Options, Outcome, relative_gap
from steadygrid.domain.timetable import Firing, Row, Timetable
from steadygrid.kinds.dataflow.schemas import (
    ChannelBuffer,
    CircuitCertificate,
    CircuitStep,
    DataflowInstance,
    DataflowResult,
    DataflowStatistics,
    DeadlockCertificate,
    DeadlockStep,
    WaitingTokens,
)
from tests.kinds.dataflow.bodies import spread

F = Fraction
Node = tuple[str, int]
"""A firing of an iteration, or a row."""


class Answer(NamedTuple):
    """What the referee is asked about."""

    instance: DataflowInstance
    options: Options
    result: DataflowResult
    schedule: Timetable | None


class Edge(NamedTuple):
    """A firing waits for one that is `height` iterations earlier."""

    source: Node
    target: Node
    height: Fraction
    channel: str | None
    token: int | None


@dataclass
class Queue:
    """A channel, rates by phase."""

    name: str
    source: str
    target: str
    made: Sequence[int]
    taken: Sequence[int]
    tokens: int


class Unfolded:
    """Phases, repetitions by trying, and every token of some iterations."""

    def __init__(self, instance: DataflowInstance) -> None:
        self.instance = instance
        self.sequential = instance.concurrency == "sequential"
        lengths: dict[str, int] = {}
        for actor in instance.graph.actors:
            lengths[actor.id] = len(actor.times) if isinstance(actor.times, tuple) else 1
        for c in instance.graph.channels:
            for end, rates in ((c.source, c.production), (c.target, c.consumption)):
                lengths[end] = max(lengths[end], len(rates) if isinstance(rates, tuple) else 1)
        self.lengths = lengths
        self.times: dict[str, Sequence[Fraction]] = {
            a.id: spread(a.times, lengths[a.id]) for a in instance.graph.actors
        }
        names = instance.channel_names
        self.queues = [
            Queue(
                names[i],
                c.source,
                c.target,
                spread(c.production, lengths[c.source]),
                spread(c.consumption, lengths[c.target]),
                c.tokens,
            )
            for i, c in enumerate(instance.graph.channels)
        ]
        self.cycles = self._cycles()

    def _cycles(self) -> dict[str, int]:
        names = list(self.lengths)
        for most in count(1):
            for tried in product(range(1, most + 1), repeat=len(names)):
                cycles = dict(zip(names, tried, strict=True))
                if all(
                    cycles[q.source] * sum(q.made) == cycles[q.target] * sum(q.taken)
                    for q in self.queues
                ):
                    return cycles
        raise AssertionError

    def handlers(self, queue: Queue, end: str) -> Iterator[int]:
        """Give the firing that handles each token, made or taken, one after the other."""
        rates = queue.made if end == "source" else queue.taken
        for firing in count():
            yield from [firing] * rates[firing % len(rates)]

    def pairs(self, queue: Queue, tokens: int) -> Iterator[tuple[int, int, int]]:
        """Give token, maker and taker of the first tokens that are made."""
        takers = self.handlers(queue, "target")
        for _ in range(queue.tokens):
            next(takers)
        makers = self.handlers(queue, "source")
        for token, maker, taker in zip(range(tokens), makers, takers, strict=False):
            yield queue.tokens + token, maker, taker

    def edges(self, turns: Mapping[str, int]) -> list[Edge]:
        """List what waits for what among the rows of so many cycles of each actor."""
        size = {name: turns[name] * self.lengths[name] for name in turns}
        found: dict[tuple[Node, Node, str | None], Edge] = {}
        for queue in self.queues:
            a, b = queue.source, queue.target
            made, taken = turns[a] * sum(queue.made), turns[b] * sum(queue.taken)
            moved = self.cycles[a] * sum(queue.made)
            for token, maker, taker in self.pairs(queue, lcm(made, taken)):
                ahead = taker // size[b] * taken - maker // size[a] * made
                ends = (a, maker % size[a]), (b, taker % size[b])
                # The token, were the taker in the first turn.
                token -= taker // size[b] * taken
                edge = Edge(*ends, F(ahead, moved), queue.name, token)
                key = (*ends, queue.name)
                if key not in found or found[key].height > edge.height:
                    found[key] = edge
        if self.sequential:
            for name, rows in size.items():
                for row in range(rows):
                    ends = (name, row), (name, (row + 1) % rows)
                    height = F(turns[name], self.cycles[name]) if row + 1 == rows else F(0)
                    found[*ends, None] = Edge(*ends, height, None, None)
        return list(found.values())

    def alive(self) -> bool:
        """Run two iterations, whatever fires first; channels by position."""
        due = {a: 2 * self.cycles[a] * self.lengths[a] for a in self.lengths}
        waits: dict[Node, set[Node]] = {(a, f): set() for a, n in due.items() for f in range(n)}
        for queue in self.queues:
            for _, maker, taker in self.pairs(
                queue, 2 * self.cycles[queue.source] * sum(queue.made)
            ):
                if taker < due[queue.target]:
                    waits[queue.target, taker].add((queue.source, maker))
        if self.sequential:
            for a, n in due.items():
                for f in range(1, n):
                    waits[a, f].add((a, f - 1))
        while free := [node for node, before in waits.items() if not before]:
            for node in free:
                del waits[node]
            for before in waits.values():
                before.difference_update(free)
        return not waits

    def time(self, node: Node) -> Fraction:
        return self.times[node[0]][node[1] % self.lengths[node[0]]]


class TokenlessError(Exception):
    """A circle that never gets ahead."""

    def __init__(self, cycle: list[Edge]) -> None:
        super().__init__("deadlock")
        self.cycle = cycle


def critical(
    unfolded: Unfolded, edges: Sequence[Edge], *, unit: bool = False
) -> tuple[Fraction, list[Edge], dict[Node, Fraction]]:
    """Give the largest ratio of time to height, a cycle that has it, and least starts."""
    nodes = {edge.source for edge in edges} | {edge.target for edge in edges}
    ratio, best = F(0), list[Edge]()
    while True:
        starts = dict.fromkeys(nodes, F(0))
        parent: dict[Node, Edge] = {}
        for _ in range(len(nodes) + 1):
            grown = None
            for edge in edges:
                time = F(1) if unit else unfolded.time(edge.source)
                least = starts[edge.source] + time - ratio * edge.height
                if least > starts[edge.target]:
                    starts[edge.target], parent[edge.target], grown = least, edge, edge.target
            if grown is None:
                return ratio, best, starts
        for _ in nodes:
            grown = parent[grown].source
        cycle = [parent[grown]]
        while cycle[-1].source != grown:
            cycle.append(parent[cycle[-1].source])
        best = cycle[::-1]
        height = sum(edge.height for edge in best)
        if height <= 0:
            raise TokenlessError(best)
        ratio = sum((F(1) if unit else unfolded.time(e.source) for e in best), F(0)) / height


def answer(instance: DataflowInstance, turns: Mapping[str, int] | None = None) -> Answer | None:
    """Build a right answer; None where the throughput has no limit, or nothing repeats so soon.

    Parameters
    ----------
    turns
        Cycles after which the starts of each actor repeat; left out, an iteration.
    """
    unfolded = Unfolded(instance)
    cycles = unfolded.cycles
    edges = unfolded.edges(cycles)
    try:
        critical(unfolded, edges, unit=True)
    except TokenlessError as found:
        return _deadlock(unfolded, found.cycle)
    period, cycle, starts = critical(unfolded, edges)
    if not period:
        return None
    circuit, bound = _steps(unfolded, cycle), 1 / period
    iterations = sum((edge.height for edge in cycle), F(0))
    if turns is not None:
        edges = unfolded.edges(turns)
        try:
            critical(unfolded, edges, unit=True)
            period, _, starts = critical(unfolded, edges)
        except TokenlessError:
            return None
    turns = cycles if turns is None else turns
    rows = [
        Row(
            Firing(name, phase + 1),
            residue,
            turn,
            starts.get((name, residue * unfolded.lengths[name] + phase), F(0)),
            unfolded.times[name][phase],
            period * turn / cycles[name],
        )
        for name, turn in turns.items()
        for residue in range(turn)
        for phase in range(unfolded.lengths[name])
    ]
    together = lcm(*(F(turns[name], cycles[name]).numerator for name in turns))
    schedule = Timetable(None, together * period, together, tuple(rows))
    value = 1 / period
    result = DataflowResult(
        outcome=Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
        method="k_periodic",
        objective=Objective.throughput(value),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(value, bound),
        certificate=CircuitCertificate(),
        period=period,
        repetitions=cycles,
        unfolding=dict(turns),
        critical_circuit=circuit,
        iterations=iterations,
        buffers=[
            ChannelBuffer(channel=q.name, tokens=places(unfolded, q, schedule, to_the_end=True))
            for q in unfolded.queues
        ],
        tokens_waiting=[
            WaitingTokens(channel=q.name, tokens=places(unfolded, q, schedule))
            for q in unfolded.queues
        ],
        statistics=DataflowStatistics(),
    )
    return Answer(instance, Options(), result, schedule)


def _steps(unfolded: Unfolded, cycle: Sequence[Edge]) -> list[CircuitStep]:
    moved = {q.name: unfolded.cycles[q.source] * sum(q.made) for q in unfolded.queues}
    iteration, steps = F(0), list[CircuitStep]()
    for j, edge in enumerate(cycle):
        iteration += edge.height if j else 0
        name, row = edge.target
        at = int(iteration)
        steps.append(
            CircuitStep(
                actor=name,
                firing=row + at * unfolded.cycles[name] * unfolded.lengths[name],
                channel=edge.channel,
                token=None
                if edge.channel is None
                else (edge.token or 0) + at * moved[edge.channel],
                time=unfolded.time(edge.target),
            )
        )
    return steps


def _deadlock(unfolded: Unfolded, cycle: Sequence[Edge]) -> Answer:
    tokens = {q.name: q.tokens for q in unfolded.queues}
    assert not sum(edge.height for edge in cycle)
    steps = [
        DeadlockStep(
            actor=step.actor,
            firing=step.firing,
            channel=step.channel,
            tokens=None if step.channel is None else tokens[step.channel],
        )
        for step in _steps(unfolded, cycle)
    ]
    result = _without_value(unfolded, Outcome.INFEASIBLE, DeadlockCertificate(circuit=steps), [])
    return Answer(unfolded.instance, Options(), result, None)


def _without_value(
    unfolded: Unfolded, outcome: Outcome, certificate: Any, notes: list[str]
) -> DataflowResult:
    return DataflowResult(
        outcome=outcome,
        method="k_periodic",
        objective=None,
        bound=None,
        gap=None,
        certificate=certificate,
        period=None,
        repetitions=unfolded.cycles,
        unfolding=None,
        critical_circuit=None,
        iterations=None,
        buffers=None,
        statistics=DataflowStatistics(),
        notes=notes,
    )


def unknown(instance: DataflowInstance) -> Answer:
    """The time was over."""
    result = _without_value(
        Unfolded(instance), Outcome.UNKNOWN, NoCertificate(), ["the time was over"]
    )
    return Answer(instance, Options(), result, None)


class Replay:
    """A timetable, read firing by firing."""

    def __init__(self, unfolded: Unfolded, schedule: Timetable) -> None:
        self._unfolded = unfolded
        self._rows = {(r.operation.actor, r.residue, r.operation.phase): r for r in schedule.rows}  # type: ignore[union-attr]
        self._turns = {r.operation.actor: r.modulus for r in schedule.rows}  # type: ignore[union-attr]

    def start(self, actor: str, firing: int) -> Fraction:
        cycle, phase = divmod(firing, self._unfolded.lengths[actor])
        turn, residue = divmod(cycle, self._turns[actor])
        row = self._rows[actor, residue, phase + 1]
        return row.start + turn * row.every

    def turn(self, queue: Queue) -> int:
        """Count the tokens after which everything on a channel repeats."""
        return lcm(
            self._turns[queue.source] * sum(queue.made),
            self._turns[queue.target] * sum(queue.taken),
        )

    def right(self) -> bool:
        """Follow every token until all repeats, and every firing of a sequential actor."""
        unfolded = self._unfolded
        if any(row.start < 0 for row in self._rows.values()):
            return False
        for queue in unfolded.queues:
            for _, maker, taker in unfolded.pairs(queue, self.turn(queue)):
                end = self.start(queue.source, maker) + unfolded.time((queue.source, maker))
                if self.start(queue.target, taker) < end:
                    return False
        if unfolded.sequential:
            for actor, turns in self._turns.items():
                for firing in range(turns * unfolded.lengths[actor]):
                    end = self.start(actor, firing) + unfolded.time((actor, firing))
                    if self.start(actor, firing + 1) < end:
                        return False
        return True


def places(
    unfolded: Unfolded, queue: Queue, schedule: Timetable, *, to_the_end: bool = False
) -> int:
    """Compare every token of a long stretch with every other."""
    replay = Replay(unfolded, schedule)
    rows = [r for r in schedule.rows if r.operation.actor in (queue.source, queue.target)]  # type: ignore[union-attr]
    moved = unfolded.cycles[queue.source] * sum(queue.made)
    # So many iterations as any start is late, and all tokens among which everything repeats.
    late = max(r.start + to_the_end * r.time for r in rows) * schedule.throughput
    length = replay.turn(queue) + moved * (int(late) + 2) + queue.tokens
    begun = [replay.start(queue.source, m) for _, m, _ in unfolded.pairs(queue, length)]
    taken: list[tuple[Fraction, bool]] = []
    for firing in unfolded.handlers(queue, "target"):
        if len(taken) > length:
            break
        time = unfolded.time((queue.target, firing))
        freed = replay.start(queue.target, firing) + to_the_end * time
        # What takes no time frees its places after what starts at the same moment.
        taken.append((freed, to_the_end and not time))
    most = queue.tokens
    for token, start in enumerate(begun):
        for oldest in range(token + queue.tokens + 1):
            if oldest < len(taken) and (start, False) < taken[oldest]:
                most = max(most, token + queue.tokens - oldest + 1)
                break
    return most
