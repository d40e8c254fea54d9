r"""Slots that carry given times on the edges of a graph: a decomposition into matchings.

The matchings are generated. At prices :math:`u_e`, :math:`u_0` of the rows (2) and (3) of `model`,
over their right-hand sides, one pays if :math:`\sum_{e \in M} (1 - u_e) > u_0`, which a matching of
maximum weight decides. They are looked for between these prices and those of the best bound, see
`Centre`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf, lcm
from typing import NamedTuple

import networkx as nx
import numpy as np

from steadygrid.domain.errors import CertificationError, SolverError
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.matching.heaviest import HeavyMatchings
from steadygrid.engine.matching.model import SlotProgram
from steadygrid.engine.matching.odd_sets import Pair
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.scaling import Floats

Matching = tuple[Pair, ...]
"""Edges without a common vertex, sorted."""
_NEAR = 1e-9
"""Relative distance from the optimum from which on exact arithmetic goes on."""
_PAYING = 1e-9
"""How much a matching must be worth more than it costs, in floats."""
_BITS = 40
"""To which prices in floats are rounded before matchings are weighed, in integers."""
_TOWARDS_THE_CENTRE = (0.8, 0.4, 0.0)
"""How far from the prices of the program matchings are looked for, one after the other."""


class Centre:
    """The prices with the best bound so far, near which the next ones are looked for.

    Prices of a program that has few of its columns jump to and fro; between them and those that
    prove most there are better matchings, and fewer are needed. Source: Wentges, *Weighted
    Dantzig-Wolfe decomposition for linear mixed-integer programming*, 1997.
    """

    def __init__(self, room: Floats) -> None:
        self._room = room
        self._best: Floats | None = None
        self._bound = inf

    def moved_to_centre(self, prices: Floats, weight: float) -> Floats:
        """Go from these prices a part of the distance to the centre.

        Parameters
        ----------
        prices
            By edge, and one more at the end, which the bound does not count.
        weight
            0 stays at these prices, 1 goes to the centre.
        """
        return prices if self._best is None else weight * self._best + (1 - weight) * prices

    def learn(self, prices: Floats, heaviest: float) -> None:
        """Take over prices whose bound is better: what edges are worth, and the heaviest matching.

        Parameters
        ----------
        prices
            By edge, and one more at the end, which the bound does not count.
        heaviest
            Weight of the heaviest matching at these prices.
        """
        bound = float(prices[:-1] @ self._room[:-1]) + max(heaviest, 0.0)
        if bound < self._bound:
            self._best, self._bound = prices, bound


class MatchingSlot(NamedTuple):
    """For `duration`, these edges may run side by side."""

    duration: Fraction
    edges: Matching


def matchings_that_carry(
    times: Mapping[Pair, int], length: int, control: Control
) -> list[MatchingSlot]:
    """Decompose times into matchings, exactly.

    Parameters
    ----------
    times
        By edge, above 0. No vertex has more than `length`, and no odd set is violated.
    length
        Of the period, in the same unit.

    Returns
    -------
    list of MatchingSlot
        No more than there are edges, and one. Each edge is in slots for exactly its time; together
        they last no longer than `length`.

    Raises
    ------
    CertificationError
        If there is no such decomposition.
    Cancelled, OutOfTime, SolverError
        See `solve_certified`.
    """
    search = _Search(times, length, control)
    try:
        return search.decomposed()
    finally:
        search.close()


class _Search:
    """The matchings found so far, and what is worth one more."""

    def __init__(self, times: Mapping[Pair, int], length: int, control: Control) -> None:
        self._position = {edge: k for k, edge in enumerate(sorted(times))}
        # As shares of the period: in other units, numbers of hundreds of digits are no floats.
        self._length = length
        self._room = [Fraction(times[edge], length) for edge in self._position] + [Fraction(1)]
        self._control = control
        self._total = Fraction(sum(times.values()), length)
        self._matchings: dict[Matching, None] = {}
        self._slots = SlotProgram(self._room, control)
        self._probable = HeavyMatchings(list(self._position))
        for matching in _first_fit(times):
            self._add(matching)

    def close(self) -> None:
        """Let go of the solver."""
        self._slots.program.close()

    def decomposed(self) -> list[MatchingSlot]:
        """Add matchings until the times are carried, exactly."""
        with suppress(SolverError):  # which only makes the exact program short
            self._nearly()
        model = self._slots.model
        while True:
            solved = solve_certified(model, self._control)
            if solved.objective == self._total:
                listed = list(self._matchings)
                carried = solved.values_of(model.carried)
                return [
                    MatchingSlot(self._length * amount / len(listed[k]), listed[k])
                    for k, amount in sorted(carried.items())
                ]
            prices = solved.prices_of(model.capacity)
            exact = [prices.get(k, Fraction(0)) / room for k, room in enumerate(self._room)]
            if not self._offer([1 - price for price in exact[:-1]], exact[-1]):
                raise CertificationError("The times are not what slots of this length can carry.")

    def _nearly(self) -> None:
        """Add matchings until floats can tell no more."""
        program = self._slots.program
        room = np.array([float(share) for share in self._room])
        centre = Centre(room)
        while True:
            program.solve()
            if program.value >= self._total * (1 - _NEAR):
                return
            prices = program.prices / room
            if self._offer_around(centre, prices):
                continue
            worth = [Fraction(round((1 - price) * 2**_BITS), 2**_BITS) for price in prices[:-1]]
            if not self._offer(worth, Fraction(prices[-1]) + Fraction(_PAYING)):
                program.tighten()
                return

    def _offer_around(self, centre: Centre, prices: Floats) -> bool:
        """Add a matching that pays, found at prices between these and those of the best bound."""
        for weight in _TOWARDS_THE_CENTRE:
            tried = centre.moved_to_centre(prices, weight)
            matching = self._probable.find(1 - tried[:-1])
            places = [self._position[edge] for edge in matching]
            centre.learn(tried, float(np.sum(1 - tried[places])))
            pays = float(np.sum(1 - prices[places])) > prices[-1] + _PAYING
            if pays and matching not in self._matchings:
                self._add(matching)
                return True
        return False

    def _offer(self, worth: Sequence[Fraction], cost: Fraction) -> bool:
        """Add the matching that is worth most, if it is worth more than it costs."""
        self._control.check()
        unit = lcm(*(amount.denominator for amount in worth))
        weights = {
            edge: int(amount * unit)
            for edge, amount in zip(self._position, worth, strict=True)
            if amount > 0
        }
        matching = _heaviest(weights)
        pays = sum(weights[edge] for edge in matching) > cost * unit
        if not pays or matching in self._matchings:
            return False
        self._add(matching)
        return True

    def _add(self, matching: Matching) -> None:
        if matching not in self._matchings:
            self._matchings[matching] = None
            self._slots.add([self._position[edge] for edge in matching])


def _heaviest(weights: Mapping[Pair, int]) -> Matching:
    """Find a matching of maximum weight; in Python's integers, so exactly."""
    graph = nx.Graph()
    graph.add_weighted_edges_from((u, v, weight) for (u, v), weight in weights.items())
    return tuple(sorted((min(edge), max(edge)) for edge in nx.max_weight_matching(graph)))


def _first_fit(times: Mapping[Pair, int]) -> list[Matching]:
    """Cover the edges by matchings, the longest times first."""
    taken: dict[int, int] = defaultdict(int)
    members: list[list[Pair]] = []
    for edge in sorted(times, key=lambda edge: (-times[edge], edge)):
        used = taken[edge[0]] | taken[edge[1]]
        free = ~used & (used + 1)
        for vertex in edge:
            taken[vertex] |= free
        position = free.bit_length() - 1
        if position == len(members):
            members.append([])
        members[position].append(edge)
    return [tuple(sorted(matching)) for matching in members]
