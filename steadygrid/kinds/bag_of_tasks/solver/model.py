r"""The linear program of bags of tasks on a star.

Class j of bag k has tasks of size :math:`x_{kj}` and work :math:`y_{kj}`. They are the share
:math:`s_{kj} = \pi_k p_{kj} / \sum_l \pi_l` of all tasks, by the priority :math:`\pi_k` of the bag and
the probability :math:`p_{kj}` of the class in it. Per time unit, worker i with the time :math:`w_i` for
a unit of work computes :math:`r_{kji}` of them, and :math:`R = \rho \sum_k \pi_k` tasks of all bags
are done:

.. math::

   \max R \tag{1}

   \sum_i r_{kji} = s_{kj} R \quad \forall k, j \tag{2}

   \sum_{kj} w_i y_{kj} r_{kji} \le 1 \quad \forall i \tag{3}

   \sum_{i \ne m} b_{ei} \sum_{kj} x_{kj} r_{kji} \le 1 \quad \forall e \tag{4, 5}

where e is a resource of communication, and :math:`b_{ei}` the time that a unit of data for worker i
takes of it. Under ``multiport`` these are the link (the inverse of its bandwidth), the
`bandwidth_in` of the worker and the `bandwidth_out` of the master, and shared media. Under ``one_port``
the master's port (:math:`b_{ei}` is the time of the link to i), and the worker's. The master m needs
neither for its own tasks.

Prices :math:`u \ge 0` of (3)-(5) sum to the optimum, and at them a task costs at least 1 on the average
of all bags, each class where it is cheapest:

.. math::

   \sum_{kj} s_{kj} \min_i \left( u_i w_i y_{kj} + x_{kj} \sum_e u_e b_{ei} \right) \ge 1 \tag{16}

and such prices, wherever they come from, bound the long-run throughput of any policy, even of one
that knows the future.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009, section
5.3.1, with classes in the place of applications, and with links, ports and a master that computes.
Inequality (16) is weak duality on the distribution of the tasks.
"""

from collections import defaultdict
from collections.abc import Callable

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.bag_of_tasks.solver.star import Star


def build_model(star: Star, check: Callable[[], None] = lambda: None) -> pyo.ConcreteModel:
    """Build program (1)-(5).

    ============== ===== ======================= ===========================
    component      kind  index                   meaning, unit
    ============== ===== ======================= ===========================
    ``computed``   Var   class, worker           r, tasks per time unit
    ``rate``       Var                           R, tasks per time unit
    ``throughput`` Obj                           (1), tasks per time unit
    ``shared``     Con   class                   (2), tasks per time unit
    ``capacity``   Con   resource name           (3)-(5), share of time
    ============== ===== ======================= ===========================

    Classes and workers are positions in those of `star`. Always feasible (all zero), and bounded
    where the instance has no faults. `check` is called between the steps, and may raise.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    check
        Called between the steps; may raise, which ends the work.
    """
    classes, workers = range(len(star.classes)), range(len(star.workers))
    model = pyo.ConcreteModel(name="bag_of_tasks")
    model.computed = pyo.Var(classes, workers, domain=pyo.NonNegativeReals, doc="r_kji")
    model.rate = pyo.Var(domain=pyo.NonNegativeReals, doc="R")
    model.throughput = pyo.Objective(expr=linear([(1, model.rate)]), sense=pyo.maximize)
    check()
    model.shared = pyo.Constraint(
        classes,
        rule=lambda m, k: (
            linear([*((1, m.computed[k, i]) for i in workers), (-star.classes[k].share, m.rate)])
            == 0
        ),
    )
    check()
    _add_capacities(model, star, check)
    return model


def _add_capacities(model: pyo.ConcreteModel, star: Star, check: Callable[[], None]) -> None:
    """(3)-(5): no resource is busy for more than all of the time."""
    terms: dict[str, Terms] = defaultdict(list)
    for k, one in enumerate(star.classes):
        check()
        for i, worker in enumerate(star.workers):
            for resource, time in star.taken(one.input_size, one.work, worker):
                terms[resource].append((time, model.computed[k, i]))
    model.capacity = pyo.Constraint(list(terms), rule=lambda _, name: linear(terms[name]) <= 1)
