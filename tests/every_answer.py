"""Every answer that a test obtains can be read again, judged, exported, shown and drawn.

`watch` is called once, before any test is imported. From then on all that the pipeline answers, in this
process or in one that it has started, goes through `Answers.look`. What fails there fails the test: at
once, and where that was caught, at its end (`Answers.raise_first`).
"""

import hashlib
from collections import Counter, defaultdict
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from app.db.jobs import JobRecord
from app.db.packing import pack
from app.pages.answer import Stored, lay_out, read_report
from app.pages.jobs import Around, Opened, laid_out
from app.pages.rendering import Visitor, rendered
from app.pages.words import headline
from steadygrid import solving
from steadygrid.documents import read_result, read_schedule, result_json, schedule_chunks
from steadygrid.domain.document import canonical_json, parse_json
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import JobState, Result
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.pictures.asking import read_wanted
from steadygrid.pictures.gallery import entries_of, picture_of
from steadygrid.report.html import summary_html
from steadygrid.report.limiter import chief_limiter
from steadygrid.report.page import summary_text
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list
from steadygrid.submissions.exports import EXPORTERS, write_answer
from steadygrid.submissions.submission import Submission, restore_submission, schedule_limits
from tests.acceptance.runs import check_told

MOST_BYTES = 300_000
"""Of the JSON of an answer, schedule and all; longer ones are looked at once of each sort. Pictures
take ten times as long as all the rest, and are specified once of each sort."""
MOST_SHOWN = 3
"""Answers of one sort and about one length that are exported and shown: all are read and judged."""


class Unreadable(AssertionError):
    """An answer that cannot be read, judged, exported, shown or drawn."""


