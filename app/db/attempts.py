"""How attempts at jobs have ended, counted by the database itself.

A trigger on `jobs` adds to one row of `attempts` whenever a job leaves a worker or ends, so that
workers of every version and process are counted, none twice, and a killed one too. A unit that
writes there has locked the tally of the same tenant, kind and lane before, so no unit waits for it.

Times are counted in buckets, each in its own column. A job waits from its making to its first start,
and is solved from its last start to its end. Both are counted when it ends.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Column, Connection, Double, SmallInteger, String, Table, text

from app.db.columns import Name, metadata
from steadygrid.domain.job import JobState

BOUNDS = (0.1, 0.5, 2.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 3600.0, 86_400.0)
"""Seconds: upper ends of the buckets. The last bucket has none."""
_BUCKETS = len(BOUNDS) + 1
WAITED = tuple(f"waited_{number}" for number in range(_BUCKETS))
SOLVED = tuple(f"solved_{number}" for number in range(_BUCKETS))
SUMS = ("waited_seconds", "solved_seconds", "seconds")
KEY = ("tenant", "kind", "lane", "attempt", "state", "detail")
FORMER = ""
"""Stands for all tenants that have been deleted."""
_FINAL = ", ".join(f"'{state.value}'" for state in JobState if state.final)
_LEASED = f"('{JobState.RUNNING.value}', '{JobState.CANCELLING.value}')"
_WAS_LEASED = f"OLD.state IN {_LEASED}"
LEFT_WORKER = f"{_WAS_LEASED} AND NEW.state NOT IN {_LEASED}"
"""What a trigger asks: whether this change of a job's state ends an attempt."""


class AttemptEnd(StrEnum):
    """How an attempt can end. Values of the column `attempt`."""

    NONE = "none"
    """The job ended before a worker took it."""
    ENDED = "ended"
    GIVEN_BACK = "given_back"
    SOLVER_DIED = "solver_died"
    LEASE_LOST = "lease_lost"


def _numbers(names: Sequence[str], kind: type[Any]) -> list[Column[float]]:
    return [Column(name, kind, nullable=False, server_default="0") for name in names]


attempts = Table(
    "attempts",
    metadata,
    Column("tenant", Name(63), primary_key=True, nullable=False),
    Column("kind", Name(63), primary_key=True, nullable=False),
    Column("lane", SmallInteger, primary_key=True, autoincrement=False, nullable=False),
    Column("attempt", String(15), primary_key=True, nullable=False),
    Column("state", String(15), primary_key=True, nullable=False),
    Column("detail", String(63), primary_key=True, nullable=False),
    *_numbers(("number", *WAITED, *SOLVED), BigInteger),
    *_numbers(SUMS, Double),
)
"""`state` is what the job came to, `detail` its outcome or the code of its error.

`seconds` are those of all attempts, also of those that were lost.
"""


class _Sql(NamedTuple):
    """How a database writes what the trigger needs."""

    now: str
    seconds: str
    """Between two moments, ``{0}`` and ``{1}``."""
    code: str


_WRITTEN = {
    "sqlite": _Sql(
        "strftime('%Y-%m-%d %H:%M:%f000', 'now')",
        "max(0.0, (julianday({1}) - julianday({0})) * 86400.0)",
        "json_extract(NEW.error, '$.code')",
    ),
    "postgresql": _Sql(
        "clock_timestamp()",
        "greatest(0.0, extract(epoch FROM {1} - {0})::double precision)",
        "NEW.error::json ->> 'code'",
    ),
}


def seconds_spent(dialect: str) -> str:
    """Write, for a trigger, how long the attempt took that ends.

    Parameters
    ----------
    dialect
        ``sqlite`` or ``postgresql``.
    """
    sql = _WRITTEN[dialect]
    started = "coalesce(OLD.claimed_at, OLD.started_at, OLD.created_at)"
    return sql.seconds.format(started, sql.now)


