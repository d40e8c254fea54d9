"""The exact referee of `collective`; shares no code with what solves it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, zip_longest
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.combination import Combination
from steadygrid.domain.errors import InvalidScheduleError, Pointer
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.resources import pair_name
from steadygrid.domain.schedule import (
    USUAL_LIMITS,
    Allocation,
    Schedule,
    ScheduleLimits,
    Transfer,
)
from steadygrid.problems.collective.referee_views import Moving, message_views
from steadygrid.problems.collective.schemas import (
    CollectiveInstance,
    CollectiveResult,
    UnreachableCertificate,
)
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import (
    Ratio,
    add,
    at_most,
    common_denominator,
    equals,
    over,
    show,
    times,
)
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network, read_network
from steadygrid.verification.occupation import occupation
from steadygrid.verification.odd_sets import carries_exact_rates, check_shares, with_odd_sets
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.prices import Cost, PriceList, check_prices
from steadygrid.verification.steady import Views


class _Message(NamedTuple):
    origin: str
    receiver: str
    size: Fraction


def validate(
    instance: CollectiveInstance,
    options: Options,
    result: CollectiveResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Rules, in order:

    1. `check_envelope`: outcome, value, bound, gap and certificate go together;
    2. operation and messages are those of the instance, with origins, receivers and sizes, in the
       instance's order; the algorithmic bandwidth is the value times all sizes, and null without a
       value;
    3. ``infeasible`` has an ``unreachable`` certificate, whose processors hold the origin of its
       message, but not the receiver, and are closed: no link leads out of them; and there are no
       allocations;
    4. prices, where there are any: `check_prices`, and an operation costs at least 1: the sizes
       times the cheapest ways from origins to receivers; so no schedule has more throughput than
       the sum of the prices;
    5. the allocations: numbered from 0, each of a message of the operation, of which it moves the
       whole file over one way from origin to receiver (`check_allocation`), with a rate above 0;
       the rates of each message sum to the value;
    6. no limited resource of the network is busy for more than all of the time, and where a
       processor takes part in one transfer at a time and no schedule shows the exact slots, no odd
       set is;
    7. the schedule: it has the same allocations, and `verify_answer`, with each message a stream.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    The cost depends on the length of the description, not on the length of the period; rule 4
    takes Dijkstra's algorithm once for each origin.
    """
    findings = Findings()
    network = read_network(instance.platform, instance.ports)
    messages = _messages_of(instance)
    check_envelope(instance, result, schedule, findings)
    _check_messages(instance, messages, result, findings)
    if result.outcome is Outcome.INFEASIBLE:
        _check_unreachable(network, messages, result, findings)
    if result.bound is not None and result.certificate.type == "lp_duality":
        _check_certificate(instance, network, messages, result, result.bound.value, findings)
    listed = [_allocation(result, position) for position in range(len(result.allocations))]
    views = _views(network, messages)
    _check_allocations(views, listed, findings)
    if result.objective is not None:
        _check_rates(views, listed, result.objective.value, findings)
    _check_resources(views, listed, schedule, findings)
    if schedule is not None and result.objective is not None:
        _check_same(schedule, listed, findings)
        verify_answer(
            views,
            schedule,
            findings,
            result.objective.value,
            options,
            result.notes,
            limits,
            bound=None if result.bound is None else result.bound.value,
        )
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _messages_of(instance: CollectiveInstance) -> dict[str, _Message]:
    """List what moves in an operation, by name: whatever somebody sends to somebody else."""
    if instance.operation == "all_to_all":
        names = instance.participants
        if names is None:
            names = tuple(p.id for p in instance.platform.processors if not p.switch)
        sizes = {(pair.source, pair.target): pair.size for pair in instance.pair_sizes or ()}
        return {
            pair_name(origin, end): _Message(origin, end, sizes.get((origin, end), instance.size))
            for origin in names
            for end in names
            if origin != end
        }
    own = instance.sizes or {}
    if instance.operation == "scatter":
        return {
            name: _Message(instance.source or "", name, own.get(name, instance.size))
            for name in instance.targets or ()
            if name != instance.source
        }
    return {
        name: _Message(name, instance.target or "", own.get(name, instance.size))
        for name in instance.sources or ()
        if name != instance.target
    }


