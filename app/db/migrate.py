"""Bringing a database to the newest version of its tables."""

import sys
from enum import Enum, auto
from importlib.util import find_spec
from pathlib import Path

import structlog
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select

from app.db.engine import Database
from app.db.errors import (
    DatabaseDamagedError,
    DatabaseFullError,
    DatabaseUnavailableError,
    MigrationError,
    NotStartedError,
    NotYetError,
    SchemaError,
)
from app.db.models import compatibility
from app.db.tallies import missing_triggers
from app.logs import configure_logging
from app.settings import PREFIX, Settings, SettingsError, read_settings

log = structlog.get_logger(__name__)


def alembic_config(connection: Connection | None = None) -> Config:
    """Give alembic's configuration: the packaged scripts, and the connection to use."""
    spec = find_spec("migrations")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("the package 'migrations' is not installed")
    config = Config()
    config.set_main_option("script_location", str(Path(spec.origin).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option(
        "file_template",
        "%%(year)d-%%(month).2d-%%(day).2d-%%(hour).2d%%(minute).2d_%%(slug)s",
    )
    config.attributes["connection"] = connection
    return config


class Standing(Enum):
    """How the tables stand to this code."""

    MISSING = auto()
    OLDER = auto()
    CURRENT = auto()
    NEWER = auto()
    """Unknown to this code, and yet fit for it."""


def standing(database: Database) -> Standing:
    """Compare the version of the tables with the code's.

    Raises
    ------
    DatabaseUnavailableError
        If the database cannot be reached.
    SchemaError
        If the tables are too new for this code.
    """
    script = ScriptDirectory.from_config(alembic_config())
    known = [revision.revision for revision in script.walk_revisions()]
    with database.looking() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        if found is None:
            return Standing.MISSING
        if found in known:
            return Standing.CURRENT if found == known[0] else Standing.OLDER
        oldest = None
        if inspect(connection).has_table(compatibility.name):
            oldest = connection.execute(select(compatibility.c.oldest)).scalar()
    if oldest in known:
        return Standing.NEWER
    raise SchemaError(
        f"its tables are of version {found}, made by a newer steadygrid; this one knows versions"
        f" up to {known[0]}: install the newer one here, or restore the backup made before"
    )


def upgrade(database: Database, revision: str = "head") -> Standing:
    """Run the migrations that the database has not seen; one process at a time.

    Parameters
    ----------
    database
        Its tables may be of any earlier version, or not be there.
    revision
        The last migration to run; ``head``: all.

    Returns
    -------
    Standing
        How the tables stood before. Newer ones stay as they are.

    Raises
    ------
    DatabaseUnavailableError
        If the database cannot be reached or stays locked.
    SchemaError
        If the tables are too new for this code.
    MigrationError
        If rows would be left that refer to nothing; then nothing has changed.
    """
    before = standing(database)
    if before is not Standing.NEWER:
        with database.migrating() as connection:
            command.upgrade(alembic_config(connection), revision)
    return before


def check(database: Database) -> None:
    """Compare the database with the tables that the code declares, and look for the triggers.

    Raises
    ------
    alembic.util.exc.CommandError
        If a migration is missing. The message names the differences.
    MigrationError
        If triggers are missing.
    """
    with database.migrating() as connection:
        command.check(alembic_config(connection))
        if missing := missing_triggers(connection):
            raise MigrationError(f"triggers are missing: {', '.join(missing)}")


def open_database(settings: Settings, *, migrate: bool) -> Database:
    """Open the database for a process that starts, its tables fit to be used.

    Parameters
    ----------
    settings
        Which database.
    migrate
        Bring the tables up to date, in a data directory that is made where it is needed; else they
        have to be.

    Raises
    ------
    NotStartedError
        If that cannot be; `NotYetError` where it is worth to wait.
    """
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    try:
        _make_fit(database, settings, migrate=migrate)
    except NotStartedError:
        database.close()
        raise
    return database


def _make_fit(database: Database, settings: Settings, *, migrate: bool) -> None:
    try:
        if migrate and settings.database_url is None:
            settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = upgrade(database) if migrate else _looked_at(database)
    except DatabaseDamagedError as error:
        remedy = "restore a backup, or put the file aside and start with an empty one"
        raise NotStartedError(f"{database.place} is damaged ({error}): {remedy}") from None
    except DatabaseFullError as error:
        remedy = "make room on its disk"
        raise NotStartedError(f"{database.place} cannot be used ({error}): {remedy}") from None
    except DatabaseUnavailableError as error:
        remedy = (
            "look at the folder, its rights and the disk"
            if database.dialect == "sqlite"
            else f"start the server, or correct {PREFIX}DATABASE_URL"
        )
        raise NotYetError(f"{database.place} cannot be used ({error}): {remedy}") from None
    except (SchemaError, MigrationError) as error:
        raise NotStartedError(f"{database.place} cannot be used: {error}") from None
    except OSError as error:
        raise NotStartedError(
            f"the data directory {settings.data_dir} cannot be used: {error.strerror}"
        ) from None
    if before is Standing.NEWER:
        log.warning("database_is_newer", database=database.place)
    elif before is not Standing.CURRENT and not migrate:
        what = "no tables yet" if before is Standing.MISSING else "tables of an older version"
        raise NotYetError(f"{database.place} has {what}: run `steadygrid database migrate`")


def _looked_at(database: Database) -> Standing:
    """Say how the tables stand. Who only looks makes no file."""
    if database.file is not None and not database.file.exists():
        return Standing.MISSING
    return standing(database)


def main() -> None:
    """Upgrade the database that the settings name; ``python -P -m app.db.migrate``."""
    try:
        settings = read_settings()
        configure_logging(settings)
        open_database(settings, migrate=True).close()
    except SettingsError as error:
        sys.exit("\n  ".join(["steadygrid: the settings are wrong", *error.args]))
    except NotStartedError as error:
        sys.exit(f"steadygrid: {error}")


if __name__ == "__main__":
    main()
