"""How many jobs there are by tenant, kind and state, without counting them.

Triggers on `jobs` keep the table `tallies`, so that cascades, SQL by hand and workers of the
version before are counted too. There is one row for each tenant and kind, its states are
columns: rows for each state would be locked in opposite orders by those who claim jobs and
those who give them back. The row is locked until its unit commits, so a unit changes a job's
state as late as it can, and one that changes many jobs goes kind by kind, in order.
`served` of the row whose job was claimed last is the greatest of all.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, func, inspect, literal, select, text

from app.db.models import jobs, tallies
from steadygrid.domain.job import JobState

Counts = dict[tuple[str, ...], int]
"""Numbers of jobs by tenant, kind and state."""

_STATES = tuple(state.value for state in JobState)
_KEY = "tenant, kind"
_NAMES = ("tally_new_jobs", "tally_changed_jobs", "tally_deleted_jobs")
"""The triggers; on PostgreSQL all of them call one function."""
_FUNCTION = "tally_jobs"


def write_triggers(connection: Connection) -> None:
    """Make the triggers anew; they vanish with the table whenever SQLite copies `jobs`."""
    drop_triggers(connection)
    # While older versions of the tables are gone through, there may be no such column yet.
    columns = {column["name"] for column in inspect(connection).get_columns(tallies.name)}
    changed = [_subtract_old(), _add_new()] + ([_serve()] if "served" in columns else [])
    make = _on_sqlite if connection.dialect.name == "sqlite" else _on_postgresql
    for statement in make(changed):
        connection.exec_driver_sql(statement)


def drop_triggers(connection: Connection) -> None:
    """Remove the triggers, as far as they are there."""
    if connection.dialect.name == "sqlite":
        for name in _NAMES:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
    else:
        connection.exec_driver_sql(f"DROP FUNCTION IF EXISTS {_FUNCTION}() CASCADE")


def missing_triggers(connection: Connection) -> list[str]:
    """Name the triggers that are not there, or do not fire."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'jobs'"
    else:
        query = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'jobs'::regclass AND tgenabled = 'O'"
    found = set(connection.execute(text(query)).scalars())
    return [name for name in _NAMES if name not in found]


def recount(connection: Connection) -> None:
    """Count all jobs; a scan, for migrations, which have locked `jobs` by the triggers."""
    sums = ", ".join(f"sum(CASE WHEN state = '{state}' THEN 1 ELSE 0 END)" for state in _STATES)
    connection.execute(tallies.delete())
    connection.exec_driver_sql(
        f"INSERT INTO {tallies} ({_KEY}, {', '.join(_STATES)})"
        f" SELECT {_KEY}, {sums} FROM {jobs} GROUP BY {_KEY}"
    )


def count_and_compare(connection: Connection) -> tuple[Counts, Counts]:
    """Count all jobs by tenant, kind and state; give that, and what the tallies say.

    Where there are none, there is no entry. It is one statement, hence one moment, and a scan.
    """
    key = (jobs.c.tenant, jobs.c.kind, jobs.c.state)
    said_of = [
        select(literal("said"), tallies.c.tenant, tallies.c.kind, literal(state), tallies.c[state])
        for state in _STATES
    ]
    together = select(literal("found"), *key, func.count()).group_by(*key).union_all(*said_of)
    found: Counts = {}
    said: Counts = {}
    for which, *place, number in connection.execute(together):
        if number:
            (found if which == "found" else said)[tuple(place)] = number
    return found, said


def _subtract_old() -> str:
    changes = ", ".join(f"{state} = {state} - {_one_if('OLD', state)}" for state in _STATES)
    return f"UPDATE tallies SET {changes} WHERE tenant = OLD.tenant AND kind = OLD.kind"


def _add_new() -> str:
    values = ", ".join(_one_if("NEW", state) for state in _STATES)
    changes = ", ".join(f"{state} = tallies.{state} + excluded.{state}" for state in _STATES)
    return (
        f"INSERT INTO tallies ({_KEY}, {', '.join(_STATES)})"
        f" VALUES (NEW.tenant, NEW.kind, {values})"
        f" ON CONFLICT ({_KEY}) DO UPDATE SET {changes}"
    )


def _serve() -> str:
    return (
        "UPDATE tallies SET served = (SELECT max(served) + 1 FROM tallies)"
        " WHERE tenant = NEW.tenant AND kind = NEW.kind"
        " AND OLD.state = 'queued' AND NEW.state = 'running'"
    )


def _one_if(row: str, state: str) -> str:
    return f"CASE WHEN {row}.state = '{state}' THEN 1 ELSE 0 END"


def _events() -> list[tuple[str, str]]:
    events = ("INSERT", f"UPDATE OF {_KEY}, state", "DELETE")
    return list(zip(_NAMES, events, strict=True))


def _on_sqlite(changed: Sequence[str]) -> list[str]:
    bodies = ([_add_new()], changed, [_subtract_old()])
    return [
        f"CREATE TRIGGER {name} AFTER {event} ON jobs BEGIN {'; '.join(body)}; END"
        for (name, event), body in zip(_events(), bodies, strict=True)
    ]


def _on_postgresql(changed: Sequence[str]) -> list[str]:
    function = (
        f"CREATE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" IF TG_OP = 'INSERT' THEN {_add_new()}; END IF;"
        f" IF TG_OP = 'UPDATE' THEN {'; '.join(changed)}; END IF;"
        f" IF TG_OP = 'DELETE' THEN {_subtract_old()}; END IF;"
        " RETURN NULL; END $$"
    )
    return [
        function,
        *(
            f"CREATE TRIGGER {name} AFTER {event} ON jobs"
            f" FOR EACH ROW EXECUTE FUNCTION {_FUNCTION}()"
            for name, event in _events()
        ),
    ]
