"""Column generation in floats: columns until the bound is near, prices that prove it."""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from workers.problems.task_graph.column_generation.columns import (
    Column,
    cheapest_ways,
    float_uses,
    make_column,
)
from workers.problems.task_graph.column_generation.labelling import Labelling, Labels
from workers.problems.task_graph.column_generation.model import Master
from workers.problems.task_graph.column_generation.network import Floats
from workers.problems.task_graph.column_generation.problem import FloatCosts, Problem
from workers.problems.task_graph.column_generation.search import LocalSearch
from workers.solving.control import Control

CLOSE = 1e-10
"""Relative gap at which floats can tell no more."""
PAYING = 1e-9
"""How far below 1 an allocation must cost to be worth a column."""
TIGHT = 1e-6
MOST_COLUMNS = 24
"""Columns that one pricing adds."""
STARTS = 48
"""Labellings that local search improves side by side."""
SMOOTHING = 0.7
"""Weight of the best prices so far in the prices at which allocations are sought."""
LEAST_SMOOTHING = 0.02


class NoAllocation(Exception):
    """No labelling lets every file travel."""


class Generation:
    """The state of column generation.

    Attributes
    ----------
    columns
        All allocations found, in the order of the master's columns.
    prices
        The best prices so far, by resource: no allocation costs less than 1 minus roundings
        (then divided by `least`); None before the first exact pricing.
    bound
        What they prove, rigorously: no throughput is larger. None before.
    iterations, pricings
        Solves of the master, and exact pricings.
    """

    def __init__(self, problem: Problem, control: Control) -> None:
        self.problem = problem
        self.control = control
        self.columns: list[Column] = []
        self.prices: Floats | None = None
        self.least = Fraction(1)
        self.bound: Fraction | None = None
        self.iterations = 0
        self.pricings = 0
        self._known: set[Column] = set()
        self._labellings: list[Labels] = []
        self._master = Master(problem.network.resources, control)
        self._random = np.random.default_rng(1)
        self._root = 0
        self._num = len(problem.network.resources)
        self._uses = np.zeros((0, self._num))

    def close(self) -> None: self._master.program.__exit__(None, None, None)

    @property
    def gap(self) -> float:
        """Relative distance of bound and value."""
        if self.bound is None or self.prices is None:
            return 1.0
        return 1.0 - self._master.program.value / float(self.bound)

    def start(self) -> None:
        """Find the first columns and the first bound.

        Raises
        ------
        NoAllocation
            If no labelling lets every file travel.
        """
        prices = np.full(self._num, 1.0)
        self._price(prices, None)
        for _ in range(3):
            for _ in range(10):
                load = np.zeros(self._num)
                for column in self.columns[-20:]:
                    load += float_uses(column, self._num)
                pass
            break

    def run(self) -> None:
        """Add columns until the gap is closed, as far as floats can tell."""
        program = self._master.program
        smoothing = SMOOTHING
        while True:
            self.iterations += 1
            program.solve()
            self.control.progress(
                iterations=self.iterations, value=Fraction(program.value), bound=self.bound
            )
            if self.gap <= CLOSE:
                return
            out = program.prices
            prices = smoothing * self._centre + (1 - smoothing) * out
            if self._search(prices, out):
                continue
            found = self._price(prices, out)
            if found:
                smoothing = min(SMOOTHING, smoothing * 1.5)
                continue
            if smoothing < LEAST_SMOOTHING:
                if not self._price(out, out):
                    return
            smoothing = smoothing / 2

    @property
    def _centre(self) -> Floats:
        if self.prices is None:
            raise AssertionError("not started")
        return self.prices

    def _price(self, prices: Floats, out: Floats | None) -> int:
        """Find the cheapest allocation, and what it proves; give the number of new columns."""
        self.pricings += 1
        problem = self.problem
        costs = problem.costs(prices)
        elimination = problem.elimination.rooted_at(self._root)
        self._root = (self._root + 1) % problem.num_tasks
        labelling = Labelling(elimination, costs.single, costs.pairs, self.control.check)
        least = labelling.cost
        if not np.isfinite(least):
            raise NoAllocation
        if least > 0:
            proved = Fraction(least) * (1 - problem.roundings)
            bound = sum(map(Fraction, prices.tolist()), Fraction(0)) / proved
            if self.bound is None or bound < self.bound:
                self.bound = bound
                self.prices = prices / least
        labels = labelling.cheapest_by_root()
        return self._add(labels, costs, out)

    def tight(self) -> list[int]:
        """Give the columns that cost about 1 at the master's prices: all that it may use."""
        program = self._master.program
        worth = self._uses[: len(self.columns)] @ program.prices
        return np.flatnonzero((worth <= 1 + TIGHT) | (program.rates > 0)).tolist()

    def add(self, column, prices):
        if column not in self._known:
            self._known.add(column); self.columns.append(column)
            index=[{int(q):x for x,q in enumerate(self.problem.labels[t])} for t in range(self.problem.num_tasks)]
            self._labellings.append(np.array([index[t][q] for t,q in enumerate(column.places)]))
            self._master.add(column.uses); self._uses=np.vstack((self._uses, float_uses(column,self._num)))
        else: raise AssertionError("known")
        self._price(prices, prices)

    def _search(self, prices: Floats, out: Floats) -> int:
        """Look for cheap allocations by local search; give the number of new columns."""
        costs = self.problem.costs(prices)
        search = LocalSearch(costs, self.control.check)
        pool = np.stack(self._labellings, axis=1)
        worth = search.costs_of(pool)
        best = pool[:, np.argsort(worth, kind="stable")[:STARTS]]
        order = self._random.permutation(self.problem.num_tasks)
        drawn = search.greedy(tuple(order.tolist()), STARTS // 4, self._random)
        labels = search.improve(np.concatenate((best, drawn), axis=1))
        labels = np.concatenate((best, labels), axis=1)
        return self._add(labels, costs, out)

    def _add(self, labels: Labels, costs: FloatCosts, out: Floats | None) -> int:
        worth = LocalSearch(costs, self.control.check).costs_of(labels)
        taken: set[tuple[int, ...]] = set()
        added = 0
        for k in np.argsort(worth, kind="stable").tolist():
            if not np.isfinite(worth[k]) or (out is not None and worth[k] >= 1 - PAYING) or added >= MOST_COLUMNS:
                break
            key = tuple(labels[:, k].tolist())
            if key in taken:
                continue
            taken.add(key)
            places = [int(self.problem.labels[t][x]) for t, x in enumerate(key)]
            column = make_column(self.problem.instance, self.problem.network, places,
                cheapest_ways(self.problem.instance, costs.distances, places))
            if column in self._known:
                continue
            row = float_uses(column, self._num)
            if out is not None and row @ out >= 1 - PAYING:
                continue
            self._known.add(column)
            self.columns.append(column)
            self._labellings.append(labels[:, k])
            self._master.add(column.uses)
            self._uses = np.vstack((self._uses, row))
            added += 1
        return added
