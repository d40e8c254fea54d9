"""From columns to a proved optimum."""

from fractions import Fraction
from typing import NamedTuple

import time
import numpy as np

from app.domain.job import Phase
from app.problems.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from workers.exact import solve_certified
from workers.problems.task_graph.answer import Answer
from workers.problems.task_graph.column_generation.exact_pricing import cheapest_allocation
from workers.problems.task_graph.column_generation.generation import Generation, NoAllocation
from workers.problems.task_graph.column_generation.model import build_master
from workers.problems.task_graph.column_generation.problem import Problem
from workers.solving.control import Control

DEBUG=False

class Optimum(NamedTuple):
    """The exact optimum of a restricted master program."""

    rates: dict[int, Fraction]
    prices: list[Fraction]
    value: Fraction


def solve(instance: TaskGraphInstance, control: Control) -> Answer:
    control.phase(Phase.BUILDING)
    problem = Problem(instance)
    control.phase(Phase.SOLVING)
    generation = Generation(problem, control)
    try:
        generation.start()
        while True:
            t=time.process_time()
            generation.run()
            if DEBUG: print('  run',time.process_time()-t, generation.iterations,generation.pricings,len(generation.columns)); t=time.process_time()
            optimum = _exact_optimum(generation, control)
            if DEBUG: print('  certified',time.process_time()-t); t=time.process_time()
            cheapest = cheapest_allocation(problem, optimum.prices, control.check)
            if DEBUG: print('  exact pricing',time.process_time()-t, cheapest and float(cheapest.cost-1))
            if cheapest is None or cheapest.cost >= 1:
                break
            generation.add(cheapest.column, np.array([float(p) for p in optimum.prices]))
    except NoAllocation:
        return Answer([],None,True,{},TaskGraphStatistics(),(),"nothing")
    finally:
        generation.close()
    names = problem.network.resources
    return Answer(
        [generation.columns[k].plan(instance, rate) for k, rate in sorted(optimum.rates.items())],
        optimum.value,
        True,
        {name: price for name, price in zip(names, optimum.prices, strict=True) if price},
        TaskGraphStatistics(iterations=generation.iterations, columns=len(generation.columns), width=problem.elimination.width),
    )


def _exact_optimum(generation: Generation, control: Control) -> Optimum:
    names = generation.problem.network.resources
    chosen = generation.tight()
    model = build_master(names, [generation.columns[k].uses for k in chosen])
    solved = solve_certified(model, control)
    prices = solved.prices_of(model.capacity)
    return Optimum(
        {chosen[k]: rate for k, rate in solved.values_of(model.rate).items()},
        [prices.get(name, Fraction(0)) for name in names],
        solved.objective,
    )
