"""What a `dataflow` instance may be refused for."""

from collections.abc import Iterator, Sequence
from math import lcm

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.wording import shown
from steadygrid.kinds.dataflow.capacity_faults import place_faults
from steadygrid.kinds.dataflow.liveness import seen_to_be_live
from steadygrid.kinds.dataflow.rates import (
    MOST_REPETITIONS,
    Ends,
    TooManyRepetitionsError,
    UnbalancedError,
    ends_of,
    in_circles,
    parts_of,
    phases_of,
    repetitions,
)
from steadygrid.kinds.dataflow.schemas import DataflowGraph, DataflowInstance, takes_time

MOST_DIGITS = 900
"""Of the common denominator of all times. A period is a sum of them."""
_MOST_NAMED = 6


def faults(instance: DataflowInstance, _options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. Ids of actors and channels are unique, and ends of channels are known.
    2. Times have a common denominator of at most `MOST_DIGITS` digits.
    3. Lists of an actor have one length.
    4. On each channel tokens are made, and taken.
    5. Places fit the graph (`place_faults`).
    6. The graph is connected.
    7. Rates balance, in fewer than `MOST_REPETITIONS` cycles of each actor.
    8. Something limits the throughput, unless firings may wait for each other for ever
       (`seen_to_be_live`), which is an answer.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    _options
        Not read.
    at
        Place of the instance in the submission; pointers to faults begin with it.

    Notes
    -----
    Linear in actors, channels and phases, apart from `seen_to_be_live`, which looks at its most.
    """
    graph, here = instance.graph, (*at, "graph")
    sound = True
    for fault in (*_name_faults(graph, here), *_digit_faults(graph, here)):
        sound = False
        yield fault
    if not sound:
        return
    for fault in _rate_faults(instance, here):
        sound = False
        yield fault
    if not sound:
        return
    for fault in place_faults(instance, at):
        sound = False
        yield fault
    phases = phases_of(graph)
    ends = ends_of(graph, phases)
    for fault in (*_part_faults(graph, ends, here), *_balance_faults(instance, ends, here)):
        sound = False
        yield fault
    without_limit = next(_time_faults(instance, ends, here), None)
    if without_limit is not None and (not sound or seen_to_be_live(graph, ends, phases)):
        yield without_limit


def _name_faults(graph: DataflowGraph, at: Pointer) -> Iterator[Fault]:
    actors: set[str] = set()
    for i, actor in enumerate(graph.actors):
        if actor.id in actors:
            detail = f"actor {shown(actor.id)} is given twice: give each actor a name of its own"
            yield Fault((*at, "actors", i, "id"), "duplicate_actor", detail)
        actors.add(actor.id)
    known = Known(actor.id for actor in graph.actors)
    channels: set[str] = set()
    for i, channel in enumerate(graph.channels):
        here = (*at, "channels", i)
        if channel.id is not None and channel.id in channels:
            detail = (
                f"channel {shown(channel.id)} is given twice: give each channel a name of its own, or"
                " leave it out"
            )
            yield Fault((*here, "id"), "duplicate_channel", detail)
        channels.add(channel.id or "")
        for end in ("source", "target"):
            name = getattr(channel, end)
            if name not in actors:
                detail = f"there is no actor {shown(name)}{known.suggestion(name)}"
                yield Fault((*here, end), "unknown_actor", detail)


def _digit_faults(graph: DataflowGraph, at: Pointer) -> Iterator[Fault]:
    common = 1
    for i, actor in enumerate(graph.actors):
        times = actor.times if isinstance(actor.times, tuple) else (actor.times,)
        for denominator in {time.denominator for time in times}:
            common = lcm(common, denominator)
            if common >= 10**MOST_DIGITS:
                yield Fault(
                    (*at, "actors", i, "times"),
                    "too_many_digits",
                    "the common denominator of all times, down to this one, has more than"
                    f" {MOST_DIGITS} digits: round the times",
                )
                return


def _rate_faults(instance: DataflowInstance, at: Pointer) -> Iterator[Fault]:
    graph = instance.graph
    stated = {
        actor.id: (len(actor.times), "its times")
        for actor in graph.actors
        if isinstance(actor.times, tuple) and len(actor.times) > 1
    }
    names = instance.channel_names
    for i, channel in enumerate(graph.channels):
        for end, what, verb in (
            (channel.source, "production", "made"),
            (channel.target, "consumption", "taken"),
        ):
            rates = getattr(channel, what)
            listed = rates if isinstance(rates, tuple) else (rates,)
            if not any(listed):
                yield Fault(
                    (*at, "channels", i, what),
                    "zero_rates",
                    f"no tokens of {shown(names[i])} are ever {verb}: remove the channel, or give a"
                    " rate above 0",
                )
            if len(listed) == 1:
                continue
            length, said = stated.setdefault(end, (len(listed), f"the {what} of {shown(names[i])}"))
            if length != len(listed):
                yield Fault(
                    (*at, "channels", i, what),
                    "rates_of_phases",
                    f"{shown(end)} has {length:,} phases by {said}, but {len(listed):,} by this list:"
                    " give one number for each phase, or a single number for all",
                )


def _part_faults(graph: DataflowGraph, ends: Ends, at: Pointer) -> Iterator[Fault]:
    parts = parts_of(len(graph.actors), ends)
    if len(parts) > 1:
        named = [
            "{" + _names([graph.actors[actor].id for actor in part]) + "}"
            for part in parts[:_MOST_NAMED]
        ]
        more = len(parts) - len(named)
        listed = ", ".join(named) + (f" and {more:,} more" if more else "")
        yield Fault(
            at,
            "not_connected",
            f"no channels join the {len(parts):,} parts {listed}, and nothing says how often one runs"
            " for the others: submit them as jobs of their own",
        )


def _names(listed: Sequence[str]) -> str:
    more = len(listed) - _MOST_NAMED
    named = ", ".join(shown(name) for name in listed[:_MOST_NAMED])
    return named + (f" and {more:,} more" if more > 0 else "")


def _balance_faults(instance: DataflowInstance, ends: Ends, at: Pointer) -> Iterator[Fault]:
    graph = instance.graph
    try:
        repetitions(len(graph.actors), ends)
    except TooManyRepetitionsError as why:
        yield Fault(
            at,
            "too_many_repetitions",
            f"one iteration would hold {MOST_REPETITIONS:,} cycles of {shown(graph.actors[why.actor].id)},"
            " or more: give rates that have more in common",
        )
    except UnbalancedError as why:
        yield _unbalanced(instance, ends, why, at)


def _unbalanced(instance: DataflowInstance, ends: Ends, why: UnbalancedError, at: Pointer) -> Fault:
    channel = instance.graph.channels[why.channel]
    source, target = shown(channel.source), shown(channel.target)
    name = shown(instance.channel_names[why.channel])
    produced, consumed = ends.produced[why.channel], ends.consumed[why.channel]
    of_source, of_target = why.cycles
    if why.route:
        route = _names([instance.channel_names[one] for one in why.route])
        together = (
            f"{_cycles(of_source)} of {source} {'goes' if of_source == 1 else 'go'} with {of_target:,} of {target} by {route}, which form a"
            f" cycle of channels with {name}. In them {name}"
        )
    else:
        together = f"{name} leads from {source} to itself. In a cycle of {source} it"
    return Fault(
        (*at, "channels", why.channel),
        "inconsistent_rates",
        f"{together} gets {of_source:,} * {produced:,} = {of_source * produced:,} tokens and loses"
        f" {of_target:,} * {consumed:,} = {of_target * consumed:,}. Let a cycle of {source} make"
        f" {of_target:,} and a cycle of {target} take {of_source:,}, or a multiple of both",
    )


def _cycles(count: int) -> str:
    return f"{count:,} cycle" + ("" if count == 1 else "s")


def _time_faults(instance: DataflowInstance, ends: Ends, at: Pointer) -> Iterator[Fault]:
    actors = instance.graph.actors
    timed = [i for i, actor in enumerate(actors) if takes_time(actor)]
    if not timed:
        yield Fault(
            at,
            "no_throughput_limit",
            "nothing takes time, so the throughput has no limit: give an actor a time above 0",
        )
    elif instance.concurrency == "auto":
        limited = set(instance.capacities or ())
        # The places of a channel join its ends in a circle.
        inside = in_circles(len(actors), ends)
        for i, name in enumerate(instance.channel_names):
            if name in limited:
                inside[ends.sources[i]] = inside[ends.targets[i]] = True
        if not any(inside[i] for i in timed):
            name = shown(actors[timed[0]].id)
            yield Fault(
                at,
                "no_throughput_limit",
                "no cycle of channels holds an actor that takes time, so any number of firings may run"
                " at once, and the throughput has no limit. Ask for concurrency: sequential. Or give"
                f" {name} a channel to itself, with one token for each firing that may run at once",
            )
