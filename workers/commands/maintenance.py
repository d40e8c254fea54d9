"""``steadygrid database``: its tables, how much is stored, copies, and whether it is sound."""

from pathlib import Path
from typing import Annotated

import typer

from workers.commands.database import DataDir
from workers.commands.operating import AsJson

database = typer.Typer(
    name="database",
    help="Migrate, measure, copy and check the database that the settings name.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
# The database takes a while to load; other commands need not wait, so each of these loads it.


@database.command()
def migrate(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Make the tables, or bring them up to date, before workers of a new version start.

    Workers do not start on older tables. The API brings them up to date itself.
    """
    from workers.commands import upkeep

    upkeep.migrate(data_dir, as_json=as_json)


@database.command()
def size(
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Say how many bytes each tenant has in each table, and how many the database takes.

    All tables are read for that.
    """
    from workers.commands import upkeep

    upkeep.tell_sizes(data_dir, as_json=as_json)


@database.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to make. It must not exist.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Copy the database into a file, as it is at one moment, while it is used or not.

    PostgreSQL copies itself: then the line that does it is printed, and the exit code is 2.
    """
    from workers.commands import upkeep

    upkeep.back_up(file, data_dir, as_json=as_json)


@database.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `backup` has made.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Put a backup in place of the database. The old database is kept next to it.

    No other process may use the database meanwhile. A backup of an older version is brought up to
    date, one of a newer version is refused. For PostgreSQL the lines that do it are printed, and
    the exit code is 2.
    """
    from workers.commands import upkeep

    upkeep.restore(file, data_dir, as_json=as_json)


@database.command()
def check(
    sample: Annotated[
        int | None,
        typer.Option(min=0, help="Number of answers to judge, drawn at random. Default: all."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Look whether the database is sound, and let today's referee judge the stored answers.

    Lists all faults and changes nothing. Exit code 1 means that there are faults. The service may
    run meanwhile.
    """
    from workers.commands import upkeep

    upkeep.check(sample, data_dir, as_json=as_json)


@database.command()
def compact(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """Give the space of deleted rows back to the disk. No other process may use the database.

    As much space again is needed until that is done. For PostgreSQL the line that does it is
    printed, and the exit code is 2.
    """
    from workers.commands import upkeep

    upkeep.compact(data_dir, as_json=as_json)
