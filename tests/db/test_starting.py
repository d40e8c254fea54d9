"""Why a process does not start, told in one sentence with the remedy."""

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from app.db.engine import Database
from app.db.errors import DatabaseDamagedError, DatabaseFullError, NotStartedError
from app.db.migrate import Standing, open_database, standing, upgrade
from app.settings import Settings


def settings(url: str, **values: object) -> Settings:
    return Settings(database_url=url, log_level="CRITICAL", **values)  # type: ignore[arg-type]


def why_not(chosen: Settings, *, migrate: bool = True) -> str:
    with pytest.raises(NotStartedError) as raised:
        open_database(chosen, migrate=migrate)
    message = str(raised.value)
    assert "\n" not in message
    return message


def pretend(database: Database, version: str, oldest: str) -> None:
    """Let the tables say that a newer version has made them."""
    with database.migrating() as connection, connection.begin():
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
        connection.execute(text(f"UPDATE compatibility SET oldest = '{oldest}'"))


def test_tables_are_made_by_those_who_may(database_url: str) -> None:
    chosen = settings(database_url)
    assert "no tables yet: run `steadygrid database migrate`" in why_not(chosen, migrate=False)
    open_database(chosen, migrate=True).close()
    open_database(chosen, migrate=False).close()


def test_older_tables_are_brought_up_to_date_by_those_who_may(database_url: str) -> None:
    database = Database.open(database_url)
    assert upgrade(database, "0001") is Standing.MISSING
    assert standing(database) is Standing.OLDER
    message = why_not(settings(database_url), migrate=False)
    assert "tables of an older version: run `steadygrid database migrate`" in message
    open_database(settings(database_url), migrate=True).close()
    assert standing(database) is Standing.CURRENT
    database.close()


def test_newer_tables_are_left_to_newer_code(database_url: str) -> None:
    database = Database.open(database_url)
    upgrade(database)
    pretend(database, "9999", "9998")
    for migrate in (True, False):
        message = why_not(settings(database_url), migrate=migrate)
        assert "of version 9999, made by a newer steadygrid" in message
        assert "install the newer one here, or restore the backup" in message
    with database.migrating() as connection, connection.begin():
        connection.execute(text("DROP TABLE compatibility"))
    assert "of version 9999" in why_not(settings(database_url))
    database.close()


def test_newer_tables_that_are_fit_for_older_code_are_used_and_that_is_said(
    database_url: str,
) -> None:
    database = Database.open(database_url)
    upgrade(database)
    pretend(database, "9999", "0001")
    for migrate in (True, False):
        with capture_logs() as lines:
            open_database(settings(database_url), migrate=migrate).close()
        assert [line["event"] for line in lines] == ["database_is_newer"]
    assert standing(database) is Standing.NEWER
    database.close()


def test_a_server_that_is_not_there_is_told_with_its_own_words() -> None:
    message = why_not(settings("postgresql://nobody:secret@127.0.0.1:1/nowhere"))
    assert message.startswith("the database nowhere at 127.0.0.1:1 cannot be used (")
    assert "Connection refused" in message
    assert message.endswith("start the server, or correct STEADYGRID_DATABASE_URL")
    assert "secret" not in message


@pytest.mark.parametrize("content", [b"this is no database at all" * 200, b"SQLite format 3\0"])
def test_a_damaged_file_is_told_with_its_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "steadygrid.db"
    file.write_bytes(content)
    message = why_not(settings(f"sqlite:///{file}"))
    assert message.startswith(f"the database file {file} is damaged (")
    assert "restore a backup, or put the file aside" in message


def test_a_file_that_was_torn_is_damaged_while_it_is_used(tmp_path: Path) -> None:
    file = tmp_path / "steadygrid.db"
    database = Database.open(f"sqlite:///{file}")
    upgrade(database)
    database.close()
    pages = bytearray(file.read_bytes())
    pages[4096:] = b"\xff" * (len(pages) - 4096)
    file.write_bytes(pages)
    with pytest.raises(DatabaseDamagedError), database.read("local") as unit:
        unit.jobs.page(10)
    database.close()


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    missing = why_not(settings(f"sqlite:///{tmp_path / 'no' / 'a.db'}"))
    assert "(unable to open database file): look at the folder, its rights and the disk" in missing
    message = why_not(Settings(data_dir=tmp_path / "file" / "data"))
    assert message == (
        f"the data directory {tmp_path / 'file' / 'data'} cannot be used: Not a directory"
    )


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"STEADYGRID_DATABASE_URL": "sqlite:////nowhere/a.db"}, "the database file /nowhere/a.db"),
        ({"STEADYGRID_DATABASE_URL": "nowhere"}, "the settings are wrong"),
    ],
)
def test_the_command_says_it_without_a_traceback(variables: dict[str, str], said: str) -> None:
    command = [sys.executable, "-m", "app.db.migrate"]
    ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"steadygrid: {said}")
    assert "Traceback" not in ran.stderr


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Database) -> Standing:
        raise DatabaseFullError("database or disk is full")

    monkeypatch.setattr("app.db.migrate.upgrade", full)
    message = why_not(settings(f"sqlite:///{tmp_path / 'a.db'}"))
    assert message.endswith("cannot be used (database or disk is full): make room on its disk")
