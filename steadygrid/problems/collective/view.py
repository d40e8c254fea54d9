"""What people are told about an answer of `collective`."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.resources import link_resource
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Amount, Measure, Phrase, View
from steadygrid.problems.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.problems.headlines import periodic_view


def view(
    instance: CollectiveInstance,
    options: Options,
    result: CollectiveResult,
    schedule: Schedule | None,
) -> View:
    """Say how many operations are done how often, and whose port or which links limit that."""
    noun = instance.operation.replace("_", "-")
    moved = (t.file for a in (schedule.allocations if schedule else ()) for t in a.transfers)
    return replace(
        periodic_view(instance, schedule, noun=noun),
        file_sizes=instance.sizes_of(moved),
        facts=(*_messages(instance, result), *_limit(instance, result, noun)),
    )


def _messages(
    instance: CollectiveInstance, result: CollectiveResult
) -> tuple[tuple[str, Phrase], ...]:
    """Say how many messages an operation has, and how much data all of them move per time unit."""
    told: Phrase = (
        Amount(Fraction(len(instance.messages)), Measure.COUNT),
        f" in each {instance.operation.replace('_', '-')}",
    )
    if result.algorithmic_bandwidth is not None:
        told += ("; together ", Amount(result.algorithmic_bandwidth, Measure.NUMBER), " of data")
        told += (" per time unit",)
    return (("messages", told),)


def _limit(
    instance: CollectiveInstance, result: CollectiveResult, noun: str
) -> tuple[tuple[str, Phrase], ...]:
    """Say who can send or receive how much, and how much of that an operation needs."""
    bound = result.bound
    if bound is None or not bound.exact or not bound.value:
        return ()
    told = _cut(instance, result.certificate.prices, bound.value, noun)
    if not told:
        told = _port(result.certificate.prices, noun)
    return (("limit", told),) if told else ()


def _port(prices: Mapping[str, Fraction], noun: str) -> Phrase:
    """Tell of the only resource that is priced for how long it is busy in each operation."""
    priced = [name for name, price in prices.items() if price]
    if len(priced) != 1:
        return ()
    owner, _, what = priced[0].rpartition(".")
    verb = {"send": "sends", "receive": "receives", "port": "sends or receives"}.get(what)
    if verb is None or "--" in owner:
        return ()
    return (
        f"{owner} {verb} for ",
        Amount(1 / prices[priced[0]], Measure.DURATION),
        f" in each {noun}",
    )


def _cut(
    instance: CollectiveInstance, prices: Mapping[str, Fraction], bound: Fraction, noun: str
) -> Phrase:
    """Tell of a set of processors what its links can send to the rest, and what messages need.

    The set is what can be reached from where data comes at no price; told only where the links
    alone prove the bound: under ``multiport`` their prices are their parts of what all can send.
    """
    if instance.ports != "multiport" or not instance.messages:
        return ()
    platform, gather = instance.platform, instance.operation == "gather"
    priced = {name for name, price in prices.items() if price}
    if not all(name.endswith(".link") for name in priced):
        return ()
    ids = [processor.id for processor in platform.processors]
    start = platform.index_by_id[instance.taking_part[0]]
    inside = {start}
    around = platform.arcs_in if gather else platform.arcs_out
    queue = [start]
    for here in queue:
        for arc in around[here]:
            other = arc.source if gather else arc.target
            if (
                other not in inside
                and link_resource(ids[arc.source], ids[arc.target]) not in priced
            ):
                inside.add(other)
                queue.append(other)
    into = [a for a in platform.arcs if (a.source in inside) < (a.target in inside)]
    out = [a for a in platform.arcs if (a.source in inside) > (a.target in inside)]
    capacity = sum((1 / arc.unit_time for arc in (into if gather else out)), Fraction(0))
    side = {ids[i] for i in inside}
    crossing = (
        message.size
        for message in instance.messages
        if (message.origin in side, message.receiver in side) == (not gather, gather)
    )
    needed = sum(crossing, Fraction(0))
    if not needed or capacity / needed != bound:
        return ()
    listed = sorted(side)
    some = ", ".join(listed[:3]) + (f" and {len(listed) - 3} more" if len(listed) > 3 else "")
    verb = "receive" if gather else "send"
    end = "from" if gather else "to"
    return (
        f"{some} can {verb} ",
        Amount(capacity, Measure.NUMBER),
        f" per time unit {end} the rest; each {noun} needs ",
        Amount(needed, Measure.NUMBER),
    )
