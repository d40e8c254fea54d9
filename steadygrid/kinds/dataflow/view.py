"""What people read about an answer of `dataflow`."""

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
    ChannelBuffer,
    CircuitStep,
    CoverCertificate,
    DataflowInstance,
    DataflowResult,
    DeadlockCertificate,
    DeadlockStep,
    NotStrictCertificate,
    RowsCertificate,
    TooShortCertificate,
    WaitingTokens,
    room_name,
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
        Of the answer. None where it has none.
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
    endless = isinstance(result.certificate, NotStrictCertificate)
    if steps and result.iterations is not None and not endless:
        label = "unlimited" if instance.chooses_places else "limit"
        yield label, _limit(instance, steps, result.iterations)


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
    """Name channels, with the tokens that they begin with if there are any."""
    tokens, rooms = _tokens_of(instance), _rooms_of(instance)
    held = [
        f"{rooms.get(name, name)} ({_held(tokens[name], name in rooms)} at the beginning)"
        if tokens[name]
        else rooms.get(name, name)
        for name in channels
    ]
    empty = not any(tokens[name] for name in channels)
    return f" over {_listed(held)}{' (empty at the beginning)' if empty else ''}"


def _tokens_of(instance: DataflowInstance) -> dict[str, int]:
    """Give the tokens of the beginning of all channels, and their free places where they have a limit."""
    tokens = {
        name: channel.tokens
        for name, channel in zip(instance.channel_names, instance.graph.channels, strict=True)
    }
    free = {
        room_name(name): places - tokens[name]
        for name, places in (instance.capacities or {}).items()
    }
    return tokens | free


def _rooms_of(instance: DataflowInstance) -> dict[str, str]:
    """Say in words what leads back from the end of each channel with a limit."""
    return {room_name(name): f"the free places of {name}" for name in instance.capacities or ()}


def _held(count: int, free: bool) -> str:
    return f"{count:,} free" if free else _tokens(count)


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
    limited = {room_name(one): one for one in instance.capacities or ()}
    noun = _counted(count, "more place" if name in limited else "more token")
    return f"; {noun} on {limited.get(name, name)} would free this circuit"


def _proof(
    instance: DataflowInstance, result: DataflowResult, steps: Sequence[CircuitStep]
) -> Section | None:
    if isinstance(result.certificate, DeadlockCertificate):
        told = _dead(instance, result.certificate.circuit) + _remedy(instance, result)
        return Section("", (f"Why no schedule exists (deadlock): {told}.",))
    if isinstance(result.certificate, TooShortCertificate):
        return _why_too_short(instance, result, steps)
    if isinstance(result.certificate, NotStrictCertificate):
        told = (
            "Why no strictly periodic schedule exists: the phases of the critical circuit wait for each"
            " other. If starts repeated after each cycle, each turn would begin later than it may,"
            " however long the period. With schedule: k_periodic there may be one."
        )
        return Section("", (told,))
    if isinstance(result.certificate, CoverCertificate | RowsCertificate):
        return _why_no_fewer(result, result.certificate)
    if result.bound is None or instance.chooses_places or not steps or result.iterations is None:
        return None
    return Section(
        "",
        (
            "Why no schedule does more than ",
            Amount(result.bound.value, Measure.RATE),
            ": ",
            "each firing of the critical circuit waits for the one before it. So in every"
            f" {'strictly periodic ' if instance.even else ''}schedule, ",
            *_iterations(result.iterations),
            " cannot take less than these firings, ",
            Amount(sum((step.time for step in steps), Fraction(0)), Measure.DURATION),
            ".",
        ),
    )


def _why_too_short(
    instance: DataflowInstance, result: DataflowResult, steps: Sequence[CircuitStep]
) -> Section:
    taken = sum((step.time for step in steps), Fraction(0))
    target, iterations = instance.target_period, result.iterations
    assert target is not None
    assert iterations is not None
    return Section(
        "",
        (
            "Why no capacities reach the target of ",
            Amount(target, Measure.DURATION),
            ": each firing of the critical circuit waits for the one before it, however many places"
            " there are. So ",
            *_iterations(iterations),
            " cannot take less than ",
            Amount(taken, Measure.DURATION),
            ". The least period is ",
            Amount(taken / iterations, Measure.DURATION),
            ".",
        ),
    )


