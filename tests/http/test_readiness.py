"""`/readyz` where the database can be read and not written."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.main import create_app
from tests.conftest import new_postgres_database
from tests.http.conftest import quiet
from workers.registration import OUR_SKILLS

REFUSED = "The database answers but takes no writes. The log has its reason."


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file grows beyond so many bytes: what the disk says when it is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_noticed_and_forgotten_when_there_is_room(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'a.db'}", tmp_path)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        with full_disk(4096):
            for _ in range(2):
                answer = client.get("/readyz")
                assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
                assert answer.json()["detail"] == REFUSED
                assert answer.headers["Retry-After"] == "5"
            assert client.get("/v1/jobs").status_code == 200
            assert client.get("/livez").status_code == 200
        assert client.get("/readyz").status_code == 200


@pytest.mark.postgres
def test_a_server_that_takes_no_writes_is_noticed(tmp_path: Path) -> None:
    with (
        new_postgres_database() as url,
        TestClient(create_app(quiet(url, tmp_path)), base_url="http://localhost") as client,
    ):
        database = Database.open(url)
        with database.migrating() as connection, connection.begin():
            name = database.engine.url.database
            connection.execute(
                text(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
            )
        database.close()
        assert client.get("/readyz").json()["detail"] == REFUSED
        assert client.get("/v1/jobs").status_code == 200


def test_who_writes_already_is_not_waited_for(database: Database) -> None:
    with database.write_all() as unit:
        unit.workers.seen("w", OUR_SKILLS, {})
        database.try_write()
    database.try_write()


def test_only_one_looks_at_a_time_and_not_again_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Any] = []
    monkeypatch.setattr(database, "_write_something", lambda: looks.append(database.try_write()))
    database.try_write()
    database.try_write()
    assert looks == [None]


def test_a_database_without_tables_does_not_count_as_writable(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path / 'a.db'}")
    with pytest.raises(DatabaseUnavailableError):
        database.try_write()
    database.close()
