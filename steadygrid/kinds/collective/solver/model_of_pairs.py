r"""The linear program of trees of both halves of an allreduce that have been found so far.

With :math:`x_a` operations per time unit combined on tree a, and :math:`z_b` spread on tree b, and
:math:`b_{ra}` the time of resource r that one of them takes:

.. math::

   \max \sum_a x_a

   \sum_{a \text{ to } r} x_a = \sum_{b \text{ from } r} z_b \quad \forall \text{ roots } r

   \sum_a b_{ra} x_a + \sum_b b_{rb} z_b \le 1 \quad \forall r

Feasible (all zero), and bounded as every tree takes time of a resource. Trees to and from a root that
together cost less than 1 at the prices of the resources would add to the throughput.
"""

from collections import defaultdict
from collections.abc import Sequence

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.collective.solver.allreduce_halves import Halves
from steadygrid.kinds.collective.solver.copies import Tree
from steadygrid.kinds.collective.solver.model_of_trees import times


def build_pairs(halves: Halves, trees: tuple[Sequence[Tree], Sequence[Tree]]) -> pyo.ConcreteModel:
    """Build the program.

    ============== ===== ======================= ==================================
    component      kind  index                   meaning, unit
    ============== ===== ======================= ==================================
    ``rate``       Var   half, position          x and z, operations per time unit
    ``throughput`` Obj                           operations per time unit
    ``shared``     Con   root                    operations per time unit
    ``capacity``   Con   resource name           share of time
    ============== ===== ======================= ==================================

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    trees
        Of both halves. Those that combine first.
    """
    model = pyo.ConcreteModel(name="pairs")
    listed = [(half, k, tree) for half, some in enumerate(trees) for k, tree in enumerate(some)]
    model.rate = pyo.Var([(half, k) for half, k, _ in listed], domain=pyo.NonNegativeReals)
    total: Terms = [(1, model.rate[0, k]) for k in range(len(trees[0]))]
    model.throughput = pyo.Objective(expr=linear(total), sense=pyo.maximize)
    shared: dict[int, Terms] = defaultdict(list)
    busy: dict[str, Terms] = defaultdict(list)
    for half, k, tree in listed:
        shared[tree.root].append((-1 if half else 1, model.rate[half, k]))
        for resource, time in times(halves.both[half], tree).items():
            busy[resource].append((time, model.rate[half, k]))
    model.shared = pyo.Constraint(list(shared), rule=lambda _, root: linear(shared[root]) == 0)
    model.capacity = pyo.Constraint(list(busy), rule=lambda _, r: linear(busy[r]) <= 1)
    return model
