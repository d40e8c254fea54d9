"""What can be said before any allocation was priced exactly: one allocation and a rough bound."""

from fractions import Fraction

import numpy as np

from app.problems.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from workers.problems.task_graph.answer import Answer
from workers.problems.task_graph.column_generation.columns import ColumnMaker, cheapest_ways
from workers.problems.task_graph.column_generation.problem import FloatCosts, Problem
from workers.problems.task_graph.column_generation.search import LocalSearch
from workers.solving.control import Control

DRAWS = 32
"""Labellings that are improved by local search."""


def first_answer(instance: TaskGraphInstance, control: Control) -> Answer:
    """Give the best single allocation that local search finds, and a bound by weak prices.

    The bound takes each task and each file by itself, where it is cheapest: whatever an
    allocation is, it costs no less. There are no plans where local search finds none.
    """
    problem = Problem(instance)
    network = problem.network
    level = problem.level_prices
    costs = problem.costs(level)
    search = LocalSearch(costs, control.check)
    order = list(reversed(problem.elimination.order))
    labels = search.improve(search.greedy(order, DRAWS, np.random.default_rng(1)))
    maker = ColumnMaker(instance, network)
    best: tuple[Fraction, int] | None = None
    columns = []
    for k in np.flatnonzero(np.isfinite(search.costs_of(labels))).tolist():
        places = [int(problem.labels[task][x]) for task, x in enumerate(labels[:, k].tolist())]
        column = maker.make(places, cheapest_ways(instance, costs.distances, places))
        found = (max(column.uses.values()), len(columns))
        columns.append(column)
        best = found if best is None or found < best else best
    least = _least(costs) * (1 - problem.roundings)
    price = 1 / least
    return Answer(
        [] if best is None else [columns[best[1]].plan(instance, 1 / best[0])],
        price * int(level.sum()),
        True,
        {name: price for name, priced in zip(network.resources, level, strict=True) if priced},
        TaskGraphStatistics(width=problem.elimination.width),
    )


def _least(costs: FloatCosts) -> Fraction:
    tables = (*costs.single, *costs.pairs.values())
    return sum((Fraction(float(table.min())) for table in tables), Fraction(0))