class Answers:
    """The answers of a test process."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()
        self._sorts: set[tuple[object, ...]] = set()
        self._shown: Counter[tuple[object, ...]] = Counter()
        self._drawn: set[tuple[object, ...]] = set()
        self.failures: list[Unreadable] = []
        self.looked = 0

    def look(
        self, submission: Submission, result: Result, schedule: AnySchedule | None, limits: Limits
    ) -> None:
        """Put an answer to all its uses; once, if it is the same as one before.

        Of those that differ little some are shown, see `MOST_SHOWN`.

        Raises
        ------
        Unreadable
            If it is of no use.
        """
        try:
            self._look(submission, result, schedule, limits)
        except Exception as error:
            failure = Unreadable(f"an answer of {submission.kind} is of no use: {error!r}")
            self.failures.append(failure)
            raise failure from error

    def raise_first(self) -> None:
        """Raise what was found since the last time, even if it was caught."""
        failures, self.failures = self.failures, []
        if failures:
            raise failures[0]

    def _look(
        self, submission: Submission, result: Result, schedule: AnySchedule | None, limits: Limits
    ) -> None:
        written = result_json(result)
        listed = "" if schedule is None else "".join(schedule_chunks(schedule))
        instance = canonical_json(submission.document())
        whole = f"{instance}\n{written}\n{listed}".encode("utf-8", "surrogatepass")
        digest, sort = hashlib.sha256(whole).digest(), _sort(submission, result, schedule)
        if digest in self._known or (sort in self._sorts and len(whole) > MOST_BYTES):
            return
        self._known.add(digest)
        self._sorts.add(sort)
        self.looked += 1
        asked = restore_submission(parse_json(instance.encode("utf-8", "surrogatepass")))
        assert (asked.instance, asked.options) == (submission.instance, submission.options)
        read = read_result(parse_json(written.encode()), asked)
        assert read == result
        found = None
        if schedule is not None:
            found = read_schedule(parse_json(listed.encode()), asked.problem.form)
            assert found == schedule
            _check_runs(
                parse_json(instance.encode("utf-8", "surrogatepass")), parse_json(listed.encode())
            )
        _check(asked, read, found, limits)
        looks_like = (*sort, len(whole).bit_length())
        self._shown[looks_like] += 1
        if self._shown[looks_like] > MOST_SHOWN:
            return
        _export(asked, read, found)
        _show(asked, read, found)
        self._draw(Report(asked, read, found))

    def _draw(self, report: Report) -> None:
        """Specify the pictures of its sort."""
        for entry in entries_of(report):
            sort = (entry.name, *_sort(report.submission, report.result, report.found)[:3])
            if sort not in self._drawn:
                self._drawn.add(sort)
                assert picture_of(report, entry.name, read_wanted({})).table is not None


ANSWERS = Answers()
"""Those of this process."""


def watch() -> None:
    """Look at every answer that the pipeline makes from now on, wherever it is called from."""
    run, solve = pipeline.run, solving.Solver.solve

    @wraps(run)
    def watched_run(submission: Submission, control: Control, limits: Limits) -> pipeline.Answer:
        answer = run(submission, control, limits)
        ANSWERS.look(submission, *answer, limits)
        return answer

    @wraps(solve)
    def watched_solve(
        solver: solving.Solver, submission: Submission, on_progress: solving.Told | None = None
    ) -> solving.Found:
        found = solve(solver, submission, on_progress)
        ANSWERS.look(submission, found.result, found.schedule, vars(solver)["_limits"])
        return found

    setattr(pipeline, "run", watched_run)  # noqa: B010 - a function is no attribute to mypy
    setattr(solving.Solver, "solve", watched_solve)  # noqa: B010


def _sort(
    submission: Submission, result: Result, schedule: AnySchedule | None
) -> tuple[object, ...]:
    """Tell what decides how an answer is shown."""
    given = submission.instance
    return (
        submission.kind,
        result.certificate.type,
        None if schedule is None else schedule.form,
        result.method,
        result.outcome,
        getattr(given, "ports", None),
        getattr(given, "operation", None),
        getattr(result, "bound_source", None),
        result.objective is None or result.objective.value == 0,
    )


def _check(asked: Submission, result: Result, schedule: AnySchedule | None, limits: Limits) -> None:
    asked.problem.validate(asked.instance, asked.options, result, schedule, schedule_limits(limits))


def _check_runs(asked: dict[str, Any], schedule: dict[str, Any]) -> None:
    """Let code that the referee does not share look at runs of links."""
    if "runs" in schedule:
        check_told(asked["problem"], schedule)


def _export(asked: Submission, result: Result, schedule: AnySchedule | None) -> None:
    """Write it in each format that takes its kind; some say which answers they do not take."""
    for exporter in EXPORTERS.values():
        if not exporter.takes(asked.kind):
            continue
        try:
            written = write_answer(exporter.name, asked, result, schedule, {})
        except (InstanceError, LimitError):
            continue
        assert written


def _show(asked: Submission, result: Result, schedule: AnySchedule | None) -> None:
    """Print it, and lay it out in a notebook and on the page of its job."""
    report = Report(asked, result, schedule)
    assert summary_text(asked, result, schedule)
    assert summary_html(report)
    result.model_dump_json(context={"numbers": "float"})
    assert _page(asked, result, schedule)


def _page(asked: Submission, result: Result, schedule: AnySchedule | None) -> bytes:
    """Lay out the page of a job that was stored with this answer."""
    document = result.model_dump(mode="json")
    now = datetime.now(UTC)
    solved = Report(asked, result, schedule)
    limiter = chief_limiter(solved)
    if limiter is not None and limiter.key is not None:
        first, *others = resource_list(solved).limiting
        alike = sum(row.weight == first.weight for row in others)
        assert limiter == (first.key, first.label, alike)
    record = JobRecord(
        id="job_0", kind=asked.kind, name=None, state=JobState.SUCCEEDED, outcome=result.outcome,
        objective=document["objective"], bound=document["bound"], gap=document["gap"],
        limited_by=limiter and limiter._asdict(), labels={}, priority=0, warnings=result.warnings, attempt=1, failures=0, created_at=now,
        started_at=now, finished_at=now, progress=None,
        schedule_id=None if schedule is None else "sch_0", error=None, seq=1, traced=False,
    )  # fmt: skip
    kept = Stored(pack(asked.document()), pack(document), schedule, ())
    report = read_report(record, kept)
    assert isinstance(report, Report), report
    header = None if schedule is None else schedule.header | {"links": defaultdict(str)}
    found = Opened(record, report, lay_out(report), "")
    shown = laid_out(found, Around("http://localhost", 0, 1, header, None))
    place = {"root": "", "path": "/jobs/job_0", "busy": "", "version": ""}
    title, visitor = headline(found.told.sentence), Visitor("", True)
    parts = [place | shown | {"tab": one.name} for one in shown["tabs"]]
    return b"".join(rendered("job", title, visitor, **part) for part in parts)
