"""Sentences that only pages have. What the command line says too comes from `steadygrid.report`."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from app.access.attempts import MOST
from app.db.jobs import JobRecord
from app.db.models import SweepKind
from app.db.sweeps import SweepRecord, SweepState
from app.http.refusals import Refusal
from app.pages.badges import possible
from app.pages.quantities import Shown, shown
from steadygrid.domain.job import JobState, Outcome
from steadygrid.domain.rational import parse_exact
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.layout import UNLIMITED
from steadygrid.report.quantities import amount as counted_amount
from steadygrid.report.quantities import (
    counted,
    exact_text,
    percent,
    small_percent,
)
from steadygrid.report.report import Report
from steadygrid.report.sections import phrase
from steadygrid.report.summary import REMARKS as REMARKS_OF_SOLVER
from steadygrid.report.summary import none_better, none_exceeds, subject, verdict
from steadygrid.studies.replanned import ReplanOut

Sentence = tuple[str | Shown, ...]
"""Texts, and numbers that are written in both forms."""

LIMITING = 5
"""Resources of which the page says that they limit the answer."""

WELCOME = "Give it a platform and an application, get the best rate and a schedule."
NO_WORKER = "No worker was seen in the last two minutes: jobs are accepted, and wait."
NO_JOBS = "There are no jobs yet."
NO_SWEEPS = "There are no sweeps yet: the page of a job leads to one."
NO_SUCH_JOBS = "No jobs match this filter."
NO_PICTURES = "Install steadygrid[pictures] where the service runs to see this drawn."
NOTHING_YET = "The job has not ended: there is nothing here yet."
NOTHING_HERE = "This job has nothing here."
NEEDS_SCRIPT = "Submitting from this page needs JavaScript. Without it, post the body like this:"
LOG_IN = "Log in"
LOG_OUT = "Log out"
FAULT = "Error"
KEY = "Key"
KEY_HINT = "It begins with sk_. The administrator of this service makes keys with"
NO_KEY = "This is no key of this service, or it was revoked or has expired."
READS_ONLY = "The key of this session reads only: nothing can be submitted or changed with it."
TOO_LARGE = (
    "Question or answer are too large to be laid out here. The files have all that was found."
)
NOT_KNOWN = (
    "Another version of this service has made this answer. The files have it as it is stored."
)
GONE = "gone"
BEING_SOLVED = "The most promising are being solved."
NO_REPLANS = (
    "No schedule was planned anew yet: the page of a job with a periodic schedule leads to it."
)
SOUGHT = "The best schedule on the platform as measured is being sought."
NOT_SOUGHT = "What is best now was not asked for."
NO_ADVICE = "What is best now is not known."
NOTHING_LEFT = "Without what is gone nothing can be done."
LEFT_OUT = "The schedule is too long to be tabulated here: {}. The file has all of it."

REMARKS = REMARKS_OF_SOLVER
CHECK = "steadygrid check instance.json --result result.json{}"

_STATES: Mapping[str, str] = {
    JobState.QUEUED: "queued",
    JobState.RUNNING: "running",
    JobState.CANCELLING: "being cancelled",
    JobState.SUCCEEDED: "succeeded",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "cancelled",
}
_OUTCOMES = {
    Outcome.OPTIMAL: "optimal",
    Outcome.FEASIBLE: "feasible",
    Outcome.INFEASIBLE: "impossible",
    Outcome.BOUND_ONLY: "only a bound",
    Outcome.UNKNOWN: "nothing found",
}
_TRIES = {
    "not_found": "Look for it in the list of jobs, or start at the first page.",
    "job_purged": "If you have kept its question, submit it again.",
    "method_not_allowed": "Follow a link in place of typing the address.",
    "invalid_request": "Change the address, or start at the first page.",
    "unavailable": "Wait a little and load the page again.",
    "disk_full": "Tell the operator of the service, and try again when there is room.",
    "too_many_connections": "Wait a little and load the page again.",
    "internal": "Load the page again. The log of the service says what happened.",
}
_DOES = {
    "send": "sends",
    "receive": "receives",
    "port": "sends or receives",
    "compute": "computes",
    "in": "takes data in",
    "out": "gives data out",
}
_ALIKE = 3
"""Resources that are named as the same as another."""
_CARRIES = ("link", "half", "medium")
PORTS = _DOES | dict.fromkeys(_CARRIES, "carries")


def readable_moment(moment: datetime | None) -> str:
    """Write a moment for people, in UTC."""
    if moment is None:
        return ""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def moment(value: datetime | None) -> str:
    """Write a moment for programs."""
    return "" if value is None else value.astimezone(UTC).isoformat(timespec="milliseconds")


def amount(number: int, noun: str) -> str:
    """Write ``3 jobs``."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def state(value: JobState | SweepState) -> str:
    """Name a state, of a job or a sweep."""
    return _STATES.get(value.value, value.value)


