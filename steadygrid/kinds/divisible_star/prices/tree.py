r"""What prices prove of a load on a tree at given orders of sending.

For all shares :math:`a`, the processor i computes until at least

.. math::
   T \ge \sum_{s \text{ towards } i} \sum_{t \le s} c_t A_t + w_i a_i \tag{4}

with :math:`A_t` all that is sent to t, and t before s where both are sent to by one processor.
For prices :math:`\lambda_i \ge 0` that sum to 1, and :math:`\Lambda_t` the sum of those of t and
all behind it,

.. math::
   T \ge \sum_i \lambda_i T \ge \sum_j a_j \Big(w_j \lambda_j
   + \sum_{s \text{ towards } j} c_s \sum_{t \ge s} \Lambda_t\Big)
   \ge \min_j \Big(w_j \lambda_j + \sum_{s \text{ towards } j} c_s \sum_{t \ge s} \Lambda_t\Big)

Where results come back in reverse order, :math:`c_t` is the time there and back in all of this.
Those who were sent to before s return after it, one after the other, and so do the results of
processors on the path to i.
"""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.resources import compute_resource
from steadygrid.kinds.divisible_star.prices.form import PRICES, check_form
from steadygrid.kinds.divisible_star.replay.tree_terms import ZERO, Terms
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

LONG, KEPT = 8_000, 2_000
"""Bits of a denominator that is shortened, and of what is kept of it."""


def check_prices(
    terms: Terms, prices: Mapping[str, Fraction], bound: Fraction, findings: Findings
) -> None:
    """Check that prices prove a bound on the makespan, in time linear in the processors.

    Parameters
    ----------
    terms
        Times by position, in the order of the answer.
    prices
        As the answer has them.
    bound
        Of the makespan, in time units.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ========================================================== ==================
    1  the prices are of constraints and resources, and sum to 1  see `check_form`
    2  no fraction of the load costs less than the bound anywhere `bound_not_proved`
    == ========================================================== ==================

    Rule 1: a price is of a processor that can compute, `P.message1`, or `P.compute` for the master.
    A bound of 0 needs no prices.
    """
    if not bound and not prices:
        return
    names = {
        f"{id_}.message1" if i else compute_resource(id_): i
        for i, id_ in enumerate(terms.ids)
        if terms.work[i] is not None
    }
    check_form(prices, names, findings)
    own = [ZERO] * len(terms.ids)
    for name, i in names.items():
        own[i] = prices.get(name, ZERO)
    sums = terms.below(own)
    cheapest = _cheapest(terms, own, sums)
    if cheapest is None or cheapest < bound:
        findings.add(
            PRICES,
            "bound_not_proved",
            f"The prices prove no more than {show(cheapest or ZERO)}.",
        )


def _cheapest(terms: Terms, own: list[Fraction], sums: list[Fraction]) -> Fraction | None:
    """Give the least cost of the load, computed at one place, from below."""
    sent = [ZERO] * len(terms.ids)
    least: Fraction | None = None
    for i in terms.downwards:
        time = terms.work[i]
        if time is not None:
            cost = sent[i] + time * own[i]
            least = cost if least is None else min(least, cost)
        waiting = ZERO
        for j in reversed(terms.receivers[i]):
            waiting += sums[j]
            sent[j] = _shortened(sent[i] + (terms.wire[j] + terms.back[j]) * waiting)
    return least


def _shortened(value: Fraction) -> Fraction:
    """Round down what is very long, as sums over deep trees can be."""
    bits = value.denominator.bit_length()
    if bits <= LONG:
        return value
    return Fraction(value.numerator >> (bits - KEPT), (value.denominator >> (bits - KEPT)) + 1)
