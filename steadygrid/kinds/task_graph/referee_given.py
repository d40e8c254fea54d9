"""The referee's rules for allocations that were given to be judged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Route
from steadygrid.domain.rounding import ROUNDED
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.kinds.task_graph.referee_prices import (
    check_all_cost_enough,
    least_cost,
    routes_of,
)
from steadygrid.kinds.task_graph.schemas import (
    MissingAllocation,
    RestrictedCertificate,
    TaskGraphInstance,
    TaskGraphResult,
)
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.occupation import occupation
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.prices import check_prices
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance
from steadygrid.verification.twins import Twins, check_classes

_Key = tuple[frozenset[tuple[str, tuple[str, ...]]], frozenset[Transfer]]

_OF_GIVEN = ("given_rates", "factor", "bottlenecks", "distance", "missing")


class _GivenPart(NamedTuple):
    """A given allocation, or the part of its instances that some members of classes run."""

    given: int
    allocation: Allocation


def check_given(
    instance: TaskGraphInstance,
    twins: Twins,
    result: TaskGraphResult,
    allocations: Sequence[Allocation],
    findings: Findings,
) -> None:
    """Check what an answer says of allocations that were given.

    Parameters
    ----------
    twins
        The classes of the result, as checked.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== =======================
    1  nothing is said of given allocations unless they were to be judged    `nothing_given`
    2  nor is a program restricted by them                                   `nothing_given`
    3  an allocation is one that was given, members of classes in the places `not_given`
       of first ones
    4  `given_rates` are those of the allocations listed                     `wrong_given_rates`
    5  there is a factor exactly where rates are given                       `wrong_factor`
    6  the rate of an allocation is then its own times the factor            `rate_not_given`
    7  the bottlenecks are what is busy all the time                         `wrong_bottlenecks`
    8  with given rates there is one, where slots limit nothing              `factor_not_largest`
    9  the distance is the gap, where a bound was asked for                  `wrong_distance`
    10 prices of the restricted program, and of the bound, are right         see `_check_restricted`
    11 an allocation is missing only beside such prices                      `nothing_missing`
    == ===================================================================== =======================
    """
    if instance.method != "given":
        for name in _OF_GIVEN:
            if getattr(result, name) is not None:
                findings.add(
                    ("result", name), "nothing_given", "No allocations were given to be judged."
                )
        if isinstance(result.certificate, RestrictedCertificate):
            findings.add(
                ("result", "certificate"), "nothing_given", "No program was restricted by anything."
            )
        return
    steady = twins.steady
    given = instance.platform.routes if instance.routing == "fixed" else None
    turns = list(_given_parts(instance, routes_of(steady, given)))
    _check_rates(instance, turns, result, allocations, findings)
    _check_bottlenecks(instance, twins, result, allocations, findings)
    distance = result.gap if instance.bound_method == "free" else None
    if result.distance != distance:
        findings.add(
            ("result", "distance"),
            "wrong_distance",
            "No optimum was asked for." if distance is None else f"It is {show(distance)}.",
        )
    if isinstance(result.certificate, RestrictedCertificate):
        _check_restricted(instance, steady, given, turns, result, result.certificate, findings)
    if result.missing is not None and not isinstance(result.certificate, RestrictedCertificate):
        findings.add(
            ("result", "missing"),
            "nothing_missing",
            "These prices prove the bound: no allocation costs less than 1 at them.",
        )


def _given_parts(instance: TaskGraphInstance, routes: FixedRoutes | None) -> Iterator[_GivenPart]:
    """Derive anew what the allocations that were given are, class members in turn."""
    for number, allocation in enumerate(instance.allocations or ()):
        paths = [transfer.path for transfer in allocation.transfers or ()]
        there = {*allocation.tasks.values()}.union(*paths)
        used = [members for members in instance.classes or () if members[0] in there]
        starts = {Fraction(k, len(one)) for one in used for k in range(len(one))}
        for start in sorted(starts | {Fraction(0)}):
            now = {one[0]: one[int(start * len(one))] for one in used}
            tasks = {task: now.get(name, name) for task, name in allocation.tasks.items()}
            if allocation.transfers is None:
                transfers = _on_routes(instance, tasks, routes)
            else:
                transfers = tuple(
                    Transfer(t.file, tuple(now.get(name, name) for name in t.path), t.share)
                    for t in allocation.transfers
                )
            placed = {task: (name,) for task, name in tasks.items()}
            yield _GivenPart(
                number, Allocation(number, Fraction(0), Fraction(0), placed, transfers)
            )


def _on_routes(
    instance: TaskGraphInstance, tasks: Mapping[str, str], routes: FixedRoutes | None
) -> tuple[Transfer, ...]:
    found = []
    for file in instance.application.files:
        ends = tasks[file.source], tasks[file.target]
        path = None if routes is None or ends[0] == ends[1] else routes.path(*ends)
        if path is not None:
            found.append(Transfer((file.source, file.target), path, Fraction(1)))
    return tuple(found)


def _allocation_key(allocation: Allocation, first: Mapping[str, str]) -> _Key:
    """Say what an allocation is with first members in the places of all."""
    shares: Amounts[tuple[FileName, tuple[str, ...]]] = Amounts()
    for transfer in allocation.transfers:
        path = tuple(first.get(name, name) for name in transfer.path)
        shares[transfer.file, path] += transfer.share
    places = {
        (task, tuple(first.get(name, name) for name in on)) for task, on in allocation.tasks.items()
    }
    moves = {Transfer(file, path, share) for (file, path), share in shares.items()}
    return frozenset(places), frozenset(moves)


def _check_rates(
    instance: TaskGraphInstance,
    turns: Sequence[_GivenPart],
    result: TaskGraphResult,
    allocations: Sequence[Allocation],
    findings: Findings,
) -> None:
    first = {name: members[0] for members in instance.classes or () for name in members}
    known = {_allocation_key(turn.allocation, first): turn.given for turn in turns}
    rates = [Fraction(0)] * len(instance.allocations or ())
    for position, allocation in enumerate(allocations):
        number = known.get(_allocation_key(allocation, first))
        if number is None:
            findings.add(
                ("result", "allocations", position),
                "not_given",
                f"Allocation {position} is none of those that were given.",
            )
        else:
            rates[number] += allocation.rate
    at = ("result", "given_rates")
    if result.given_rates != rates:
        findings.add(
            at, "wrong_given_rates", "They are not the sums of the rates of the allocations."
        )
    if (result.factor is not None) != (instance.rates is not None):
        findings.add(
            ("result", "factor"), "wrong_factor", "There is a factor exactly where rates are given."
        )
    if result.factor is None:
        return
    for number, one in enumerate(instance.allocations or ()):
        due = (one.rate or 0) * result.factor
        if rates[number] != due:
            findings.add(
                (*at, number),
                "rate_not_given",
                f"Allocation {number} runs {show(rates[number])} times per time unit, but its rate"
                f" times the factor is {show(due)}.",
            )


def _check_bottlenecks(
    instance: TaskGraphInstance,
    twins: Twins,
    result: TaskGraphResult,
    allocations: Sequence[Allocation],
    findings: Findings,
) -> None:
    at = ("result", "bottlenecks")
    listed = result.bottlenecks or []
    plain = twins.steady.network
    priced: Iterable[str] = ()
    if isinstance(result.certificate, RestrictedCertificate):
        priced = result.certificate.prices
    network = with_odd_sets(plain, {*listed, *priced})
    seen = replace(twins, steady=replace(twins.steady, network=network))
    busy: Amounts[str] = Amounts()
    for allocation in allocations:
        for resource, time in seen.occupation(allocation).items():
            busy[resource] += allocation.rate * time
    full = {name for name, share in busy.items() if share == 1}
    if result.bottlenecks is None or sorted(full) != sorted(listed):
        others = sorted(full.symmetric_difference(listed))
        findings.add(
            at,
            "wrong_bottlenecks",
            f"What is busy all the time is another set of resources, see {', '.join(others[:3])}."
            if others
            else "They are not listed.",
        )
    limited = plain.ports == "one_port" and plain.rates_need_slots
    if instance.rates is not None and not (listed or limited or ROUNDED in result.notes):
        findings.add(
            ("result", "factor"),
            "factor_not_largest",
            "No resource is busy all the time: the factor could be larger.",
        )


def _check_restricted(
    instance: TaskGraphInstance,
    steady: SteadyInstance,
    given: Iterable[Route] | None,
    turns: Sequence[_GivenPart],
    result: TaskGraphResult,
    certificate: RestrictedCertificate,
    findings: Findings,
) -> None:
    """Check the prices of the program over the allocations that were given, and those of the bound.

    Notes
    -----
    Rules, in this order:

    == ================================================================ ===========================
    1  processors listed as interchangeable are so                      see `check_classes`
    2  no allocation costs less than 1 at the prices of an exact bound  see `check_all_cost_enough`
    3  a bound that is not exact has no prices                          `prices_of_a_word`
    4  there are no prices where the rates are given                    `prices_of_given_rates`
    5  without prices no allocation is missing                          `missing_without_prices`
    6  each allocation that was given costs at least 1                  `cheap_given`
    7  the prices sum to no less than the value, and to the value where `not_the_best_rates`
       rates need no slots and are not rounded
    8  the prices are of resources, and not negative                    see `check_prices`
    9  the cheapest allocation is found, where the missing one is said  see `least_cost`
       to be it
    10 what is missing is a complete allocation                         see `check_allocation`
    11 its files take the fixed routes, if routing is fixed             `off_route`
    12 it costs what is said                                            `wrong_cost`
    13 that is less than 1                                              `no_improvement`
    14 nothing costs less, where it is said to be the cheapest          `not_the_cheapest`
    == ================================================================ ===========================
    """
    at = ("result", "certificate")
    routes = list(given) if given is not None else None
    twins = check_classes(steady, certificate.classes, routes, findings, (*at, "classes"))
    of_bound = check_classes(
        steady, certificate.bound_classes, routes, findings, (*at, "bound_classes")
    )
    bound = result.bound
    if bound is not None and bound.exact:
        place = (*at, "bound_prices")
        prices = certificate.bound_prices
        check_all_cost_enough(of_bound, routes, prices, bound.value, findings, place)
    elif certificate.bound_prices:
        findings.add(
            (*at, "bound_prices"),
            "prices_of_a_word",
            "The bound is not exact: prices prove nothing.",
        )
    prices = certificate.prices
    if instance.rates is not None and prices:
        findings.add(
            (*at, "prices"), "prices_of_given_rates", "No program was solved: the rates are given."
        )
    if not prices:
        if result.missing is not None:
            findings.add(
                ("result", "missing"), "missing_without_prices", "No prices say what is missing."
            )
        return
    priced = replace(steady, network=with_odd_sets(steady.network, prices))
    for turn in turns:
        cost = _cost(priced, turn.allocation, prices)
        if cost < 1:
            findings.add(
                (*at, "prices"),
                "cheap_given",
                f"At these prices the given allocation {turn.given} costs {show(cost)}, less than 1:"
                " they do not prove that no rates are better.",
            )
            break
    total = sum(prices.values(), Fraction(0))
    value = Fraction(0) if result.objective is None else result.objective.value
    free = steady.network.ports == "one_port" and steady.network.rates_need_slots
    if value > total or (value < total and not free and ROUNDED not in result.notes):
        findings.add(
            ("result", "objective"),
            "not_the_best_rates",
            f"The prices of the given allocations sum to {show(total)}, but the value is"
            f" {show(value)}.",
        )
    place = (*at, "prices")
    least = None
    if result.missing is not None and result.missing.cheapest:
        least = least_cost(twins, routes, prices, total, findings, place)
    else:
        computing = {name for times in steady.times.values() for name in times}
        check_prices(priced.network, computing, prices, total, findings, place)
    if result.missing is not None:
        _check_missing(steady, priced, routes, result.missing, least, prices, findings)


def _cost(
    steady: SteadyInstance, allocation: Allocation, prices: Mapping[str, Fraction]
) -> Fraction:
    busy = occupation(steady, allocation)
    return sum((time * prices.get(name, 0) for name, time in busy.items()), Fraction(0))


def _check_missing(
    steady: SteadyInstance,
    priced: SteadyInstance,
    given: Iterable[Route] | None,
    missing: MissingAllocation,
    least: Fraction | None,
    prices: Mapping[str, Fraction],
    findings: Findings,
) -> None:
    at = ("result", "missing")
    allocation = Allocation(
        0,
        Fraction(0),
        Fraction(0),
        {task: (name,) for task, name in missing.tasks.items()},
        tuple(Transfer(t.file, tuple(t.path), t.share) for t in missing.transfers),
    )
    check_allocation(steady, allocation, findings, at)
    routes = routes_of(steady, given)
    for transfer in missing.transfers if routes is not None else ():
        path = tuple(transfer.path)
        if path and routes is not None and routes.path(path[0], path[-1]) != path:
            findings.add(
                (*at, "transfers"),
                "off_route",
                f"File {transfer.file!r} does not take the fixed route.",
            )
    cost = _cost(priced, allocation, prices)
    if missing.cost != cost or missing.reduced_cost != 1 - cost:
        findings.add(
            (*at, "cost"), "wrong_cost", f"The missing allocation costs {show(cost)} at the prices."
        )
    if cost >= 1:
        findings.add(
            at, "no_improvement", f"The missing allocation costs {show(cost)}, no less than 1."
        )
    if missing.cheapest and least != cost:
        findings.add(
            (*at, "cheapest"),
            "not_the_cheapest",
            "No allocation costs less than 1."
            if least is None
            else f"An allocation costs {show(least)} at the prices, less than the missing one.",
        )
