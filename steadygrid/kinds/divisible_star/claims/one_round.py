"""What is said of schedules in which a worker gets one message at most, judged anew."""

from fractions import Fraction

from steadygrid.kinds.divisible_star.optimality.enumeration import MOST_STEPS, nothing_is_faster
from steadygrid.kinds.divisible_star.optimality.item_enumeration import (
    MOST_STEPS as MOST_STEPS_OF_ITEMS,
)
from steadygrid.kinds.divisible_star.optimality.item_enumeration import no_items_are_faster
from steadygrid.kinds.divisible_star.optimality.order_free import any_rounds_bound, is_lower_bound
from steadygrid.kinds.divisible_star.optimality.return_orders import (
    MOST_WORKERS,
    nothing_returns_sooner,
    pairs_of_orders,
)
from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, StarTerms, read_times
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

PROVED_BY = {
    "program": ("lp_duality",),
    "order_free": ("enumeration", "none"),
    "any_rounds": ("enumeration", "none"),
    "search": ("enumeration", "search"),
}
"""The certificates of bounds, by their sources."""


def check_one_round(
    instance: DivisibleStarInstance,
    terms: StarTerms,
    result: DivisibleStarResult,
    findings: Findings,
) -> None:
    """Check bounds and guarantees, but for what prices add up to.

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

    == =================================================================== ========================
    1  `any_rounds_bound`, if it is said, is (12) of all who may take part `wrong_any_rounds_bound`
    2  `proved_bound`, if it is said, is one by (10), in order_free        `bound_not_proved`
    3  the source of the bound goes with the certificate                   `wrong_bound_source`
    4  it is (10) or (12) only if these prove as much                      `wrong_bound_source`
    5  an enumeration can be repeated, see `is_proved`                     `not_repeated`
    6  it finds no shorter schedule                                        `bound_not_proved`
    7  a guarantee is that of rounding, and proved                         `guarantee_not_proved`
    8  the makespan keeps it                                               `guarantee_not_kept`
    == =================================================================== ========================
    """
    steady = any_rounds_bound(terms.participants)
    if result.any_rounds_bound not in (None, steady):
        findings.add(
            ("result", "any_rounds_bound"),
            "wrong_any_rounds_bound",
            f"For all messages, the makespan is at least {show(steady)}.",
        )
    if result.proved_bound is not None and not _is_order_free(terms, result.proved_bound):
        findings.add(
            ("result", "proved_bound"),
            "bound_not_proved",
            "More than the whole load may be done within this time, by the bound for all orders.",
        )
    _check_source(terms, steady, result, findings)
    if result.bound is not None and result.certificate.type == "enumeration":
        _check_enumeration(instance, terms, result.bound.value, findings)
    _check_guarantee(terms, result, findings)


def _is_order_free(terms: StarTerms, time: Fraction) -> bool:
    return is_lower_bound(terms.participants, time, sends_or_receives=not terms.two_ports)


def _check_source(
    terms: StarTerms, steady: Fraction, result: DivisibleStarResult, findings: Findings
) -> None:
    source, bound = result.bound_source, result.bound
    if bound is None or result.certificate.type not in PROVED_BY.get(source or "", ()):
        findings.add(
            ("result", "bound_source"),
            "wrong_bound_source",
            f"A bound by {source!r} with a certificate of type {result.certificate.type!r} does not"
            " go with this answer.",
        )
    elif (source == "order_free" and not _is_order_free(terms, bound.value)) or (
        source == "any_rounds" and bound.value > steady
    ):
        findings.add(
            ("result", "bound_source"),
            "wrong_bound_source",
            f"{source!r} proves less than {show(bound.value)}.",
        )


