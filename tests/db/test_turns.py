"""Whose turn it is: fair between tenants, by priority within one, and never beyond a limit."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from sqlalchemy import select, text, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.models import jobs, tenants
from app.db.new_jobs import NewJob
from app.db.queue import Claim
from app.db.skills import Skills
from tests.draws import draws
from workers.registration import OUR_SKILLS

MANY = 40
LONG = 4_000
WORKERS = 4


def add(
    database: Database, tenant: str, *, kind: str = "cell", priority: int = 0, requires: int = 0
) -> str:
    job = NewJob.create(kind, {}, requires=requires)
    with database.write(tenant) as unit:
        unit.jobs.add(job)
        unit._connection.execute(update(jobs).where(jobs.c.id == job.id).values(priority=priority))
    return job.id


def claim(database: Database, most: int | None = None, skills: Skills = OUR_SKILLS) -> Claim | None:
    with database.write_all() as unit:
        return unit.queue.claim("w", skills, 30, most)


def give_back(database: Database, taken: Claim) -> None:
    with database.write_all() as unit:
        unit.queue.give_back(taken)


def end(database: Database, taken: Claim) -> None:
    with database.write_all() as unit:
        unit.queue.fail(taken, {})


def one_after_the_other(database: Database, times: int) -> str:
    """Let one worker claim and end jobs, and say whose they were."""
    served = ""
    for _ in range(times):
        taken = claim(database)
        assert taken is not None
        served += taken.tenant
        end(database, taken)
    return served


def limit(database: Database, tenant: str, running_jobs: int | None) -> None:
    with database.write_all() as unit:
        unit._connection.execute(
            tenants.insert().values(
                tenant=tenant, created_at=current_time(), running_jobs=running_jobs
            )
        )


def test_a_long_queue_of_one_tenant_delays_no_other(database: Database) -> None:
    for tenant, most in (("a", MANY), ("b", 5), ("c", 2)):
        for _ in range(most):
            add(database, tenant, priority=9 if tenant == "a" else 0)
    assert one_after_the_other(database, 14) == "abcabcabababaa"


def weigh(database: Database, tenant: str, weight: int) -> None:
    limit(database, tenant, None)
    with database.write_all() as unit:
        assert unit.tenants.change(tenant, {"weight": weight})


def test_one_worker_serves_tenants_by_their_weights(database: Database) -> None:
    weigh(database, "a", 3)
    weigh(database, "b", 2)
    for tenant in "abc" * 12:
        add(database, tenant)
    served = one_after_the_other(database, 24)
    assert {tenant: served.count(tenant) for tenant in "abc"} == {"a": 12, "b": 8, "c": 4}
    assert all(set(served[place : place + 6]) == {*"abc"} for place in range(19))


def test_several_workers_are_shared_by_weight(database: Database) -> None:
    weigh(database, "a", 3)
    for tenant in "ab" * 8:
        add(database, tenant)
    taken = [claim(database) for _ in range(8)]
    running = [one.tenant for one in taken if one is not None]
    assert (running.count("a"), running.count("b")) == (6, 2)
    for place in range(24):
        ended = taken[place % 8]
        assert ended is not None
        end(database, ended)
        add(database, ended.tenant)
        taken[place % 8] = claim(database)
        running = [one.tenant for one in taken if one is not None]
        assert running.count("b") in (1, 2, 3)


def test_who_has_fewer_jobs_running_goes_first(database: Database) -> None:
    for tenant in "aaabbb":
        add(database, tenant)
    taken = [claim(database) for _ in range(2)]
    assert [one and one.tenant for one in taken] == ["a", "b"]
    assert taken[1] is not None
    end(database, taken[1])
    following = claim(database), claim(database)
    assert [one and one.tenant for one in following] == ["b", "a"]


def test_within_a_tenant_priority_counts_then_failures_then_age(database: Database) -> None:
    ids = [add(database, "a", priority=priority) for priority in (0, 3, 3, 9)]
    first = claim(database)
    assert first is not None
    assert first.job_id == ids[3]
    middle = claim(database)
    assert middle is not None
    with database.write_all() as unit:
        unit.queue.crashed(middle, 5, {})
    others = sorted({ids[1], ids[2]} - {middle.job_id})
    order = [taken.job_id for _ in range(3) if (taken := claim(database))]
    assert order == [*others, middle.job_id, ids[0]]


@pytest.mark.parametrize("cancelling", [False, True])
def test_a_tenant_at_its_limit_waits_for_room(database: Database, cancelling: bool) -> None:
    for tenant in "aaab":
        add(database, tenant)
    limit(database, "a", 2)
    limit(database, "b", None)
    served = [claim(database, most=1) for _ in range(4)]
    assert [one and one.tenant for one in served] == ["a", "b", "a", None]
    held = served[0]
    assert held is not None
    with database.write("a") as unit:
        assert not unit.queue.waits(OUR_SKILLS, 1)
        if cancelling:
            unit.jobs.cancel(held.job_id)
    assert claim(database, most=1) is None
    end(database, held)
    with database.read_all() as unit:
        assert unit.queue.waits(OUR_SKILLS, 1)
    following = claim(database, most=1)
    assert following is not None
    assert following.tenant == "a"


@pytest.mark.parametrize("known", [False, True])
def test_several_workers_keep_to_a_limit_over_all_kinds(database: Database, known: bool) -> None:
    for kind in ("cell", "dataflow") * 5:
        add(database, "a", kind=kind)
        add(database, "b", kind=kind)
    if known:
        limit(database, "a", 3)
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda _: claim(database, most=3), range(16)))
    tenants_of_taken = [one.tenant for one in taken if one is not None]
    assert sorted(tenants_of_taken) == ["a"] * 3 + ["b"] * 3


def test_a_job_waits_exactly_where_a_claim_would_find_one(database: Database) -> None:
    """Tenants with and without limits, kinds and levels that a worker knows or not."""
    draw = random.Random(4711)
    skills = Skills(("cell", "dataflow"), 3)
    seen = set()
    for tenant in "abc":
        limit(database, tenant, None)
    for _ in range(draws(30, 400)):
        with database.write_all() as unit:
            for tenant in "abc":
                unit.tenants.change(tenant, {"running_jobs": draw.choice([None, 0, 1, 2])})
        for _ in range(draw.randrange(4)):
            kind = draw.choice(["cell", "dataflow", "master_worker"])
            add(database, draw.choice("abc"), kind=kind, requires=draw.randrange(5))
        most = draw.choice([None, 0, 1])
        with database.read_all() as unit:
            waits = unit.queue.waits(skills, most)
        with database.write_all() as unit:
            found = unit.queue.claim("w", skills, 30, most)
            if found is not None and draw.random() < 0.7:
                unit.queue.fail(found, {})
        assert waits == (found is not None)
        seen.add(waits)
    assert seen == {False, True}


def test_a_tenant_with_jobs_for_newer_workers_only_is_passed_over(database: Database) -> None:
    add(database, "a", requires=OUR_SKILLS.level + 1)
    mine = add(database, "b")
    taken = claim(database)
    assert taken is not None
    assert taken.job_id == mine
    assert claim(database) is None


def test_several_workers_reach_a_new_tenant_within_a_claim_each(database: Database) -> None:
    for _ in range(MANY):
        add(database, "a")
    turns = count()
    newcomer: list[str] = []

    def work(_: int) -> None:
        while (turn := next(turns)) < MANY // 2:
            if turn == MANY // 4:
                newcomer.append(add(database, "b"))
            assert claim(database) is not None

    with ThreadPoolExecutor(WORKERS) as threads:
        list(threads.map(work, range(WORKERS)))
    with database.looking() as connection:
        born, began = connection.execute(
            select(jobs.c.created_at, jobs.c.started_at).where(jobs.c.id == newcomer[0])
        ).one()
        before = connection.execute(
            select(jobs.c.id).where(jobs.c.started_at > born, jobs.c.started_at < began)
        ).all()
    assert began is not None
    assert len(before) <= WORKERS


@pytest.mark.parametrize(
    "database", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True
)
def test_beside_a_long_queue_a_claim_is_not_planned_anew(database: Database) -> None:
    first = add(database, "a")
    names = ", ".join(one.name for one in jobs.c if one.name != "id")
    copying = (
        f"INSERT INTO jobs (id, {names}) SELECT id || number, {names}"
        " FROM jobs, generate_series(1, :long) AS number WHERE id = :first"
    )
    with database.engine.begin() as connection:
        connection.execute(text(copying), {"first": first, "long": LONG})
        connection.execute(text("ANALYZE jobs, tallies"))
    for _ in range(MANY):
        assert claim(database) is not None
    planned = text("SELECT statement, generic_plans FROM pg_prepared_statements")
    with database.looking() as connection:
        found = connection.execute(planned).all()
    (plans,) = [number for statement, number in found if statement.startswith("UPDATE jobs")]
    # Five are planned for their values, and what is best for any is kept then.
    assert plans > MANY // 2
