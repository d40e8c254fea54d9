"""Judging the answer of a load whose every part takes time in proportion, on a star or a tree."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.timeline import Event
from steadygrid.kinds.divisible_star.prices.tree import check_prices
from steadygrid.kinds.divisible_star.replay.idleness import check_idle
from steadygrid.kinds.divisible_star.replay.timeline import on_tree, replay
from steadygrid.kinds.divisible_star.replay.tree_terms import ZERO, Terms, read_terms
from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


def check_on_tree(
    instance: DivisibleStarInstance,
    result: DivisibleStarResult,
    events: Sequence[Event],
    findings: Findings,
) -> Fraction | None:
    """Check orders, shares, timeline and prices.

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

    == ============================================================= ====================
    1  the order is the one asked for, or by nondecreasing link time see `read_terms`
    2  a share is of a known processor that computes                 `cannot_compute`
    3  none is listed twice                                          `share_twice`
    4  each is above 0                                               `share_not_positive`
    5  each is sent in the first round, and not in items             `wrong_round`
    6  the shares sum to 1                                           `load_not_whole`
    7  they are listed in the order                                  `shares_unsorted`
    8  the timeline is what the shares need                          see `replay`
    9  participants and idle times are those of the timeline         see `check_idle`
    10 the prices prove the bound at this order                      see `check_prices`
    11 nothing else proves one                                       `wrong_certificate`
    12 bounds and guarantees of other kinds of costs are not given   `stray_bound`
    13 the bound is that of the program, or of the theorem           `wrong_bound_source`
    14 results come back in the reverse of the order, if any do      `wrong_return_order`
    15 there is one round                                            `wrong_rounds`
    == ============================================================= ====================

    By Lemma 1.5 of the source, at each processor, no other order is better where link times, there
    and back, do not decrease.
    """
    terms = read_terms(instance, result, findings)
    shares = None if terms is None else _shares(terms, result, findings)
    if terms is None or shares is None:
        return None
    makespan = replay(
        on_tree(terms, shares, returns=instance.load.return_volume > 0), events, findings
    )
    computing = {
        terms.ids[i]: share * (terms.work[i] or ZERO) for i, share in enumerate(shares) if share
    }
    check_idle(computing, makespan, result, findings)
    if result.bound is not None and result.certificate.type == "lp_duality":
        check_prices(terms, result.certificate.prices, result.bound.value, findings)
    _check_claims(instance, result, findings)
    return makespan


def _check_claims(
    instance: DivisibleStarInstance, result: DivisibleStarResult, findings: Findings
) -> None:
    """Check that nothing is claimed that prices do not prove, and that is proved for stars only."""
    if result.certificate.type != "lp_duality":
        findings.add(
            ("result", "certificate", "type"),
            "wrong_certificate",
            "Prices prove every bound here: nothing is searched for.",
        )
    for name in ("proved_bound", "any_rounds_bound", "guarantee"):
        if getattr(result, name) is not None:
            findings.add(("result", name), "stray_bound", f"{name} goes with other costs.")
    if result.bound is not None and result.bound_source not in ("program", "theorem"):
        findings.add(
            ("result", "bound_source"),
            "wrong_bound_source",
            "The bound is that of the program, or of the theorem.",
        )
    back = [*reversed(result.order)] if instance.load.return_volume else None
    if result.return_order != back:
        findings.add(
            ("result", "return_order"),
            "wrong_return_order",
            "There are no results."
            if back is None
            else "Results come back in the reverse of the order of sending.",
        )
    if result.rounds != 1:
        findings.add(("result", "rounds"), "wrong_rounds", "The load is sent out in one round.")


def _shares(terms: Terms, result: DivisibleStarResult, findings: Findings) -> list[Fraction] | None:
    position = {id_: i for i, id_ in enumerate(terms.ids)}
    shares = [ZERO] * len(terms.ids)
    sound = True
    for place, share in enumerate(result.shares):
        at: Pointer = ("result", "shares", place)
        i = position.get(share.processor, -1)
        name = f"The share of {share.processor!r}"
        if i < 0 or terms.work[i] is None:
            sound = False
            findings.add(at, "cannot_compute", f"{name} is of nothing it can compute.")
            continue
        if shares[i]:
            sound = False
            findings.add(at, "share_twice", f"{name} is listed twice.")
        if share.fraction <= 0:
            sound = False
            findings.add(at, "share_not_positive", f"{name} is not above 0.")
        if share.round != 1 or share.items is not None:
            findings.add(at, "wrong_round", f"{name} is sent in the first round, not in items.")
        shares[i] = share.fraction
    if (total := sum(shares, ZERO)) != 1:
        findings.add(
            ("result", "shares"), "load_not_whole", f"The shares of the load sum to {show(total)}."
        )
    listed = [terms.ids[i] for i, share in enumerate(shares) if share]
    if sound and [share.processor for share in result.shares] != listed:
        findings.add(("result", "shares"), "shares_unsorted", "The shares are not in the order.")
    return shares if sound else None
