"""Engines, and what SQLite needs to behave like a database with many writers."""

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, select, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import NullPool

from app.db.clock import current_time
from app.db.errors import DatabaseDamagedError, DatabaseFullError, DatabaseUnavailableError
from app.db.models import probes
from app.db.unit import AllTenants, Unit
from app.logs import Outage

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_READ_ONLY = "25006"
"""PostgreSQL's code for a write where none are taken, on a standby for example."""
_DISK_FULL = "53100"
"""PostgreSQL's code for a disk without room."""
_PERHAPS_NO_ROOM = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says of files besides the database's that find no room, among other things."""
_PROBE_SECONDS = 5.0
_PROBE_BYTES = 10_000
_CONNECT = {"connect_timeout": 5, "application_name": "steadygrid"}


class Database:
    """One engine and its units of work."""

    def __init__(self, engine: Engine, busy_seconds: float = 30.0) -> None:
        self.engine = engine
        self._busy_seconds = busy_seconds
        self._probing = threading.Lock()
        self._next_probe = 0.0
        self._outage = Outage("database")
        self._readers_only = Outage("database_writes")

    @classmethod
    def open(cls, url: str, busy_seconds: float = 30.0) -> "Database":
        """Open by URL (``sqlite:///file`` or ``postgresql://...``); connects at first use.

        Parameters
        ----------
        url
            See `app.settings.Settings.effective_database_url`.
        busy_seconds
            How long to wait for SQLite's write lock.
        """
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
        if parsed.get_backend_name() == "sqlite":
            engine = _sqlite(parsed, busy_seconds, pool_size=10, max_overflow=30)
            return cls(engine, busy_seconds)
        return cls(
            create_engine(
                parsed,
                hide_parameters=True,
                pool_size=10,
                max_overflow=30,
                pool_timeout=10,
                pool_pre_ping=True,
                connect_args=_CONNECT,
            )
        )

    @property
    def place(self) -> str:
        """Where it is, for people: the file, or the server without user and password."""
        url = self.engine.url
        if self.dialect == "sqlite":
            return f"the database file {url.database}"
        return f"the database {url.database} at {url.host or 'this machine'}:{url.port or 5432}"

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database. None for a server's."""
        return Path(str(self.engine.url.database)) if self.dialect == "sqlite" else None

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self.engine.dialect.name

    @contextmanager
    def read(self, tenant: str) -> Iterator[Unit]:
        """Open a tenant's unit that only reads. What it might have written is rolled back.

        Raises
        ------
        DatabaseUnavailableError
            If the database cannot be reached.
        """
        with self._reading() as connection:
            yield Unit(connection, tenant)

    @contextmanager
    def read_all(self) -> Iterator[AllTenants]:
        """Open a unit like `read`, for those who work for all tenants."""
        with self._reading() as connection:
            yield AllTenants(connection)

    @contextmanager
    def write(self, tenant: str) -> Iterator[Unit]:
        """Open a tenant's unit that commits when the block ends and rolls back when it raises.

        Raises
        ------
        DatabaseUnavailableError
            If the database cannot be reached or stays locked. See its docstring for what
            that means when it comes from the commit.
        """
        with self._writing() as connection:
            yield Unit(connection, tenant)

    @contextmanager
    def write_all(self) -> Iterator[AllTenants]:
        """Open a unit like `write`, for those who work for all tenants."""
        with self._writing() as connection:
            yield AllTenants(connection)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._watched(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._watched(), self.engine.connect() as connection:
            writer = connection.execution_options(writes=True)
            with writer.begin():
                yield writer
        self._readers_only.end()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            with _translated(self.file):
                yield
        except DatabaseFullError as error:
            self._readers_only.noticed(str(error))
            raise
        except DatabaseUnavailableError as error:
            self._outage.noticed(str(error))
            raise
        self._outage.end()

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Open a connection of its own for a migration; closed afterwards, never used again.

        SQLite changes a table by copying and dropping it, which with foreign keys would delete
        all that refers to it. They are off here from before the transaction, inside which they
        cannot be switched: a migration looks for broken references before the commit.

        Raises
        ------
        DatabaseUnavailableError
            If the database cannot be reached or stays locked.
        """
        with self._alone(self._busy_seconds, foreign_keys=False) as connection:
            yield connection

    @contextmanager
    def _alone(self, busy_seconds: float, *, foreign_keys: bool) -> Iterator[Connection]:
        url = self.engine.url
        if self.dialect == "sqlite":
            engine = _sqlite(url, busy_seconds, foreign_keys=foreign_keys, poolclass=NullPool)
        else:
            engine = create_engine(
                url, poolclass=NullPool, connect_args=_CONNECT, hide_parameters=True
            )
        with _translated(self.file), engine.connect() as connection:
            yield connection.execution_options(writes=True)

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """Open a connection that only reads, for what knows tables and no units.

        Raises
        ------
        DatabaseUnavailableError
            If the database cannot be reached.
        """
        with _translated(self.file), self.engine.connect() as connection:
            yield connection

    def try_write(self) -> None:
        """Return if the database takes writes, as far as a check in the last seconds has shown.

        A reader never notices a full disk or a server that is read-only. What is written is
        new each time, and more than a page. A database that another process is writing to is not
        waited for: it takes writes.

        Raises
        ------
        DatabaseUnavailableError
            If it does not.
        """
        if time.monotonic() < self._next_probe or not self._probing.acquire(blocking=False):
            return
        try:
            self._write_something()
            self._readers_only.end()
            self._next_probe = time.monotonic() + _PROBE_SECONDS
        except DatabaseUnavailableError as error:
            self._readers_only.noticed(str(error))
            raise
        finally:
            self._probing.release()

    def _write_something(self) -> None:
        free = select(probes.c.id).with_for_update(skip_locked=True).scalar_subquery()
        filler = secrets.token_bytes(_PROBE_BYTES)
        try:
            with self._alone(0.0, foreign_keys=True) as connection, connection.begin():
                connection.execute(
                    update(probes)
                    .where(probes.c.id == free)
                    .values(at=current_time(), filler=filler)
                )
        except DatabaseUnavailableError as error:
            cause = getattr(error.__cause__, "orig", None)
            if getattr(cause, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
                raise

    def close(self) -> None:
        """Close all connections. The database can still be used and reconnects."""
        self.engine.dispose()


@contextmanager
def _translated(file: Path | None) -> Iterator[None]:
    """Raise what callers know; `file` is that of an SQLite database."""
    try:
        yield
    except (InterfaceError, PoolTimeoutError) as error:
        raise DatabaseUnavailableError(_reason(error)) from error
    except DBAPIError as error:
        code = getattr(error.orig, "sqlite_errorcode", None)
        state = getattr(error.orig, "sqlstate", None)
        if state == _DISK_FULL or (code is not None and _no_room(code, file)):
            raise DatabaseFullError(_reason(error)) from error
        if code in _DAMAGED:
            raise DatabaseDamagedError(_reason(error)) from error
        away = isinstance(error, OperationalError) or error.connection_invalidated
        if away or state == _READ_ONLY:
            raise DatabaseUnavailableError(_reason(error)) from error
        raise


def _no_room(code: int, file: Path | None) -> bool:
    if code == sqlite3.SQLITE_FULL:
        return True
    # The low byte is the error, the others say more of it.
    if code & 0xFF not in _PERHAPS_NO_ROOM or file is None:
        return False
    try:
        return os.statvfs(file.absolute().parent).f_bavail == 0
    except OSError:
        return False


def _reason(error: Exception) -> str:
    """Give the driver's own words, in one line. It never tells passwords or parameters."""
    words = " ".join(str(getattr(error, "orig", None) or error).split())
    return words or type(error).__name__


def _sqlite(url: URL, busy_seconds: float, *, foreign_keys: bool = True, **pool: Any) -> Engine:
    engine = create_engine(
        url,
        connect_args={"isolation_level": None, "timeout": busy_seconds},
        hide_parameters=True,
        **pool,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A deferred transaction that turns into a writer fails at once if another one wrote
        # meanwhile; an immediate one waits its turn. Readers never wait in WAL mode.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
