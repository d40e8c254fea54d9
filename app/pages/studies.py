"""What the pages of studies show: forms on the page of a job, upgrades, and replans; sync."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from shlex import quote
from typing import Any, NamedTuple

from fastapi import Request

from app.db.jobs import JobRecord
from app.db.replans import ReplanRecord
from app.http.identity import tenant_of
from app.http.pages import DEFAULT_LIMIT
from app.http.refusals import Refusal
from app.http.resources import resources_of
from app.jobs import service
from app.pages import words
from app.pages.measuring import Measurable, measurable_of, slower
from app.pages.quantities import Shown, brief, shown, written
from app.studies import replans
from app.studies.documents import Known
from app.sweeps.upgrades import found_so_far
from steadygrid.domain.job import JobState
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.layout import Column, Listing
from steadygrid.report.quantities import percent
from steadygrid.report.report import Report
from steadygrid.studies.replanned import KeptRate, MovedTransfer, ReplanOut
from steadygrid.studies.sentences import changes, closing, lost, opening
from steadygrid.studies.study import Changed, StudyOut, UpgradeOut

ROWS = 50
"""Of tables of measured things, of tasks and of transfers. The rest is counted."""
UPGRADES = 200
"""Upgrades that a page lists."""
OF_JOB = 10
"""Replans that the page of a job lists, and of which a list says the advice."""
_CHANGES = 3
"""Of an upgrade, written out."""
_LIMITS = 3
"""Resources that are named as what limits a schedule."""


class Asking(NamedTuple):
    """What a page of a job asks with its two forms.

    Attributes
    ----------
    what_if
        Whether there is something to be made faster.
    timed
        Whether something may not be as planned, and the schedule can be timed anew.
    measurable
        What may not be as planned, as far as it is listed.
    """

    what_if: bool
    timed: bool
    measurable: Sequence[Measurable]
    more: int
    busy: bool
    """Whether it is known how busy they are."""
    replans: Sequence["Line"]
    curl: Mapping[str, str]


class Line(NamedTuple):
    """A replan in a list."""

    record: ReplanRecord
    state: JobState | None
    advice: str
    """Empty where it is left to the replan's own page."""


class Row(NamedTuple):
    """An upgrade, as its row says it."""

    told: UpgradeOut
    name: str
    alike: str
    changes: Sequence[str]
    at_most: Shown | None
    at_most_more: str
    exact: Shown | None
    exact_sign: str
    exact_more: str
    state: JobState | None
    """Of its job."""


class Study(NamedTuple):
    """What would help, as a page says it."""

    factor: Shown
    fails: bool
    opening: str
    closing: Sequence[str]
    bounds: bool
    """Whether anything is known without solving."""
    rows: Sequence[Row]
    rest: int
    notes: Sequence[str]


def asking(
    request: Request, record: JobRecord, report: Report | None, base: str, find: str = ""
) -> Asking | None:
    """Tell what can be asked about a job, and was asked. None where nothing can be.

    Parameters
    ----------
    base
        The address by which people know the service.
    find
        Part of the names of what is listed to be measured; empty: all.
    """
    if record.state is not JobState.SUCCEEDED or record.objective is None:
        return None
    found = replans.listed(resources_of(request), tenant_of(request), OF_JOB, None, record.id)
    measurable = [] if report is None else list(measurable_of(report))
    measurable.sort(key=lambda one: -one.used)
    own = f"{base}/v1/jobs/{record.id}"
    bodies: dict[str, Any] = {"what-if": {"factor": 2, "solve": 10}, "replan": {"measured": {}}}
    if measurable:
        bodies["replan"] = {"measured": slower(measurable), "scale": True}
    shown_ones = [one for one in measurable if find.casefold() in one.name.casefold()]
    return Asking(
        report is None or "platform" in report.submission.problem.instance.model_fields,
        bool(measurable),
        shown_ones[:ROWS],
        max(0, len(shown_ones) - ROWS),
        any(one.used for one in measurable),
        _lines(request, *found),
        {name: _curl(f"{own}/{name}", body) for name, body in bodies.items()},
    )


def _curl(address: str, body: Mapping[str, Any]) -> str:
    return (
        f"curl -s {quote(address)} -H 'Content-Type: application/json' -d {quote(json.dumps(body))}"
    )


