"""From columns to a proved optimum, or to the best that is known when the time is over."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from app.domain.job import Phase
from app.problems.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from app.problems.task_graph.sizing import MAX_LABELLING_ENTRIES
from workers.exact import solve_certified
from workers.problems.task_graph.answer import Answer
from workers.problems.task_graph.column_generation.exact_pricing import cheapest_allocation
from workers.problems.task_graph.column_generation.fallback import first_answer
from workers.problems.task_graph.column_generation.generation import Generation, NoAllocation
from workers.problems.task_graph.column_generation.model import build_master
from workers.problems.task_graph.column_generation.problem import Problem
from workers.problems.task_graph.infeasible import why_infeasible
from workers.solving.control import Control, Interrupted


class Unfinished(Interrupted):
    """The time is over, but there are allocations and a bound.

    Attributes
    ----------
    generation
        What was found.
    """

    def __init__(self, generation: Generation) -> None:
        super().__init__("time_limit")
        self.generation = generation


class Optimum(NamedTuple):
    """The exact optimum of a restricted master program: rates by column, prices by resource."""

    value: Fraction
    rates: dict[int, Fraction]
    prices: list[Fraction]


def solve(
    instance: TaskGraphInstance,
    control: Control,
    *,
    mip_gap: float = 0.0,
    most_entries: int = MAX_LABELLING_ENTRIES,
) -> Answer:
    """Find the optimal throughput by column generation, and prove it.

    Parameters
    ----------
    most_entries
        Where the largest table of the pricing's dynamic program has more entries, a mixed-integer
        program takes its place: then the bound is the solver's, not exact.
    mip_gap
        Relative gap that is allowed to it.

    Raises
    ------
    Unfinished
        When the time is over, but there is something to answer; see `best_so_far`.
    Interrupted
        When cancelled, or when the time is over before anything was found.
    CertificationError, SolverError
        See `solve_certified`.

    Notes
    -----
    Rounds of `Generation.run` and of the exact finish: the exact optimum of the master over the
    columns that cost about 1, and the cheapest allocation at its exact prices. If that costs
    less than 1, it is a new column; else rates and prices prove each other optimal.
    """
    control.phase(Phase.BUILDING)
    problem = Problem(instance)
    generation = Generation(problem, control, most_entries, mip_gap)
    try:
        control.phase(Phase.SOLVING)
        if generation.exact:
            optimum = _proved(generation, control)
            bound, prices = optimum.value, optimum.prices
        else:
            generation.run()
            control.phase(Phase.CERTIFYING)
            optimum = _exact_optimum(generation, generation.tight(), control)
            bound, prices = generation.bound or optimum.value, []
            if bound <= optimum.value * (1 + Fraction(1, 10**5)):
                bound = optimum.value
    except NoAllocation:
        statistics = TaskGraphStatistics(width=problem.elimination.width)
        return Answer([], None, True, {}, statistics, infeasible=why_infeasible(instance))
    except Interrupted as interruption:
        if interruption.reason == "time_limit" and generation.bound is not None:
            raise Unfinished(generation) from interruption
        raise
    finally:
        generation.close()
    return _answer(generation, optimum.rates, bound, prices)


def best_so_far(instance: TaskGraphInstance, control: Control, interruption: Interrupted) -> Answer:
    """Answer when the time is over, quickly: allocations that fit, and a valid bound.

    The exact optimum of the last master program if there is time for it; else its rates in
    floats, scaled exactly until they fit; else a single allocation from local search. The
    bound is that of the best prices so far.
    """
    if not isinstance(interruption, Unfinished):
        return first_answer(instance, control)
    generation = interruption.generation
    rates = _rates_so_far(generation, control)
    bound = generation.bound or Fraction(0)
    return _answer(generation, rates, bound, generation.best_prices if generation.exact else [])


def _proved(generation: Generation, control: Control) -> Optimum:
    chosen: set[int] = set()
    while True:
        generation.run()
        control.phase(Phase.CERTIFYING)
        chosen |= generation.tight()
        while True:
            optimum = _exact_optimum(generation, chosen, control)
            prices = np.array([float(price) for price in optimum.prices])
            overlooked = generation.undercutting(prices) - chosen
            if not overlooked:
                break
            chosen |= overlooked
        cheapest = cheapest_allocation(generation.problem, optimum.prices, control.check)
        if cheapest is None or cheapest.cost >= 1:
            return optimum
        chosen.add(generation.offer(cheapest.column, prices))


def _exact_optimum(generation: Generation, chosen: set[int], control: Control) -> Optimum:
    """Solve the master over some columns exactly."""
    names = generation.problem.network.resources
    order = sorted(chosen)
    model = build_master(names, [generation.columns[k].uses for k in order])
    solved = solve_certified(model, control)
    if solved.objective is None:
        raise AssertionError(f"the master program is feasible and bounded, yet {solved.status}")
    prices = solved.prices_of(model.capacity)
    return Optimum(
        solved.objective,
        {order[k]: rate for k, rate in solved.values_of(model.rate).items()},
        [prices.get(name, Fraction(0)) for name in names],
    )


def _rates_so_far(generation: Generation, control: Control) -> dict[int, Fraction]:
    rates = generation.rates
    if not rates:
        return _scaled(generation, {0: Fraction(1)})
    try:
        return _exact_optimum(generation, set(rates), control).rates
    except Interrupted as interruption:
        if interruption.reason == "cancelled":
            raise
        return _scaled(generation, {k: Fraction(rate) for k, rate in rates.items()})


def _scaled(generation: Generation, rates: dict[int, Fraction]) -> dict[int, Fraction]:
    """Scale rates until the busiest resource is busy for all of the time."""
    busy: dict[int, Fraction] = {}
    for k, rate in rates.items():
        for resource, time in generation.columns[k].uses.items():
            busy[resource] = busy.get(resource, Fraction(0)) + time * rate
    most = max(busy.values())
    return {k: rate / most for k, rate in rates.items()}


def _answer(
    generation: Generation, rates: dict[int, Fraction], bound: Fraction, prices: Sequence[Fraction]
) -> Answer:
    problem = generation.problem
    resources = problem.network.resources
    return Answer(
        [
            generation.columns[k].plan(problem.instance, rate)
            for k, rate in sorted(rates.items())
            if rate
        ],
        bound,
        generation.exact,
        {name: price for name, price in zip(resources, prices, strict=bool(prices)) if price},
        TaskGraphStatistics(
            iterations=generation.iterations,
            columns=len(generation.columns),
            width=problem.elimination.width,
        ),
    )
