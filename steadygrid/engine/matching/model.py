r"""The linear program of slots: matchings that carry times on the edges of a graph.

With :math:`t_e` the share of the period for which an edge is in use, over matchings M found so far,

(1) maximise :math:`\sum_M |M| \lambda_M`;
(2) for each edge e, :math:`\sum_{M \ni e} \lambda_M \le t_e`;
(3) :math:`\sum_M \lambda_M \le 1`.

========== ========================================== ======================
component  what                                       unit
========== ========================================== ======================
carried    :math:`x_M = |M| \lambda_M`, >= 0         share
capacity   (2), then (3), over their right-hand sides share
========== ========================================== ======================

Feasible (all 0) and bounded. The optimum over all matchings is :math:`\sum_e t_e` exactly if the
shares are in the matching polytope.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.persistent import PackingProgram
from steadygrid.engine.solving.terms import linear


class SlotProgram:
    """Program (1)-(3), which grows: a Pyomo model and a warm HiGHS instance.

    Parameters
    ----------
    room
        The right-hand sides: the share of each edge, then 1, the whole period.

    Attributes
    ----------
    model
        The Pyomo model, with all matchings so far.
    program
        Its solver.
    """

    def __init__(self, room: Sequence[Fraction], control: Control) -> None:
        self._room = room
        self.model = model = pyo.ConcreteModel(name="slots")
        rows = range(len(room))
        model.carried = pyo.Var(pyo.NonNegativeIntegers, domain=pyo.NonNegativeReals, dense=False)
        model.used = pyo.Expression(rows, initialize=lambda *_: linear(()))
        model.capacity = pyo.Constraint(rows, rule=lambda m, k: m.used[k] <= 1)
        model.total = pyo.Expression(initialize=linear(()))
        model.most = pyo.Objective(expr=model.total, sense=pyo.maximize)
        self.program = PackingProgram([model.used[k] for k in rows], model.total, control)

    def add(self, edges: Collection[int]) -> None:
        """Add a matching by the positions of its edges."""
        variable = self.model.carried.add(len(self.model.carried))
        rows = (*edges, len(self._room) - 1)
        self.program.add_column(
            variable, [(row, 1 / (self._room[row] * len(edges))) for row in rows]
        )
