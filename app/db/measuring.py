"""What tenants have stored, added up some rows at a time."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, exists, func, select, tuple_

from app.db.grid_tables import measured_platforms, measurements
from app.db.models import (
    applications,
    job_drafts,
    job_instances,
    job_results,
    job_traces,
    jobs,
    platforms,
    replans,
    schedule_chunks,
    sweep_plans,
    sweep_studies,
)
from app.db.turns import Lane

_MEASURED = (
    job_instances,
    job_drafts,
    job_results,
    job_traces,
    schedule_chunks,
    platforms,
    applications,
    sweep_plans,
    sweep_studies,
    replans,
    measured_platforms,
    measurements,
)


class Measuring:
    """A walk through all that is stored; rows that come or go meanwhile count or do not.

    Parameters
    ----------
    before
        What was known to be stored when the walk began, by tenant.
    """

    def __init__(self, before: Mapping[str, int] | None = None) -> None:
        self.before = dict(before or {})
        self.sizes: Counter[str] = Counter()
        """Bytes by tenant, of the rows that were passed."""
        self._left = list(_MEASURED)
        self._last: tuple[Any, ...] | None = None

    def step(self, connection: Connection, most: int) -> bool:
        """Add some rows; False if there are none any more.

        Parameters
        ----------
        connection
            Inside of a transaction.
        most
            Rows that are looked at.
        """
        if not self._left:
            return False
        table = self._left[0]
        rows = connection.execute(_sizes(table, self._last, most)).all()
        for tenant, size, *_ in rows:
            self.sizes[tenant] += size
        if len(rows) < most:
            self._last = None
            del self._left[0]
        else:
            self._last = tuple(rows[-1][2:])
        return bool(self._left)


def _kept_rows(table: Table) -> list[ColumnElement[bool]]:
    """Leave out what only transient jobs have."""
    transient = jobs.c.lane == Lane.TRANSIENT.value
    if table is schedule_chunks:
        of_it = (jobs.c.tenant == table.c.tenant) & (jobs.c.schedule_id == table.c.schedule_id)
        return [~exists().where(of_it, transient) | exists().where(of_it, ~transient)]
    if "job_id" in table.primary_key.columns:
        return [~exists().where(jobs.c.id == table.c.job_id, transient)]
    return []


def _length(table: Table) -> Any:
    if table is measurements:
        return func.length(table.c.resource) + func.length(table.c.value)
    return func.length(table.c.packed)


def _sizes(table: Table, last: tuple[Any, ...] | None, most: int) -> Any:
    key = list(table.primary_key)
    query = select(table.c.tenant, _length(table), *key).where(*_kept_rows(table))
    if last is not None:
        query = query.where(tuple_(*key) > tuple_(*last))
    return query.order_by(*key).limit(most)
