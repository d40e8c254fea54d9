"""Whose turn it is: which queued job a worker takes next.

Between tenants only the share counts: first who has the fewest jobs running for its weight, then whose
turn begins first, then who was served least recently. The weight of a tenant is 1 unless an operator
sets another one. A claim is a turn, which is the shorter the greater the weight, and the next turn of
the tenant begins where it ends. So of two tenants that always have jobs, one with weight 3 is served
three times as often as one with weight 1. Who comes back begins where the others are.
Within a tenant the greater priority goes first, then what has not failed, then
what is oldest. Numbers of jobs come from `tallies`, so that a long queue costs nothing.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType

from app.db.models import jobs, tallies, tenants
from app.db.skills import Skills
from steadygrid.domain.job import JobState

_QUEUED = jobs.c.state == JobState.QUEUED.value
_TURNS = 0x57EAD8
"""What the advisory locks of turns begin with."""
_ONE: ColumnElement[int] = literal_column("1")
"""A limit that is no parameter. PostgreSQL takes a parameter for a tenth of all rows, so beside a long
queue it would plan each claim anew, which takes longer than the claim itself."""


class TurnLock(FunctionElement[None]):
    """The lock of a tenant's turn, held until the unit or its savepoint ends."""

    name = "turn"
    type = NullType()
    inherit_cache = True


@compiles(TurnLock, "postgresql")
def _on_postgresql(element: TurnLock, compiler: SQLCompiler, **kw: Any) -> str:
    tenant = compiler.process(element.clauses, **kw)
    return f"pg_advisory_xact_lock({_TURNS}, hashtext({tenant}))"


@compiles(TurnLock, "sqlite")
def _on_sqlite(_element: TurnLock, _compiler: SQLCompiler, **_kw: Any) -> str:
    return "NULL"  # a unit that writes is alone there


class Lane(IntEnum):
    """Where a job waits."""

    SINGLE = 0
    SWEEP = 1
    TRANSIENT = 2
    """In no list, and gone soon after its end; looked into before all others."""

    @property
    def opposite(self) -> "Lane":
        """The other one of jobs that are kept."""
        return Lane.SINGLE if self is Lane.SWEEP else Lane.SWEEP


def hold_turn(
    connection: Connection, skills: Skills, running_jobs: int | None, *, certain: bool
) -> str | None:
    """Lock the turn of the tenant that is next, if its running jobs are limited; give its name.

    Two workers at once would else each start the last job of the limit. The lock is no row, since
    the tenant's tallies are not all there from the start: two claims that each lock those they see
    could wait for each other. A unit holds the turn of at most one tenant, and takes it first.

    Parameters
    ----------
    connection
        Inside of a transaction.
    skills
        What the worker can solve. Other jobs do not exist for it.
    running_jobs
        How many a tenant may have running by default. None: any number.
    certain
        Pass over tenants that have nothing for this worker; that is slower.
    """
    held = connection.execute(_holding(skills, running_jobs, certain=certain))
    return held.scalars().first()


@lru_cache(maxsize=64)
def _holding(skills: Skills, running_jobs: int | None, *, certain: bool) -> Select[Any]:
    chosen = select(
        _next_tenant(skills, running_jobs, None, certain=certain).label("tenant")
    ).subquery()
    own = select(tenants.c.running_jobs).where(tenants.c.tenant == chosen.c.tenant)
    limited = _limit(own.scalar_subquery(), running_jobs).is_not(None)
    return select(chosen.c.tenant, TurnLock(chosen.c.tenant)).where(
        chosen.c.tenant.is_not(None), limited
    )


@lru_cache(maxsize=64)
def any_tenant_waits(skills: Skills, running_jobs: int | None) -> ColumnElement[bool]:
    """Whether there is a tenant whose turn it can be.

    Parameters
    ----------
    skills
        What the worker can solve. Other jobs do not exist for it.
    running_jobs
        How many a tenant may have running by default. None: any number.
    """
    return _next_tenant(skills, running_jobs, None, certain=True).is_not(None)


def next_job(
    skills: Skills,
    running_jobs: int | None,
    held: ColumnElement[str],
    first: Lane = Lane.SINGLE,
    *,
    certain: bool,
) -> ColumnElement[str]:
    """Select the id of the job whose turn it is, locked against later claims.

    Nothing is selected where others hold all that the tenant could offer, and where all its jobs
    are for workers of newer versions; then the statement may be worth another try.

    Parameters
    ----------
    skills
        What the worker can solve. Other jobs do not exist for it.
    running_jobs
        How many a tenant may have running by default. None: any number.
    held
        What `hold_turn` gave, NULL for None: other tenants with a limit are passed over.
    first
        The lane that is looked into first.
    certain
        Pass over tenants that have nothing for this worker: slower, for who found nothing.
    """
    holders = or_(tallies.c.tenant == held, _limit(_own_limit(), running_jobs).is_(None))
    tenant = _next_tenant(skills, running_jobs, holders, certain=certain)
    lanes = (Lane.TRANSIENT, first, first.opposite)
    return func.coalesce(*(_next_in(lane, tenant, skills) for lane in lanes))


def _next_in(lane: Lane, tenant: ScalarSelect[str], skills: Skills) -> ScalarSelect[str]:
    return (
        select(jobs.c.id)
        .where(jobs.c.tenant == tenant, _QUEUED, jobs.c.lane == lane.value, skills.suffice)
        .order_by(jobs.c.priority.desc(), jobs.c.failures, jobs.c.sweep_index, jobs.c.id)
        .limit(_ONE)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )


def _next_tenant(
    skills: Skills,
    running_jobs: int | None,
    among: ColumnElement[bool] | None,
    *,
    certain: bool,
) -> ScalarSelect[str]:
    running = func.sum(tallies.c.running + tallies.c.cancelling)
    weight = func.coalesce(func.max(tenants.c.weight), 1)
    # In whole numbers: up to its weight a tenant has as few running as one that has none. Else one
    # worker alone would serve the heaviest tenant only.
    load = running // weight
    others = tallies.alias()
    latest = select(others.c.turn_begin).order_by(
        others.c.served.desc(), others.c.turn_begin.desc()
    )
    present = latest.limit(_ONE).scalar_subquery()
    own = func.max(tallies.c.turn_end)
    begin = case((own > present, own), else_=present)
    most = _limit(_own_limit(), running_jobs)
    query = (
        select(tallies.c.tenant)
        .outerjoin(tenants, tenants.c.tenant == tallies.c.tenant)
        .where(tallies.c.kind.in_(skills.kinds))
        .group_by(tallies.c.tenant)
        .having(func.sum(tallies.c.queued) > 0, or_(most.is_(None), running < most))
        .order_by(load, begin, func.max(tallies.c.served), tallies.c.tenant)
        .limit(_ONE)
    )
    if among is not None:
        query = query.having(among)
    if certain:
        theirs = jobs.c.tenant == tallies.c.tenant
        found = exists().where(theirs, _QUEUED, skills.suffice)
        query = query.where(or_(tallies.c.queued == 0, found))
    return query.scalar_subquery()


def _own_limit() -> ColumnElement[int | None]:
    return func.max(tenants.c.running_jobs)


def _limit(own: ColumnElement[int | None], usual: int | None) -> ColumnElement[int | None]:
    return own if usual is None else func.coalesce(own, usual)
