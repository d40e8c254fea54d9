"""What ``steadygrid database`` does."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import NoReturn

from app.db import files
from app.db.engine import Database
from app.db.errors import FileError
from app.db.integrity_check import soundness
from app.db.migrate import Standing, standing
from app.db.sizes import NO_TENANT, Size, on_disk, sizes
from app.settings import PREFIX, Settings
from steadygrid.cli.answering import FAILED, interruptible
from steadygrid.cli.console import status_line
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal, emit, shown
from workers.commands.database import opened, settings_of
from workers.commands.operating import print_answer
from workers.commands.rejudging import Rejudged
from workers.embedded import DataDirectoryInUseError, lock_file

_URL = f"{PREFIX}DATABASE_URL"
_DRIVER = "+psycopg"


def migrate(data_dir: Path | None, *, as_json: bool) -> None:
    """Bring the tables up to date."""
    with interruptible(), opened(data_dir, migrate=True) as own:
        said = f"the tables of {shown(own.place)} are up to date"
        print_answer({"database": own.place, "up_to_date": True}, said, as_json=as_json)


def tell_sizes(data_dir: Path | None, *, as_json: bool) -> None:
    """Print how much is stored.

    Parameters
    ----------
    data_dir
        Where the data are. None: where the settings say.
    as_json
        Whether to print JSON.
    """
    with (
        _existing_database(data_dir) as own,
        interruptible(),
        status_line("measuring"),
        own.looking() as connection,
    ):
        found, whole = sizes(connection), on_disk(connection)
        place = own.place
    if as_json:
        emit_json(
            {
                "database": place,
                "bytes": whole.bytes,
                "free_bytes": whole.free,
                "tables": [one._asdict() for one in found],
            }
        )
        return
    emit("\n".join(_lines(found)) + "\n")
    free = "" if whole.free is None else f", of which {whole.free:,} are free for what comes"
    emit(f"{place} takes {whole.bytes:,} bytes{free}\n")


def _lines(found: list[Size]) -> list[str]:
    rows = [("table", "tenant", "rows", "bytes")]
    rows += [
        (
            one.table,
            one.tenant if one.tenant != NO_TENANT else "-",
            f"{one.rows:,}",
            f"{one.bytes:,}",
        )
        for one in found
    ]
    tenants = sorted({one.tenant for one in found} - {NO_TENANT})
    for tenant in tenants:
        total = sum(one.bytes for one in found if one.tenant == tenant)
        rows.append(("all tables", tenant, "", f"{total:,}"))
    first, second, third, fourth = (max(map(len, column)) for column in zip(*rows, strict=True))
    return [
        f"{table:<{first}}  {tenant:<{second}}  {count:>{third}}  {length:>{fourth}}"
        for table, tenant, count, length in rows
    ]


def back_up(file: Path, data_dir: Path | None, *, as_json: bool) -> None:
    """Copy an SQLite database.

    Parameters
    ----------
    file
        To be made. Nothing is overwritten.
    data_dir
        Where the data are. None: where the settings say.
    as_json
        Whether to print JSON.
    """
    chosen = settings_of(data_dir)
    path = _file_of(chosen)
    if path is None:
        line = f"pg_dump --format=custom --file={quote(str(file))} {_server(chosen)}"
        _say_for_server(line, as_json=as_json)
    with interruptible(), _files_explained(), status_line("copying") as told:
        length = files.back_up(path, file, told or _discard)
    print_answer(
        {"database": str(path), "file": str(file), "bytes": length},
        f"{shown(str(file))} holds {path} as it was, {length:,} bytes",
        as_json=as_json,
    )


def restore(file: Path, data_dir: Path | None, *, as_json: bool) -> None:
    """Put a copy in place of an SQLite database.

    Parameters
    ----------
    file
        The copy.
    data_dir
        Where the data are. None: where the settings say.
    as_json
        Whether to print JSON.
    """
    chosen = settings_of(data_dir)
    path = _file_of(chosen)
    if path is None:
        url = _server(chosen)
        empty = quote("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        _say_for_server(
            f"psql --quiet {url} --command={empty}",
            "pg_restore --clean --if-exists --no-owner --single-transaction"
            f" --dbname={url} {quote(str(file))}",
            "steadygrid database migrate",
            as_json=as_json,
        )
    with (
        _alone(chosen),
        interruptible(),
        _files_explained(),
        status_line("copying") as told,
    ):
        done = files.restore(file, path, told or _discard)
    sentences = [f"{path} is {shown(str(file))} now"]
    if done.migrated:
        sentences.append("its tables were of an older version, and have been brought up to date")
    if done.aside is not None:
        sentences.append(f"the database before is kept as {done.aside}")
    again = "jobs that were queued or running in the backup run again when the service starts"
    kept = None if done.aside is None else str(done.aside)
    document = {"database": str(path), "file": str(file), "migrated": done.migrated, "kept": kept}
    print_answer(document, *sentences, again, as_json=as_json)


def check(sample: int | None, data_dir: Path | None, *, as_json: bool) -> None:
    """List all that is wrong, and refuse if anything is.

    Parameters
    ----------
    sample
        How many answers are judged, drawn at random. None: all.
    data_dir
        Where the data are. None: where the settings say.
    as_json
        Whether to print JSON.
    """
    chosen = settings_of(data_dir)
    lines: list[str] = []
    take = lines.extend if as_json else _list
    with (
        _existing_database(data_dir) as own,
        interruptible(),
        status_line("looking at the tables") as told,
    ):
        if standing(own) is Standing.NEWER:
            raise Refusal(f"{own.place} was made by a newer steadygrid: check it with that one")
        wrong = 0
        for noun, faults in soundness(own):
            (told or _discard)(f"looked at the {noun}")
            wrong += len(faults)
            take(faults)
        found = Rejudged(own, chosen.limits)
        found.judge(sample, take, told or _discard)
    judged = "1 answer was" if found.judged == 1 else f"{found.judged:,} answers were"
    if as_json:
        document = {
            "sound": not wrong,
            "database_faults": wrong,
            "judged": found.judged,
            "refused": found.refused,
            "lines": lines,
        }
        emit_json(document)
    if wrong or found.refused:
        raise Refusal(
            f"{wrong:,} faults of the database. {judged} judged, {found.refused:,} refused", FAILED
        )
    if not as_json:
        emit(f"the database is sound; {judged} judged, none refused\n")


def compact(data_dir: Path | None, *, as_json: bool) -> None:
    """Rewrite an SQLite database without its free pages."""
    chosen = settings_of(data_dir)
    path = _file_of(chosen)
    if path is None:
        statement = quote("VACUUM (FULL, ANALYZE)")
        _say_for_server(f"psql {_server(chosen)} --command={statement}", as_json=as_json)
    with (
        _alone(chosen),
        interruptible(),
        _files_explained(),
        status_line("rewriting") as told,
    ):
        before, after = files.compact(path, told or _discard)
    print_answer(
        {"database": str(path), "bytes_before": before, "bytes_after": after},
        f"{path} had {before:,} bytes and has {after:,}",
        as_json=as_json,
    )


def _discard(_text: str) -> None:
    """Drop what would be told."""


def _list(lines: list[str]) -> None:
    emit("".join(f"{line}\n" for line in lines))


def _file_of(chosen: Settings) -> Path | None:
    """Give the file of an SQLite database, None for a server's. Nothing is opened or made."""
    found = Database.open(chosen.effective_database_url)
    found.close()
    return found.file


