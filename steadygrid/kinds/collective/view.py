"""What people read about an answer of `collective`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Amount, Column, Measure, Method, Phrase, Section, Table, View
from steadygrid.kinds.collective.certificates import UnreachableCertificate
from steadygrid.kinds.collective.completion_view import (
    RIVALS,
    completion_cut,
    completion_facts,
    completion_headline,
    completion_proof,
)
from steadygrid.kinds.collective.depths import depth_of
from steadygrid.kinds.collective.limiting_sets import (
    alike_told,
    chunk_proof,
    chunks_told,
    cut_told,
    tight_cut,
)
from steadygrid.kinds.collective.prediction_view import (
    predicted_times,
    prediction_facts,
    times_of_sizes,
)
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    DIFFERENT,
    CollectiveInstance,
    CollectiveResult,
    ComparedMulticast,
)
from steadygrid.kinds.shared.comparison import comparison, methods
from steadygrid.kinds.shared.headlines import periodic_view
from steadygrid.kinds.shared.preferring import traffic_told

_LISTED = 6
"""Processors of a set, in one line."""


def view(
    instance: CollectiveInstance,
    options: Options,
    result: CollectiveResult,
    schedule: Schedule | None,
) -> View:
    """Say how many operations are done how often, and whose port or which links limit that.

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
    noun = _noun(instance)
    if instance.wants_completion:
        return _view_of_completion(instance, result, noun)
    rivals = _rivals(instance, result)
    moved = (t.file for a in (schedule.allocations if schedule else ()) for t in a.transfers)
    return replace(
        periodic_view(instance, schedule, result.bound, noun=noun),
        file_sizes=instance.sizes_of(moved),
        facts=(
            *_messages(instance, result, noun),
            *_chunks(instance, result),
            *prediction_facts(instance, result),
            *_limit(instance, result, noun),
            *traffic_told(result.preferred, "messages"),
        ),
        comparison=_comparison(result),
        methods=_methods(result),
        times=times_of_sizes(result),
        sections=(*predicted_times(instance, result), *_trees(instance, result)),
        bound_asked=instance.method == "upper_bound",
        roles=_roles(instance),
        cut=tight_cut(instance, result),
        proof=_unreachable(instance, result) or chunk_proof(instance, result, noun, rivals),
        rivals=rivals,
        alike=alike_told(instance, result),
    )


def _view_of_completion(instance: CollectiveInstance, result: CollectiveResult, noun: str) -> View:
    """Say when one operation is complete, and what it waits for."""
    return View(
        instance.platform,
        instance.ports,
        noun=noun,
        headline=completion_headline(result, noun),
        facts=(
            *_messages(instance, result, noun),
            *completion_facts(instance, result),
        ),
        sections=_trees(instance, result),
        roles=_roles(instance),
        cut=completion_cut(instance, result),
        proof=_unreachable(instance, result) or completion_proof(instance, result),
        rivals=RIVALS,
    )


def _rivals(instance: CollectiveInstance, result: CollectiveResult) -> str:
    """Say what the bound holds for, where that is not every schedule."""
    told = ""
    if result.chunks is not None:
        told = f" with {_counted_chunks(instance, result.chunks.count)}"
    if instance.operation == "allreduce":
        told += " that combines each piece at one processor"
    return f"schedule{told}" if told else ""


def _counted_chunks(instance: CollectiveInstance, count: int) -> str:
    each = "participant" if instance.operation == "allreduce" else "message"
    if len({message.size for message in instance.messages if message.size}) > 1:
        each = "part that all messages have in common"
    return f"{count:,} chunk{'s' if count > 1 else ''} per {each}"


def _chunks(
    instance: CollectiveInstance, result: CollectiveResult
) -> tuple[tuple[str, Phrase], ...]:
    """Say how many chunks there are, on which trees, and what throughput they cost."""
    chunks, trees = result.chunks, result.trees
    if chunks is None or trees is None:
        return ()
    deep = f"{trees.depth_max:,} hop{'s' if trees.depth_max > 1 else ''} deep"
    least = "" if trees.depth_max == trees.depth_bound else f", {trees.depth_bound:,} at least"
    told: Phrase = (
        f"{_counted_chunks(instance, chunks.count)}, each with ",
        Amount(chunks.size, Measure.NUMBER),
        f" of data; {trees.count:,} trees, {deep}{least}",
    )
    if chunks.loss:
        told += ("; ", Amount(chunks.loss, Measure.SHARE), " below what any number can do")
    return (("chunks", told),)


