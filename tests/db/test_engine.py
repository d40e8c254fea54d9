from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.migrate import upgrade
from app.db.models import jobs
from app.db.new_jobs import NewJob
from tests.databases import add_job


def test_twenty_writers_lose_no_increment(database: Database) -> None:
    job_id = add_job(database)

    def increment(_: int) -> None:
        with database.write("local") as unit:
            record = unit.jobs.get(job_id)
            assert record is not None
            if database.dialect == "postgresql":
                change = {"failures": jobs.c.failures + 1}
            else:  # an immediate transaction has read what it writes
                change = {"failures": record.failures + 1}
            unit.jobs._connection.execute(update(jobs).values(**change))

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(increment, range(200)))
    with database.read("local") as unit:
        record = unit.jobs.get(job_id)
    assert record is not None
    assert record.failures == 200


def test_readers_do_not_wait_for_a_writer(database: Database) -> None:
    job_id = add_job(database)
    with database.write("local") as writer:
        writer.jobs.cancel(job_id)
        with database.read("local") as reader:
            record = reader.jobs.get(job_id)
    assert record is not None
    assert record.state == "queued"


def test_sqlite_is_set_up_for_many_processes(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path / 'a.db'}", busy_seconds=7)
    with database.engine.connect() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
        }
    assert pragmas == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "busy_timeout": 7000,
        "synchronous": 2,
    }
    database.close()


def test_a_lock_that_does_not_go_away_is_a_database_that_is_unavailable(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    database = Database.open(url, busy_seconds=0.05)
    upgrade(database)
    with (
        database.write("local"),
        pytest.raises(DatabaseUnavailableError),
        database.write("local") as second,
    ):
        second.jobs.get("job_1")
    database.close()


def test_a_server_that_is_not_there_is_a_database_that_is_unavailable() -> None:
    database = Database.open("postgres://nobody:secret@127.0.0.1:1/nowhere")
    for use in (database.read_all, database.write_all):
        with pytest.raises(DatabaseUnavailableError) as raised, use():
            pass
        assert "secret" not in str(raised.value)
    with pytest.raises(DatabaseUnavailableError), database.looking():
        pass


def test_a_mistake_of_ours_is_not_called_unavailable(database: Database) -> None:
    job = NewJob.create("master_worker", {})
    with database.write("local") as unit:
        unit.jobs.add(job)
    with pytest.raises(IntegrityError), database.write("local") as unit:
        unit.jobs.add(job)


@pytest.mark.postgres
def test_a_connection_that_was_cut_is_a_database_that_is_unavailable(postgres: str) -> None:
    database, other = Database.open(postgres), Database.open(postgres)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"

    def work_on() -> None:
        with database.write("local") as unit:
            unit.jobs.get("job_1")
            with other.engine.connect() as connection:
                connection.execute(text(f"{cut} AND datname = current_database()"))
            unit.jobs.get("job_1")

    with pytest.raises(DatabaseUnavailableError):
        work_on()
    with database.read("local") as unit:
        assert unit.jobs.get("job_1") is None
    database.close()
    other.close()
