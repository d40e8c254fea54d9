r"""What is said of schedules in which a worker may get several messages, judged anew.

For all messages in any order, within the makespan T the port is busy for
:math:`\sum c_i a_i` or longer, a worker for :math:`w_i a_i` and the master for :math:`w_0 a_0`.
With prices of these resources that sum to 1,

.. math::
   T \ge \min\Big(\lambda_0 w_0, \min_i (\lambda_{port} c_i + \lambda_i w_i)\Big)

and the best of these is (12), see `order_free.any_rounds_bound`. By Theorem 1.5 of the source no
schedule takes less than half of the best with one message per worker. If no such schedule is
shorter than 2 B, by (10), no schedule at all is shorter than B. By Theorem 1.4, with L the sum of
all latencies and B = (12), the best periodic schedule takes at most :math:`B + B L / x + 2 x + 2 L`
for every x > 0, whose least value is :math:`B + 2 L + \sqrt{8 B L}`.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.resources import compute_resource, port_resource
from steadygrid.kinds.divisible_star.optimality.order_free import any_rounds_bound, is_lower_bound
from steadygrid.kinds.divisible_star.prices.form import PRICES, check_form
from steadygrid.kinds.divisible_star.replay.star_terms import BY_RULE, ZERO, StarTerms, Times
from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

PROVED_BY = {
    "program": "lp_duality",
    "any_rounds": "lp_duality",
    "theorem": "enumeration",
    "search": "search",
}
"""The certificates of bounds, by their sources."""


def has_several_rounds(instance: DivisibleStarInstance, result: DivisibleStarResult) -> bool:
    """Tell whether a worker may get several messages.

    Parameters
    ----------
    instance
        Without faults.
    result
        Its method is asked about.
    """
    return instance.rounds > 1 or result.method in BY_RULE


def check_several_rounds(
    instance: DivisibleStarInstance,
    terms: StarTerms,
    result: DivisibleStarResult,
    findings: Findings,
) -> None:
    """Check bounds and guarantees, but for prices of the messages at a given order.

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

    == ==================================================================== ========================
    1  the order lists all who may take part                                `wrong_order`
    2  `any_rounds_bound` is (12)                                           `wrong_any_rounds_bound`
    3  there is no `proved_bound`: it would hold for one message per worker `wrong_proved_bound`
    4  the bound has a source, with the certificate that goes with it       `wrong_bound_source`
    5  of the program or a search it has the only order, or a given one,    `wrong_bound_source`
       and a method that does not choose its rounds
    6  a bound by (12) has prices of resources                              see `check_form`
    7  these prove the bound                                                `bound_not_proved`
    8  a theorem proves it where half of (10) is as much                    `bound_not_proved`
    9  the guarantee of periodic schedules goes with the method             `wrong_guarantee`
       ``periodic``, and no other does
    10 a guarantee is what its theorem says, and that of ``periodic`` is    `guarantee_not_proved`
       kept
    == ==================================================================== ========================
    """
    stars = terms.participants
    if sum(times is not None for times in terms.times) < len(terms.asked):
        findings.add(
            ("result", "order"), "wrong_order", "It leaves out processors that may take part."
        )
    steady = any_rounds_bound(stars)
    if result.any_rounds_bound != steady:
        findings.add(
            ("result", "any_rounds_bound"),
            "wrong_any_rounds_bound",
            f"For all messages, the makespan is at least {show(steady)}.",
        )
    if result.proved_bound is not None:
        findings.add(
            ("result", "proved_bound"),
            "wrong_proved_bound",
            "It holds for one message per worker, and there may be several.",
        )
    _check_source(instance, terms, stars, result, findings)
    _check_guarantee(stars, steady, result, findings)


def _check_source(
    instance: DivisibleStarInstance,
    terms: StarTerms,
    stars: Sequence[Times],
    result: DivisibleStarResult,
    findings: Findings,
) -> None:
    source, bound = result.bound_source, result.bound
    at_order = source in ("program", "search")
    has_order = instance.order is not None or terms.one_order
    if (
        result.certificate.type != PROVED_BY.get(source or "")
        or bound is None
        or (at_order and not (has_order and result.method not in BY_RULE))
    ):
        findings.add(
            ("result", "bound_source"),
            "wrong_bound_source",
            f"A bound by {source!r} with a certificate of type {result.certificate.type!r} does not"
            " go with this answer.",
        )
        return
    if source == "any_rounds":
        _check_prices_of_resources(terms, result.certificate.prices, bound.value, findings)
    if source == "theorem" and not is_lower_bound(stars, 2 * bound.value):
        findings.add(
            ("result", "bound"),
            "bound_not_proved",
            "Half of a bound on one message per worker does not prove it.",
        )


def _check_prices_of_resources(
    terms: StarTerms, prices: Mapping[str, Fraction], bound: Fraction, findings: Findings
) -> None:
    if not bound and not prices:
        return
    known = {port_resource(terms.master)}
    port = prices.get(port_resource(terms.master), ZERO)
    costs: list[Fraction] = []
    for id_, times, wire in (
        (terms.master, terms.own, ZERO),
        *((id_, times, port) for id_, times in zip(terms.ids, terms.times, strict=True)),
    ):
        if times is not None:
            known.add(compute_resource(id_))
            costs.append(times.c * wire + times.w * prices.get(compute_resource(id_), ZERO))
    check_form(prices, known, findings)
    if min(costs) < bound:
        findings.add(
            PRICES, "bound_not_proved", f"The prices prove no more than {show(min(costs))}."
        )


def _check_guarantee(
    stars: Sequence[Times], steady: Fraction, result: DivisibleStarResult, findings: Findings
) -> None:
    guarantee = result.guarantee
    if guarantee is None:
        return
    if (guarantee.of == "periodic") != (result.method == "periodic"):
        findings.add(
            ("result", "guarantee"),
            "wrong_guarantee",
            "The guarantee of periodic schedules goes with the method periodic, no other does.",
        )
    holds = (
        _is_guaranteed(stars, steady, guarantee.bound)
        and result.makespan is not None
        and result.makespan <= guarantee.bound
        if guarantee.of == "periodic"
        else guarantee.of == "single_round" and is_lower_bound(stars, 2 * guarantee.bound)
    )
    if not holds:
        findings.add(
            ("result", "guarantee", "bound"),
            "guarantee_not_proved",
            f"The theorem on {guarantee.of!r} does not say {show(guarantee.bound)}.",
        )


def _is_guaranteed(stars: Sequence[Times], steady: Fraction, bound: Fraction) -> bool:
    """Tell whether some x makes the bound of Theorem 1.4 at most this one, without the root."""
    latencies = sum((times.C + times.W for times in stars), ZERO)
    more = bound - steady - 2 * latencies
    return more >= 0 and more * more >= 8 * steady * latencies
