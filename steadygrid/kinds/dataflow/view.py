"""What people are told about an answer of `dataflow`."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd

from steadygrid.domain.job import Options
from steadygrid.domain.timetable import Timetable
from steadygrid.domain.view import (
    Amount,
    Cell,
    Column,
    Cycle,
    Measure,
    Phrase,
    Section,
    Step,
    Table,
    View,
)
from steadygrid.kinds.dataflow.long_circuits import all_steps
from steadygrid.kinds.dataflow.referee_graph import Graph
from steadygrid.kinds.dataflow.schemas import (
    CircuitStep,
    DataflowInstance,
    DataflowResult,
    DeadlockCertificate,
    DeadlockStep,
)

_MOST_NAMED = 6


def view(
    instance: DataflowInstance,
    options: Options,
    result: DataflowResult,
    schedule: Timetable | None,
) -> View:
    """Say how long an iteration takes and which firings decide it, or which wait for ever.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer; None where it has none.
    """
    steps = all_steps(instance, result)
    headline: Phrase = ()
    if result.period is not None and schedule is not None:
        headline = ("an iteration takes ", Amount(result.period, Measure.DURATION))
    return View(
        noun="iteration",
        tasks=tuple(actor.id for actor in instance.graph.actors),
        headline=headline,
        facts=tuple(_facts(instance, result, steps)),
        sections=tuple(_sections(instance, result)),
        proof=_proof(instance, result, steps),
        cycle=_ring(instance, result, steps),
        rivals="schedule",
        subject=instance.graph.name or "",
        extent=(
            f"{_counted(len(instance.graph.actors), 'actor')},"
            f" {_counted(len(instance.graph.channels), 'channel')}, {instance.concurrency}"
        ),
    )


def _facts(
    instance: DataflowInstance, result: DataflowResult, steps: Sequence[CircuitStep]
) -> Iterator[tuple[str, Phrase]]:
    if steps and result.iterations is not None:
        yield "limit", _limit(instance, steps, result.iterations)


def _limit(
    instance: DataflowInstance, steps: Sequence[CircuitStep], iterations: Fraction
) -> Phrase:
    """Say which firings decide the throughput, how long they take, and how far they get meanwhile."""
    actors = list(dict.fromkeys(step.actor for step in steps))
    channels = list(dict.fromkeys(step.channel for step in steps if step.channel is not None))
    time = Amount(sum((step.time for step in steps), Fraction(0)), Measure.DURATION)
    advance: Phrase = (", for ", *_iterations(iterations))
    if not channels:
        return (f"{actors[0]} is never idle: {_firings(len(steps))} in ", time, *advance)
    over = _name_channels(instance, channels)
    who = (
        f"{actors[0]} waits for itself"
        if len(actors) == 1
        else f"{_listed(actors)} wait for each other"
    )
    return (f"{who}{over}: {_firings(len(steps))} in ", time, *advance)


def _name_channels(instance: DataflowInstance, channels: Sequence[str]) -> str:
    """Name channels, with the tokens that they begin with where there are any."""
    given = dict(zip(instance.channel_names, instance.graph.channels, strict=True))
    held = [
        f"{name} ({_tokens(given[name].tokens)} at the beginning)" if given[name].tokens else name
        for name in channels
    ]
    empty = not any(given[name].tokens for name in channels)
    return f" over {_listed(held)}{' (empty at the beginning)' if empty else ''}"


def _iterations(count: Fraction) -> Phrase:
    noun = "iteration" if count == 1 else "iterations"
    return (Amount(count, Measure.NUMBER), f" {noun}")


def _firings(count: int) -> str:
    return f"{count:,} firing" + ("" if count == 1 else "s, one after the other,")


def _tokens(count: int) -> str:
    return _counted(count, "token")


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    if more > 0:
        return f"{', '.join(names[:_MOST_NAMED])} and {more:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _dead(instance: DataflowInstance, steps: Sequence[DeadlockStep]) -> str:
    """Say which firings never start."""
    channels = list(dict.fromkeys(step.channel for step in steps if step.channel is not None))
    named = _listed([f"firing {step.firing} of {step.actor}" for step in steps])
    over = _name_channels(instance, channels)
    if len(steps) == 1:
        return f"{named} waits for itself, or for a later one of its kind, for ever,{over}"
    return f"{named} wait for each other for ever, each for the one before,{over}"


def _remedy(instance: DataflowInstance, result: DataflowResult) -> str:
    """Name the channel of a deadlock that the fewest more tokens free, and how many these are."""
    assert isinstance(result.certificate, DeadlockCertificate)
    graph, steps = Graph(instance), result.certificate.circuit
    turns = gcd(*(result.repetitions[step.actor] for step in steps))
    needed: list[tuple[int, str]] = []
    for j, step in enumerate(steps):
        if step.channel is None:
            continue
        channel, last = graph.by_name[step.channel], steps[j - 1]
        made, taken = channel.made(last.firing), channel.taken(step.firing)
        turn = result.repetitions[last.actor] // turns * graph.per_cycle(channel)[0]
        later = 0 if j else max(0, (taken.first - made.end) // turn + 1)
        needed.append((taken.end - made.first - later * turn, step.channel))
    count, name = min(needed, key=lambda found: found[0])
    return (
        f"; {count:,} more {'token' if count == 1 else 'tokens'} on {name} would free this circuit"
    )


def _proof(
    instance: DataflowInstance, result: DataflowResult, steps: Sequence[CircuitStep]
) -> Section | None:
    if isinstance(result.certificate, DeadlockCertificate):
        told = _dead(instance, result.certificate.circuit) + _remedy(instance, result)
        return Section("", (f"Why no schedule exists (deadlock): {told}.",))
    if result.bound is None or not steps or result.iterations is None:
        return None
    return Section(
        "",
        (
            "Why no schedule does more than ",
            Amount(result.bound.value, Measure.RATE),
            ": ",
            "each firing of the critical circuit waits for the one before it. So in every schedule, ",
            *_iterations(result.iterations),
            " cannot take less than these firings, ",
            Amount(sum((step.time for step in steps), Fraction(0)), Measure.DURATION),
            ".",
        ),
    )


def _ring(
    instance: DataflowInstance, result: DataflowResult, steps: Sequence[CircuitStep]
) -> Cycle | None:
    """Give the critical circuit, or the one that never runs, with the tokens of its channels."""
    dead = isinstance(result.certificate, DeadlockCertificate)
    listed: Sequence[CircuitStep | DeadlockStep] = steps
    if isinstance(result.certificate, DeadlockCertificate):
        listed = result.certificate.circuit
    if not listed or (result.iterations is None and not dead):
        return None
    tokens = {
        name: channel.tokens
        for name, channel in zip(instance.channel_names, instance.graph.channels, strict=True)
    }
    waiting = tuple(
        Step(
            step.actor,
            (),
            step.firing,
            step.time if isinstance(step, CircuitStep) else None,
            step.channel or "the firing before",
            0 if step.channel is None else tokens[step.channel],
        )
        for step in listed
    )
    return Cycle(waiting, "firing", "token", None if dead else result.iterations, "iteration")


def _sections(instance: DataflowInstance, result: DataflowResult) -> Iterator[Section]:
    yield _actors(instance, result)
    if result.critical_circuit:
        yield _circuit(result.critical_circuit)
    if result.buffers:
        tokens = [Fraction(channel.tokens) for channel in instance.graph.channels]
        rows: list[tuple[Cell, ...]] = [
            (buffer.channel, Fraction(buffer.tokens), at_first)
            for buffer, at_first in zip(result.buffers, tokens, strict=True)
        ]
        rows.sort(key=lambda row: -Fraction(row[1] or 0))
        columns = (
            Column("channel", Measure.TEXT),
            Column("places", Measure.COUNT),
            Column("tokens at the beginning", Measure.COUNT, optional=True),
        )
        yield Section(
            "Buffers that this schedule needs", table=Table(columns, tuple(rows), "channels")
        )


def _actors(instance: DataflowInstance, result: DataflowResult) -> Section:
    """List how often each actor fires in an iteration, for how long, and what part of the time."""
    graph = Graph(instance)
    found: list[tuple[str, Fraction, Fraction]] = []
    for i, actor in enumerate(instance.graph.actors):
        cycles = result.repetitions[actor.id]
        times = actor.times if isinstance(actor.times, tuple) else (actor.times,)
        busy = cycles * sum(times, Fraction(0)) * (graph.phases[i] // len(times))
        found.append((actor.id, Fraction(cycles * graph.phases[i]), busy))
    found.sort(key=lambda row: -row[2])
    columns = [
        Column("actor", Measure.TASK),
        Column("firings", Measure.COUNT),
        Column("time", Measure.TIME),
    ]
    rows: list[tuple[Cell, ...]] = list(found)
    if result.period is not None and result.period > 0:
        columns.append(Column("load", Measure.SHARE))
        rows = [(*row, row[2] / result.period) for row in found]
    return Section("Actors, in an iteration", table=Table(tuple(columns), tuple(rows), "actors"))


def _circuit(steps: Sequence[CircuitStep]) -> Section:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            step.actor,
            Fraction(step.firing),
            "the firing before" if step.channel is None else step.channel,
            None if step.token is None else Fraction(step.token),
            step.time,
        )
        for step in steps
    )
    columns = (
        Column("actor", Measure.TASK),
        Column("firing", Measure.COUNT),
        Column("waits for", Measure.TEXT),
        Column("token", Measure.COUNT, optional=True),
        Column("time", Measure.TIME),
    )
    return Section("Critical circuit", table=Table(columns, rows, "firings"))
