"""Schedules of bounded periods where an instance is one of each of several messages, or a mix of them.

Every message then needs its part of the instances of a period. So the counts are chosen for a
number of batches, the fewest instances that are whole numbers of all messages (one, where an instance
is one of each). The allocations of each message share it in proportion to their rates.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import floor

from steadygrid.engine.scheduling.bounded import (
    LARGE,
    following,
    in_batches,
    loses_little,
    stretched,
)
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.matching import TooManyTransfers
from steadygrid.engine.scheduling.period import shortest_round

MOST_NUMBERS = 300
"""Numbers of batches that are tried, from the largest that a period might hold downwards."""
MOST_ARRANGED = 24
"""Of these, as many are arranged,"""
MOST_LARGE = 4
"""and so many where there are many operations."""


def bounded_messages(case: Case, longest: Fraction) -> Arrangement | None:
    """Find a good schedule with a period of at most `longest`. None if no instance fits.

    The numbers of instances with the most throughput, as far as resources limit it, are arranged one
    after the other; transfers that may be interrupted then fit at once, whole files perhaps not.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    longest
        The bound on the period, in time units.
    """
    if not any(case.rates):
        return None
    loaded = sorted(
        ((case.loads.largest(counts), counts) for counts in _counts(case, longest)),
        key=lambda pair: (-sum(pair[1]) / pair[0], pair[0]),
    )
    best: Arrangement | None = None
    most = MOST_ARRANGED if len(case.hops) < LARGE else MOST_LARGE
    for period, counts in islice((one for one in loaded if one[0] <= longest), most):
        case.control.check()
        if sets := case.violated(counts, period):
            return bounded_messages(case.knowing(sets), longest)
        if best is not None and sum(counts) / period <= best.throughput:
            break
        for arrangement in _arranged(case, counts, period, longest):
            if arrangement.period <= longest and (
                best is None or arrangement.throughput > best.throughput
            ):
                best = arrangement
    return best or _arrange_fewer_batches(case, longest)


def automatic_messages(case: Case) -> Arrangement | None:
    """Find a schedule of a round period that loses little. None if nothing can be listed."""
    if not any(case.rates):
        return None
    most = _batch_rate(case)
    total = most * case.batch * case.per_instance
    running = sum(1 for rate in case.rates if rate)
    shortest = max(Fraction(running) / (20 * total), 1 / most)  # less holds no batch

    def suits(period: Fraction) -> tuple[Fraction, list[int]] | None:
        counts = _rounded_down(case, period)
        return (period, counts) if loses_little(counts, period * total) else None

    period, counts = shortest_round(shortest, suits)
    if sets := case.violated(counts, period):
        return automatic_messages(case.knowing(sets))
    try:
        if case.whole and case.in_slots:
            return stretched(case, counts, period)
        return case.fluid(counts, period)
    except TooManyTransfers:
        return in_batches(case, counts)


def counts_of_batches(case: Case, period: Fraction) -> list[int]:
    """Give the instances of each plan in about a period, at least one batch.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    period
        In time units.
    """
    return _shared(case, max(1, floor(_batch_rate(case) * period)))


def shortest_of_messages(case: Case) -> Fraction:
    """Give the time that one batch takes, its messages by the allocations of the largest rates."""
    counts = _shared(case, 1)
    period = case.loads.largest(counts)
    if not case.whole or not case.in_slots:
        return period
    return min(arrangement.period for arrangement in _whole(case, counts, period))


def _batch_rate(case: Case) -> Fraction:
    """Give the rate of batches of the message that has the least: plans may have been left out."""
    return min(
        sum((case.rates[k] for k in plans), Fraction(0)) / size for plans, size in _batch(case)
    )


def _batch(case: Case) -> list[tuple[list[int], int]]:
    """Give the plans of each message, and how many of it are in a batch."""
    sizes = (int(part * case.batch) for part in case.parts)
    return list(zip(case.messages, sizes, strict=True))


def _arrange_fewer_batches(case: Case, longest: Fraction) -> Arrangement | None:
    """Arrange fewer and fewer batches, each transfer by itself, until they fit."""
    if not case.in_slots:
        return None
    number = floor(_batch_rate(case) * longest)
    while number:
        case.control.check()
        arrangement = in_batches(case, _shared(case, number))
        if arrangement.period <= longest:
            return arrangement
        number = min(number - 1, floor(number * longest / arrangement.period))
    return None


def _counts(case: Case, longest: Fraction) -> Iterator[list[int]]:
    """Give the counts of the largest numbers of batches, and those of rates rounded down."""
    rounded = _rounded_down(case, longest)
    if any(rounded):
        yield rounded
    number = floor(_batch_rate(case) * longest)
    for fewer in range(number, max(number - MOST_NUMBERS, 0), -1):
        yield _shared(case, fewer)


def _shared(case: Case, number: int) -> list[int]:
    """Share a number of batches among the allocations of each message, as their rates are.

    What is left over after rounding down goes to those of which most was cut off.
    """
    counts = [0] * len(case.rates)
    for plans, size in _batch(case):
        total = sum((case.rates[k] for k in plans), Fraction(0))
        exact = {k: number * size * case.rates[k] / total for k in plans}
        for k, part in exact.items():
            counts[k] = floor(part)
        left = number * size - sum(counts[k] for k in plans)
        for k in sorted(plans, key=lambda k: (counts[k] - exact[k], -case.rates[k]))[:left]:
            counts[k] += 1
    return counts


def _rounded_down(case: Case, period: Fraction) -> list[int]:
    """Round rates down to a period, and all messages to as many batches as the one with the least."""
    counts = [floor(rate * period) for rate in case.rates]
    number = min(sum(counts[k] for k in plans) // size for plans, size in _batch(case))
    for plans, size in _batch(case):
        over = sum(counts[k] for k in plans) - number * size
        for k in plans:
            less = min(over, counts[k])
            counts[k] -= less
            over -= less
    return counts


def _arranged(
    case: Case, counts: Sequence[int], period: Fraction, longest: Fraction
) -> list[Arrangement]:
    """Arrange counts in the forms there are. None if they list too many transfers."""
    try:
        if case.whole and case.in_slots:
            return _whole(case, counts, period)
        arrangement = case.fluid(counts, period)
        if arrangement.period > longest and case.printable(period):
            return [case.fluid(counts, period, exact=True)]
    except TooManyTransfers:
        return []
    return [arrangement]


def _whole(case: Case, counts: Sequence[int], period: Fraction) -> list[Arrangement]:
    batches = in_batches(case, counts)
    try:
        return [following(case, counts, case.ordered(counts, period)), batches]
    except TooManyTransfers:
        return [batches]
