"""The schedule of the exact rates: the shortest period in which every allocation runs whole instances."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from steadygrid.domain.rounding import num_digits
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.layout import Layout, Order
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.period import shortest_period
from steadygrid.engine.scheduling.run_layout import RunOrder
from steadygrid.engine.scheduling.slot_layout import SlotLayout, Stretch
from steadygrid.engine.scheduling.timeline import Interval
from steadygrid.engine.scheduling.whole_slots import MOST_OPERATIONS, Lane, smallest_multiple

WHOLE_MULTIPLES = (1, 2, 3, 4, 6, 8, 12)
"""Of a period, in which whole files are tried to be sent in the order of the exact one."""


class ExactSchedule(NamedTuple):
    """The schedule of the exact rates, its slots still to be made `factor` times as long."""

    counts: tuple[int, ...]
    period: Fraction
    layout: Layout
    factor: int = 1

    def arranged(self) -> Arrangement:
        """Give it with the slots of its period, which may list a million counts."""
        layout = self.layout if self.factor == 1 else self.layout.scaled(self.factor)
        return Arrangement(self.counts, self.period, layout)


def exact_schedule(case: Case, longest: Fraction | None) -> tuple[ExactSchedule | None, str]:
    """Give the schedule of the exact rates, or say why it is not wanted (or nothing).

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    longest
        A bound on the period, in time units. None: there is none.
    """
    limits = case.limits
    period = shortest_period(plan.rate for plan in case.plans)
    if longest is not None and period > longest:
        return None, ""
    if num_digits(period) > limits.max_period_digits:
        return None, f"the exact period has about {num_digits(period):,} digits"
    counts = [plan.rate * period for plan in case.plans]
    if len(case.hops) > limits.max_slot_transfers:
        return None, too_many_transfers(case)
    order: Order[Layout] | None = None
    try:
        if not case.in_slots:
            layout = case.single_slot(counts, period)
        elif not case.printable(period):
            return None, "the times of the exact schedule are too long to print"
        else:
            order = case.ordered(counts, period, exact=True)
            layout = order.fluid(case.hops, case.files(counts))
    except TooManyTransfers:
        return None, too_many_transfers(case)
    factor = layout.multiplier if case.whole else 1
    if factor > 1 and (found := _few_whole_files(case, counts, period, order, factor)) is not None:
        factor, layout = found
        if longest is None or factor * period <= longest:
            whole_counts = tuple(int(count) * factor for count in counts)
            return ExactSchedule(whole_counts, period * factor, layout), ""
    if longest is not None and factor * period > longest:
        return None, ""
    if case.whole and case.one_thing_at_a_time:
        factor *= _parts_of_tasks(case, counts, layout, period, factor)
        if longest is not None and factor * period > longest:
            return None, ""
    digits = num_digits(factor * period)
    if digits > limits.max_period_digits:
        return None, (
            f"keeping every file whole in every slot makes the exact period about {digits:,}"
            f" digits long (with whole_files false it has {num_digits(period):,})"
        )
    whole_counts = tuple(int(count) * factor for count in counts)
    return ExactSchedule(whole_counts, period * factor, layout, factor), ""


def _parts_of_tasks(
    case: Case, counts: Sequence[Fraction], layout: Layout, period: Fraction, factor: int
) -> int:
    """Give the least factor that makes the executions of all computations whole, too."""
    counts = [count * factor for count in counts]
    arrangement = Arrangement(tuple(map(int, counts)), period * factor, layout.scaled(factor))
    return lcm(1, *(c.count.denominator for c in case.computations(arrangement)))


def too_many_transfers(case: Case) -> str:
    """Say that the exact schedule is too long to be listed."""
    return f"the exact schedule lists more than {case.limits.max_slot_transfers:,} transfers"


def _few_whole_files(
    case: Case,
    counts: Sequence[Fraction],
    period: Fraction,
    order: Order[Layout] | None,
    below: int,
) -> tuple[int, Layout] | None:
    """Find whole files in a smaller multiple of the period, whose order interrupts some."""
    if isinstance(order, RunOrder):
        followed = _whole_runs(case, counts, order, below)
        if followed is not None:
            return followed
    if not case.in_slots or not case.order.is_bipartite:
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
    slots = smallest_multiple(lanes, int(step * period / unit), -(-below // step), case.control)
    if slots is None:
        return None
    multiple, found_slots = slots
    factor = multiple * step
    if case.in_runs:
        intervals, start = [], 0
        for slot in found_slots:
            for k, number in slot.files.items():
                intervals.append(Interval(start, start + number * lanes[k].time, k))
            start += slot.duration
        order = case.order_of(intervals, unit, factor * period)
        whole = [int(number) * multiple for number in files]
        return factor, order.whole(case.hops, whole, 1, None)
    return factor, SlotLayout(
        [
            Stretch(slot.duration * unit, tuple((k, Fraction(n)) for k, n in slot.files.items()))
            for slot in found_slots
        ]
    )


def _whole_runs(
    case: Case, counts: Sequence[Fraction], order: RunOrder, below: int
) -> tuple[int, Layout] | None:
    """Let whole files follow the order of one period. Some multiple may have room for that."""
    least = lcm(1, *(number.denominator for number in case.files(counts)))
    order = replace(order, unit=least * order.unit, period=least * order.period)
    files = [int(number * least) for number in case.files(counts)]
    for multiple in WHOLE_MULTIPLES:
        if multiple * least >= below:
            return None
        layout = order.whole(case.hops, files, multiple, None)
        if layout.length <= multiple * order.period:
            return multiple * least, layout
    return None
