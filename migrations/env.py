"""Alembic's entry: runs the scripts over the connection that `app.db.migrate` hands in."""

from alembic import context
from sqlalchemy import Connection, text

from app.db.models import metadata

_LOCK = 0x57EAD7


def run(connection: Connection) -> None:
    """Migrate in one transaction, alone."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        context.run_migrations()


run(context.config.attributes["connection"])
