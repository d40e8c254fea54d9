r"""The linear program of steady-state master-worker tasking.

Variables, per time unit:

* :math:`x_i`: tasks computed by :math:`P_i`
* :math:`f_{ij}` and :math:`g_{ij}`: input and output files sent on the link :math:`i \to j`.

Numbers that are given:

* :math:`w_i`: the time of a task on :math:`P_i`
* :math:`c_{ij}`: the time of a unit of data
* :math:`s` and :math:`t`: the sizes of the input and output file
* :math:`m`: the master.

.. math::

   \max \sum_i x_i \tag{1}

   w_i x_i \le 1 \tag{2}

   \sum_j c_{ij} (s f_{ij} + t g_{ij}) \le 1 \quad \forall i \tag{3}

   \sum_j c_{ji} (s f_{ji} + t g_{ji}) \le 1 \quad \forall i \tag{4}

   \sum_j f_{ji} = x_i + \sum_j f_{ij} \quad \forall i \ne m \tag{5}

   \sum_j g_{ji} + x_i = \sum_j g_{ij} \quad \forall i \ne m \tag{6}

   f_{jm} = 0, \quad g_{mj} = 0 \tag{7}

   c_{ij} (s f_{ij} + t g_{ij}) + c_{ji} (s f_{ji} + t g_{ji}) \le 1
   \quad \text{half-duplex } i, j \tag{8}

Under ``multiport`` the place of (3) and (4) is taken by

.. math::

   c_{ij} (s f_{ij} + t g_{ij}) \le 1 \tag{9}

   \sum_j (s f_{ij} + t g_{ij}) \le b^{out}_i, \quad
   \sum_j (s f_{ji} + t g_{ji}) \le b^{in}_i \tag{10}

   \sum_{(i,j) \text{ uses } M} (s f_{ij} + t g_{ij}) \le b_M \tag{11}

Under ``send_or_receive`` and ``no_overlap`` the place of (3), (4) and (8) is taken by

.. math::

   \sum_j c_{ij} (s f_{ij} + t g_{ij}) + \sum_j c_{ji} (s f_{ji} + t g_{ji}) \; [+ \, w_i x_i]
   \le 1 \quad \forall i \tag{14}

   \sum_{i, j \in B} c_{ij} (s f_{ij} + t g_{ij}) \le \frac{|B| - 1}{2}
   \quad \forall B,\ |B| \text{ odd} \tag{15}

where computing counts in (14) under ``no_overlap``, which then has no (2); of (15), divided by its
right-hand side, the program has the sets that were found to matter.

Half-duplex links under ``one_port``, off a tree, need slots :math:`S` of their own, sets of
transfers that may run side by side, each for the time :math:`\lambda_S`. They take the place of
(3), (4) and (8):

.. math::

   c_{ij} (s f_{ij} + t g_{ij}) \le \sum_{S \ni (i,j)} \lambda_S \tag{12}

   \sum_S \lambda_S \le 1 \tag{13}

With fixed routing :math:`f` and :math:`g` are files per leg, that is, per route between two
processors that hold whole files or per part of one (`legs`). A leg uses what its links use
together, :math:`i \to j` in (3), (4), (8)-(12) stands for all legs that cross this link, and (5),
(6) hold where legs begin and end.

Where a processor names its cards, (3) and (4) hold for each of them and its links. Where it has a
number of cards, any of which serves any link, that number is their right-hand side, and (9) holds for
its links.

(10), (11), and (3) and (4) of a number of cards, are divided by their right-hand sides. (9) also
holds, under ``one_port``, between two switches, which have no rows (3) and (4).

Sources: (1)-(6) RR-4870, section 3, and *Steady-state scheduling on heterogeneous clusters: why
and how?*, section 3.1; (8) Banino et al., IEEE TPDS 15(4), equation (7).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.domain.platform import computing_resource
from steadygrid.engine.slots.model import add_slots
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.master_worker.solver.legs import Legs

CAPACITIES = ("send", "receive", "port", "odd", "half", "link", "out", "in", "medium")
"""The resources that transfers use, by the suffix of their names."""


def build_model(
    instance: MasterWorkerInstance, legs: Legs, check: Callable[[], None] = lambda: None
) -> pyo.ConcreteModel:
    """Build program (1)-(11) or (1)-(15) for the part of the platform that the master reaches.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning, unit
    ================ ===== =========================== =====================================
    ``computed``     Var   processor                   x, tasks per time unit
    ``input_sent``   Var   leg                         f, input files per time unit
    ``output_sent``  Var   leg                         g, output files per time unit
    ``throughput``   Obj                               (1), tasks per time unit
    ``compute``      Con   processor                   (2), share of time
    ``send`` ...     Con   resource name               (3), (4), (8)-(11), (14), (15), share
    ``input_kept``   Con   node                        (5), files per time unit
    ``output_kept``  Con   node                        (6), files per time unit
    ================ ===== =========================== =====================================

    Processors are indices into the platform's, legs and nodes those of `legs`: arcs and
    processors, where the routing is free. The sets of (15) are those that `legs` knows. Always
    feasible (all zero); bounded if the instance has no faults. `check` is called between the
    steps, and may raise.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    check
        Called between the steps; may raise, which ends the work.
    """
    model = _without_capacities(instance, legs, check)
    _add_capacities(model, instance, legs, check)
    return model


def build_slot_model(
    instance: MasterWorkerInstance, legs: Legs, slots: Sequence[Collection[int]]
) -> pyo.ConcreteModel:
    """Build program (1), (2), (5)-(7), (12), (13) over the given slots.

    It has the components of `add_slots` and the variables and other constraints of `build_model`.
    Always feasible and bounded.

    Parameters
    ----------
    slots
        Sets of arc indices.
    """
    model = _without_capacities(instance, legs)
    add_slots(model, _sending(model, instance, legs), slots)
    return model


def _without_capacities(
    instance: MasterWorkerInstance, legs: Legs, check: Callable[[], None] = lambda: None
) -> pyo.ConcreteModel:
    """Everything but the limits of links and ports."""
    model = pyo.ConcreteModel(name="master_worker")
    model.computed = pyo.Var(
        Reach.from_instance(instance).workers, domain=pyo.NonNegativeReals, doc="x_i"
    )
    # (7) is in the index sets: no input leg ends at the master, no output leg leaves it.
    model.input_sent = pyo.Var(
        [leg.index for leg in legs.input], domain=pyo.NonNegativeReals, doc="f_ij"
    )
    model.output_sent = pyo.Var(
        [leg.index for leg in legs.output], domain=pyo.NonNegativeReals, doc="g_ij"
    )
    check()
    _add_throughput(model)
    _add_compute_limits(model, instance)
    _add_input_conservation(model, instance, legs)
    check()
    if instance.task.output_size:
        _add_output_conservation(model, instance, legs)
    return model


def _add_throughput(model: pyo.ConcreteModel) -> None:
    """(1): all tasks that are computed."""
    model.throughput = pyo.Objective(
        expr=linear([(1, variable) for variable in model.computed.values()]), sense=pyo.maximize
    )


def _add_compute_limits(model: pyo.ConcreteModel, instance: MasterWorkerInstance) -> None:
    """(2): a processor computes for at most all of the time, where (14) does not say so."""
    times = _compute_times(model, instance) if instance.ports != "no_overlap" else {}
    model.compute = pyo.Constraint(
        list(times),
        rule=lambda _, i: linear([(times[i], model.computed[i])]) <= 1,
    )


def _compute_times(model: pyo.ConcreteModel, instance: MasterWorkerInstance) -> dict[int, Fraction]:
    times = ((i, instance.compute_times[i]) for i in model.computed)
    return {i: time for i, time in times if time is not None and time > 0}


def _add_capacities(
    model: pyo.ConcreteModel,
    instance: MasterWorkerInstance,
    legs: Legs,
    check: Callable[[], None],
) -> None:
    """(3), (4), (8)-(11), (14), (15): one row for each send port, receive port, link, medium, ..."""
    terms: dict[str, dict[str, Terms]] = {suffix: defaultdict(list) for suffix in CAPACITIES}
    for flows, size in (
        (model.input_sent, instance.task.input_size),
        (model.output_sent, instance.task.output_size),
    ):
        if not size:
            continue
        for leg, variable in flows.items():
            check()
            for resource, time in legs.uses(leg):
                rows = terms[resource.rpartition(".")[2]]
                rows[resource].append((time * size, variable))
    if instance.ports == "no_overlap":
        for i, time in _compute_times(model, instance).items():
            port = computing_resource(instance.platform.processors[i].id, instance.ports)
            terms["port"][port].append((time, model.computed[i]))
    for suffix, rows in terms.items():
        check()
        model.add_component(
            suffix,
            pyo.Constraint(list(rows), rule=lambda _, name, rows=rows: linear(rows[name]) <= 1),
        )


def _sending(
    model: pyo.ConcreteModel, instance: MasterWorkerInstance, legs: Legs
) -> dict[int, Terms]:
    """Give the terms of the time for which each arc is busy."""
    terms: dict[int, Terms] = defaultdict(list)
    for variables, size in (
        (model.input_sent, instance.task.input_size),
        (model.output_sent, instance.task.output_size),
    ):
        for leg, variable in variables.items() if size else ():
            for arc in legs.arcs(leg):
                terms[arc.index].append((size * arc.unit_time, variable))
    return terms


def _add_input_conservation(
    model: pyo.ConcreteModel, instance: MasterWorkerInstance, legs: Legs
) -> None:
    """(5): what comes in is computed here or sent on."""
    balance: dict[int, Terms] = defaultdict(list)
    for leg in legs.input:
        balance[leg.target].append((1, model.input_sent[leg.index]))
        balance[leg.source].append((-1, model.input_sent[leg.index]))
    for i in model.computed:
        balance[i].append((-1, model.computed[i]))
    _add_balance(model, "input_kept", instance, balance)


def _add_output_conservation(
    model: pyo.ConcreteModel, instance: MasterWorkerInstance, legs: Legs
) -> None:
    """(6): what comes in or is made here is sent on."""
    balance: dict[int, Terms] = defaultdict(list)
    for leg in legs.output:
        balance[leg.target].append((1, model.output_sent[leg.index]))
        balance[leg.source].append((-1, model.output_sent[leg.index]))
    for i in model.computed:
        balance[i].append((1, model.computed[i]))
    _add_balance(model, "output_kept", instance, balance)


def _add_balance(
    model: pyo.ConcreteModel,
    name: str,
    instance: MasterWorkerInstance,
    balance: Mapping[int, Terms],
) -> None:
    master = instance.platform.index_by_id[instance.master]
    model.add_component(
        name,
        pyo.Constraint(
            [i for i in balance if i != master],
            rule=lambda _, i: linear(balance[i]) == 0,
        ),
    )
