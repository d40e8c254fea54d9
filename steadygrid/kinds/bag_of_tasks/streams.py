"""Faults of streams of tasks, and how long they are."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, lcm

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import Arc
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.wording import shown
from steadygrid.kinds.bag_of_tasks.runs import SIMULATED, TaskStream
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance

LONGEST_UNIT = 1_000
"""Digits of the common denominator of all dates."""


def stream_length(instance: BagOfTasksInstance) -> int:
    """Count the tasks of a stream without faults. None where there is no stream."""
    stream = instance.stream
    if stream is None:
        return 0
    if stream.order is not None:
        return len(stream.order)
    count = 0 if stream.count is None else stream.count
    return sum(int(count * bag.priority) for bag in instance.bags)


def stream_faults(instance: BagOfTasksInstance, at: Pointer) -> Iterator[Fault]:
    """List what keeps a stream from being simulated, on a star without faults.

    Rules, in order:

    1. A policy has a stream.
    2. The stream has either a count, which gives a whole number of tasks of each bag, or an order,
       in which all bags are known.
    3. The sample of `lp_samp` leaves something.
    4. Transfers do not share bandwidth.
    5. Every task costs something, wherever it runs.
    6. Dates have a common denominator that can be printed.

    Parameters
    ----------
    instance
        A star without other faults.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if instance.method not in SIMULATED:
        return
    method = shown(instance.method)
    if instance.method == "dispatch" and any(bag.uniform for bag in instance.bags):
        detail = "dispatch follows rates of classes: use lp_samp or on_demand, or give classes"
        yield Fault((*at, "method"), "method_not_applicable", detail)
    if instance.stream is None:
        detail = f'{method} deals out a stream of tasks: give one, such as {{"count": 1000}}'
        yield Fault((*at, "stream"), "stream_missing", detail)
    else:
        of_stream = list(_tasks_faults(instance, instance.stream, (*at, "stream")))
        yield from of_stream
        if not of_stream:
            yield from _sample_faults(instance, at)
    if (sharing := _sharing(instance)) is not None:
        yield Fault((*at, "method"), "method_not_applicable", f"{method} {sharing}")
    yield from _cost_faults(instance, at)


def _tasks_faults(instance: BagOfTasksInstance, stream: TaskStream, at: Pointer) -> Iterator[Fault]:
    if (stream.count is None) == (stream.order is None):
        yield Fault(at, "one_stream", "give exactly one of count and order")
    elif stream.count is not None:
        uneven = [bag for bag in instance.bags if (stream.count * bag.priority).denominator > 1]
        if uneven:
            factor = lcm(*((stream.count * bag.priority).denominator for bag in uneven))
            by = f"multiply count by {factor}" if factor < 10**9 else "give whole priorities"
            yield Fault(
                (*at, "count"),
                "stream_not_whole",
                f"{stream.count} times the priority {uneven[0].priority} of bag"
                f" {shown(uneven[0].id)} is not whole: {by}",
            )
    else:
        names = {bag.id for bag in instance.bags}
        known = Known(bag.id for bag in instance.bags)
        for i, name in enumerate(stream.order or ()):
            if name not in names:
                detail = f"there is no bag {shown(name)}{known.suggestion(name)}"
                yield Fault((*at, "order", i), "unknown_bag", detail)


def _sample_faults(instance: BagOfTasksInstance, at: Pointer) -> Iterator[Fault]:
    tasks = stream_length(instance)
    if instance.method in ("lp_samp", "compare") and ceil(instance.sample * tasks) >= tasks:
        yield Fault(
            (*at, "sample"),
            "sample_too_large",
            f"the sample is all of the {tasks:,} tasks, and none is left to be dealt out: lengthen"
            " the stream, or lower sample",
        )


def _sharing(instance: BagOfTasksInstance) -> str | None:
    """Say why transfers would share bandwidth, and what to do."""
    platform = instance.platform
    master = platform.index_by_id[instance.master]
    if instance.ports == "one_port":
        if platform.processors[master].has_cards:
            return "simulates a master that sends one task at a time: leave out its cards"
        return None
    served = [
        arc
        for arc in platform.arcs_out[master]
        if platform.processors[arc.target].time_per_work is not None
    ]
    if any(arc.media for arc in served):
        return "simulates no shared media: use one_port, or leave out media"
    out = platform.processors[master].bandwidth_out
    if out is not None and out < sum(_flow(instance, arc) for arc in served):
        return (
            "simulates no transfers that share the master's bandwidth_out, and all at once need"
            " more: use one_port, or leave out bandwidth_out"
        )
    return None


def _flow(instance: BagOfTasksInstance, arc: Arc) -> Fraction:
    """Give the greatest rate at which a worker receives."""
    into = instance.platform.processors[arc.target].bandwidth_in
    return 1 / arc.unit_time if into is None else min(1 / arc.unit_time, into)


def _cost_faults(instance: BagOfTasksInstance, at: Pointer) -> Iterator[Fault]:
    platform = instance.platform
    at_master = platform.processors[platform.index_by_id[instance.master]].time_per_work is not None
    for place, size, work in _least_tasks(instance):
        if not work and (at_master or not size):
            yield Fault(
                (*at, "bags", *place),
                "free_tasks",
                "a stream of such tasks only may take no time at all: give them some work"
                + ("" if at_master else " or a size"),
            )
            return
    unit = 1
    values = [
        *(one.input_size for one in instance.classes),
        *(one.work for one in instance.classes),
        *_of_uniform(instance),
        *(arc.unit_time for arc in platform.arcs_out[platform.index_by_id[instance.master]]),
        *(_received(processor.bandwidth_in) for processor in platform.processors),
        *(one.time_per_work for one in platform.processors if one.time_per_work is not None),
    ]
    for value in values:
        unit = lcm(unit, value.denominator)
        if num_digits(Fraction(unit)) > LONGEST_UNIT:
            yield Fault(
                (*at, "bags"),
                "no_common_unit",
                "sizes, works and times have a common denominator of more than"
                f" {LONGEST_UNIT:,} digits, and no date could be read: round them",
            )
            return


def _least_tasks(instance: BagOfTasksInstance) -> Iterator[tuple[Pointer, Fraction, Fraction]]:
    """Give the place, size and work of each class, and the least ones of uniform tasks."""
    for k, bag in enumerate(instance.bags):
        if bag.uniform is not None:
            yield (k, "uniform"), bag.uniform.input_size[0], bag.uniform.work[0]
        for j, one in enumerate(bag.distribution):
            field = "classes" if bag.classes is not None else "tasks"
            yield (k, field, j), one.input_size, one.work


def _of_uniform(instance: BagOfTasksInstance) -> Iterator[Fraction]:
    """Give numbers with the denominators of uniform tasks as they are drawn, in 64 bits each."""
    for bag in instance.bags:
        if bag.uniform is not None:
            yield from (size / 2**64 for size in bag.uniform.input_size)
            for work in bag.uniform.work:
                yield work * bag.uniform.correlation / 2**128
                yield work / 2**128


def _received(bandwidth: Fraction | None) -> Fraction:
    return Fraction(1) if bandwidth is None else 1 / bandwidth
