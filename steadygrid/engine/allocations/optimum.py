"""From columns to a proved optimum, or to the best that is known when the time is over."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.domain.job import Phase
from steadygrid.engine.allocations.exact_pricing import cheapest_allocation, searched_allocation
from steadygrid.engine.allocations.generation import Generation
from steadygrid.engine.allocations.model import build_master
from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.allocations.room import Exhausted
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control

MOST_PAIRS_OF_A_PROGRAM = 500_000
"""Pairs of labels of an integer program that prices, over all files: with 321,000 it and its search
took 1.2 GB, and did not end in a minute."""


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
        The state of column generation. It gets the columns that are found.
    control
        Deadline and cancellation.

    Raises
    ------
    NoAllocation, Exhausted, Cancelled, OutOfTime
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
        cheapest = cheapest_allocation(generation.problem, optimum.prices, generation.room)
        if cheapest is None or cheapest.cost >= 1:
            return optimum
        chosen.add(generation.offer(cheapest.column, prices))


class Proved(NamedTuple):
    """Rates, and what is known of the optimum.

    Attributes
    ----------
    rates
        By column.
    bound
        No throughput is larger.
    prices
        Of resources, by position. They sum to the bound, and no allocation costs less than 1. None of
        them where the bound is from a search that has none.
    exact
        Whether that is proved, and not a search's word.
    """

    rates: dict[int, Fraction]
    bound: Fraction
    prices: list[Fraction]
    exact: bool


def best_optimum(generation: Generation, control: Control, mip_gap: float) -> Proved:
    """Find the optimum: exactly while there is room for labelling tables.

    Once there is none, integer programs price. Where they would be too large as well, the answer
    is what was found until then.

    Parameters
    ----------
    generation
        The state of column generation. It gets the columns that are found.
    control
        Deadline and cancellation.
    mip_gap
        Relative gap between bound and solution at which a search may stop.

    Raises
    ------
    NoAllocation, Cancelled, OutOfTime, CertificationError, SolverError
        See `proved_optimum`.
    """
    if not generation.full:
        try:
            optimum = proved_optimum(generation, control)
        except Exhausted as error:
            why = str(error)
        else:
            return Proved(optimum.rates, optimum.value, optimum.prices, exact=True)
        known = generation.bound
        if known is not None and generation.problem.num_pairs > MOST_PAIRS_OF_A_PROGRAM:
            generation.price_by_nothing(why)
            rates = rates_so_far(generation, control)
            return Proved(rates, known, generation.best_prices, exact=True)
        generation.price_by_programs(why)
    return searched_optimum(generation, control, mip_gap)


def searched_optimum(generation: Generation, control: Control, mip_gap: float) -> Proved:
    """Find the optimum where integer programs price, and a bound that is the search's word.

    The allocation that a last search finds at the exact prices is priced exactly: if it costs
    less than 1, it is a new column. If none can cost less than L, the throughput is at most the
    sum of the prices over L. The bound may also be that of earlier prices.

    Parameters
    ----------
    generation
        The state of column generation. It gets the columns that are found.
    control
        Deadline and cancellation.
    mip_gap
        Relative gap between bound and solution at which a search may stop.

    Raises
    ------
    NoAllocation, Cancelled, OutOfTime, CertificationError, SolverError
        See `proved_optimum`.
    """
    chosen: set[int] = set()
    while True:
        optimum, prices = _over_tight_columns(generation, chosen, control)
        known = generation.bound
        try:
            found = searched_allocation(generation.problem, optimum.prices, control, mip_gap)
        except SolverError:
            if known is None:
                raise
            return _known_before(generation, optimum, known)
        if found.cost < 1:
            chosen.add(generation.offer(found.column, prices))
            continue
        most = None if known is None else max(optimum.value, known)
        if found.least > 0 and (most is None or optimum.value / found.least <= most):
            scaled = [price / found.least for price in optimum.prices]
            return Proved(optimum.rates, optimum.value / found.least, scaled, exact=False)
        if known is None:
            raise SolverError("the integer programs that price allocations have no bound")
        return _known_before(generation, optimum, known)


def _known_before(generation: Generation, optimum: Optimum, known: Fraction) -> Proved:
    """Take the bound of earlier prices, which only a search's word can put below the optimum."""
    if generation.exact:
        return Proved(optimum.rates, known, generation.best_prices, exact=True)
    return Proved(optimum.rates, max(optimum.value, known), [], exact=False)


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
