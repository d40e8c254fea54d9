r"""The linear program of the shares of a load on a star, at given messages and results.

Messages s = 1, ..., N are numbered in the order in which they are sent:

* :math:`i(s)`: the worker, and :math:`a_s`: the share
* :math:`e_s`: the date at which s has arrived
* :math:`f_s`: the time that its worker computes from s on
* :math:`g_i`: the time from the start of the result of i to the end of the last one.

.. math::

   \min T \tag{1}

   a_0 + \sum_s a_s = 1 \tag{2}

   T \ge W_0 + w_0 a_0 \tag{3}

   T \ge e_s + f_s + g_{i(s)} \tag{4, 5}

   T \ge e_N + g_{\tau(1)} \tag{6}

   e_s \ge e_{s-1} + C_{i(s)} + c_{i(s)} a_s, \quad e_0 = 0 \tag{4a}

   f_s \ge f_{s'} + W_{i(s)} + w_{i(s)} a_s \tag{4b}

   g_i \ge g_{i'} + D_i + d_i \sum_{s: i(s) = i} a_s \tag{5a}

with s' the next message of the same worker, i' whose result comes next, and nothing in their place
for the last; (6) only where the master has one port for both. With (4a), (4b) and (5a) put in,
(4)-(6) are the rows of `steadygrid.kinds.divisible_star.prices.star`, and have their prices.

Always feasible, since all messages could be empty but one. Source: Gallet, *Steady-State Scheduling
of Task Graphs onto Heterogeneous Platforms*, 2009, programs (1.5) and (1.7), with results, latencies
and shares that sum to 1.
"""

from collections.abc import Sequence
from itertools import pairwise

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.divisible_star.solver.star.star import Star


def build_model(
    star: Star, senders: Sequence[int], returns: Sequence[int], *, own: bool
) -> pyo.ConcreteModel:
    """Build program (1)-(6).

    ============ ===== ==================== ==================================
    component    kind  index                meaning, unit
    ============ ===== ==================== ==================================
    ``share``    Var   message              a, fraction of the load
    ``own``      Var                        a_0; fixed to 0 without the master
    ``arrived``  Var   message              e, time
    ``computed`` Var   message              f, time
    ``returned`` Var   worker               g, time
    ``makespan`` Var                        T, time
    ``goal``     Obj                        (1), time
    ``whole``    Con                        (2), fraction
    ``at_home``  Con                        (3), time
    ``done``     Con   message              (4), (5), time
    ``port``     Con                        (6), time
    ============ ===== ==================== ==================================

    Parameters
    ----------
    senders
        Whom each message goes to, by place in the star.
    returns
        Workers in the order of their results; empty without results.
    own
        Whether the master computes a part.
    """
    model = pyo.ConcreteModel(name="divisible_star_messages")
    messages = range(len(senders))
    model.share = pyo.Var(messages, domain=pyo.NonNegativeReals, doc="a_s")
    model.own = pyo.Var(domain=pyo.NonNegativeReals, doc="a_0")
    model.arrived = pyo.Var(messages, domain=pyo.Reals, doc="e_s")
    model.computed = pyo.Var(messages, domain=pyo.Reals, doc="f_s")
    model.returned = pyo.Var(returns, domain=pyo.Reals, doc="g_i")
    model.makespan = pyo.Var(domain=pyo.Reals, doc="T")
    model.goal = pyo.Objective(expr=linear([(1, model.makespan)]), sense=pyo.minimize)
    shares: Terms = [(1, share) for share in model.share.values()]
    model.whole = pyo.Constraint(expr=linear(shares + ([(1, model.own)] if own else [])) == 1)
    if own and star.own is not None:
        home: Terms = [(1, model.makespan), (-star.own.work, model.own)]
        model.at_home = pyo.Constraint(expr=linear(home) >= star.own.work_latency)
    _add_messages(model, star, senders)
    _add_returns(model, star, senders, returns)
    return model


def _add_messages(model: pyo.ConcreteModel, star: Star, senders: Sequence[int]) -> None:
    """(4), (4a), (4b)."""
    following: dict[int, int] = {}
    after: dict[int, int] = {}
    for s in reversed(range(len(senders))):
        if senders[s] in following:
            after[s] = following[senders[s]]
        following[senders[s]] = s

    def sent(_: pyo.ConcreteModel, s: int) -> object:
        costs = star.workers[senders[s]]
        terms: Terms = [(1, model.arrived[s]), (-costs.wire, model.share[s])]
        terms += [(-1, model.arrived[s - 1])] if s else []
        return linear(terms) >= costs.wire_latency

    def computing(_: pyo.ConcreteModel, s: int) -> object:
        costs = star.workers[senders[s]]
        terms: Terms = [(1, model.computed[s]), (-costs.work, model.share[s])]
        terms += [(-1, model.computed[after[s]])] if s in after else []
        return linear(terms) >= costs.work_latency

    def done(_: pyo.ConcreteModel, s: int) -> object:
        terms: Terms = [(1, model.makespan), (-1, model.arrived[s]), (-1, model.computed[s])]
        terms += [(-1, model.returned[senders[s]])] if senders[s] in model.returned else []
        return linear(terms) >= 0

    model.sent = pyo.Constraint(range(len(senders)), rule=sent)
    model.computing = pyo.Constraint(range(len(senders)), rule=computing)
    model.done = pyo.Constraint(range(len(senders)), rule=done)


def _add_returns(
    model: pyo.ConcreteModel, star: Star, senders: Sequence[int], returns: Sequence[int]
) -> None:
    """(5a), (6)."""
    after = dict(pairwise(returns))
    of_worker: dict[int, Terms] = {}
    for s, i in enumerate(senders):
        of_worker.setdefault(i, []).append((-star.workers[i].back, model.share[s]))

    def returning(_: pyo.ConcreteModel, i: int) -> object:
        terms: Terms = [(1, model.returned[i]), *of_worker[i]]
        terms += [(-1, model.returned[after[i]])] if i in after else []
        return linear(terms) >= star.workers[i].back_latency

    model.returning = pyo.Constraint(returns, rule=returning)
    if returns and not star.two_ports:
        whole: Terms = [
            (1, model.makespan),
            (-1, model.arrived[len(senders) - 1]),
            (-1, model.returned[returns[0]]),
        ]
        model.port = pyo.Constraint(expr=linear(whole) >= 0)
