from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, select, update

from app.db.engine import Database
from app.db.errors import StaleAttemptError
from app.db.jobs import JobRecord
from app.db.models import jobs
from app.db.packing import pack, pack_schedule, unpack
from app.db.queue import Claim, Found
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job, claim_of, small_schedule
from workers.registration import OUR_SKILLS

POISON = {"code": "poison", "detail": "again and again"}


def claim(database: Database, lease: float = 30) -> Claim | None:
    with database.write_all() as unit:
        return unit.queue.claim("w", OUR_SKILLS, lease)


def held(database: Database, lease: float = 30) -> Claim:
    job_id = add_job(database)
    with database.write_all() as unit:
        found = claim_of(unit, job_id, lease)
    assert found is not None
    return found


def job(database: Database, job_id: str) -> JobRecord:
    with database.read("local") as unit:
        found = unit.jobs.get(job_id)
    assert found is not None
    return found


def change(database: Database, **values: object) -> None:
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(jobs).values(**values))


def test_a_claim_raises_the_attempt_and_hands_out_the_body(database: Database) -> None:
    job_id = add_job(database, {"options": {"time_limit": 7}})
    taken = claim(database)
    with database.engine.connect() as connection:
        assert taken.queued_at == connection.scalar(select(jobs.c.woken_at))
    assert taken._replace(queued_at=None) == Claim(job_id, "local", "master_worker", 1, 7.0)
    with database.read_all() as unit:
        assert unpack(unit.queue.instance(taken)) == {"options": {"time_limit": 7}}
    assert job(database, job_id).started_at is not None


def test_a_job_is_claimed_once(database: Database) -> None:
    add_job(database)
    assert claim(database) is not None
    assert claim(database) is None


def test_ten_claims_in_parallel_get_the_job_once(database: Database) -> None:
    job_id = add_job(database)
    with ThreadPoolExecutor(10) as threads:
        claims = list(threads.map(lambda _: claim(database), range(10)))
    assert [taken is None for taken in claims].count(False) == 1
    assert job(database, job_id).attempt == 1


def test_parallel_workers_share_the_queue_without_gaps_or_doubles(database: Database) -> None:
    ids = {add_job(database) for _ in range(20)}

    def drain(_: int) -> list[str]:
        mine = []
        while taken := claim(database):
            mine.append(taken.job_id)
        return mine

    with ThreadPoolExecutor(5) as threads:
        taken = [job_id for mine in threads.map(drain, range(5)) for job_id in mine]
    assert sorted(taken) == sorted(ids)


def test_the_oldest_job_comes_first_and_those_that_failed_last(database: Database) -> None:
    first, second, third = sorted(add_job(database) for _ in range(3))
    taken = claim(database)
    assert taken is not None
    assert taken.job_id == first
    with database.write_all() as unit:
        unit.queue.crashed(taken, 5, POISON)
    order = [found.job_id for _ in range(3) if (found := claim(database))]
    assert order == [second, third, first]


def test_an_expired_lease_is_left_to_the_sweeper(database: Database) -> None:
    before = held(database, lease=-1)
    assert claim(database) is None
    with database.write_all() as unit:
        assert unit.queue.reclaim(before.job_id, 5, POISON) is JobState.QUEUED
    again = claim(database)
    assert again is not None
    assert again.attempt == 2
    assert job(database, before.job_id).failures == 1


def test_the_last_failure_is_the_end(database: Database) -> None:
    before = held(database, lease=-1)
    change(database, failures=4)
    with database.write_all() as unit:
        assert unit.queue.expired() == [before.job_id]
        assert unit.queue.reclaim(before.job_id, 5, POISON) is JobState.FAILED
    record = job(database, before.job_id)
    assert (record.state, record.error, record.failures) == (JobState.FAILED, POISON, 5)


