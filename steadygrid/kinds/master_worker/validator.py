"""The exact referee of `master_worker`; shares no code with what solves it."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import chain, pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import InvalidScheduleError, Pointer
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, Schedule, ScheduleLimits
from steadygrid.kinds.master_worker.earliest_referee import earliest_tasks
from steadygrid.kinds.master_worker.referee_prices import check_certificate, check_preferred
from steadygrid.kinds.master_worker.referee_rates import FILES, ExactRates, Flow
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, MasterWorkerResult
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import (
    Ratio,
    add,
    equals,
    less_or_equal,
    scaled_ratio,
    show,
    times,
)
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.odd_sets import carries_exact_rates, check_shares
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance, Views, views_of_one_application

_WRONG = {
    "input": (
        "leave {!r} or are computed there, and do not arrive",
        "arrive at {!r} and are neither computed nor sent on",
    ),
    "output": (
        "leave {!r}, and neither arrive nor are made there",
        "arrive at {!r} or are made there, and are not sent on",
    ),
}
"""What is said of files that come from nowhere, and of those that stay."""


def validate(
    instance: MasterWorkerInstance,
    options: Options,
    result: MasterWorkerResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
    check: Callable[[], None] = lambda: None,
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
    check
        Called before each search for routes; may raise, and then nothing is verified.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == =================================================================== =======================
    1  outcome, value, bound, gap and certificate go together              see `check_envelope`
    2  nothing is infeasible: computing nothing is a solution              `never_infeasible`
    3  its prices prove the bound                                          see `check_certificate`
    4  a computed rate is above 0                                          `rate_not_positive`
    5  it is on a processor that can compute                               `cannot_compute`
    6  (2) ``w_i x_i <= 1``: none computes for more than all of the time   `compute_overload`
    7  the computed rates sum to the value                                 `wrong_sum`
    8  no file is listed twice for a link                                  `sent_twice`
    9  a sent or routed rate is above 0                                    `rate_not_positive`
    10 a sent rate is of a file of the task                                `no_output`
    11 it is over an existing link                                         `missing_link`
    12 (7): no input enters the master, and no output leaves it            `through_master`
    13 (5) and (6): what enters a processor leaves it or is computed there `not_conserved`
    14 (3), (4), (8): no resource is busy for more than all of the time    `overloaded`
    15 there are routed rates with fixed routing, and only there           `wrong_routed`
    16 no file is listed twice for a route                                 `routed_twice`
    17 each is over the route of two processors that hold whole files      `no_route`
    18 at each of these, what arrives is computed or sent on               `not_conserved`
    19 together the routed rates are the sent rates                        `rates_disagree`
    20 no odd set of processors is too full                                see `check_shares`
    21 allocations sum to the computed, sent and routed rates              `rates_disagree`
    22 with fixed routing every transfer takes the route between its ends  `not_the_route`
    23 the schedule is right                                               see `verify_answer`
    24 the rates are those that are preferred                              see `check_preferred`
    == =================================================================== =======================

    Rule 20 is for processors that take part in one transfer at a time, where no schedule shows the
    exact slots. The cost depends on the length of the description, not on the length of the period.
    Equation numbers are those of the formulation.
    """
    findings = Findings()
    steady = steady_instance(instance)
    check_envelope(instance, result, schedule, findings)
    if result.outcome is Outcome.INFEASIBLE:
        findings.add(
            ("result", "outcome"),
            "never_infeasible",
            "The instance is not infeasible: computing nothing is a solution.",
        )
    routes = (
        FixedRoutes(steady.network, instance.platform.routes, check)
        if instance.routing == "fixed"
        else None
    )
    if result.bound is not None and result.certificate.type == "lp_duality":
        check_certificate(
            instance, steady, routes, result.certificate.prices, result.bound.value, findings
        )
    rates = ExactRates(result, schedule)
    _check_computed(steady, result, rates, findings)
    _check_sent(instance, steady, result, rates, findings)
    _check_routed(instance, steady, routes, result, rates, findings)
    if steady.network.one_transfer_each and not carries_exact_rates(schedule):
        _check_odd_sets(steady, result, findings)
    if schedule is not None and result.objective is not None:
        _check_agreement(schedule, rates, findings)
        if routes is not None:
            _check_routes(schedule, routes, rates, findings)
        verify_answer(
            views_of_one_application(steady),
            schedule,
            findings,
            result.objective.value,
            options,
            result.notes,
            limits,
            earliest=None
            if options.asked_run is None
            else earliest_tasks(steady, instance.master, result),
        )
    check_preferred(instance, options, steady, routes, result, rates, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def views(instance: MasterWorkerInstance, _result: MasterWorkerResult) -> Views:
    """Let every allocation run the one task."""
    return views_of_one_application(steady_instance(instance))


def steady_instance(instance: MasterWorkerInstance) -> SteadyInstance:
    """State an instance in the terms of periodic schedules.

    The task runs once per instance; ``begin`` and ``end`` lie on the master. Its time on a
    processor is ``times[P]``, or ``work`` over the processor's speed.
    """
    task = instance.task
    compute: dict[str, Fraction] = {}
    if task.times is not None:
        compute.update(task.times)
    elif task.work is not None:
        for processor in instance.platform.processors:
            if processor.unit_time is not None:
                compute[processor.id] = task.work * processor.unit_time
            elif processor.speed is not None:
                compute[processor.id] = task.work / processor.speed
    sizes = {FILES["input"]: task.input_size}
    if task.output_size > 0:
        sizes[FILES["output"]] = task.output_size
    return SteadyInstance(
        read_network(instance.platform, instance.ports),
        {"task": compute},
        sizes,
        {"begin": (instance.master,), "end": (instance.master,)},
        relays=_holders(instance) if instance.routing == "fixed" else frozenset(),
    )


def _holders(instance: MasterWorkerInstance) -> frozenset[str]:
    """Name the processors that hold whole files: the master, and those that compute."""
    computing = {
        processor.id
        for processor in instance.platform.processors
        if processor.speed is not None or processor.unit_time is not None
    }
    return frozenset({instance.master, *computing, *(instance.task.times or ())})


def _check_computed(
    steady: SteadyInstance, result: MasterWorkerResult, rates: ExactRates, findings: Findings
) -> None:
    compute = steady.times["task"]
    for processor, rate in rates.computed.items():
        at = ("result", "computed", processor)
        if rate[0] <= 0:
            findings.add(at, "rate_not_positive", f"The rate of {processor!r} is not above 0.")
        if processor not in compute:
            findings.add(at, "cannot_compute", f"Processor {processor!r} cannot run the task.")
        elif not less_or_equal(times(compute[processor], rate), (rates.common, 1)):
            findings.add(
                at,
                "compute_overload",
                f"Processor {processor!r} computes {rates.show(rate)} tasks per time unit, each"
                f" of time {show(compute[processor])}: more than all of its time.",
            )
    total = add(rates.computed.values())
    value = Fraction(0) if result.objective is None else result.objective.value
    if not equals(total, scaled_ratio(value, rates.common)):
        findings.add(
            ("result", "computed"),
            "wrong_sum",
            f"The computed rates sum to {rates.show(total)}, but the value is {show(value)}.",
        )


def _check_sent(
    instance: MasterWorkerInstance,
    steady: SteadyInstance,
    result: MasterWorkerResult,
    rates: ExactRates,
    findings: Findings,
) -> None:
    known = True
    if len(rates.sent) < len(result.sent):
        findings.add(("result", "sent"), "sent_twice", "A file is listed twice for the same link.")
    for i, sent in enumerate(result.sent):
        at = ("result", "sent", i)
        name = f"{sent.file} files from {sent.source!r} to {sent.target!r}"
        if sent.rate <= 0:
            findings.add(at, "rate_not_positive", f"The rate of {name} is not above 0.")
        if FILES[sent.file] not in steady.sizes:
            findings.add(at, "no_output", f"There are no output files, so no {name}.")
            known = False
        elif (sent.source, sent.target) not in steady.network.hops:
            findings.add(at, "missing_link", f"There is no link for {name}.")
            known = False
        if (sent.file, instance.master) in (("input", sent.target), ("output", sent.source)):
            findings.add(at, "through_master", f"The master is no place for {name}.")
    if not known:
        return
    _check_conservation(instance, rates.sent, "sent", rates, findings)
    _check_resources(steady, rates, findings)


def _check_routed(
    instance: MasterWorkerInstance,
    steady: SteadyInstance,
    routes: FixedRoutes | None,
    result: MasterWorkerResult,
    rates: ExactRates,
    findings: Findings,
) -> None:
    at: Pointer = ("result", "routed")
    if (routes is None) != (result.routed is None):
        findings.add(
            at,
            "wrong_routed",
            "Routed rates belong to the answer where the routing is fixed, and only there.",
        )
    if routes is None or result.routed is None:
        return
    if len(rates.routed) < len(result.routed):
        findings.add(at, "routed_twice", "A file is listed twice for the same route.")
    crossed: dict[Flow, list[Ratio]] = {}
    known = True
    for i, routed in enumerate(result.routed):
        here, name = (*at, i), f"{routed.file} files from {routed.source!r} to {routed.target!r}"
        if routed.rate <= 0:
            findings.add(here, "rate_not_positive", f"The rate of {name} is not above 0.")
        route = None
        if steady.relays.issuperset((routed.source, routed.target)):
            route = routes.path(routed.source, routed.target)
        if route is None:
            findings.add(
                here, "no_route", f"There is no route between holders of files for {name}."
            )
            known = False
            continue
        for sender, receiver in pairwise(route):
            rate = rates.routed[routed.source, routed.target, routed.file]
            crossed.setdefault((sender, receiver, routed.file), []).append(rate)
    if known:
        _check_conservation(instance, rates.routed, "routed", rates, findings)
        _compare(
            {f"of {f} files from {a!r} to {b!r}": terms for (a, b, f), terms in crossed.items()},
            {f"of {f} files from {a!r} to {b!r}": rate for (a, b, f), rate in rates.sent.items()},
            rates,
            findings,
            (at, "the routes"),
        )


def _check_routes(
    schedule: Schedule, routes: FixedRoutes, rates: ExactRates, findings: Findings
) -> None:
    kinds = {file: kind for kind, file in FILES.items()}
    routed: dict[Flow, list[Ratio]] = {}
    for position, allocation in enumerate(schedule.allocations):
        rate = scaled_ratio(allocation.rate, rates.common)
        for i, transfer in enumerate(allocation.transfers):
            path = transfer.path
            if len(path) < 2 or routes.path(path[0], path[-1]) != path:
                findings.add(
                    ("schedule", "allocations", position, "transfers", i),
                    "not_the_route",
                    f"Allocation {allocation.index}: a transfer from {path[:1]} to {path[-1:]} does"
                    " not take the route.",
                )
                continue
            kind = kinds.get(transfer.file, "unknown")
            routed.setdefault((path[0], path[-1], kind), []).append(times(transfer.share, rate))
    _compare(
        {f"of {f} files over {a!r} to {b!r}": terms for (a, b, f), terms in routed.items()},
        {f"of {f} files over {a!r} to {b!r}": rate for (a, b, f), rate in rates.routed.items()},
        rates,
        findings,
    )


def _check_conservation(
    instance: MasterWorkerInstance,
    flows: Mapping[Flow, Ratio],
    listed: str,
    rates: ExactRates,
    findings: Findings,
) -> None:
    files = ("input", "output") if instance.task.output_size else ("input",)
    balance: dict[tuple[str, str], list[Ratio]] = {}
    for (source, target, file), (numerator, denominator) in flows.items():
        balance.setdefault((source, file), []).append((-numerator, denominator))
        balance.setdefault((target, file), []).append((numerator, denominator))
    for processor, (numerator, denominator) in rates.computed.items():
        balance.setdefault((processor, "input"), []).append((-numerator, denominator))
        if "output" in files:
            balance.setdefault((processor, "output"), []).append((numerator, denominator))
    for (processor, file), terms in balance.items():
        if processor == instance.master:
            continue
        numerator, denominator = add(terms)
        if numerator:
            left = rates.show((abs(numerator), denominator))
            findings.add(
                ("result", listed),
                "not_conserved",
                f"{left} {file} files per time unit {_WRONG[file][numerator > 0].format(processor)}.",
            )


def _check_resources(steady: SteadyInstance, rates: ExactRates, findings: Findings) -> None:
    used: dict[str, list[Ratio]] = {}
    for (source, target, file), rate in rates.sent.items():
        size = steady.sizes[FILES[file]]
        for resource, time in steady.network.hops[source, target].uses:
            used.setdefault(resource, []).append(times(time * size, rate))
    for processor, rate in rates.computed.items():
        resource = steady.network.computing(processor)
        if resource in steady.network.resources:
            time = steady.times["task"].get(processor, Fraction(0))
            used.setdefault(resource, []).append(times(time, rate))
    for resource, terms in used.items():
        total = add(terms)
        if not less_or_equal(total, (rates.common, 1)):
            findings.add(
                ("result", "sent"),
                "overloaded",
                f"The rates keep {resource} busy for {rates.show(total)} of the time.",
            )


def _check_odd_sets(steady: SteadyInstance, result: MasterWorkerResult, findings: Findings) -> None:
    busy: Amounts[tuple[str, str]] = Amounts()
    for sent in result.sent:
        ends = sent.source, sent.target
        hop = steady.network.hops.get(ends)
        if hop is not None:
            busy[ends] += (
                sent.rate * hop.unit_time * steady.sizes.get(FILES[sent.file], Fraction(0))
            )
    check_shares(steady.network, busy, findings, ("result", "sent"))


def _check_agreement(schedule: Schedule, rates: ExactRates, findings: Findings) -> None:
    computed: dict[str, list[Ratio]] = {}
    sent: dict[Flow, list[Ratio]] = {}
    kinds = {file: kind for kind, file in FILES.items()}
    for allocation in schedule.allocations:
        rate = scaled_ratio(allocation.rate, rates.common)
        for processor in chain.from_iterable(allocation.tasks.values()):
            computed.setdefault(processor, []).append(rate)
        for transfer in allocation.transfers:
            share = times(transfer.share, rate)
            for sender, receiver in pairwise(transfer.path):
                kind = kinds.get(transfer.file, "unknown")
                sent.setdefault((sender, receiver, kind), []).append(share)
    _compare(
        {f"computed on {name!r}": terms for name, terms in computed.items()},
        {f"computed on {name!r}": rate for name, rate in rates.computed.items()},
        rates,
        findings,
    )
    _compare(
        {f"of {f} files from {a!r} to {b!r}": terms for (a, b, f), terms in sent.items()},
        {f"of {f} files from {a!r} to {b!r}": rate for (a, b, f), rate in rates.sent.items()},
        rates,
        findings,
    )


def _compare(
    summed: Mapping[str, Iterable[Ratio]],
    stated: Mapping[str, Ratio],
    rates: ExactRates,
    findings: Findings,
    what: tuple[Pointer, str] = (("schedule", "allocations"), "the allocations"),
) -> None:
    at, parts = what
    for name in sorted(summed.keys() | stated.keys()):
        total, rate = add(summed.get(name, ())), stated.get(name, (0, 1))
        if not equals(total, rate):
            findings.add(
                at,
                "rates_disagree",
                f"The rate {name} is {rates.show(rate)}, but {parts} sum to {rates.show(total)}.",
            )
