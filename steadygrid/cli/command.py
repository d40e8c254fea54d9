"""The ``steadygrid`` command: thin, everything it does is done elsewhere.

Exit codes: 0 done; 1 failed, or `check` found faults; 2 bad input or an unreadable file;
3 infeasible; 4 a limit left nothing but a bound; 130 interrupted.
"""

import json
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version as distribution_version
from typing import Annotated, NoReturn

import typer

from steadygrid.cli.commands import Commands
from steadygrid.cli.terminal import (
    Refusal,
    complain,
    emit,
    notes_of_the_system,
    prepare_streams,
    standard_output_refused,
)
from steadygrid.domain.errors import InternalError, failure_of
from steadygrid.processes.fork import allow_forks
from steadygrid.report.glyphs import printable

_EXPLAINED = "steadygrid explain CODE says more."
SERVICES = ("api", "sender", "serve", "worker")

app = typer.Typer(
    name="steadygrid",
    cls=Commands,
    help="Exact, verified steady-state schedules for heterogeneous platforms.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code. No input gives a traceback."""
    prepare_streams()
    allow_forks()
    try:
        with notes_of_the_system(), standard_output_refused():
            app(args=arguments, prog_name="steadygrid")
    except Refusal as refusal:
        first, *rest = refusal.lines
        more = [_EXPLAINED] if refusal.coded and not _asks_for_json(arguments) else []
        _report_end([f"steadygrid: {first}", *rest, *more], arguments)
        sys.exit(refusal.exit_code)
    except MemoryError as error:
        _report_end(["steadygrid: out of memory"], arguments)
        sys.exit(failure_of(error).exit_code)
    except Exception as error:  # noqa: BLE001 - the last resort, told in a sentence
        _report_end(_internal_error(error), arguments)
        sys.exit(failure_of(error).exit_code)
    raise AssertionError("typer always leaves")


def _asks_for_json(arguments: Sequence[str] | None) -> bool:
    return "--json" in (sys.argv[1:] if arguments is None else arguments)


def _report_end(lines: list[str], arguments: Sequence[str] | None) -> None:
    """Say why it ends. A service whose log is JSON says so in one line of it."""
    command = [*(sys.argv[1:] if arguments is None else arguments), ""][0]
    as_json = os.environ.get("STEADYGRID_LOG_JSON", "").lower() in ("1", "true", "yes", "on")
    if command in SERVICES and as_json:
        lines = [json.dumps({"event": "ended", "level": "error", "said": lines})]
    complain(lines)


def _internal_error(error: Exception) -> list[str]:
    if os.environ.get("STEADYGRID_LOG_LEVEL", "").upper() == "DEBUG":
        return "".join(traceback.format_exception(error)).splitlines()
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    hint = "a fault of steadygrid, not of the input; STEADYGRID_LOG_LEVEL=DEBUG shows where"
    return [f"steadygrid: internal error: {printable(what)}", f"  {hint}"]


def _print_version(wanted: bool) -> None:
    if wanted:
        emit(f"steadygrid {distribution_version('steadygrid')}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Exact, verified steady-state schedules for heterogeneous platforms."""


if __name__ == "__main__":
    main()
