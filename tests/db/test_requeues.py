"""Failed jobs that are tried once more."""

from concurrent.futures import ThreadPoolExecutor

from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.db.requeues import Requeued, RequeueRefusal
from steadygrid.domain.job import JobState
from tests.databases import add_job, claim_of

BODY = {"problem": {"kind": "cell"}}


def failed(database: Database) -> str:
    job = NewJob.create(
        "cell", BODY, {"team": "blue"}, ["careful"], name="n", priority=3, draft={"as": "sent"}
    )
    with database.write("local") as unit:
        unit.jobs.add(job)
    with database.write_all() as unit:
        claim = claim_of(unit, job.id)
        assert claim is not None
        unit.queue.fail(claim, {"code": "poison", "detail": "x"})
    return job.id


def test_a_new_job_has_all_that_the_failed_one_was_made_of(database: Database) -> None:
    old = failed(database)
    with database.write_all() as unit:
        made = unit.requeues.requeue(old)
    assert isinstance(made, Requeued)
    with database.read("local") as unit:
        before, after = unit.jobs.get(old), unit.jobs.get(made.id)
        assert before is not None
        assert after is not None
        assert (before.state, after.state) == (JobState.FAILED, JobState.QUEUED)
        assert after.retry_of == old
        same = ("kind", "name", "labels", "warnings", "priority")
        assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]
        assert unit.jobs.instance(made.id) == BODY
        assert unit.jobs.draft(made.id) == {"as": "sent"}
        labelled = unit.jobs.page(9, labels=[("team", "blue")]).items
        assert {job.id for job in labelled} == {old, made.id}
    with database.write_all() as unit:
        assert claim_of(unit, made.id) is not None


def test_of_many_who_ask_at_once_one_makes_a_job(database: Database) -> None:
    old = failed(database)

    def ask(_: int) -> Requeued | RequeueRefusal:
        with database.write_all() as unit:
            return unit.requeues.requeue(old)

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(ask, range(8)))
    assert len([one for one in found if isinstance(one, Requeued)]) == 1
    assert found.count(RequeueRefusal.REPEATED) == 7
    with database.read_all() as unit:
        assert unit.queue.pending() == 1


def test_only_what_has_failed_is_tried_once_more(database: Database) -> None:
    waiting = add_job(database)
    with database.write_all() as unit:
        assert unit.requeues.requeue(waiting) is RequeueRefusal.NOT_FAILED
        assert unit.requeues.requeue("job_unknown") is RequeueRefusal.UNKNOWN
