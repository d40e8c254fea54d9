"""What can be said before any allocation was priced exactly: one allocation and a rough bound."""

from collections.abc import Callable
from fractions import Fraction
from math import isinf

import numpy as np

from app.problems.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from workers.problems.task_graph.answer import Answer
from workers.problems.task_graph.column_generation.columns import (
    Column,
    ColumnMaker,
    cheapest_ways,
)
from workers.problems.task_graph.column_generation.labelling import Labelling
from workers.problems.task_graph.column_generation.problem import FloatCosts, Problem
from workers.problems.task_graph.column_generation.search import LocalSearch
from workers.problems.task_graph.infeasible import why_infeasible
from workers.solving.control import Control

QUICK = 1_000_000
"""Entries of a table up to which all tasks are priced together."""
DRAWS = 32
"""Labellings that are improved by local search."""


def first_answer(instance: TaskGraphInstance, control: Control) -> Answer:
    """Give the best single allocation that local search finds, and a bound by weak prices.

    The bound is by level prices: what the cheapest allocation costs, or, where that takes long,
    each task and each file by itself. There are no plans where local search finds none.
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
    columns: list[Column] = []
    for k in np.flatnonzero(np.isfinite(search.costs_of(labels))).tolist():
        places = [int(problem.labels[task][x]) for task, x in enumerate(labels[:, k].tolist())]
        column = maker.make(places, cheapest_ways(instance, costs.distances, places))
        found = (max(column.uses.values()), len(columns))
        columns.append(column)
        best = found if best is None or found < best else best
    statistics = TaskGraphStatistics(width=problem.elimination.width)
    least = _least(problem, costs, control.check)
    if isinf(least):
        return Answer([], None, True, {}, statistics, infeasible=why_infeasible(instance))
    price = 1 / (Fraction(least) * (1 - problem.roundings))
    return Answer(
        [] if best is None else [columns[best[1]].plan(instance, 1 / best[0])],
        price * int(level.sum()),
        True,
        {name: price for name, priced in zip(network.resources, level, strict=True) if priced},
        statistics,
    )


def _least(problem: Problem, costs: FloatCosts, check: Callable[[], None]) -> float:
    """Bound the cost of every allocation from below; infinite only where there is none."""
    tables = (*costs.single, *costs.pairs.values())
    apart = float(sum(table.min() for table in tables))
    quick = problem.elimination.entries(problem.label_counts) <= QUICK
    if isinf(apart) or (apart and not quick):
        return apart
    return float(Labelling(problem.elimination, costs.single, costs.pairs, check).cost)
