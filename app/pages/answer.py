"""The answer of a job as its page tells it: read as far as a page needs it, and laid out.

A schedule may list a million transfers, an instance 100,000 processors. What is longer than a page
can show is left where it is stored, and the page says so and where to get it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

from pydantic import ValidationError

from app.db.jobs import JobRecord
from app.db.packing import unpack
from app.db.unit import Unit
from app.http.refusals import Refusal
from app.pages import words
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.sentences import explain_bound
from steadygrid.domain.trace import Trace, trace_from_document
from steadygrid.domain.view import Section
from steadygrid.kinds import PROBLEMS
from steadygrid.report.certificate import what_is_priced
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.judged import explained
from steadygrid.report.layout import UNLIMITED, Column, Listing
from steadygrid.report.pools import PooledReport
from steadygrid.report.report import Report
from steadygrid.report.sections import listing, phrase
from steadygrid.report.summary import facts
from steadygrid.report.tables import (
    WHERE_TASKS_RUN,
    allocation_listing,
    where_tasks_run,
)
from steadygrid.submissions.submission import restore_submission

LONGEST_BODY = 2**20
"""Bytes, as stored, of an instance or a result that is laid out; longer ones are downloads only."""
LONGEST_PART = 2**18
"""Bytes, as stored, of a part of a schedule that is read for a page."""
ROWS = 50
"""Of a table. The rest is counted."""
_NEEDS = (("allocations", "computations"), ("runs",), ("slots",), ("events",), ("rows",))
"""Parts of schedules that are read or left together."""
_ONE_AT_A_TIME = Lock()
"""Reading large answers takes many times their length."""


class Part(NamedTuple):
    """A piece of the page: a heading, a sentence, a table, remarks."""

    title: str
    text: str = ""
    table: Listing | None = None
    rest: str = ""
    """What the table leaves out."""
    notes: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class AnswerLayout:
    """An answer in words and tables, in the order in which a page shows it."""

    sentence: words.Sentence
    standing: str
    limits: Sequence[str]
    facts: Sequence[tuple[str, str]]
    parts: Sequence[Part]
    """Who does what."""
    unread: str
    proof: Part | None
    remarks: Sequence[tuple[str, str]]
    """Of the solver, each with its label."""
    warnings: Sequence[str]
    """Those of them that warn."""
    not_judged: Sequence[tuple[str, str]]
    """What no rule of the referee looks at: pointers into the result, and what some mean."""


class Stored(NamedTuple):
    """What there is of an answer, before the long part of the work: reading it."""

    instance: bytes
    result: bytes | None
    schedule: AnySchedule | None
    trace: Trace


def stored(unit: Unit, record: JobRecord) -> Stored:
    """Fetch the answer of a job.

    Parameters
    ----------
    unit
        In which it is read.
    record
        Of a job that has succeeded.
    """
    instance, result = stored_bodies(unit, record.id)
    trace = trace_from_document(unit.jobs.trace(record.id) or ())
    return Stored(instance, result, read_schedule(unit, record.schedule_id), trace)


def stored_bodies(unit: Unit, job_id: str) -> tuple[bytes, bytes | None]:
    """Fetch the instance of a job and its result, packed.

    Parameters
    ----------
    unit
        In which it is read.
    job_id
        Of the job.

    Raises
    ------
    Refusal
        ``not_found``: it has been deleted meanwhile.
    """
    packed = unit.jobs.packed(job_id)
    if packed is None:
        raise Refusal("not_found", "The job is gone.")
    return packed


def read_report(record: JobRecord, kept: Stored) -> Report | str:
    """Read the answer of a job that has succeeded, or say why it is not laid out.

    Parameters
    ----------
    record
        Of the job.
    kept
        What is stored of its answer.
    """
    if kept.result is None or max(len(kept.instance), len(kept.result)) > LONGEST_BODY:
        return words.TOO_LARGE
    try:
        with _ONE_AT_A_TIME:
            asked = restore_submission(unpack(kept.instance))
            answer = PROBLEMS[record.kind].result.model_validate(unpack(kept.result))
    except (SchedulingError, ValidationError, KeyError):
        return words.NOT_KNOWN
    return Report(asked, answer, kept.schedule, kept.trace)


def read_schedule(unit: Unit, schedule_id: str | None) -> AnySchedule | None:
    """Read a schedule without the parts that are too long for a page.

    Parameters
    ----------
    unit
        In which it is read.
    schedule_id
        Of the schedule. None: there is none.
    """
    if schedule_id is None:
        return None
    lengths = unit.schedules.packed_bytes(schedule_id)
    long = [group for group in _NEEDS if sum(lengths.get(p, 0) for p in group) > LONGEST_PART]
    return unit.schedules.load(schedule_id, [part for group in long for part in group])


def lay_out(report: Report) -> AnswerLayout:
    """Lay an answer out; interchangeable processors are one where tables list them."""
    pooled = report
    if report.view.classes:
        pooled = PooledReport(report.submission, report.result, report.found, report.trace)
    view = report.view
    return AnswerLayout(
        words.answer(report),
        words.standing(report),
        words.limits(pooled),
        [(label, text) for label, text in facts(report, UNLIMITED, UNICODE)],
        [
            *_sections(report, () if view.comparison is None else (view.comparison,)),
            *_allocation_parts(pooled),
            *_sections(report, view.sections),
        ],
        words.unread(report),
        _proof(pooled),
        [*report.remarks],
        [text for label, text in report.remarks if label == "warning"],
        [*explained(report.not_judged)],
    )


def _sections(report: Report, told: Iterable[Section]) -> Iterator[Part]:
    for section in told:
        table = section.table
        cells = (
            None if table is None else listing(table, UNLIMITED, report, UNLIMITED, UNICODE, ROWS)
        )
        yield Part(
            section.title,
            phrase(section.text, report, UNICODE),
            cells,
            _rest(cells),
            [(printable(about), printable(note)) for about, note in section.notes],
        )


def _part(table: Listing) -> Part:
    return Part(table.title, table=table, rest=_rest(table))


def _rest(table: Listing | None) -> str:
    """Count the rows that a table leaves out."""
    if table is None or table.count <= len(table.rows):
        return ""
    more = table.count - len(table.rows)
    first, _, rest = table.noun.partition(" ")
    noun = f"{first.removesuffix('s')} {rest}".rstrip() if more == 1 else table.noun
    return f"and {more:,} more {noun}".rstrip()


def _allocation_parts(report: Report) -> Iterator[Part]:
    """List the allocations, or where tasks run if there is one."""
    places = where_tasks_run(report, UNLIMITED, UNICODE)
    if places:
        columns = [Column("processor"), Column("tasks")]
        rows = [list(place) for place in list(places.items())[:ROWS]]
        yield _part(Listing(WHERE_TASKS_RUN, columns, rows, len(places), "processors"))
        return
    table = allocation_listing(report, lambda _columns, _rows: UNLIMITED, UNICODE, ROWS)
    if table is not None:
        label, common = table.common
        notes = [(label, common)] if label else ()
        yield _part(table)._replace(notes=notes)


def _proof(report: Report) -> Part | None:
    """Explain why no schedule does better."""
    text = phrase(explain_bound(report.result, report.view), report, UNICODE)
    if not text:
        return None
    priced = what_is_priced(report, UNLIMITED, UNICODE, ROWS)
    if priced is None:
        return Part("", text)
    table, rest = priced
    return Part("", text, table, f"and {rest}" if rest else "")
