"""The exact referee of `task_graph`; shares no code with what solves it."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.platform import Route
from steadygrid.domain.schedule import USUAL_LIMITS, Allocation, Schedule, ScheduleLimits, Transfer
from steadygrid.kinds.shared.collection_referee import elimination_order, steady_instance
from steadygrid.kinds.task_graph.referee_given import check_given
from steadygrid.kinds.task_graph.referee_prices import check_all_cost_enough, routes_of
from steadygrid.kinds.task_graph.referee_word import beaten_by
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphResult
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import (
    Ratio,
    add,
    common_denominator,
    equals,
    less_or_equal,
    scaled_ratio,
    show,
)
from steadygrid.verification.findings import Findings, named
from steadygrid.verification.odd_sets import carries_exact_rates, check_shares
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.placement import check_infeasible
from steadygrid.verification.promises import earliest_by_rate
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance, Views, views_of_one_application
from steadygrid.verification.twins import Twins, check_classes


def validate(
    instance: TaskGraphInstance,
    options: Options,
    result: TaskGraphResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` and the options of schedules are read.
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

    == ================================================================= ===========================
    1  outcome, value, bound, gap and certificate go together            see `check_envelope`
    2  processors listed as interchangeable are so                       see `check_classes`
    3  what is ``infeasible`` has no allocation                          `wrong_outcome`
    4  its tasks cannot be placed so that every file can travel          see `check_infeasible`
    5  a search whose answer is ``optimal`` has prices                   `word_without_prices`
    6  no allocation costs less than 1 at the prices of the certificate  see `check_all_cost_enough`
    7  the allocations are numbered from 0                               `wrong_index`
    8  their rates are above 0                                           `rate_not_positive`
    9  each is complete                                                  see `check_allocation`
    10 it names no other member of a class than the first, which stands  `not_the_first`
       for all evenly
    11 where the routing is fixed, each file takes the platform's route  `off_route`
    12 the rates sum to the value                                        `wrong_sum`
    13 no resource is busy for more than all of the time                 `overloaded`
    14 allocations that were to be judged are right                      see `check_given`
    15 no odd set of processors is too full, where each takes part in    see `check_shares`
       one transfer at a time
    16 no allocations, listed or found by the referee, beat a bound that `bound_beaten`
       is not exact
    17 the schedule has the same allocations, those of classes divided   `allocations_disagree`
       among members
    18 it is right                                                       see `verify_answer`
    == ================================================================= ===========================

    Rule 4 is proved anew, by joining tables of places. Rule 6 is proved anew, see
    `cheap_allocation`. So no schedule has more throughput than the sum of the prices. Prices of a
    search are judged likewise where the table is small, and believed where it is not. Rule 15 is
    not asked where a schedule shows the exact slots. Rule 16: all that are listed, or one of them
    alone, as often as resources allow, or such as `beaten_by` finds; not where such rates need not
    be schedules, see `Network.rates_need_slots`. By rule 18 counts are checked per allocation, so
    that a join gets files of one instance.

    Rule 6 costs time exponential in the width of the task graph, in vectorised operations, the
    others little. Nothing depends on the length of the period.
    """
    findings = Findings()
    steady = steady_instance(instance)
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        options.mip_gap,
        may_lack_bound=instance.method == "given",
    )
    given = instance.platform.routes if instance.routing == "fixed" else None
    twins = check_classes(steady, result.classes, given, findings, ("result", "classes"))
    if result.outcome is Outcome.INFEASIBLE:
        missing = {(route.source, route.target) for route in given or () if route.missing}
        _check_infeasible(twins.firsts, missing, result, findings)
    _check_certificate(twins, given, result, findings)
    allocations = [_allocation(result, position) for position in range(len(result.allocations))]
    _check_allocations(twins, given, allocations, findings)
    _check_rates(twins, result, allocations, findings)
    check_given(instance, twins, result, allocations, findings)
    if steady.network.one_transfer_each and not carries_exact_rates(schedule):
        _check_odd_sets(steady, allocations, findings)
    if result.bound is not None and not result.bound.exact:
        _check_word(twins, given, allocations, result.bound.value, findings)
    if schedule is not None and result.objective is not None:
        _check_agreement(twins, schedule, allocations, findings)
        verify_answer(
            views_of_one_application(steady),
            schedule,
            findings,
            result.objective.value,
            options,
            result.notes,
            limits,
            dealt=bool(twins.classes),
            earliest=earliest_by_rate(result.bound),
        )
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def views(instance: TaskGraphInstance, _result: TaskGraphResult) -> Views:
    """Let every allocation run the one application.

    Parameters
    ----------
    instance
        Without faults.
    _result
        Not read.
    """
    return views_of_one_application(steady_instance(instance))