def _lines(request: Request, page: Any, states: Mapping[str, JobState]) -> list[Line]:
    return [
        Line(
            record,
            states.get(record.job_id or ""),
            _advice_of(request, record.id) if place < OF_JOB else "",
        )
        for place, record in enumerate(page.items)
    ]


def _advice_of(request: Request, replan_id: str) -> str:
    """Give the advice of a replan in a list, from which it may be deleted meanwhile."""
    try:
        known = replans.known(resources_of(request), tenant_of(request), replan_id)
    except Refusal:
        return ""
    return words.advice(known.judged()) or _no_advice(known)


def study(stored: Mapping[str, Any], tries: Iterable[JobRecord], *, over: bool) -> Study:
    """Lay out what would help.

    Parameters
    ----------
    stored
        As `app.sweeps.service.whole` gives it.
    over
        Whether all of its jobs have ended.
    """
    known = list(tries)
    told = found_so_far(stored, known)
    states = {one.id: one.state for one in known}
    said = closing(told, UNICODE)
    if told.best is None and not over:
        said = [words.BEING_SOLVED]
    return Study(
        shown(told.factor),
        not told.factor,
        opening(told, UNICODE),
        said,
        told.optimum is not None,
        [_row(told, one, states) for one in _ranked(told)[:UPGRADES]],
        max(0, len(told.upgrades) - UPGRADES),
        [printable(note) for note in told.notes],
    )


def _ranked(told: StudyOut) -> Sequence[UpgradeOut]:
    """Put what was solved first, by what it brings, as the sentence above the table says it."""
    if not told.factor:
        return told.upgrades

    def place(one: UpgradeOut) -> tuple[bool, bool, Fraction]:
        return (
            one.resource != told.best,
            one.gain is None,
            -(Fraction(0) if one.gain is None else one.gain),
        )

    return sorted(told.upgrades, key=place)


def _row(told: StudyOut, one: UpgradeOut, states: Mapping[str, JobState]) -> Row:
    minimised = told.objective != "throughput"
    others = [printable(name) for name in one.names if name != one.resource]
    return Row(
        one,
        printable(one.resource),
        words.alike(others, told.twins == "all"),
        _changes(one.change),
        None if one.at_most is None else brief(one.at_most),
        words.gain_text(one.gain_at_most, minimised),
        None if one.exact is None else brief(one.exact),
        words.found_sign(one.outcome, minimised),
        words.gain_text(one.gain, minimised),
        states.get(one.job or ""),
    )


def _changes(listed: Sequence[Changed]) -> list[str]:
    """Write changes, equal ones once."""
    said = Counter(_change(one) for one in listed)
    texts = [f"{text} ({words.amount(n, 'place')})" if n > 1 else text for text, n in said.items()]
    more = len(texts) - _CHANGES
    return [*texts[:_CHANGES], f"and {more:,} more"] if more > 0 else texts


def _change(one: Changed) -> str:
    if one.after is None:
        return words.GONE
    steps = one.pointer.split("/")
    name = next(step for step in reversed(steps) if not step.isdigit())
    said = printable(name.replace("~1", "/").replace("~0", "~").replace("_", " "))
    if isinstance(one.before, Mapping | list) or isinstance(one.after, Mapping | list):
        return f"{said} other than before"
    before = "nothing" if one.before is None else written(one.before)
    return f"{said} {before} {UNICODE.to} {written(one.after)}"


def listed(request: Request, token: str | None) -> dict[str, Any]:
    """List replans, 50 a page; `Refusal` for a wrong page token.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    token
        Of the page before. None: the first page.
    """
    page, states = replans.listed(
        resources_of(request), tenant_of(request), DEFAULT_LIMIT, token, None
    )
    return {"lines": _lines(request, page, states), "next_token": page.next_token}


def replan_context(request: Request, replan_id: str) -> dict[str, Any]:
    """Describe a replan.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    replan_id
        Of the replan.

    Raises
    ------
    Refusal
        ``not_found``.
    """
    known = replans.known(resources_of(request), tenant_of(request), replan_id)
    told = known.judged()
    try:
        of_job = service.JOBS.get(resources_of(request), tenant_of(request), known.record.of_job)
    except Refusal:
        of_job = None
    name = "a job that has been deleted" if of_job is None else words.job_name(of_job)
    return {
        "record": known.record,
        "known": known,
        "told": told,
        "of_job": of_job,
        "of_name": name,
        "name": f"Replan of {name}",
        "advice": words.advice(told) or _no_advice(known),
        "reasons": words.reasons(told),
        "kept": _retained_rows(told),
        "lost": lost(told.gone),
        "change": "" if told.change is None else changes(told.change),
        "tables": _tables(told),
        "measured": _measured(known),
        "notes": [printable(note) for note in told.notes],
    }


