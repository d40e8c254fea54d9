"""Whole items on a star, dealt out in slower ways, on `Costs` of the whole load."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

F = Fraction


def divisions(items: int, parts: int) -> Iterator[tuple[int, ...]]:
    """List all ways to write a number as a sum of so many, in order."""
    if parts == 1:
        yield (items,)
        return
    for first in range(items + 1):
        for rest in divisions(items - first, parts - 1):
            yield (first, *rest)


def lasting(
    star: Star, order: Sequence[int], own: Fraction, shares: Sequence[Fraction]
) -> Fraction:
    """Give the makespan of shares, sent back to back in an order."""
    sent = last = F(0)
    if own:
        assert star.own is not None
        last = star.own.work_latency + star.own.work * own
    for i, share in zip(order, shares, strict=True):
        costs = star.workers[i]
        if share:
            sent += costs.wire_latency + costs.wire * share
            last = max(last, sent + costs.work_latency + costs.work * share)
    return last


def by_enumeration(star: Star, order: Sequence[int], items: int) -> Fraction:
    """Try every division of the items."""
    masters = 0 if star.own is None else 1
    return min(
        lasting(
            star,
            order,
            F(sum(counts[:masters]), items),
            [F(count, items) for count in counts[masters:]],
        )
        for counts in divisions(items, masters + len(order))
    )


def by_dynamic_program(star: Star, order: Sequence[int], items: int) -> Fraction:
    """Give the least makespan by the numbers of items for the last workers, from the last on.

    Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009,
    Algorithm 1, with latencies.
    """

    def computing(costs: Costs, count: int) -> Fraction:
        return costs.work_latency + costs.work * F(count, items)

    # By the number of items, of which None cannot be done.
    least: list[Fraction | None] = [F(0), *[None] * items]
    for i in reversed(order):
        costs = star.workers[i]
        longer = list(least)
        for total in range(1, items + 1):
            for count in range(1, total + 1):
                if (rest := least[total - count]) is not None:
                    sending = costs.wire_latency + costs.wire * F(count, items)
                    time = sending + max(computing(costs, count), rest)
                    if (known := longer[total]) is None or time < known:
                        longer[total] = time
        least = longer
    if star.own is not None:
        times = [
            max(computing(star.own, count) if count else F(0), rest)
            for count in range(items + 1)
            if (rest := least[items - count]) is not None
        ]
        return min(times)
    assert least[items] is not None
    return least[items]


def by_all_orders(star: Star, items: int) -> Fraction:
    """Try every order of the workers, each by the dynamic program."""
    return min(
        by_dynamic_program(star, order, items) for order in permutations(range(len(star.workers)))
    )
