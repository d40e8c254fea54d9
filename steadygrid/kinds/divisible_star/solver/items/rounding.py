"""Divisible shares, rounded to whole items."""

from fractions import Fraction
from math import floor

from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star


def rounded(plan: Plan, items: int) -> Plan:
    """Make the shares of a plan whole multiples of 1/items.

    They are rounded down, and of what that leaves the largest remainders get one item each (ties:
    the master, then in the order of the messages). No processor gets more than one item above its
    share, so all is done later by at most ``(sum of c + greatest w) / items``: a processor that
    waits for a message, or sends one, does so for its own item and those before it. Latencies
    change nothing of that, since no processor pays one that it did not pay before.

    Parameters
    ----------
    plan
        Of one message per worker; its shares are any fractions.
    items
        Of which the load consists.
    """
    exact = [plan.own * items, *(message.share * items for message in plan.messages)]
    counts = [floor(count) for count in exact]
    by_remainder = sorted(range(len(exact)), key=lambda k: counts[k] - exact[k])
    for k in by_remainder[: items - sum(counts)]:
        counts[k] += 1
    return Plan(
        Fraction(counts[0], items),
        [
            Message(message.worker, 1, Fraction(count, items))
            for message, count in zip(plan.messages, counts[1:], strict=True)
            if count
        ],
    )


def lateness(star: Star, items: int) -> Fraction:
    """Bound by how much `rounded` makes any plan later.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    items
        Of which the load consists.

    Returns
    -------
    Fraction
        In time units.
    """
    own = [] if star.own is None else [star.own.work]
    sending = sum((costs.wire for costs in star.workers), ZERO)
    return (sending + max([*own, *(costs.work for costs in star.workers)])) / items
