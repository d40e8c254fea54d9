"""Alembic's entry: runs the scripts over the connection that `app.db.migrate` hands in."""

from typing import Any

from alembic import context
from sqlalchemy import Connection, inspect, text

from app.db.errors import MigrationError
from app.db.models import metadata
from app.db.tallies import recount, write_triggers

_LOCK = 0x57EAD7


def run(connection: Connection) -> None:
    """Migrate in one transaction, alone."""
    steps: list[Any] = []
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        compare_server_default=True,
        transactional_ddl=True,
        on_version_apply=lambda step, **_: steps.append(step),
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        context.run_migrations()
        if steps:
            finish(connection)


def finish(connection: Connection) -> None:
    """Make what every step may have destroyed, and look for what none may leave behind."""
    if inspect(connection).has_table("tallies"):
        write_triggers(connection)
        recount(connection)
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).all()
        if broken:
            tables = ", ".join(sorted({row[0] for row in broken}))
            raise MigrationError(
                f"rows that refer to nothing would be left in: {tables}; nothing was changed,"
                " delete them or restore a backup"
            )


run(context.config.attributes["connection"])