def _check_infeasible(
    steady: SteadyInstance,
    missing: AbstractSet[tuple[str, str]],
    result: TaskGraphResult,
    findings: Findings,
) -> None:
    if result.allocations:
        findings.add(
            ("result", "allocations"),
            "wrong_outcome",
            "The outcome is infeasible, but there are allocations.",
        )
    check_infeasible(steady, elimination_order(steady), findings, missing)


def _check_certificate(
    twins: Twins,
    given: Iterable[Route] | None,
    result: TaskGraphResult,
    findings: Findings,
) -> None:
    certificate, bound = result.certificate, result.bound
    searched = certificate.type == "search"
    if bound is None or not (certificate.type == "lp_duality" or searched):
        return
    at = ("result", "certificate", "prices")
    if searched and not certificate.prices:
        if result.outcome is Outcome.OPTIMAL:
            findings.add(
                at,
                "word_without_prices",
                "A search that calls its result optimal has prices at which it found no cheaper"
                " allocation: without them it is feasible at most.",
            )
        return
    check_all_cost_enough(
        twins, given, certificate.prices, bound.value, findings, at, searched=searched
    )


def _allocation(result: TaskGraphResult, position: int) -> Allocation:
    listed = result.allocations[position]
    transfers = tuple(Transfer(t.file, tuple(t.path), t.share) for t in listed.transfers)
    tasks = {task: (processor,) for task, processor in listed.tasks.items()}
    return Allocation(listed.index, listed.rate, Fraction(0), tasks, transfers)


def _check_allocations(
    twins: Twins,
    given: Iterable[Route] | None,
    allocations: list[Allocation],
    findings: Findings,
) -> None:
    routes = routes_of(twins.firsts, given)
    for position, allocation in enumerate(allocations):
        at = ("result", "allocations", position)
        if allocation.index != position:
            findings.add(
                at, "wrong_index", f"Allocation {position} says that it is {allocation.index}."
            )
        if allocation.rate <= 0:
            findings.add(
                at, "rate_not_positive", f"The rate of allocation {position} is not above 0."
            )
        check_allocation(twins.steady, allocation, findings, at)
        if twins.moved_to_first_members(allocation) != allocation:
            findings.add(
                at,
                "not_the_first",
                f"Allocation {position} names a member of a class that is not the first, which stands"
                " for all.",
            )
        for transfer in allocation.transfers if routes is not None else ():
            path = transfer.path
            if path and routes is not None and routes.paths(path[0]).get(path[-1]) != path:
                findings.add(
                    at,
                    "off_route",
                    f"Allocation {position} sends {named(transfer.file)} over {list(path)}, which"
                    " is not the fixed route.",
                )


def _check_rates(
    twins: Twins,
    result: TaskGraphResult,
    allocations: list[Allocation],
    findings: Findings,
) -> None:
    at = ("result", "allocations")
    common = common_denominator([allocation.rate for allocation in allocations])
    rates = [scaled_ratio(allocation.rate, common) for allocation in allocations]
    total = add(rates)
    value = Fraction(0) if result.objective is None else result.objective.value
    if not equals(total, scaled_ratio(value, common)):
        findings.add(
            at,
            "wrong_sum",
            f"The rates of the allocations sum to {show((total[0], total[1] * common))}, but the"
            f" value is {show(value)}.",
        )
    used: dict[str, list[Ratio]] = {}
    for allocation, (numerator, denominator) in zip(allocations, rates, strict=True):
        for resource, time in twins.occupation(allocation).items():
            term = numerator * time.numerator, denominator * time.denominator
            used.setdefault(resource, []).append(term)
    for resource, terms in used.items():
        numerator, denominator = add(terms)
        if not less_or_equal((numerator, denominator), (common, 1)):
            findings.add(
                at,
                "overloaded",
                f"The rates keep {resource} busy for {show((numerator, denominator * common))} of"
                " the time.",
            )


