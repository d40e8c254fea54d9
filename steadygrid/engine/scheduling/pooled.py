"""Schedules of what pools of interchangeable processors do, by their members."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.pools import Pools
from steadygrid.engine.scheduling.bounded import (
    BISECTIONS,
    bounded,
    following,
    in_batches,
    loses_little,
    one_at_a_time,
    stretched,
)
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.instance_distribution import Dealer, Dealt
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.members import size_of_spread, spread
from steadygrid.engine.scheduling.period import round_numbers
from steadygrid.engine.scheduling.workload import Plan

FEW = 60
"""Plans of an even spread whose counts are searched for, one by one."""
PARTS = (1, 3, 10, 30, 100)
"""Of the transfers that may be listed: how many parts less run where slots list too many."""
MOST_PERIODS = 40
"""Automatic periods that are tried."""

Found = tuple[Case, Arrangement]
"""Plans of members, and how they are arranged."""


def evenly(case: Case, pools: Pools) -> Case | None:
    """Spread every plan evenly over the members. None if that is more than can be listed.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    pools
        Classes of interchangeable processors.
    """
    lengths = [0] * len(case.plans)
    for hop in case.hops:
        lengths[hop.plan] += 1
    listed = sum(
        length * size_of_spread(plan, pools.names)
        for plan, length in zip(case.plans, lengths, strict=True)
    )
    if listed > case.limits.max_slot_transfers:
        return None
    return _of_members(case, [part for plan in case.plans for part in spread(plan, pools.names)])


def bounded_pools(case: Case, pools: Pools, longest: Fraction) -> Found | None:
    """Find a good schedule with a period of at most `longest`. None if no instance fits.

    Whole files may need more time than the ports and processors: then the period that the counts are
    made for is found by bisection. Where the even spread is small, so is a search over its counts.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    pools
        Classes of interchangeable processors.
    longest
        The bound on the period, in time units.
    """
    best: Found | None = None
    even = evenly(case, pools)
    if even is not None and len(even.plans) <= FEW and any(even.rates):
        searched = bounded(even, longest)
        best = None if searched is None else (even, searched)
    dealer = Dealer(case, pools)
    low, high = Fraction(0), Fraction(1)
    part = Fraction(1)
    for _ in range(BISECTIONS):
        case.control.check()
        found = max(
            (
                found
                for dealt in dealer.offers(longest * part)
                if any(dealt.counts)
                for found in _arranged(case, dealt, longest * part)
                if found[1].period <= longest
            ),
            key=lambda found: found[1].throughput,
            default=None,
        )
        if found is None:
            high = part
        else:
            low = part
            if best is None or found[1].throughput > best[1].throughput:
                best = found
        if low == high:
            break
        part = (low + high) / 2
    return best


def automatic_pools(case: Case, pools: Pools) -> Found:
    """Find a schedule of a round period where dealing whole instances loses little.

    At worst the instances of one plan run on the first members, each transfer by itself.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    pools
        Classes of interchangeable processors.
    """
    dealer = Dealer(case, pools)
    total = sum((plan.rate for plan in case.plans), Fraction(0))
    best: Found | None = None
    periods = round_numbers(Fraction(len(case.plans)) / (20 * total))
    for period, _ in zip(periods, range(MOST_PERIODS), strict=False):
        case.control.check()
        dealt = dealer.fitted(period)
        for found in _automatic(case, dealt, period):
            if best is None or found[1].throughput > best[1].throughput:
                best = found
        if loses_little(dealt.counts, period * total):
            break
    return best or (case, one_at_a_time(case))


def dealing(case: Case, pools: Pools) -> Callable[[Fraction], tuple[Case, list[int]]]:
    """Give a function that deals what plans do in a period, as far as it can be listed.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    pools
        Classes of interchangeable processors.
    """
    dealer = Dealer(case, pools)
    return lambda period: _listed(case, dealer.fitted(period), 1)


def _automatic(case: Case, dealt: Dealt, period: Fraction) -> Iterator[Found]:
    """Arrange what was dealt, or the most of it that can be listed. None if nothing runs."""

    def arranged(members: Case, counts: list[int]) -> Iterator[Arrangement]:
        if case.whole and case.in_slots:
            yield stretched(members, counts, period)
        else:
            yield members.fluid(counts, period)

    return _of_parts(case, dealt, arranged)


def _arranged(case: Case, dealt: Dealt, period: Fraction) -> Iterator[Found]:
    """Arrange what was dealt in the forms there are. None if they list too many transfers."""

    def arranged(members: Case, counts: list[int]) -> Iterator[Arrangement]:
        if case.whole and case.in_slots:
            yield following(members, counts, members.ordered(counts, period))
            yield in_batches(members, counts)
        else:
            least = members.loads.largest(counts)
            yield members.fluid(counts, least, exact=members.printable(least))

    return _of_parts(case, dealt, arranged)


def _of_parts(
    case: Case, dealt: Dealt, arranged: Callable[[Case, list[int]], Iterator[Arrangement]]
) -> Iterator[Found]:
    """Arrange all that was dealt, or where that lists too many transfers, ever smaller parts of it."""
    for part in PARTS:
        members, counts = _listed(case, dealt, part)
        if not any(counts):
            return
        try:
            yield from ((members, arrangement) for arrangement in arranged(members, counts))
        except TooManyTransfers:
            continue
        return


def _listed(case: Case, dealt: Dealt, part: int) -> tuple[Case, list[int]]:
    """Give the case of the members' plans, and counts with which a part of the limit is listed once.

    The plans with the most instances per transfer are kept.
    """
    members = _of_members(case, dealt.plans)
    lengths = [0] * len(dealt.plans)
    for hop in members.hops:
        lengths[hop.plan] += 1
    left = case.limits.max_slot_transfers // part
    counts = list(dealt.counts)
    for plan in sorted(range(len(counts)), key=lambda a: -counts[a] / max(lengths[a], 1)):
        if counts[plan] and lengths[plan] > left:
            counts[plan] = 0
        elif counts[plan]:
            left -= lengths[plan]
    return members, counts


def _of_members(case: Case, plans: Sequence[Plan]) -> Case:
    return replace(case, plans=plans, unit_slots=None, odd_sets=())
