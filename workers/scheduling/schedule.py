"""From certified rates to a periodic schedule."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.periods import last_period
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.schedule import Allocation, Computation, Schedule, ScheduleLimits
from workers.scheduling.bounded import automatic, bounded, smallest_useful_period
from workers.scheduling.case import Arrangement, Case
from workers.scheduling.counts import rounded_down
from workers.scheduling.layout import (
    Layout,
    Stretch,
    fluid_layout,
    is_preempted,
    multiplier,
    named_slots,
    scaled,
)
from workers.scheduling.matching import TooManyTransfers
from workers.scheduling.period import shortest_period
from workers.scheduling.whole_slots import MOST_OPERATIONS, Lane, smallest_multiple
from workers.scheduling.workload import (
    Plan,
    Reconstruction,
    UnitSlot,
    Workload,
)
from workers.solving.control import Control


def reconstruct(
    workload: Workload,
    plans: Sequence[Plan],
    optimal_throughput: Fraction,
    options: Options,
    limits: ScheduleLimits,
    control: Control,
    slots: Sequence[UnitSlot] | None = None,
) -> Reconstruction:
    """Turn the rates of allocations into a schedule that repeats.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations; their rates respect every resource.
    optimal_throughput
        Sum of the rates, in instances per time unit.
    options
        `max_period` and `whole_files` are used.
    limits
        Beyond them the period is chosen automatically.
    control
        Asked between steps whether to go on.
    slots
        Given where the kind has computed itself which arcs run side by side, per time unit; no
        arc carries more than its slots hold. Only used under ``one_port``.

    Returns
    -------
    Reconstruction
        The schedule, and notes on what the user did not ask for. The allocations of the schedule
        keep the order and the certified rates of `plans`; `instances_per_period` is what this
        schedule does with them, and only allocations that run count for the prologue. Without a
        positive rate the schedule is empty and its period 1 (or `max_period`, if shorter).

    Raises
    ------
    SchedulingError
        If half-duplex links carry both directions, are part of a cycle, and `slots` is None.
    Cancelled, OutOfTime
        If the control says so.

    Notes
    -----
    RR-4870, sections 4, 6.3 and 7.2. The steps: the shortest period in which every allocation
    runs a whole number of instances; the order of the transfers in it (`OnePort`, or a single
    slot under ``multiport``); where files must stay whole, the period times the least factor
    that makes the counts of all slots whole. If the outcome is longer than `max_period` or than
    the limits allow, `bounded` or `automatic` take its place.
    """
    whole = options.wants_whole_files
    case = Case(
        workload, plans, whole, limits, control, slots if workload.ports == "one_port" else None
    )
    longest = options.max_period
    if not any(plan.rate for plan in plans):
        period = min(Fraction(1), longest or Fraction(1))
        empty = Arrangement((0,) * len(plans), period, [])
        return Reconstruction(assemble(case, empty, optimal_throughput, None), [])
    control.check()
    exact, reason = _exact(case, longest)
    if exact is not None:
        return Reconstruction(assemble(case, exact, optimal_throughput, None), [])
    found: Arrangement | None = None
    if any(case.rates):
        found = automatic(case) if longest is None else bounded(case, longest)
    if found is None:
        empty = Arrangement((0,) * len(plans), longest or Fraction(1), [])
        note = _nothing_fits(case, longest)
        return Reconstruction(assemble(case, empty, optimal_throughput, Fraction(1)), [note])
    rounded = min(found.throughput, _rounded_down(case, longest or found.period))
    rounding_loss = 1 - rounded / optimal_throughput
    schedule = assemble(case, found, optimal_throughput, rounding_loss)
    return Reconstruction(schedule, _notes(schedule, reason))


def _rounded_down(case: Case, period: Fraction) -> Fraction:
    """Give the throughput that merely rounding the rates down would have (equation 24)."""
    rates = [plan.rate for plan in case.plans]
    counts = rounded_down(rates, case.steps, period)
    return sum(n * s for n, s in zip(counts, case.steps, strict=True)) / period


def _exact(case: Case, longest: Fraction | None) -> tuple[Arrangement | None, str]:
    """Give the schedule of the exact rates, or say why it is not wanted (or nothing)."""
    limits = case.limits
    period = shortest_period(plan.rate for plan in case.plans)
    if longest is not None and period > longest:
        return None, ""
    if num_digits(period) > limits.max_period_digits:
        return None, f"the exact period has about {num_digits(period):,} digits"
    counts = [plan.rate * period for plan in case.plans]
    too_many = f"the exact schedule lists more than {limits.max_slot_transfers:,} transfers"
    if len(case.hops) > limits.max_slot_transfers:
        return None, too_many
    try:
        if case.workload.ports == "multiport":
            layout = case.single_slot(counts, period)
        elif not case.printable(period):
            return None, "the times of the exact schedule are too long to print"
        else:
            order = case.ordered(counts, period, exact=True)
            layout = fluid_layout(case.hops, case.files(counts), order)
    except TooManyTransfers:
        return None, too_many
    factor = multiplier(layout) if case.whole else 1
    if factor > 1 and (found := _few_whole_files(case, counts, period, factor)) is not None:
        factor, layout = found
        if longest is None or factor * period <= longest:
            whole_counts = tuple(int(count) * factor for count in counts)
            return Arrangement(whole_counts, period * factor, layout), ""
    if longest is not None and factor * period > longest:
        return None, ""
    digits = num_digits(factor * period)
    if digits > limits.max_period_digits:
        return None, (
            f"keeping every file whole in every slot makes the exact period about {digits:,}"
            f" digits long (with whole_files false it has {num_digits(period):,})"
        )
    if factor > 1:
        layout = scaled(layout, factor)
    whole_counts = tuple(int(count) * factor for count in counts)
    return Arrangement(whole_counts, period * factor, layout), ""


def _few_whole_files(
    case: Case, counts: Sequence[Fraction], period: Fraction, below: int
) -> tuple[int, Layout] | None:
    """Find slots of whole files in a smaller multiple of the period, for a single allocation."""
    if case.workload.ports != "one_port" or not case.order.is_bipartite:
        return None
    if len(counts) > 1 or len(case.hops) > MOST_OPERATIONS:
        return None
    unit = case.resolution(period)
    step = case.steps[0]
    files = case.files([count * step for count in counts])
    lanes = [
        Lane(sender, receiver, int(hop.file_time / unit), int(number))
        for (sender, receiver, *_), hop, number in zip(
            case.order.resources.values(), case.hops, files, strict=True
        )
    ]
    found = smallest_multiple(lanes, int(step * period / unit), -(-below // step), case.control)
    if found is None:
        return None
    multiple, slots = found
    layout = [
        Stretch(slot.duration * unit, tuple((k, Fraction(n)) for k, n in slot.files.items()))
        for slot in slots
    ]
    return multiple * step, layout


def _nothing_fits(case: Case, longest: Fraction | None) -> str:
    if longest is None or not any(case.rates):
        most = case.limits.max_slot_transfers
        return f"no schedule lists as few as {most:,} transfers: this one is empty"
    return (
        f"no instance fits a period of {_readable(longest)}: the smallest useful period among"
        f" these allocations is {_readable(smallest_useful_period(case))}"
    )


def _notes(schedule: Schedule, reason: str) -> list[str]:
    if not reason:
        return []
    idle = sum(1 for a in schedule.allocations if a.rate and not a.instances_per_period)
    some = f" ({idle:,} of {len(schedule.allocations):,} allocations do not run)" if idle else ""
    lost = f"{float(100 * schedule.loss):.2g} %"
    note = (
        f"{reason}: this schedule has the period {_readable(schedule.period)} and loses {lost} of"
        f" the result's throughput{some}; the rates stay as they are; max_period asks for another"
        " period"
    )
    return [note]


def _readable(value: Fraction) -> str:
    return str(value) if num_digits(value) <= 30 else f"{float(value):.12g}"


def assemble(
    case: Case,
    arrangement: Arrangement,
    optimal_throughput: Fraction,
    rounding_loss: Fraction | None,
) -> Schedule:
    """Put allocations, computations and slots together.

    Parameters
    ----------
    arrangement
        Counts, period and slots.
    rounding_loss
        Relative to `optimal_throughput`; None if the period was not bounded.
    """
    workload = case.workload
    allocations = tuple(
        Allocation(index, plan.rate, Fraction(count), plan.tasks, plan.transfers)
        for index, (plan, count) in enumerate(zip(case.plans, arrangement.counts, strict=True))
    )
    instances = Fraction(sum(arrangement.counts))
    throughput = instances / arrangement.period
    files = tuple(workload.file_sizes)
    last = max(
        (last_period(files, a, workload.ports) for a in allocations if a.instances_per_period),
        default=1,
    )
    return Schedule(
        period=arrangement.period,
        instances_per_period=instances,
        throughput=throughput,
        optimal_throughput=optimal_throughput,
        loss=1 - throughput / optimal_throughput if optimal_throughput else Fraction(0),
        rounding_loss=rounding_loss,
        ports=workload.ports,
        prologue_periods=last - 1,
        latency_periods=last,
        preempted=is_preempted(arrangement.layout),
        files=files,
        allocations=allocations,
        computations=tuple(computations(workload, allocations)),
        slots=named_slots(workload.platform, case.hops, arrangement.layout),
    )


def computations(workload: Workload, allocations: Sequence[Allocation]) -> list[Computation]:
    """Let every processor compute what falls to it, one kind of task after the other from 0.

    Processors in the platform's order; on each, allocations by index and tasks in the order in
    which the allocation names them. Tasks that take no time are listed, too.
    """
    placed: dict[str, list[Computation]] = {p.id: [] for p in workload.platform.processors}
    free = dict.fromkeys(placed, Fraction(0))
    for allocation in allocations:
        count = allocation.instances_per_period
        if not count:
            continue
        for task, processors in allocation.tasks.items():
            for processor in processors:
                time = count * workload.task_time(task, processor)
                placed[processor].append(
                    Computation(processor, task, allocation.index, count, free[processor], time)
                )
                free[processor] += time
    return [computation for on_processor in placed.values() for computation in on_processor]