def _views(network: Network, messages: Mapping[str, _Message]) -> Views:
    moving = {name: Moving((m.origin,), (m.receiver,), m.size) for name, m in messages.items()}
    return message_views(network, moving)


def _check_messages(
    instance: CollectiveInstance,
    messages: Mapping[str, _Message],
    result: CollectiveResult,
    findings: Findings,
) -> None:
    if result.operation != instance.operation:
        findings.add(
            ("result", "operation"),
            "wrong_operation",
            f"The result is of {result.operation!r}, not of {instance.operation!r}.",
        )
    told = [(m.message, tuple(m.receivers), m.origin, m.size) for m in result.messages]
    right = [(name, (m.receiver,), m.origin, m.size) for name, m in messages.items()]
    if told != right:
        first = next(i for i, pair in enumerate(zip_longest(told, right)) if pair[0] != pair[1])
        findings.add(
            ("result", "messages", first),
            "wrong_messages",
            f"The messages are not the {len(right):,} of the operation; the first that differs has"
            f" the number {first}.",
        )
    total = sum((message.size for message in messages.values()), Fraction(0))
    bandwidth = None if result.objective is None else result.objective.value * total
    if result.algorithmic_bandwidth != bandwidth:
        findings.add(
            ("result", "algorithmic_bandwidth"),
            "wrong_bandwidth",
            "The algorithmic bandwidth is not the throughput times the sizes of all messages,"
            f" {show(total)}.",
        )


def _check_unreachable(
    network: Network,
    messages: Mapping[str, _Message],
    result: CollectiveResult,
    findings: Findings,
) -> None:
    at: Pointer = ("result", "certificate")
    if result.allocations:
        findings.add(
            ("result", "allocations"),
            "wrong_outcome",
            "The outcome is infeasible, but there are allocations.",
        )
    if not isinstance(result.certificate, UnreachableCertificate):
        findings.add(
            (*at, "type"),
            "infeasible_unproved",
            "That a message cannot arrive is proved by the processors that it cannot leave.",
        )
        return
    message = messages.get(result.certificate.message)
    if message is None:
        findings.add(
            (*at, "message"),
            "unknown_message",
            f"There is no message {result.certificate.message!r}.",
        )
        return
    inside = set(result.certificate.processors)
    out = next((h for h in network.hops if h[0] in inside and h[1] not in inside), None)
    if out is not None:
        findings.add(
            (*at, "processors"),
            "not_closed",
            f"The link from {out[0]!r} to {out[1]!r} leads out of these processors.",
        )
    if message.origin not in inside or message.receiver in inside:
        findings.add(
            (*at, "processors"),
            "proves_nothing",
            f"The processors must hold {message.origin!r}, and not {message.receiver!r}.",
        )


def _check_certificate(
    instance: CollectiveInstance,
    network: Network,
    messages: Mapping[str, _Message],
    result: CollectiveResult,
    bound: Fraction,
    findings: Findings,
) -> None:
    at = ("result", "certificate", "prices")
    listed = result.certificate.prices
    priced = with_odd_sets(network, listed)
    prices = check_prices(priced, (), listed, bound, findings, at)
    if prices is None:
        return
    cost = _cheapest_operation(instance, messages, prices)
    if cost < 1:
        findings.add(
            at,
            "cheap_operation",
            f"At these prices an operation costs {show(cost)}, less than 1: they do not prove the"
            " bound.",
        )


def _cheapest_operation(
    instance: CollectiveInstance, messages: Mapping[str, _Message], prices: PriceList
) -> Fraction:
    """Price the cheapest ways of all messages; one search for all that begin, or end, in one place.

    Where a message cannot arrive there is no operation, and nothing that a bound could miss.
    """
    home = instance.operation == "gather"
    ways: dict[str, Mapping[str, Cost]] = {}
    costs: list[Ratio] = []
    for origin, receiver, size in messages.values():
        root, end = (receiver, origin) if home else (origin, receiver)
        if root not in ways:
            ways[root] = prices.cheapest_ways(root, Fraction(1), homeward=home)
        way = ways[root].get(end)
        if way is None:
            return Fraction(1)
        costs.append(times(size, way.exact))
    return Fraction(*add(costs)) / prices.common