def kind(code: str) -> str:
    """Write the code of a kind as words, as lists show it."""
    return code.replace("_", " ")


def outcome(value: Outcome) -> str:
    """Name an outcome."""
    return _OUTCOMES[value]


def seconds(record: JobRecord) -> str:
    """Say how long a job took, from when it was claimed for the last time."""
    if record.started_at is None or record.finished_at is None:
        return ""
    took = (record.finished_at - record.started_at).total_seconds()
    return f"{took:,.1f}" if took >= 10 else f"{took:.2f}"


def gap(text: str) -> str:
    """Write a gap in per cent."""
    value = parse_exact(text)
    return small_percent(value) if value else "0"


def check(record: JobRecord) -> str:
    """Give the command that judges an answer from its files."""
    return CHECK.format(" --schedule-in schedule.json" if record.schedule_id is not None else "")


def busyness(counts: Mapping[JobState, int], workers: int) -> str:
    """Say in the header of each page what goes on."""
    running = counts[JobState.RUNNING] + counts[JobState.CANCELLING]
    queued = counts[JobState.QUEUED]
    return f"{running:,} running, {queued:,} queued, {amount(workers, 'worker')}"


def remedy(refusal: Refusal) -> str:
    """Say what to try after a refusal."""
    return _TRIES.get(refusal.code, "Start at the first page.")


def too_many_attempts(seconds: int) -> str:
    """Say when a client may try again to log in."""
    return (
        f"There were {MOST} attempts from your address within a minute. Try again in"
        f" {amount(seconds, 'second')}."
    )


def waiting(record: JobRecord, queued: int, workers: int) -> str:
    """Say where a job stands that has not ended.

    Parameters
    ----------
    record
        Of a job that has not ended.
    queued
        How many jobs wait.
    workers
        How many there are.
    """
    if record.state is JobState.QUEUED:
        again = f" again, since attempt {record.attempt} was broken off" if record.attempt else ""
        if not workers:
            return f"Waiting{again}. {NO_WORKER}"
        return f"Waiting{again}: {amount(queued, 'job')} queued, {amount(workers, 'worker')}."
    if record.state is JobState.CANCELLING:
        return "Being cancelled: the worker stops at the next occasion."
    phase = (record.progress or {}).get("phase")
    again = f", in attempt {record.attempt}" if record.attempt > 1 else ""
    return f"At work{again}: {phase}." if phase else f"At work{again}."


def sweep_name(record: SweepRecord) -> str:
    """Give the name by which people know a sweep; of one without, its kind and the end of its id."""
    noun = "what if" if record.kind is SweepKind.WHAT_IF else "sweep"
    if not record.name:
        return f"{noun} {UNICODE.ellipsis}{record.id[-6:]}"
    name = printable(record.name)
    return f"What if: {name}" if record.kind is SweepKind.WHAT_IF else name


def sweep(record: SweepRecord, now: datetime) -> str:
    """Say how far a sweep is, and about how long it will still take.

    Parameters
    ----------
    record
        As it is stored.
    now
        The time.
    """
    ended = record.jobs - record.unended
    failed = record.counts[JobState.FAILED]
    told = [f"{ended:,} of {amount(record.jobs, 'job')} done"]
    if failed:
        told.append(f"{failed:,} failed")
    if cancelled := record.counts[JobState.CANCELLED]:
        told.append(f"{cancelled:,} cancelled")
    if record.state is SweepState.CANCELLING:
        told.append("being cancelled")
    elif ended and not record.state.final:
        seconds = (now - record.created_at).total_seconds() / ended * record.unended
        told.append(f"about {duration(seconds)} left")
    return ", ".join(told)


def duration(seconds: float) -> str:
    """Write a length of time for people."""
    for length, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * length:
            return amount(round(seconds / length), unit)
    return f"{max(1, round(seconds))} s"


def no_answer(record: JobRecord) -> str:
    """Say why a job that has ended has no answer."""
    if record.state is JobState.CANCELLED:
        return "Cancelled: there is no answer."
    error = record.error or {}
    return f"Failed: {error.get('detail') or 'no reason is known.'}"


