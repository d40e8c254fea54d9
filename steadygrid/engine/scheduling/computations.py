"""Computations of a period: at the same time as transfers, or between them.

At the same time as them where a processor computes while it sends and receives; between them where
it does one thing at a time.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from steadygrid.domain.periods import Copy, with_order
from steadygrid.domain.schedule import Allocation, Computation
from steadygrid.domain.slots import FileName
from steadygrid.engine.scheduling.slot_layout import SlotLayout
from steadygrid.engine.scheduling.workload import Operation, Plan, Workload

Gap = tuple[Fraction, Fraction | None]
"""Start and end of some free time. The last gap has no end."""


def beside_transfers(
    workload: Workload, plans: Sequence[Plan], counts: Sequence[Fraction | int]
) -> list[Computation]:
    """Let every processor compute what falls to it, one kind of task after the other from 0.

    Processors in the platform's order; on each, allocations by index and tasks in the order in
    which the allocation names them. Tasks that take no time are listed, too.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations, with their rates.
    counts
        Instances per period, by plan.
    """
    placed: dict[str, list[Computation]] = {p.id: [] for p in workload.platform.processors}
    free = dict.fromkeys(placed, Fraction(0))
    for index, (plan, instances) in enumerate(zip(plans, counts, strict=True)):
        count = Fraction(instances)
        for task, processor, each in workload.times_of(plan) if count else ():
            time = count * each
            placed[processor].append(
                Computation(processor, task, index, count, free[processor], time)
            )
            free[processor] += time
    return [computation for on_processor in placed.values() for computation in on_processor]


def between_transfers(
    workload: Workload,
    plans: Sequence[Plan],
    counts: Sequence[Fraction | int],
    hops: Sequence[Operation],
    layout: SlotLayout,
    *,
    whole: bool,
) -> list[Computation]:
    """Let every processor compute whenever it neither sends nor receives, from 0 on.

    Parameters
    ----------
    counts
        Instances per period, by plan.
    whole
        Never interrupt an execution. The last may then end after a period that has room for all
        of them in parts.

    Returns
    -------
    list of Computation
        By processor, in the platform's order; one for each stretch of time. A transfer holds both
        of its ends from the beginning of its slot for as long as its files take.
    """
    works: dict[str, list[_Work]] = {}
    for number, (plan, count) in enumerate(zip(plans, counts, strict=True)):
        for task, processor, each in workload.times_of(plan) if count else ():
            works.setdefault(processor, []).append(_Work(number, task, Fraction(count), each))
    gaps = _gaps(hops, layout)
    return [
        computation
        for place, processor in enumerate(workload.platform.processors)
        if processor.id in works
        for computation in _filled(
            processor.id, works[processor.id], gaps.get(place, [(Fraction(0), None)]), whole
        )
    ]


def in_order(
    workload: Workload,
    allocation: Allocation,
    files: Sequence[FileName],
    computations: Iterable[Computation] | None = None,
) -> Allocation:
    """Let successive tasks of an instance run in the same period, where their processor runs them so.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    allocation
        Of an application. Those of messages and of independent tasks stay as they are.
    files
        Of the application, also those that never move.
    computations
        Those of the allocation. None where they are not placed yet. At the same time as transfers
        they will be in order, between them that is not known.
    """
    if allocation.message is not None or workload.mix is not None:
        return allocation
    if computations is None:
        if workload.ports == "no_overlap":
            return allocation
        return with_order(files, allocation, workload.ports, lambda *_: True)
    begins: dict[Copy, Fraction] = {}
    ends: dict[Copy, Fraction] = {}
    for one in computations:
        copy = one.task, one.processor
        begins[copy] = min(begins.get(copy, one.start), one.start)
        ends[copy] = max(ends.get(copy, Fraction(0)), one.start + one.time)

    def precedes(task: str, other: str, processor: str) -> bool:
        return ends[task, processor] <= begins[other, processor]

    return with_order(files, allocation, workload.ports, precedes)


def last_end(computations: Iterable[Computation]) -> Fraction:
    """Give the time at which everything is computed."""
    return max((c.start + c.time for c in computations), default=Fraction(0))


class _Work:
    """Executions of one task of one plan that are left to do."""

    def __init__(self, plan: int, task: str, left: Fraction, each: Fraction) -> None:
        self.plan = plan
        self.task = task
        self.left = left
        self.each = each


def _gaps(hops: Sequence[Operation], layout: SlotLayout) -> dict[int, list[Gap]]:
    """Say when processors with transfers, by index, are free of them."""
    gaps: dict[int, list[Gap]] = {}
    free: dict[int, Fraction] = {}
    slot = Fraction(0)
    for stretch in layout.stretches:
        for k, count in stretch.counts:
            for end in (hops[k].arc.source, hops[k].arc.target):
                before = free.get(end, Fraction(0))
                here = gaps.setdefault(end, [])
                if before < slot:
                    here.append((before, slot))
                free[end] = slot + count * hops[k].file_time
        slot += stretch.duration
    for end, since in free.items():
        gaps[end].append((since, None))
    return gaps


def _filled(
    processor: str, works: list[_Work], gaps: Iterable[Gap], whole: bool
) -> Iterable[Computation]:
    for start, end in gaps:
        now = start
        for work in works:
            count = work.left
            if end is not None and work.each:
                room = (end - now) / work.each
                count = min(count, Fraction(int(room)) if whole else room)
            if count:
                time = count * work.each
                yield Computation(processor, work.task, work.plan, count, now, time)
                work.left -= count
                now += time
        works = [work for work in works if work.left]
