r"""The linear program of trees: how often each of the trees found so far carries its message.

With :math:`x_a` operations per time unit by tree a, and :math:`b_{ra}` the time of resource r that one
of them takes:

.. math::

   \max \rho \tag{13}

   \sum_{a \text{ of } m} x_a = \rho \quad \forall m \tag{14}

   \sum_a b_{ra} x_a \le 1 \quad \forall r \tag{15}

Feasible (all zero), and bounded where every tree takes time of a resource.
"""

from collections import defaultdict
from collections.abc import Sequence

import pyomo.core as pyo

from steadygrid.domain.amounts import Amounts
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.collective.solver.copies import Copies, Tree


def build_trees(copies: Copies, trees: Sequence[Tree]) -> pyo.ConcreteModel:
    """Build program (13)-(15).

    ============== ===== ======================= ==================================
    component      kind  index                   meaning, unit
    ============== ===== ======================= ==================================
    ``rate``       Var   position in `trees`     x, operations per time unit
    ``rates``      Var                           rho, operations per time unit
    ``throughput`` Obj                           (13), operations per time unit
    ``shared``     Con   root                    (14), operations per time unit
    ``capacity``   Con   resource name           (15), share of time
    ============== ===== ======================= ==================================

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    trees
        One for each message, or several.
    """
    model = pyo.ConcreteModel(name="trees")
    model.rate = pyo.Var(range(len(trees)), domain=pyo.NonNegativeReals)
    model.rates = pyo.Var(domain=pyo.NonNegativeReals)
    model.throughput = pyo.Objective(expr=linear([(1, model.rates)]), sense=pyo.maximize)
    shared: dict[int, Terms] = defaultdict(lambda: [(-1, model.rates)])
    busy: dict[str, Terms] = defaultdict(list)
    for k, tree in enumerate(trees):
        shared[tree.root].append((1, model.rate[k]))
        for resource, time in times(copies, tree).items():
            busy[resource].append((time, model.rate[k]))
    model.shared = pyo.Constraint(list(shared), rule=lambda _, root: linear(shared[root]) == 0)
    model.capacity = pyo.Constraint(list(busy), rule=lambda _, r: linear(busy[r]) <= 1)
    return model


def times(copies: Copies, tree: Tree) -> Amounts[str]:
    """Give the time that one message takes of each resource on its tree.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    tree
        Of one message.

    Returns
    -------
    Amounts
        By resource.
    """
    taken: Amounts[str] = Amounts()
    arcs, size = copies.platform.arcs, tree.message.size
    for index, number in copies.hops(tree.routes).items():
        data = number * size
        for resource, time in copies.uses(arcs[index]):
            taken[resource] += time * data
    return taken
