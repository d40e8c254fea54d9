"""From columns to a proved optimum, or to the best that is known when the time is over."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.domain.job import Phase
from steadygrid.engine.allocations.exact_pricing import cheapest_allocation, searched_allocation
from steadygrid.engine.allocations.generation import Generation
from steadygrid.engine.allocations.model import build_master
from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control


class Optimum(NamedTuple):
    """The exact optimum of a restricted master program: rates by column, prices by resource."""

    value: Fraction
    rates: dict[int, Fraction]
    prices: list[Fraction]


def proved_optimum(generation: Generation, control: Control) -> Optimum:
    """Find the optimum over all allocations, exactly.

    Parameters
    ----------
    generation
        The state of column generation; it gets the columns that are found.
    control
        Deadline and cancellation.

    Raises
    ------
    NoAllocation, Cancelled, OutOfTime
        See `Generation.run`.
    CertificationError, SolverError
        See `solve_certified`.

    Notes
    -----
    Rounds of `Generation.run` and of the exact finish: the exact optimum of the master over the
    columns that cost about 1, and the cheapest allocation at its exact prices. If that costs
    less than 1, it is a new column; else rates and prices prove each other optimal.
    """
    chosen: set[int] = set()
    while True:
        optimum, prices = _over_tight_columns(generation, chosen, control)
        cheapest = cheapest_allocation(generation.problem, optimum.prices, control.check)
        if cheapest is None or cheapest.cost >= 1:
            return optimum
        chosen.add(generation.offer(cheapest.column, prices))


def searched_optimum(
    generation: Generation, control: Control, mip_gap: float
) -> tuple[Optimum, Fraction, list[Fraction]]:
    """Find the optimum where integer programs price, and a bound that is the search's word.

    The allocation that a last search finds at the exact prices is priced exactly: if it costs
    less than 1, it is a new column. If none can cost less than L, the throughput is at most the
    sum of the prices over L.

    Parameters
    ----------
    generation
        The state of column generation; it gets the columns that are found.
    control
        Deadline and cancellation.
    mip_gap
        Relative gap between bound and solution at which a search may stop.

    Returns
    -------
    tuple
        The optimum; the bound; and the prices that sum to it, at which the search says that no
        allocation costs less than 1. None of them where the bound is from another search.

    Raises
    ------
    NoAllocation, Cancelled, OutOfTime, CertificationError, SolverError
        See `proved_optimum`.
    """
    chosen: set[int] = set()
    while True:
        optimum, prices = _over_tight_columns(generation, chosen, control)
        bounds = [] if generation.bound is None else [generation.bound]
        try:
            found = searched_allocation(generation.problem, optimum.prices, control, mip_gap)
        except SolverError:
            if not bounds:
                raise
            return optimum, max(optimum.value, *bounds), []
        if found.cost < 1:
            chosen.add(generation.offer(found.column, prices))
            continue
        known = max(optimum.value, *bounds) if bounds else inf
        if found.least > 0 and optimum.value / found.least <= known:
            scaled = [price / found.least for price in optimum.prices]
            return optimum, optimum.value / found.least, scaled
        if not bounds:
            raise SolverError("the integer programs that price allocations have no bound")
        return optimum, max(optimum.value, *bounds), []


def _over_tight_columns(
    generation: Generation, chosen: set[int], control: Control
) -> tuple[Optimum, Floats]:
    """Generate columns, and solve over those that cost about 1, which are added to `chosen`."""
    generation.run()
    control.phase(Phase.CERTIFYING)
    chosen |= generation.tight()
    while True:
        optimum = exact_optimum(generation, chosen, control)
        prices = np.array([float(price) for price in optimum.prices])
        overlooked = generation.undercutting(prices) - chosen
        if not overlooked:
            return optimum, prices
        chosen |= overlooked


def exact_optimum(generation: Generation, chosen: Iterable[int], control: Control) -> Optimum:
    """Solve the master over some columns exactly.

    Parameters
    ----------
    generation
        Where the columns are.
    chosen
        Positions of the columns that may be used.
    control
        Deadline and cancellation.

    Returns
    -------
    Optimum
        Its rates are by position of the column in `generation`.
    """
    order = sorted(chosen)
    names = generation.problem.network.resources
    optimum = best_rates(names, [generation.columns[k].uses for k in order], control)
    return optimum._replace(rates={order[k]: rate for k, rate in optimum.rates.items()})


def best_rates(
    resources: Sequence[str], columns: Sequence[Mapping[int, Fraction]], control: Control
) -> Optimum:
    """Solve the program over allocations exactly, given what one instance of each takes.

    Parameters
    ----------
    resources, columns
        See `build_master`.

    Raises
    ------
    Cancelled, OutOfTime, CertificationError, SolverError
        See `solve_certified`.
    """
    model = build_master(resources, columns)
    solved = solve_certified(model, control)
    if solved.objective is None:
        raise AssertionError(f"the master program is feasible and bounded, yet {solved.status}")
    prices = solved.prices_of(model.capacity)
    return Optimum(
        solved.objective,
        dict(solved.values_of(model.rate)),
        [prices.get(name, Fraction(0)) for name in resources],
    )


def rates_so_far(generation: Generation, control: Control) -> dict[int, Fraction]:
    """Give rates that fit, quickly: by column.

    The exact optimum of the last master program if there is time for it; else its rates in
    floats, scaled exactly until they fit.

    Parameters
    ----------
    generation
        The state of column generation, with at least one column.
    control
        Deadline and cancellation.
    """
    rates = generation.rates
    if not rates:
        return _scaled(generation, {0: Fraction(1)})
    try:
        return exact_optimum(generation, rates, control).rates
    except OutOfTime:
        return _scaled(generation, {k: Fraction(rate) for k, rate in rates.items()})


def _scaled(generation: Generation, rates: dict[int, Fraction]) -> dict[int, Fraction]:
    """Scale rates until the busiest resource is busy for all of the time."""
    busy: Amounts[int] = Amounts()
    for k, rate in rates.items():
        for resource, time in generation.columns[k].uses.items():
            busy[resource] += time * rate
    most = max(busy.values())
    return {k: rate / most for k, rate in rates.items()}
