"""The program of classes on a star, solved exactly and written so that clients can read it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.rounding import rounded_down
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.safe_rounding import ROUNDED_BITS, rounded_prices, too_long
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.solver.fallback import Rates
from steadygrid.kinds.bag_of_tasks.solver.model import build_model
from steadygrid.kinds.bag_of_tasks.solver.star import Star


class Optimum(NamedTuple):
    """Rates of classes on workers, and prices that bound them."""

    rates: Rates
    prices: dict[str, Fraction]
    is_rounded: bool
    """Whether the exact ones are longer than clients can read, and these a little worse."""

    @property
    def value(self) -> Fraction:
        """Tasks per time unit."""
        return sum(self.rates.values(), Fraction(0))

    @property
    def bound(self) -> Fraction:
        """What the prices prove."""
        return bound_of(self.prices)


def optimum(star: Star, control: Control) -> Optimum:
    """Solve the linear program exactly.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime, SolverError, CertificationError
        See `solve_certified`.
    """
    model = build_model(star, control.check)
    solved = solve_certified(model, control)
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"bag_of_tasks is feasible and bounded, yet {solved.status}")
    rates = {key: rate for key, rate in solved.values_of(model.computed).items() if rate}
    prices = {str(name): price for name, price in solved.prices_of(model.capacity).items()}
    return readable(star, rates, prices)


def readable(star: Star, rates: Rates, prices: Mapping[str, Fraction]) -> Optimum:
    """Round what no client could read, to the safe side, and leave out what is 0.

    Rates are rounded down, and then all classes to the one that has the least of its share.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    rates
        Tasks per time unit by class and worker, both by position; positive ones.
    prices
        By resource. What is not named is free.
    """
    kept = {name: price for name, price in sorted(prices.items()) if price}
    value = sum(rates.values(), Fraction(0))
    total = sum((bag.priority for bag in star.instance.bags), Fraction(0))
    of_bags = [bag.priority * value / total for bag in star.instance.bags]
    if not too_long([*rates.values(), *of_bags, value / total, *kept.values(), bound_of(kept)]):
        return Optimum(rates, kept, is_rounded=False)
    shorter = {key: rounded_down(rate, ROUNDED_BITS) for key, rate in rates.items()}
    done: Amounts[int] = Amounts()
    for (k, _), rate in shorter.items():
        done[k] += rate
    value = rounded_down(
        min(done[k] / one.share for k, one in enumerate(star.classes)), ROUNDED_BITS
    )
    for key, rate in shorter.items():
        less = min(rate, done[key[0]] - star.classes[key[0]].share * value)
        done[key[0]] -= less
        shorter[key] = rate - less
    positive = {key: rate for key, rate in shorter.items() if rate}
    return Optimum(positive, rounded_prices(kept), is_rounded=True)


def readable_prices(prices: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Round prices up that no client could read, and leave out what is 0."""
    kept = {name: price for name, price in sorted(prices.items()) if price}
    return rounded_prices(kept) if too_long([*kept.values(), bound_of(kept)]) else kept


def bound_of(prices: Mapping[str, Fraction]) -> Fraction:
    """Sum prices up."""
    return sum(prices.values(), Fraction(0))
