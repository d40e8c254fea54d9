"""What the pages of jobs show; sync, for the thread pool."""

from collections.abc import Mapping
from shlex import quote
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Request

from app.db.jobs import JobRecord, token_of
from app.http.identity import tenant_of
from app.http.pages import DEFAULT_LIMIT
from app.http.pictures import pictures_installed
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import Resources, resources_of
from app.jobs import service
from app.jobs.filters import SINGLE, Filters, filters
from app.pages import studies, words
from app.pages.answer import AnswerLayout, lay_out, read_report, stored
from app.pages.quantities import Shown, brief
from app.pages.resources import TableState, resource_table
from app.schedules.service import header
from steadygrid.domain.job import JobState, Outcome
from steadygrid.kinds import PROBLEMS
from steadygrid.pictures.gallery import entries_of
from steadygrid.report.report import Report

ALL = "all"
AS_USUAL = TableState()


class Row(NamedTuple):
    """A job in a list."""

    record: JobRecord
    name: str
    objective: Shown | None
    gap: str
    seconds: str
    progress: Mapping[str, str]


class Download(NamedTuple):
    """A file that a page offers."""

    path: str
    name: str
    says: str


def row(record: JobRecord) -> Row:
    """Write a job for a list."""
    value = None if record.objective is None else brief(record.objective["value"])
    told = {} if record.state.final else dict(words.progress(record))
    gap = "" if record.gap is None else words.gap(record.gap)
    return Row(record, words.job_name(record), value, gap, words.seconds(record), told)


class FilterForm(NamedTuple):
    """What a list of jobs is narrowed to; what a form leaves empty narrows nothing."""

    state: str = ""
    kind: str = ""
    outcome: str = ""
    label: str = ""
    name: str = ""
    sweep: str = ""
    """`ALL`: jobs of sweeps, too; else an id of a sweep; empty: only jobs of none."""

    @property
    def query(self) -> str:
        """Give them as they stand in an address."""
        return urlencode({name: text for name, text in self._asdict().items() if text})

    @property
    def filters(self) -> Filters:
        """Read them; `Refusal` for what can match nothing."""
        return filters(
            [_member(JobState, "state", self.state)] if self.state else None,
            [self.kind] if self.kind else None,
            [self.label] if self.label else None,
            [_member(Outcome, "outcome", self.outcome)] if self.outcome else None,
            self.name,
            None if self.sweep == ALL else self.sweep or SINGLE,
        )


def _member(members: Any, name: str, text: str) -> Any:
    try:
        return members(text)
    except ValueError:
        known = f"the {name} is one of: " + ", ".join(members)
        raise refused_parameter(name, f"unknown_{name}", known) from None


def misread(asked: FilterForm, refusal: Refusal) -> dict[str, Any]:
    """Say what is wrong with a filter, beside the form as it was filled in.

    Parameters
    ----------
    asked
        The form as it was filled in.
    refusal
        Of the filter.
    """
    return _form(asked) | {"rows": (), "older": "", "newer": "", "refusal": refusal}


def _form(asked: FilterForm) -> dict[str, Any]:
    return {
        "filters": asked,
        "states": list(JobState),
        "outcomes": list(Outcome),
        "kinds": list(PROBLEMS),
        "narrowed": bool(asked.query),
        "refusal": None,
    }


def listed(
    request: Request, asked: FilterForm, wanted: Filters, token: str | None, backwards: bool
) -> dict[str, Any]:
    """List jobs, 50 a page, the newest first; `Refusal` for a wrong page token.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    asked
        The form as it was filled in.
    wanted
        What the jobs have to be.
    token
        Of the page before; None: the first page.
    backwards
        Whether the page before the token is meant, not the one after it.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    page = service.listed(
        parts,
        tenant,
        DEFAULT_LIMIT,
        token,
        wanted,
        backwards=backwards and token is not None,
    )
    items = page.items
    older = bool(items) and (backwards or page.next_token is not None)
    newer = bool(items) and token is not None and (not backwards or page.next_token is not None)
    return _form(asked) | {
        "rows": [row(record) for record in items],
        "older": _page_query(asked, token_of(items[-1])) if older else "",
        "newer": _page_query(asked, token_of(items[0]), "true") if newer else "",
    }


def _page_query(asked: FilterForm, token: str, backwards: str = "") -> str:
    more = {"page_token": token} | ({"backwards": backwards} if backwards else {})
    return "&".join(filter(None, (asked.query, urlencode(more))))


class Opened(NamedTuple):
    """A job whose answer has been read, if it has one that can be."""

    record: JobRecord
    report: Report | None
    told: AnswerLayout | None
    not_told: str
    """Why an answer is not laid out."""


def opened(request: Request, job_id: str) -> Opened:
    """Read a job and its answer; `Refusal` ``not_found``.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    job_id
        Of the job.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    record = service.JOBS.get(parts, tenant, job_id)
    if record.state is not JobState.SUCCEEDED:
        return Opened(record, None, None, "")
    with parts.database.read(tenant) as unit:
        kept = stored(unit, record)
    read = read_report(record, kept)
    if isinstance(read, str):
        return Opened(record, None, None, read)
    return Opened(record, read, lay_out(read), "")


