r"""The mixed-integer program of the orders of a star that sends results back.

This is without latencies, under one port for both directions, within one unit of time. Let
:math:`b_i` be the time that worker i is busy, :math:`q_i = c_i + w_i + d_i`, and :math:`b_i / q_i`
its share. :math:`u_{ij} = 1` where i is sent to before j, and :math:`v_{ij} = 1` where i returns
before j:

.. math::

   \max \sum_i b_i / q_i \tag{1}

   b_i + \sum_{j \ne i} (x_{ij} + y_{ij}) \le 1 \tag{5}

   \sum_i \frac{c_i + d_i}{q_i} b_i \le 1 \tag{6}

   x_{ij} \ge \frac{c_j}{q_j} (b_j - 1 + u_{ji}), \quad
   y_{ij} \ge \frac{d_j}{q_j} (b_j - 1 + v_{ij}) \tag{7}

   u_{ij} + u_{ji} = 1, \quad u_{ij} + u_{jk} + u_{ki} \le 2, \quad \text{and so for } v \tag{8}

(5) of a worker that gets nothing follows from (6), so that all workers have their rows. As sent
(`fifo`), v is u. Program (5), (6) of `bases` with variables for the orders. The linearisation is
steadygrid's.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

import pyomo.core as pyo

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import (
    MixedIntegerSolution,
    SearchTree,
    search_mixed_integer,
)
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.divisible_star.solver.results.bases import time_of
from steadygrid.kinds.divisible_star.solver.results.orders_search import Pair
from steadygrid.kinds.divisible_star.solver.star.star import Star

Signed = tuple[int, tuple[int, int]]


def search_orders(
    star: Star, workers: Sequence[int], start: Pair, control: Control, *, fifo: bool
) -> tuple[Pair | None, SearchTree]:
    """Search for the best pair of orders of some workers, all of whose times are above 0.

    Parameters
    ----------
    start
        Orders of some of them, to begin with.

    Returns
    -------
    The best pair of orders found, of those that take part, and what is known of the search. Its
    objective is (1) over the greatest :math:`1 / q_i`.

    Raises
    ------
    Cancelled, OutOfTime, SolverError
        As `search_mixed_integer`.
    """
    model = build_model(star, workers, fifo=fifo)
    _begin_with(model, workers, start)
    tree = search_mixed_integer(model, control, warm=True)
    return (None if tree.best is None else _pair(model, workers, tree.best)), tree


def build_model(star: Star, workers: Sequence[int], *, fifo: bool) -> pyo.ConcreteModel:
    """Build program (1)-(8).

    ============ ===== ======================= ==================================
    component    kind  index                   meaning, unit
    ============ ===== ======================= ==================================
    ``busy``     Var   worker                  b, time
    ``sent``     Var   worker < worker         u, 0 or 1
    ``returned`` Var   worker < worker         v, 0 or 1; not with `fifo`
    ``wire``     Var   ordered pair of workers x, time
    ``back``     Var   ordered pair of workers y, time
    ``goal``     Obj                           (1), over the greatest 1/q
    ``done``     Con   worker                  (5), time
    ``port``     Con                           (6), time
    ``before``   Con   ordered pair of workers (7), time
    ``after``    Con   ordered pair of workers (7), time
    ``turns``    Con   order, three workers    (8)
    ============ ===== ======================= ==================================

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    workers
        Those that all take part, by place in the star.
    fifo
        Whether results come back in the order of sending.
    """
    model = pyo.ConcreteModel(name="divisible_star_orders")
    costs = {i: star.workers[i] for i in workers}
    total = {i: time_of(costs[i]) for i in workers}
    pairs = list(permutations(workers, 2))
    halves = list(combinations(workers, 2))
    model.busy = pyo.Var(workers, bounds=(0, 1), doc="b_i")
    model.sent = pyo.Var(halves, domain=pyo.Binary, doc="u_ij")
    model.returned = pyo.Var([] if fifo else halves, domain=pyo.Binary, doc="v_ij")
    model.wire = pyo.Var(pairs, bounds=(0, 1), doc="x_ij")
    model.back = pyo.Var(pairs, bounds=(0, 1), doc="y_ij")
    fastest = min(total.values())
    model.goal = pyo.Objective(
        expr=linear([(fastest / total[i], model.busy[i]) for i in workers]), sense=pyo.maximize
    )

    def done(_: pyo.ConcreteModel, i: int) -> object:
        others = [j for j in workers if j != i]
        terms: Terms = [(1, model.busy[i])]
        terms += [(1, model.wire[i, j]) for j in others]
        terms += [(1, model.back[i, j]) for j in others]
        return linear(terms) <= 1

    model.done = pyo.Constraint(workers, rule=done)
    model.port = pyo.Constraint(
        expr=linear([((costs[i].wire + costs[i].back) / total[i], model.busy[i]) for i in workers])
        <= 1
    )

    def before(_: pyo.ConcreteModel, i: int, j: int) -> object:
        share = costs[j].wire / total[j]
        return _held(model.wire[i, j], model.busy[j], model.sent, (j, i), share)

    def after(_: pyo.ConcreteModel, i: int, j: int) -> object:
        share = costs[j].back / total[j]
        of_order = model.sent if fifo else model.returned
        return _held(model.back[i, j], model.busy[j], of_order, (i, j), share)

    model.before = pyo.Constraint(pairs, rule=before)
    model.after = pyo.Constraint(pairs, rule=after)
    model.turns = pyo.ConstraintList()
    for of_order in (model.sent, *(() if fifo else (model.returned,))):
        for i, j, k in permutations(workers, 3):
            if i < j and i < k:
                signs = [_signed(pair) for pair in ((i, j), (j, k), (k, i))]
                backwards = sum(sign < 0 for sign, _ in signs)
                terms: Terms = [(sign, of_order[pair]) for sign, pair in signs]
                model.turns.add(linear(terms) <= 2 - backwards)
    return model


def _signed(pair: tuple[int, int]) -> Signed:
    """Write u_ij by the variable that there is: itself, or 1 - u_ji."""
    i, j = pair
    return (1, pair) if i < j else (-1, (j, i))


def _held(
    time: object, busy: object, of_order: pyo.Var, pair: tuple[int, int], share: Fraction
) -> object:
    """(7): a time of the share of what one is busy, if it is before the other."""
    sign, half = _signed(pair)
    terms: Terms = [(1, time), (-share, busy), (-sign * share, of_order[half])]
    return linear(terms) >= (-share if sign > 0 else 0)


def _begin_with(model: pyo.ConcreteModel, workers: Sequence[int], start: Pair) -> None:
    """Give the variables of the orders the values of a start; HiGHS finds the others."""
    for of_order, order in zip((model.sent, model.returned), start, strict=True):
        place = {i: at for at, i in enumerate([*order, *(i for i in workers if i not in order)])}
        for i, j in of_order:
            of_order[i, j].set_value(int(place[i] < place[j]))


def _pair(model: pyo.ConcreteModel, workers: Sequence[int], solution: MixedIntegerSolution) -> Pair:
    busy = solution.values_of(model.busy)
    taking = [i for i in workers if busy.get(i, 0.0) > 0]
    sent = solution.values_of(model.sent)
    returned = solution.values_of(model.returned) if len(model.returned) else sent
    return _in_order(taking, sent), _in_order(taking, returned)


def _in_order(taking: Iterable[int], first: dict[tuple[int, int], float]) -> tuple[int, ...]:
    """Sort by how many come later."""
    members = list(taking)
    later = dict.fromkeys(members, 0)
    for i, j in combinations(members, 2):
        later[i if first.get((i, j), 0.0) > 0.5 else j] += 1
    return tuple(sorted(members, key=lambda i: -later[i]))
