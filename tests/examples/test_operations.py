"""Backup and restore as docs/operations.md tells them, on both databases."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import MetaData, make_url, select

from app.db.engine import Database
from app.db.migrate import check, upgrade
from app.db.packing import pack_schedule
from steadygrid.domain.job import JobState
from tests.conftest import new_postgres_database
from tests.databases import add_job, small_schedule
from tests.tree import ROOT

MARK = re.compile(r"^<!-- (.+) -->\n\n((?:    .+\n)+)", re.MULTILINE)
Shell = Callable[[str], None]


def told(name: str) -> str:
    """Give the commands below a mark of the document."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (commands,) = [block for mark, block in MARK.findall(text) if mark == name]
    return re.sub("^    ", "", commands, flags=re.MULTILINE)


def shell(place: Path, url: str = "") -> Shell:
    """Type commands in a folder, with the programs of this environment first."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {"PATH": programs, "PYTHONPATH": str(ROOT)}
    if url:
        variables["STEADYGRID_DATABASE_URL"] = url

    def type_in(commands: str) -> None:
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=place,
            env=os.environ | variables,
            check=True,
            timeout=60,
        )

    return type_in


def contents(database: Database) -> dict[str, list[str]]:
    """Every row of every table."""
    tables = MetaData()
    with database.engine.connect() as connection:
        tables.reflect(connection)
        return {
            table.name: sorted(map(repr, connection.execute(select(table))))
            for table in tables.sorted_tables
        }


def back_up_and_restore(url: str, type_in: Shell, kind: str) -> None:
    database = Database.open(url)
    upgrade(database)
    kept = add_job(database)
    with database.write("local") as unit:
        unit.schedules.store(packed := pack_schedule(small_schedule()))
    before = contents(database)
    # The service goes on while the backup is made.
    with database.read("local") as unit:
        type_in(told(f"{kind}: backup"))
    lost = add_job(database)
    with database.write("local") as unit:
        unit.jobs.cancel(kept)
    assert contents(database) != before
    database.close()

    type_in(told(f"{kind}: restore"))
    again = Database.open(url)
    assert contents(again) == before
    check(again)
    with again.read("local") as unit:
        assert unit.watch.versions([kept, lost]).keys() == {kept}
        assert unit.watch.versions([kept])[kept][1] is JobState.QUEUED
        assert unit.schedules.load(packed.id) == small_schedule()
    again.close()


def test_the_embedded_database_comes_back_as_it_was(tmp_path: Path) -> None:
    (tmp_path / ".steadygrid").mkdir()
    url = f"sqlite:///{tmp_path / '.steadygrid' / 'steadygrid.db'}"
    back_up_and_restore(url, shell(tmp_path), "sqlite")


@pytest.mark.postgres
def test_a_postgresql_database_comes_back_as_it_was(tmp_path: Path) -> None:
    with new_postgres_database() as url:
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        type_in = shell(tmp_path, plain)
        back_up_and_restore(url, type_in, "postgresql")
        (tmp_path / "backup.dump").unlink()
        back_up_and_restore(url, type_in, "postgresql")
