"""The exact referee of `layer_pipeline`; shares no code with what solves it."""

from collections.abc import Callable
from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError, OutOfTime
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.layer_pipeline.referee_plan import (
    check_numbers,
    limits_of,
    read_stages,
)
from steadygrid.kinds.layer_pipeline.referee_rows import Course, check_copies, read_course
from steadygrid.kinds.layer_pipeline.referee_search import (
    TooManyPlacesError,
    some_plan_fits,
    some_plan_is_faster,
)
from steadygrid.kinds.layer_pipeline.referee_terms import StageTerms, Terms
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance, LayerPipelineResult
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

WORD_PLACES = 20_000
"""Of a search that looks whether the word of another one is wrong."""


def validate(
    instance: LayerPipelineInstance,
    options: Options,
    result: LayerPipelineResult,
    schedule: Timetable | None,
    _limits: ScheduleLimits = USUAL_LIMITS,
    heartbeat: Callable[[], None] | None = None,
) -> None:
    """Check a result and its timetable against the layers and devices, in exact arithmetic.

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
    heartbeat
        Called in the search for a faster plan; may raise. None: the search may take as long as it does.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.
    OutOfTime
        If the search has more places than are sensible, and there is a heartbeat.

    Notes
    -----
    Rules, in this order:

    == ========================================================================= ====================
    1  outcome, value, bound, gap and certificate go together                    see `check_envelope`
    2  a bound has a certificate, what is infeasible has none                    `wrong_certificate`
    3  a bound is exact, unless it is the word of a search                       `wrong_certificate`
    4  a value has a period, stages, a latency, a time of a batch, limits and a  `wrong_parts`
       timetable, and without a value there are none
    5  the value is a throughput, 1 over the period                              `wrong_value`
    6  the stages are a plan                                                     see `read_stages`
    7  what is said of them is so                                                see `check_numbers`
    8  all data sets take the same course, in order                              see `read_course`
    9  copies run one pass at a time and hold what is said                       see `check_copies`
    10 the latency is that of the course                                         `wrong_latency`
    11 the time of a batch is that of so many data sets on this course, and of   `wrong_batch_time`
       the reductions after their last passes
    12 `limiting` names all resources that are busy all the time or, where there `wrong_limiting`
       are none, the stages that lack memory at any shorter period
    13 there is such a limit                                                     `not_least_period`
    14 no plan (for ``evaluate``: not the one given) has a shorter period than   `bound_beaten`
       the bound says
    15 that could be searched for                                                `search_too_long`
    16 what is infeasible fits in no plan (for ``evaluate``: not in the one      `not_infeasible`
       given)
    == ========================================================================= ====================

    Rule 14 repeats one test of the solver's, directly below the bound, in its own order. The word
    of a search is only looked through in `WORD_PLACES` places.
    """
    findings = Findings()
    check_envelope(instance, result, schedule, findings)
    terms = Terms(instance)
    _check_type(result, findings)
    _check_answer(terms, result, schedule, findings)
    _check_bound(terms, result, heartbeat, findings)
    if result.outcome is Outcome.INFEASIBLE and _something_fits(terms):
        detail = "The layers fit the devices, with one data set in flight."
        findings.add(("result", "outcome"), "not_infeasible", detail)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_type(result: LayerPipelineResult, findings: Findings) -> None:
    at = ("result", "certificate", "type")
    bound, given = result.bound, result.certificate.type
    if (bound is None) != (given == "none"):
        detail = "A bound is by intervals or by a search, and without a bound nothing is certified."
        findings.add(at, "wrong_certificate", detail)
    elif bound is not None and bound.exact != (given == "intervals"):
        detail = "What intervals prove is exact, and the word of a search is not."
        findings.add(at, "wrong_certificate", detail)


