r"""What prices prove of a load on a star, at given orders of messages and results.

For the messages s = 1, 2, ... in the order in which they are sent, i(s) the worker and
:math:`a_s` the share, and :math:`\sigma`, :math:`\tau` the orders of messages and results,

.. math::
   T &\ge W_0 + w_0 a_0 \tag{3} \\
   T &\ge \sum_{t \le s} (C_{i(t)} + c_{i(t)} a_t)
      + \sum_{t \ge s, i(t) = i(s)} (W_{i(t)} + w_{i(t)} a_t)
      + \sum_{t: \tau(t) \ge \tau(s)} (D_{i(t)} + d_{i(t)} a_t) \tag{4, 5} \\
   T &\ge \sum_t (C_{i(t)} + D_{i(t)} + (c_{i(t)} + d_{i(t)}) a_t) \tag{6}

the last where the master has one port for both. Rows with prices that sum to 1 add up to a bound:
the latencies in them, and the least that the whole load costs at one place.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from steadygrid.domain.resources import compute_resource, port_resource
from steadygrid.kinds.divisible_star.prices.form import PRICES, check_form
from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, StarTerms, Times
from steadygrid.kinds.divisible_star.replay.timeline import Messages
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

Message = tuple[int, int]


def prices_hold_for_all_participants(terms: StarTerms) -> bool:
    """Tell whether the rows hold for every schedule at these orders, with any participants.

    With latencies, who gets nothing pays none. And where the master sends and receives at once and
    results come back neither as sent nor in reverse order, (5) of a worker that gets nothing is
    no rule. Those who compute nothing stand in orders without meaning.
    """
    order = [i for i, times in enumerate(terms.times) if times is not None]
    back = [i for i in terms.returning if terms.times[i] is not None]
    simple = back in ([], order, order[::-1])
    return not terms.has_latencies and (simple or not terms.two_ports)


def priced_messages(terms: StarTerms, sent: Messages) -> list[Message]:
    """List the messages to which the rows apply: all that could be sent, if that costs nothing.

    Only those sent are priced unless `prices_hold_for_all_participants`: the shares are the best for these.

    Parameters
    ----------
    terms
        Times by position, in the order of the answer.
    sent
        Share by round and position in the order, as the answer sends them.
    """
    if not prices_hold_for_all_participants(terms):
        return list(sent)
    return [
        (number, i)
        for number in range(1, terms.rounds + 1)
        for i in range(len(terms.ids))
        if terms.times[i] is not None
    ]


def check_star_prices(
    terms: StarTerms,
    own: Fraction,
    sent: Messages,
    prices: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices prove a bound at these orders, in time linear in the messages.

    Parameters
    ----------
    terms
        Times by position, in the order of the answer.
    own
        Fraction of the load that the master computes.
    sent
        Share by round and position in the order, as the answer sends them.
    prices
        As the answer has them.
    bound
        Of the makespan, in time units.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ============================================================ ==================
    1  the prices are of constraints and resources, and sum to 1    see `check_form`
    2  latencies and the least cost of the load add up to the bound `bound_not_proved`
    == ============================================================ ==================

    Rule 1: a price is of a message, `P.message2`, of `M.compute` of a master that computes, or of
    `M.port` where it has one port for messages and results. A bound of 0 needs no prices.
    """
    if not bound and not prices:
        return
    messages = priced_messages(terms, sent)
    names = {terms.named(message) for message in messages}
    if terms.own is not None and (own or not terms.own.W):
        names.add(compute_resource(terms.master))
    if terms.returning and not terms.two_ports:
        names.add(port_resource(terms.master))
    check_form(prices, names, findings)
    proved = _proved(terms, own, messages, prices)
    if proved is None or proved < bound:
        findings.add(
            PRICES, "bound_not_proved", f"The prices prove no more than {show(proved or ZERO)}."
        )


def _proved(
    terms: StarTerms, own: Fraction, messages: Sequence[Message], prices: Mapping[str, Fraction]
) -> Fraction | None:
    """Add up latencies in the rows, and the least cost of the load. None if none can take it."""
    at_master = prices.get(compute_resource(terms.master), ZERO)
    at_port = ZERO if terms.two_ports else prices.get(port_resource(terms.master), ZERO)
    latencies = ZERO
    least: list[Fraction] = []
    if terms.own is not None and (own or not terms.own.W):
        latencies += terms.own.W * at_master
        least.append(terms.own.w * at_master)
    priced = [prices.get(terms.named(message), ZERO) for message in messages]
    returned = _before_in_returns(terms, messages, priced)
    for (_, i), sending, computing, returning in zip(
        messages,
        _suffixes(priced),
        _so_far_by_worker(messages, priced),
        returned,
        strict=True,
    ):
        times = terms.times[i]
        assert times is not None
        latencies += times.C * sending + times.W * computing + times.D * returning
        latencies += (times.C + times.D) * at_port
        least.append(_cost(times, sending + at_port, computing, returning + at_port))
    return latencies + min(least) if least else None


def _cost(times: Times, sending: Fraction, computing: Fraction, returning: Fraction) -> Fraction:
    return times.c * sending + times.w * computing + times.d * returning


def _suffixes(priced: Sequence[Fraction]) -> list[Fraction]:
    return list(accumulate(reversed(priced)))[::-1]


def _so_far_by_worker(
    messages: Sequence[Message], priced: Sequence[Fraction]
) -> Iterator[Fraction]:
    so_far: dict[int, Fraction] = {}
    for (_, i), price in zip(messages, priced, strict=True):
        so_far[i] = so_far.get(i, ZERO) + price
        yield so_far[i]


def _before_in_returns(
    terms: StarTerms, messages: Sequence[Message], priced: Sequence[Fraction]
) -> list[Fraction]:
    """Sum up, for each message, the prices of those whose results come back no later."""
    if not terms.returning:
        return [ZERO] * len(messages)
    by_worker = {i: price for (_, i), price in zip(messages, priced, strict=True)}
    sums = dict(
        zip(
            terms.returning,
            accumulate(by_worker.get(i, ZERO) for i in terms.returning),
            strict=True,
        )
    )
    return [sums[i] for _, i in messages]