def _check_odd_sets(
    steady: SteadyInstance, allocations: list[Allocation], findings: Findings
) -> None:
    busy: Amounts[tuple[str, str]] = Amounts()
    for allocation in allocations:
        for transfer in allocation.transfers:
            data = allocation.rate * transfer.share * steady.sizes.get(transfer.file, Fraction(0))
            for ends in pairwise(transfer.path):
                hop = steady.network.hops.get(ends)
                busy[ends] += Fraction(0) if hop is None else data * hop.unit_time
    check_shares(steady.network, busy, findings, ("result", "allocations"))


def _check_word(
    twins: Twins,
    given: Iterable[Route] | None,
    allocations: list[Allocation],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Refuse a bound by a solver's word that can be beaten.

    By the allocations listed besides it, all of them or one, or by such that the referee finds.
    """
    if twins.steady.network.rates_need_slots:
        return
    together: Amounts[str] = Amounts()
    candidates: list[dict[str, Fraction]] = [together]
    for allocation in allocations:
        alone = twins.occupation(allocation)
        candidates.append(alone)
        for resource, time in alone.items():
            together[resource] += allocation.rate * time
    total = sum((allocation.rate for allocation in allocations), Fraction(0))
    for done, busy in zip([total, *[Fraction(1)] * len(allocations)], candidates, strict=True):
        if done > bound * max(busy.values(), default=Fraction(0)):
            findings.add(
                ("result", "bound"),
                "bound_beaten",
                f"The search says that no schedule does more than {show(bound)}, but its own"
                " allocations can.",
            )
            return
    steady = twins.steady
    found = beaten_by(steady, routes_of(steady, given) or FixedRoutes(steady.network, ()), bound)
    if found is not None:
        findings.add(
            ("result", "bound"),
            "bound_beaten",
            f"The search says that no schedule does more than {show(bound)}, but some allocations"
            f" do {show(found)} together.",
        )


def _check_agreement(
    twins: Twins, schedule: Schedule, allocations: list[Allocation], findings: Findings
) -> None:
    """Compare the result's allocations with the schedule's, put together onto first members."""
    if not twins.classes:
        _check_same(schedule, allocations, findings)
        return
    rates: Amounts[_Key] = Amounts()
    for allocation in schedule.allocations:
        rates[_allocation_key(twins.moved_to_first_members(allocation))] += allocation.rate
    for position, allocation in enumerate(allocations):
        if rates.pop(_allocation_key(allocation), None) != allocation.rate:
            _disagree(findings, f"Allocation {position} of the result is not the schedule's.")
    if rates:
        _disagree(findings, "The schedule has allocations that are not in the result.")


_Key = tuple[frozenset[tuple[str, tuple[str, ...]]], frozenset[Transfer]]
"""Where the tasks of an allocation run, and how its files travel."""


def _allocation_key(allocation: Allocation) -> _Key:
    return frozenset(allocation.tasks.items()), frozenset(allocation.transfers)


def _check_same(schedule: Schedule, allocations: list[Allocation], findings: Findings) -> None:
    scheduled = {allocation.index: allocation for allocation in schedule.allocations}
    for position, allocation in enumerate(allocations):
        other = scheduled.pop(position, None)
        if (
            other is None
            or other.rate != allocation.rate
            or dict(other.tasks) != dict(allocation.tasks)
            or sorted(other.transfers) != sorted(allocation.transfers)
        ):
            _disagree(findings, f"Allocation {position} of the result is not the schedule's.")
    for index in scheduled:
        _disagree(findings, f"The schedule's allocation {index} is not in the result.")


def _disagree(findings: Findings, sentence: str) -> None:
    findings.add(("schedule", "allocations"), "allocations_disagree", sentence)
