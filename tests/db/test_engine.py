from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text, update

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.migrate import upgrade
from app.db.models import jobs
from tests.databases import add_job


def test_twenty_writers_lose_no_increment(database: Database) -> None:
    job_id = add_job(database)

    def increment(_: int) -> None:
        with database.write() as unit:
            record = unit.jobs.get(job_id)
            assert record is not None
            if database.dialect == "postgresql":
                change = {"failures": jobs.c.failures + 1}
            else:  # an immediate transaction has read what it writes
                change = {"failures": record.failures + 1}
            unit.jobs._connection.execute(update(jobs).values(**change))

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(increment, range(200)))
    with database.read() as unit:
        record = unit.jobs.get(job_id)
    assert record is not None
    assert record.failures == 200


def test_readers_do_not_wait_for_a_writer(database: Database) -> None:
    job_id = add_job(database)
    with database.write() as writer:
        writer.jobs.cancel(job_id)
        with database.read() as reader:
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
        database.write(),
        pytest.raises(DatabaseUnavailableError),
        database.write() as second,
    ):
        second.jobs.get("job_1")
    database.close()


def test_a_server_that_is_not_there_is_a_database_that_is_unavailable() -> None:
    database = Database.open("postgres://nobody:secret@127.0.0.1:1/nowhere")
    for use in (database.read, database.write):
        with pytest.raises(DatabaseUnavailableError) as raised, use():
            pass
        assert "secret" not in str(raised.value)
    with pytest.raises(DatabaseUnavailableError):
        database.ping()


def test_a_database_that_is_there_answers(database: Database) -> None:
    database.ping()
