"""The cheapest tree of each message, at prices of resources."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.engine.arborescences.cheapest import (
    cheapest_arborescence,
    cheapest_paths,
    in_integers,
)
from steadygrid.engine.arborescences.greedy_trees import nearest_receivers_trees
from steadygrid.engine.arborescences.steiner import cheapest_steiner_trees
from steadygrid.kinds.collective.solver.copies import Copies, Path, Tree, message_of, size_of

Check = Callable[[], None]
Costs = Mapping[tuple[int, int], Fraction | int]
"""What a unit of data costs on an arc, by its ends as they are read."""
Found = dict[int, tuple[Fraction, tuple[Path, ...]]]
"""By root: what its tree costs for each unit of data, and the routes of it."""

GRAINS = 2**40
"""Whole numbers into which the dearest arc is cut where prices are rounded; sums then fit 64 bits."""


@dataclass(frozen=True)
class Pricing:
    """A method to look for cheap trees.

    Attributes
    ----------
    proves
        Whether no tree is cheaper than what is found.
    """

    search: Callable[[Copies, Costs, Check], Found]
    proves: bool

    def cheapest_trees(
        self, copies: Copies, costs: Costs, check: Check = lambda: None
    ) -> list[tuple[Tree, Fraction]]:
        """Give a tree of each message, and its cost, at costs of a unit of data on arcs.

        Parameters
        ----------
        copies
            What trees may use, and what they have to reach.
        costs
            Of a unit of data on each arc, by its ends as they are read.
        check
            May raise, which ends the work.
        """
        found = self.search(copies, costs, check)
        listed = []
        for series in copies.series:
            cost, routes = found[series.root]
            listed.append((Tree(message_of(series), series.root, routes), cost * size_of(series)))
        return listed

    def trees(
        self,
        copies: Copies,
        prices: Mapping[str, Fraction],
        check: Check = lambda: None,
        *,
        rounded: bool = False,
    ) -> tuple[list[Tree], Fraction]:
        """Give a tree of each message, and what they cost together.

        With `rounded` prices of arcs are a little less than they are, and so is the sum: where it is
        proved, it is still no more than what any trees cost.

        Parameters
        ----------
        copies
            What trees may use, and what they have to reach.
        prices
            By resource. What is not named is free.
        check
            May raise, which ends the work.
        rounded
            Whether prices of arcs are rounded down, which is faster.
        """
        exact = copies.prices_of(prices)
        unit = max(exact.values(), default=Fraction(0)) / GRAINS if rounded else Fraction(0)
        costs: Costs = exact
        if unit:
            costs = {ends: price // unit for ends, price in exact.items()}
        found = self.cheapest_trees(copies, costs, check)
        total = sum((cost for _, cost in found), Fraction(0))
        return [tree for tree, _ in found], total * unit if unit else total


def _arborescences(copies: Copies, costs: Costs, check: Check) -> Found:
    routes = cheapest_paths(costs, copies.members, copies.number)
    between, unit = in_integers({ends: route.price for ends, route in routes.items()})
    found: Found = {}
    for series in copies.series:
        check()
        tree = cheapest_arborescence(between, series.root, copies.members)
        found[series.root] = tree.cost / unit, tuple(routes[arc].path for arc in tree.arcs)
    return found


def _by_table(copies: Copies, costs: Costs, check: Check) -> Found:
    able = _reached(copies, copies.members)
    trees = cheapest_steiner_trees(costs, _ends(copies), able, copies.number, check)
    return {root: (tree.cost, tree.routes) for root, tree in trees.items()}


def _nearby(copies: Copies, costs: Costs, check: Check) -> Found:
    able = _reached(copies, copies.members)
    trees = nearest_receivers_trees(costs, _ends(copies), able, copies.number, check)
    return {root: (tree.cost, tree.routes) for root, tree in trees.items()}


def _ends(copies: Copies) -> dict[int, list[int]]:
    return {series.root: sorted(series.messages) for series in copies.series}


def _reached(copies: Copies, members: Iterable[int]) -> frozenset[int]:
    """Leave out who has no link, as dead ends have none."""
    linked = {end for ends in copies.arc_between for end in ends}
    return frozenset(members) & (linked | copies.receivers | copies.demands.keys())


SPANNING = Pricing(_arborescences, proves=True)
"""Where all that copy take part: Chu and Liu, Edmonds."""
TABLE = Pricing(_by_table, proves=True)
"""Where others may copy, too, and not too many have to be reached: Dreyfus and Wagner."""
NEARBY = Pricing(_nearby, proves=False)
"""Where they are too many: Takahashi and Matsuyama, then other relays."""
