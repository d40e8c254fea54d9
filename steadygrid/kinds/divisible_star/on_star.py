"""Judging the answer of a load on a star: rounds, results, items, times that latencies add."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.timeline import Event
from steadygrid.kinds.divisible_star.claims.one_round import check_one_round
from steadygrid.kinds.divisible_star.claims.order_proofs import check_order_proof
from steadygrid.kinds.divisible_star.claims.referee_word import check_word
from steadygrid.kinds.divisible_star.claims.several_rounds import (
    check_several_rounds,
    has_several_rounds,
)
from steadygrid.kinds.divisible_star.prices.star import (
    check_star_prices,
    prices_hold_for_all_participants,
)
from steadygrid.kinds.divisible_star.replay.idleness import check_idle
from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, StarTerms, read_star
from steadygrid.kinds.divisible_star.replay.timeline import Messages, on_star, replay
from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
    StarShare,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


@dataclass(frozen=True)
class Sent:
    """What an answer computes where: at the master, and message by message."""

    own: Fraction
    messages: Messages


def check_on_star(
    instance: DivisibleStarInstance,
    result: DivisibleStarResult,
    events: Sequence[Event],
    findings: Findings,
) -> Fraction | None:
    """Check orders, shares, timeline, the proof of the orders and that of the bound.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    events
        Those of the timeline.
    findings
        Collects the faults that are found.

    Returns
    -------
    Fraction or None
        The end of the last event. None where that cannot be told.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ==========================
    1  the orders are of those that were asked about                      see `read_star`
    2  a share is of the master, or of a message that exists, to a worker `cannot_compute`
       that computes
    3  none is listed twice                                               `share_twice`
    4  each is above 0                                                    `share_not_positive`
    5  its `items` are its part of all items, or null where there are     `wrong_items`
       none
    6  the shares sum to 1                                                `load_not_whole`
    7  they are listed in the order in which they are sent                `shares_unsorted`
    8  the timeline is what the shares need                               see `replay`
    9  participants and idle times are those of the timeline              see `check_idle`
    10 the orders stand by what `order_proof` says                        see `check_order_proof`
    11 the rounds are those of the messages                               `wrong_rounds`
    12 what is said of any number of messages is right                    see `check_several_rounds`
    13 what is said of one round is right                                 see `check_one_round`
    14 prices prove a bound only if the orders are given, best by a       `prices_of_one_order`
       theorem or the only ones
    15 they do so only if no worker's absence saves a latency or changes  `prices_of_participants`
       which rows hold
    16 prices prove the bound at these orders, those of an enumeration    see `check_star_prices`
       the makespan
    17 a search's word is not beaten by what the referee finds itself     see `check_word`
    == ================================================================== ==========================

    Rule 12 is for several messages per worker, rule 13 for one. Rules 14 to 16 are not asked of a
    bound for any rounds.
    """
    terms = read_star(instance, result, findings)
    sent = None if terms is None else _shares(terms, result, findings)
    if terms is None or sent is None:
        return None
    makespan = replay(on_star(terms, sent.own, sent.messages), events, findings)
    check_idle(_computing(terms, sent), makespan, result, findings)
    check_order_proof(instance, terms, result, findings)
    _check_rounds(sent, result, findings)
    several = has_several_rounds(instance, result)
    if several:
        check_several_rounds(instance, terms, result, findings)
    else:
        check_one_round(instance, terms, result, findings)
    _check_prices(terms, sent, result, findings)
    if result.certificate.type == "search" and result.bound is not None:
        own, messages, bound = sent.own, sent.messages, result.bound.value
        check_word(instance, terms, own, messages, bound, findings, several=several)
    return makespan


def _check_prices(
    terms: StarTerms, sent: Sent, result: DivisibleStarResult, findings: Findings
) -> None:
    """Check prices of messages against the bound. Those of an enumeration against the makespan."""
    prices, bound = result.certificate.prices, result.bound
    if result.certificate.type == "lp_duality" and bound is not None:
        if result.bound_source == "any_rounds":
            return
        _check_scope(terms, result, findings)
        check_star_prices(terms, sent.own, sent.messages, prices, bound.value, findings)
    elif prices and result.makespan is not None:
        check_star_prices(terms, sent.own, sent.messages, prices, result.makespan, findings)


def _check_scope(terms: StarTerms, result: DivisibleStarResult, findings: Findings) -> None:
    at = ("result", "certificate", "type")
    if result.order_proof not in ("given", "theorem") and not terms.one_order:
        findings.add(
            at,
            "prices_of_one_order",
            "Prices prove nothing of other orders: give another certificate, or the order.",
        )
    if not prices_hold_for_all_participants(terms):
        findings.add(
            at,
            "prices_of_participants",
            "Prices prove that shares are the best for these participants, and nothing of other"
            " ones: give another certificate.",
        )


def _check_rounds(sent: Sent, result: DivisibleStarResult, findings: Findings) -> None:
    rounds = max((number for number, _ in sent.messages), default=1)
    if result.rounds != rounds:
        findings.add(("result", "rounds"), "wrong_rounds", f"The messages are of {rounds} rounds.")


def _shares(terms: StarTerms, result: DivisibleStarResult, findings: Findings) -> Sent | None:
    """Read the shares. None where some make no sense."""
    own = total = ZERO
    messages: dict[tuple[int, int], Fraction] = {}
    position = {id_: i for i, id_ in enumerate(terms.ids)}
    keys: list[tuple[int, int]] = []
    sound = True
    for place, share in enumerate(result.shares):
        at: Pointer = ("result", "shares", place)
        i = -1 if share.processor == terms.master else position.get(share.processor)
        times = None if i is None else terms.own if i < 0 else terms.times[i]
        if i is None or times is None or not _is_round(terms, i, share.round):
            findings.add(at, "cannot_compute", f"{_named(share)} is of nothing it can compute.")
            sound = False
            continue
        key = (0 if i < 0 else share.round, i)
        if key in keys:
            findings.add(at, "share_twice", f"{_named(share)} is listed twice.")
            sound = False
        if share.fraction <= 0:
            findings.add(at, "share_not_positive", f"{_named(share)} is not above 0.")
            sound = False
        _check_items(terms, share, at, findings)
        keys.append(key)
        total += share.fraction
        if i < 0:
            own = share.fraction
        else:
            messages[key] = share.fraction
    if total != 1:
        findings.add(
            ("result", "shares"), "load_not_whole", f"The shares of the load sum to {show(total)}."
        )
    if keys != sorted(keys):
        findings.add(("result", "shares"), "shares_unsorted", "The shares are not in the order.")
    return Sent(own, dict(sorted(messages.items()))) if sound else None


def _is_round(terms: StarTerms, i: int, number: int) -> bool:
    return 1 <= number <= (terms.rounds if i >= 0 else 1)


def _check_items(terms: StarTerms, share: StarShare, at: Pointer, findings: Findings) -> None:
    items = None if terms.items is None else share.fraction * terms.items
    if items != share.items:
        findings.add(
            at,
            "wrong_items",
            f"{_named(share)} is {'of no items' if items is None else f'{show(items)} items'}.",
        )


def _computing(terms: StarTerms, sent: Sent) -> dict[str, Fraction]:
    """Add up how long each participant computes: the master, then in the order."""
    found: dict[str, Fraction] = {}
    if sent.own and terms.own is not None:
        found[terms.master] = terms.own.W + terms.own.w * sent.own
    for (_, i), share in sorted(sent.messages.items(), key=lambda message: message[0][1]):
        times = terms.times[i]
        assert times is not None
        found[terms.ids[i]] = found.get(terms.ids[i], ZERO) + times.W + times.w * share
    return found


def _named(share: StarShare) -> str:
    return f"The share of {share.processor!r} in round {share.round}"
