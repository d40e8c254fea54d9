"""What the pages of jobs show; sync, for the thread pool."""

from collections.abc import Iterator, Mapping, Sequence
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
from app.jobs import listing, service
from app.jobs.filters import SINGLE, Filters, filters
from app.pages import studies, words
from app.pages.answer import AnswerLayout, lay_out, read_report, stored
from app.pages.badges import badge
from app.pages.differences import MOST_DIFFERENCES, Difference, differences
from app.pages.period_figure import (
    NARROW,
    WIDE,
    Marking,
    PeriodFigure,
    period_figure,
)
from app.pages.platform_figure import Extent, PlatformFigure, job_figure
from app.pages.progress import progress, reached
from app.pages.quantities import Shown, brief
from app.pages.rendering import Visitor
from app.pages.resources import (
    ResourceTable,
    TableState,
    grouped_limits,
    query_around,
    query_of,
    resource_table,
)
from app.pages.running import PresentPosition, Running, running
from app.pages.simulations import NONE_SIMULATED, Simulations, simulations
from app.pages.tabs import ANSWER, CHANGES, FILES, PROOF, QUESTION, SCHEDULE, WHAT_IF, tabs
from app.schedules.service import header
from steadygrid.domain.job import JobState, Outcome
from steadygrid.kinds import PROBLEMS
from steadygrid.pictures.gallery import entries_of
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list

ALL = "all"
OLDEST = "oldest"
AS_USUAL = TableState()


class Row(NamedTuple):
    """A job in a list."""

    record: JobRecord
    name: str
    objective: Shown | None
    gap: str
    limited_by: str
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
    told = {} if record.state.final else dict(progress(record))
    gap = "" if record.gap is None else words.gap(record.gap)
    name, limited_by = words.job_name(record), words.limited_by(record.limited_by)
    return Row(record, name, value, gap, limited_by, words.seconds(record), told)


class FilterForm(NamedTuple):
    """What a list of jobs is narrowed to. What a form leaves empty narrows nothing."""

    state: str = ""
    kind: str = ""
    outcome: str = ""
    label: str = ""
    name: str = ""
    sweep: str = ""
    """`ALL`: jobs of sweeps, too; else an id of a sweep; empty: only jobs of none."""
    find: str = ""
    order: str = ""
    """`OLDEST`: the oldest first; else the newest."""

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
            self.find,
        )

    @property
    def narrows(self) -> bool:
        """Whether some jobs may be left out that the list has without it."""
        return self._replace(order="") != FilterForm()


def _member(members: Any, name: str, text: str) -> Any:
    try:
        return members(text)
    except ValueError:
        known = f"the {name} is one of: " + ", ".join(members)
        raise refused_parameter(name, f"unknown_{name}", known) from None


def misread(asked: FilterForm, refusal: Refusal) -> dict[str, Any]:
    """Say what is wrong with a filter, besides the form as it was filled in.

    Parameters
    ----------
    asked
        The form as it was filled in.
    refusal
        Of the filter.
    """
    return _form(asked) | {"rows": (), "after": "", "before": "", "refusal": refusal, "total": ""}


def _form(asked: FilterForm) -> dict[str, Any]:
    return {
        "filters": asked,
        "states": list(JobState),
        "outcomes": list(Outcome),
        "kinds": list(PROBLEMS),
        "narrowed": asked.narrows,
        "turned": asked._replace(order="" if asked.order == OLDEST else OLDEST).query,
        "oldest_first": asked.order == OLDEST,
        "refusal": None,
    }


def listed(
    request: Request, asked: FilterForm, wanted: Filters, token: str | None, backwards: bool
) -> dict[str, Any]:
    """List jobs, 50 a page, in the order of the form; `Refusal` for a wrong page token.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    asked
        The form as it was filled in.
    wanted
        What the jobs have to be.
    token
        Of the page before. None: the first page.
    backwards
        Whether the page before the token is meant, not the one after it.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    page = listing.listed(
        parts,
        tenant,
        DEFAULT_LIMIT,
        token,
        wanted,
        backwards=backwards and token is not None,
        oldest_first=asked.order == OLDEST,
    )
    items = page.items
    after = bool(items) and (backwards or page.next_token is not None)
    before = bool(items) and token is not None and (not backwards or page.next_token is not None)
    return _form(asked) | {
        "rows": [row(record) for record in items],
        "after": _page_query(asked, token_of(items[-1])) if after else "",
        "before": _page_query(asked, token_of(items[0]), "true") if before else "",
        "total": _total(listing.count_jobs(parts, tenant, wanted)),
    }


def _total(counted: listing.JobTotal) -> str:
    return ("More than " if counted.more else "") + words.amount(counted.jobs, "job")


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
        Of the client. It says which tenant asks.
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
    """What the page of a job shows besides the job and its answer.

    Attributes
    ----------
    base
        Address by which people know the service.
    queued, workers
        How many jobs wait, and how many workers there are.
    schedule
        Header of the schedule, with its links.
    help_path
        Where the guide describes the error of a failed job.
    changed
        What the changes that were sent with the body have changed.
    """

    base: str
    queued: int
    workers: int
    schedule: Mapping[str, Any] | None
    asking: studies.Asking | None
    simulations: Simulations = NONE_SIMULATED
    may_submit: bool = True
    running: Running | None = None
    help_path: str | None = None
    changed: Sequence[Difference] = ()


def job_context(
    request: Request, job_id: str, table: TableState = AS_USUAL, tab: str = ANSWER
) -> dict[str, Any]:
    """Tell what a tab of the page of a job shows.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    job_id
        Of the job.
    table
        What the address says of the table of resources.
    tab
        Name of the tab that is open.

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
        simulated = simulations(unit, record)
        runs = running(unit, record, found.report)
    schedule = (
        None if record.schedule_id is None else header(parts, tenant, record.schedule_id, "exact")
    )
    find = table.find if tab == CHANGES else ""
    asking = studies.asking(request, record, found.report, base, find)
    may_submit = Visitor.from_request(request).may_submit
    help_path = parts.entries.path_of((record.error or {}).get("code", ""))
    bodies = service.changed_bodies(parts, tenant, job_id) if tab == QUESTION else None
    changed = [] if bodies is None else [*differences(*bodies)]
    around = Around(
        base, queued, workers, schedule, asking, simulated, may_submit, runs, help_path, changed
    )
    return laid_out(found, around, table, tab)