def _allocation(result: CollectiveResult, position: int) -> Allocation:
    given = result.allocations[position]
    transfers = tuple(Transfer(t.file, tuple(t.path), t.share) for t in given.transfers)
    tasks = {task: (processor,) for task, processor in given.tasks.items()}
    combined = tuple(
        Combination(c.index, c.processor, tuple(c.operands)) for c in given.combinations
    )
    return Allocation(
        given.index, given.rate, Fraction(0), tasks, transfers, None, given.message, combined
    )


def _check_allocations(views: Views, listed: Sequence[Allocation], findings: Findings) -> None:
    for position, allocation in enumerate(listed):
        at = ("result", "allocations", position)
        if allocation.index != position:
            findings.add(
                (*at, "index"),
                "wrong_index",
                f"Allocation {position} has the index {allocation.index}.",
            )
        if allocation.rate <= 0:
            findings.add(
                (*at, "rate"),
                "rate_not_positive",
                f"The rate of allocation {position} is not above 0.",
            )
        if allocation.message not in views.streams:
            findings.add(
                (*at, "message"),
                "unknown_message",
                f"Allocation {position} carries {allocation.message!r}, no message.",
            )
        check_allocation(views.of(allocation), allocation, findings, at)


def _check_rates(
    views: Views, listed: Sequence[Allocation], value: Fraction, findings: Findings
) -> None:
    for message, positions in views.by_stream(listed).items():
        rates = [listed[position].rate for position in positions]
        common = common_denominator(rates)
        numerator, denominator = add(over(rate, common) for rate in rates)
        if not equals((numerator, denominator), over(value, common)):
            findings.add(
                ("result", "allocations"),
                "wrong_sum",
                f"The rates of the allocations of {message!r} sum to"
                f" {show((numerator, denominator * common))}, but the value is {show(value)}.",
            )


def _check_resources(
    views: Views,
    listed: Sequence[Allocation],
    schedule: Schedule | None,
    findings: Findings,
) -> None:
    at = ("result", "allocations")
    used: dict[str, list[Fraction]] = {}
    busy: Amounts[tuple[str, str]] = Amounts()
    for allocation in listed:
        view = views.of(allocation)
        for resource, time in occupation(view, allocation).items():
            used.setdefault(resource, []).append(allocation.rate * time)
        for transfer in allocation.transfers:
            data = allocation.rate * transfer.share * view.sizes.get(transfer.file, Fraction(0))
            for ends in pairwise(transfer.path):
                hop = views.network.hops.get(ends)
                busy[ends] += Fraction(0) if hop is None else data * hop.unit_time
    for resource, shares in used.items():
        common = common_denominator(shares)
        numerator, denominator = add(over(share, common) for share in shares)
        if not at_most((numerator, denominator), (common, 1)):
            findings.add(
                at,
                "overloaded",
                f"The rates keep {resource} busy for {show((numerator, denominator * common))} of"
                " the time.",
            )
    if views.network.one_transfer_each and not carries_exact_rates(schedule):
        check_shares(views.network, busy, findings, at)


def _check_same(schedule: Schedule, listed: Sequence[Allocation], findings: Findings) -> None:
    scheduled = {allocation.index: allocation for allocation in schedule.allocations}
    for position, allocation in enumerate(listed):
        other = scheduled.pop(position, None)
        if other is None or (
            other._replace(instances_per_period=allocation.instances_per_period) != allocation
        ):
            findings.add(
                ("schedule", "allocations"),
                "allocations_disagree",
                f"Allocation {position} of the result is not the schedule's.",
            )
    for index in scheduled:
        findings.add(
            ("schedule", "allocations"),
            "allocations_disagree",
            f"The schedule's allocation {index} is not in the result.",
        )
