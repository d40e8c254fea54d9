"""Rules for the allocations of a periodic schedule and for what its processors compute."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.verification.exact import (
    Ratio,
    add,
    common_denominator,
    equals,
    less_or_equal,
    scaled_ratio,
    show,
)
from steadygrid.verification.findings import Findings
from steadygrid.verification.steady import SteadyInstance, Views
from steadygrid.verification.transfers import check_transfers, either

AllocationByIndex = dict[int, Allocation]


def check_allocations(views: Views, schedule: Schedule, findings: Findings) -> AllocationByIndex:
    """Check that each allocation is a complete method to run one instance.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    findings
        Gets the faults.

    Returns
    -------
    dict
        The allocations by index (the first of each).

    Notes
    -----
    Rules, in this order:

    == ========================================================= ======================
    1  no index is listed twice                                  `repeated_index`
    2  an allocation is for a stream that was asked for          `unknown_stream`
    3  its rate is 0 or more                                     `negative_rate`
    4  its count of instances per period is whole, and 0 or more `partial_instances`
    5  it runs an instance completely, by its own view           see `check_allocation`
    == ========================================================= ======================
    """
    by_index: AllocationByIndex = {}
    for position, allocation in enumerate(schedule.allocations):
        at = ("schedule", "allocations", position)
        name = f"Allocation {allocation.index}"
        if allocation.index in by_index:
            findings.add(at, "repeated_index", f"{name} is listed twice.")
        by_index.setdefault(allocation.index, allocation)
        stream = views.stream_of(allocation)
        if stream not in views.streams:
            findings.add(
                at, "unknown_stream", f"{name} is for {stream!r}, which was not asked for."
            )
        if allocation.rate < 0:
            findings.add(at, "negative_rate", f"{name} has a negative rate.")
        count = allocation.instances_per_period
        if count < 0 or count.denominator != 1:
            findings.add(
                at,
                "partial_instances",
                f"{name} runs {show(count)} instances per period, which is not a whole number.",
            )
        check_allocation(views.of(allocation), allocation, findings, at)
    return by_index


def of_stream(stream: str) -> str:
    """Name a stream for a sentence. The only one of a kind without streams has no name."""
    return f" of {stream!r}" if stream else ""


def check_allocation(
    instance: SteadyInstance, allocation: Allocation, findings: Findings, at: Pointer
) -> None:
    """Check that tasks and transfers of one allocation are complete.

    Parameters
    ----------
    instance
        What is run, and on which network.
    allocation
        Where tasks run, and how files travel.
    findings
        Gets the faults.
    at
        Where the checked part is in the document; faults point there.

    Notes
    -----
    Rules, in this order:

    == =================================================== =====================
    1  every task of the application is placed             `missing_task`
    2  no other task is placed                             `unknown_task`
    3  a task is on a processor                            `no_processor`
    4  it is on no processor twice                         `repeated_processor`
    5  it is on several only where tasks may be duplicated `duplicated_task`
    6  it is only on processors that may run it            `task_not_allowed`
    7  each copy of each task gets its files               see `check_transfers`
    == =================================================== =====================
    """
    _check_tasks(instance, allocation, findings, at)
    check_transfers(instance, allocation, findings, at)


def _check_tasks(
    instance: SteadyInstance, allocation: Allocation, findings: Findings, at: Pointer
) -> None:
    name = f"Allocation {allocation.index}"
    for task in sorted(instance.times.keys() - allocation.tasks.keys()):
        findings.add((*at, "tasks"), "missing_task", f"{name} does not place task {task!r}.")
    for task, processors in allocation.tasks.items():
        if task not in instance.times:
            findings.add((*at, "tasks"), "unknown_task", f"{name} places {task!r}, no task.")
            continue
        here = (*at, "tasks", task)
        if not processors:
            findings.add(here, "no_processor", f"{name} runs task {task!r} nowhere.")
        if len(set(processors)) < len(processors):
            findings.add(
                here, "repeated_processor", f"{name} runs task {task!r} twice on a processor."
            )
        if len(processors) > 1 and instance.duplication == "none":
            findings.add(
                here,
                "duplicated_task",
                f"{name} runs task {task!r} on {len(processors)} processors, but tasks must not"
                " be duplicated.",
            )
        for processor in processors:
            if processor not in instance.times[task]:
                findings.add(
                    here,
                    "task_not_allowed",
                    f"{name} runs task {task!r} on {processor!r}, which cannot run it.",
                )


def check_computations(
    views: Views,
    schedule: Schedule,
    by_index: AllocationByIndex,
    latencies: Mapping[str, Fraction],
    findings: Findings,
) -> None:
    """Check that every processor can do its share of a period within the period.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    by_index
        The allocations by index, see `check_allocations`.
    latencies
        By processor, the time before its executions of a task; empty where it is not paid.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == =================================================================== =========================
    1  a computation is of a listed allocation, and of one of its tasks    `unknown_computation`
    2  it runs where the allocation places the task                        `computed_elsewhere`
    3  each allocation, task and processor has one computation, except     `computed_twice`
       under ``no_overlap``
    4  under ``no_overlap`` each has a count above 0                       `empty_computation`
    5  their counts sum to the instances of the allocation                 `wrong_computation_count`
    6  the time is the count times the time of one, after the latency,     `wrong_computation_time`
       where that is paid
    7  it starts at 0 or later, and not before the one before it on its    `computations_overlap`
       processor has ended
    8  it ends within the period                                           `computation_past_period`
    9  an allocation with instances has a computation of each copy of each `instance_lost`
       task
    == =================================================================== =========================

    Computations of a processor are taken in the listed order.
    """
    in_parts = views.network.ports == "no_overlap"
    common = common_denominator(
        [schedule.period]
        + [c.start for c in schedule.computations]
        + [c.time for c in schedule.computations]
    )
    period = scaled_ratio(schedule.period, common)
    done: Amounts[tuple[int, str, str]] = Amounts()
    busy_until: dict[str, Ratio] = {}
    for i, computation in enumerate(schedule.computations):
        at = ("schedule", "computations", i)
        name = (
            f"Computation {i} (task {computation.task!r} of allocation"
            f" {computation.allocation} on {computation.processor!r})"
        )
        allocation = by_index.get(computation.allocation)
        if allocation is None or computation.task not in allocation.tasks:
            findings.add(at, "unknown_computation", f"{name} belongs to no allocation.")
            continue
        if computation.processor not in allocation.tasks[computation.task]:
            findings.add(
                at,
                "computed_elsewhere",
                f"{name} should be on {either(allocation.tasks[computation.task])}.",
            )
        copy = computation.allocation, computation.task, computation.processor
        if copy in done and not in_parts:
            findings.add(at, "computed_twice", f"{name} is listed twice.")
        done[copy] += computation.count
        if in_parts and computation.count <= 0:
            findings.add(at, "empty_computation", f"{name} executes {show(computation.count)}.")
        if not in_parts and computation.count != allocation.instances_per_period:
            findings.add(
                at,
                "wrong_computation_count",
                f"{name} executes {show(computation.count)}, but the allocation has"
                f" {show(allocation.instances_per_period)} instances per period.",
            )
        each = views.of(allocation).times.get(computation.task, {}).get(computation.processor)
        latency = latencies.get(computation.processor, Fraction(0))
        if each is not None and computation.time != latency + computation.count * each:
            findings.add(
                at,
                "wrong_computation_time",
                f"{name} takes {show(latency + computation.count * each)}, not"
                f" {show(computation.time)}.",
            )
        start = scaled_ratio(computation.start, common)
        end = add((start, scaled_ratio(computation.time, common)))
        if not less_or_equal(busy_until.get(computation.processor, (0, 1)), start):
            findings.add(
                at, "computations_overlap", f"{name} starts before the one before it has ended."
            )
        if not less_or_equal(end, period):
            findings.add(at, "computation_past_period", f"{name} ends after the period.")
        busy_until[computation.processor] = end
    for index, allocation in by_index.items():
        copies = [(t, p) for t, processors in allocation.tasks.items() for p in processors]
        for task, processor in copies if allocation.instances_per_period else ():
            executed = done.get((index, task, processor))
            if in_parts and executed not in (None, allocation.instances_per_period):
                findings.add(
                    ("schedule", "computations"),
                    "wrong_computation_count",
                    f"Allocation {index}: task {task!r} is executed {show(executed)} times on"
                    f" {processor!r}, but there are {show(allocation.instances_per_period)}"
                    " instances per period.",
                )
            if executed is None:
                findings.add(
                    ("schedule", "computations"),
                    "instance_lost",
                    f"Allocation {index}: task {task!r} is never computed on {processor!r}.",
                )


def check_rates(
    views: Views,
    schedule: Schedule,
    certified: Fraction,
    time: Fraction | None,
    findings: Findings,
) -> None:
    """Check that rates and counts agree with the certified throughput and the period.

    Parameters
    ----------
    time
        Of a period, without latencies. None where the rates were rounded.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== =======================
    1  the rates of each stream sum to its part of the certified throughput `rates_miss_throughput`
    2  where nothing was rounded, the count of an allocation is its rate    `rate_misses_count`
       times the period, without latencies
    == ==================================================================== =======================
    """
    for stream, positions in views.by_stream(schedule.allocations).items():
        rates = [schedule.allocations[position].rate for position in positions]
        common = common_denominator(rates)
        numerator, denominator = add(scaled_ratio(rate, common) for rate in rates)
        due = views.streams[stream] * certified
        if not equals((numerator, denominator), scaled_ratio(due, common)):
            findings.add(
                ("schedule", "allocations"),
                "rates_miss_throughput",
                f"The rates of the allocations{of_stream(stream)} sum to"
                f" {show((numerator, denominator * common))}, not to the certified throughput"
                f" {show(due)}.",
            )
    if time is None:
        return
    period = time.as_integer_ratio()
    for position, allocation in enumerate(schedule.allocations):
        rate = allocation.rate.as_integer_ratio()
        product = rate[0] * period[0], rate[1] * period[1]
        if not equals(product, allocation.instances_per_period.as_integer_ratio()):
            findings.add(
                ("schedule", "allocations", position),
                "rate_misses_count",
                f"Allocation {allocation.index}: its rate times the period is {show(product)},"
                f" not {show(allocation.instances_per_period)} instances.",
            )