def _no_advice(known: Known) -> str:
    """Say why there is no advice."""
    if not known.study.request.solve:
        return words.NOT_SOUGHT
    if known.study.body is None:
        return words.NOTHING_LEFT
    return words.NO_ADVICE if known.final else words.SOUGHT


def _retained_rows(told: ReplanOut) -> list[tuple[str, str, Shown, str, str]]:
    """Give rows of what is kept: what, sign, throughput, part of the best, what limits it."""
    parts = told.of_optimum
    slots, shares = (None, None) if parts is None else (parts.same_slots, parts.same_shares)
    rows = [
        ("as planned", "", shown(told.before.value), "", ""),
        _kept_row("same order, now", told.kept.same_slots, slots),
        _kept_row("same shares, in a new order", told.kept.same_shares, shares),
    ]
    if told.optimum is not None:
        proved = told.bound is not None and told.bound.value == told.optimum.value
        best = "the best now" if proved else "the best known now"
        part = "100 %" if told.optimum.value else ""
        rows.append((best, "", shown(told.optimum.value), part, ""))
    return rows


def _kept_row(name: str, kept: KeptRate, part: Fraction | None) -> tuple[str, str, Shown, str, str]:
    sign = "" if kept.exact else "at most "
    limits = [words.limiting(resource) for resource in kept.limited_by[:_LIMITS]]
    if (more := len(kept.limited_by) - _LIMITS) > 0:
        limits.append(f"and {more:,} more")
    share = "" if part is None else sign + percent(part)
    return name, sign, shown(kept.value), share, "; ".join(limits)


def _tables(told: ReplanOut) -> list[Listing]:
    if told.change is None:
        return []
    change = told.change
    columns = [Column("task"), Column("message"), Column("executions per instance", right=True)]
    moved = [
        [printable(one.task), printable(one.message or ""), written(one.moved)]
        for one in change.tasks[:ROWS]
    ]
    if not any(row[1] for row in moved):
        columns, moved = [columns[0], columns[2]], [[row[0], row[2]] for row in moved]
    tables = [
        Listing("Tasks that run elsewhere", columns, moved, change.tasks_moved, "tasks"),
        _transfers("Files that move over links where they did not", change.appear)._replace(
            count=change.transfers_appear
        ),
        _transfers("Files that no longer move over links", change.vanish)._replace(
            count=change.transfers_vanish
        ),
    ]
    return [table for table in tables if table.count]


def _transfers(title: str, listed: Sequence[MovedTransfer]) -> Listing:
    rows = [
        [
            printable(f"{one.file[0]} {UNICODE.to} {one.file[1]}"),
            printable(one.sender),
            printable(one.receiver),
        ]
        for one in listed[:ROWS]
    ]
    return Listing(
        title, [Column("file"), Column("from"), Column("to")], rows, len(listed), "files"
    )


def _measured(known: Known) -> Listing:
    request = known.study.request
    rows = [[printable(name), what, _value(value)] for name, what, value in _values(known)]
    title = "What was measured, as factors of the plan" if request.scale else "What was measured"
    columns = [Column("what"), Column("quantity"), Column("measured", right=True)]
    return Listing(title, columns, rows[:ROWS], len(rows), "values")


def _value(value: Fraction) -> str:
    return written(value) if value else words.GONE


def _values(known: Known) -> Iterator[tuple[str, str, Fraction]]:
    measured = known.study.request.measured
    for name, processor in measured.processors.items():
        for what, value in (("speed", processor.speed), ("unit time", processor.unit_time)):
            if value is not None:
                yield name, what, value
        for task, value in processor.times.items():
            yield name, f"time of {printable(task)}", value
    for link in measured.links:
        ends = f"{link.source} {UNICODE.to} {link.target}"
        for what, value in (("bandwidth", link.bandwidth), ("unit time", link.unit_time)):
            if value is not None:
                yield ends, what, value
    for name, medium in measured.media.items():
        yield name, "bandwidth", medium.bandwidth
