"""How good an answer is, in the few words of the badge that a page begins with."""

from fractions import Fraction
from typing import NamedTuple

from app.db.jobs import JobRecord
from steadygrid.domain.job import JobState, Outcome
from steadygrid.report.quantities import small_percent
from steadygrid.report.report import Report
from steadygrid.report.summary import verdict

CHECKED = ", checked by the referee"
_UNFINISHED = {
    JobState.QUEUED: "Queued",
    JobState.RUNNING: "Running",
    JobState.CANCELLING: "Being cancelled",
}


class Badge(NamedTuple):
    """What a badge says, and how it looks.

    Attributes
    ----------
    tone
        ``proved``, ``found``, ``impossible``, ``failed``, ``cancelled`` or ``running``.
    """

    text: str
    tone: str


def badge(record: JobRecord, report: Report | None) -> Badge | None:
    """Say how good the answer of a job is, or what it waits for.

    Parameters
    ----------
    record
        The job.
    report
        Its answer, as far as the page has read it.

    Returns
    -------
    Badge or None
        None where the answer is too large to be read.
    """
    if record.state is JobState.FAILED:
        return Badge("Failed", "failed")
    if record.state is JobState.CANCELLED:
        return Badge("Cancelled", "cancelled")
    if record.state is not JobState.SUCCEEDED:
        return Badge(_UNFINISHED[record.state], "running")
    return None if report is None else _of_answer(report)


def _of_answer(report: Report) -> Badge:
    result, scope = report.result, report.view.scope
    own_word = "/objective" in report.not_judged
    checked = CHECKED if result.verified and not own_word else ""
    match result.outcome:
        case Outcome.OPTIMAL if report.loses and report.is_best:
            more = _by_longer_periods(report)
            if report.proved:
                return Badge(f"Proved: {more}{checked}", "proved")
            return Badge(f"Found: {more}, by the solver's word{checked}", "found")
        case Outcome.OPTIMAL if report.proved:
            return Badge(" ".join(filter(None, ("Proved optimal", scope))) + checked, "proved")
        case Outcome.OPTIMAL if report.is_best:
            said = " ".join(filter(None, ("Optimal", scope)))
            return Badge(f"{said} by the search's word{checked}", "found")
        case Outcome.OPTIMAL | Outcome.FEASIBLE:
            found = "Best found" if result.bound is not None else "Found"
            if report.view.given:
                found = "As it was given"
            return Badge(f"{found}: {possible(report)}{checked}", "found")
        case Outcome.INFEASIBLE:
            return Badge(f"Impossible: {verdict(report)[1]}", "impossible")
        case Outcome.BOUND_ONLY:
            return Badge(f"Only a bound{checked}", "found")
        case _:
            return Badge("Nothing found", "found")


def _by_longer_periods(report: Report) -> str:
    objective, schedule = report.result.objective, report.schedule
    assert objective is not None
    assert schedule is not None
    if not schedule.throughput:
        return "nothing fits into this period, and more is possible by longer ones"
    more = small_percent(objective.value / schedule.throughput - 1)
    return f"at most {more} more is possible, by longer periods"


def possible(report: Report) -> str:
    """Say how much better a schedule may be than the one that was found."""
    objective, bound, schedule = report.result.objective, report.result.bound, report.schedule
    value = Fraction(0) if objective is None else objective.value
    if schedule is not None and report.loses:
        value = schedule.throughput
    if objective is None or bound is None or not value:
        return "how much better is possible is not known"
    sure = "" if bound.exact else " by the solver's bound, in floating point"
    if value == bound.value:
        return f"nothing better is possible{sure}"
    if objective.minimised:
        return f"at most {small_percent(1 - bound.value / value)} less is possible{sure}"
    return f"at most {small_percent(bound.value / value - 1)} more is possible{sure}"
