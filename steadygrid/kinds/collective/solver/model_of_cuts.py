r"""The linear program of what has to cross cuts: copies, on any trees.

A message m begins at its origin, has receivers and :math:`d_m` units of data. K are the processors that
may copy it. All others forward: what enters them leaves once. With :math:`y_e` units of data per time
unit on the link e, :math:`a_{re}` the time of resource r that one unit takes on e, and :math:`\rho`
operations per time unit:

.. math::

   \max \rho \tag{6}

   \sum_e a_{re} y_e \le 1 \quad \forall r \tag{1}

   \sum_{e \text{ leaves } S} y_e \ge \rho D(S) \quad \forall S \tag{7}

   \sum_{e \text{ enters } w} y_e = \sum_{e \text{ leaves } w} y_e \quad \forall w \notin K \tag{8}

:math:`D(S)` is the sum of :math:`d_m` over the messages with origin in S and a receiver outside. (7) has
the sets that were found to matter. Where data is combined on its route to one processor, that
processor is the origin, the others are receivers, and links are read backwards.

If all of K have or want every message, the optimum is the throughput of the best trees, for any
resources. The reason is that (8) lets forwarders be split off without losing (7) (Bang-Jensen,
Frank, Jackson:
*Preserving and increasing local edge-connectivity in mixed graphs*). And then (7) is the condition of
Edmonds for a packing of arborescences with given roots. Otherwise it is a bound.

With prices :math:`u_r` of (1), weights :math:`v_S` of (7) and potentials :math:`\lambda_w` of (8),

.. math::

   \sum_{S \text{ that } e \text{ leaves}} v_S \le \sum_r a_{re} u_r + \lambda_i - \lambda_j
   \quad \forall e = (i, j) \tag{9}

   \sum_S v_S D(S) \ge 1 \tag{10}

prove that no schedule has more than :math:`\sum_r u_r` operations per time unit.

Source: *Steady-state scheduling on heterogeneous clusters: why and how?*, section 3.3, where the
program has a flow to each receiver, :math:`y_e \ge f^t_e`, in the place of (7).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.collective.solver.copies import Copies
from steadygrid.kinds.collective.solver.row_generation import Growing

Number = float | Fraction


class CutProgram:
    """Program (6)-(8) as it grows, by a row of (7) at a time.

    ============== ===== ======================= ==============================================
    component      kind  index                   meaning, unit
    ============== ===== ======================= ==============================================
    ``busy``       Var   arc                     y, in shares of the arc's time
    ``rate``       Var                           rho, in `unit` operations per time unit
    ``throughput`` Obj                           (6)
    ``capacity``   Con   resource name           (1), share of time
    ``kept``       Con   processor               (8), in units of data near 1 per time unit
    ``crossed``    Con   position in `cuts`      (7), in the unit of rate
    ============== ===== ======================= ==============================================

    Always feasible; bounded once a cut with data is known.

    Attributes
    ----------
    cuts
        The sets of processors, by index, in the order of their rows.
    """

    def __init__(self, copies: Copies, unit: Fraction, control: Control) -> None:
        self.copies, self.unit = copies, unit
        self.cuts: list[frozenset[int]] = []
        self._known: set[frozenset[int]] = set()
        self._data_unit = power_of_two([arc.unit_time for arc in copies.arcs])
        self.model = model = pyo.ConcreteModel(name="cuts")
        model.busy = pyo.Var([arc.index for arc in copies.arcs], domain=pyo.NonNegativeReals)
        model.rate = pyo.Var(domain=pyo.NonNegativeReals)
        model.throughput = pyo.Objective(expr=linear([(1, model.rate)]), sense=pyo.maximize)
        self._add_capacities()
        self._add_conservation()
        model.crossed = pyo.Constraint(pyo.NonNegativeIntegers)
        self._control = control
        self._growing = Growing(model, control)

    def close(self) -> None:
        """Let go of the solver."""
        self._growing.close()

    def add(self, cuts: Collection[frozenset[int]]) -> int:
        """Add rows of (7) for sets that some data has to leave; give how many are new."""
        model, arcs = self.model, self.copies
        number = 0
        for cut in cuts:
            data = arcs.data_leaving(cut)
            if cut in self._known or not data:
                continue
            terms: Terms = [(1, model.rate)]
            for arc in arcs.arcs:
                near, far = arcs.ends(arc)
                if near in cut and far not in cut:
                    terms.append((-1 / (arc.unit_time * data * self.unit), model.busy[arc.index]))
            row = len(self.cuts)
            model.crossed[row] = linear(terms) <= 0
            self._growing.add(model.crossed[row], terms)
            self.cuts.append(cut)
            self._known.add(cut)
            number += 1
        return number

    def solve(self) -> tuple[Number, dict[int, Number]]:
        """Give rho, and y by arc, in operations and units of data per time unit.

        As floats, or exactly where floats fail.
        """
        arcs = self.copies.platform.arcs
        if (floats := self._growing.solved()) is not None:
            busy = floats.values_of(self.model.busy)
            return floats.value * float(self.unit), {
                index: share / float(arcs[index].unit_time)
                for index, share in busy.items()
                if share > 0
            }
        solved = solve_certified(self.model, self._control)
        if solved.status != "optimal" or solved.objective is None or not solved.objective:
            raise AssertionError(f"messages can arrive, yet the program is {solved.status}")
        return solved.objective * self.unit, {
            index: share / arcs[index].unit_time
            for index, share in solved.values_of(self.model.busy).items()
        }

    def weights(self, prices: Mapping[int, Fraction]) -> dict[frozenset[int], Fraction]:
        """Give v of (9) and (10) for the prices of ``crossed``."""
        return {
            self.cuts[row]: price / self.copies.data_leaving(self.cuts[row])
            for row, price in prices.items()
            if price
        }

    def potentials(self, prices: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """Give lambda of (9) for the prices of ``kept``."""
        return {w: price * self.unit / self._data_unit for w, price in prices.items() if price}

    def prices(self, prices: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Give u of (9) for the prices of ``capacity``."""
        return {name: price * self.unit for name, price in prices.items() if price}

    def _add_capacities(self) -> None:
        terms: dict[str, Terms] = defaultdict(list)
        for arc in self.copies.arcs:
            for resource, time in self.copies.uses(arc):
                terms[resource].append((time / arc.unit_time, self.model.busy[arc.index]))
        self.model.capacity = pyo.Constraint(list(terms), rule=lambda _, r: linear(terms[r]) <= 1)

    def _add_conservation(self) -> None:
        terms: dict[int, Terms] = defaultdict(list)
        for arc in self.copies.arcs:
            data = 1 / (arc.unit_time * self._data_unit)
            near, far = self.copies.ends(arc)
            for end, sign in ((near, 1), (far, -1)):
                if end not in self.copies.members:
                    terms[end].append((sign * data, self.model.busy[arc.index]))
        self.model.kept = pyo.Constraint(list(terms), rule=lambda _, w: linear(terms[w]) == 0)


def power_of_two(times: Collection[Fraction]) -> Fraction:
    """Give a unit in which bandwidths are about 1."""
    middle = sorted(times)[len(times) // 2]
    exponent = middle.denominator.bit_length() - middle.numerator.bit_length()
    return Fraction(2) ** exponent
