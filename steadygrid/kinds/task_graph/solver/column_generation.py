"""The method `column_generation`: allocations until prices prove that there is no better mix.

Where a processor takes part in one transfer at a time, rates that keep to all ports may still be too
much for an odd set of processors. Then the set becomes a resource, and more allocations are
generated, until no set has too much to do.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.domain.pools import Pools
from steadygrid.engine.allocations.columns import Column, make_column
from steadygrid.engine.allocations.generation import Generation, NoAllocation
from steadygrid.engine.allocations.infeasible import why_infeasible
from steadygrid.engine.allocations.initial_bound import first_guess
from steadygrid.engine.allocations.last_resort import some_allocation, speed_prices
from steadygrid.engine.allocations.optimum import Proved, best_optimum, rates_so_far
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.matching.shares import least_period, overfull_sets
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.scheduling.workload import operations
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.shared.collection import CollectionInstance
from steadygrid.kinds.shared.pools import pooled_instance, pools_of
from steadygrid.kinds.shared.routes import Routes
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from steadygrid.kinds.task_graph.solver.answer import Answer

TOO_LARGE = (
    "the costs of all files between all pairs of processors would not fit into memory: this is one"
    " allocation of a quick heuristic, beside a rough bound"
)


class Unfinished(OutOfTime):
    """The time is over, but there are allocations and a bound.

    Attributes
    ----------
    generation
        What was found.
    pools
        On which platform.
    """

    def __init__(self, generation: Generation, pools: Pools) -> None:
        super().__init__()
        self.generation = generation
        self.pools = pools


def solve(
    instance: TaskGraphInstance,
    control: Control,
    *,
    mip_gap: float = 0.0,
    most_entries: int | None = None,
    pools: Pools | None = None,
) -> Answer:
    """Find the optimal throughput by column generation, and prove it.

    The program is that of the pools of interchangeable processors, see `pooled_instance`: it has the optimum
    of the whole platform.

    Parameters
    ----------
    most_entries
        Where labelling tables hold more entries, integer programs price from the beginning. None:
        tables price as long as there is room for them. Bounds of programs are the solver's, not
        exact.
    mip_gap
        Relative gap that is allowed to them.
    pools
        Classes of interchangeable processors. Those that are found if None.

    Raises
    ------
    Unfinished
        When the time is over, but there is something to answer. See `best_so_far`.
    Cancelled, OutOfTime
        When cancelled, or when the time is over before anything was found.
    CertificationError, SolverError
        See `solve_certified`.
    """
    pools = pools or all_pools(instance)
    sets: list[OddSet] = []
    known: Sequence[Column] = ()
    full = ""
    while True:
        control.phase(Phase.BUILDING)
        problem = problem_of(instance, pools, control, sets)
        if problem.too_large:
            return replace(first_answer(problem, pools, control), notes=(TOO_LARGE,))
        generation = Generation(
            problem,
            control,
            most_entries,
            mip_gap,
            known,
            tells_bounds=True,
            # Else its rates may be too much for an odd set of processors.
            tells_values=instance.ports not in SINGLE_PORT,
        )
        if full:
            generation.price_by_programs(full)
        try:
            control.phase(Phase.SOLVING)
            answer = _answer(generation, pools, best_optimum(generation, control, mip_gap))
            found = _overfull(problem, answer, control)
        except NoAllocation:
            return _infeasible(problem)
        except OutOfTime as interruption:
            if generation.bound is not None:
                raise Unfinished(generation, pools) from interruption
            raise
        finally:
            generation.close()
        if not found:
            return answer
        sets += found
        known, full = generation.columns, generation.full


def all_pools(instance: TaskGraphInstance) -> Pools:
    """Find all classes of interchangeable processors."""
    return pools_of(instance, fixed_routes=instance.routing == "fixed")


def problem_of(
    instance: TaskGraphInstance, pools: Pools, control: Control, odd_sets: Sequence[OddSet] = ()
) -> Problem:
    """State what is priced on the platform of some pools.

    Parameters
    ----------
    instance
        Without faults.
    pools
        Classes of interchangeable processors of this instance.
    control
        Deadline and cancellation.
    odd_sets
        Those that are resources besides the others.
    """
    return Problem(
        pooled_instance(instance, pools),
        instance.routing,
        check=control.check,
        odd_sets=odd_sets,
        shares=pools.shares,
    )


def busy_arcs(instance: CollectionInstance, plans: Sequence[Plan]) -> Amounts[int]:
    """Give the share of the time for which each arc carries files.

    Parameters
    ----------
    instance
        Without faults.
    plans
        Allocations with their rates.

    Returns
    -------
    Amounts
        By index of the arc.
    """
    shares: Amounts[int] = Amounts()
    for hop in operations(workload_of(instance), plans):
        shares[hop.arc.index] += hop.time * plans[hop.plan].rate
    return shares


def _overfull(problem: Problem, answer: Answer, control: Control) -> list[OddSet]:
    """Find sets on the platform of the pools.

    No pool is in one: like its members, it has one neighbour at most that is no switch.
    """
    busy = busy_arcs(problem.instance, answer.plans)
    return overfull_sets(problem.instance.platform, problem.instance.ports, busy, control.check)


def _in_slots(instance: CollectionInstance, answer: Answer) -> Answer:
    """Scale the rates of allocations that no one has looked for slots for."""
    busy = busy_arcs(instance, answer.plans)
    needed = least_period(instance.platform, instance.ports, busy)
    return replace(answer, plans=[p._replace(rate=p.rate / needed) for p in answer.plans])


def best_so_far(instance: TaskGraphInstance, control: Control, interruption: OutOfTime) -> Answer:
    """Answer when the time is over, quickly: allocations that fit, and a valid bound.

    The exact optimum of the last master program if there is time for it; else its rates in
    floats, scaled exactly until they fit; else a single allocation from local search. The
    bound is that of the best prices so far.

    Parameters
    ----------
    instance
        Without faults.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve. An `Unfinished` one brings the allocations so far.
    """
    if not isinstance(interruption, Unfinished):
        pools = all_pools(instance)
        return first_answer(problem_of(instance, pools, control), pools, control)
    generation, pools = interruption.generation, interruption.pools
    rates = rates_so_far(generation, control)
    bound = generation.bound or Fraction(0)
    prices = generation.best_prices if generation.exact else []
    proved = Proved(rates, bound, prices, generation.exact)
    return _in_slots(instance, _answer(generation, pools, proved))


def first_answer(problem: Problem, pools: Pools, control: Control) -> Answer:
    """Give one allocation and a bound: at once, then better ones where there is time and room.

    Parameters
    ----------
    problem
        On the platform of `pools`.
    pools
        Of the instance. None where no processors are interchangeable.
    control
        Deadline, cancellation and progress of the solve.
    """
    answer = _last_resort(problem, pools, control)
    if problem.too_large:
        if answer is None:
            raise OutOfTime
        return _in_slots(problem.instance, answer)
    try:
        rough = first_guess(problem, control)
    except NoAllocation:
        return _infeasible(problem)
    except OutOfTime:
        if answer is None:
            raise
        return _in_slots(problem.instance, answer)
    plans = [] if rough.column is None else [rough.column.plan(problem.instance, rough.rate)]
    if answer is not None and answer.throughput > rough.rate:
        plans = list(answer.plans)
    bound, prices = rough.bound, pools.prices_of_members(named(problem, rough.prices))
    if answer is not None and answer.bound is not None and answer.bound < bound:
        bound, prices = answer.bound, dict(answer.prices)
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    found = Answer(plans, bound, True, prices, statistics, pools=pools if pools.classes else None)
    return _in_slots(problem.instance, found)


def _last_resort(problem: Problem, pools: Pools, control: Control) -> Answer | None:
    """Give what takes no table of pairs of processors. None where that bounds nothing."""
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
        paths = [routes.path(places[k], places[m]) or () for k, m, _ in instance.files]
        column = make_column(instance, problem.network, places, paths)
        plans.append(column.plan(instance, 1 / max(column.uses.values())))
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    bound = sum(prices.values(), Fraction(0))
    return Answer(
        plans,
        bound,
        True,
        pools.prices_of_members(prices),
        statistics,
        pools=pools if pools.classes else None,
    )


def _infeasible(problem: Problem) -> Answer:
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    reason = why_infeasible(problem.instance)
    return Answer([], None, True, {}, statistics, infeasible=reason)


def _answer(generation: Generation, pools: Pools, proved: Proved) -> Answer:
    problem = generation.problem
    return Answer(
        [
            generation.columns[k].plan(problem.instance, rate)
            for k, rate in sorted(proved.rates.items())
            if rate
        ],
        proved.bound,
        proved.exact,
        pools.prices_of_members(named(problem, proved.prices)),
        TaskGraphStatistics(
            iterations=generation.iterations,
            columns=len(generation.columns),
            width=problem.elimination.width,
        ),
        warnings=generation.warnings,
        pools=pools if pools.classes else None,
    )


def named(problem: Problem, prices: Sequence[Fraction]) -> dict[str, Fraction]:
    """Give the prices that are not 0 by resource.

    Parameters
    ----------
    problem
        Whose resources these are.
    prices
        One for each resource, in their order; or none.
    """
    resources = problem.network.resources
    return {name: price for name, price in zip(resources, prices, strict=bool(prices)) if price}
