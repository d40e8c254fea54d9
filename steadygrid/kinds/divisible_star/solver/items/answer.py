"""The answer of one round of whole items: divisible shares rounded, or the best numbers."""

from collections.abc import Callable
from fractions import Fraction
from math import floor

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.rounding import num_bits
from steadygrid.engine.solver import Solution
from steadygrid.kinds.divisible_star.choice import MOST_WITH_ALL_ORDERS
from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    EnumerationCertificate,
    OrderProof,
    StarGuarantee,
)
from steadygrid.kinds.divisible_star.solver.items.distribution import Dealt, deal, makespan_of
from steadygrid.kinds.divisible_star.solver.one_round.answer import (
    MOST_REPEATED,
    NOTHING_TAKES_TIME,
)
from steadygrid.kinds.divisible_star.solver.rounds.answer import BY_LINK_TIME
from steadygrid.kinds.divisible_star.solver.star.order_free import order_free_bound, truncated
from steadygrid.kinds.divisible_star.solver.star.plan_answer import Claim, plan_answer
from steadygrid.kinds.divisible_star.solver.star.sequence_load import (
    best_alone,
    best_part,
    plan_of,
    slowness,
)
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS

LACKED = {
    "time": "the time was over before the best numbers of items were known",
    "memory": "the search for the best numbers of items would have needed too much memory",
}


def answer_items(
    instance: DivisibleStarInstance, star: Star, method: str, check: Callable[[], None]
) -> Solution:
    """Deal out items by rounding the best divisible shares, or find the best numbers.

    The order is the one given; else all are tried where workers are few, and else it is by link
    time.

    Parameters
    ----------
    instance
        Without faults. Its load consists of items.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    check
        May raise, which ends the search.

    Raises
    ------
    Cancelled
        When cancelled. When the time is over, the best of what is known is the answer.
    """
    items = instance.load.items
    assert items is not None
    divisible = _divisible(star, check)
    start = rounded(divisible, items)
    if method == "rounding":
        latest = makespan_of(star, divisible) + lateness(star, items)
        return _rounded_answer(instance, star, start, latest)
    tries_all = instance.order is None and len(star.workers) <= MOST_WITH_ALL_ORDERS
    dealt = deal(star, items, start, every_order=tries_all, check=check)
    return _dealt_answer(instance, star, dealt, tries_all=tries_all)


def _divisible(star: Star, check: Callable[[], None]) -> Plan:
    """Give the best shares in the order, or one worker everything if there is no time."""
    try:
        best, _ = best_part(star, tuple(range(len(star.workers))), check)
    except OutOfTime:
        best = best_alone(star)
    return plan_of(star, best)


def _order_proof(instance: DivisibleStarInstance, why: OrderProof, *, proved: bool) -> OrderProof:
    return "given" if instance.order is not None else why if proved else "none"


def _rounded_answer(
    instance: DivisibleStarInstance, star: Star, plan: Plan, latest: Fraction
) -> Solution:
    bound = order_free_bound(star, makespan_of(star, plan))
    if num_bits(latest) > LONGEST_BITS:
        latest = truncated(latest * (1 + Fraction(1, 10**15)))
    claim = Claim(
        order=range(len(star.workers)),
        order_proof=_order_proof(instance, "search", proved=bound == makespan_of(star, plan)),
        bound=bound,
        exact=True,
        source="order_free",
        certificate=EnumerationCertificate(nodes=0),
        proved_bound=bound,
        guarantee=StarGuarantee(bound=latest, of="rounding") if _is_guaranteed(star) else None,
        notes=[] if bound else [NOTHING_TAKES_TIME],
    )
    return plan_answer(instance, star, "rounding", plan, claim)


def _is_guaranteed(star: Star) -> bool:
    """Tell whether the divisible optimum, from which plans are rounded, is a closed form."""
    participants = star.workers if star.own is None else [star.own, *star.workers]
    return not star.has_latencies and all(map(slowness, participants))


def _dealt_answer(
    instance: DivisibleStarInstance, star: Star, dealt: Dealt, *, tries_all: bool
) -> Solution:
    """State what was found; in an order that was not asked for, only (10) is a bound."""
    given = instance.order is not None
    order_free = order_free_bound(star, dealt.makespan)
    searched = given or tries_all
    bound = max(dealt.bound, order_free) if searched else order_free
    nodes = dealt.nodes if bound > order_free else 0
    proved = bound == dealt.makespan
    notes = [] if dealt.makespan else [NOTHING_TAKES_TIME]
    if dealt.lacked:
        notes.append(LACKED[dealt.lacked])
    elif not searched and not proved:
        notes.append(BY_LINK_TIME)
    claim = Claim(
        order=[one.worker for one in dealt.plan.messages]
        if tries_all
        else range(len(star.workers)),
        order_proof=_order_proof(instance, "exhaustive" if tries_all else "search", proved=proved),
        bound=bound,
        exact=nodes <= MOST_REPEATED,
        source="search" if bound > order_free else "order_free",
        certificate=EnumerationCertificate(nodes=nodes)
        if nodes <= MOST_REPEATED
        else SearchCertificate(nodes=nodes),
        proved_bound=order_free,
        notes=notes,
    )
    return plan_answer(instance, star, "search", dealt.plan, claim)


def rounded(plan: Plan, items: int) -> Plan:
    """Make the shares of a plan whole multiples of 1/items.

    They are rounded down, and of what that leaves the largest remainders get one item each (ties:
    the master, then in the order of the messages). No processor gets more than one item above its
    share, so all is done later by at most ``(sum of c + greatest w) / items``. A processor that
    waits for a message, or sends one, does so for its own item and those before it. Latencies
    change nothing of that, since no processor pays one that it did not pay before.

    Parameters
    ----------
    plan
        Of one message per worker. Its shares are any fractions.
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
