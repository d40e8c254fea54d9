r"""Bounds that hold for any number of installments, without a solver.

Give every processor and every link a price, in sum 1. Whoever computes a whole load, and however
it gets there, what that takes of their time is worth at least

.. math:: c_k = \min_i \Big( u_i w_i^k + \sum_{l < i} v_l c_l^k \Big)

and no processor or link is busy for longer than the makespan: it is at least the sum of the
:math:`c_k`. Prices in inverse proportion to the times of all loads on the first j processors and on
the link behind them make all of these ways worth the same.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from workers.problems.divisible_chain.chain import ZERO, Chain
from workers.problems.divisible_chain.goal import Goal


class PricedBound(NamedTuple):
    """A bound on the objective, and the prices that prove it, zeros left out."""

    value: Fraction
    prices: Mapping[str, Fraction]


def best_bound(chain: Chain, goal: Goal, rounds: int) -> PricedBound:
    """Give the best of the bounds that the first j processors and their link prove.

    Cubic in the number of processors, times the loads.
    """
    best = PricedBound(-goal.constant, {})
    for reach in range(1, chain.length + 1):
        on_processors, on_links = _even_prices(chain, reach)
        costs = [_least_cost(chain, k, on_processors, on_links) for k in range(chain.num_loads)]
        value = objective_of_costs(chain, goal, rounds, costs)
        if value > best.value:
            prices = {f"{chain.ids[i]}.compute": price for i, price in on_processors.items()}
            prices |= {
                f"{chain.ids[link]}->{chain.ids[link + 1]}.link": price
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


def objective_of_costs(chain: Chain, goal: Goal, rounds: int, costs: list[Fraction]) -> Fraction:
    """Bound the objective where load k keeps resources busy that are worth ``costs[k]``.

    A load is done no earlier than its cost after its release. Where all loads pass everywhere in
    order (one round, every processor can compute all of them or none), a load is also done no
    earlier than all from any earlier one to it after the release of that one.
    """
    ordered = rounds == 1 and all(
        all(time is None for time in row) or None not in row for row in chain.work
    )
    completions: list[Fraction] = []
    for load, cost in enumerate(costs):
        start = chain.released[load]
        if ordered and completions:
            start = max(start, completions[-1])
        completions.append(start + cost)
    makespan = max(max(completions), sum(costs, ZERO))
    return goal.value(makespan, completions)
