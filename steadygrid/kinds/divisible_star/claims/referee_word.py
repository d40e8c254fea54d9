"""The referee's own look for a shorter schedule, where a bound rests on a search's word."""

from collections.abc import Iterator
from fractions import Fraction

from steadygrid.kinds.divisible_star.claims.one_round import is_proved
from steadygrid.kinds.divisible_star.optimality.enumeration import nothing_is_faster
from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, StarTerms
from steadygrid.kinds.divisible_star.replay.timeline import Messages, Place, on_star
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

MOST_STEPS = 100_000
"""Of enumerations: what a search calls so was too long for the solver's own."""
MOST_SPLITS = 8
"""Numbers of rounds that are tried."""


def check_word(
    instance: DivisibleStarInstance,
    terms: StarTerms,
    own: Fraction,
    messages: Messages,
    bound: Fraction,
    findings: Findings,
    *,
    several: bool,
) -> None:
    """Refuse a bound by a search's word where the referee finds a shorter schedule itself.

    It looks among schedules of one message per worker, as far as it comes in `MOST_STEPS`. Where
    there may be several, it also sends each worker what the answer sends, in rounds of equal parts.
    Finding none proves nothing.

    Parameters
    ----------
    instance
        Without faults.
    terms
        Times by position, in the order of the answer.
    own
        Fraction of the load that the master computes.
    messages
        Share by round and position in the order, as the answer sends them.
    bound
        Of the makespan, in time units; above 0.
    findings
        Collects the faults that are found.
    several
        Whether a worker may get several messages.

    Notes
    -----
    Rules, in this order:

    == ==================================================== ==============
    1  the referee finds no schedule shorter than the bound `bound_beaten`
    == ==================================================== ==============
    """
    beaten = None
    if not several:
        if is_proved(instance, terms, bound, MOST_STEPS) is False:
            beaten = "one message per worker"
    elif any(makespan < bound for makespan in _makespans(terms, own, messages)):
        beaten = "rounds of equal parts"
    else:
        given = instance.order is not None
        alone = nothing_is_faster(
            terms.asked, terms.own, bound, given_order=given, most_steps=MOST_STEPS
        )
        beaten = "one message per worker" if alone is False else None
    if beaten is not None:
        findings.add(
            ("result", "bound"),
            "bound_beaten",
            f"The search says that nothing is shorter than {show(bound)}, but {beaten} can be.",
        )


def _makespans(terms: StarTerms, own: Fraction, messages: Messages) -> Iterator[Fraction]:
    """Give the makespans of the shares of an answer in different numbers of equal rounds."""
    totals: dict[int, Fraction] = {}
    for (_, i), share in messages.items():
        totals[i] = totals.get(i, ZERO) + share

    def earliest(
        _where: Place, _number: int, start: Fraction, _share: Fraction, duration: Fraction
    ) -> Fraction:
        return start + duration

    for rounds in range(1, min(terms.rounds, MOST_SPLITS) + 1):
        parts = {
            (number, i): share / rounds
            for number in range(1, rounds + 1)
            for i, share in sorted(totals.items())
        }
        yield on_star(terms, own, parts)(earliest)