def _why_no_fewer(
    result: DataflowResult, certificate: CoverCertificate | RowsCertificate
) -> Section:
    together = isinstance(certificate, RowsCertificate)
    clauses = len(
        certificate.rows if isinstance(certificate, RowsCertificate) else certificate.clauses
    )
    if clauses and together:
        why = (
            f"{_counted(clauses, 'circuit')} of firings {'needs' if clauses == 1 else 'need'} tokens and"
            " free places in proportion to the time. Together, each counted by its factor, they need"
            " so many."
        )
    elif not clauses:
        why = "with fewer on one channel, some firing of its ends never starts."
    else:
        why = (
            f"{_counted(clauses, 'circuit')} of firings {'waits' if clauses == 1 else 'wait'} for free"
            " places. A faster schedule has more places on some channel of each circuit that is too"
            " slow, and no distribution of fewer places has."
        )
    least = result.places_bound
    assert least is not None
    return Section("", ("Why not fewer than ", Amount(least, Measure.NUMBER), f" places: {why}"))


def _front(result: DataflowResult) -> Iterator[Section]:
    """List the fewest places for each period, and the capacities that were chosen."""
    if result.front is not None:
        rows: list[tuple[Cell, ...]] = [
            (point.places, point.period, 1 / point.period) for point in result.front
        ]
        columns = (
            Column("places", Measure.NUMBER),
            Column("period", Measure.TIME),
            Column("throughput", Measure.RATE),
        )
        yield Section(
            "The fewest places for each period", table=Table(columns, tuple(rows), "points")
        )


def _ring(
    instance: DataflowInstance, result: DataflowResult, steps: Sequence[CircuitStep]
) -> Cycle | None:
    """Give the critical circuit, or the one that never runs, with the tokens of its channels."""
    dead = isinstance(result.certificate, DeadlockCertificate)
    listed: Sequence[CircuitStep | DeadlockStep] = steps
    if isinstance(result.certificate, DeadlockCertificate):
        listed = result.certificate.circuit
    endless = isinstance(result.certificate, NotStrictCertificate)
    if not listed or endless or (result.iterations is None and not dead):
        return None
    tokens = _tokens_of(instance)
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
    yield from _front(result)
    yield _actors(instance, result)
    if result.critical_circuit:
        yield _circuit(instance, result.critical_circuit)
    if result.buffers:
        yield _buffers(instance, result, result.buffers)


def _buffers(
    instance: DataflowInstance, result: DataflowResult, buffers: Sequence[ChannelBuffer]
) -> Section:
    """List the places of each channel: those that it has, and those that this schedule needs."""
    limits = {**(instance.capacities or {}), **(result.capacities or {})}
    waiting: Sequence[WaitingTokens | None] = result.tokens_waiting or [None] * len(buffers)
    rows: list[tuple[Cell, ...]] = [
        (
            buffer.channel,
            Fraction(buffer.tokens),
            *([_count(limits.get(buffer.channel))] if limits else []),
            None if held is None else Fraction(held.tokens),
            Fraction(channel.tokens),
        )
        for buffer, held, channel in zip(buffers, waiting, instance.graph.channels, strict=True)
    ]
    rows.sort(key=lambda row: -Fraction(row[1] or 0))
    columns = (
        Column("channel", Measure.TEXT),
        Column("places", Measure.COUNT),
        *([Column("capacity", Measure.COUNT)] if limits else []),
        Column("until they are taken", Measure.COUNT, optional=True),
        Column("tokens at the beginning", Measure.COUNT, optional=True),
    )
    return Section(
        "Buffers that this schedule needs", table=Table(columns, tuple(rows), "channels")
    )


def _count(count: int | None) -> Fraction | None:
    return None if count is None else Fraction(count)


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


def _circuit(instance: DataflowInstance, steps: Sequence[CircuitStep]) -> Section:
    rooms = _rooms_of(instance)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            step.actor,
            Fraction(step.firing),
            "the firing before" if step.channel is None else rooms.get(step.channel, step.channel),
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
    title = "Critical circuit" + (" without limits" if instance.chooses_places else "")
    return Section(title, table=Table(columns, rows, "firings"))
