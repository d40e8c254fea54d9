r"""The cheapest trees of combinations, by dynamic programming over parts and places.

Let :math:`\pi_e` be the price of a unit of data on an arc, :math:`D(j, i)` that of the cheapest
route from j to i, and :math:`g_j` the price of a combination at j. A part S of several sources is
made at j, and got at i, for

.. math::

   M(S, j) = \min_{S = S' + S''} C(S', j) + C(S'', j) + g_j, \qquad
   C(S, i) = \min_j M(S, j) + D(j, i),

and the part of the one source k, which lies at :math:`o_k`, for :math:`C(\{k\}, i) = D(o_k, i)`.

Source: S. E. Dreyfus, R. A. Wagner, *The Steiner problem in graphs* (1971), with a price for each
join; over intervals, the optimal parenthesisation of a chain.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import inf, lcm
from typing import Any, NamedTuple

import numpy as np

from steadygrid.engine.combining.parts import Parts

Pair = tuple[int, int]
Price = int | float
Prices = Mapping[Pair, Price]
"""Of a unit of data, by the ends of the arc."""
Row = Any
"""Prices by place: an array of floats, or of integers of any length."""


@dataclass(frozen=True)
class Places:
    """Where the data of the sources lies, where it may be combined, and where it goes."""

    owners: tuple[int, ...]
    combiners: tuple[int, ...]
    target: int


class Join(NamedTuple):
    """Two data combined at a place; data k >= 0 is that of source k, ~k the outcome of join k."""

    place: int
    first: int
    second: int


class Combined(NamedTuple):
    """A tree of combinations, operands before outcomes, and the routes of what moves."""

    joins: tuple[Join, ...]
    moves: tuple[tuple[int, tuple[int, ...]], ...]


class Table:
    """The cheapest trees at some prices.

    Parameters
    ----------
    prices, joining
        Of data on arcs, and of a combination by combiner: at least 0. All floats, or all integers.

    Attributes
    ----------
    cost
        Of the cheapest tree; `Unreachable` is raised if there is none.
    """

    def __init__(
        self,
        parts: Parts,
        places: Places,
        prices: Prices,
        joining: Sequence[Price],
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._parts, self._places = parts, places
        whole = all(isinstance(price, int) for price in (*prices.values(), *joining))
        self._kind: Any = object if whole else float
        self._far: Price = 1 + 2 * len(parts.singles) * (
            sum(prices.values()) + max(joining, default=0)
        )
        if not whole:
            self._far = inf
        starts = dict.fromkeys((*places.owners, *places.combiners))
        graph = _Graph(prices)
        self._routes = {start: graph.cheapest_paths_from(start) for start in starts}
        self._joining = self._row(joining)
        between = [self._row(self._reach(j, places.combiners)) for j in places.combiners]
        self._between = np.array(between, dtype=self._kind).reshape(2 * (len(between),))
        self._home = self._row(self._distance(j, places.target) for j in places.combiners)
        self._got: list[Row] = []
        self._made: list[Row] = []
        self._fill(check)
        if len(parts.singles) == 1:
            self._ends = self._row([self._distance(places.owners[parts.singles[0]], places.target)])
        else:
            self._ends = self._made[-1] + self._home
        self.cost: Price = min(self._ends.tolist(), default=self._far)
        if self.cost >= self._far:
            raise Unreachable

    def trees(self, most: int, below: Price = inf) -> list[tuple[Price, Combined]]:
        """List the cheapest trees with different last combiners, the cheapest first.

        Parameters
        ----------
        most
            How many trees at most.
        below
            Only trees that cost less are listed.
        """
        ends = self._ends.tolist()
        order = sorted(range(len(ends)), key=ends.__getitem__)[:most]
        cheap = [j for j in order if ends[j] < self._far and ends[j] < below]
        return [(ends[j], self._tree(j)) for j in cheap]

    def _row(self, values: Any) -> Row:
        return np.array(list(values), dtype=self._kind)

    def _distance(self, start: int, end: int) -> Price:
        return self._routes[start].get(end, (self._far, -1))[0]

    def _reach(self, start: int, ends: Sequence[int]) -> list[Price]:
        return [self._distance(start, end) for end in ends]

    def _fill(self, check: Callable[[], None]) -> None:
        combiners, count = self._places.combiners, len(self._parts.singles)
        for part, (first, second) in enumerate(self._parts.splits):
            if part < count:
                owner = self._places.owners[self._parts.singles[part]]
                self._got.append(self._row(self._reach(owner, combiners)))
                self._made.append(self._got[-1])
                continue
            check()
            costs = self._stacked(first) + self._stacked(second)
            made = costs.min(axis=0) + self._joining
            self._made.append(made)
            self._got.append((made[:, None] + self._between).min(axis=0))

    def _stacked(self, parts: Row) -> Row:
        return np.array([self._got[part] for part in parts.tolist()], dtype=self._kind)

    def _tree(self, last: int) -> Combined:
        """Follow the least costs back from all together, made by a combiner, to the sources."""
        joins: list[Join] = []
        moves: list[tuple[int, tuple[int, ...]]] = []
        combiners, target = self._places.combiners, self._places.target
        if len(self._parts.singles) == 1:
            self._bring(0, self._places.owners[self._parts.singles[0]], target, moves)
        else:
            data = self._join(self._parts.full, last, joins, moves)
            self._bring(data, combiners[last], target, moves)
        return Combined(tuple(joins), tuple(moves))

    def _join(self, part: int, j: int, joins: list[Join], moves: list[Any]) -> int:
        """Make a part at the j-th combiner; give its name."""
        splits = zip(*(each.tolist() for each in self._parts.splits[part]), strict=True)
        first, second = min(splits, key=lambda pair: self._got[pair[0]][j] + self._got[pair[1]][j])
        place = self._places.combiners[j]
        operands = [self._get(operand, j, joins, moves) for operand in (first, second)]
        joins.append(Join(place, *operands))
        return ~(len(joins) - 1)

    def _get(self, part: int, j: int, joins: list[Join], moves: list[Any]) -> int:
        """Bring a part to the j-th combiner from where that is cheapest."""
        combiners = self._places.combiners
        if part < len(self._parts.singles):
            data = self._parts.singles[part]
            start = self._places.owners[data]
        else:
            made = int((self._made[part] + self._between[:, j]).argmin())
            data, start = self._join(part, made, joins, moves), combiners[made]
        self._bring(data, start, combiners[j], moves)
        return data

    def _bring(self, data: int, start: int, end: int, moves: list[Any]) -> None:
        if start == end:
            return
        route = [end]
        while route[-1] != start:
            route.append(self._routes[start][route[-1]][1])
        moves.append((data, tuple(reversed(route))))


class Unreachable(Exception):
    """No place that combines gets everything and reaches the target."""


def whole_prices(
    prices: Mapping[Pair, Fraction], joining: Sequence[Fraction]
) -> tuple[dict[Pair, int], list[int], int]:
    """Give prices as integers, and by what they were multiplied.

    Parameters
    ----------
    prices
        Of data, by arc.
    joining
        Price of a combination, by combiner.
    """
    unit = lcm(*(price.denominator for price in (*prices.values(), *joining)))
    whole = {ends: int(price * unit) for ends, price in prices.items()}
    return whole, [int(price * unit) for price in joining], unit


class _Graph:
    """Arcs by where they begin."""

    def __init__(self, prices: Prices) -> None:
        self._leaving: dict[int, list[tuple[int, Price]]] = {}
        for (source, target), price in prices.items():
            self._leaving.setdefault(source, []).append((target, price))

    def cheapest_paths_from(self, start: int) -> dict[int, tuple[Price, int]]:
        """Find the cheapest routes from a vertex: by end, the price and the vertex before it."""
        found: dict[int, tuple[Price, int]] = {}
        heap: list[tuple[Price, int, int]] = [(0, start, start)]
        while heap:
            cost, here, before = heappop(heap)
            if here in found:
                continue
            found[here] = cost, before
            for there, price in self._leaving.get(here, ()):
                if there not in found:
                    heappush(heap, (cost + price, there, here))
        return found