def answer(report: Report) -> Sentence:
    """Say in one sentence what came out; empty where nothing did."""
    headline = sentence_case(phrase(report.view.headline, report, UNICODE))
    objective, schedule = report.result.objective, report.schedule
    if objective is None:
        bound = report.result.bound
        return () if bound is None else _bound_alone(report, bound.value)
    if objective.minimised:
        unit = f" {report.time_unit or _time_units(report)}" if objective.is_time else ""
        value: Sentence = (shown(objective.value), unit)
        name = objective.name.replace("_", " ")
        if headline:
            return (f"{headline}: {name} ", *value, ".")
        return (f"{sentence_case(name)} ", *value, ".")
    rate = objective.value
    if headline and schedule is not None and report.loses:
        rate = schedule.throughput
    told: Sentence = (shown(rate), f" {counted(report.noun, rate)} {report.per_time}")
    every_time_unit = schedule is not None and schedule.period == 1 and not report.loses
    if not headline or every_time_unit:  # The headline says the same.
        return (*told, ".")
    if schedule is not None and report.loses:
        loss = small_percent(schedule.loss)
        return (
            f"{headline}: ",
            *told,
            f" by this schedule, {loss} less than the {'optimum' if report.is_best else 'rates'}, ",
            shown(objective.value),
            ".",
        )
    return (f"{headline}: ", *told, ".")


def headline(told: Sentence) -> str:
    """Give the first number of an answer with its unit, for the title of a window."""
    for number, unit in pairwise(told):
        if isinstance(number, Shown) and isinstance(unit, str):
            return f"{number.approx if number.digits else number.exact}{unit.rstrip('.')}"
    return ""


def _bound_alone(report: Report, bound: Fraction) -> Sentence:
    if report.result.outcome is Outcome.INFEASIBLE:
        return ()
    return ("The bound is ", shown(bound), ".")


def _time_units(report: Report) -> str:
    value = report.result.objective
    return "time unit" if value is not None and value.value == 1 else "time units"


def sentence_case(text: str) -> str:
    """Begin a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def question(report: Report) -> str:
    """Say what was asked about, and how much of it there is."""
    name, _, extent = subject(report)
    return ", ".join(filter(None, (printable(name), extent)))


def standing(report: Report) -> str:
    """Say how good the answer is, and what that rests on."""
    result = report.result
    _, reasons = verdict(report)
    match result.outcome:
        case Outcome.OPTIMAL if report.loses and report.is_best:
            return f"The optimum: {none_exceeds(report)}: {reasons}."
        case Outcome.OPTIMAL if report.is_best:
            return f"{sentence_case(none_better(report))}{_with_colon(reasons)}."
        case Outcome.OPTIMAL:
            return f"As near to the best as was asked{_with_colon(reasons)}."
        case Outcome.FEASIBLE:
            found = "As it was given" if report.view.given else "The best found"
            return f"{found}; {possible(report)}{_with_semicolon(reasons)}."
        case Outcome.INFEASIBLE:
            return f"Impossible: {reasons}."
        case Outcome.BOUND_ONLY:
            asked = "as was asked" if report.view.bound_asked else "no schedule was found in time"
            return f"Only a bound, {asked}{_with_semicolon(reasons)}."
        case _:
            return f"Nothing was found: {reasons}."


def _with_colon(reasons: str) -> str:
    return f": {reasons}" if reasons else ""


def _with_semicolon(reasons: str) -> str:
    return f"; {reasons}" if reasons else ""


def limits(report: Report) -> list[str]:
    """Say of the resources with the highest prices what they do and what hangs on them."""
    result, prices = report.result, report.prices
    objective = result.objective
    simulated = report.schedule is None and result.outcome is Outcome.FEASIBLE
    given = report.view.given and result.outcome is Outcome.FEASIBLE
    if objective is None or objective.minimised or simulated or given:
        return []
    if report.view.alike:
        return [f"{report.view.alike}: none of them is the bottleneck alone."]
    if not result.certificate.adds_up or result.bound is None or not result.bound.exact:
        return []
    ranked = sorted((r for r in prices if prices[r]), key=lambda r: (-prices[r], r))
    total = sum(prices.values(), Fraction(0))
    return [
        f"{doing(report, resource)}. {percent(prices[resource] / total)} of the optimum hangs on"
        " that."
        for resource in ranked[:LIMITING]
    ]


def limited_by(told: Mapping[str, Any] | None) -> str:
    """Name what limits a job most, as its row has it; empty where that is not known."""
    if told is None:
        return ""
    return str(told["label"]) + (f" (like {told['alike']:,} more)" if told["alike"] else "")


def doing(report: Report, resource: str) -> str:
    """Say what a resource does and how much of the time."""
    stem, _, kind = resource.rpartition(".")
    if kind in _CARRIES:
        name = report.names.of_resource(resource.removesuffix(f".{kind}") + ".", UNLIMITED, UNICODE)
        said = f"{name.removesuffix('.').replace('->', f' {UNICODE.to} ')} carries data"
    elif kind in _DOES:
        said = f"{report.names.name_of(stem)} {_DOES[kind]}"
    else:
        said = f"{report.names.of_resource(resource, UNLIMITED, UNICODE)} is in use"
    share = report.occupation.get(resource)
    if share is None:
        return said
    return said + how_often(share)


def how_often(share: Fraction) -> str:
    """Say for how much of the time something is done, with a blank before it."""
    return " all the time" if share == 1 else f" {percent(share)} of the time"


def unread(report: Report) -> str:
    """Say which parts of a schedule are too long for a page; empty where none is."""
    unread = report.unread
    nouns = {part: "transfer" if part == "cargo" else part.removesuffix("s") for part in unread}
    listed = [counted_amount(n, nouns[part], UNICODE) for part, n in unread.items()]
    return LEFT_OUT.format(", ".join(listed)) if listed else ""


def job_name(record: JobRecord, report: Report | None = None) -> str:
    """Give the name by which people know a job; of one without, its kind and the end of its id."""
    name = record.name
    if not name and report is not None:
        name = report.view.subject if report.platform is None else report.platform.name
    return printable(name) if name else f"{record.kind} {UNICODE.ellipsis}{record.id[-6:]}"


def alike(others: Sequence[str], together: bool) -> str:
    """Say which resources are the same as another but for their names."""
    if not others:
        return ""
    named = ", ".join(others[:_ALIKE])
    more = f" and {len(others) - _ALIKE:,} more" if len(others) > _ALIKE else ""
    return f"with {named}{more}, all together" if together else f"or {named}{more}: any one of them"


def gain_text(gain: Fraction | None, minimised: bool) -> str:
    """Say by how much a value is better or worse than the job's; of a makespan less is better."""
    if gain is None:
        return ""
    if gain == 0:
        return "as now"
    word = "more" if (gain > 0) is not minimised else "less"
    return f"{small_percent(abs(gain))} {word}"