def test_a_heartbeat_extends_the_lease_and_stores_progress(database: Database) -> None:
    mine = held(database, lease=-1)
    with database.write_all() as unit:
        assert unit.queue.heartbeat(mine, 30, {"phase": "solving"}) is JobState.RUNNING
        assert unit.queue.expired() == []
        assert unit.queue.state(mine) is JobState.RUNNING
    assert job(database, mine.job_id).progress == {"phase": "solving"}
    with database.write("local") as unit:
        unit.jobs.cancel(mine.job_id)
        assert unit.queue.heartbeat(mine, 30) is JobState.CANCELLING


def test_a_lost_lease_writes_nothing(database: Database) -> None:
    before = held(database, lease=-1)
    with database.write_all() as unit:
        unit.queue.reclaim(before.job_id, 5, POISON)
    after = claim(database)
    assert after is not None
    record = job(database, before.job_id)
    with database.write_all() as unit:
        for write in (
            lambda: unit.queue.heartbeat(before, 30, {"phase": "solving"}),
            lambda: unit.queue.state(before),
            lambda: unit.queue.succeed(before, Found(Outcome.OPTIMAL), pack({}), None),
            lambda: unit.queue.fail(before, POISON),
            lambda: unit.queue.cancelled(before),
            lambda: unit.queue.give_back(before),
            lambda: unit.queue.crashed(before, 5, POISON),
        ):
            with pytest.raises(StaleAttemptError):
                write()
    assert job(database, before.job_id) == record
    with database.write_all() as unit:
        unit.queue.succeed(after, Found(Outcome.OPTIMAL), pack({}), None)


def test_a_stale_answer_leaves_no_schedule_behind(database: Database) -> None:
    before = held(database, lease=-1)
    with database.write_all() as unit:
        unit.queue.reclaim(before.job_id, 5, POISON)
    assert claim(database) is not None
    schedule = pack_schedule(small_schedule())
    with pytest.raises(StaleAttemptError), database.write_all() as unit:
        unit.queue.succeed(before, Found(Outcome.OPTIMAL), pack({}), schedule, None, pack([]))
    with database.read("local") as unit:
        assert unit.jobs.trace(before.job_id) is None
        assert unit.schedules.get(schedule.id) is None
        assert unit.jobs.result(before.job_id) is None


def test_success_stores_everything_at_once(database: Database) -> None:
    mine = held(database)
    schedule = pack_schedule(small_schedule())
    limiter = {"key": None, "label": "the links of A, all alike", "alike": 0}
    found = Found(Outcome.OPTIMAL, limited_by=limiter)
    with database.write_all() as unit:
        unit.queue.succeed(mine, found, pack({"a": "1/3"}), schedule, {"phase": "x"}, pack([1]))
    with database.read("local") as unit:
        assert unit.jobs.trace(mine.job_id) == [1]
        assert unit.jobs.result(mine.job_id) == {"a": "1/3"}
        assert unit.schedules.load(schedule.id) == small_schedule()
    record = job(database, mine.job_id)
    assert record.schedule_id == schedule.id
    assert record.outcome is Outcome.OPTIMAL
    assert record.progress == {"phase": "x"}
    assert record.limited_by == limiter
    assert record.finished_at is not None


def test_statements_of_each_job_are_written_once(database: Database) -> None:
    ids = [add_job(database) for _ in range(3)]
    executed: list[object] = []

    def note(_connection: object, statement: object, *_: object) -> None:
        executed.append(statement)

    def work(slots: int) -> list[object]:
        executed.clear()
        with database.read_all() as unit:
            unit.queue.pending()
        mine = claim(database)
        assert mine is not None
        schedule = pack_schedule(small_schedule(slots))
        with database.write_all() as unit:
            unit.queue.instance(mine)
            found = Found(Outcome.OPTIMAL, {"value": "1"})
            unit.queue.succeed(mine, found, pack({}), schedule, None, pack([]))
        return executed.copy()

    event.listen(database.engine, "before_execute", note)
    first, *others = [work(slots) for slots in (2, 3, 4)]
    event.remove(database.engine, "before_execute", note)
    assert len(first) > 8
    for other in others:
        assert all(one is two for one, two in zip(first, other, strict=True))
    assert {job(database, one).state for one in ids} == {JobState.SUCCEEDED}


