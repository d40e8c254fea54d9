"""The exact referee of `divisible_chain`; shares no code with what solves it."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError, Pointer
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_chain.bounds import (
    Weights,
    check_program_proof,
    check_resource_prices,
)
from steadygrid.kinds.divisible_chain.replay import Passage, Place, replay, walk
from steadygrid.kinds.divisible_chain.schemas import (
    DivisibleChainInstance,
    DivisibleChainResult,
)
from steadygrid.kinds.divisible_chain.terms import ZERO, Terms, read_terms, startup_ratio
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.one_shot import check_agreement, read_events


def validate(
    instance: DivisibleChainInstance,
    options: Options,
    result: DivisibleChainResult,
    schedule: Timeline | None,
    _limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its timeline against the instance, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    _limits
        Not read.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == ================================================================ ===========================
    1  outcome, value, bound, gap and certificate go together           see `check_envelope`
    2  nothing is infeasible: every load has a processor                `never_infeasible`
    3  without an answer there are no shares, timeline or makespan      `wrong_outcome`
    4  chain, loads and installments are those asked for                see `read_terms`
    5  a share is of a known installment, on a processor that can       `cannot_compute`
       compute it
    6  none is listed twice                                             `share_twice`
    7  each is above 0                                                  `share_not_positive`
    8  those of a load sum to 1                                         `load_not_whole`
    9  the participants are those that have shares, in the order of the `wrong_participants`
       chain
    10 an event is a computation or a transfer                          see `read_events`
    11 the schedule has the same ones                                   see `check_agreement`
    12 they are what the shares need, after what must come before them  see `replay`
    13 the makespan is that of the timeline                             `wrong_makespan`
    14 so are the completions of the loads                              `wrong_completion`
    15 the start-up ratios are right                                    `wrong_ratio`
    16 the objective is the value of these dates                        `wrong_value`
    17 the idle times are those of the timeline                         `wrong_idle`
    18 the guarantee is that of Theorem 2.2                             `wrong_guarantee`
    19 the makespan with start-up costs is right, and null where there  `wrong_startup`
       are none
    20 there are cases only for a bound of the program, and then no     `stray_cases`
       prices beside them
    21 a bound of the program is proved                                 see `check_program_proof`
    22 any other is proved by prices of resources                       see `check_resource_prices`
    == ================================================================ ===========================

    Only ``multi_installment`` may have no answer, ``unknown``. By rules 21 and 22 the bound holds
    for every choice of who computes what, so it needs no trust in who does.

    Linear in processors times installments, times the length of the numbers.
    """
    findings = Findings()
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        optimised=instance.objective,
        may_find_nothing=("multi_installment",),
    )
    if result.outcome in (Outcome.INFEASIBLE, Outcome.UNKNOWN):
        _check_no_answer(result, findings)
    else:
        terms = read_terms(instance, result, findings)
        if terms is not None:
            _check_answer(instance, terms, result, schedule, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_no_answer(result: DivisibleChainResult, findings: Findings) -> None:
    if result.outcome is Outcome.INFEASIBLE:
        findings.add(
            ("result", "outcome"),
            "never_infeasible",
            "Every load has a processor, so there is a schedule. The method"
            " multi_installment may have no answer, which is unknown, and then says why.",
        )
    if result.shares or result.timeline or result.makespan is not None:
        findings.add(
            ("result",),
            "wrong_outcome",
            f"The outcome is {result.outcome.value}, but it has shares.",
        )


def _check_answer(
    instance: DivisibleChainInstance,
    terms: Terms,
    result: DivisibleChainResult,
    schedule: Timeline | None,
    findings: Findings,
) -> None:
    weights = _weights(instance)
    shares = _shares(terms, result, findings)
    if shares is None:
        return
    participants = sorted({i for i, _ in shares})
    if result.participants != [terms.ids[i] for i in participants]:
        findings.add(
            ("result", "participants"),
            "wrong_participants",
            "The participants are the processors that have shares, in the order of the chain.",
        )
    events = read_events(result.timeline, findings)
    if schedule is not None:
        check_agreement(instance.ports, result.makespan, events, schedule, findings)
    passage = replay(terms, shares, events, findings)
    _check_dates(instance, terms, result, passage, weights, findings)
    _check_idle(terms, participants, shares, result, passage, findings)
    _check_guarantee(instance, terms, result, findings)
    _check_startup(terms, shares, result, findings)
    proved = result.bound if result.certificate.type == "lp_duality" else None
    prices, source = result.certificate.prices, result.bound_source
    if result.cases and (proved is None or source != "program" or prices):
        findings.add(
            ("result", "cases"),
            "stray_cases",
            "Cases are of a bound of the program, and take the place of the certificate's prices.",
        )
    if proved is None:
        return
    if source == "program":
        workers = _workers(terms, weights, proved.value)
        check_program_proof(terms, weights, workers, result.cases, prices, proved.value, findings)
    else:
        check_resource_prices(terms, weights, prices, proved.value, findings)


def _workers(terms: Terms, weights: Weights, bound: Fraction) -> list[int]:
    """List who can compute; for the makespan, who can before the bound."""
    return [
        i
        for i, row in enumerate(terms.work)
        if any(time is not None for time in row)
        and (weights.of_completions is not None or not bound or terms.available[i] < bound)
    ]


def _weights(instance: DivisibleChainInstance) -> Weights:
    loads = instance.loads
    if instance.objective == "makespan":
        return Weights(None, ZERO)
    if instance.objective == "mean_completion":
        return Weights([Fraction(1, len(loads)) for _ in loads], ZERO)
    flows = [load.weight * load.release_date for load in loads]
    return Weights([load.weight for load in loads], sum(flows, ZERO))


def _shares(
    terms: Terms, result: DivisibleChainResult, findings: Findings
) -> dict[tuple[int, int], Fraction] | None:
    position = {id_: i for i, id_ in enumerate(terms.ids)}
    steps = {(terms.loads[load], number): t for t, (load, number) in enumerate(terms.sequence)}
    shares: dict[tuple[int, int], Fraction] = {}
    sums = dict.fromkeys(terms.loads, ZERO)
    sound = True
    for place, share in enumerate(result.shares):
        at: Pointer = ("result", "shares", place)
        i, t = position.get(share.processor, -1), steps.get((share.load, share.installment))
        name = f"The share of {share.processor!r} of load {share.load!r}"
        if t is None or i < 0 or terms.work[i][terms.sequence[t][0]] is None:
            sound = False
            findings.add(at, "cannot_compute", f"{name} is of nothing it can compute.")
            continue
        if (i, t) in shares:
            sound = False
            findings.add(at, "share_twice", f"{name} is listed twice for one installment.")
        if share.fraction <= 0:
            sound = False
            findings.add(at, "share_not_positive", f"{name} is not above 0.")
        shares[i, t] = share.fraction
        sums[share.load] += share.fraction
    for load, total in sums.items():
        if total != 1:
            findings.add(
                ("result", "shares"),
                "load_not_whole",
                f"The shares of load {load!r} sum to {show(total)}.",
            )
    return shares if sound else None


def _check_dates(
    instance: DivisibleChainInstance,
    terms: Terms,
    result: DivisibleChainResult,
    passage: Passage,
    weights: Weights,
    findings: Findings,
) -> None:
    if result.makespan != passage.makespan:
        findings.add(
            ("result", "makespan"),
            "wrong_makespan",
            f"The last computation ends at {show(passage.makespan)}.",
        )
    for k, (load, date) in enumerate(zip(result.loads, passage.completions, strict=True)):
        if load.completion != date:
            findings.add(
                ("result", "loads", k, "completion"),
                "wrong_completion",
                f"Load {load.load!r} is complete at {show(date)}.",
            )
        if load.startup_ratio != startup_ratio(terms, k):
            findings.add(
                ("result", "loads", k, "startup_ratio"),
                "wrong_ratio",
                f"The start-up ratio of load {load.load!r} is another.",
            )
    value = weights.value(passage.makespan, passage.completions)
    objective = result.objective
    if objective is not None and (objective.name, objective.value) != (instance.objective, value):
        findings.add(
            ("result", "objective"),
            "wrong_value",
            f"The {instance.objective} of the timeline is {show(value)}.",
        )


def _check_idle(
    terms: Terms,
    participants: list[int],
    shares: Mapping[tuple[int, int], Fraction],
    result: DivisibleChainResult,
    passage: Passage,
    findings: Findings,
) -> None:
    computing = dict.fromkeys(participants, ZERO)
    for (i, t), share in shares.items():
        computing[i] += share * (terms.work[i][terms.sequence[t][0]] or ZERO)
    right = [
        (terms.ids[i], time, max(ZERO, passage.makespan - terms.available[i] - time))
        for i, time in computing.items()
    ]
    if [(entry.processor, entry.computing, entry.idle) for entry in result.idle] != right:
        findings.add(
            ("result", "idle"), "wrong_idle", "The idle times are not those of the timeline."
        )


def _check_guarantee(
    instance: DivisibleChainInstance,
    terms: Terms,
    result: DivisibleChainResult,
    findings: Findings,
) -> None:
    length = len(terms.ids)
    holds = instance.objective == "makespan" and not any(terms.released)
    shown: tuple[int, Fraction | None] | None = None
    if result.guarantee is not None:
        shown = (result.guarantee.factor, result.guarantee.lower_bound)
    expected: tuple[int, Fraction | None] | None = None
    if holds:
        factor = length // 2 + 1 if terms.strict else length
        single = set(terms.counts) == {1} and terms.rounds == 1
        proved = result.outcome is Outcome.OPTIMAL and result.bound_source == "program"
        least = (
            result.makespan / factor if single and proved and result.makespan is not None else None
        )
        expected = (factor, least)
    if shown != expected:
        findings.add(
            ("result", "guarantee"), "wrong_guarantee", "Theorem 2.2 says something else here."
        )


def _check_startup(
    terms: Terms,
    shares: Mapping[tuple[int, int], Fraction],
    result: DivisibleChainResult,
    findings: Findings,
) -> None:
    makespan: Fraction | None = None
    costs = terms.startup
    if costs is not None:
        of_link = {(terms.ids[link], terms.ids[link + 1]): cost for link, cost in enumerate(costs)}

        def paid(where: Place, t: int, earliest: Fraction, duration: Fraction) -> Fraction:
            extra = ZERO if isinstance(where, str) else of_link[where]
            return earliest + duration + extra

        makespan = walk(terms, shares, paid).makespan
    if result.makespan_with_startup != makespan:
        findings.add(
            ("result", "makespan_with_startup"),
            "wrong_startup",
            "With start-up costs paid the makespan is another, or there are none.",
        )
