"""One reconstruction: what is given, and what follows from it for every period."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.runs import MOST_BITS
from steadygrid.domain.schedule import Computation, ScheduleLimits
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.scheduling.computations import beside_transfers, between_transfers, last_end
from steadygrid.engine.scheduling.layout import Layout, Order
from steadygrid.engine.scheduling.link_runs import demands_by_link
from steadygrid.engine.scheduling.loads import Loads
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.one_port import OnePort
from steadygrid.engine.scheduling.period import decade
from steadygrid.engine.scheduling.run_layout import RunLayout, RunOrder, run_order
from steadygrid.engine.scheduling.slot_layout import SlotLayout, SlotOrder, Stretch
from steadygrid.engine.scheduling.timeline import Interval, batches, distribute
from steadygrid.engine.scheduling.workload import (
    Operation,
    Plan,
    UnitSlot,
    Workload,
    operations,
    resource_rows,
)
from steadygrid.engine.solving.control import Control

if TYPE_CHECKING:
    from steadygrid.engine.scheduling.single_port import SinglePort

READABLE_DIGITS = 24
"""Denominators up to which times are kept exact where they could be rounded."""
PRINTABLE_DIGITS = 4_200
"""What a Python program can read back without changing its settings, and some room."""
FINENESS = 10**9
"""A period in units of time, where times are rounded."""


class Arrangement(NamedTuple):
    """Counts, a period that holds them, and what is sent in it."""

    counts: tuple[int, ...]
    period: Fraction
    layout: Layout

    @property
    def throughput(self) -> Fraction:
        """Instances per time unit; of several messages, all together."""
        return sum(self.counts) / self.period


@dataclass(frozen=True)
class Case:
    """A workload with certified rates, and how its schedule shall be.

    Attributes
    ----------
    whole
        Whether every slot moves whole files.
    odd_sets
        That counts are known to need room for.
    may_run
        Whether what is sent may be told as runs of links: they pay no latencies.
    """

    workload: Workload
    plans: Sequence[Plan]
    whole: bool
    limits: ScheduleLimits
    control: Control
    unit_slots: Sequence[UnitSlot] | None = None
    odd_sets: tuple[OddSet, ...] = ()
    may_run: bool = True

    @cached_property
    def hops(self) -> list[Operation]:
        """Every transfer that takes time."""
        return operations(self.workload, self.plans)

    @cached_property
    def rates(self) -> list[Fraction]:
        """Rates of the plans that a bounded schedule may use: all, unless these are too many.

        Every hop is listed at least once. If that is more than the limit, the plans with the
        smallest rate per hop are left out; of several messages each keeps its shortest plan, and
        nothing is left where even these are too many.
        """
        rates = [plan.rate for plan in self.plans]
        if len(self.hops) <= self.limits.max_slot_transfers:
            return rates
        lengths = [0] * len(rates)
        for hop in self.hops:
            lengths[hop.plan] += 1
        listed = 0
        kept: set[int] = set()
        if len(self.messages) > 1:
            kept = {
                min(running, key=lambda a: lengths[a])
                for plans in self.messages
                if (running := [a for a in plans if rates[a]])
            }
            listed = sum(lengths[plan] for plan in kept)
            if listed > self.limits.max_slot_transfers:
                return [Fraction(0)] * len(rates)
        for plan in sorted(range(len(rates)), key=lambda a: -rates[a] / max(lengths[a], 1)):
            if plan in kept:
                continue
            if listed + lengths[plan] > self.limits.max_slot_transfers:
                rates[plan] = Fraction(0)
            else:
                listed += lengths[plan]
        return rates

    @cached_property
    def messages(self) -> list[list[int]]:
        """The plans of each message, by position. All plans where they run whole instances.

        Where an instance is a mix of tasks, each of these is a message.
        """
        found: dict[str | None, list[int]] = {}
        for position, plan in enumerate(self.plans):
            found.setdefault(self._message(plan), []).append(position)
        return [*found.values()] or [[]]

    @cached_property
    def parts(self) -> list[Fraction]:
        """How many of each of the messages an instance is."""
        mix = self.workload.mix
        if mix is None:
            return [Fraction(1)] * len(self.messages)
        return [mix[self._message(self.plans[plans[0]]) or ""] for plans in self.messages if plans]

    def _message(self, plan: Plan) -> str | None:
        return plan.message if self.workload.mix is None else next(iter(plan.tasks))

    @property
    def per_instance(self) -> Fraction:
        """How many of all messages an instance is: as many plans run for each."""
        return sum(self.parts, Fraction(0)) or Fraction(1)

    @cached_property
    def batch(self) -> Fraction:
        """The least number of instances that is a whole number of each message."""
        denominators = (part.denominator for part in self.parts)
        return Fraction(lcm(*denominators), gcd(*(part.numerator for part in self.parts)) or 1)

    @property
    def in_slots(self) -> bool:
        """Whether the period is cut into slots, as it is wherever ports limit transfers."""
        return self.workload.ports != "multiport"

    @property
    def in_runs(self) -> bool:
        """Whether what is sent is reported as runs of links, and not as slots."""
        return self.may_run and self.workload.ports in ("one_port", "send_or_receive")

    @property
    def one_thing_at_a_time(self) -> bool:
        """Whether a processor that computes neither sends nor receives."""
        return self.workload.ports == "no_overlap"

    @cached_property
    def order(self) -> "OnePort | SinglePort":
        """The conflicts among the operations, where there are slots."""
        if self.workload.ports in SINGLE_PORT:
            from steadygrid.engine.scheduling.single_port import SinglePort  # loads networkx

            return SinglePort(self.workload.platform, self.hops, self.control)
        return OnePort(self.workload.platform, self.hops, self.unit_slots)

    @cached_property
    def loads(self) -> Loads:
        """What instances take of every resource.

        The certified throughput is one more: where the rates are only the best known ones,
        whole counts could beat them, and the answer would contradict itself.
        """
        rows = resource_rows(self.workload, self.plans, self.hops, self.odd_sets)
        if self.unit_slots is not None and isinstance(self.order, OnePort):
            coverage = self.order.coverage()
            for hop in self.hops:
                if not coverage.get(hop.arc.index):
                    raise SchedulingError("the slots leave out a link that is used")
                row = rows.setdefault(f"slots of arc {hop.arc.index}", Amounts())
                row[hop.plan] += hop.time / coverage[hop.arc.index]
        total = sum((plan.rate for plan in self.plans), Fraction(0))
        rows["certified throughput"] = Amounts(dict.fromkeys(range(len(self.plans)), 1 / total))
        return Loads(rows, self.steps)

    @cached_property
    def steps(self) -> list[int]:
        """Least number of instances of each plan that moves whole files, if it has to."""
        steps = [1] * len(self.plans)
        if self.whole:
            for hop in self.hops:
                steps[hop.plan] = lcm(steps[hop.plan], hop.share.denominator)
        return steps

    def files(self, counts: Sequence[Fraction | int]) -> list[Fraction]:
        """Give the number of files that each operation moves per period."""
        whole = [Fraction(count) for count in counts]
        return [
            whole[hop.plan] if hop.share == 1 else whole[hop.plan] * hop.share for hop in self.hops
        ]

    @property
    def nothing(self) -> Layout:
        """The layout in which nothing is sent."""
        return RunLayout([], Fraction(1)) if self.in_runs else SlotLayout([])

    def single_slot(self, counts: Sequence[Fraction | int], period: Fraction) -> Layout:
        """Let all paths flow throughout the period (``multiport``).

        Parameters
        ----------
        counts
            Instances per period, by plan.
        period
            In time units.
        """
        moved = tuple((k, count) for k, count in enumerate(self.files(counts)) if count)
        return SlotLayout([Stretch(period, moved)] if moved else [])

    @cached_property
    def _common_denominator(self) -> int:
        """Of the times of all operations for one instance."""
        denominators = {hop.file_time.denominator * hop.share.denominator for hop in self.hops}
        return lcm(*denominators)

    def resolution(self, period: Fraction) -> Fraction:
        """Give a unit of which all times within a period are multiples."""
        slots = self.order.unit_denominator
        return Fraction(1, lcm(period.denominator, self._common_denominator) * slots)

    def printable(self, period: Fraction) -> bool:
        """Say whether all times of an exact schedule of this period can be printed."""
        if not self.in_slots:
            return num_digits(period) <= PRINTABLE_DIGITS
        return num_digits(self.resolution(period) / period) <= PRINTABLE_DIGITS

    def grain(self, period: Fraction) -> Fraction | None:
        """Give a power of ten to round times of a period up to, if their denominators are long."""
        if self.unit_slots is None and num_digits(self.resolution(period)) > READABLE_DIGITS:
            return decade(period) / FINENESS
        return None

    def ordered(
        self, counts: Sequence[Fraction | int], period: Fraction, *, exact: bool = False
    ) -> Order[Layout]:
        """Put the operations in order within a period that has room for them.

        Unless `exact`, times with long denominators are rounded up to a power of ten, and the
        period may come out longer by a billionth or so for each transfer of a port.

        Parameters
        ----------
        counts
            Instances per period, by plan.
        period
            In time units. It has room for the counts.
        exact
            Whether times stay as they are.

        Raises
        ------
        TooManyTransfers
            If the pieces list more transfers than the limit.
        """
        self.control.check()
        grain = None if exact else self.grain(period)
        unit = self.resolution(period) if grain is None else grain
        times = self._times(counts, unit)
        length = max(ceil(period / unit), self.order.least_length(times))
        return self._order(times, length, unit)

    def loose_orders(self, counts: Sequence[int], period: Fraction) -> Iterator[Order[Layout]]:
        """Give orders of the operations that interrupt none. They may take longer than a period.

        Each operation, or all that a link carries, runs side by side with others about as long. And
        where ports alone are in conflict, links run in the order of twice the time that they need.

        Parameters
        ----------
        counts
            Instances per period, by plan.
        period
            In time units. Those of the orders may be several times as long.
        """
        self.control.check()
        order, grain = self.order, self.grain(period)
        unit = self.resolution(period) if grain is None else grain
        times = self._times(counts, unit)
        running = [k for k, time in enumerate(times) if time]
        on_link = demands_by_link(running, times, [hop.arc for hop in self.hops])
        for batch in ([[k] for k in running], [[k for k, _ in one] for one in on_link.values()]):
            together = {group[0]: group for group in batch}
            totals = [sum(times[k] for k in together.get(first, ())) for first in range(len(times))]
            intervals, start = [], 0
            for piece in batches(totals, order.resources, order.capacities):
                for first in piece.operations:
                    windows = [(start, start + totals[first])]
                    intervals += distribute(windows, [(k, times[k]) for k in together[first]])
                start += piece.duration
            yield self.order_of(intervals, unit, start * unit)
        if order.is_bipartite:
            length = 2 * order.least_length(times)
            with suppress(TooManyTransfers):
                yield self._order(times, length, unit)

    def _times(self, counts: Sequence[Fraction | int], unit: Fraction) -> list[int]:
        """Give the times of all operations in whole units, rounded up."""
        return [
            -(
                -count.numerator
                * hop.file_time.numerator
                * unit.denominator
                // (count.denominator * hop.file_time.denominator * unit.numerator)
            )
            for count, hop in zip(self.files(counts), self.hops, strict=True)
        ]

    def _order(self, times: Sequence[int], length: int, unit: Fraction) -> Order[Layout]:
        order, most, period = self.order, self.limits.max_slot_transfers, length * unit
        if not self.in_runs:
            pieces, parts = order.pieces(times, length, most)
            return SlotOrder(pieces, unit / parts, period)
        intervals, parts = order.intervals(times, length, self.control.check)
        unit /= parts
        runs = self.order_of(intervals, unit, period)
        bits = unit.denominator.bit_length() * 2 * runs.num_loads
        if runs.num_loads > most or bits > MOST_BITS:
            raise TooManyTransfers
        return runs

    def order_of(self, intervals: Iterable[Interval], unit: Fraction, period: Fraction) -> RunOrder:
        """Give the runs of links that intervals of operations make.

        Parameters
        ----------
        intervals
            In whole units.
        unit, period
            In time units.
        """
        order = self.order
        capacities = order.capacities if isinstance(order, OnePort) else {}
        arcs = [hop.arc.index for hop in self.hops]
        return run_order(intervals, arcs, unit, period, order.resources, capacities)

    def violated(self, counts: Sequence[int], period: Fraction) -> list[OddSet]:
        """Find odd sets of processors for which these counts leave too little time in a period.

        The ports and the sets that are known have room for the counts.

        Parameters
        ----------
        counts
            Instances per period, by plan.
        period
            In time units.
        """
        if not self.in_slots or isinstance(self.order, OnePort):
            return []
        unit = self.resolution(period)
        times = [
            int(number * hop.file_time / unit)
            for number, hop in zip(self.files(counts), self.hops, strict=True)
        ]
        return self.order.violated(times, int(period / unit))

    def computations(self, arrangement: Arrangement) -> list[Computation]:
        """Place the computations of an arrangement; in parts only where they do not fit whole."""
        counts, period, layout = arrangement
        if not self.one_thing_at_a_time:
            return beside_transfers(self.workload, self.plans, counts)
        assert isinstance(layout, SlotLayout)
        whole = self.computations_between(counts, layout, whole=True)
        if last_end(whole) <= period:
            return whole
        return self.computations_between(counts, layout, whole=False)

    def computations_between(
        self, counts: Sequence[int], layout: SlotLayout, *, whole: bool
    ) -> list[Computation]:
        """Place computations between the transfers of a layout, see `between_transfers`.

        Parameters
        ----------
        counts
            Instances per period, by plan.
        layout
            The slots, in order.
        whole
            Never interrupt an execution.
        """
        return between_transfers(self.workload, self.plans, counts, self.hops, layout, whole=whole)

    def room(self, counts: Sequence[int], layout: Layout) -> Fraction:
        """Give the time that whole files take, and whole computations between them.

        Parameters
        ----------
        counts
            Instances per period, by plan.
        layout
            Slots of whole files, in order.
        """
        length = layout.length
        if not self.one_thing_at_a_time:
            return length
        assert isinstance(layout, SlotLayout)
        return max(length, last_end(self.computations_between(counts, layout, whole=True)))

    def knowing(self, sets: Sequence[OddSet]) -> "Case":
        """Give the same case with more sets that counts must leave room for."""
        return replace(self, odd_sets=(*self.odd_sets, *sets))

    def fluid(self, counts: Sequence[int], period: Fraction, *, exact: bool = False) -> Arrangement:
        """Arrange counts within a period, interrupting transfers where that helps.

        Parameters
        ----------
        counts
            Instances per period, by plan.
        period
            In time units. It has room for the counts.
        exact
            Whether period and times stay as they are; else they may be rounded up to fewer
            digits.

        Raises
        ------
        TooManyTransfers
            If the slots list more transfers than the limit.
        """
        if not self.in_slots:
            if not exact and num_digits(period) > READABLE_DIGITS:
                grain = decade(period) / FINENESS
                period = ceil(period / grain) * grain
            return Arrangement(tuple(counts), period, self.single_slot(counts, period))
        order = self.ordered(counts, period, exact=exact)
        return Arrangement(tuple(counts), order.period, order.fluid(self.hops, self.files(counts)))