def counting(dialect: str) -> str:
    """Write the statement of the trigger that counts, after a change of a job's state.

    Parameters
    ----------
    dialect
        ``sqlite`` or ``postgresql``.
    """
    sql = _WRITTEN[dialect]
    is_final = f"NEW.state IN ({_FINAL})"
    waited = sql.seconds.format("OLD.created_at", "OLD.started_at")
    measured = (
        f"CASE WHEN {_WAS_LEASED} THEN CASE WHEN NEW.failures > OLD.failures"
        f" THEN CASE WHEN OLD.lease_until < {sql.now} THEN '{AttemptEnd.LEASE_LOST}'"
        f" ELSE '{AttemptEnd.SOLVER_DIED}' END"
        f" WHEN {is_final} THEN '{AttemptEnd.ENDED}' ELSE '{AttemptEnd.GIVEN_BACK}' END"
        f" ELSE '{AttemptEnd.NONE}' END AS attempt,"
        f" CASE NEW.state WHEN 'succeeded' THEN NEW.outcome"
        f" WHEN 'failed' THEN coalesce({sql.code}, '') ELSE '' END AS detail,"
        f" CASE WHEN {is_final} AND OLD.started_at IS NOT NULL THEN {waited} END AS waited,"
        f" CASE WHEN {_WAS_LEASED} THEN {seconds_spent(dialect)} END AS spent,"
        f" CASE WHEN {is_final} THEN 1 ELSE 0 END AS final"
    )
    values = ["NEW.tenant", "NEW.kind", "NEW.lane", "attempt", "NEW.state", "substr(detail, 1, 63)"]
    values += ["1", *_buckets("waited", "waited IS NOT NULL")]
    values += _buckets("spent", "spent IS NOT NULL AND final = 1")
    values += ["coalesce(waited, 0)", "CASE WHEN final = 1 THEN coalesce(spent, 0) ELSE 0 END"]
    values += ["coalesce(spent, 0)"]
    names = ("number", *WAITED, *SOLVED, *SUMS)
    changes = ", ".join(f"{name} = attempts.{name} + excluded.{name}" for name in names)
    return (
        f"INSERT INTO attempts ({', '.join((*KEY, *names))}) SELECT {', '.join(values)}"
        f" FROM (SELECT {measured}) AS measured"
        f" WHERE ({LEFT_WORKER})"
        f" OR (OLD.state = 'queued' AND {is_final})"
        f" ON CONFLICT ({', '.join(KEY)}) DO UPDATE SET {changes}"
    )


def _buckets(value: str, known: str) -> list[str]:
    """Write 1 for the bucket of a value, and 0 for the others."""
    cases = []
    for least, most in zip((None, *BOUNDS), (*BOUNDS, None), strict=True):
        limits = [known]
        limits += [] if least is None else [f"{value} > {least}"]
        limits += [] if most is None else [f"{value} <= {most}"]
        cases.append(f"CASE WHEN {' AND '.join(limits)} THEN 1 ELSE 0 END")
    return cases


def fold(connection: Connection, tenant: str) -> None:
    """Count for all former tenants what was counted for one: no sum over tenants ever falls.

    Parameters
    ----------
    tenant
        One that is being deleted.
    """
    names = ("number", *WAITED, *SOLVED, *SUMS)
    changes = ", ".join(f"{name} = attempts.{name} + excluded.{name}" for name in names)
    connection.execute(
        text(
            f"INSERT INTO attempts ({', '.join((*KEY, *names))})"
            f" SELECT :former, {', '.join((*KEY[1:], *names))} FROM attempts"
            f" WHERE tenant = :gone ON CONFLICT ({', '.join(KEY)}) DO UPDATE SET {changes}"
        ),
        {"former": FORMER, "gone": tenant},
    )
    connection.execute(attempts.delete().where(attempts.c.tenant == tenant))
