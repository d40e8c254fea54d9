r"""How much of a load a star computes per time unit at best, for all messages in any order.

With :math:`\alpha_i` the rate of worker i and :math:`\alpha_0` that of the master,

.. math::
   \rho = \max \sum_i \alpha_i, \quad w_i \alpha_i \le 1, \quad
   \sum_{i > 0} c_i \alpha_i \le 1; \qquad T \ge \frac{1}{\rho} \tag{12}

since the shares of any schedule, over its makespan, are such rates; latencies only add to it. The
optimum serves workers by nondecreasing c while the port has time left. Its prices are :math:`1/c`
of the one whom the port is too busy for and :math:`(1 - c_i / c) / w_i` of those before, over
:math:`\rho`. They sum to 1 and make the load cost :math:`1/\rho` or more at every place.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009, section
1.2.4: Theorem 1.3 for the limit of many rounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.resources import compute_resource, port_resource
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Star


@dataclass(frozen=True)
class Steady:
    """A bound on the makespan of any number of messages.

    Attributes
    ----------
    bound
        (12); 0 where a processor needs no time for any load.
    prices
        By resource: `P1.compute`, and `M.port` of the master. None for a bound of 0.
    """

    bound: Fraction
    prices: Mapping[str, Fraction]


def by_wire(star: Star) -> list[int]:
    """Give the workers by nondecreasing c, ties as they are."""
    return sorted(range(len(star.workers)), key=lambda i: star.workers[i].wire)


def steady_state(star: Star) -> Steady:
    """Compute (12) and its prices; O(p log p)."""
    rate = port = ZERO
    served: list[int] = []
    limit = None
    if star.own is not None:
        if not star.own.work:
            return Steady(ZERO, {})
        rate = 1 / star.own.work
    for i in by_wire(star):
        costs = star.workers[i]
        if not costs.wire and not costs.work:
            return Steady(ZERO, {})
        if port * costs.work + costs.wire > costs.work:
            limit = costs.wire
            rate += (1 - port) / limit
            break
        rate += 1 / costs.work
        port += costs.wire / costs.work
        served.append(i)
    prices = {} if limit is None else {port_resource(star.master): 1 / limit}
    if star.own is not None:
        prices[compute_resource(star.master)] = 1 / star.own.work
    for i in served:
        costs = star.workers[i]
        busy = costs.wire / limit if limit else ZERO
        prices[compute_resource(star.names[i])] = (1 - busy) / costs.work
    return Steady(1 / rate, {name: price / rate for name, price in prices.items() if price})
