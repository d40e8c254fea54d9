"""The best trees of binary combinations: column generation in floats, a proof in exact arithmetic.

Each round solves the program of the trees found so far, and looks for trees that cost less than 1 at
its prices, by a table of all parts of what the sources have. Prices are smoothed: they are taken
between the program's and the best so far, at which every tree costs at least 1. Where there are too
many sources for a table, trees come from orders of them, and the bound from elsewhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from random import Random

import numpy as np

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.allocations.model import Master, build_master
from steadygrid.engine.combining.orders import cheap_trees
from steadygrid.engine.combining.table import Combined, whole_prices
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.reduction import Reduction

CLOSE = 1e-10
"""Relative gap at which floats can tell no more."""
PAYING = 1e-8
"""How far below 1 a tree must cost to be worth a column."""
TIGHT = 1e-6
"""How near to 1 a tree costs that an optimum of the program may use."""
ROUNDINGS = 1e-11
"""More than the relative error of a cost in a table of floats, which is a sum of less than 10,000 prices."""
MOST_TREES = 8
"""Trees that one pricing adds."""
SMOOTHING = 0.5
"""Weight of the best prices so far in the prices at which trees are sought."""
LEAST_SMOOTHING = 0.02
"""Below it the program's prices are taken as they are."""
GRAINS = 10**6
"""Parts of the largest rate to which others are rounded where the time is over."""
BEST_KNOWN = 3
"""Trees from whose orders others are sought, where there are too many sources for a table."""

Rates = list[tuple[Combined, Fraction]]
Prices = dict[str, Fraction]


@dataclass(frozen=True)
class Best:
    """Trees with their rates, and what bounds the throughput of any; `finished` if time sufficed."""

    rates: Rates
    proof: Proof
    finished: bool


