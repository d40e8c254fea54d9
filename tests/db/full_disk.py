"""Databases without room, as their own engines tell it: no file grows, or no row comes in."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, event, text

from app.db.engine import Database
from app.db.errors import DatabaseFullError
from app.db.models import metadata

_MOST_PAGES: dict[str, int] = {}
"""Of files of SQLite, by their names."""
_ANY_NUMBER = 4_294_967_294
_NO_ROOM = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100';
END $$
"""


@event.listens_for(Engine, "begin")
def _bound(connection: Connection) -> None:
    most = _MOST_PAGES.get(str(connection.engine.url.database))
    if most is not None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {most}")


@contextmanager
def without_room(database: Database, *tables: str) -> Iterator[None]:
    """Leave a database no room, for all engines of this process.

    Parameters
    ----------
    tables
        On PostgreSQL, those that take no rows; none: all. On SQLite the file does not grow.
    """
    own = _full_file if database.dialect == "sqlite" else _full_tables
    with own(database, *(tables or metadata.tables)):
        yield


@contextmanager
def _full_file(database: Database, *_: str) -> Iterator[None]:
    name = str(database.engine.url.database)
    with database.migrating() as connection, connection.begin():
        connection.exec_driver_sql("CREATE TABLE filler (bytes BLOB)")
        _MOST_PAGES[name] = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    try:
        for size in (3000, 300, 30):
            _fill(database, size)
        yield
    finally:
        _MOST_PAGES[name] = _ANY_NUMBER
        with database.migrating() as connection, connection.begin():
            connection.exec_driver_sql("DROP TABLE filler")


def _fill(database: Database, size: int) -> None:
    """Use the room in pages that are there already."""
    try:
        while True:
            with database.migrating() as connection, connection.begin():
                connection.execute(
                    text("INSERT INTO filler VALUES (zeroblob(:size))"), {"size": size}
                )
    except DatabaseFullError:
        pass


@contextmanager
def _full_tables(database: Database, *tables: str) -> Iterator[None]:
    with database.migrating() as connection, connection.begin():
        connection.exec_driver_sql(_NO_ROOM)
        for table in tables:
            connection.exec_driver_sql(
                f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {table}"
                " FOR EACH ROW EXECUTE FUNCTION no_room()"
            )
    try:
        yield
    finally:
        with database.migrating() as connection, connection.begin():
            connection.exec_driver_sql("DROP FUNCTION no_room() CASCADE")
