r"""The linear program of an allreduce: how much is combined where, and what has to cross cuts before and after.

Every piece is combined at one root and spread from there. A root is one of K, who may combine and copy,
and :math:`x_r` pieces per time unit have root r. With :math:`d` the size of a piece, and per time unit
:math:`y'_e` units of data on the link e before they are all combined, and :math:`y''_e` after that:

.. math::

   \max \rho = \sum_r x_r \tag{19}

   \sum_e a_{re} (y'_e + y''_e) \le 1 \quad \forall r \tag{1}

   \sum_{e \text{ leaves } S} y''_e \ge d \sum_{r \in S} x_r \quad \forall S \tag{20}

   \sum_{e \text{ enters } S} y'_e \ge d \sum_{r \in S} x_r \quad \forall S \tag{21}

   \sum_{e \text{ enters } w} y_e = \sum_{e \text{ leaves } w} y_e
       \quad \forall w \notin K, \; y \in \{y', y''\} \tag{8}

for every set S that lacks a participant. The program has the sets that were found to matter. If all of
K take part, the optimum is that of all pairs of trees, by two packings with the same roots. See
`steadygrid.kinds.collective.solver.model_of_cuts`. Otherwise it is a bound.

With prices :math:`u_r` of (1), weights :math:`v'_S` and :math:`v''_S` of (21) and (20), and potentials
of both kinds of (8), (9) holds for each direction by itself, and

.. math:: \sum_{S \ni r} v'_S + \sum_{S \ni r} v''_S \ge 1/d \quad \forall r \in K \tag{22}

so no schedule that combines each piece at one root has more than :math:`\sum_r u_r` operations per time
unit.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.certified import CertifiedSolution
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.collective.solver.allreduce_halves import Halves
from steadygrid.kinds.collective.solver.model_of_cuts import Number, power_of_two
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.row_generation import Growing

GATHERING, SPREADING = 0, 1
"""Positions of the halves."""


@dataclass(frozen=True)
class RootedFlow:
    """Pieces per time unit by root, and by half the data per time unit on arcs, nearly as they should be."""

    roots: Mapping[int, Fraction]
    amounts: tuple[Mapping[int, Fraction], Mapping[int, Fraction]]

    @property
    def rate(self) -> Fraction:
        """Of operations."""
        return sum(self.roots.values(), Fraction(0))


class RootProgram:
    """Program (19)-(21), (8) as it grows, by a row of (20) or (21) at a time.

    ============== ===== ======================= ==============================================
    component      kind  index                   meaning, unit
    ============== ===== ======================= ==============================================
    ``busy``       Var   half, arc               y' and y'', in shares of the arc's time
    ``root``       Var   processor               x, in `unit` operations per time unit
    ``throughput`` Obj                           (19)
    ``capacity``   Con   resource name           (1), share of time
    ``kept``       Con   half, processor         (8), in units of data near 1 per time unit
    ``crossed``    Con   position in `cuts`      (20) and (21), in the unit of x
    ============== ===== ======================= ==============================================

    Always feasible; bounded once the cut around each root is known.

    Attributes
    ----------
    cuts
        Halves and sets of processors, by index, in the order of their rows.
    """

    def __init__(self, halves: Halves, unit: Fraction, control: Control) -> None:
        self.halves, self.unit = halves, unit
        self.cuts: list[tuple[int, frozenset[int]]] = []
        self._known: set[tuple[int, frozenset[int]]] = set()
        arcs = halves.network.arcs
        self._data_unit = power_of_two([arc.unit_time for arc in arcs])
        self.model = model = pyo.ConcreteModel(name="allreduce")
        indices = [(half, arc.index) for half in (GATHERING, SPREADING) for arc in arcs]
        model.busy = pyo.Var(indices, domain=pyo.NonNegativeReals)
        model.root = pyo.Var(sorted(halves.members), domain=pyo.NonNegativeReals)
        pieces: Terms = [(1, root) for root in model.root.values()]
        model.throughput = pyo.Objective(expr=linear(pieces), sense=pyo.maximize)
        self._add_capacities()
        self._add_conservation()
        model.crossed = pyo.Constraint(pyo.NonNegativeIntegers)
        self._control = control
        self._growing = Growing(model, control)

    def close(self) -> None:
        """Let go of the solver."""
        self._growing.close()

    def add(self, half: int, cuts: Collection[frozenset[int]]) -> int:
        """Add rows for sets that lack a participant; give how many are new.

        Parameters
        ----------
        half
            0 where data is combined, 1 where it is spread.
        cuts
            Sets of processors, by index.
        """
        number = 0
        for cut in cuts:
            if (half, cut) in self._known:
                continue
            terms = self._terms(half, cut)
            row = len(self.cuts)
            self.model.crossed[row] = linear(terms) <= 0
            self._growing.add(self.model.crossed[row], terms)
            self.cuts.append((half, cut))
            self._known.add((half, cut))
            number += 1
        return number

    def _terms(self, half: int, cut: frozenset[int]) -> Terms:
        copies, size = self.halves.both[half], self.halves.message.size
        terms: Terms = [(1, self.model.root[r]) for r in sorted(cut & self.halves.members)]
        for arc in copies.arcs:
            near, far = copies.ends(arc)
            if near in cut and far not in cut:
                data = arc.unit_time * size * self.unit
                terms.append((-1 / data, self.model.busy[half, arc.index]))
        return terms

    def solve(self) -> RootedFlow:
        """Give x, y' and y'', in operations and units of data per time unit.

        As floats, or exactly where floats fail.
        """
        busy: Mapping[tuple[int, int], Number]
        roots: Mapping[int, Number]
        if (floats := self._growing.solved()) is not None:
            busy, roots = floats.values_of(self.model.busy), floats.values_of(self.model.root)
        else:
            solved = self.solved()
            busy, roots = solved.values_of(self.model.busy), solved.values_of(self.model.root)
        arcs = self.halves.network.platform.arcs
        amounts: tuple[dict[int, Fraction], dict[int, Fraction]] = ({}, {})
        for (half, index), share in busy.items():
            if share > 0:
                amounts[half][index] = Fraction(share) / arcs[index].unit_time
        pieces = {r: Fraction(x) * self.unit for r, x in roots.items() if x > 0}
        return RootedFlow(pieces, amounts)

    def solved(self) -> CertifiedSolution:
        """Solve it exactly, with the rows it has."""
        solved = solve_certified(self.model, self._control)
        if solved.status != "optimal" or solved.objective is None or not solved.objective:
            raise AssertionError(f"messages can arrive, yet the program is {solved.status}")
        return solved

    def proof(self, solved: CertifiedSolution) -> Proof:
        """Read prices, potentials and weights off the exact solution."""
        weights: tuple[dict[frozenset[int], Fraction], ...] = ({}, {})
        for row, price in solved.prices_of(self.model.crossed).items():
            if price:
                half, cut = self.cuts[row]
                weights[half][cut] = price / self.halves.message.size
        raised: tuple[dict[int, Fraction], ...] = ({}, {})
        for (half, w), price in solved.prices_of(self.model.kept).items():
            if price:
                raised[half][w] = price * self.unit / self._data_unit
        gathering, spreading = self.halves.both
        prices = solved.prices_of(self.model.capacity)
        return Proof(
            {name: price * self.unit for name, price in prices.items() if price},
            spreading.potentials_with_dead_ends(raised[SPREADING]),
            spreading.with_dead_ends(weights[SPREADING].items()),
            gathering.potentials_with_dead_ends(raised[GATHERING]),
            gathering.with_dead_ends(weights[GATHERING].items()),
        )

    def _add_capacities(self) -> None:
        terms: dict[str, Terms] = defaultdict(list)
        network = self.halves.network
        for arc in network.arcs:
            for resource, time in network.uses(arc):
                for half in (GATHERING, SPREADING):
                    share = time / arc.unit_time
                    terms[resource].append((share, self.model.busy[half, arc.index]))
        self.model.capacity = pyo.Constraint(list(terms), rule=lambda _, r: linear(terms[r]) <= 1)

    def _add_conservation(self) -> None:
        terms: dict[tuple[int, int], Terms] = defaultdict(list)
        for half, copies in enumerate(self.halves.both):
            for arc in copies.arcs:
                data = 1 / (arc.unit_time * self._data_unit)
                near, far = copies.ends(arc)
                for end, sign in ((near, 1), (far, -1)):
                    if end not in copies.members:
                        terms[half, end].append((sign * data, self.model.busy[half, arc.index]))
        self.model.kept = pyo.Constraint(
            list(terms), rule=lambda _, half, w: linear(terms[half, w]) == 0
        )
