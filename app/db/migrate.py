"""Bringing a database to the newest version of its tables."""

from importlib.util import find_spec
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from app.db.engine import Database
from app.db.errors import MigrationError
from app.db.tallies import missing_triggers
from app.settings import Settings


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


def upgrade(database: Database, revision: str = "head") -> None:
    """Run the migrations that the database has not seen; one process at a time.

    Raises
    ------
    DatabaseUnavailableError
        If the database cannot be reached or stays locked.
    MigrationError
        If rows would be left that refer to nothing; then nothing has changed.
    """
    with database.migrating() as connection:
        command.upgrade(alembic_config(connection), revision)


def check(database: Database) -> None:
    """Compare the database with the tables that the code declares, and look for the triggers.

    Raises
    ------
    alembic.util.exc.CommandError
        If a migration is missing; the message names the differences.
    MigrationError
        If triggers are missing.
    """
    with database.migrating() as connection:
        command.check(alembic_config(connection))
        if missing := missing_triggers(connection):
            raise MigrationError(f"triggers are missing: {', '.join(missing)}")


def main() -> None:
    """Upgrade the database that the settings name; ``python -m app.db.migrate``."""
    settings = Settings()
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    try:
        upgrade(database)
    finally:
        database.close()


if __name__ == "__main__":
    main()
