"""Whole instances for pools of interchangeable processors, dealt to their members.

How often each plan runs in a period is first found for the pools, which hold the work of n members.
Then each class deals the instances of every plan to its members. Each gets as many as all can have.
The rest go one by one, those that take most first, to the member that is least occupied, by exact
occupation of all that is its own. No link joins two members, so classes deal independently of each
other. What fits on no member is left out, and dealt again without it.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import lcm
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.pools import Pools
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.scheduling.case import Case
from steadygrid.engine.scheduling.counts import best_counts, fitted
from steadygrid.engine.scheduling.loads import Loads
from steadygrid.engine.scheduling.members import Classes, classes_used, coupled, moved
from steadygrid.engine.scheduling.workload import Plan, resource_rows

MULTIPLES = (1, 2, 3, 5, 10)
"""Of the best counts of the pools that are dealt, too."""


class Dealt(NamedTuple):
    """Plans of members, and how often each runs per period."""

    plans: list[Plan]
    counts: list[int]


class Dealer:
    """Deals what the plans of a case do to the members of pools.

    Parameters
    ----------
    case
        Its plans name first members only, as if one member did all the work, and split no file.
        Its odd sets are known to the counts. No member is in one.
    pools
        The classes.
    """

    def __init__(self, case: Case, pools: Pools) -> None:
        self._case = case
        self._pools = pools
        self._classes: Classes = pools.names
        self._rows = resource_rows(case.workload, case.plans, case.hops, case.odd_sets)
        self._used = [classes_used(plan, self._classes) for plan in case.plans]
        self._own = [
            [row for name, row in self._rows.items() if name in own] for own in pools.own_resources
        ]
        self._shares = pools.shares

    @cached_property
    def _loads(self) -> Loads:
        """What instances take of the pools."""
        total = sum((plan.rate for plan in self._case.plans), Fraction(0))
        rows = {
            name: Amounts({plan: time / self._shares.get(name, 1) for plan, time in row.items()})
            for name, row in self._rows.items()
        }
        plans = range(len(self._case.plans))
        rows["certified throughput"] = Amounts(dict.fromkeys(plans, 1 / total))
        return Loads(rows, self._case.steps)

    def rates(self, period: Fraction) -> list[Fraction]:
        """Give the rates of the plans of which a period holds an instance; 0 for others."""
        case = self._case
        return [
            rate if case.loads.single(plan) <= period else Fraction(0)
            for plan, rate in enumerate(case.rates)
        ]

    def fitted(self, period: Fraction) -> Dealt:
        """Round down, fill the gaps, and deal."""
        counts = fitted(self.rates(period), self._loads, period)
        if sets := self._case.violated(counts, period):
            return self._knowing(sets).fitted(period)
        return self.deal(counts, period)

    def offers(self, period: Fraction) -> Iterator[Dealt]:
        """Deal several counts, those found for the pools and multiples of them among them.

        The best period of pools may be too short for members.
        """
        yield self.fitted(period)
        yield from self._best(period)

    def _best(self, period: Fraction) -> Iterator[Dealt]:
        rates = self.rates(period)
        found = any(rates) and best_counts(rates, self._loads, period, self._case.control)
        if found and (sets := self._case.violated(found.counts, found.period)):
            yield from self._knowing(sets)._best(period)
        elif found:
            most = int(period / found.period)
            for times in sorted({min(most, times) for times in MULTIPLES}):
                yield self.deal([times * count for count in found.counts], period)

    def _knowing(self, sets: Sequence[OddSet]) -> "Dealer":
        return Dealer(self._case.knowing(sets), self._pools)

    def deal(self, counts: Sequence[int], period: Fraction) -> Dealt:
        """Deal instances that the pools hold in a period to the members. Some may be left out.

        Parameters
        ----------
        counts
            Instances per period, by plan of the case.
        period
            In time units.
        """
        left = list(counts)
        while True:
            dealt = [
                _deal(rows, len(m), left, self._runs_on(m), period)
                for rows, m in zip(self._own, self._classes, strict=True)
            ]
            lost = [
                max((missing[plan] for _, missing in dealt), default=0) for plan in range(len(left))
            ]
            if not any(lost):
                break
            self._case.control.check()
            left = [n - m for n, m in zip(left, lost, strict=True)]
        plans: list[Plan] = []
        numbers: list[int] = []
        by_class = {
            members[0]: shares for members, (shares, _) in zip(self._classes, dealt, strict=True)
        }
        for k, plan in enumerate(self._case.plans):
            for places, number in self._coupled(k, left[k], by_class):
                part = Fraction(number, left[k]) if left[k] else Fraction(1)
                plans.append(moved(plan._replace(rate=plan.rate * part), places))
                numbers.append(number)
        return Dealt(plans, numbers)

    def _runs_on(self, members: Sequence[str]) -> list[bool]:
        return [members in used for used in self._used]

    def _coupled(
        self, plan: int, count: int, by_class: Mapping[str, Sequence[Sequence[int]]]
    ) -> list[tuple[dict[str, str], int]]:
        """List which members run how many instances of a plan. The first ones none, if none runs."""
        used = self._used[plan]
        if not count or not used:
            return [({}, count)]
        shares = [by_class[members[0]][plan] for members in used]
        return [
            ({members[0]: members[at] for members, at in zip(used, places, strict=True)}, number)
            for places, number in coupled(shares)
        ]


def _deal(
    rows: Sequence[Mapping[int, Fraction]],
    size: int,
    counts: Sequence[int],
    runs: Sequence[bool],
    period: Fraction,
) -> tuple[list[list[int]], list[int]]:
    """Deal the instances of plans to the members of one class.

    Parameters
    ----------
    rows
        For each resource that a member has for itself, the time that an instance of a plan takes.
    size
        Members.
    counts, runs
        By plan: instances, and whether they need a member at all.

    Returns
    -------
    tuple
        By plan the instances of each member; by plan those that fit on no member.
    """
    units = [lcm(*(time.denominator for time in row.values())) for row in rows]
    uses: list[list[tuple[int, int]]] = [[] for _ in counts]
    for k, (row, unit) in enumerate(zip(rows, units, strict=True)):
        for plan, time in row.items():
            uses[plan].append((k, int(time * unit)))
    room = [period.numerator * unit // period.denominator for unit in units]
    each = [count // size if on else 0 for count, on in zip(counts, runs, strict=True)]
    taken = [0] * len(rows)
    for plan, number in enumerate(each):
        for k, needed in uses[plan]:
            taken[k] += number * needed
    busy = [list(taken) for _ in range(size)]
    dealt = [[number] * size for number in each]
    missing = [0] * len(counts)

    def occupied(member: int) -> float:
        loads = zip(busy[member], room, strict=True)
        return max((load / most for load, most in loads if most), default=0.0)

    heap = [(occupied(member), member) for member in range(size)]
    heapify(heap)
    rest = [plan for plan, on in enumerate(runs) if on and counts[plan] % size]
    for plan in sorted(
        rest, key=lambda plan: -max((t / max(room[k], 1) for k, t in uses[plan]), default=0.0)
    ):
        for number in range(counts[plan] % size, 0, -1):
            tried = []
            while heap:
                tried.append(heappop(heap))
                member = tried[-1][1]
                if all(busy[member][k] + needed <= room[k] for k, needed in uses[plan]):
                    break
            else:
                missing[plan] = number
            if not missing[plan]:
                for k, needed in uses[plan]:
                    busy[member][k] += needed
                dealt[plan][member] += 1
                tried[-1] = occupied(member), member
            for entry in tried:
                heappush(heap, entry)
            if missing[plan]:
                break
    return dealt, missing
