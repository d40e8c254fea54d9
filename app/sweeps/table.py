"""The table of a sweep: what came of each of its jobs; sync, for the thread pool."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.db.jobs import JobRecord
from app.db.pages import Page, decode_token, encode_token
from app.db.unit import Unit
from app.http.pages import page_token_checked
from app.http.resources import Resources
from app.sweeps.service import SWEEPS, plan_of
from steadygrid.domain.rational import parse_exact
from steadygrid.studies.sweep_plan import Parameter, Plan
from steadygrid.studies.sweep_table import SweepRow, csv_lines, row_of

ROWS_AT_ONCE = 500


class _Columns(NamedTuple):
    """What a sweep's parameters are, and their values for each job."""

    parameters: Sequence[Parameter]
    values: Callable[[int], Mapping[str, Any]]


def page(
    parts: Resources, tenant: str, sweep_id: str, limit: int, token: str | None
) -> Page[SweepRow]:
    """Give a page of the rows that are there; refused as jobs of a sweep are listed.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    sweep_id
        Of the sweep.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        SWEEPS.existing(unit, sweep_id)
        first = 0 if token is None else decode_token(token, (int,))[0]
        columns = _columns(plan_of(unit, sweep_id))
        rows = _rows(unit, sweep_id, columns, first, limit + 1)
    further = encode_token([rows[limit].index]) if len(rows) > limit else None
    return Page(rows[:limit], further)


def csv(parts: Resources, tenant: str, sweep_id: str) -> Iterator[str]:
    """Give the table as lines of CSV, read some rows at a time; refused before the first line.

    Each row is as it is when it is read: of a sweep that goes on, later rows are newer.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    sweep_id
        Of the sweep.

    Yields
    ------
    str
        A line with its end.
    """
    with parts.database.read(tenant) as unit:
        SWEEPS.existing(unit, sweep_id)
        columns = _columns(plan_of(unit, sweep_id))

    return csv_lines(columns.parameters, _stored_rows(parts, tenant, sweep_id, columns))


def all_rows(parts: Resources, tenant: str, sweep_id: str) -> list[SweepRow]:
    """Give all rows that are there; refused as jobs of a sweep are listed.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    sweep_id
        Of the sweep.
    """
    with parts.database.read(tenant) as unit:
        SWEEPS.existing(unit, sweep_id)
        columns = _columns(plan_of(unit, sweep_id))
    return list(_stored_rows(parts, tenant, sweep_id, columns))


def _stored_rows(
    parts: Resources, tenant: str, sweep_id: str, columns: _Columns
) -> Iterator[SweepRow]:
    first = 0
    while True:
        with parts.database.read(tenant) as unit:
            some = _rows(unit, sweep_id, columns, first, ROWS_AT_ONCE)
        yield from some
        if len(some) < ROWS_AT_ONCE:
            return
        first = some[-1].index + 1


def _columns(plan: Mapping[str, Any]) -> _Columns:
    if "patches" in plan:
        return _Columns((), lambda _: {})
    read = Plan.from_document(plan)
    names = [parameter.name for parameter in read.parameters]
    return _Columns(
        read.parameters, lambda index: dict(zip(names, read.values(index), strict=True))
    )


def _rows(unit: Unit, sweep_id: str, columns: _Columns, first: int, limit: int) -> list[SweepRow]:
    records = unit.sweeps.last_tries(sweep_id, first, limit)
    periods = unit.schedules.periods(
        {record.schedule_id for record in records if record.schedule_id is not None}
    )
    return [_row(record, columns, periods) for record in records]


def _row(record: JobRecord, columns: _Columns, periods: Mapping[str, str | None]) -> SweepRow:
    period = None if record.schedule_id is None else periods.get(record.schedule_id)
    seconds = None
    if record.started_at is not None and record.finished_at is not None:
        seconds = round((record.finished_at - record.started_at).total_seconds(), 3)
    return row_of(
        record.sweep_index,
        columns.values(record.sweep_index),
        record.state.value,
        outcome=None if record.outcome is None else record.outcome.value,
        objective=record.objective,
        bound=record.bound,
        gap=record.gap,
        error=record.error,
        period=None if period is None else parse_exact(period),
        seconds=seconds,
        job=record.id,
    )
