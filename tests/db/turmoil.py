"""Random operations on jobs, as workers, clients and people with SQL do them."""

import random
import sys
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

from sqlalchemy import delete, func, select, update

from app.db.engine import Database
from app.db.errors import JobOfSweepError, StaleAttemptError
from app.db.models import Doom, jobs, sweeps, tallies
from app.db.new_jobs import NewJob
from app.db.packing import pack, pack_schedule
from app.db.queue import Claim, Found
from app.db.skills import Skills
from app.db.sweep_work import SweepJob, Unmade
from app.db.sweeps import NewSweep
from app.db.tallies import Counts, count_and_compare, count_and_compare_sweeps
from app.db.turns import Lane
from app.db.unit import Unit
from steadygrid.domain.job import JobState, Outcome
from tests.databases import small_schedule

FUTURE = datetime.now(UTC) + timedelta(days=1)
TENANTS = ("local", "other")
KINDS = ("cell", "master_worker", "task_graph")
SKILLS = (Skills(KINDS, 1), Skills(KINDS[:2], 0))
POISON = {"code": "poison", "detail": "again and again"}
SCHEDULES = [pack_schedule(small_schedule(slots)) for slots in (1, 2)]


class Turned(Exception):
    """A unit that is rolled back on purpose."""


def operate(unit: Unit, draw: random.Random) -> None:
    """Do one thing."""
    queue = unit.queue
    if draw.random() < 0.3:
        check_use(unit)
        unit.jobs.add(NewJob.create(draw.choice(KINDS), {}, requires=draw.choice((0, 0, 1))))
        return
    rows = unit._connection.execute(
        select(jobs.c.id, jobs.c.tenant, jobs.c.kind, jobs.c.attempt, jobs.c.time_limit)
    ).all()
    mine = Claim(*draw.choice(rows)) if rows else Claim("job_none", "local", "cell", 0, 1.0)
    job_id = mine.job_id
    schedule = draw.choice([None, *SCHEDULES])
    steps = [
        lambda: queue.claim(
            "w",
            draw.choice(SKILLS),
            draw.choice((-1.0, 30.0)),
            draw.choice((None, 1, 3)),
            draw.choice(list(Lane)),
        ),
        lambda: queue.heartbeat(mine, 30, {"phase": "solving"}),
        lambda: queue.succeed(
            mine, Found(Outcome.OPTIMAL), pack({}), schedule, None, draw.choice((None, pack([])))
        ),
        lambda: queue.fail(mine, POISON),
        lambda: queue.cancelled(mine),
        lambda: queue.give_back(mine),
        lambda: queue.crashed(mine, 3, POISON),
        lambda: queue.reclaim(job_id, 3, POISON),
        lambda: unit.jobs.cancel(job_id),
        lambda: unit.jobs.delete(job_id),
        lambda: unit.jobs.purge(draw.choice((-1, 1)), draw.randint(1, 4)),
        lambda: unit.jobs.delete_ended(draw.randint(1, 4), FUTURE, kinds=draw.sample(KINDS, 2)),
        lambda: by_hand(unit, job_id, draw),
        lambda: with_sweeps(unit, draw),
        lambda: with_sweeps(unit, draw),
    ]
    with suppress(StaleAttemptError, JobOfSweepError):
        draw.choice(steps)()


def with_sweeps(unit: Unit, draw: random.Random) -> None:
    """Do what is done to sweeps, one thing in one unit."""
    work = unit.sweep_work
    found = unit.sweeps.page(100).items
    sweep = draw.choice(found).id if found else "swp_none"
    steps = [
        lambda: unit.sweeps.add(NewSweep.create(draw.choice(KINDS), draw.randint(0, 9), {}), -1),
        lambda: work.take_unmade(30 if draw.random() < 0.1 else -1),
        lambda: make_some(unit, draw),
        lambda: make_some(unit, draw),
        lambda: unit.sweeps.ask_cancel(sweep),
        lambda: work.cancel_some(sweep, draw.randint(1, 4)),
        lambda: [work.cancel_some(one, 3) for one in work.cancelling(1)],
        lambda: work.retry_some(unit.tenant, sweep, draw.randint(1, 4)),
        lambda: unit.sweeps.doom(sweep, draw.choice(list(Doom))),
        lambda: [work.remove_some(one, 3) for one in work.doomed(1)],
    ]
    draw.choice(steps)()


def make_some(unit: Unit, draw: random.Random) -> None:
    """Make jobs of a sweep that was taken in a unit before, or just looked at."""
    left = (sweeps.c.created < sweeps.c.jobs) & (sweeps.c.tenant == unit.tenant)
    row = unit._connection.execute(select(sweeps).where(left).limit(1)).first()
    if row is not None:
        kind = row.job_kind
        unmade = Unmade(row.id, row.tenant, row.created, row.jobs, b"")
        last = min(unmade.jobs, unmade.created + draw.randint(1, 4))
        made = [
            SweepJob(replace(NewJob.create(kind, {}), packed=None), index)
            for index in range(unmade.created, last)
        ]
        if not unit.sweep_work.make_some(unmade, made, -1):
            raise Turned


def check_use(unit: Unit) -> None:
    """What quotas look at is what counting gives, also in the middle of a unit."""
    unit.tenants.hold(unit.tenant)
    unit.tenants.take_turn(unit.tenant)
    mine = select(func.count()).where(jobs.c.tenant == unit.tenant)
    queued = mine.where(jobs.c.state == JobState.QUEUED).scalar_subquery()
    said = select(func.coalesce(func.sum(tallies.c.queued), 0)).where(
        tallies.c.tenant == unit.tenant
    )
    # One statement, hence one snapshot.
    counted, found = unit._connection.execute(select(queued, said.scalar_subquery())).one()
    assert found == counted


def by_hand(unit: Unit, job_id: str, draw: random.Random) -> None:
    """Do what no repository does."""
    this = jobs.c.id == job_id
    single = jobs.c.sweep_id.is_(None)
    kind = draw.choice(KINDS)
    queued = {"state": JobState.QUEUED.value, "outcome": None, "error": None, "finished_at": None}
    statement = draw.choice(
        [
            # Only upwards: this locks two kinds, and each change of two kinds locks them in order.
            update(jobs).where(this, single, jobs.c.kind < kind).values(kind=kind),
            update(jobs)
            .where(this, single, jobs.c.outcome.is_(None))
            .values(**queued, lease_until=None, worker=None),
            delete(jobs).where(this, single),
        ]
    )
    unit._connection.execute(statement)


def run(database: Database, seed: int, operations: int | None = None) -> None:
    """Do so many operations, each in a unit of its own; one in five is rolled back."""
    draw = random.Random(seed)
    for _ in count() if operations is None else range(operations):
        with suppress(Turned), database.write(draw.choice(TENANTS)) as unit:
            operate(unit, draw)
            if draw.random() < 0.2:
                raise Turned


def counted(database: Database) -> tuple[Counts, Counts]:
    """Give numbers of jobs: as counted, and as the tallies and sweeps say."""
    with database.looking() as connection:
        found, said = count_and_compare(connection)
        found_of_sweeps, said_of_sweeps = count_and_compare_sweeps(connection)
    return found | found_of_sweeps, said | said_of_sweeps


if __name__ == "__main__":
    run(Database.open(sys.argv[1]), int(sys.argv[2]))
