"""The method `column_generation`: allocations until prices prove that there is no better mix."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.problems.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from steadygrid.problems.task_graph.sizing import MAX_LABELLING_ENTRIES
from workers.allocations.columns import make_column
from workers.allocations.first import first_guess
from workers.allocations.generation import Generation, NoAllocation
from workers.allocations.infeasible import why_infeasible
from workers.allocations.last_resort import some_allocation, speed_prices
from workers.allocations.optimum import proved_optimum, rates_so_far, searched_optimum
from workers.allocations.problem import Problem
from workers.mapping.routes import Routes
from workers.problems.task_graph.answer import Answer
from workers.scheduling import Plan
from workers.solving.control import Control

TOO_LARGE = (
    "the costs of all files between all pairs of processors would not fit into memory: this is one"
    " allocation of a quick heuristic, and a bound by the speeds of the processors"
)


class Unfinished(OutOfTime):
    """The time is over, but there are allocations and a bound.

    Attributes
    ----------
    generation
        What was found.
    """

    def __init__(self, generation: Generation) -> None:
        super().__init__()
        self.generation = generation


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
    Cancelled, OutOfTime
        When cancelled, or when the time is over before anything was found.
    CertificationError, SolverError
        See `solve_certified`.
    """
    control.phase(Phase.BUILDING)
    problem = Problem(instance, instance.routing, check=control.check)
    if problem.too_large:
        return replace(_first_answer(instance, control), notes=(TOO_LARGE,))
    generation = Generation(problem, control, most_entries, mip_gap)
    try:
        control.phase(Phase.SOLVING)
        if generation.exact:
            optimum = proved_optimum(generation, control)
            bound, prices = optimum.value, optimum.prices
        else:
            optimum, bound, prices = searched_optimum(generation, control, mip_gap)
    except NoAllocation:
        return _infeasible(instance, problem)
    except OutOfTime as interruption:
        if generation.bound is not None:
            raise Unfinished(generation) from interruption
        raise
    finally:
        generation.close()
    return _answer(generation, optimum.rates, bound, prices)


def best_so_far(instance: TaskGraphInstance, control: Control, interruption: OutOfTime) -> Answer:
    """Answer when the time is over, quickly: allocations that fit, and a valid bound.

    The exact optimum of the last master program if there is time for it; else its rates in
    floats, scaled exactly until they fit; else a single allocation from local search. The
    bound is that of the best prices so far.
    """
    if not isinstance(interruption, Unfinished):
        return _first_answer(instance, control)
    generation = interruption.generation
    rates = rates_so_far(generation, control)
    bound = generation.bound or Fraction(0)
    return _answer(generation, rates, bound, generation.best_prices if generation.exact else [])


def _first_answer(instance: TaskGraphInstance, control: Control) -> Answer:
    """Give one allocation and a bound: at once, then better ones where there is time and room."""
    problem = Problem(instance, instance.routing, check=control.check)
    answer = _last_resort(problem, control)
    if problem.too_large:
        if answer is None:
            raise OutOfTime
        return answer
    try:
        rough = first_guess(problem, control.check)
    except NoAllocation:
        return _infeasible(instance, problem)
    except OutOfTime:
        if answer is None:
            raise
        return answer
    plans = [] if rough.column is None else [rough.column.plan(instance, rough.rate)]
    if answer is not None and answer.throughput > rough.rate:
        plans = list(answer.plans)
    bound, prices = rough.bound, _named(problem, rough.prices)
    if answer is not None and answer.bound is not None and answer.bound < bound:
        bound, prices = answer.bound, dict(answer.prices)
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    return Answer(plans, bound, True, prices, statistics)


def _last_resort(problem: Problem, control: Control) -> Answer | None:
    """Give what takes no table of pairs of processors; None where that bounds nothing."""
    instance = problem.instance
    prices = speed_prices(instance)
    if prices is None:
        return None
    fixed = problem.routing == "fixed"
    routes = Routes(instance.platform, None if fixed else (), control.check)
    plans: list[Plan] = []
    try:
        places = some_allocation(instance, routes, control.check)
    except OutOfTime:
        places = None
    if places is not None:
        ways = [routes.way(places[k], places[m]) or () for k, m, _ in instance.files]
        column = make_column(instance, problem.network, places, ways)
        plans.append(column.plan(instance, 1 / max(column.uses.values())))
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    return Answer(plans, sum(prices.values(), Fraction(0)), True, prices, statistics)


def _infeasible(instance: TaskGraphInstance, problem: Problem) -> Answer:
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    reason = why_infeasible(instance)
    return Answer([], None, True, {}, statistics, infeasible=reason)


def _answer(
    generation: Generation, rates: dict[int, Fraction], bound: Fraction, prices: Sequence[Fraction]
) -> Answer:
    problem = generation.problem
    return Answer(
        [
            generation.columns[k].plan(problem.instance, rate)
            for k, rate in sorted(rates.items())
            if rate
        ],
        bound,
        generation.exact,
        _named(problem, prices),
        TaskGraphStatistics(
            iterations=generation.iterations,
            columns=len(generation.columns),
            width=problem.elimination.width,
        ),
    )


def _named(problem: Problem, prices: Sequence[Fraction]) -> dict[str, Fraction]:
    resources = problem.network.resources
    return {name: price for name, price in zip(resources, prices, strict=bool(prices)) if price}
