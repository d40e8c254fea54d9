r"""The linear program of a load on a tree, at the orders in which its processors send.

The master is 0. Of each worker i,

* :math:`a_i` is the fraction that it computes
* :math:`A_i` is what it receives for itself and all behind it
* :math:`e_i` is the date at which that has arrived
* :math:`p(i)` is the processor that sends it
* :math:`b(i)` is the one that :math:`p(i)` sends to before, or :math:`p(i)` itself for the first
* :math:`w_i` and :math:`c_i` are the times of the whole load on i and on the link to it.

The program:

.. math::

   \min T \tag{1}

   \sum_i a_i = 1 \tag{2}

   T \ge w_0 a_0 \tag{3}

   T \ge e_i + w_i a_i \tag{4}

   e_i \ge e_{b(i)} + c_i A_i, \quad e_0 = 0 \tag{4a}

   A_i = a_i + \sum_{j: p(j) = i} A_j \tag{4b}

Of a star, (4) with (4a) and (4b) put in is :math:`T \ge \sum_{j \le i} c_j a_j + w_i a_i`. Where
results come back in reverse order, :math:`c_i` is the time there and back, and :math:`e_i` what
all transfers take, in both directions, that are over before i computes or begin when it has. They
are those of i, of whom it is behind, and of those sent to before any of them. Always feasible and
bounded, since some processor computes. Source: Gallet, *Steady-State Scheduling of Task Graphs onto
Heterogeneous Platforms*, 2009, program (1.5), with shares that sum to 1; trees and their results
are steadygrid's.
"""

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.divisible_star.solver.tree.tree import Tree


def build_model(tree: Tree) -> pyo.ConcreteModel:
    """Build program (1)-(4).

    ============ ===== ==================== ==================================
    component    kind  index                meaning, unit
    ============ ===== ==================== ==================================
    ``share``    Var   processor            a, fraction of the load
    ``received`` Var   processor but master A, fraction of the load
    ``arrived``  Var   processor but master e, time
    ``makespan`` Var                        T, time
    ``goal``     Obj                        (1), time
    ``whole``    Con                        (2), fraction
    ``done``     Con   processor            (3), (4), time
    ``sent``     Con   processor but master (4a), time
    ``kept``     Con   processor but master (4b), fraction
    ============ ===== ==================== ==================================

    Processors are positions in the tree. Those that cannot compute have no share.
    """
    model = pyo.ConcreteModel(name="divisible_star")
    working = [i for i, work in enumerate(tree.work) if work is not None]
    receiving = range(1, len(tree.ids))
    model.share = pyo.Var(working, domain=pyo.NonNegativeReals, doc="a_i")
    model.received = pyo.Var(receiving, domain=pyo.NonNegativeReals, doc="A_i")
    model.arrived = pyo.Var(receiving, domain=pyo.Reals, doc="e_i")
    model.makespan = pyo.Var(domain=pyo.Reals, doc="T")
    model.goal = pyo.Objective(expr=linear([(1, model.makespan)]), sense=pyo.minimize)
    model.whole = pyo.Constraint(expr=linear([(1, a) for a in model.share.values()]) == 1)
    model.done = pyo.Constraint(working, rule=lambda _, i: linear(_done(model, tree, i)) >= 0)
    before = _predecessors(tree)
    model.sent = pyo.Constraint(
        receiving, rule=lambda _, i: linear(_sent(model, tree, before[i], i)) >= 0
    )
    model.kept = pyo.Constraint(
        receiving, rule=lambda _, i: linear(_conservation_terms(model, tree, i)) == 0
    )
    return model


def _done(model: pyo.ConcreteModel, tree: Tree, i: int) -> Terms:
    """(3), (4): a processor that computes is done by the makespan."""
    work = tree.work[i]
    terms: Terms = [(1, model.makespan), (0 if work is None else -work, model.share[i])]
    return terms if i == 0 else [*terms, (-1, model.arrived[i])]


def _sent(model: pyo.ConcreteModel, tree: Tree, before: int, i: int) -> Terms:
    """(4a): a message follows the one before, or the arrival of what it is a part of."""
    terms: Terms = [(1, model.arrived[i]), (-tree.wire[i], model.received[i])]
    return terms if before == 0 else [*terms, (-1, model.arrived[before])]


def _conservation_terms(model: pyo.ConcreteModel, tree: Tree, i: int) -> Terms:
    """(4b): what comes in is computed here or sent on."""
    terms: Terms = [(1, model.received[i])]
    terms += [(-1, model.received[j]) for j in tree.children[i]]
    return terms if tree.work[i] is None else [*terms, (-1, model.share[i])]


def _predecessors(tree: Tree) -> dict[int, int]:
    """Give whose arrival each message waits for: that of the one sent before, or of the sender."""
    return {
        i: before
        for sender, children in enumerate(tree.children)
        for before, i in zip((sender, *children), children, strict=False)
    }
