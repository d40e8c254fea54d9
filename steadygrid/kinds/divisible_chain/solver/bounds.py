r"""Bounds that hold for any number of installments, without a solver.

Give every processor and every link a price, in sum 1. For every choice of processors and paths for
a whole load, what it takes of their time is worth at least

.. math:: c_k = \min_i \Big( u_i w_i^k + \sum_{l < i} v_l c_l^k \Big)

and no processor or link is busy for longer than the makespan: it is at least the sum of the
:math:`c_k`. Prices in inverse proportion to the times of all loads on the first j processors and on
the link behind them make all of these choices worth the same.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.resources import compute_resource, link_resource
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain
from steadygrid.kinds.divisible_chain.solver.goal import Goal


class PricedBound(NamedTuple):
    """A bound on the objective, and the prices that prove it, zeros left out."""

    value: Fraction
    prices: Mapping[str, Fraction]


def best_bound(chain: Chain, goal: Goal, control: Control) -> PricedBound:
    """Give the best of the bounds that the first j processors and their link prove.

    Square in the number of processors, times the loads. Where the time is over, the best so far.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    goal
        What is minimised.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    best = PricedBound(-goal.constant, {})
    for reach in range(1, chain.length + 1):
        try:
            on_processors, on_links = _even_prices(chain, reach)
            loads = control.timed(range(chain.num_loads))
            costs = [_least_cost(chain, k, on_processors, on_links) for k in loads]
        except OutOfTime:
            break
        value = objective_of_costs(chain, goal, costs)
        if value > best.value:
            prices = {compute_resource(chain.ids[i]): price for i, price in on_processors.items()}
            prices |= {
                link_resource(chain.ids[link], chain.ids[link + 1]): price
                for link, price in on_links.items()
            }
            best = PricedBound(value, prices)
    return best if best.value > 0 else PricedBound(ZERO, {})


def _even_prices(chain: Chain, reach: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    weights = {}
    for i in range(reach):
        time = sum((work for work in chain.work[i] if work is not None), ZERO)
        if time:
            weights[i] = 1 / time
    links = {}
    if reach < chain.length and (time := sum(chain.wire[reach - 1], ZERO)):
        links[reach - 1] = 1 / time
    total = sum(weights.values(), ZERO) + sum(links.values(), ZERO)
    if not total:
        return {}, {}
    return (
        {i: weight / total for i, weight in weights.items()},
        {link: weight / total for link, weight in links.items()},
    )


def _least_cost(
    chain: Chain, load: int, on_processors: Mapping[int, Fraction], on_links: Mapping[int, Fraction]
) -> Fraction:
    return min(
        on_processors.get(i, ZERO) * chain.time(i, load)
        + sum(
            (price * chain.wire[link][load] for link, price in on_links.items() if link < i), ZERO
        )
        for i in chain.able(load)
    )


def objective_of_costs(chain: Chain, goal: Goal, costs: Sequence[Fraction]) -> Fraction:
    """Bound the objective where load k keeps resources busy that are worth ``costs[k]``.

    A load is done no earlier than its cost after its release, and all loads that are released no
    earlier than some date are done no earlier than all their costs after it. For completions, the
    loads that are done by some date have cost no more than it: none of the orders in which they
    may be is cheaper than that by cost over weight.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    goal
        What is minimised.
    costs
        Of each load, what it costs at prices of resources, in time units.
    """
    if goal.name == "makespan":
        return max(
            date + sum((c for c, r in zip(costs, chain.released, strict=True) if r >= date), ZERO)
            for date in chain.released
        )
    pairs = list(zip(goal.weights, costs, strict=True))
    alone = sum((w * (r + c) for (w, c), r in zip(pairs, chain.released, strict=True)), ZERO)
    in_turn = worth = ZERO
    for weight, cost in sorted((p for p in pairs if p[0]), key=lambda pair: pair[1] / pair[0]):
        worth += cost
        in_turn += weight * worth
    return max(alone, in_turn) - goal.constant
