from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.errors import PageTokenError
from app.db.models import idempotency_keys, workers
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.pages import encode_token
from workers.registration import OUR_SKILLS


def put(database: Database, document_id: str, document: object = None) -> bool:
    with database.write("local") as unit:
        return unit.platforms.store(document_id, pack(document), {"name": document_id})


def test_a_document_is_stored_once_and_reads_back(database: Database) -> None:
    document = {"processors": [{"id": "P1", "speed": "1/3"}]}
    assert put(database, "plt_1", document)
    assert not put(database, "plt_1", document)
    with database.read("local") as unit:
        record = unit.platforms.get("plt_1")
        assert record is not None
        assert record.summary == {"name": "plt_1"}
        assert unit.platforms.document("plt_1") == document
        assert unit.applications.get("plt_1") is None
        assert unit.platforms.get("plt_2") is None
        assert unit.platforms.document("plt_2") is None


def test_documents_are_listed_the_newest_first(database: Database) -> None:
    ids = [f"plt_{i}" for i in (3, 1, 4, 2, 5)]
    for document_id in ids:
        put(database, document_id)
    with database.read("local") as unit:
        everything = [record.id for record in unit.platforms.page(10).items]
        assert sorted(everything) == sorted(ids)
        seen: list[str] = []
        token = None
        while token is not None or not seen:
            page = unit.platforms.page(2, token)
            seen += [record.id for record in page.items]
            token = page.next_token
            if token is None:
                break
        assert seen == everything
        assert unit.platforms.page(5).next_token is None
        with pytest.raises(PageTokenError):
            unit.platforms.page(2, encode_token([3]))


def test_a_deleted_document_is_gone(database: Database) -> None:
    put(database, "plt_1")
    with database.write("local") as unit:
        assert unit.platforms.delete("plt_1")
        assert not unit.platforms.delete("plt_1")
        assert unit.platforms.get("plt_1") is None


def test_other_tenants_documents_do_not_exist(database: Database) -> None:
    put(database, "plt_1")
    with database.write("other") as unit:
        assert unit.platforms.get("plt_1") is None
        assert unit.platforms.page(10).items == []
        assert not unit.platforms.delete("plt_1")
        assert unit.platforms.store("plt_1", pack(None), {})


def test_a_key_stands_for_the_first_job(database: Database) -> None:
    with database.write("local") as unit:
        assert unit.idempotency.claim("k", "body", "job_1", 7) is None
    with database.write("local") as unit:
        assert unit.idempotency.claim("k", "body", "job_2", 7) == ("body", "job_1")
        assert unit.idempotency.claim("k", "other body", "job_3", 7) == ("body", "job_1")
        assert unit.idempotency.claim("other key", "body", "job_4", 7) is None
    with database.write("other") as unit:
        assert unit.idempotency.claim("k", "body", "job_5", 7) is None


def test_a_key_of_a_unit_that_rolled_back_is_free(database: Database) -> None:
    def give_up() -> None:
        with database.write("local") as unit:
            unit.idempotency.claim("k", "body", "job_1", 7)
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    with database.write("local") as unit:
        assert unit.idempotency.claim("k", "body", "job_2", 7) is None


def age(database: Database, seconds: float) -> None:
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(idempotency_keys).values(created_at=current_time(-seconds)))
        connection.execute(update(workers).values(seen_at=current_time(-seconds)))


def test_a_key_is_kept_for_its_days(database: Database) -> None:
    day = 86_400
    with database.write("local") as unit:
        unit.idempotency.claim("k", "body", "job_1", 7)
    age(database, 6.9 * day)
    with database.write("local") as unit:
        assert unit.queue.purge_keys(7) == 0
        assert unit.idempotency.claim("k", "new", "job_2", 7) == ("body", "job_1")
    age(database, 7.1 * day)
    with database.write("local") as unit:
        assert unit.idempotency.claim("k", "new", "job_3", 7) is None
    age(database, 7.1 * day)
    with database.write_all() as unit:
        assert unit.queue.purge_keys(7) == 1


def test_one_key_fifty_times_in_parallel_makes_one_job(database: Database) -> None:
    def post(_: int) -> str:
        job = NewJob.create("master_worker", {})
        with database.write("local") as unit:
            taken = unit.idempotency.claim("k", "body", job.id, 7)
            if taken is None:
                unit.jobs.add(job)
        return job.id if taken is None else taken.resource_id

    with ThreadPoolExecutor(25) as threads:
        ids = set(threads.map(post, range(50)))
    assert len(ids) == 1
    with database.read("local") as unit:
        assert [job.id for job in unit.jobs.page(10).items] == list(ids)


def test_workers_register_renew_and_are_forgotten(database: Database) -> None:
    with database.write_all() as unit:
        unit.workers.seen("w1", OUR_SKILLS, {"highspy": "1"})
        unit.workers.seen("w2", OUR_SKILLS, {"highspy": "1"})
    with database.write_all() as unit:
        unit.workers.seen("w1", OUR_SKILLS, {"highspy": "2"})
        unit.workers.forget("w2")
    with database.read_all() as unit:
        (worker,) = unit.workers.active()
    assert (worker.id, worker.versions) == ("w1", {"highspy": "2"})
    assert worker.seen_at >= worker.started_at
    age(database, 200)
    with database.write_all() as unit:
        assert unit.workers.active() == []
        assert unit.workers.purge(1000) == 0
        assert unit.workers.purge(100) == 1
