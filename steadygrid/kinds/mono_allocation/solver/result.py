"""From an allocation and what is known of the best one to the answer of `mono_allocation`."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from steadygrid.domain.certificate import (
    DualityCertificate,
    FarkasCertificate,
    NoCertificate,
    SearchCertificate,
)
from steadygrid.domain.errors import CertificationError
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.periods import buffers, first_periods, last_period
from steadygrid.domain.platform import PortModel
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.scheduling import Plan, Workload
from steadygrid.engine.scheduling.computations import in_order
from steadygrid.engine.scheduling.workload import operations, resource_rows
from steadygrid.engine.simulation.execution import Simulation
from steadygrid.engine.solver import Reconstructible, Solution, without_schedule
from steadygrid.kinds.mono_allocation.schemas import (
    Buffer,
    ComparedMethod,
    FileMessages,
    FirstPeriod,
    IntervalsCertificate,
    MonoAllocationInstance,
    MonoAllocationResult,
    MonoAllocationStatistics,
    MovedFile,
    Occupation,
    ReferenceSimulation,
)
from steadygrid.kinds.mono_allocation.solver.allocated import Finding, PeriodBound

SOLVER_NAME = "HiGHS"
NEAR_TIE = "floating point does not tell allocations apart that differ by as little as the gap"
NOT_TAKEN_OVER = "no exact schedule could be made of what the search found"
NEAR = Fraction(1, 10**6)
"""Relative distances that the tolerances of a search may leave."""


def allocation_solution(
    instance: MonoAllocationInstance,
    finding: Finding,
    bound: PeriodBound | None,
    gap: Fraction,
    comparison: list[ComparedMethod] | None = None,
) -> Solution:
    """Answer with an allocation and its schedule.

    Parameters
    ----------
    bound
        No allocation has a shorter period. None where none is known.
    gap
        Relative, as asked for: a search that has come so near is called optimal.
    """
    workload = workload_of(instance)
    allocated = finding.allocated
    throughput = 1 / allocated.period
    plan = Plan(throughput, allocated.tasks, allocated.transfers)
    occupation = occupation_of(workload, plan, allocated.odd_sets)
    notes = [*finding.notes, *allocated.notes]
    optimal = False
    bounded: dict[str, Any] = {"bound": None, "gap": None, "certificate": NoCertificate()}
    if bound is not None:
        best = 1 / bound.period
        if bound.exact and best < throughput:
            raise CertificationError("an allocation was found that beats an exact bound")
        best = max(best, throughput)
        distance = relative_gap(throughput, best)
        searched = finding.proved and bound.source == "search" and distance <= gap
        optimal = searched or (bound.exact and not distance)
        if finding.proved and not optimal:
            notes.append(NEAR_TIE if distance <= NEAR else NOT_TAKEN_OVER)
        bounded = _bounded(bound) | {
            "bound": Bound.from_value(best, exact=bound.exact),
            "gap": distance,
        }
    allocation = Allocation(0, throughput, Fraction(1), plan.tasks, plan.transfers)
    sizes, ports = instance.file_sizes, instance.ports
    allocation = in_order(workload, allocation, tuple(sizes))
    result = MonoAllocationResult(
        outcome=Outcome.OPTIMAL if optimal else Outcome.FEASIBLE,
        method=instance.method,
        objective=Objective.throughput(throughput),
        **bounded,
        period=1 / throughput,
        mapping={task: list(plan.tasks[task]) for task in instance.task_index},
        transfers=[
            MovedFile(file=t.file, path=list(t.path), share=t.share) for t in plan.transfers
        ],
        occupation=occupation,
        bottleneck=occupation[0].resource,
        **_course(allocation, sizes, ports),
        comparison=comparison,
        statistics=MonoAllocationStatistics(
            found_by=finding.found_by, iterations=finding.rounds, nodes=finding.nodes
        ),
        notes=notes,
    )
    return Solution(
        result,
        Reconstructible(workload, [plan], throughput, allocated.slots),
        as_scheduled=partial(_as_scheduled, instance) if ports == "no_overlap" else None,
    )


def _course(
    allocation: Allocation, sizes: Mapping[FileName, Fraction], ports: PortModel
) -> dict[str, Any]:
    """Say when an instance is where, and what the processors hold meanwhile."""
    return {
        "first_periods": [
            FirstPeriod(task=task, processor=processor, period=period)
            for (task, processor), period in first_periods(sizes, allocation, ports).items()
        ],
        "latency_periods": last_period(sizes, allocation, ports),
        "buffers": [
            Buffer(processor=processor, data=data)
            for processor, data in buffers(sizes, allocation, ports).items()
        ],
    }


def _as_scheduled(
    instance: MonoAllocationInstance, result: MonoAllocationResult, schedule: Schedule
) -> MonoAllocationResult:
    """Say it anew where computations had to be placed first: between transfers."""
    (allocation,) = schedule.allocations
    course = _course(allocation, instance.file_sizes, instance.ports)
    return result.model_copy(update=course)


def simulation_solution(
    instance: MonoAllocationInstance, simulation: Simulation, bound: PeriodBound
) -> Solution:
    """Answer with what a reference achieves. It has no periodic schedule.

    Parameters
    ----------
    instance
        Without faults.
    simulation
        What the reference achieved.
    bound
        Of the period.
    """
    throughput = simulation.instances / simulation.makespan
    best = 1 / bound.period
    return Solution(
        _nothing_mapped(
            instance,
            Outcome.OPTIMAL if throughput == best else Outcome.FEASIBLE,
            bound,
            objective=Objective.throughput(throughput),
            gap=relative_gap(throughput, best),
            simulation=ReferenceSimulation(
                instances=simulation.instances,
                makespan=simulation.makespan,
                latency=simulation.latency,
                planned_makespan=simulation.planned_makespan,
            ),
            notes=[
                f"{instance.method} runs each of {simulation.instances} instances by an allocation of its own:"
                " there is no period, and the throughput is the number of instances over the"
                " time from the first beginning to the last end",
            ],
        )
    )


def bound_solution(
    instance: MonoAllocationInstance, bound: PeriodBound, notes: Iterable[str] = ()
) -> Solution:
    """Answer with a bound alone.

    Parameters
    ----------
    instance
        Without faults.
    bound
        Of the period.
    notes
        On bounds that were not found.
    """
    return Solution(_nothing_mapped(instance, Outcome.BOUND_ONLY, bound, notes=list(notes)))


def idle_solution(
    instance: MonoAllocationInstance,
    mapping: Mapping[str, Sequence[str]],
    bound: PeriodBound | None,
    notes: Iterable[str],
) -> Solution:
    """Answer that a mapping does nothing, because a file has no route.

    Parameters
    ----------
    instance
        Without faults.
    mapping
        Names of the processors that run each task.
    bound
        Of the period. None where none was asked for or found.
    notes
        That say which file it is.
    """
    result = _nothing_mapped(
        instance,
        Outcome.FEASIBLE,
        bound,
        objective=Objective.throughput(Fraction(0)),
        gap=None if bound is None else Fraction(1),
        mapping={task: list(names) for task, names in mapping.items()},
        notes=list(notes),
    )
    return Solution(result)


def empty_solution(instance: MonoAllocationInstance, failure: NoMapping) -> Solution:
    """Answer that there is no mapping, if that is proved, or that the method found none.

    Parameters
    ----------
    instance
        Without faults.
    failure
        Why there is no mapping, and whether that is proved.
    """
    outcome, reason = Outcome.INFEASIBLE, str(failure)
    if not failure.proved:
        outcome = Outcome.UNKNOWN
        if instance.method != "portfolio":
            reason += '; another method may find what this one does not: ask for "portfolio"'
    return Solution(_nothing_mapped(instance, outcome, None, notes=[reason]))


def _nothing_mapped(
    instance: MonoAllocationInstance, outcome: Outcome, bound: PeriodBound | None, **known: Any
) -> MonoAllocationResult:
    if bound is not None:
        known |= _bounded(bound)
    return without_schedule(MonoAllocationResult, outcome, instance.method, **known)


def _bounded(bound: PeriodBound) -> dict[str, Any]:
    """Say what no throughput exceeds, and why."""
    return {
        "bound": Bound.from_value(1 / bound.period, exact=bound.exact),
        "certificate": certificate(bound),
        "bound_source": bound.source,
        "messages": messages(bound),
        "weights": dict(bound.weights),
    }


def certificate(
    bound: PeriodBound,
) -> (
    DualityCertificate
    | FarkasCertificate
    | IntervalsCertificate
    | SearchCertificate
    | NoCertificate
):
    """Say why a bound holds."""
    if bound.source == "search":
        return SearchCertificate(solver=SOLVER_NAME)
    if not bound.exact:
        return NoCertificate()
    if bound.source == "intervals":
        return IntervalsCertificate()
    prices = dict(sorted(bound.prices.items()))
    if bound.source == "forbidden_assignments":
        return FarkasCertificate(prices=prices)
    return DualityCertificate(prices=prices)


def messages(bound: PeriodBound) -> list[FileMessages]:
    """Write the rest of a proof. Nothing where prices are enough."""
    return [
        FileMessages(file=file, sent=dict(parts.sent), received=dict(parts.received))
        for file, parts in bound.messages.items()
    ]


def occupation_of(
    workload: Workload, plan: Plan, odd_sets: Sequence[OddSet] = ()
) -> list[Occupation]:
    """Give the time that one instance takes on each resource, sets included, the longest first.

    Parameters
    ----------
    workload
        Times, file sizes and links of the instance.
    plan
        The allocation. Its rate does not matter.
    odd_sets
        Those that are listed besides the other resources.
    """
    rows = resource_rows(workload, [plan], operations(workload, [plan]), odd_sets)
    times = {resource: row[0] for resource, row in rows.items()}
    return [
        Occupation(resource=resource, time=time)
        for resource, time in sorted(times.items(), key=lambda use: (-use[1], use[0]))
    ]
