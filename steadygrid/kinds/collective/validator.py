"""The exact referee of `collective`; shares no code with what solves it."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, zip_longest

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.combination import Combination
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.rounding import READABLE_BITS, num_bits
from steadygrid.domain.schedule import (
    USUAL_LIMITS,
    Allocation,
    Schedule,
    ScheduleLimits,
    Transfer,
)
from steadygrid.kinds.collective.referee_bounds import check_bound, check_unreachable
from steadygrid.kinds.collective.referee_carriers import read_carriers
from steadygrid.kinds.collective.referee_chunks import check_chunks
from steadygrid.kinds.collective.referee_combining import check_combining, check_order
from steadygrid.kinds.collective.referee_comparison import check_comparison
from steadygrid.kinds.collective.referee_completion import at_ends, check_completion, check_series
from steadygrid.kinds.collective.referee_completion_cuts import check_completion_bound
from steadygrid.kinds.collective.referee_depths import check_depths
from steadygrid.kinds.collective.referee_messages import Movement, read_movement
from steadygrid.kinds.collective.referee_prediction import check_prediction
from steadygrid.kinds.collective.referee_preferred import check_preferred
from steadygrid.kinds.collective.referee_trees import check_tree
from steadygrid.kinds.collective.referee_views import Moving, message_views
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import (
    add,
    common_denominator,
    equals,
    less_or_equal,
    scaled_ratio,
    show,
)
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network, read_network
from steadygrid.verification.occupation import occupation
from steadygrid.verification.odd_sets import carries_exact_rates, check_shares
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.promises import earliest_by_rate
from steadygrid.verification.steady import Views


def validate(
    instance: CollectiveInstance,
    options: Options,
    result: CollectiveResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        `prefer` and those of schedules are read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    limits
        How long an exact schedule may become before its period is bounded.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == =================================================================== =======================
    1  outcome, value, bound, gap and certificate go together              see `check_envelope`
    2  the operation is that of the instance                               `wrong_operation`
    3  the messages are those of the instance, with sources, receivers and `wrong_messages`
       sizes, in its order
    4  the algorithmic bandwidth is the value times all sizes              `wrong_bandwidth`
    5  in what is ``infeasible`` some message cannot arrive                see `check_unreachable`
    6  prices or cuts prove the bound, where it is said to be proved       see `check_bound`
    7  a bound alone, and a table of methods, are where they are asked for see `check_comparison`
    8  the allocations are numbered from 0                                 `wrong_index`
    9  their rates are above 0                                             `rate_not_positive`
    10 each is of a message of the operation                               `unknown_message`
    11 it has its root where the message begins, or what is combined ends  `wrong_root`
    12 it combines only messages that are combined                         `combined_for_nothing`
    13 of messages that differ from others it takes one route              `several_ways`
    14 its tasks and transfers are complete                                see `check_allocation`
    15 the routes of a message that is copied or combined are trees        see `check_tree`
    16 what is combined becomes one                                        see `check_combining`
    17 where the order is fixed, neighbours are combined                   see `check_order`
    18 the rates of each message sum to the value                          `wrong_sum`
    19 no limited resource is busy for more than all of the time           `overloaded`
    20 no odd set of processors is too full, where each takes part in one  see `check_shares`
       transfer at a time
    21 the schedule has the same allocations                               `allocations_disagree`
    22 it is right, with each message a stream                             see `verify_answer`
    23 the routes are those that are preferred                             see `check_preferred`
    24 whole chunks are on trees of their own, and take the time that is   see `check_chunks`
       told
    25 trees are as deep as is told                                        see `check_depths`
    26 programs take the times that are predicted                          see `check_prediction`
    == =================================================================== =======================

    Rule 4: null without a value, or where clients could not read it. Rule 20 is not asked where a
    schedule shows the exact slots.

    Of a completion the sizes are divided by the value in rule 4, the rates of each message sum to 1 in
    rule 18, and nothing takes part but those that have or get a message. Rules 6, and 19 to 23, are
    replaced by `check_completion_bound` and `check_completion`; of a series see `check_series`, too.

    The cost depends on the length of the description, not on the length of the period. Rule 6
    takes as many operations as cuts times links, or, without cuts, Dijkstra's algorithm once for
    each origin, or for each who copies, and a tree for each origin.
    """
    findings = Findings()
    network = read_network(instance.platform, instance.ports)
    movement = _movement(instance)
    once = _is_completion(instance)
    optimised = "completion" if once else "throughput"
    check_envelope(instance, result, schedule, findings, optimised=optimised, scheduled=not once)
    _check_messages(instance, movement, result, findings)
    if result.outcome is Outcome.INFEASIBLE:
        check_unreachable(network, movement, result, findings)
    if once:
        carriers = read_carriers(instance.platform)
        check_completion_bound(network, carriers, movement, result, findings)
    else:
        check_series(result, findings)
        check_bound(network, movement, result, findings)
    check_comparison(result, findings)
    listed = [_allocation(result, position) for position in range(len(result.allocations))]
    views = _views(network, movement)
    _check_allocations(views, movement, result, listed, findings)
    if result.objective is not None:
        total = Fraction(1) if once else result.objective.value
        _check_rates(views, listed, total, findings)
    if once:
        carriers = read_carriers(instance.platform)
        check_completion(instance, carriers, movement, result, listed, schedule, findings)
    else:
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
                earliest=earliest_by_rate(result.bound),
            )
    check_preferred(network, movement, options, result, findings)
    check_chunks(network, movement, instance, result, findings)
    check_depths(network, movement, result, findings)
    check_prediction(instance, movement, result, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def views(instance: CollectiveInstance, _result: CollectiveResult) -> Views:
    """Let each allocation run a message.

    Parameters
    ----------
    instance
        Without faults.
    _result
        Not read.
    """
    return _views(read_network(instance.platform, instance.ports), _movement(instance))


def _movement(instance: CollectiveInstance) -> Movement:
    movement = read_movement(instance)
    return at_ends(movement) if _is_completion(instance) else movement


def _is_completion(instance: CollectiveInstance) -> bool:
    return instance.objective == "completion"


def _views(network: Network, movement: Movement) -> Views:
    relays = frozenset[str]() if movement.different else movement.copiers
    return message_views(network, movement.messages, relays, movement.combining)


def _check_messages(
    instance: CollectiveInstance, movement: Movement, result: CollectiveResult, findings: Findings
) -> None:
    if result.operation != instance.operation:
        findings.add(
            ("result", "operation"),
            "wrong_operation",
            f"The result is of {result.operation!r}, not of {instance.operation!r}.",
        )
    messages = movement.messages
    told = [
        (m.message, m.origin, tuple(m.sources), tuple(m.receivers), m.size) for m in result.messages
    ]
    right = [
        (name, None, *message)
        if movement.combined
        else (name, message.sources[0], (), message.receivers, message.size)
        for name, message in messages.items()
    ]
    if told != right:
        first = next(i for i, pair in enumerate(zip_longest(told, right)) if pair[0] != pair[1])
        findings.add(
            ("result", "messages", first),
            "wrong_messages",
            f"The messages are not the {len(right):,} of the operation. The first that differs has"
            f" the number {first}.",
        )
    total = sum((message.size for message in messages.values()), Fraction(0))
    value = None if result.objective is None else result.objective.value
    if _is_completion(instance):
        bandwidth = None if value is None or value == 0 else total / value
    else:
        bandwidth = None if value is None else value * total
    if bandwidth is not None and num_bits(bandwidth) > READABLE_BITS:
        bandwidth = None
    if result.algorithmic_bandwidth != bandwidth:
        findings.add(
            ("result", "algorithmic_bandwidth"),
            "wrong_bandwidth",
            "The algorithmic bandwidth is not the throughput times the sizes of all messages, or"
            f" these over the completion: {show(total)}.",
        )


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


def _check_allocations(
    views: Views,
    movement: Movement,
    result: CollectiveResult,
    listed: Sequence[Allocation],
    findings: Findings,
) -> None:
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
        message = movement.messages.get(allocation.message or "")
        if message is None:
            findings.add(
                (*at, "message"),
                "unknown_message",
                f"Allocation {position} carries {allocation.message!r}, no message.",
            )
        else:
            _check_root(movement, message, result, position, findings)
        check_allocation(views.of(allocation), allocation, findings, at)
        if not movement.different:
            copiers = frozenset[str]() if movement.in_twos else movement.copiers
            check_tree(allocation, copiers, findings, at)
        if message is not None and movement.combined:
            check_combining(message.sources, movement.copiers, allocation, findings, at)
            if movement.ordered:
                check_order(message.sources, allocation, findings, at)


def _check_root(
    movement: Movement,
    message: Moving,
    result: CollectiveResult,
    position: int,
    findings: Findings,
) -> None:
    at, given = ("result", "allocations", position), result.allocations[position]
    if movement.spread:
        # In turn, check_combining judges the last combination.
        root = given.combinations[-1].processor if given.combinations else ""
    else:
        root, _ = movement.root_and_ends(message)
    if given.root != root:
        findings.add(
            (*at, "root"),
            "wrong_root",
            f"All routes of {given.message!r} meet on {root!r}, not on {given.root!r}.",
        )
    if given.combinations and not movement.combined:
        findings.add(
            (*at, "combinations"),
            "combined_for_nothing",
            f"Allocation {position} combines data, but {given.message!r} is moved as it is.",
        )
    if movement.different and len(given.transfers) > 1:
        findings.add(
            (*at, "transfers"),
            "several_ways",
            f"Allocation {position} takes {len(given.transfers)} routes, but each route is an allocation"
            " of its own.",
        )


def _check_rates(
    views: Views, listed: Sequence[Allocation], value: Fraction, findings: Findings
) -> None:
    for message, positions in views.by_stream(listed).items():
        rates = [listed[position].rate for position in positions]
        common = common_denominator(rates)
        numerator, denominator = add(scaled_ratio(rate, common) for rate in rates)
        if not equals((numerator, denominator), scaled_ratio(value, common)):
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
        numerator, denominator = add(scaled_ratio(share, common) for share in shares)
        if not less_or_equal((numerator, denominator), (common, 1)):
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
