"""From certified rates to a periodic schedule."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from app.domain.job import Options
from app.domain.schedule import Allocation, Computation, Schedule, last_period
from workers.scheduling.layout import (
    Layout,
    Stretch,
    fluid_layout,
    is_preempted,
    multiplier,
    named_slots,
    scaled,
)
from workers.scheduling.one_port import OnePort
from workers.scheduling.period import shortest_period
from workers.scheduling.workload import (
    Operation,
    Plan,
    Reconstruction,
    ReconstructionLimits,
    UnitSlot,
    Workload,
    operations,
)
from workers.solving.control import Control


def reconstruct(
    workload: Workload,
    plans: Sequence[Plan],
    optimal_throughput: Fraction,
    options: Options,
    limits: ReconstructionLimits,
    control: Control,
    slots: Sequence[UnitSlot] | None = None,
) -> Reconstruction:
    """Build a schedule that repeats."""
    hops = operations(workload, plans)
    period = shortest_period(plan.rate for plan in plans)
    counts = [plan.rate * period for plan in plans]
    control.check()
    layout = exact_layout(workload, hops, counts, period, slots)
    if options.wants_whole_files:
        factor = multiplier(layout)
        layout = scaled(layout, factor)
        period *= factor
        counts = [count * factor for count in counts]
    return Reconstruction(
        assemble(workload, plans, hops, counts, period, layout, optimal_throughput, None), []
    )


def exact_layout(
    workload: Workload,
    hops: Sequence[Operation],
    counts: Sequence[Fraction],
    period: Fraction,
    slots: Sequence[UnitSlot] | None,
) -> Layout:
    files = [counts[hop.plan] * hop.share for hop in hops]
    if not any(files):
        return []
    if workload.ports == "multiport":
        return [Stretch(period, tuple((k, count) for k, count in enumerate(files) if count))]
    order = OnePort(workload.platform, hops, slots)
    times = [count * hop.file_time for count, hop in zip(files, hops, strict=True)]
    unit = Fraction(
        1, lcm(period.denominator, order.unit_denominator, *(t.denominator for t in times))
    )
    pieces = order.pieces([int(time / unit) for time in times], int(period / unit))
    return fluid_layout(hops, files, pieces, unit)


def assemble(
    workload: Workload,
    plans: Sequence[Plan],
    hops: Sequence[Operation],
    counts: Sequence[Fraction],
    period: Fraction,
    layout: Layout,
    optimal_throughput: Fraction,
    rounding_loss: Fraction | None,
) -> Schedule:
    """Put the parts together."""
    allocations = tuple(
        Allocation(index, plan.rate, count, plan.tasks, plan.transfers)
        for index, (plan, count) in enumerate(zip(plans, counts, strict=True))
    )
    instances = sum(counts, Fraction(0))
    throughput = instances / period
    loss = 1 - throughput / optimal_throughput if optimal_throughput else Fraction(0)
    files = tuple(workload.file_sizes)
    last = max(
        (last_period(files, a, workload.ports) for a in allocations if a.instances_per_period),
        default=1,
    )
    return Schedule(
        period=period,
        instances_per_period=instances,
        throughput=throughput,
        optimal_throughput=optimal_throughput,
        loss=loss,
        rounding_loss=rounding_loss,
        ports=workload.ports,
        prologue_periods=last - 1,
        latency_periods=last,
        preempted=is_preempted(layout),
        files=files,
        allocations=allocations,
        computations=tuple(computations(workload, allocations)),
        slots=named_slots(workload.platform, hops, layout),
    )


def computations(workload: Workload, allocations: Sequence[Allocation]) -> list[Computation]:
    """Let every processor compute what falls to it, one kind of task after the other from 0.

    Processors in the platform's order; on each, allocations by index and tasks in the order in
    which the allocation names them. Tasks that take no time are listed, too.
    """
    free = {processor.id: Fraction(0) for processor in workload.platform.processors}
    placed: dict[str, list[Computation]] = {processor: [] for processor in free}
    for allocation in allocations:
        count = allocation.instances_per_period
        if not count:
            continue
        for task, processor in allocation.tasks.items():
            time = count * workload.task_time(task, processor)
            placed[processor].append(
                Computation(processor, task, allocation.index, count, free[processor], time)
            )
            free[processor] += time
    return [computation for on_processor in placed.values() for computation in on_processor]