class Generation:
    """Trees of a reduction, as they are found.

    Parameters
    ----------
    whole
        Whether a table of all parts prices trees, and proves bounds; else, if the order of the
        sources is not fixed, trees come from some orders.
    """

    def __init__(self, reduction: Reduction, control: Control, *, whole: bool) -> None:
        self._reduction, self._control, self._whole = reduction, control, whole
        self._resources = reduction.resources
        self._row = {name: k for k, name in enumerate(self._resources)}
        self._trees: list[Combined] = []
        self._known: set[Combined] = set()
        self._uses: list[dict[int, Fraction]] = []
        self._master = Master(self._resources, control)
        self._random = Random(1)
        self._failed = False
        self.proof: Proof | None = None
        """The best so far. None before the first table."""

    @property
    def found(self) -> bool:
        """Whether there is a tree, and with it a bound."""
        return bool(self._trees)

    def close(self) -> None:
        """Let go of the solver."""
        self._master.program.close()

    def run(self) -> None:
        """Add trees until none pays, as far as floats can tell, or as long as they can tell anything."""
        try:
            self._run()
        except SolverError:
            if not self._trees:
                raise
            self._failed = True

    def _run(self) -> None:
        program = self._master.program
        if not self._trees:
            self._price(np.ones(len(self._resources)), inf)
        smoothing = SMOOTHING
        while True:
            program.solve()
            bound = None if self.proof is None else self.proof.bound
            value = self._reduction.network.answered(program.value)
            self._control.progress(value=value, bound=bound)
            if bound is not None and program.value >= float(bound) * (1 - CLOSE):
                return
            prices = program.prices
            if self.proof is not None:
                centre = np.array(
                    [float(self.proof.prices.get(name, 0)) for name in self._resources]
                )
                prices = smoothing * centre + (1 - smoothing) * prices
            if self._price(prices, 1 - PAYING):
                continue
            if self.proof is not None and smoothing >= LEAST_SMOOTHING:
                smoothing /= 2
            elif not self._price(program.prices, 1 - PAYING):
                return

    def optimum(self) -> tuple[Rates, Prices]:
        """Solve over the trees that cost about 1, exactly; add trees until none costs less than 1."""
        chosen = list(range(len(self._trees)))
        if not self._failed:
            costs = self._master.program.costs
            chosen = np.flatnonzero(costs <= 1 + TIGHT).tolist()
        while True:
            rates, prices = self._exact(chosen)
            if not self._whole:
                return rates, prices
            moved, joined, unit = whole_prices(*self._reduction.priced(prices, Fraction(0)))
            table = self._reduction.table(moved, joined, self._control.check)
            cost = Fraction(table.cost) / unit * self._reduction.message.size
            if cost >= 1:
                self.proof = Proof(prices)
                return rates, prices
            for _, tree in table.trees(MOST_TREES):
                if tree not in self._known:
                    chosen.append(len(self._trees))
                    self._keep(tree)
                else:
                    chosen += {self._trees.index(tree)} - {*chosen}

    def rates_so_far(self) -> Rates:
        """Give rates that fit, quickly: those of the last program, rounded and scaled."""
        rates = self._master.program.rates.tolist() or [1.0]
        largest = max(rates)
        rounded = {
            k: Fraction(round(rate / largest * GRAINS), GRAINS) for k, rate in enumerate(rates)
        }
        busy: Amounts[int] = Amounts()
        for k, rate in rounded.items():
            for row, time in self._uses[k].items() if rate else ():
                busy[row] += time * rate
        most = max(busy.values())
        return [(self._trees[k], rate / most) for k, rate in rounded.items() if rate]

    def _exact(self, chosen: list[int]) -> tuple[Rates, Prices]:
        model = build_master(self._resources, [self._uses[k] for k in chosen])
        solved = solve_certified(model, self._control)
        if solved.status != "optimal" or solved.objective is None or not solved.objective:
            raise AssertionError(f"there is a tree, yet the program is {solved.status}")
        rates = solved.values_of(model.rate)
        return (
            [(self._trees[chosen[k]], rate) for k, rate in rates.items()],
            solved.prices_of(model.capacity),
        )

    def _price(
        self, prices: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", below: float
    ) -> int:
        """Add trees that cost less than 1 at the program's prices, found at others; count them."""
        named = dict(zip(self._resources, prices.tolist(), strict=True))
        moved, joined = self._reduction.priced(named, 0.0)
        size = float(self._reduction.message.size)
        if self._whole or self._reduction.ordered:
            table = self._reduction.table(moved, joined, self._control.check)
            found = table.trees(MOST_TREES)
            if self._whole:
                self._prove(named, size * float(table.cost))
        else:
            used = np.argsort(-self._master.program.rates)[:BEST_KNOWN].tolist()
            known = [self._trees[k] for k in used]
            found = cheap_trees(
                self._reduction.places, moved, joined, known, self._random, self._control.check
            )[:MOST_TREES]
        return sum(self._add(tree, below) for _, tree in found)

    def _prove(self, prices: Mapping[str, float], cost: float) -> None:
        least = Fraction(cost) * (1 - Fraction(ROUNDINGS))
        if least > 0:
            listed = {name: Fraction(price) / least for name, price in prices.items() if price}
            if self.proof is None or sum(listed.values()) < self.proof.bound:
                self.proof = Proof(listed)

    def _add(self, tree: Combined, below: float) -> bool:
        if tree in self._known:
            return False
        uses = self._reduction.uses(tree)
        if below < inf:
            prices = self._master.program.prices
            cost = sum(float(time) * prices[self._row[name]] for name, time in uses.items())
            if cost >= below:
                return False
        self._keep(tree)
        return True

    def _keep(self, tree: Combined) -> None:
        uses = {self._row[name]: time for name, time in self._reduction.uses(tree).items()}
        self._known.add(tree)
        self._trees.append(tree)
        self._uses.append(uses)
        if not self._failed:
            self._master.add(uses)


def best_combinations(
    reduction: Reduction, control: Control, proofs: Callable[[], list[Proof]], *, whole: bool
) -> Best:
    """Find the best trees. Where the time is over, the best so far.

    Parameters
    ----------
    proofs
        Gives bounds that need no table; asked if there is none.
    whole
        Whether a table of all parts prices trees, and proves that there are no better ones.
    """
    generation = Generation(reduction, control, whole=whole)
    known: list[Proof] = []
    rates: Rates | None = None
    try:
        if not whole:
            known = proofs()
        generation.run()
        rates, _ = generation.optimum()
    except OutOfTime:
        if not generation.found:
            raise
    finally:
        generation.close()
    if generation.proof is not None:
        known.append(generation.proof)
    proof = min(known, key=lambda proof: proof.bound)
    return Best(rates or generation.rates_so_far(), proof, rates is not None)


def one_tree(reduction: Reduction) -> Combined:
    """Give a tree that takes little time in all."""
    level = dict.fromkeys(reduction.resources, 1.0)
    moved, joined = reduction.priced(level, 0.0)
    if reduction.has_small_table:
        return reduction.table(moved, joined).trees(1)[0][1]
    return cheap_trees(reduction.places, moved, joined, [], Random(1), lambda: None)[0][1]
