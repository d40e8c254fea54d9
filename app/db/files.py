"""The file of an SQLite database as a whole: copied, put in place of another, made smaller."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError, FileError, MigrationError, SchemaError
from app.db.migrate import Standing, standing, upgrade

Told = Callable[[str], None]
"""Hears now and then how far something is."""

_SQLITE, _DUMP = b"SQLite format 3\0", b"PGDMP"
_LOOK_SECONDS = 0.2
_PIECE = 2**22
_BESIDE = ("-wal", "-shm", "-journal")
"""Ends of the names of the files that belong to an SQLite database while it is used."""


class Restored(NamedTuple):
    """What `restore` has done."""

    aside: Path | None
    """Where the file before is now, if there was one."""
    migrated: bool
    """Whether the backup was of an older version."""


def back_up(path: Path, target: Path, told: Told) -> int:
    """Copy a database while it is used, as it is at one moment; give the copy's bytes.

    The copy appears under its name when it is whole and on the disk, readable by its owner only.

    Parameters
    ----------
    path
        File of the database.
    target
        File of the copy, which must not be there yet.
    told
        Hears now and then how much is copied.

    Raises
    ------
    FileError
        There is no such database, the target exists, or cannot be written.
    """
    if target.exists() or target.is_symlink():
        raise FileError(f"{target} exists already, and a backup overwrites nothing")
    with _explained(f"{target} cannot be written"), _part_of(target) as part:
        with closing(_connect(path)) as connection:
            whole = _bytes(connection)

            def progress() -> None:
                told(f"{part.stat().st_size:,} of about {whole:,} bytes")

            _run(connection, "VACUUM INTO ?", [str(part)], progress)
        _settle(part)
        _name(part, target)
        return target.stat().st_size


def restore(backup: Path, path: Path, told: Told) -> Restored:
    """Put a backup in place of a database that no process uses.

    The backup is copied, checked and brought up to date before anything is changed. The file
    before is kept next to it.

    Parameters
    ----------
    backup
        File that `back_up` made.
    path
        File of the database.
    told
        Hears what is done.

    Raises
    ------
    FileError
        The backup is none, is damaged, or of a newer version. Or a process uses the database, or
        something cannot be written.
    """
    _look_at(backup)
    with _explained(f"{path} cannot be replaced"), _part_of(path) as part:
        _copy(backup, part, told)
        told("checking the backup")
        before = _made_fit(part, backup)
        _settle(part)
        _give_owner(part, path)
        if path.exists() and _head(path) == _SQLITE:
            _retire(path)
        aside = _put_aside(path)
        part.replace(path)
        _settle(path.parent)
    return Restored(aside, before is Standing.OLDER)


def compact(path: Path, told: Told) -> tuple[int, int]:
    """Rewrite a database without its free pages; give its bytes before and after.

    Parameters
    ----------
    path
        File of the database.
    told
        Hears now and then that it goes on.

    Raises
    ------
    FileError
        There is no such database, a process uses it, or there is no space: it is needed twice.
    """
    with _explained(f"{path} cannot be compacted"), closing(_connect(path)) as connection:
        before = _bytes(connection)
        _run(connection, "VACUUM", [], lambda: told(f"rewriting {before:,} bytes"))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return before, _bytes(connection)


def _connect(path: Path) -> sqlite3.Connection:
    """Open a database that there is. Nothing is made."""
    if not path.is_file():
        raise FileError(f"there is no database {path}")
    place = f"file:{quote(str(path.absolute()))}?mode=rw"
    return sqlite3.connect(
        place, uri=True, isolation_level=None, timeout=5.0, check_same_thread=False
    )


def _bytes(connection: sqlite3.Connection) -> int:
    (page,), (count,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_size", "page_count")
    )
    return int(page * count)


def _run(
    connection: sqlite3.Connection,
    statement: str,
    parameters: Sequence[str],
    progress: Callable[[], None],
) -> None:
    """Run a statement that takes long so that Ctrl-C ends it, and nothing is left of it."""
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(connection.execute, statement, parameters)
        try:
            while not running.done():
                wait([running], _LOOK_SECONDS)
                progress()
        finally:
            while not running.done():
                connection.interrupt()
                wait([running], _LOOK_SECONDS)
        running.result()


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """Make an empty file next to a target, to be filled and renamed. It goes if that fails."""
    number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    os.close(number)
    part = Path(name)
    try:
        yield part
    finally:
        for end in ("", *_BESIDE):
            with suppress(FileNotFoundError):
                Path(f"{part}{end}").unlink()


def _name(part: Path, target: Path) -> None:
    """Give a file its name, unless another process has taken it meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise FileError(f"{target} exists by now, and a backup overwrites nothing") from None
    except OSError:  # not every file system has links
        part.rename(target)
    _settle(target.parent)


