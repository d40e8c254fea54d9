"""What people are told about an answer of `collective`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.certificate import Certificate
from steadygrid.domain.job import Options
from steadygrid.domain.resources import link_resource
from steadygrid.domain.roles import SUM
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Amount, Column, Measure, Method, Phrase, Section, Table, View
from steadygrid.kinds.collective.completion_view import (
    RIVALS,
    completion_cut,
    completion_facts,
    completion_headline,
    completion_proof,
)
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    DIFFERENT,
    CollectiveInstance,
    CollectiveResult,
    ComparedMulticast,
    CutsCertificate,
    MessageAllocation,
    UnreachableCertificate,
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
        Of the answer; None where it has none.
    """
    noun = _noun(instance)
    if instance.wants_completion:
        return _view_of_completion(instance, result, noun)
    moved = (t.file for a in (schedule.allocations if schedule else ()) for t in a.transfers)
    return replace(
        periodic_view(instance, schedule, result.bound, noun=noun),
        file_sizes=instance.sizes_of(moved),
        facts=(
            *_messages(instance, result, noun),
            *_limit(instance, result, noun),
            *traffic_told(result.preferred, "messages"),
        ),
        comparison=_comparison(result),
        methods=_methods(result),
        sections=_trees(instance, result),
        bound_asked=instance.method == "upper_bound",
        roles=_roles(instance),
        cut=_tight_cut(instance, result),
        proof=_unreachable(instance, result),
        rivals=(
            "schedule that combines each piece at one processor"
            if instance.operation == "allreduce"
            else ""
        ),
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
    told = _cut(instance, result, noun)
    if not told:
        told = _port(result.certificate.prices, noun)
    return (("limit", told),) if told else ()


def _port(prices: Mapping[str, Fraction], noun: str) -> Phrase:
    """Tell of the only resource that is priced for how long it is busy in each operation."""
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


def _cut(instance: CollectiveInstance, result: CollectiveResult, noun: str) -> Phrase:
    """Tell of a set of processors what its links can send to the rest, and what messages need.

    It is told only where the links of this set alone are the whole bound: they limit under
    ``multiport``. The set is one of the certificate's cuts or, where it has none, what can be reached
    at no price from where data comes.
    """
    if instance.ports != "multiport":
        return ()
    for side, home, capacity, needed in _tight(instance, result):
        rest = instance.platform.index_by_id.keys() - side
        listed, receives = sorted(side), home
        if len(rest) < len(side):  # The same links, told from their other ends.
            listed, receives = sorted(rest), not home
        more = f" and {len(listed) - 3} more" if len(listed) > 3 else ""
        verb, end = ("receive", "from") if receives else ("send", "to")
        return (
            f"{', '.join(listed[:3])}{more} can {verb} ",
            Amount(capacity, Measure.NUMBER),
            f" per time unit {end} the rest; each {noun} needs ",
            Amount(needed, Measure.NUMBER),
        )
    return ()


def _tight_cut(instance: CollectiveInstance, result: CollectiveResult) -> frozenset[str]:
    """Give the smaller side of the set that `_cut` tells of."""
    if result.bound is None or not result.bound.exact or not result.bound.value:
        return frozenset()
    for side, *_ in _tight(instance, result):
        rest = frozenset(instance.platform.index_by_id.keys() - side)
        return min(side, rest, key=len)
    return frozenset()


def _tight(
    instance: CollectiveInstance, result: CollectiveResult
) -> Iterator[tuple[frozenset[str], bool, Fraction, Fraction]]:
    """List the sets whose links are the whole bound, with capacity and need, as `_sides` does.

    No port model lets a link carry more than its bandwidth, so they may be so under each.
    """
    if result.bound is None:
        return
    for side, home in _sides(instance, result.certificate):
        capacity, needed = _capacity(instance, side, home), _needed(instance, side, home)
        if needed and capacity / needed == result.bound.value:
            yield side, home, capacity, needed


def _sides(
    instance: CollectiveInstance, certificate: Certificate
) -> Iterator[tuple[frozenset[str], bool]]:
    """List the sets that may be told of, and whether it is of what they receive."""
    if isinstance(certificate, CutsCertificate):
        for cut in certificate.cuts:
            yield frozenset(cut.processors), cut.direction == "in"
        return
    home = instance.operation == "gather" or instance.operation in COMBINING
    platform = instance.platform
    priced = {name for name, price in certificate.prices.items() if price}
    if not instance.messages or not all(name.endswith(".link") for name in priced):
        return
    ids = [processor.id for processor in platform.processors]
    around = platform.arcs_in if home else platform.arcs_out
    queue = [platform.index_by_id[instance.taking_part[0]]]
    inside = set(queue)
    for here in queue:
        for arc in around[here]:
            other = arc.source if home else arc.target
            link = link_resource(ids[arc.source], ids[arc.target])
            if other not in inside and link not in priced:
                inside.add(other)
                queue.append(other)
    yield frozenset(ids[i] for i in inside), home


def _capacity(instance: CollectiveInstance, side: frozenset[str], home: bool) -> Fraction:
    """Give the data per time unit that links carry out of a set, or into it."""
    platform = instance.platform
    ids = [processor.id for processor in platform.processors]
    crossing = (
        1 / arc.unit_time
        for arc in platform.arcs
        if (ids[arc.source] in side, ids[arc.target] in side) == (not home, home)
    )
    return sum(crossing, Fraction(0))


def _needed(instance: CollectiveInstance, side: frozenset[str], home: bool) -> Fraction:
    """Give the data of an operation that has to cross."""
    needed = Fraction(0)
    for message in instance.messages:
        near, far = message.sources, message.receivers
        if home:
            near, far = far, near
        if not side.isdisjoint(near) and not side.issuperset(far):
            needed += message.size
    return needed


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
        shapes.setdefault((_depth(allocation), hops), []).append(allocation.rate)
    total = sum((rate for rates in shapes.values() for rate in rates), Fraction(0))
    rows = [
        (Fraction(len(rates)), Fraction(depth), Fraction(hops), sum(rates, Fraction(0)) / total)
        for (depth, hops), rates in shapes.items()
    ]
    columns = (
        Column("trees", Measure.COUNT),
        Column("hops deep", Measure.COUNT),
        Column("hops in all", Measure.COUNT),
        Column("of the data", Measure.SHARE),
    )
    rows.sort(key=lambda row: (-row[-1], row))
    listed, messages = len(result.allocations), len(instance.messages)
    title = f"Trees: {listed:,} for {messages:,} message{'s' if messages > 1 else ''}"
    return (Section(title, table=Table(columns, tuple(rows), "shapes")),)


def _depth(allocation: MessageAllocation) -> int:
    """Count the hops from where a message begins to where the last of it arrives.

    Data follows the transfers, and what is combined the last of its operands; what is spread is the
    outcome of the last combination.
    """
    after: dict[tuple[str, str], list[tuple[tuple[str, str], int]]] = {}
    missing: Counter[tuple[str, str]] = Counter()
    steps = [
        ((t.file[1], t.path[0]), (t.file[1], t.path[-1]), len(t.path) - 1)
        for t in allocation.transfers
    ]
    for combination in allocation.combinations:
        here = combination.processor
        outcome = f"--{combination.index}", here
        steps += [((operand, here), outcome, 0) for operand in combination.operands]
        if combination is allocation.combinations[-1]:
            steps.append((outcome, (SUM, here), 0))
    for before, there, hops in steps:
        after.setdefault(before, []).append((there, hops))
        missing[there] += 1
    depth = dict.fromkeys(after.keys() - missing.keys(), 0)
    ready = list(depth)
    for before in ready:
        for there, hops in after.get(before, ()):
            depth[there] = max(depth.get(there, 0), depth[before] + hops)
            missing[there] -= 1
            if not missing[there]:
                ready.append(there)
    return max(depth.values(), default=0)
