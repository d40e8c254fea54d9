"""``steadygrid admin check``: each setting, where its value is from, and what is wrong."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.text import Text

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError, SchemaError
from app.db.migrate import Standing, standing
from app.publisher import Publisher
from app.settings import PREFIX, Settings, SettingsError, read_settings, solve_queue
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import complain
from steadygrid.report.glyphs import printable
from workers.commands.administration import table
from workers.solver_child import UnfitSolverError, try_solver

_HIDDEN = "set, and not shown"


class Line(NamedTuple):
    """A setting."""

    variable: str
    value: str
    source: str


def check(data_dir: Path | None, *, as_json: bool) -> None:
    """Print the settings and the faults; ends with 1 if there are any."""
    faults: list[str] = []
    settings: Settings | None = None
    try:
        settings = read_settings()
    except SettingsError as error:
        faults += error.args
    if settings is not None:
        if data_dir is not None:
            settings = settings.model_copy(update={"data_dir": data_dir})
        faults += _faults(settings)
    lines = [_line(name, data_dir) for name in Settings.model_fields]
    if as_json:
        emit_json({"settings": [one._asdict() for one in lines], "faults": faults})
    else:
        emit_lines(lambda *_: list(_table(lines)))
        complain([f"fault: {one}" for one in faults])
    if faults:
        sys.exit(1)


def _line(name: str, data_dir: Path | None) -> Line:
    field, variable = Settings.model_fields[name], f"{PREFIX}{name.upper()}"
    given = next((value for key, value in os.environ.items() if key.upper() == variable), None)
    if name == "data_dir" and data_dir is not None:
        return Line(variable, printable(str(data_dir)), "--data-dir")
    if given is None:
        return Line(variable, _written(field.default), "default")
    # A user and a password may stand in any address.
    shown = field.repr and not ("://" in given and "@" in given)
    return Line(variable, printable(given) if shown else _HIDDEN, "environment")


def _written(value: Any) -> str:
    if value is None or value == "":
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _table(lines: list[Line]) -> Iterator[Text]:
    yield from table(("variable", "value", "source"), lines, left=3)


def _faults(settings: Settings) -> Iterator[str]:
    """Look whether what the settings name is there and answers."""
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    try:
        if database.file is not None and not database.file.exists():
            yield f"{database.place} is not there: `steadygrid database migrate` makes it"
        else:
            yield from _of_tables(database)
    except (DatabaseUnavailableError, SchemaError) as error:
        yield f"{database.place} cannot be used: {error}"
    finally:
        database.close()
    if settings.redis_url is not None:
        try:
            Publisher(settings.redis_url).depths([solve_queue(0)])
        except Exception as error:  # noqa: BLE001 the client library has many
            reason = " ".join(str(error).split()) or type(error).__name__
            yield f"the broker that {PREFIX}REDIS_URL names does not answer ({reason})"
    try:
        try_solver(settings)
    except UnfitSolverError as error:
        yield str(error)


def _of_tables(database: Database) -> Iterator[str]:
    found = standing(database)
    if found in (Standing.MISSING, Standing.OLDER):
        what = "no tables" if found is Standing.MISSING else "tables of an older version"
        yield f"{database.place} has {what}: run `steadygrid database migrate`"
