"""What can be said without the program's optimum: feasible rates, and a bound that prices prove."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.rounding import leading_bits
from steadygrid.kinds.bag_of_tasks.solver.regions import Envelope, region_of
from steadygrid.kinds.bag_of_tasks.solver.star import Star

_BITS = 40
"""To which rates and prices are rounded, lest they grow without end."""

Rates = dict[tuple[int, int], Fraction]
"""Tasks per time unit by class and worker, both by position; positive ones."""
Prices = dict[str, Fraction]
"""By resource. Their sum is a bound."""


def even_rates(star: Star) -> Rates:
    """Let the workers do all classes alike, those with the fastest links first.

    As if all tasks had the mean size and work. Feasible, seldom optimal.
    """
    size = sum((one.share * one.input_size for one in star.classes), Fraction(0))
    work = sum((one.share * one.work for one in star.classes), Fraction(0))
    busy: Amounts[str] = Amounts()
    rates: Rates = {}
    for i in sorted(range(len(star.workers)), key=lambda i: star.workers[i].unit_time):
        uses = star.taken(size, work, star.workers[i])
        most = min(((1 - busy[name]) / time for name, time in uses), default=Fraction(0))
        rate = leading_bits(most, _BITS)
        for name, time in uses:
            busy[name] += rate * time
        if rate:
            rates |= {(k, i): one.share * rate for k, one in enumerate(star.classes)}
    return rates


def guesses(star: Star, interruption: OutOfTime) -> list[Prices]:
    """Guess prices: those of the program that was interrupted, and all alike.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    interruption
        What ended the solve, with the floating-point dual values that were known.
    """
    resources = {
        name for worker in star.workers for name, _ in (*worker.per_work, *worker.per_data)
    }
    found = {
        str(index): leading_bits(Fraction(price), _BITS)
        for (component, index), price in interruption.duals.items()
        if component == "capacity" and price > 0
    }
    return [found, dict.fromkeys(resources, Fraction(1))]


def proved_prices(star: Star, interruption: OutOfTime) -> Prices:
    """Give the best of the guessed prices, scaled to prove a bound.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    interruption
        What ended the solve, with the floating-point dual values that were known.
    """
    scaled = (scaled_prices(star, each) for each in guesses(star, interruption))
    return min(
        (prices for prices in scaled if prices is not None), key=lambda each: sum(each.values())
    )


def scaled_prices(star: Star, prices: Mapping[str, Fraction]) -> Prices | None:
    """Scale prices so that a task costs 1 on the average, each where it is cheapest. None if it is free.

    Equation (16): the sum of what comes out is a bound.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    prices
        By resource. What is not named is free.
    """
    cost = expected_cost(star, prices)
    return {name: price / cost for name, price in prices.items() if price} if cost else None


def expected_cost(star: Star, prices: Mapping[str, Fraction]) -> Fraction:
    """Give what a task of the bags is expected to cost where it is cheapest, the sum in (16).

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    prices
        By resource. What is not named is free.

    Returns
    -------
    Fraction
        Average over the tasks of all bags, by priority.
    """
    lines, bags = envelope(star, prices), star.instance.bags
    total = sum((bag.priority for bag in bags), Fraction(0))
    costs = (bag.priority * region_of(bag).least(lines) for bag in bags)
    return sum(costs, Fraction(0)) / total


def envelope(star: Star, prices: Mapping[str, Fraction]) -> Envelope:
    """Give what sizes and works cost where that is least.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    prices
        By resource. What is not named is free.

    Returns
    -------
    Envelope
        One line per worker.
    """
    zero = Fraction(0)
    return Envelope(
        [
            (
                sum((time * prices.get(name, zero) for name, time in worker.per_data), zero),
                sum((time * prices.get(name, zero) for name, time in worker.per_work), zero),
            )
            for worker in star.workers
        ]
    )