@contextmanager
def _existing_database(data_dir: Path | None) -> Iterator[Database]:
    """Open a database that there is, and whose tables are fit to be read.

    Raises
    ------
    Refusal
        There is none, or it cannot be used as it is.
    """
    path = _file_of(settings_of(data_dir))
    if path is not None and not path.is_file():
        raise Refusal(f"there is no database {path}")
    with opened(data_dir) as found:
        yield found


@contextmanager
def _alone(chosen: Settings) -> Iterator[None]:
    """Keep `steadygrid serve` out of the data directory.

    Raises
    ------
    Refusal
        It is there already, or there is no such directory.
    """
    try:
        lock = lock_file(chosen.lock_path, seconds=0.0)
    except DataDirectoryInUseError:
        raise Refusal(
            f"`steadygrid serve` runs on {shown(str(chosen.data_dir))}: stop it first"
        ) from None
    except OSError as error:
        place = shown(str(chosen.data_dir))
        raise Refusal(f"the data directory {place} cannot be used: {error.strerror}") from None
    try:
        yield
    finally:
        os.close(lock)


@contextmanager
def _files_explained() -> Iterator[None]:
    try:
        yield
    except FileError as error:
        raise Refusal(str(error), FAILED) from None


def _server(chosen: Settings) -> str:
    """Name the server for a shell, without its password."""
    if _DRIVER in chosen.effective_database_url.partition("://")[0]:
        return f'"${{{_URL}/{_DRIVER}/}}"'
    return f'"${_URL}"'


def _say_for_server(*lines: str, as_json: bool) -> NoReturn:
    """Print what has to be typed for PostgreSQL, and end."""
    print_answer({"commands": list(lines)}, *lines, as_json=as_json)
    raise Refusal("nothing was done: for PostgreSQL, the lines above do it")
