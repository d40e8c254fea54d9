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
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)