def _check_enumeration(
    instance: DivisibleStarInstance, terms: StarTerms, bound: Fraction, findings: Findings
) -> None:
    at = ("result", "bound")
    proved = is_proved(instance, terms, bound)
    if proved is None:
        findings.add(
            at,
            "not_repeated",
            f"That nothing is faster than {show(bound)} takes too long to repeat: call it a search.",
        )
    elif not proved:
        findings.add(at, "bound_not_proved", f"There are schedules shorter than {show(bound)}.")


def is_proved(
    instance: DivisibleStarInstance,
    terms: StarTerms,
    bound: Fraction,
    most_steps: int | None = None,
) -> bool | None:
    """Tell whether no schedule that is asked about is shorter. None where that takes too long.

    Parameters
    ----------
    most_steps
        Of an enumeration, if not as many as are sensible where it is to be repeated.
    """
    if _is_order_free(terms, bound) or bound <= any_rounds_bound(terms.participants):
        return True
    given_order = instance.order is not None
    steps = MOST_STEPS if most_steps is None else most_steps
    if instance.load.return_volume:
        return _is_proved_with_results(instance, terms, bound, steps)
    if terms.items is None:
        return nothing_is_faster(
            terms.asked,
            terms.own,
            bound,
            given_order=given_order,
            most_steps=steps,
        )
    return no_items_are_faster(
        terms.asked,
        terms.own,
        terms.items,
        bound,
        given_order=given_order,
        most_steps=MOST_STEPS_OF_ITEMS if most_steps is None else most_steps,
    )


def _is_proved_with_results(
    instance: DivisibleStarInstance, terms: StarTerms, bound: Fraction, most_steps: int
) -> bool | None:
    """Tell the same of stars with results: last in, first out in sequences, else in all pairs."""
    given_order = instance.order is not None
    back = instance.return_orders
    if back == "lifo":
        folded = [t._replace(c=t.c + t.d, d=ZERO, C=t.C + t.D, D=ZERO) for t in terms.asked]
        return nothing_is_faster(
            folded, terms.own, bound, given_order=given_order, most_steps=most_steps
        )
    if len(terms.asked) > MOST_WORKERS:
        return None
    listed: str | list[int]
    if isinstance(back, str):
        listed = back
    else:
        times = read_times(instance)
        names = [id_ for id_ in instance.order or times if id_ != instance.master and times[id_]]
        listed = [names.index(id_) for id_ in back if id_ in names]
    pairs = pairs_of_orders(len(terms.asked), listed, order_given=given_order)
    return nothing_returns_sooner(terms.asked, terms.own, bound, pairs, two_ports=terms.two_ports)


def _check_guarantee(terms: StarTerms, result: DivisibleStarResult, findings: Findings) -> None:
    guarantee = result.guarantee
    if guarantee is None:
        return
    rounded = _rounded_at_most(terms)
    if guarantee.of != "rounding" or rounded is None or guarantee.bound < rounded:
        findings.add(
            ("result", "guarantee"),
            "guarantee_not_proved",
            f"The theorem on {guarantee.of!r} does not say {show(guarantee.bound)} here.",
        )
    elif result.makespan is not None and result.makespan > guarantee.bound:
        findings.add(
            ("result", "makespan"),
            "guarantee_not_kept",
            f"The makespan is longer than {show(guarantee.bound)}, which rounding guarantees.",
        )


def _rounded_at_most(terms: StarTerms) -> Fraction | None:
    r"""Bound the makespan after rounding: :math:`T + (\sum c_i + \max w_i) / N`.

    T is the makespan of fractions at the order of the answer, :math:`1 / S` by (7). None where
    latencies or a processor that needs no time leave no such bound.
    """
    sent = [times for times in terms.times if times is not None]
    takers = sent if terms.own is None else [terms.own, *sent]
    if terms.items is None or terms.has_latencies or not all(one.unit for one in takers):
        return None
    rate = ZERO
    for one in reversed(takers):
        rate = max(rate, (1 + one.w * rate) / one.unit)
    longest = sum((one.c for one in sent), ZERO) + max(one.w for one in takers)
    return 1 / rate + longest / terms.items
