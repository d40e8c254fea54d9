r"""The best shares where results come back in reverse order, in closed form.

The last one sent to returns first. Within its own row, a worker's message and its result are as one
message of :math:`c + d`, so the star is a linear one without results (see `closed_form`). The order
is the one that is given or by nondecreasing :math:`c + d`. One port for both directions takes no
longer. Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*,
2009, section 1.3.3.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.kinds.divisible_star.solver.star.event_times import events_of
from steadygrid.kinds.divisible_star.solver.star.program import Priced
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.tree.closed_form import (
    LONGEST_BITS,
    TooLongError,
    divide_exactly,
    divide_rounded,
)
from steadygrid.kinds.divisible_star.solver.tree.tree import Division, Tree


def divide_reversed(star: Star, order: Sequence[int], check: Callable[[], None]) -> Priced:
    """Find the best shares of workers that are sent to in an order.

    Where exact numbers are long, shares and prices are rounded, and prove a little less: then the
    makespan is above what the prices prove, see `proved_by`.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    order
        Workers in the order in which they are sent to, by place in the star.
    check
        May raise, which ends the work.
    """
    tree = _tree(star, order)
    try:
        priced = _priced(star, order, tree, divide_exactly(tree, check))
    except TooLongError:
        return _priced(star, order, tree, divide_rounded(tree, check))
    dates = (event.end for event in events_of(star, priced.plan))
    if too_long([priced.makespan, *dates], LONGEST_BITS):
        return _priced(star, order, tree, divide_rounded(tree, check))
    return priced


def proved_by(star: Star, order: Sequence[int], priced: Priced) -> Fraction:
    """Give what the prices prove: the least cost of the load at one place.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    order
        Workers in the order in which they are sent to, by place in the star.
    priced
        Prices at this order.
    """
    tree = _tree(star, order)
    prices = [priced.prices.get(tree.price_name(i), ZERO) for i in range(len(tree.ids))]
    waiting = list(accumulate(reversed(prices)))[::-1]
    return min(
        tree.wire[i] * waiting[i] + work * prices[i]
        for i, work in enumerate(tree.work)
        if work is not None
    )


def _tree(star: Star, order: Sequence[int]) -> Tree:
    folded = star.with_round_trips.workers
    workers = [folded[i] for i in order]
    places = range(len(workers) + 1)
    return Tree(
        [star.master, *(star.names[i] for i in order)],
        [None if star.own is None else star.own.work, *(costs.work for costs in workers)],
        [ZERO, *(costs.wire for costs in workers)],
        [ZERO] * len(places),
        [0] * len(places),
        [places[1:], *([] for _ in workers)],
        places,
    )


def _priced(star: Star, order: Sequence[int], tree: Tree, division: Division) -> Priced:
    own, *shares = division.shares
    messages = [Message(i, 1, share) for i, share in zip(order, shares, strict=True) if share]
    plan = Plan(own, messages, [message.worker for message in reversed(messages)])
    makespan = max(event.end for event in events_of(star, plan))
    prices = {tree.price_name(i): price for i, price in enumerate(division.prices) if price}
    return Priced(plan, makespan, prices)
