"""What can be said before any allocation was priced exactly: one allocation and a rough bound."""

from fractions import Fraction
from math import isinf
from typing import NamedTuple

import numpy as np

from steadygrid.engine.allocations.columns import Column, ColumnMaker, cheapest_paths
from steadygrid.engine.allocations.generation import FreeAllocation, NoAllocation
from steadygrid.engine.allocations.problem import FloatCosts, Problem
from steadygrid.engine.allocations.room import Exhausted, Room
from steadygrid.engine.allocations.search import LocalSearch
from steadygrid.engine.solving.control import Control

QUICK = 1_000_000
"""Entries of a table up to which all tasks are priced together."""
DRAWS = 32
"""Labellings that are improved by local search."""


class Rough(NamedTuple):
    """The best single allocation that local search finds, and what weak prices prove.

    Attributes
    ----------
    column
        None where local search finds no allocation.
    prices
        By resource. Every allocation costs at least 1.
    """

    column: Column | None
    prices: list[Fraction]

    @property
    def rate(self) -> Fraction:
        """How often the platform can run the allocation."""
        return Fraction(0) if self.column is None else 1 / max(self.column.uses.values())

    @property
    def bound(self) -> Fraction:
        """No throughput is larger."""
        return sum(self.prices, Fraction(0))


def first_guess(problem: Problem, control: Control) -> Rough:
    """Find an allocation by local search, and a bound by level prices.

    The bound is what the cheapest allocation costs at them or, where that takes long, each task
    and each file by itself.

    Parameters
    ----------
    problem
        What to price.
    control
        Deadline and cancellation.

    Raises
    ------
    NoAllocation
        If no labelling lets every file travel.
    FreeAllocation
        If an allocation needs no resource at all.
    """
    level = problem.level_prices
    costs = problem.costs(level)
    search = LocalSearch(costs, control.check)
    order = list(reversed(problem.elimination.order))
    labels = search.improve(search.greedy(order, DRAWS, np.random.default_rng(1)))
    maker = ColumnMaker(problem.instance, problem.network)
    best: Column | None = None
    for k in np.flatnonzero(np.isfinite(search.costs_of(labels))).tolist():
        places = [int(problem.labels[task][x]) for task, x in enumerate(labels[:, k].tolist())]
        column = maker.make(places, cheapest_paths(problem.files, costs.distances, places))
        if best is None or _busiest(column) < _busiest(best):
            best = column
    least = _least(problem, costs, Room(control))
    if isinf(least):
        raise NoAllocation
    if not least:
        raise FreeAllocation("an allocation needs no resource at all")
    price = 1 / (Fraction(least) * (1 - problem.roundings))
    return Rough(best, [price * int(priced) for priced in level])


def _busiest(column: Column) -> Fraction:
    return max(column.uses.values(), default=Fraction(0))


def _least(problem: Problem, costs: FloatCosts, room: Room) -> float:
    """Bound the cost of every allocation from below; infinite only if there is none."""
    tables = (*costs.single, *costs.pairs.values())
    apart = float(sum(table.min() for table in tables))
    quick = problem.elimination.entries(problem.label_counts) <= QUICK
    if isinf(apart) or (apart and not quick):
        return apart
    try:
        return float(room.labelling(problem.elimination, costs.single, costs.pairs).cost)
    except Exhausted:
        return apart
