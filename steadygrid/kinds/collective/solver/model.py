r"""The linear program of messages that differ: scatter, gather, all to all.

All messages with one end s in common are one flow: of each, :math:`d_{s,i}` units of data have their
other end at :math:`P_i`. Per time unit there are :math:`\rho` operations, and :math:`f^s_e` units
of data of them on the link :math:`e = (i, j)`. Let :math:`a_{re}` be the time of resource r that
one unit takes on e (a port, a link, a medium; see `arc_uses`):

.. math::

   \max \rho \tag{2}

   \sum_{e = (j, i)} f^s_e - \sum_{e = (i, j)} f^s_e = d_{s,i} \, \rho \quad \forall s, i \ne s \tag{3}

   f^s_e = 0 \quad \text{into } s \tag{4}

   \sum_e a_{re} \sum_s f^s_e \le 1 \quad \forall r \tag{5}

Where all messages end at s (gather), links are read backwards in (3) and (4). Under
``send_or_receive`` and ``no_overlap`` (5) holds for odd sets of processors, too. The program has
those that were found to matter.

Feasible (all zero); bounded, as some message has a size, and every link takes time of a resource.
Messages of size 0 are not in the program: they need a route, but no time.

Source: *Steady-state scheduling on heterogeneous clusters: why and how?*, section 3.2, SSPS(G), and
Legrand, Marchal, Robert, RR-4872, section 3: one flow per message there. Those from one processor can
be told apart again, since what arrives where tells which they are. (3) does not hold at the source and
leaves a message at its receiver.
"""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.collective.solver.grouped_messages import Network


def build_model(network: Network, check: Callable[[], None] = lambda: None) -> pyo.ConcreteModel:
    """Build program (2)-(5).

    ============== ===== ======================= =========================================
    component      kind  index                   meaning, unit
    ============== ===== ======================= =========================================
    ``flow``       Var   series, arc             f, units of data per time unit
    ``rate``       Var                           rho, operations per time unit
    ``throughput`` Obj                           (2), operations per time unit
    ``kept``       Con   series, processor       (3), units of data per time unit
    ``capacity``   Con   resource name           (5), share of time
    ============== ===== ======================= =========================================

    Series are positions in those of `network`, arcs and processors indices into the platform's.
    `check` is called between the steps, and may raise.

    Parameters
    ----------
    network
        The part of the platform that messages may use, with the messages by their common ends.
    check
        Called between the steps; may raise, which ends the work.
    """
    model = pyo.ConcreteModel(name="collective")
    # (4) is in the index set: no flow enters its root.
    model.flow = pyo.Var(
        [
            (s, arc.index)
            for s, series in enumerate(network.series)
            for arc in network.arcs
            if series.ends(arc)[1] != series.root
        ],
        domain=pyo.NonNegativeReals,
        doc="f^s_e",
    )
    model.rate = pyo.Var(domain=pyo.NonNegativeReals, doc="rho")
    model.throughput = pyo.Objective(expr=linear([(1, model.rate)]), sense=pyo.maximize)
    check()
    _add_conservation(model, network)
    check()
    _add_capacities(model, network)
    return model


def _add_conservation(model: pyo.ConcreteModel, network: Network) -> None:
    """(3): what enters a processor leaves it, but for what is for it."""
    balance: dict[tuple[int, int], Terms] = defaultdict(list)
    arcs = network.platform.arcs
    for (s, index), flow in model.flow.items():
        series = network.series[s]
        near, far = series.ends(arcs[index])
        balance[s, far].append((1, flow))
        if near != series.root:
            balance[s, near].append((-1, flow))
    for s, series in enumerate(network.series):
        for end, message in series.messages.items():
            if message.size:
                balance[s, end].append((-message.size, model.rate))
    model.kept = pyo.Constraint(list(balance), rule=lambda _, s, i: linear(balance[s, i]) == 0)


def _add_capacities(model: pyo.ConcreteModel, network: Network) -> None:
    """(5): no resource is busy for more than all of the time."""
    terms: dict[str, Terms] = defaultdict(list)
    arcs = network.platform.arcs
    for (_, index), flow in model.flow.items():
        for resource, time in network.uses(arcs[index]):
            terms[resource].append((Fraction(time), flow))
    model.capacity = pyo.Constraint(list(terms), rule=lambda _, name: linear(terms[name]) <= 1)
