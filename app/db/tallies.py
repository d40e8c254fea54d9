"""How many jobs there are by tenant, kind and state, without counting them.

Triggers on `jobs` keep the table `tallies`, so that cascades, SQL by hand and workers of the
version before are counted too. There is one row for each tenant and kind, its states are
columns: rows for each state would be locked in opposite orders by those who claim jobs and
those who give them back. The row is locked until its unit commits, so a unit changes a job's
state as late as it can, and one that changes many jobs goes kind by kind, in order.
`served` of the row whose job was claimed last is the greatest of all.

The same triggers count the last tries of each sweep in its own row, after the tally: a unit that
locks a sweep changes no job afterwards.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, String, cast, func, inspect, literal, select, text

from app.db.attempts import attempts, counting
from app.db.models import jobs, sweeps, tallies
from app.db.solver_days import adding, solver_days
from steadygrid.domain.job import JobState

Counts = dict[tuple[str, ...], int]
"""Numbers of jobs by tenant, kind, lane and state, or by sweep and state."""

_STATES = tuple(state.value for state in JobState)
_KEY = ("tenant", "kind", "lane")
_ACTIVE = tuple(state.value for state in JobState if not state.final)
_NAMES = ("tally_new_jobs", "tally_changed_jobs", "tally_deleted_jobs")
"""The triggers; on PostgreSQL all of them call one function."""
_FUNCTION = "tally_jobs"
MOST_WEIGHT = 10
TURN = 2_520
"""Length of a turn of weight 1, which all weights divide."""


def write_triggers(connection: Connection) -> None:
    """Make the triggers anew. They vanish with the table whenever SQLite copies `jobs`."""
    drop_triggers(connection)
    key = _key(connection)
    # While older versions of the tables are gone through, there may be no such columns yet.
    columns = _columns(connection)
    weighed = "turn_end" in columns
    greatest = "max" if connection.dialect.name == "sqlite" else "greatest"
    served = [_serve(key, greatest if weighed else None)] if "served" in columns else []
    changed = [_subtract_old(key), _add_new(key), *served]
    bodies = [[_add_new(key)], changed, [_subtract_old(key)]]
    if inspect(connection).has_table(sweeps.name):
        bodies[0].append(_add_to_sweep())
        bodies[1].append(_change_in_sweep())
    if inspect(connection).has_table(attempts.name):
        bodies[1].append(counting(connection.dialect.name))
    if inspect(connection).has_table(solver_days.name):
        bodies[1].append(adding(connection.dialect.name))
    make = _on_sqlite if connection.dialect.name == "sqlite" else _on_postgresql
    for statement in make(bodies, key):
        connection.exec_driver_sql(statement)


def _columns(connection: Connection) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns(tallies.name)}


def _key(connection: Connection) -> Sequence[str]:
    columns = _columns(connection)
    return [name for name in _KEY if name in columns]


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
    """Count all jobs. A scan, for migrations, which have locked `jobs` by the triggers."""
    sums = ", ".join(f"sum(CASE WHEN state = '{state}' THEN 1 ELSE 0 END)" for state in _STATES)
    key = ", ".join(_key(connection))
    connection.execute(tallies.delete())
    connection.exec_driver_sql(
        f"INSERT INTO {tallies} ({key}, {', '.join(_STATES)})"
        f" SELECT {key}, {sums} FROM {jobs} GROUP BY {key}"
    )


def count_and_compare(connection: Connection) -> tuple[Counts, Counts]:
    """Count all jobs by tenant, kind, lane and state; give that, and what the tallies say.

    If there are none, there is no entry. It is one statement, hence one moment, and a scan.
    """
    lane = cast(jobs.c.lane, String)
    key = (jobs.c.tenant, jobs.c.kind, lane, jobs.c.state)
    said_key = (tallies.c.tenant, tallies.c.kind, cast(tallies.c.lane, String))
    said_of = [
        select(literal("said"), *said_key, literal(state), tallies.c[state]) for state in _STATES
    ]
    return _compared(
        select(literal("found"), *key, func.count()).group_by(*key), said_of, connection
    )


def count_and_compare_sweeps(connection: Connection) -> tuple[Counts, Counts]:
    """Count the last tries of all sweeps by sweep and state; give that, and what the sweeps say.

    Otherwise as `count_and_compare`. Sweeps that are about to go are left out.
    """
    key = (jobs.c.sweep_id, jobs.c.state)
    counted = (
        select(literal("found"), *key, func.count())
        .join(sweeps, sweeps.c.id == jobs.c.sweep_id)
        .where(jobs.c.replaced_by.is_(None), sweeps.c.doom.is_(None))
        .group_by(*key)
    )
    said_of = [
        select(literal("said"), sweeps.c.id, literal(state), sweeps.c[state]).where(
            sweeps.c.doom.is_(None)
        )
        for state in _STATES
    ]
    return _compared(counted, said_of, connection)


def _compared(
    counted: Select[Any], said_of: Sequence[Select[Any]], connection: Connection
) -> tuple[Counts, Counts]:
    together = counted.union_all(*said_of)
    found: Counts = {}
    said: Counts = {}
    for which, *place, number in connection.execute(together):
        if number:
            (found if which == "found" else said)[tuple(place)] = number
    return found, said


def _subtract_old(key: Sequence[str]) -> str:
    changes = ", ".join(f"{state} = {state} - {_one_if('OLD', state)}" for state in _STATES)
    return f"UPDATE tallies SET {changes} WHERE {_equal_keys(key, 'OLD')}"


def _add_new(key: Sequence[str]) -> str:
    values = ", ".join(_one_if("NEW", state) for state in _STATES)
    changes = ", ".join(f"{state} = tallies.{state} + excluded.{state}" for state in _STATES)
    return (
        f"INSERT INTO tallies ({', '.join(key)}, {', '.join(_STATES)})"
        f" VALUES ({', '.join(f'NEW.{name}' for name in key)}, {values})"
        f" ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"
    )


def _serve(key: Sequence[str], greatest: str | None) -> str:
    """Note a claim; `greatest` is the function of that name, None: there are no weights yet."""
    where = f"{_equal_keys(key, 'NEW')} AND OLD.state = 'queued' AND NEW.state = 'running'"
    served = "served = (SELECT max(served) + 1 FROM tallies)"
    if greatest is None:
        return f"UPDATE tallies SET {served} WHERE {where}"
    # The turn begins where the last one of its tenant ends, or now.
    return (
        f"UPDATE tallies SET {served}, turn_begin = next.turn,"
        f" turn_end = next.turn + {TURN} / next.weight FROM (SELECT"
        f" {greatest}((SELECT max(turn_end) FROM tallies WHERE tenant = NEW.tenant), (SELECT"
        " turn_begin FROM tallies ORDER BY served DESC LIMIT 1)) AS turn,"
        " coalesce((SELECT weight FROM tenants WHERE tenant = NEW.tenant), 1) AS weight) AS next"
        f" WHERE {where}"
    )


def _add_to_sweep() -> str:
    """Count a new job. What it is another try of had failed."""
    more = {state: _one_if("NEW", state) for state in _STATES}
    more["failed"] += " - CASE WHEN NEW.sweep_try > 1 THEN 1 ELSE 0 END"
    changes = ", ".join(f"{state} = {state} + {one}" for state, one in more.items())
    return f"UPDATE sweeps SET {changes}, finished_at = NULL WHERE id = NEW.sweep_id"


def _change_in_sweep() -> str:
    """Count a job's new state. Where it was the last one to end, so has the sweep."""
    changes = ", ".join(
        f"{state} = {state} - {_one_if('OLD', state)} + {_one_if('NEW', state)}"
        for state in _STATES
    )
    active = ", ".join(f"'{state}'" for state in _ACTIVE)
    left = f"{' + '.join(_ACTIVE)} - CASE WHEN OLD.state IN ({active}) THEN 1 ELSE 0 END"
    return (
        f"UPDATE sweeps SET {changes}, finished_at = CASE"
        f" WHEN NEW.state NOT IN ({active}) AND {left} = 0"
        " AND (created = jobs OR cancelled_at IS NOT NULL) THEN NEW.finished_at END"
        " WHERE id = NEW.sweep_id AND OLD.state <> NEW.state"
    )


