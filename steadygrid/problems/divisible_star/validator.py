"""The exact referee of `divisible_star`; shares no code with what solves it."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError, Pointer
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.domain.timeline import Timeline
from steadygrid.problems.divisible_star.bounds import check_prices
from steadygrid.problems.divisible_star.replay import replay
from steadygrid.problems.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.problems.divisible_star.terms import ZERO, Terms, read_terms
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.once import check_agreement, read_events


def validate(
    instance: DivisibleStarInstance,
    options: Options,
    result: DivisibleStarResult,
    schedule: Timeline | None,
    _limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its timeline against the instance, in exact arithmetic.

    Rules, in order:

    1. `check_envelope`: outcome, value, bound, gap and certificate go together; nothing is
       infeasible here, and there is always an answer;
    2. the order is the one asked for, or all that can be sent to, by nondecreasing link time, and
       `order_proof` says which (`read_terms`);
    3. the shares: above 0, each of a known processor that computes, none listed twice, in the
       order; they sum to 1; the participants are those that have some;
    4. the timeline, `replay`: every transfer and computation that the shares need and no other,
       of the right duration, after what must come before it; the result has the same timeline;
    5. the makespan is the end of the last event, the objective its value, and the idle times are
       what it leaves;
    6. the prices prove the bound at this order, `check_prices`. By Lemma 1.5 of the
       source, at each processor, no other order is better where link times do not decrease.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Linear in processors, times the length of the numbers.
    """
    findings = Findings()
    check_envelope(instance, result, schedule, findings)
    if result.outcome not in (Outcome.OPTIMAL, Outcome.FEASIBLE):
        findings.add(
            ("result", "outcome"), "always_feasible", "Somebody computes, so there is a schedule."
        )
    else:
        terms = read_terms(instance, result, findings)
        if terms is not None:
            _check_answer(instance, terms, result, schedule, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_answer(
    instance: DivisibleStarInstance,
    terms: Terms,
    result: DivisibleStarResult,
    schedule: Timeline | None,
    findings: Findings,
) -> None:
    shares = _shares(terms, result, findings)
    if shares is None:
        return
    events = read_events(result.timeline, findings)
    if schedule is not None:
        check_agreement(instance.ports, result.makespan, events, schedule, findings)
    makespan = replay(terms, shares, events, findings)
    _check_dates(terms, shares, makespan, result, findings)
    if result.bound is not None and result.certificate.type == "lp_duality":
        check_prices(terms, result.certificate.prices, result.bound.value, findings)


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
        shares[i] = share.fraction
    if (total := sum(shares, ZERO)) != 1:
        findings.add(
            ("result", "shares"), "load_not_whole", f"The shares of the load sum to {show(total)}."
        )
    listed = [terms.ids[i] for i, share in enumerate(shares) if share]
    if sound and [share.processor for share in result.shares] != listed:
        findings.add(("result", "shares"), "shares_unsorted", "The shares are not in the order.")
    if result.participants != listed:
        findings.add(
            ("result", "participants"),
            "wrong_participants",
            "The participants are the processors that have shares: the master, then in the order.",
        )
    return shares if sound else None


def _check_dates(
    terms: Terms,
    shares: Sequence[Fraction],
    makespan: Fraction,
    result: DivisibleStarResult,
    findings: Findings,
) -> None:
    if result.makespan != makespan:
        findings.add(
            ("result", "makespan"), "wrong_makespan", f"The last event ends at {show(makespan)}."
        )
    objective = result.objective
    if objective is not None and (objective.name, objective.value) != ("makespan", makespan):
        findings.add(
            ("result", "objective"),
            "wrong_value",
            f"The makespan of the timeline is {show(makespan)}.",
        )
    computing = [share * (terms.work[i] or ZERO) for i, share in enumerate(shares)]
    right = [(terms.ids[i], time, makespan - time) for i, time in enumerate(computing) if shares[i]]
    if [(entry.processor, entry.computing, entry.idle) for entry in result.idle] != right:
        findings.add(
            ("result", "idle"), "wrong_idle", "The idle times are not those of the timeline."
        )