def found_sign(outcome: Outcome | None, minimised: bool) -> str:
    """Say how a value that was found stands to the best one, which need not be known."""
    if outcome is not Outcome.FEASIBLE:
        return ""
    return "at most " if minimised else "at least "


def limiting(resource: str) -> str:
    """Say what a resource does that limits a schedule, without knowing its platform."""
    stem, _, kind = resource.rpartition(".")
    named = {"slots": "the slots, one after the other", "runs": "the runs of links, in their order"}
    if resource in named:
        return named[resource]
    if kind in _CARRIES:
        return f"{printable(stem).replace('->', f' {UNICODE.to} ')} carries data all the time"
    if kind in _DOES:
        return f"{printable(stem)} {_DOES[kind]} all the time"
    return printable(resource)


def advice(told: ReplanOut) -> str:
    """Say in one sentence whether the new schedule is worth the change; empty if it is not known."""
    if told.advice is None:
        return ""
    if told.advice.same_slots == "keep":
        return "Keep the schedule as it is."
    match told.advice.same_shares:
        case "keep":
            return "Keep the shares, in a new order."
        case "change":
            return "Change to the new schedule."
        case _:
            return "Change: whether a new order of the same shares would be enough is not known."


def reasons(told: ReplanOut) -> str:
    """Say what the advice rests on."""
    parts, known = told.of_optimum, told.advice
    if parts is None or known is None:
        return ""
    kept = told.kept.same_slots if known.same_slots == "keep" else told.kept.same_shares
    part = parts.same_slots if known.same_slots == "keep" else parts.same_shares
    how = "As it stands it keeps" if known.same_slots == "keep" else "In a new order it keeps"
    best = "the best" if told.outcome is Outcome.OPTIMAL else "the best known"
    first = f"{how} {'' if kept.exact else 'at most '}{percent(part)} of {best}"
    done = told.instances_done
    if done is not None and told.horizon is not None:
        stays = done.same_slots if known.same_slots == "keep" else done.same_shares
        left = exact_text(told.horizon, UNICODE)
        return (
            f"{first}. In the {left} time units that are left, that completes {stays:,} instances,"
            f" and a change {done.after_change:,}."
        )
    return f"{first}. What is within {percent(told.tolerance)} of it is not worth a change."