class Around(NamedTuple):
    """What the page of a job shows beside the job and its answer.

    Attributes
    ----------
    base
        Address by which people know the service.
    queued, workers
        How many jobs wait, and how many workers there are.
    schedule
        Header of the schedule, with its links.
    """

    base: str
    queued: int
    workers: int
    schedule: Mapping[str, Any] | None
    asking: studies.Asking | None


def job_context(request: Request, job_id: str, table: TableState = AS_USUAL) -> dict[str, Any]:
    """Tell all there is to tell about a job.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    job_id
        Of the job.
    table
        What the address says of the table of resources.

    Raises
    ------
    Refusal
        ``not_found``.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    found = opened(request, job_id)
    record, base = found.record, base_of(parts, request)
    with parts.database.read(tenant) as unit:
        queued = unit.news.counts()[JobState.QUEUED]
        workers = len(unit.workers.active())
    schedule = (
        None if record.schedule_id is None else header(parts, tenant, record.schedule_id, "exact")
    )
    asking = studies.asking(request, record, found.report, base)
    return laid_out(found, Around(base, queued, workers, schedule, asking), table)


def laid_out(found: Opened, around: Around, table: TableState = AS_USUAL) -> dict[str, Any]:
    """Give what the template of the page needs.

    Parameters
    ----------
    found
        The job, and its answer if it has one.
    around
        What the page shows besides.
    table
        What the address says of the table of resources.
    """
    record, report, answer, not_told = found
    ended_well = record.state is JobState.SUCCEEDED
    own = f"/v1/jobs/{record.id}"
    return {
        "record": record,
        "row": row(record),
        "name": words.job_name(record, report),
        "headline": "" if answer is None else words.headline(answer.sentence),
        "report": report,
        "told": answer,
        "resources": None if report is None else resource_table(report, table),
        "not_told": not_told,
        "waiting": ""
        if record.state.final
        else words.waiting(record, around.queued, around.workers),
        "no_answer": words.no_answer(record) if record.state.final and not ended_well else "",
        "progress": [] if ended_well else list(words.progress(record)),
        "schedule": around.schedule,
        "downloads": _downloads(record, own),
        "pictures": [] if report is None else entries_of(report),
        "drawn": pictures_installed(),
        "check": words.check(record) if ended_well else "",
        "curl": _curl(around.base, own),
        "kind": PROBLEMS.get(record.kind),
        "dispatched": report is not None and _dispatched(report),
        "asking": around.asking,
        "asked": "" if report is None else words.question(report),
    }


def _dispatched(report: Report) -> bool:
    """Whether whole instances are handed to allocations, one after the other."""
    schedule = report.schedule
    if schedule is None or "allocations" in report.unread:
        return False
    return all(allocation.message is None for allocation in schedule.allocations)


def _downloads(record: JobRecord, own: str) -> list[Download]:
    files = [Download(f"{own}/instance", "instance.json", "what was asked, canonical")]
    if record.state is JobState.SUCCEEDED:
        files.append(
            Download(f"{own}/result", "result.json", "value, bound, certificate, rates; exact")
        )
    if record.schedule_id is not None:
        stored = f"/v1/schedules/{record.schedule_id}"
        files += [
            Download(f"{stored}/document", "schedule.json", "who does what when, all of it"),
        ]
    return files


def _curl(base: str, own: str) -> Mapping[str, str]:
    """Give the lines that do the same without a browser."""
    return {
        "result": f"curl -s {quote(base + own + '/result')}",
        "again": f"curl -s {quote(base + '/v1/jobs')} -H 'Content-Type: application/json'"
        " --data-binary @instance.json",
    }


def base_of(parts: Resources, request: Request) -> str:
    """Give the address by which people know the service.

    Parameters
    ----------
    parts
        The parts of the running application.
    request
        It says where the service is reached, if the settings do not.
    """
    public = parts.settings.public_url
    return str(public or request.base_url).rstrip("/")