def laid_out(
    found: Opened, around: Around, table: TableState = AS_USUAL, tab: str = ANSWER
) -> dict[str, Any]:
    """Give what the template of the page needs.

    Parameters
    ----------
    found
        The job, and its answer if it has one.
    around
        What the page shows besides.
    table
        What the address says of the table of resources.
    tab
        Name of the tab that is open.
    """
    record, report, answer, not_told = found
    ended_well = record.state is JobState.SUCCEEDED
    own = f"/v1/jobs/{record.id}"
    resources = None if report is None else resource_table(report, table)
    now = None if around.running is None else around.running.now
    figures = _figures(report, resources, table, now)
    written = [
        name
        for name, one in (("platform", figures.platform), ("gantt", figures.period))
        if one is not None
    ]
    pictures = [] if report is None else entries_of(report)
    pictures = [one for one in pictures if one.name not in written]
    own_picture = pictures[0] if pictures and pictures_installed() and not written else None
    filled = [ANSWER, *_filled(found, around, pictures[1:] if own_picture else pictures)]
    listed = tabs(record.id, filled, tab, table.query)
    opened_row = None if resources is None else resources.opened
    return {
        "tab": tab,
        "tabs": listed,
        "filled": tab in filled,
        "paths": {one.name: one.path for one in listed},
        "state": table,
        "figures_first": resources is None or SCHEDULE not in filled,
        "own_picture": own_picture,
        "marked": () if opened_row is None else (opened_row.kind, *opened_row.members),
        "record": record,
        "badge": badge(record, report),
        "figure": figures.platform,
        "period": figures.period,
        "open_query": lambda key: query_of(table, key),
        "around_query": query_around(table, opened_row),
        "row": row(record),
        "name": words.job_name(record, report),
        "limits": _limits(report, answer, resources),
        "headline": "" if answer is None else words.headline(answer.sentence),
        "report": report,
        "told": answer,
        "resources": resources,
        "not_told": not_told,
        "waiting": ""
        if record.state.final
        else words.waiting(record, around.queued, around.workers),
        "no_answer": words.no_answer(record) if record.state.final and not ended_well else "",
        "reached": None if record.state.final else reached(record),
        "progress": [] if ended_well else list(progress(record)),
        "schedule": around.schedule,
        "downloads": _downloads(record, own),
        "pictures": pictures,
        "drawn": pictures_installed(),
        "help_path": around.help_path,
        "check": words.check(record) if ended_well else "",
        "curl": _curl(around.base, own),
        "changed": around.changed[:MOST_DIFFERENCES],
        "more_changed": max(0, len(around.changed) - MOST_DIFFERENCES),
        "kind": PROBLEMS.get(record.kind),
        "dispatched": report is not None and _dispatched(report),
        "asking": around.asking,
        "simulations": around.simulations,
        "running": around.running,
        "asked": "" if report is None else words.question(report),
    }


def _filled(found: Opened, around: Around, pictures: Sequence[Any]) -> Iterator[str]:
    """Name the tabs, but the first, that have something to show."""
    told, asking = found.told, around.asking
    if pictures or around.schedule is not None or (told and (told.parts or told.unread)):
        yield SCHEDULE
    if told is not None:
        yield PROOF
    if asking is not None and asking.what_if and around.may_submit:
        yield WHAT_IF
    if asking is not None and (asking.replans or (asking.timed and around.may_submit)):
        yield CHANGES
    yield from (FILES, QUESTION)


def _limits(
    report: Report | None, answer: AnswerLayout | None, resources: ResourceTable | None
) -> Sequence[str]:
    if report is None or answer is None or resources is None:
        return () if answer is None else answer.limits
    return grouped_limits(report, resources.found) or answer.limits


class Figures(NamedTuple):
    """The pictures that the server writes into a page. Each None where it is drawn otherwise."""

    platform: PlatformFigure | None = None
    period: PeriodFigure | None = None


def _figures(
    report: Report | None,
    resources: ResourceTable | None,
    state: TableState,
    now: PresentPosition | None,
) -> Figures:
    if report is None:
        return Figures()
    found = resource_list(report) if resources is None else resources.found
    opened = None if resources is None else resources.opened
    chosen = None if opened is None else opened.key

    def href(key: str) -> str:
        return f"?{query_of(state, '' if key == chosen else key)}"

    keys = () if resources is None else resources.keys
    extent = Extent(state.neighbourhood, lambda near: state.with_neighbourhood(near).query)
    platform = job_figure(report, found, keys, chosen, href, extent)
    marking = Marking({} if platform is None else platform.places, chosen, href)
    width = NARROW if platform is None else WIDE

    def window(begin: str, end: str) -> str:
        return state._replace(begin=begin, end=end).query

    dates = state.begin, state.end
    inside = None if now is None else now.part_of_window
    period = period_figure(report, found, dates, marking, window, width, inside)
    return Figures(platform, period)


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
            Download(f"{own}/result", "result.json", "exact value, bound, certificate and rates")
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
