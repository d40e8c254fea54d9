from collections.abc import Container, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, create_engine, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.db.errors import MigrationError
from app.db.migrate import alembic_config, check, upgrade
from app.db.models import compatibility, jobs, metadata
from app.db.packing import pack
from app.db.tallies import drop_triggers, missing_triggers
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job

REVISIONS = [
    script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()
][::-1]
DAY = datetime(2026, 11, 22, 3, tzinfo=UTC)
JOB = {
    "tenant": "local",
    "kind": "master_worker",
    "labels": '{"a":"b"}',
    "warnings": "[]",
    "time_limit": 60.0,
    "attempt": 1,
    "failures": 0,
    "wakes": 0,
    "seq": 3,
    "woken_at": DAY,
    "created_at": DAY,
}
ENDED = {"started_at": DAY, "finished_at": DAY}
DOCUMENT = {"tenant": "local", "summary": "{}", "packed": pack({}), "created_at": DAY}
OF_PLATFORM = {"tenant": "local", "platform_id": "plt_1"}
ROWS: dict[str, list[dict[str, Any]]] = {
    "schedules": [{"tenant": "local", "id": "sch_1", "header": "{}", "created_at": DAY}],
    "schedule_chunks": [
        {
            "tenant": "local",
            "schedule_id": "sch_1",
            "part": "slots",
            "number": 0,
            "first": 0,
            "length": 1,
            "start": "1/3",
            "packed": pack([]),
        }
    ],
    "jobs": [
        {**JOB, "id": "job_1", "state": "queued"},
        {**JOB, "id": "job_2", "state": "queued", "tenant": "other"},
        {**JOB, "id": "job_3", "state": "running", "lease_until": DAY, "worker": "w"},
        {**JOB, "id": "job_4", "state": "cancelling", "lease_until": DAY, "kind": "cell"},
        {**JOB, **ENDED, "id": "job_5", "state": "failed", "error": "{}"},
        {**JOB, **ENDED, "id": "job_6", "state": "cancelled", "progress": "{}"},
        {**JOB, **ENDED, "id": "job_7", "state": "succeeded", "outcome": "infeasible"},
        {
            **JOB,
            **ENDED,
            "id": "job_8",
            "state": "succeeded",
            "outcome": "optimal",
            "schedule_id": "sch_1",
        },
    ],
    "job_instances": [{"tenant": "local", "job_id": "job_8", "packed": pack({})}],
    "job_results": [{"tenant": "local", "job_id": "job_8", "attempt": 1, "packed": pack({})}],
    "job_labels": [{"tenant": "local", "job_id": "job_8", "key": "a", "value": "b"}],
    "job_events": [
        {
            "tenant": "local",
            "job_id": "job_8",
            "seq": 1,
            "type": "state",
            "data": "{}",
            "created_at": DAY,
        }
    ],
    "idempotency_keys": [
        {"tenant": "local", "key": "k", "fingerprint": "f", "job_id": "job_8", "created_at": DAY}
    ],
    "platforms": [{**DOCUMENT, "id": "plt_1"}],
    "applications": [{**DOCUMENT, "id": "app_1"}],
    "workers": [
        {"tenant": "local", "id": "w", "versions": "{}", "started_at": DAY, "seen_at": DAY}
    ],
}
"""Rows that every version's tables can hold, in an order that keeps references whole."""
ROWS_SINCE: dict[str, dict[str, list[dict[str, Any]]]] = {
    "0007": {"job_traces": [{"tenant": "local", "job_id": "job_8", "packed": pack([])}]},
    "0008": {
        "keys": [
            {"tenant": "local", "id": "k", "hash": "h", "scopes": '["read"]', "created_at": DAY}
        ],
        "sessions": [
            {
                "tenant": "local",
                "hash": "s",
                "key_id": "k",
                "scopes": "[]",
                "created_at": DAY,
                "used_at": DAY,
            }
        ],
        "audit_lines": [
            {
                "tenant": "local",
                "id": "aud_1",
                "at": DAY,
                "actor": "key k",
                "action": "job_deleted",
                "subject": "job_9",
            }
        ],
        "tombstones": [{"tenant": "local", "job_id": "job_9", "purged_at": DAY}],
    },
    "0009": {"deleted_jobs": [{"tenant": "local", "id": "job_0", "deleted_at": DAY}]},
    "0010": {
        "sweeps": [
            {
                "tenant": "local",
                "id": "swp_1",
                "kind": "sweep",
                "job_kind": "cell",
                "labels": "{}",
                "jobs": 2,
                "created_at": DAY,
            }
        ],
        "sweep_plans": [{"tenant": "local", "sweep_id": "swp_1", "packed": pack({})}],
        "sweep_studies": [{"tenant": "local", "sweep_id": "swp_1", "packed": pack({})}],
        "replans": [
            {
                "tenant": "local",
                "id": "rpl_1",
                "of_job": "job_8",
                "packed": pack({}),
                "created_at": DAY,
            }
        ],
    },
    "0011": {"job_drafts": [{"tenant": "local", "job_id": "job_8", "packed": pack({})}]},
    "0013": {
        "webhooks": [
            {
                "tenant": "local",
                "id": "whk_1",
                "url": "https://hooks.example.org/",
                "events": '["job.failed"]',
                "secret": "whsec_AAAA",
                "claimed_at": DAY,
                "created_at": DAY,
            }
        ],
        "webhook_deliveries": [
            {
                "tenant": "local",
                "id": "dlv_1",
                "webhook_id": "whk_1",
                "message": "msg_1",
                "event": "job.failed",
                "subject": "job_5",
                "payload": "{}",
                "state": "pending",
                "due_at": DAY,
                "expires_at": DAY,
                "created_at": DAY,
            }
        ],
    },
    "0014": {
        "attempts": [
            {
                "tenant": "local",
                "kind": "cell",
                "lane": 0,
                "attempt": "ended",
                "state": "failed",
                "detail": "poison",
                "number": 3,
            }
        ],
        "counters": [{"tenant": "", "name": "sweeps", "value": 2.0, "changed_at": DAY}],
    },
    "0015": {
        "measured_platforms": [{**OF_PLATFORM, "version": 1, "rows": 1, "packed": pack({})}],
        "measurements": [{**OF_PLATFORM, "resource": "processor:P", "at": DAY, "value": "1/2"}],
        "watches": [
            {
                **OF_PLATFORM,
                "job_id": "job_8",
                "request": "{}",
                "planned": "1",
                "reference": "1",
                "limited_by": "[]",
                "seen": 0,
                "changes": 0,
                "attempt": 0,
                "created_at": DAY,
            }
        ],
        "drift_points": [
            {
                **OF_PLATFORM,
                "id": "pnt_1",
                "job_id": "job_8",
                "at": DAY,
                "planned": "1",
                "kept": "1/2",
                "limited_by": "[]",
            }
        ],
        "epochs": [{"tenant": "local", "job_id": "job_8", "epoch": DAY, "unit_seconds": "1"}],
    },
    "0016": {"solver_days": [{"tenant": "local", "day": DAY.date(), "seconds": 1.5}]},
    "0018": {
        "views": [
            {
                "hash": "h",
                "tenant": "local",
                "job_id": "job_8",
                "created_at": DAY,
                "expires_at": DAY,
            }
        ]
    },
}
"""Rows of tables that came later."""
WRITTEN_BY_MIGRATIONS = {"alembic_version", "compatibility", "probes", "tallies", "tenants"}
TALLIED = [
    ("local", "cell", 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
    ("local", "master_worker", 0, 1, 1, 0, 2, 1, 1, 0, 0, 0),
    ("other", "master_worker", 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
]


@pytest.fixture
def untouched(database_url: str) -> Iterator[Database]:
    """A database without tables."""
    database = Database.open(database_url)
    yield database
    database.close()


@contextmanager
def writing(database: Database) -> Iterator[Connection]:
    with database.engine.connect() as connection:
        writer = connection.execution_options(writes=True)
        with writer.begin():
            yield writer


def downgrade(database: Database, revision: str) -> None:
    with database.migrating() as connection:
        command.downgrade(alembic_config(connection), revision)


def fill(database: Database) -> None:
    found = MetaData()
    found.reflect(database.engine)
    with writing(database) as connection:
        for name, rows in known_rows(found.tables).items():
            for row in rows:
                connection.execute(insert(found.tables[name]).values(row))


def known_rows(tables: Container[str]) -> dict[str, list[dict[str, Any]]]:
    """The rows that these tables can hold."""
    later = {name: rows for new in ROWS_SINCE.values() for name, rows in new.items()}
    return ROWS | {name: rows for name, rows in later.items() if name in tables}


def contents(database: Database) -> dict[str, list[dict[str, Any]]]:
    found = MetaData()
    found.reflect(database.engine)
    with database.engine.connect() as connection:
        return {
            name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for name, table in found.tables.items()
        }


def shared(rows: list[dict[str, Any]], columns: list[dict[str, Any]]) -> list[str]:
    """The rows with only those columns that `columns` has too, in an order of their own."""
    return sorted(str({name: row[name] for name in columns[0]}) for row in rows)


def test_the_migrations_make_the_tables_that_the_code_declares(database: Database) -> None:
    check(database)


def test_upgrading_again_changes_nothing(database: Database) -> None:
    upgrade(database)
    check(database)


def test_every_version_s_rows_are_there_after_an_upgrade(untouched: Database) -> None:
    for revision in REVISIONS:
        upgrade(untouched, revision)
        fill(untouched)
        before = contents(untouched)
        assert all(before.values()), "a table of this version is not filled"
        new = [ROWS_SINCE[old] for old in ROWS_SINCE if old <= revision]
        assert set(before) - WRITTEN_BY_MIGRATIONS == set(ROWS).union(*new)
        upgrade(untouched)
        after = contents(untouched)
        for table in known_rows(before):
            assert shared(after[table], before[table]) == shared(before[table], before[table])
        assert sorted(tuple(row.values()) for row in after["tallies"]) == TALLIED
        assert {row["requires"] for row in after["jobs"]} == {0}
        check(untouched)
        downgrade(untouched, "base")


def test_a_downgrade_keeps_the_rows_too(untouched: Database) -> None:
    upgrade(untouched)
    fill(untouched)
    with writing(untouched) as connection:
        connection.execute(
            jobs.update().where(jobs.c.id == "job_7").values(outcome=Outcome.UNKNOWN.value)
        )
    before = contents(untouched)
    downgrade(untouched, "0001")
    after = contents(untouched)
    for table in set(ROWS) - {"jobs"}:
        assert shared(after[table], after[table]) == shared(before[table], after[table])
    assert len(after["jobs"]) == len(before["jobs"])
    assert {row["outcome"] for row in after["jobs"] if row["id"] == "job_7"} == {"bound_only"}


def test_a_migration_s_connection_is_its_own(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path / 'a.db'}")
    asked = "PRAGMA foreign_keys"
    with database.migrating() as connection:
        assert connection.execute(text(asked)).scalar() == 0
    for _ in range(3):
        with database.engine.connect() as connection:
            assert connection.execute(text(asked)).scalar() == 1
    database.close()


def test_a_migration_that_would_leave_broken_references_changes_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    database = Database.open(url)
    upgrade(database, "0001")
    fill(database)
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(text("UPDATE job_labels SET job_id = 'job_gone'"))
        connection.commit()
    engine.dispose()
    before = contents(database)
    with pytest.raises(MigrationError, match="job_labels"):
        upgrade(database)
    assert contents(database) == before
    database.close()


def test_the_tables_take_every_state_and_outcome_that_the_code_knows(database: Database) -> None:
    for outcome in Outcome:
        add_job(database)
        with writing(database) as connection:
            ended = {"state": JobState.SUCCEEDED.value, "finished_at": DAY}
            connection.execute(jobs.update().values(outcome=outcome.value, **ended))
    with pytest.raises(IntegrityError), writing(database) as connection:
        connection.execute(jobs.update().values(outcome="perhaps"))


def test_checks_are_those_that_the_code_declares(untouched: Database, tmp_path: Path) -> None:
    # What alembic compares has no CHECK constraints in it.
    upgrade(untouched)
    declared = create_engine(f"sqlite:///{tmp_path / 'declared.db'}")
    metadata.create_all(declared)
    for table in metadata.tables:
        names = [
            {check["name"] for check in inspect(engine).get_check_constraints(table)}
            for engine in (declared, untouched.engine)
        ]
        assert names[0] == names[1], table
    declared.dispose()


def test_a_missing_trigger_is_found(untouched: Database) -> None:
    upgrade(untouched)
    with writing(untouched) as connection:
        assert missing_triggers(connection) == []
        drop_triggers(connection)
        assert len(missing_triggers(connection)) == 3
    with pytest.raises(MigrationError, match="tally_new_jobs"):
        check(untouched)


def test_the_tables_say_from_which_version_on_code_may_use_them(database: Database) -> None:
    with database.engine.connect() as connection:
        assert connection.execute(select(compatibility.c.oldest)).scalars().all() == ["0004"]


def test_the_migrations_can_be_taken_back(database: Database) -> None:
    downgrade(database, "base")
    assert inspect(database.engine).get_table_names() == ["alembic_version"]
    upgrade(database)


def test_every_table_has_a_tenant_but_what_is_said_of_the_tables_themselves() -> None:
    without = {name for name, table in metadata.tables.items() if "tenant" not in table.c}
    assert without == {"compatibility", "probes"}
