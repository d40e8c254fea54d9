"""The one form in which a job changes its state: a conditional UPDATE and its events."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, update
from sqlalchemy.sql.dml import ReturningUpdate

from app.db.clock import current_time
from app.db.events import EventType, write_events
from app.db.models import jobs
from steadygrid.domain.job import JobState, Outcome


def change_job(
    connection: Connection,
    where: ColumnElement[bool],
    state: JobState,
    *,
    outcome: Outcome | None = None,
    **values: Any,
) -> Any:
    """Bring the job that `where` selects (at most one) into a state.

    `where` names the job and the states it may come from: the second writer changes nothing. The
    lease ends unless `values` has one. A final state adds the event ``end``.

    Parameters
    ----------
    connection
        Inside of a transaction.
    where
        The job, and the states that it may come from.
    state
        To which the job is brought.
    outcome
        What a job that succeeded found. None where it did not.
    **values
        More columns of the job, by name.

    Returns
    -------
    Row or None
        As `make_change` gives it.
    """
    if outcome is not None:
        values["outcome"] = outcome.value
    return make_change(connection, job_change(where, state, **values), state, outcome)


def job_change(where: ColumnElement[bool], state: JobState, **values: Any) -> ReturningUpdate[Any]:
    """Write the statement of a change, for `make_change`. See `change_job`.

    SQLAlchemy takes longer to write a statement and to recognise it than SQLite to execute it: what
    is needed for each job is written once, with parameters.

    Parameters
    ----------
    where
        The job, and the states that it may come from.
    state
        To which the job is brought.
    **values
        More columns of the job, by name.
    """
    events = 2 if state.final else 1
    leased = state in (JobState.RUNNING, JobState.CANCELLING)
    values |= {"state": state.value, "seq": jobs.c.seq + events}
    if not leased:
        values |= {"lease_until": None, "worker": None}
    if state.final:
        values = {"outcome": None} | values | {"finished_at": current_time()}
    if state is JobState.QUEUED:
        values |= {"woken_at": current_time(), "wakes": 0, "progress": None, "claimed_at": None}
    return (
        update(jobs)
        .where(where)
        .values(**values)
        .returning(
            jobs.c.id,
            jobs.c.tenant,
            jobs.c.kind,
            jobs.c.attempt,
            jobs.c.time_limit,
            jobs.c.seq,
            jobs.c.requires,
            jobs.c.sweep_id,
            jobs.c.sweep_index,
            jobs.c.traceparent,
            jobs.c.woken_at,
        )
    )


def make_change(
    connection: Connection,
    statement: ReturningUpdate[Any],
    state: JobState,
    outcome: Outcome | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Any:
    """Change a job, and write the events of that.

    Parameters
    ----------
    connection
        Inside of a transaction.
    statement
        As `job_change` wrote it.
    state
        To which it brings the job.
    outcome
        What a job that succeeded found. None where it did not.
    parameters
        Those of the statement.

    Returns
    -------
    Row or None
        ``id, tenant, kind, attempt, time_limit, seq, requires, sweep_id, sweep_index,
        traceparent, woken_at`` after the
        change. None if nothing matched.
    """
    row = connection.execute(statement, parameters or {}).first()
    if row is None:
        return None
    data: dict[str, Any] = {"state": state.value, "attempt": row.attempt}
    if outcome is not None:
        data["outcome"] = outcome.value
    written: list[tuple[EventType, dict[str, Any]]] = [("state", data)]
    if state.final:
        written.append(("end", data))
    write_events(connection, row.tenant, row.id, row.seq, written)
    return row
