r"""The linear program of steady-state master-worker tasking.

Per time unit, with :math:`x_i` tasks computed by :math:`P_i`, :math:`f_{ij}` input files and
:math:`g_{ij}` output files sent on the link :math:`i \to j`, :math:`w_i` the time of a task on
:math:`P_i`, :math:`c_{ij}` the time of a unit of data, :math:`s` and :math:`t` the sizes of the
input and output file, and :math:`m` the master:

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

Half-duplex links under ``one_port``, off a tree, need slots :math:`S` of their own, sets of
transfers that may run side by side, each for the time :math:`\lambda_S`; they take the place of
(3), (4) and (8):

.. math::

   c_{ij} (s f_{ij} + t g_{ij}) \le \sum_{S \ni (i,j)} \lambda_S \tag{12}

   \sum_S \lambda_S \le 1 \tag{13}

(10) and (11) divided by their right-hand sides. (9) also holds, under ``one_port``, between two
switches, which have no rows (3) and (4).

Sources: (1)-(6) RR-4870, section 3, and *Steady-state scheduling on heterogeneous clusters: why
and how?*, section 3.1; (8) Banino et al., IEEE TPDS 15(4), equation (7).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

import pyomo.environ as pyo

from steadygrid.domain.platform import arc_uses
from steadygrid.problems.master_worker.schemas import MasterWorkerInstance
from steadygrid.problems.master_worker.sizing import Reach
from workers.solving.terms import Terms, linear

CAPACITIES = ("send", "receive", "half", "link", "out", "in", "medium")
"""The resources that transfers use, by the suffix of their names."""


def build_model(
    instance: MasterWorkerInstance, check: Callable[[], None] = lambda: None
) -> pyo.ConcreteModel:
    """Build program (1)-(11) for the part of the platform that the master reaches.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning, unit
    ================ ===== =========================== =====================================
    ``computed``     Var   processor                   x, tasks per time unit
    ``input_sent``   Var   arc                         f, input files per time unit
    ``output_sent``  Var   arc                         g, output files per time unit
    ``throughput``   Obj                               (1), tasks per time unit
    ``compute``      Con   processor                   (2), share of time
    ``send`` ...     Con   resource name               (3), (4), (8)-(11), share of capacity
    ``input_kept``   Con   processor                   (5), files per time unit
    ``output_kept``  Con   processor                   (6), files per time unit
    ================ ===== =========================== =====================================

    Processors and arcs are indices into the platform's. Always feasible (all zero); bounded
    if the instance has no faults. `check` is called between the steps, and may raise.
    """
    reach = Reach.of(instance)
    model = _without_capacities(instance, reach, check)
    _add_capacities(model, instance, reach, check)
    return model


def build_slot_model(
    instance: MasterWorkerInstance, slots: Sequence[Collection[int]]
) -> pyo.ConcreteModel:
    """Build program (1), (2), (5)-(7), (12), (13) over the given slots.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning, unit
    ================ ===== =========================== =====================================
    ``slot_time``    Var   position in `slots`         lambda, share of time
    ``carried``      Con   arc                         (12), share of time
    ``whole_time``   Con   none                        (13), share of time
    ================ ===== =========================== =====================================

    and the variables and other constraints of `build_model`. Always feasible and bounded.

    Parameters
    ----------
    slots
        Sets of arc indices.
    """
    reach = Reach.of(instance)
    model = _without_capacities(instance, reach)
    model.slot_time = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals, doc="lambda_S")
    _add_carried(model, instance, slots)
    model.whole_time = pyo.Constraint(
        expr=linear([(1, time) for time in model.slot_time.values()]) <= 1
    )
    return model


def build_slot_pricing(
    instance: MasterWorkerInstance, worth: Mapping[int, Fraction]
) -> pyo.ConcreteModel:
    """Build the integer program for the slot that is worth most.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning
    ================ ===== =========================== =====================================
    ``chosen``       Var   arc with positive worth     1 if the slot has the transfer
    ``worth``        Obj                               maximised
    ``one_each``     Con   number                      one send, one receive, one direction
    ================ ===== =========================== =====================================

    Parameters
    ----------
    worth
        Price of (12) by arc index, one of them above 0. In units of the highest: a solver takes
        prices of 1e-9, as seconds and bytes have them, for nothing.
    """
    platform = instance.platform
    highest = max(worth.values())
    model = pyo.ConcreteModel(name="slot_pricing")
    model.chosen = pyo.Var(list(worth), domain=pyo.Binary)
    model.worth = pyo.Objective(
        expr=linear([(price / highest, model.chosen[a]) for a, price in worth.items()]),
        sense=pyo.maximize,
    )
    exclusive: dict[object, list[int]] = defaultdict(list)
    for index in worth:
        arc = platform.arcs[index]
        if not platform.processors[arc.source].switch:
            exclusive["send", arc.source].append(index)
        if not platform.processors[arc.target].switch:
            exclusive["receive", arc.target].append(index)
        if arc.half is not None:
            exclusive["half", arc.link].append(index)
    groups = [group for group in exclusive.values() if len(group) > 1]
    model.one_each = pyo.Constraint(
        range(len(groups)),
        rule=lambda _, k: linear([(1, model.chosen[a]) for a in groups[k]]) <= 1,
    )
    return model


def _without_capacities(
    instance: MasterWorkerInstance, reach: Reach, check: Callable[[], None] = lambda: None
) -> pyo.ConcreteModel:
    """Everything but the limits of links and ports."""
    model = pyo.ConcreteModel(name="master_worker")
    model.computed = pyo.Var(reach.workers, domain=pyo.NonNegativeReals, doc="x_i")
    # (7) is in the index sets: no input arc ends at the master, no output arc leaves it.
    model.input_sent = pyo.Var(
        [arc.index for arc in reach.input_arcs], domain=pyo.NonNegativeReals, doc="f_ij"
    )
    model.output_sent = pyo.Var(
        [arc.index for arc in reach.output_arcs], domain=pyo.NonNegativeReals, doc="g_ij"
    )
    check()
    _add_throughput(model)
    _add_compute_limits(model, instance)
    _add_input_conservation(model, instance, reach)
    check()
    if reach.output_arcs:
        _add_output_conservation(model, instance, reach)
    return model


def _add_throughput(model: pyo.ConcreteModel) -> None:
    """(1): all tasks that are computed."""
    model.throughput = pyo.Objective(
        expr=linear([(1, variable) for variable in model.computed.values()]), sense=pyo.maximize
    )


def _add_compute_limits(model: pyo.ConcreteModel, instance: MasterWorkerInstance) -> None:
    """(2): a processor computes for at most all of the time."""
    times = {i: time for i in model.computed if (time := instance.compute_times[i])}
    model.compute = pyo.Constraint(
        list(times),
        rule=lambda _, i: linear([(times[i], model.computed[i])]) <= 1,
    )


def _add_capacities(
    model: pyo.ConcreteModel,
    instance: MasterWorkerInstance,
    reach: Reach,
    check: Callable[[], None],
) -> None:
    """(3), (4), (8)-(11): one row for each send port, receive port, link, medium, ..."""
    terms: dict[str, dict[str, Terms]] = {suffix: defaultdict(list) for suffix in CAPACITIES}
    for arcs, variables, size in (
        (reach.input_arcs, model.input_sent, instance.task.input_size),
        (reach.output_arcs, model.output_sent, instance.task.output_size),
    ):
        if not size:
            continue
        for arc in arcs:
            check()
            for resource, time in arc_uses(instance.platform, arc, instance.ports):
                rows = terms[resource.rpartition(".")[2]]
                rows[resource].append((time * size, variables[arc.index]))
    for suffix, rows in terms.items():
        check()
        model.add_component(
            suffix,
            pyo.Constraint(list(rows), rule=lambda _, name, rows=rows: linear(rows[name]) <= 1),
        )


def _add_carried(
    model: pyo.ConcreteModel, instance: MasterWorkerInstance, slots: Sequence[Collection[int]]
) -> None:
    """(12): what crosses a link fits into the slots that have it."""
    terms: dict[int, Terms] = defaultdict(list)
    for variables, size in (
        (model.input_sent, instance.task.input_size),
        (model.output_sent, instance.task.output_size),
    ):
        for index in variables if size else ():
            time = size * instance.platform.arcs[index].unit_time
            terms[index].append((time, variables[index]))
    for position, slot in enumerate(slots):
        for index in slot:
            if index in terms:
                terms[index].append((-1, model.slot_time[position]))
    model.carried = pyo.Constraint(list(terms), rule=lambda _, a: linear(terms[a]) <= 0)


def _add_input_conservation(
    model: pyo.ConcreteModel, instance: MasterWorkerInstance, reach: Reach
) -> None:
    """(5): what comes in is computed here or sent on."""
    balance: dict[int, Terms] = defaultdict(list)
    for arc in reach.input_arcs:
        balance[arc.target].append((1, model.input_sent[arc.index]))
        balance[arc.source].append((-1, model.input_sent[arc.index]))
    for i in model.computed:
        balance[i].append((-1, model.computed[i]))
    _add_balance(model, "input_kept", instance, balance)


def _add_output_conservation(
    model: pyo.ConcreteModel, instance: MasterWorkerInstance, reach: Reach
) -> None:
    """(6): what comes in or is made here is sent on."""
    balance: dict[int, Terms] = defaultdict(list)
    for arc in reach.output_arcs:
        balance[arc.target].append((1, model.output_sent[arc.index]))
        balance[arc.source].append((-1, model.output_sent[arc.index]))
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
