"""The exact referee of `divisible_star`; shares no code with what solves it."""

from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.domain.timeline import Timeline
from steadygrid.kinds.divisible_star.claims.several_rounds import has_several_rounds
from steadygrid.kinds.divisible_star.on_star import check_on_star
from steadygrid.kinds.divisible_star.on_tree import check_on_tree
from steadygrid.kinds.divisible_star.referee_comparison import check_comparison
from steadygrid.kinds.divisible_star.replay.tree_terms import is_linear
from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.one_shot import check_agreement, read_events


def validate(
    instance: DivisibleStarInstance,
    options: Options,
    result: DivisibleStarResult,
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

    == =================================================================== ======================
    1  outcome, value, bound, gap and certificate go together              see `check_envelope`
    2  there is always an answer, and nothing is infeasible                `always_feasible`
    3  methods stand side by side where that was asked for                 see `check_comparison`
    4  an event is a computation or a transfer                             see `read_events`
    5  the schedule has the same ones                                      see `check_agreement`
    6  orders, shares, timeline and proofs, where costs are linear, in one see `check_on_tree`
       round
    7  orders, shares, timeline and proofs in other cases                  see `check_on_star`
    8  the makespan is the end of the last event                           `wrong_makespan`
    9  the objective is its value                                          `wrong_value`
    == =================================================================== ======================

    By rule 3 the answer is then judged as that of the best method.

    Linear in processors and messages, times the length of the numbers.
    """
    findings = Findings()
    # The bounds for all orders have no certificate: they are derived anew.
    check_envelope(instance, result, schedule, findings, optimised="makespan", may_lack_proof=True)
    if result.outcome not in (Outcome.OPTIMAL, Outcome.FEASIBLE):
        findings.add(
            ("result", "outcome"),
            "always_feasible",
            "Some processor computes, so there is a schedule.",
        )
    else:
        method = check_comparison(instance, result, findings)
        if method is not None:
            instance = instance.model_copy(update={"method": method})
            result = result.model_copy(update={"method": method})
        makespan = _check_timeline(instance, result, schedule, findings)
        if makespan is not None:
            _check_makespan(makespan, result, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_timeline(
    instance: DivisibleStarInstance,
    result: DivisibleStarResult,
    schedule: Timeline | None,
    findings: Findings,
) -> Fraction | None:
    events = read_events(result.timeline, findings)
    if schedule is not None:
        check_agreement(instance.ports, result.makespan, events, schedule, findings)
    if is_linear(instance) and not has_several_rounds(instance, result):
        return check_on_tree(instance, result, events, findings)
    return check_on_star(instance, result, events, findings)


def _check_makespan(makespan: Fraction, result: DivisibleStarResult, findings: Findings) -> None:
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
