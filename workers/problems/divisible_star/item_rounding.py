"""Divisible shares, rounded to whole items."""

from fractions import Fraction
from math import floor

from workers.problems.divisible_star.star import ZERO, Message, Plan, Star


def rounded(plan: Plan, items: int) -> Plan:
    """Make the shares of a plan whole multiples of 1/items.

    They are rounded down, and of what that leaves the largest remainders get one item each (ties:
    the master, then in the order of the messages). Nobody gets an item more than its share, so all
    is done later by at most ``(sum of c + greatest w) / items`` of those that take part.
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


def lateness(star: Star, plan: Plan, items: int) -> Fraction:
    """Bound by how much `rounded` makes a plan later."""
    taking = [star.workers[message.worker] for message in plan.messages]
    own = [star.own.work] if star.own is not None and plan.own else []
    sending = sum((costs.wire for costs in taking), ZERO)
    return (sending + max([*own, *(costs.work for costs in taking)])) / items