def _equal_keys(key: Sequence[str], row: str) -> str:
    return " AND ".join(f"{name} = {row}.{name}" for name in key)


def _one_if(row: str, state: str) -> str:
    return f"CASE WHEN {row}.state = '{state}' THEN 1 ELSE 0 END"


def _events(key: Sequence[str]) -> list[tuple[str, str]]:
    events = ("INSERT", f"UPDATE OF {', '.join(key)}, state", "DELETE")
    return list(zip(_NAMES, events, strict=True))


def _on_sqlite(bodies: Sequence[Sequence[str]], key: Sequence[str]) -> list[str]:
    return [
        f"CREATE TRIGGER {name} AFTER {event} ON jobs BEGIN {'; '.join(body)}; END"
        for (name, event), body in zip(_events(key), bodies, strict=True)
    ]


def _on_postgresql(bodies: Sequence[Sequence[str]], key: Sequence[str]) -> list[str]:
    done = "".join(
        f" IF TG_OP = '{operation}' THEN {'; '.join(body)}; END IF;"
        for operation, body in zip(("INSERT", "UPDATE", "DELETE"), bodies, strict=True)
    )
    function = (
        f"CREATE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f"{done} RETURN NULL; END $$"
    )
    return [
        function,
        *(
            f"CREATE TRIGGER {name} AFTER {event} ON jobs"
            f" FOR EACH ROW EXECUTE FUNCTION {_FUNCTION}()"
            for name, event in _events(key)
        ),
    ]
