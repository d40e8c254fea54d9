"""How much is stored: by table and tenant, and on the disk."""

from typing import NamedTuple

from sqlalchemy import Column, Connection, Integer, LargeBinary, Table, text

from app.db.models import metadata

_NUMBER_BYTES = 8
NO_TENANT = ""
"""The tenant of rows without a tenant."""


class Size(NamedTuple):
    """What a tenant has in a table."""

    table: str
    tenant: str
    rows: int
    bytes: int
    """Of the content, as it is stored; without indices, and what the database adds."""


class OnDisk(NamedTuple):
    """What the database takes."""

    bytes: int
    free: int | None
    """Of these, what is used again for what comes. None where the server does not tell."""


def sizes(connection: Connection) -> list[Size]:
    """Measure all tables, which are read for that. Those without rows are left out."""
    return [size for table in metadata.sorted_tables for size in _sizes(connection, table)]


def _sizes(connection: Connection, table: Table) -> list[Size]:
    length = _on_sqlite if connection.dialect.name == "sqlite" else _on_postgresql
    lengths = " + ".join(f"coalesce({length(column)}, 0)" for column in table.c)
    tenant = "tenant" if "tenant" in table.c else f"'{NO_TENANT}'"
    rows = connection.execute(
        text(
            f"SELECT {tenant} AS owner, count(*), sum({lengths}) FROM {table.name}"
            " GROUP BY owner ORDER BY owner"
        )
    )
    return [Size(table.name, owner, count, int(total)) for owner, count, total in rows]


def _on_sqlite(column: Column[object]) -> str:
    if isinstance(column.type, LargeBinary):
        return f"length({column.name})"
    if isinstance(column.type, Integer):
        return str(_NUMBER_BYTES)
    return f"length(CAST({column.name} AS BLOB))"


def _on_postgresql(column: Column[object]) -> str:
    return f"pg_column_size({column.name})"


def on_disk(connection: Connection) -> OnDisk:
    """Measure the file, or what the server keeps for the database."""
    if connection.dialect.name != "sqlite":
        whole = connection.execute(text("SELECT pg_database_size(current_database())"))
        return OnDisk(int(whole.scalar_one()), None)
    page, count, free = (
        int(connection.execute(text(f"PRAGMA {name}")).scalar_one())
        for name in ("page_size", "page_count", "freelist_count")
    )
    return OnDisk(page * count, page * free)
