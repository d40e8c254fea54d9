"""Watched jobs as those who evaluate them take them."""

from datetime import UTC, datetime

from app.db.engine import Database
from app.db.measurements import Reading
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.unit import Unit
from app.db.watches import Evaluated

LONG_AGO, LATELY = datetime(1970, 1, 1, tzinfo=UTC), datetime(2026, 11, 27, tzinfo=UTC)


def watch(unit: Unit, number: int) -> set[str]:
    """Watch new jobs on a platform that was measured; give their ids."""
    unit.platforms.store("doc_1", pack({}), {})
    unit.measurements.record("doc_1", [Reading("processor:P1", LONG_AGO, "1")], 9)
    made = [NewJob.create("cell", {}) for _ in range(number)]
    for job in made:
        unit.jobs.add(job)
        assert unit.watched_jobs.watch(job.id, "doc_1", {}, "1")
    return {job.id for job in made}


def test_of_each_tenant_one_watch_is_taken_before_a_second(database: Database) -> None:
    known = {"many": LONG_AGO, "one": LATELY}
    for tenant, number in (("many", 6), ("one", 1)):
        with database.write(tenant) as unit:
            watch(unit, number)
            for taken in unit.watch_work.take(60.0, 99):
                found = Evaluated(1, known[tenant], "2", (), "1", None)
                assert unit.watched_jobs.keep(taken, found) is not None
    for tenant in known:
        with database.write(tenant) as unit:
            unit.measurements.record("doc_1", [Reading("processor:P1", LATELY, "2")], 9)
    with database.write_all() as unit:
        assert sorted(one.tenant for one in unit.watch_work.take(60.0, 2)) == ["many", "one"]
        assert len(unit.watch_work.take(60.0, 99)) == 5


def test_a_watch_that_was_deleted_is_not_the_next_one_of_its_job(database: Database) -> None:
    found = Evaluated(1, LATELY, "1", (), "1", None)
    with database.write("one") as unit:
        (job,) = watch(unit, 1)
        (before,) = unit.watch_work.take(-1.0, 9)
        assert unit.watched_jobs.delete(job)
        assert unit.watched_jobs.watch(job, "doc_1", {}, "1")
        (now,) = unit.watch_work.take(-1.0, 9)
        assert unit.watched_jobs.keep(before, found) is None
        assert unit.watched_jobs.keep(now, found) is not None