def _unreachable(instance: CollectiveInstance, result: CollectiveResult) -> Section | None:
    """Say why a message cannot arrive."""
    proof = result.certificate
    if not isinstance(proof, UnreachableCertificate):
        return None
    inside = set(proof.processors)
    message = next(one for one in instance.messages if one.name == proof.message)
    joined = instance.operation in COMBINING
    missing = [
        name for name in (message.sources if joined else message.receivers) if name not in inside
    ]
    told, ends = f"Why no schedule exists: message {proof.message!r}", _short_list(missing)
    if joined:
        return Section(
            "",
            (
                f"{told} cannot come from {ends}: where it goes, only {_short_list(proof.processors)} lead.",
            ),
        )
    return Section(
        "", (f"{told} cannot reach {ends}: links lead only to {_short_list(proof.processors)}.",)
    )


def _short_list(names: Sequence[str]) -> str:
    more = len(names) - _LISTED
    listed = ", ".join(names[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
    return listed or "no processor"


def _roles(instance: CollectiveInstance) -> dict[str, str]:
    """Say from whom data goes to whom, where not all processors take part."""
    roles = dict.fromkeys(instance.participants or (), "participant")
    roles |= dict.fromkeys(instance.targets or (), "target")
    roles |= dict.fromkeys(instance.sources or (), "source")
    if instance.source is not None:
        roles[instance.source] = "source"
    if instance.target is not None:
        roles[instance.target] = "target"
    return roles


def _noun(instance: CollectiveInstance) -> str:
    """Name one operation."""
    if instance.operation == "reduce":
        return "reduction"
    return instance.operation.replace("_", "-")


def _messages(
    instance: CollectiveInstance, result: CollectiveResult, noun: str
) -> tuple[tuple[str, Phrase], ...]:
    """Say how many messages an operation has, and how much data all of them move per time unit."""
    told: Phrase = (
        Amount(Fraction(len(instance.messages)), Measure.COUNT),
        f" in each {noun}",
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
    told = chunks_told(instance, result, noun) or cut_told(instance, result, noun)
    if not told:
        told = _port(result.certificate.prices, noun)
    return (("limit", told),) if told else ()


def _port(prices: Mapping[str, Fraction], noun: str) -> Phrase:
    """Name the only resource that is priced for how long it is busy in each operation."""
    priced = [name for name, price in prices.items() if price]
    if len(priced) != 1:
        return ()
    owner, _, what = priced[0].rpartition(".")
    verb = {
        "send": "sends",
        "receive": "receives",
        "port": "sends or receives",
        "compute": "combines",
    }.get(what)
    if verb is None or "--" in owner:
        return ()
    return (
        f"{owner} {verb} for ",
        Amount(1 / prices[priced[0]], Measure.DURATION),
        f" in each {noun}",
    )


def _ranked(result: CollectiveResult) -> list[ComparedMulticast]:
    return sorted(result.comparison or (), key=lambda row: -(row.throughput or 0))


def _methods(result: CollectiveResult) -> tuple[Method, ...]:
    best = None if result.objective is None else result.objective.value
    rows = _ranked(result)
    return methods((row, row.throughput, row.throughput == best) for row in rows)


def _comparison(result: CollectiveResult) -> Section | None:
    """Put the methods that were compared side by side, the best first."""
    if not result.comparison:
        return None
    ranked = _ranked(result)
    return comparison([(row, (row.throughput,)) for row in ranked], Column("", Measure.RATE))


def _trees(instance: CollectiveInstance, result: CollectiveResult) -> tuple[Section, ...]:
    """Count the trees of messages that are copied or combined, by depth and size."""
    if instance.operation in DIFFERENT or not result.allocations:
        return ()
    shapes: dict[tuple[int, int], list[Fraction]] = {}
    for allocation in result.allocations:
        hops = sum(len(transfer.path) - 1 for transfer in allocation.transfers)
        shapes.setdefault((depth_of(allocation), hops), []).append(allocation.rate)
    total = sum((rate for rates in shapes.values() for rate in rates), Fraction(0))
    rows = [
        (Fraction(len(rates)), Fraction(depth), Fraction(hops), sum(rates, Fraction(0)) / total)
        for (depth, hops), rates in shapes.items()
    ]
    columns = (
        Column("trees", Measure.COUNT),
        Column("hops deep", Measure.COUNT),
        Column("links in all", Measure.COUNT),
        Column("of the data", Measure.SHARE),
    )
    rows.sort(key=lambda row: (-row[-1], row))
    listed, messages = len(result.allocations), len(instance.messages)
    title = f"Trees: {listed:,} for {messages:,} message{'s' if messages > 1 else ''}"
    return (Section(title, table=Table(columns, tuple(rows), "shapes")),)
