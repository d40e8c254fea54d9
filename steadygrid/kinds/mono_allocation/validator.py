"""The exact referee of `mono_allocation`; shares no code with what solves it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.platform import Route
from steadygrid.domain.schedule import (
    USUAL_LIMITS,
    Allocation,
    Schedule,
    ScheduleLimits,
    Transfer,
)
from steadygrid.domain.slots import FileName
from steadygrid.kinds.mono_allocation.properties import (
    check_course,
    check_occupation,
    check_odd_sets,
    check_properties,
)
from steadygrid.kinds.mono_allocation.referee_given import check_given
from steadygrid.kinds.mono_allocation.referee_intervals import intervals_exist
from steadygrid.kinds.mono_allocation.referee_limits import (
    Limits,
    check_limits,
    packing_exists,
    read_limits,
)
from steadygrid.kinds.mono_allocation.referee_search import beaten_by
from steadygrid.kinds.mono_allocation.schemas import (
    COMPARED,
    REFERENCES,
    WITHIN_MEMORY,
    ComparedMethod,
    MonoAllocationInstance,
    MonoAllocationResult,
)
from steadygrid.kinds.shared.collection_referee import elimination_order, steady_instance
from steadygrid.verification.comparison import check_methods, check_row
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.odd_sets import carries_exact_rates, with_odd_sets
from steadygrid.verification.packing import Memory, check_weights, shortest_operation
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.placement import Places, check_infeasible, copies_exist
from steadygrid.verification.promises import earliest_by_rate
from steadygrid.verification.relaxation import Messages, check_period_bound
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance, Views, views_of_one_application

_MAPPING = COMPARED - {"upper_bound"}
_PROOF = {
    "relaxation": "lp_duality",
    "allocations": "lp_duality",
    "forbidden_assignments": "farkas",
    "intervals": "intervals",
    "search": "search",
}


def validate(
    instance: MonoAllocationInstance,
    options: Options,
    result: MonoAllocationResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Parameters
    ----------
    options
        `mip_gap` and the options of schedules are read.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ========================
    1  outcome, value, bound, gap and certificate go together             see `check_envelope`
    2  a bound, and only a bound, has a source; its certificate fits that `wrong_bound_source`
    3  that of a reference is not for single allocations only             `wrong_bound_source`
    4  what is ``infeasible`` has no placement, with routes for all files  see `check_infeasible`
    5  with limits of memory or intervals, it has none that keeps to them `not_infeasible`
    6  this, and rule 10, are checked in a sensible number of steps       `not_proved`
    7  weights of tasks prove the bound                                   see `check_weights`
    8  prices prove the bound                                             see `check_period_bound`
    9  intervals prove bounds above 0, of intervals on fixed routes       `wrong_certificate`
    10 no intervals have a shorter period, see `intervals_exist`          `shorter_intervals`
    11 no allocation that the referee finds beats a bound without a proof `bound_beaten`
    12 one without certificate is 1 over the shortest operation, or more  `unproved_bound`
    13 the method has its fields, and no others                           `wrong_fields`
    14 the mapping has the properties of a valid allocation               see `check_properties`
    15 it keeps to memory and intervals                                   see `check_limits`
    16 an instance keeps each resource busy for as long as is said        see `check_occupation`
    17 no odd set of processors is too full                               see `check_odd_sets`
    18 first periods, latency and buffers follow from allocation, schedule see `check_course`
    19 the schedule has this allocation, and only this                    `allocations_disagree`
    20 it is right                                                        see `verify_answer`
    21 what is said of a mapping that was given is right                  see `check_given`
    22 as many instances were simulated as asked                          `wrong_instances`
    23 the value of a simulation is their number over the makespan        `wrong_makespan`
    24 their mean latency is between 0 and the makespan                   `wrong_latency`
    25 each method is compared once, and can be                           see `check_methods`
    26 throughputs over the bound are the ratios, and times are 0 or more see `check_row`
    27 no latency is below 0                                              `wrong_comparison`
    28 no allocation is faster than the answer's occupation allows        `wrong_comparison`
    29 no method has been run that knows no limits like those asked for   `wrong_comparison`
    == ================================================================== ========================

    Rule 4 is for instances without limits. Rule 8: see `relaxation` of copies. Rule 11: see
    `beaten_by`; not under ``one_port`` with half-duplex links, where periods may be longer than the
    longest occupation. Rule 12: see `shortest_operation`. Rule 17 is for processors that take part
    in one transfer at a time, where no schedule shows the exact slots; 18 where 14 holds.
    """
    findings = Findings()
    steady = _steady(instance)
    limits_asked = read_limits(instance)
    routes = (
        FixedRoutes(steady.network, instance.platform.routes)
        if instance.routing == "fixed"
        else None
    )
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        options.mip_gap,
        scheduled=result.method not in REFERENCES,
        may_find_nothing=_MAPPING,
        may_lack_bound=result.method == "given",
        may_lack_proof=True,
    )
    _check_bound_source(result, findings)
    if result.outcome is Outcome.INFEASIBLE:
        missing = [r for r in instance.platform.routes if routes is not None and r.missing]
        _check_infeasible(steady, limits_asked, missing, findings)
    alone = replace(steady, times=limits_asked.alone(steady.times))
    _check_certificate(instance, alone, routes, limits_asked, result, findings)
    if result.bound is not None and not result.bound.exact and result.bound.value > 0:
        _check_word(instance, alone, routes, limits_asked, result.bound.value, findings)
    if result.bound is not None and result.certificate.type == "none":
        _check_alone(alone, result.bound.value, findings)
    _check_fields(result, findings)
    value = _mapped_value(result)
    if value is not None:
        allocation = _allocation(result, value)
        sound = check_properties(steady, instance.routing, routes, allocation, findings)
        check_limits(limits_asked, allocation, findings)
        check_occupation(steady, allocation, result, findings)
        if steady.network.one_transfer_each and not carries_exact_rates(schedule):
            check_odd_sets(steady, allocation, findings)
        if sound:
            check_course(steady, allocation, result, schedule, findings)
        if schedule is not None:
            _check_agreement(schedule, allocation, findings)
            verify_answer(
                views_of_one_application(steady),
                schedule,
                findings,
                value,
                options,
                result.notes,
                limits,
                earliest=earliest_by_rate(result.bound),
            )
    if instance.method == "given" == result.method:
        check_given(instance, steady, routes, limits_asked, result, findings)
    _check_simulation(instance, result, findings)
    _check_comparison(limits_asked, result, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def views(instance: MonoAllocationInstance, _result: MonoAllocationResult) -> Views:
    """Let the only allocation run the application."""
    return views_of_one_application(_steady(instance))


def _steady(instance: MonoAllocationInstance) -> SteadyInstance:
    return replace(steady_instance(instance), duplication=instance.duplication)


def _mapped_value(result: MonoAllocationResult) -> Fraction | None:
    """Give the value that the answer has by its mapping, if that does anything."""
    if result.objective is None or result.method in REFERENCES:
        return None
    value = result.objective.value
    return None if result.method == "given" and not value else value


def _check_bound_source(result: MonoAllocationResult, findings: Findings) -> None:
    at = ("result", "bound_source")
    source, bound, certificate = result.bound_source, result.bound, result.certificate
    if (source is None) != (bound is None):
        findings.add(at, "wrong_bound_source", "A bound, and only a bound, has a source.")
    if source is not None and certificate.type not in ("none", _PROOF[source]):
        findings.add(
            at,
            "wrong_bound_source",
            f"A bound from {source} has no certificate of type {certificate.type!r}.",
        )
    if result.method in REFERENCES and source in ("forbidden_assignments", "search"):
        findings.add(
            at,
            "wrong_bound_source",
            f"A bound from {source} holds for single allocations only, not for {result.method}.",
        )


def _check_infeasible(
    steady: SteadyInstance, limits: Limits, missing: Sequence[Route], findings: Findings
) -> None:
    """Check that no placement keeps to routes, memory and intervals.

    Copies of tasks need no less memory than one of each: with duplication it is enough that there is
    no room for one of each, or, for any memory, no path for the files.
    """
    alone = replace(steady, times=limits.alone(steady.times))
    closed = {(route.source, route.target) for route in missing}
    if not limits.within_memory and limits.order is None:
        check_infeasible(alone, elimination_order(alone), findings, closed)
        return
    if not all(alone.times.values()):
        return
    places = Places.from_hops(sorted(steady.network.processors), steady.network.hops, closed)
    exists: bool | None
    if limits.order is not None:
        routes = FixedRoutes(steady.network, missing)
        exists = intervals_exist(alone, limits, routes, missing, None)
    elif steady.duplication == "none":
        exists = packing_exists(alone, limits, places)
    else:
        position = {task: i for i, task in enumerate(alone.times)}
        candidates = [times.keys() for times in alone.times.values()]
        files = [(position[source], position[target]) for source, target in alone.sizes]
        without = packing_exists(alone, limits, None) is False
        exists = False if without or not copies_exist(candidates, files, places) else None
    if exists:
        findings.add(
            ("result", "outcome"),
            "not_infeasible",
            "The instance is not infeasible: its tasks can be placed within memory, and in intervals"
            " where that was asked for.",
        )
    if exists is None:
        findings.add(
            ("result", "outcome"),
            "not_proved",
            "Whether the tasks fit into the memory takes more steps than is sensible.",
        )


def _check_certificate(
    instance: MonoAllocationInstance,
    steady: SteadyInstance,
    routes: FixedRoutes | None,
    limits: Limits,
    result: MonoAllocationResult,
    findings: Findings,
) -> None:
    certificate, bound = result.certificate, result.bound
    if bound is not None and certificate.type == "intervals":
        _check_intervals(instance, steady, routes, limits, bound.value, findings)
        return
    if bound is None or certificate.type not in ("lp_duality", "farkas"):
        return
    if result.weights and bound.value > 0:
        at = ("result", "weights")
        memory = Memory(limits.needs, limits.room)
        check_weights(steady, result.weights, bound.value, findings, at, memory)
        return
    routing = instance.routing
    steady = replace(steady, network=with_odd_sets(steady.network, certificate.prices))
    if steady.duplication != "none":
        steady = replace(steady, sizes=_largest_files(steady.sizes))
    if steady.duplication == "tasks_and_files" and routing == "fixed":
        routing, routes = "free", None
    tasks = list(steady.times)
    check_period_bound(
        steady,
        routing,
        routes,
        certificate.prices,
        bound.value,
        certificate.type == "farkas",
        {listed.file: Messages(listed.sent, listed.received) for listed in result.messages},
        [tasks[i] for i in elimination_order(steady)],
        findings,
        ("result", "certificate", "prices"),
    )


def _check_intervals(
    instance: MonoAllocationInstance,
    steady: SteadyInstance,
    routes: FixedRoutes | None,
    limits: Limits,
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that no intervals have a period shorter than a bound says. None is as long as none."""
    at = ("result", "certificate")
    if limits.order is None or routes is None or bound <= 0:
        findings.add(
            at,
            "wrong_certificate",
            "Intervals on fixed routes prove a bound only where both were asked for.",
        )
        return
    given = instance.platform.routes
    exists = intervals_exist(steady, limits, routes, given, 1 / bound)
    if exists:
        findings.add(
            at,
            "shorter_intervals",
            f"There are intervals of a period below {show(1 / bound)}: the bound does not hold.",
        )
    if exists is None:
        findings.add(
            at,
            "not_proved",
            "Whether there are intervals of a shorter period takes more steps than is sensible.",
        )


def _check_word(
    instance: MonoAllocationInstance,
    steady: SteadyInstance,
    routes: FixedRoutes | None,
    limits: Limits,
    bound: Fraction,
    findings: Findings,
) -> None:
    if steady.network.rates_need_slots and not steady.network.one_transfer_each:
        return
    fixed = FixedRoutes(steady.network, ()) if routes is None else routes
    period = beaten_by(steady, fixed, 1 / bound, limits)
    if period is not None:
        findings.add(
            ("result", "bound"),
            "bound_beaten",
            f"The search says that no allocation does more than {show(bound)}, but there is one of"
            f" period {show(period)}.",
        )


def _check_alone(steady: SteadyInstance, bound: Fraction, findings: Findings) -> None:
    """Check a bound without certificate: of what takes time nothing is done in less than that."""
    shortest = shortest_operation(steady)
    if shortest is None or bound * shortest < 1:
        findings.add(
            ("result", "bound"),
            "unproved_bound",
            "Without a certificate nothing says that no throughput is above"
            f" {show(bound)}, but for what every operation takes: "
            f"{'nothing takes time' if shortest is None else f'{show(shortest)} or more'}.",
        )


def _largest_files(sizes: Mapping[FileName, Fraction]) -> dict[FileName, Fraction]:
    """Keep one file that leaves each task: the largest, of equal ones the first."""
    largest: dict[str, FileName] = {}
    for file, size in sizes.items():
        if file[0] not in largest or size > sizes[largest[file[0]]]:
            largest[file[0]] = file
    return {file: sizes[file] for file in largest.values()}


def _check_fields(result: MonoAllocationResult, findings: Findings) -> None:
    mapped = _mapped_value(result) is not None
    given = result.method == "given"
    simulated = result.method in REFERENCES and result.objective is not None
    listed = result.comparison is not None
    priced = bool(result.certificate.prices)
    packed = bool(result.weights) and result.certificate.type == "farkas" and not priced
    for name, part, needed in (
        ("period", result.period is not None, mapped),
        ("mapping", bool(result.mapping), mapped or given),
        ("transfers", bool(result.transfers), mapped and bool(result.transfers)),
        ("occupation", bool(result.occupation), mapped),
        ("bottleneck", result.bottleneck is not None, mapped),
        ("first_periods", bool(result.first_periods), mapped),
        ("latency_periods", result.latency_periods is not None, mapped),
        ("buffers", bool(result.buffers), mapped and bool(result.buffers)),
        ("bottlenecks", bool(result.bottlenecks), mapped and given),
        ("distance", result.distance is not None, given and result.bound is not None),
        ("better", result.better is not None, given and result.better is not None),
        ("moves", result.moves is not None, given),
        ("simulation", result.simulation is not None, simulated),
        ("comparison", listed, listed and result.method == "compare"),
        ("messages", bool(result.messages), bool(result.messages) and priced),
        ("weights", bool(result.weights), packed),
    ):
        if part != needed:
            findings.add(
                ("result", name),
                "wrong_fields",
                f"This answer of {result.method} {'needs' if needed else 'cannot have'} {name}.",
            )


def _allocation(result: MonoAllocationResult, rate: Fraction) -> Allocation:
    tasks = {task: tuple(processors) for task, processors in result.mapping.items()}
    transfers = tuple(Transfer(t.file, tuple(t.path), t.share) for t in result.transfers)
    return Allocation(0, rate, Fraction(1), tasks, transfers)


def _check_agreement(schedule: Schedule, allocation: Allocation, findings: Findings) -> None:
    agrees = len(schedule.allocations) == 1 and all(
        listed.index == 0
        and listed.rate == allocation.rate
        and {task: sorted(names) for task, names in listed.tasks.items()}
        == {task: sorted(names) for task, names in allocation.tasks.items()}
        and sorted(listed.transfers) == sorted(allocation.transfers)
        for listed in schedule.allocations
    )
    if not agrees:
        findings.add(
            ("schedule", "allocations"),
            "allocations_disagree",
            "The schedule does not have the result's allocation, and only that.",
        )


def _check_simulation(
    instance: MonoAllocationInstance, result: MonoAllocationResult, findings: Findings
) -> None:
    simulation, objective = result.simulation, result.objective
    if simulation is None or objective is None:
        return
    at = ("result", "simulation")
    if simulation.instances != instance.instances:
        findings.add(
            (*at, "instances"),
            "wrong_instances",
            f"{simulation.instances} instances were simulated, {instance.instances} were asked.",
        )
    if simulation.makespan * objective.value != simulation.instances:
        findings.add(
            (*at, "makespan"),
            "wrong_makespan",
            f"{simulation.instances} instances in {show(simulation.makespan)} are no throughput of"
            f" {show(objective.value)}.",
        )
    if not 0 <= simulation.latency <= simulation.makespan:
        findings.add(
            (*at, "latency"),
            "wrong_latency",
            f"A mean latency of {show(simulation.latency)} is not between 0 and the makespan.",
        )


def _check_comparison(limits: Limits, result: MonoAllocationResult, findings: Findings) -> None:
    listed = result.comparison or []
    check_methods(listed, COMPARED, findings)
    knowing = REFERENCES
    if limits.order is not None:
        knowing = frozenset()
    elif limits.within_memory:
        knowing = WITHIN_MEMORY
    for i, row in enumerate(listed):
        _check_row(result, row, i, findings)
        if row.throughput is not None and row.method in REFERENCES - knowing:
            findings.add(
                ("result", "comparison", i, "throughput"),
                "wrong_comparison",
                f"{row.method} knows no limits like those asked for, and has no throughput here.",
            )


def _check_row(
    result: MonoAllocationResult, row: ComparedMethod, position: int, findings: Findings
) -> None:
    at = ("result", "comparison", position)
    bound, throughput = None if result.bound is None else result.bound.value, row.throughput
    mixes = row.method in REFERENCES and row.ratio_to_bound is None
    check_row(row, position, None if mixes else throughput, bound, findings)
    if row.latency is not None and row.latency < 0:
        findings.add((*at, "latency"), "wrong_comparison", f"{row.method} has a latency below 0.")
    if throughput is None or row.method in REFERENCES or row.method == "upper_bound":
        return
    period = result.occupation[0].time if result.occupation else Fraction(0)
    if throughput * period > 1 or not result.occupation:
        findings.add(
            (*at, "throughput"),
            "wrong_comparison",
            f"{row.method} is faster than the answer, which keeps a resource busy for"
            f" {show(period)}.",
        )
