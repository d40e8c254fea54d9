"""INSERT ... ON CONFLICT, which both databases spell alike and SQLAlchemy twice."""

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def conflict_insert(connection: Connection, table: Table) -> Any:
    """Give the dialect's INSERT, which has ``on_conflict_do_nothing`` and ``..._do_update``.

    Parameters
    ----------
    connection
        Of SQLite or PostgreSQL.
    table
        Which gets the rows.
    """
    return conflict_insert_of(connection.dialect.name, table)


def conflict_insert_of(dialect: str, table: Table) -> Any:
    """Give the INSERT of a dialect by its name. See `conflict_insert`."""
    return sqlite.insert(table) if dialect == "sqlite" else postgresql.insert(table)