def _settle(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _look_at(backup: Path) -> None:
    """Refuse what cannot be a backup."""
    try:
        head = _head(backup)
    except OSError as error:
        raise FileError(f"{backup} cannot be read: {error.strerror}") from None
    if head.startswith(_DUMP):
        raise FileError(f"{backup} is of PostgreSQL: pg_restore restores it")
    if head != _SQLITE:
        raise FileError(f"{backup} is no SQLite database")
    log = Path(f"{backup}-wal")
    if log.exists() and log.stat().st_size:
        raise FileError(
            f"{backup} is a database in use, its last changes are in {log}: make a backup of it with"
            " `steadygrid database backup`"
        )


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_SQLITE))


def _copy(backup: Path, part: Path, told: Told) -> None:
    whole = backup.stat().st_size
    with backup.open("rb") as source, part.open("wb") as copy:
        while piece := source.read(_PIECE):
            copy.write(piece)
            told(f"{copy.tell():,} of {whole:,} bytes")


def _made_fit(part: Path, backup: Path) -> Standing:
    """Check a copy, and bring it up to date; one whole file is left."""
    with closing(_connect(part)) as connection:
        findings = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if findings != ("ok",):
            raise FileError(f"{backup} is damaged ({findings[0]}): take another one")
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            raise FileError(f"{backup} has rows that refer to nothing: take another one")
    database = Database.open(f"sqlite:///{part}")
    try:
        before = standing(database)
        if before is Standing.MISSING:
            raise FileError(f"{backup} has no tables of steadygrid")
        if before is Standing.NEWER:
            raise FileError(f"{backup} was made by a newer steadygrid: install that one first")
        upgrade(database)
    except (SchemaError, MigrationError, DatabaseUnavailableError) as error:
        raise FileError(f"{backup} cannot be restored: {error}") from None
    finally:
        database.close()
    _retire(part)
    return before


def _retire(path: Path) -> None:
    """Write the log of a database into its file. No other process may have it open.

    What is damaged is left as it is.
    """
    try:
        with closing(_connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            raise FileError(f"another process uses {path}: stop all that do") from None
        raise
    except sqlite3.DatabaseError:
        pass


def _give_owner(part: Path, path: Path) -> None:
    """Let a file belong to whom the one before, or its folder, belongs."""
    like = (path if path.exists() else path.parent).stat()
    if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
        os.chown(part, like.st_uid, like.st_gid)
    if path.exists():
        part.chmod(like.st_mode & 0o777)


def _put_aside(path: Path) -> Path | None:
    """Keep a database under another name, with all that could not be written into its file."""
    if not path.exists():
        return None
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    aside = path.with_name(f"{path.name}.before-{moment}")
    try:
        os.link(path, aside)
    except OSError:  # not every file system has links
        shutil.copy2(path, aside)
    _settle(aside)
    for end in _BESIDE:
        with suppress(FileNotFoundError):
            Path(f"{path}{end}").rename(f"{aside}{end}")
    return aside


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Say in a sentence why files or SQLite refused."""
    try:
        yield
    except sqlite3.Error as error:
        raise FileError(f"{what}: {error}") from None
    except OSError as error:
        raise FileError(f"{what}: {error.strerror or error}") from None