def test_a_final_state_never_changes(database: Database) -> None:
    mine = held(database)
    with database.write_all() as unit:
        unit.queue.fail(mine, POISON)
    record = job(database, mine.job_id)
    with database.write("local") as unit:
        with pytest.raises(StaleAttemptError):
            unit.queue.succeed(mine, Found(Outcome.OPTIMAL), pack({}), None)
        assert unit.queue.reclaim(mine.job_id, 5, POISON) is None
        assert unit.queue.claim("w", OUR_SKILLS, 30) is None
        assert not unit.jobs.cancel(mine.job_id)
        assert unit.jobs.get(mine.job_id) == record


def test_completion_may_overtake_a_cancel(database: Database) -> None:
    mine = held(database)
    with database.write("local") as unit:
        unit.jobs.cancel(mine.job_id)
        unit.queue.succeed(mine, Found(Outcome.OPTIMAL), pack({}), None)
    assert job(database, mine.job_id).state is JobState.SUCCEEDED


def test_only_a_job_whose_end_was_asked_for_becomes_cancelled(database: Database) -> None:
    mine = held(database)
    with pytest.raises(StaleAttemptError), database.write_all() as unit:
        unit.queue.cancelled(mine)
    with database.write("local") as unit:
        unit.jobs.cancel(mine.job_id)
        unit.queue.cancelled(mine)
    assert job(database, mine.job_id).state is JobState.CANCELLED


@pytest.mark.parametrize("cancelling", [False, True])
def test_giving_back_counts_no_failure(database: Database, cancelling: bool) -> None:
    mine = held(database)
    with database.write("local") as unit:
        if cancelling:
            unit.jobs.cancel(mine.job_id)
        state = unit.queue.give_back(mine)
    assert state is (JobState.CANCELLED if cancelling else JobState.QUEUED)
    record = job(database, mine.job_id)
    assert (record.state, record.failures, record.attempt) == (state, 0, 1)


def test_crashes_are_counted_up_to_poison(database: Database) -> None:
    job_id = add_job(database)
    states = []
    for _ in range(3):
        mine = claim(database)
        assert mine is not None
        with database.write_all() as unit:
            states.append(unit.queue.crashed(mine, 3, POISON))
    assert states == [JobState.QUEUED, JobState.QUEUED, JobState.FAILED]
    assert job(database, job_id).error == POISON


def test_a_lost_worker_of_a_cancelling_job_means_cancelled(database: Database) -> None:
    mine = held(database, lease=-1)
    with database.write("local") as unit:
        unit.jobs.cancel(mine.job_id)
        assert unit.queue.expired() == [mine.job_id]
        assert unit.queue.reclaim(mine.job_id, 5, POISON) is JobState.CANCELLED


def test_a_living_lease_is_not_reclaimed(database: Database) -> None:
    mine = held(database)
    with database.write_all() as unit:
        assert unit.queue.expired() == []
        assert unit.queue.reclaim(mine.job_id, 5, POISON) is None


def test_orphans_come_back_whatever_their_lease(database: Database) -> None:
    mine = held(database)
    with database.write_all() as unit:
        assert unit.queue.orphans("other") == []
        assert unit.queue.reclaim_orphan(mine.job_id, "other", 5, POISON) is None
        assert unit.queue.orphans("w") == [mine.job_id]
        assert unit.queue.reclaim_orphan(mine.job_id, "w", 5, POISON) is JobState.QUEUED


def test_counts_are_by_kind_and_state(database: Database) -> None:
    held(database), add_job(database), add_job(database)
    with database.read_all() as unit:
        assert unit.queue.counts() == {
            ("master_worker", JobState.RUNNING): 1,
            ("master_worker", JobState.QUEUED): 2,
        }
        assert unit.queue.pending() == 2
