"""The database of a service, for commands that look after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steadygrid.cli.terminal import Refusal
from steadygrid.report.glyphs import printable
from workers.commands.environment import settings

if TYPE_CHECKING:
    from app.db.engine import Database
    from app.settings import Settings

DataDir = Annotated[
    Path | None,
    typer.Option(
        help="Folder where `steadygrid serve` keeps its jobs. Default: STEADYGRID_DATA_DIR or"
        " .steadygrid."
    ),
]


def settings_of(data_dir: Path | None) -> Settings:
    """Read the settings, with another data directory if there is one."""
    chosen = settings()
    return chosen if data_dir is None else chosen.model_copy(update={"data_dir": data_dir})


@contextmanager
def opened(data_dir: Path | None, *, migrate: bool = False) -> Iterator[Database]:
    """Open the database that the settings name, which a service may be using.

    Parameters
    ----------
    data_dir
        Of an embedded service, instead of the one in the settings.
    migrate
        Make the tables, or bring them up to date, where that is needed.

    Raises
    ------
    Refusal
        It cannot be used, or its tables are not up to date.
    """
    # The database takes half a second to load; the other commands need not wait.
    from app.db.errors import DatabaseUnavailableError, NotStartedError
    from app.db.migrate import open_database

    try:
        database = open_database(settings_of(data_dir), migrate=migrate)
    except NotStartedError as error:
        raise Refusal(str(error)) from None
    try:
        yield database
    except DatabaseUnavailableError as error:
        raise Refusal(f"{printable(database.place)} cannot be used ({error})", 1) from None
    finally:
        database.close()
