"""``steadygrid database``: sizes, copies, and whether everything is what it should be."""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text, update

from app.db import files
from app.db.engine import Database
from app.db.migrate import check, upgrade
from app.db.models import jobs
from app.db.new_jobs import NewJob
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from app.db.tallies import write_triggers
from app.settings import Settings
from steadygrid.domain.document import parse_json
from steadygrid.domain.forms import schedule_from_document
from steadygrid.domain.job import JobState, Outcome
from tests.cli.commands import Command
from tests.databases import ON_SQLITE, add_job, claim_of
from tests.db.turmoil import counted
from tests.tree import ROOT
from workers.embedded import lock_file
from workers.sweeper import Sweeper

STORED = sorted(path.parent for path in (ROOT / "tests" / "stored").glob("*/*/result.json"))


@pytest.fixture
def place(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a database that commands find, with its data directory."""
    url = database.engine.url.render_as_string(hide_password=False)
    monkeypatch.setenv("STEADYGRID_DATABASE_URL", url)
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path))
    yield tmp_path
    # The tables of PostgreSQL are used by other tests, too.
    with database.migrating() as connection, connection.begin():
        write_triggers(connection)
        connection.execute(text("DROP TABLE IF EXISTS strange"))


def answered(database: Database, folder: Path, tenant: str = "local") -> str:
    """Store an answer that some version has given."""
    instance, result, schedule = (
        parse_json((folder / f"{part}.json").read_bytes())
        for part in ("instance", "result", "schedule")
    )
    job = NewJob.create(result["kind"], instance)
    packed = pack_schedule(schedule_from_document(schedule))
    found = Found(Outcome(result["outcome"]), result["objective"], result["bound"], result["gap"])
    with database.write(tenant) as unit:
        unit.jobs.add(job)
        claim = claim_of(unit, job.id)
        assert claim is not None
        unit.queue.succeed(claim, found, pack(result | {"schedule": packed.id}), packed)
    return job.id


def rows(database: Database) -> dict[str, list[str]]:
    with database.looking() as connection:
        tables = ("jobs", "job_results", "job_instances", "schedules", "tallies", "tombstones")
        return {
            name: sorted(map(repr, connection.execute(text(f"SELECT * FROM {name}"))))
            for name in tables
        }


def execute(database: Database, *statements: str) -> None:
    with database.engine.connect() as connection, connection.begin():
        for statement in statements:
            connection.execute(text(statement))


def test_answers_of_all_versions_stand_before_the_referee(
    database: Database, place: Path, command: Command
) -> None:
    for folder in STORED:
        answered(database, folder)
    add_job(database)
    before = rows(database)
    done = command("database", "check")
    assert (done.code, done.out, done.err) == (
        0,
        f"the database is sound; {len(STORED)} answers were judged, none refused\n",
        "",
    )
    assert "; 2 answers were judged" in command("database", "check", "--sample", "2").out
    assert "; 0 answers were judged" in command("database", "check", "--sample", "0").out
    assert rows(database) == before


def test_whatever_is_wrong_is_listed_and_nothing_is_changed(
    database: Database, place: Path, command: Command
) -> None:
    right, wrong, unread, lost = (answered(database, STORED[0], tenant) for tenant in "abcd")
    result = parse_json((STORED[0] / "result.json").read_bytes())
    result["objective"]["value"] = result["bound"]["value"] = "12345"
    with database.engine.connect() as connection, connection.begin():
        for job, packed in ((wrong, pack(result)), (unread, b"no answer")):
            connection.execute(
                text("UPDATE job_results SET packed = :packed WHERE job_id = :job"),
                {"packed": packed, "job": job},
            )
    on = " ON jobs" if database.dialect == "postgresql" else ""
    execute(
        database,
        f"DELETE FROM job_results WHERE job_id = '{lost}'",
        f"DROP TRIGGER tally_new_jobs{on}",
        "UPDATE tallies SET queued = 7 WHERE tenant = 'a'",
        "CREATE TABLE strange (id INTEGER)",
    )
    before = rows(database)
    done = command("database", "check")
    assert done.code == 1
    assert done.err == "steadygrid: 4 faults of the database. 3 answers were judged, 2 refused\n"
    kind = result["kind"]
    for line in (
        "the trigger tally_new_jobs is missing",
        f"0 jobs of a ({kind}) are queued, and the tally says 7",
        f"{lost} has no row in job_results",
        "the tables are not what this version makes",
        f"{wrong} ({kind}, tenant b): refused",
        f"{unread} ({kind}, tenant c): refused\n  not read by this version",
    ):
        assert line in done.out
    assert "12345" in done.out
    assert right not in done.out
    assert rows(database) == before


def test_the_tables_are_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        done = command("database", "migrate", "--data-dir", "data")
        assert (done.code, done.err) == (0, "")
        assert done.out.endswith("data/steadygrid.db are up to date\n")
    database = Database.open(f"sqlite:///{tmp_path / 'data' / 'steadygrid.db'}")
    check(database)
    database.close()


def test_sizes_are_told_by_table_and_tenant(
    database: Database, place: Path, command: Command
) -> None:
    answered(database, STORED[0], "big")
    answered(database, STORED[0], "big")
    add_job(database)
    document = json.loads(command("database", "size", "--json").out)
    found = {(one["table"], one["tenant"]): one for one in document["tables"]}
    assert found[("jobs", "big")]["rows"] == 2
    assert found[("schedules", "big")]["rows"] == 1
    assert found[("jobs", "local")]["rows"] == 1
    with database.looking() as connection:
        length = connection.execute(
            text("SELECT sum(length(packed)) FROM job_results WHERE tenant = 'big'")
        ).scalar_one()
    assert length <= found[("job_results", "big")]["bytes"] <= length + 300
    assert document["bytes"] > sum(one["bytes"] for one in document["tables"])
    told = command("database", "size").out
    total = sum(one["bytes"] for (_, tenant), one in found.items() if tenant == "big")
    assert f"{total:,}\n" in told


@ON_SQLITE
def test_a_backup_made_while_jobs_are_written_is_one_moment_of_them(
    database: Database, place: Path, command: Command
) -> None:
    made: list[str] = []
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            made.append(add_job(database))

    made += [add_job(database) for _ in range(30)]
    with database.write_all() as unit:
        assert claim_of(unit, made[0], -1)
    writer = threading.Thread(target=write)
    writer.start()
    try:
        done = command("database", "backup", place / "b.db")
    finally:
        stop.set()
        writer.join()
    assert done.code == 0
    assert (place / "b.db").stat().st_mode & 0o777 == 0o600
    later = add_job(database)
    database.close()
    done = command("database", "restore", place / "b.db")
    assert (done.code, done.err) == (0, "")
    found, said = counted(database)
    assert found == said
    with database.read("local") as unit:
        there = {record.id for record in unit.jobs.page(10_000).items}
    # Those that were made first, none left out between them.
    assert there == set(made[: len(there)])
    assert len(there) >= 30
    assert later not in there
    check(database)
    assert not list(place.glob("*.part"))
    (aside,) = place.glob("steadygrid.db.before-*")
    with closing(sqlite3.connect(aside)) as before:
        assert before.execute("SELECT count(*) FROM jobs").fetchone() == (len(made) + 1,)
    # What was running when the backup was made runs again.
    Sweeper(database, Settings()).sweep()
    with database.read_all() as unit:
        assert unit.watch.versions([made[0]])[made[0]][1] is JobState.QUEUED
        again = claim_of(unit, made[0])
    assert again is not None
    assert again.attempt == 2


def contents(place: Path) -> dict[str, bytes]:
    """Give all files but those that SQLite has while it is used, and the lock."""
    found = (path for path in place.iterdir() if "-" not in path.name and path.name != "lock")
    return {path.name: path.read_bytes() for path in found}


@ON_SQLITE
def test_backups_that_cannot_be_change_nothing(
    database: Database, place: Path, command: Command
) -> None:
    add_job(database)
    good = place / "good.db"
    assert command("database", "backup", good).code == 0

    def refused(*arguments: str | Path) -> str:
        before = contents(place)
        done = command("database", *arguments)
        assert done.code in (1, 2)
        assert contents(place) == before
        return done.err

    assert "overwrites nothing" in refused("backup", good)
    assert "cannot be written" in refused("backup", place / "nowhere" / "b.db")
    assert "another process uses" in refused("restore", good)  # `database` is open
    lock = lock_file(place / "lock", 0)
    for arguments in (("restore", good), ("compact",)):
        assert "`steadygrid serve` runs on" in refused(*arguments)
    os.close(lock)
    database.close()
    text_file = place / "text.db"
    text_file.write_text("no database")
    assert "no SQLite database" in refused("restore", text_file)
    text_file.write_bytes(b"PGDMP...")
    assert "pg_restore" in refused("restore", text_file)
    assert "cannot be read" in refused("restore", place / "missing.db")
    sqlite3.connect(empty := place / "empty.db").execute("CREATE TABLE t (i)").connection.close()
    assert "no tables of steadygrid" in refused("restore", empty)
    damaged = place / "damaged.db"
    content = bytearray(good.read_bytes())
    content[8192:12288] = b"\xff" * 4096
    damaged.write_bytes(content)
    assert "is damaged" in refused("restore", damaged)
    (place / "good.db-wal").write_bytes(b"log")
    assert "is a database in use" in refused("restore", good)
    (place / "good.db-wal").unlink()
    with closing(sqlite3.connect(good)) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.execute("UPDATE compatibility SET oldest = '9999'")
        newer.commit()
    assert "made by a newer steadygrid" in refused("restore", good)
    with closing(sqlite3.connect(good)) as newer:
        newer.execute("UPDATE compatibility SET oldest = '0001'")
        newer.commit()
    assert "made by a newer steadygrid" in refused("restore", good)
    assert not list(place.glob("*.before-*"))


@ON_SQLITE
def test_a_backup_of_an_older_version_is_brought_up_to_date(
    database: Database, place: Path, command: Command
) -> None:
    old = Database.open(f"sqlite:///{place / 'old.db'}")
    upgrade(old, "0005")
    old.close()
    database.close()
    done = command("database", "restore", place / "old.db")
    assert done.code == 0
    assert "brought up to date" in done.out
    check(database)


@ON_SQLITE
def test_a_damaged_database_is_put_aside_with_its_log(
    database: Database, place: Path, command: Command
) -> None:
    job = add_job(database)
    assert command("database", "backup", place / "b.db").code == 0
    database.close()
    (place / "steadygrid.db").write_bytes(b"nonsense" * 999)
    (place / "steadygrid.db-wal").write_bytes(b"more nonsense")
    assert command("database", "restore", place / "b.db").code == 0
    with database.read("local") as unit:
        assert unit.jobs.get(job) is not None
    (aside,) = (path for path in place.glob("*.before-*") if path.name.endswith("Z"))
    assert aside.read_bytes() == b"nonsense" * 999
    assert Path(f"{aside}-wal").read_bytes() == b"more nonsense"


@ON_SQLITE
def test_what_was_deleted_is_given_back_to_the_disk(
    database: Database, place: Path, command: Command
) -> None:
    for _ in range(30):
        add_job(database, {"numbers": [[n, n * n % 9973] for n in range(3000)]})
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(jobs).values(state="cancelled", finished_at=jobs.c.created_at))
    with database.write("local") as unit:
        assert unit.jobs.purge(-1, 30) == 30
    free = json.loads(command("database", "size", "--json").out)["free_bytes"]
    assert free > 100_000
    done = command("database", "compact")
    assert done.code == 0
    after: dict[str, Any] = json.loads(command("database", "size", "--json").out)
    assert after["free_bytes"] == 0
    assert (place / "steadygrid.db").stat().st_size == after["bytes"]


@ON_SQLITE
def test_ctrl_c_ends_a_long_statement_and_leaves_nothing(
    database: Database, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for_ever = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c"
    )
    run = files._run

    def long(connection: Any, _statement: str, _parameters: Any, progress: Any) -> None:
        run(connection, for_ever, [], progress)

    def press(_text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "_run", long)
    before = set(place.iterdir())
    with pytest.raises(KeyboardInterrupt):
        files.back_up(place / "steadygrid.db", place / "b.db", press)
    assert {path for path in place.iterdir() if "steadygrid.db-" not in path.name} <= before


@ON_SQLITE
def test_programs_read_what_was_done_to_a_database(
    database: Database, place: Path, command: Command
) -> None:
    answered(database, STORED[0])
    own, copy = place / "steadygrid.db", place / "b.db"

    def told(*arguments: Any, code: int = 0) -> Any:
        done = command("database", *arguments, "--json")
        assert done.code == code
        return json.loads(done.out)

    assert told("migrate")["up_to_date"]
    sound = {"sound": True, "database_faults": 0, "judged": 1, "refused": 0, "lines": []}
    assert told("check") == sound
    backup = told("backup", copy)
    assert backup == {"database": str(own), "file": str(copy), "bytes": copy.stat().st_size}
    compacted = told("compact")
    assert compacted["bytes_after"] <= compacted["bytes_before"]
    execute(database, "UPDATE tallies SET queued = 7")
    broken = told("check", code=1)
    assert (broken["sound"], broken["database_faults"]) == (False, len(broken["lines"]))
    assert "the tally says 7" in broken["lines"][0]
    database.close()
    restored = told("restore", copy)
    assert (restored["database"], restored["migrated"]) == (str(own), False)
    assert Path(restored["kept"]).exists()


def test_commands_on_no_database_make_none(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_DATA_DIR", str(tmp_path / "data"))
    for arguments in (("size",), ("check",), ("backup", tmp_path / "b.db"), ("compact",)):
        done = command("database", *arguments)
        assert done.code in (1, 2)
        assert "there is no database" in done.err or "cannot be used" in done.err
    assert list(tmp_path.iterdir()) == []


def test_postgresql_is_told_how_to_do_it(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for driver, url in (
        ("postgresql", '"$STEADYGRID_DATABASE_URL"'),
        ("postgresql+psycopg", '"${STEADYGRID_DATABASE_URL/+psycopg/}"'),
    ):
        monkeypatch.setenv("STEADYGRID_DATABASE_URL", f"{driver}://u:secret@127.0.0.1:1/x")
        done = command("database", "backup", tmp_path / "a b.dump")
        assert done.out == f"pg_dump --format=custom --file='{tmp_path}/a b.dump' {url}\n"
        assert done.code == 2
        said = command("database", "backup", tmp_path / "a b.dump", "--json").out
        assert json.loads(said) == {"commands": done.out.splitlines()}
        for arguments in (("restore", tmp_path / "a"), ("compact",)):
            told = command("database", *arguments)
            assert (told.code, url in told.out) == (2, True)
            assert "secret" not in told.out + told.err
