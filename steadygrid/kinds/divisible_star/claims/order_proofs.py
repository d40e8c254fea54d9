"""Why no other order of a star is better: which reason an answer has to give."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.job import Outcome
from steadygrid.kinds.divisible_star.replay.star_terms import StarTerms, Times
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.verification.findings import Findings

FOR_ALL_ORDERS = ("order_free", "any_rounds")
"""Sources of bounds that hold in any order. So do all where a worker may get several messages."""


def check_order_proof(
    instance: DivisibleStarInstance,
    terms: StarTerms,
    result: DivisibleStarResult,
    findings: Findings,
) -> None:
    """Check what the orders of an answer are said to stand by.

    Parameters
    ----------
    instance
        Without faults.
    terms
        Times by position, in the order of the answer.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ============================================================= ===================
    1  the order stands by what it can stand by                      `wrong_order_proof`
    2  where that is a theorem, it applies, see `is_best_by_theorem` `no_theorem`
    == ============================================================= ===================

    Rule 1, where the first case that fits decides:

    1. ``given`` where the instance leaves no choice of orders.
    2. ``theorem`` with prices of one message per worker and results, which prove nothing of other
       orders.
    3. ``none`` unless the answer is optimal.
    4. ``bound`` where the bound is for all orders.
    5. ``theorem`` with prices, too.
    6. With another certificate ``search``, or ``exhaustive`` of whole items or results.
    """
    right = _reasons(instance, result)
    if result.order_proof not in right:
        findings.add(
            ("result", "order_proof"),
            "wrong_order_proof",
            f"The order stands by {' or '.join(map(repr, right))}.",
        )
    elif result.order_proof == "theorem" and not is_best_by_theorem(instance, terms):
        findings.add(
            ("result", "order_proof"),
            "no_theorem",
            "No theorem says that these orders are the best: prove it by a search.",
        )


def _reasons(instance: DivisibleStarInstance, result: DivisibleStarResult) -> Sequence[str]:
    chosen = bool(instance.load.return_volume) and instance.return_orders == "any"
    if instance.order is not None and not chosen:
        return ["given"]
    several = instance.rounds > 1 or result.method in ("umr", "periodic")
    priced = result.certificate.type == "lp_duality"
    if priced and not several and instance.load.return_volume:
        return ["theorem"]
    if result.outcome is not Outcome.OPTIMAL:
        return ["none"]
    if several or result.bound_source in FOR_ALL_ORDERS:
        return ["bound"]
    if priced:
        return ["theorem"]
    exhaustible = instance.load.items is not None or bool(instance.load.return_volume)
    return ["search", "exhaustive"] if exhaustible else ["search"]


def is_best_by_theorem(instance: DivisibleStarInstance, terms: StarTerms) -> bool:
    """Tell whether no order of a star with results, of those asked for, is better than these.

    These orders are best without latencies and items, of all processors that compute, where all of
    them are listed:

    1. Last in, first out by nondecreasing c + d. Its best is that of a linear star with c + d.
    2. First in, first out by nondecreasing c, where d = z c for all of them. For z > 1 by
       nonincreasing c.
    3. First in, first out in every order, where all c are equal and all d are. That order is the
       best of all pairs of orders.

    A computing master takes a fraction of the load from the others, whose times are in proportion to
    the rest.

    Parameters
    ----------
    instance
        Without faults.
    terms
        Times by position, in the order of the answer.
    """
    sent = [times for times in terms.times if times is not None]
    if terms.has_latencies or terms.items is not None or not instance.load.return_volume:
        return False
    if len(sent) < len(terms.asked):
        return False
    # By position: results of equal workers may cross, too.
    places = [i for i in terms.returning if terms.times[i] is not None]
    if instance.return_orders != "lifo" and places != sorted(places):
        return False
    back = [terms.times[i] for i in terms.returning]
    returned = [times for times in back if times is not None]
    is_bus = len({(one.c, one.d) for one in sent}) <= 1
    if is_bus and returned == sent and instance.return_orders != "lifo":
        return True
    if instance.order is not None:
        return False
    if instance.return_orders == "lifo":
        return _is_sorted([one.c + one.d for one in sent])
    return instance.return_orders == "fifo" and _is_best_fifo(sent)


def _is_best_fifo(sent: Sequence[Times]) -> bool:
    if any(a.c * b.d != b.c * a.d for a in sent[:1] for b in sent):
        return False
    wires = [one.c for one in sent]
    if any(one.d and not one.c for one in sent):
        return False
    return _is_sorted(wires if all(one.d <= one.c for one in sent) else wires[::-1])


def _is_sorted(times: Sequence[Fraction]) -> bool:
    return all(a <= b for a, b in pairwise(times))
