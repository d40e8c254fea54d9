r"""Which of the messages of several rounds to send, where each takes a time of its own.

For the messages s = 1, ..., N in the order in which they could be sent, with :math:`y_s` whether s
is, and :math:`a_s, e_s, f_s` as in `model_of_messages`:

.. math::

   \min T \tag{1}

   a_0 + \sum_s a_s = 1 \tag{2}

   T \ge W_0 y_0 + w_0 a_0 \tag{3}

   T \ge e_s + f_s \tag{4}

   e_s \ge e_{s-1} + C_{i(s)} y_s + c_{i(s)} a_s, \quad e_0 = 0 \tag{4a}

   f_s \ge f_{s'} + W_{i(s)} y_s + w_{i(s)} a_s \tag{4b}

   a_s \le y_s, \quad y_s \in \{0, 1\} \tag{4c}

Of a message that is not sent, (4) follows from that of the next one of its worker that is, or of
the last one of all. Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous
Platforms*, 2009, section 1.2.4, multi-round with latencies. The binary variables are steadygrid's.
"""

from collections.abc import Sequence
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.divisible_star.solver.star.star import Star


def build_model_of_rounds(star: Star, senders: Sequence[int], unit: Fraction) -> pyo.ConcreteModel:
    """Build program (1)-(4c).

    ============ ===== ======= =========================================
    component    kind  index   meaning, unit
    ============ ===== ======= =========================================
    ``share``    Var   message a, fraction; -1 is the master's
    ``sends``    Var   message y, 0 or 1; -1 is the master's
    ``arrived``  Var   message e, in `unit`
    ``computed`` Var   message f, in `unit`
    ``makespan`` Var           T, in `unit`
    ``goal``     Obj           (1), in `unit`
    ``whole``    Con           (2), fraction
    ``at_home``  Con           (3), in `unit`; where the master computes
    ``done``     Con   message (4), in `unit`
    ``sent``     Con   message (4a), in `unit`
    ``does``     Con   message (4b), in `unit`
    ``some``     Con   message (4c), fraction
    ============ ===== ======= =========================================

    Parameters
    ----------
    senders
        Whom each message goes to, by place in the star.
    unit
        Of time, near the makespan.
    """
    model = pyo.ConcreteModel(name="divisible_star_rounds")
    messages = range(len(senders))
    places = [*messages] if star.own is None else [-1, *messages]
    model.share = pyo.Var(places, domain=pyo.NonNegativeReals, doc="a_s")
    model.sends = pyo.Var(places, domain=pyo.Binary, doc="y_s")
    model.arrived = pyo.Var(messages, domain=pyo.NonNegativeReals, doc="e_s")
    model.computed = pyo.Var(messages, domain=pyo.NonNegativeReals, doc="f_s")
    model.makespan = pyo.Var(domain=pyo.NonNegativeReals, doc="T")
    model.goal = pyo.Objective(expr=linear([(1, model.makespan)]), sense=pyo.minimize)
    model.whole = pyo.Constraint(expr=linear([(1, a) for a in model.share.values()]) == 1)
    if star.own is not None:
        home: Terms = [
            (1, model.makespan),
            (-star.own.work_latency / unit, model.sends[-1]),
            (-star.own.work / unit, model.share[-1]),
        ]
        model.at_home = pyo.Constraint(expr=linear(home) >= 0)
    following = {
        s: next((t for t in messages[s + 1 :] if senders[t] == senders[s]), None) for s in messages
    }

    def sent(_: pyo.ConcreteModel, s: int) -> object:
        costs = star.workers[senders[s]]
        terms: Terms = [
            (1, model.arrived[s]),
            (-costs.wire_latency / unit, model.sends[s]),
            (-costs.wire / unit, model.share[s]),
        ]
        return linear(terms + ([(-1, model.arrived[s - 1])] if s else [])) >= 0

    def does(_: pyo.ConcreteModel, s: int) -> object:
        costs, after = star.workers[senders[s]], following[s]
        terms: Terms = [
            (1, model.computed[s]),
            (-costs.work_latency / unit, model.sends[s]),
            (-costs.work / unit, model.share[s]),
        ]
        return linear(terms + ([] if after is None else [(-1, model.computed[after])])) >= 0

    def done(_: pyo.ConcreteModel, s: int) -> object:
        return linear([(1, model.makespan), (-1, model.arrived[s]), (-1, model.computed[s])]) >= 0

    model.sent = pyo.Constraint(messages, rule=sent)
    model.does = pyo.Constraint(messages, rule=does)
    model.done = pyo.Constraint(messages, rule=done)
    model.some = pyo.Constraint(
        places, rule=lambda _, s: linear([(1, model.sends[s]), (-1, model.share[s])]) >= 0
    )
    return model