def _check_answer(
    terms: Terms,
    result: LayerPipelineResult,
    schedule: Timetable | None,
    findings: Findings,
) -> None:
    objective, period = result.objective, result.period
    parts = (
        ("period", period),
        ("stages", result.stages or None),
        ("latency", result.latency),
        ("batch_time", result.batch_time),
        ("limiting", result.limiting or None),
        ("schedule", schedule),
    )
    for name, part in parts:
        if (part is None) != (objective is None):
            there = "is missing" if part is None else "stands without a value"
            at = (name,) if name == "schedule" else ("result", name)
            findings.add(at, "wrong_parts", f"The {name} {there}.")
    if objective is None or period is None or schedule is None:
        return
    if objective.name != "throughput" or objective.value * period != 1:
        detail = "The value is not a throughput, 1 over the period, above 0."
        findings.add(("result", "objective"), "wrong_value", detail)
        return
    stages = read_stages(terms, result, findings)
    if not stages:
        return
    check_numbers(terms, stages, period, result, findings)
    course = read_course(terms, stages, period, schedule, findings)
    if course is not None:
        told = [stage.in_flight for stage in result.stages]
        check_copies(terms, stages, period, course, told, findings)
        _check_times(terms, stages, period, course, result, findings)
    _check_limits(terms, stages, period, result, findings)


def _check_times(
    terms: Terms,
    stages: list[StageTerms],
    period: Fraction,
    course: Course,
    result: LayerPipelineResult,
    findings: Findings,
) -> None:
    begin = course.forward[0]
    latency = max(course.ends) - begin
    if result.latency != latency:
        detail = f"A data set takes {show(latency)}."
        findings.add(("result", "latency"), "wrong_latency", detail)
    reduced = [
        end + terms.reduce_time(stage) for end, stage in zip(course.ends, stages, strict=True)
    ]
    batch = (terms.instance.update_every - 1) * period + max(reduced) - begin
    if result.batch_time != batch:
        detail = (
            f"{terms.instance.update_every:,} data sets and their reductions take {show(batch)}."
        )
        findings.add(("result", "batch_time"), "wrong_batch_time", detail)


def _check_limits(
    terms: Terms,
    stages: list[StageTerms],
    period: Fraction,
    result: LayerPipelineResult,
    findings: Findings,
) -> None:
    due = limits_of(terms, stages, period)
    at = ("result", "limiting")
    if not due:
        findings.add(at, "not_least_period", "These stages can keep a shorter period.")
    elif sorted(result.limiting) != sorted(due):
        findings.add(at, "wrong_limiting", f"What limits these stages is {', '.join(due)}.")


def _check_bound(
    terms: Terms,
    result: LayerPipelineResult,
    heartbeat: Callable[[], None] | None,
    findings: Findings,
) -> None:
    bound, at = result.bound, ("result", "bound")
    if bound is None or not bound.value:
        return
    period = 1 / bound.value
    given = _given(terms)
    try:
        if given is not None:
            beaten = not limits_of(terms, given, period)
        elif bound.exact:
            beaten = some_plan_is_faster(terms, period, heartbeat or _goes_on)
        else:
            beaten = _word_is_wrong(terms, period)
    except TooManyPlacesError:
        if heartbeat is not None:
            raise OutOfTime from None
        detail = "To search for a faster plan takes too long here: let the bound be the word of a search."
        findings.add(at, "search_too_long", detail)
        return
    if beaten:
        detail = f"Some plan does more than {show(bound.value)}."
        findings.add(at, "bound_beaten", detail)


def _goes_on() -> None:
    """Let a search take its time."""


def _word_is_wrong(terms: Terms, period: Fraction) -> bool:
    """Look for a faster plan, not for long."""
    try:
        return some_plan_is_faster(terms, period, most_places=WORD_PLACES)
    except TooManyPlacesError:
        return False


def _given(terms: Terms) -> list[StageTerms] | None:
    """Give the stages that ``evaluate`` judges."""
    given = terms.instance.stages
    if terms.instance.method != "evaluate" or given is None:
        return None
    return [
        StageTerms(
            terms.position[stage.layers[0]],
            terms.position[stage.layers[1]],
            stage.device,
            stage.replicas,
        )
        for stage in given
    ]


def _something_fits(terms: Terms) -> bool:
    given = _given(terms)
    if given is None:
        return some_plan_fits(terms)
    rooms = [terms.device_types[stage.device].memory for stage in given]
    return all(
        room is None or terms.memory(stage, 1) <= room
        for stage, room in zip(given, rooms, strict=True)
    )
