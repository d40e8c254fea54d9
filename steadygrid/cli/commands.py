"""The commands by name: each is loaded when it is asked for, those of other distributions too."""

from collections.abc import Mapping
from functools import cached_property, partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from steadygrid.cli.origins import check_origin
from steadygrid.cli.terminal import INTERRUPTED, Refusal, complain

GROUP = "steadygrid.commands"
"""Entry points of what other distributions add: each a mapping of names to `Entry`."""
OF_THE_SERVICE = (
    "serve",
    "api",
    "worker",
    "sender",
    "keys",
    "tenants",
    "database",
    "audit",
    "assets",
    "admin",
)
"""What the service adds: where it is not installed, these commands say how to get it."""


class Entry(NamedTuple):
    """A command before it is loaded."""

    place: str
    """``module:name`` of a function, or of a `typer.Typer` that has commands of its own."""
    help: str
    """What the list of commands says of it: the first sentence of its own help."""


OWN: Mapping[str, Entry] = {
    "solve": Entry("steadygrid.cli.solving:solve", "Solve a problem and explain the answer."),
    "check": Entry(
        "steadygrid.cli.checking:check",
        "Let the referee alone judge an answer, in exact arithmetic.",
    ),
    "sweep": Entry(
        "steadygrid.cli.sweeping:sweep_command",
        "Solve a problem for all combinations of some values in it, and list what came of each.",
    ),
    "picture": Entry(
        "steadygrid.cli.picturing:picture",
        "Draw an answer, or a platform alone, as SVG, PNG, PDF, HTML, CSV or Vega-Lite.",
    ),
    "problems": Entry(
        "steadygrid.cli.catalogue:problems",
        "List the kinds of problem, or say what one of them asks for.",
    ),
    "explain": Entry(
        "steadygrid.cli.explaining:explain",
        "Explain the code of an error: what it means, its cause, and what to do.",
    ),
    "hosts": Entry(
        "steadygrid.cli.host_list:hosts",
        "List the processors of a platform: the names that --master takes, speeds, links.",
    ),
    "convert": Entry(
        "steadygrid.cli.converting:convert",
        "Turn a foreign format into a platform, an application or a body, or a result into a foreign"
        " format.",
    ),
    "export": Entry(
        "steadygrid.cli.exporting:export",
        "Write a platform, or the linear program of a problem, in a foreign format.",
    ),
    "formats": Entry(
        "steadygrid.cli.format_list:formats",
        "List the foreign formats that are read and written, with their parameters.",
    ),
    "what-if": Entry(
        "steadygrid.cli.what_if:what_if_command",
        "Say what would help most: one resource after the other faster.",
    ),
    "replan": Entry(
        "steadygrid.cli.replanning:replan_command",
        "Say what a schedule still does on the platform as it was measured, and whether to change it.",
    ),
    "simulate": Entry(
        "steadygrid.cli.simulating:simulate_command",
        "Say what is left of a schedule when times are not exact, and how to carry it out.",
    ),
    "forecast": Entry(
        "steadygrid.cli.replanning:forecast_command",
        "Forecast speeds from past ones, and write them as what was measured, for replan.",
    ),
}


class Commands(TyperGroup):
    """The commands of the library, and those of other distributions.

    The tables of the latter are read when one of them is asked for, or when all are listed.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - as Typer calls it
        """Load a command by its name.

        Parameters
        ----------
        ctx
            Of Typer.
        cmd_name
            As it was typed.

        Raises
        ------
        Refusal
            What it needs is not installed.
        """
        entry = OWN.get(cmd_name) or self._added.get(cmd_name)
        if entry is not None:
            return _load(cmd_name, entry)
        return _absent(cmd_name, self._broken) if cmd_name in OF_THE_SERVICE else None

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Ctrl-C is reported in a line, also while it is loaded.

        Parameters
        ----------
        ctx
            Of Typer.

        Raises
        ------
        Refusal
            It was interrupted.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Refusal("interrupted", INTERRUPTED) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is asked for. If there is none, the error names those like it.

        Parameters
        ----------
        ctx
            Of Typer.
        args
            The name as it was typed, and what stands behind it.
        """
        if args and args[0] not in OWN and args[0] not in self._added:
            # Typer looks here, and only here, for names like it.
            names = (*self.list_commands(ctx), *OF_THE_SERVICE)
            self.commands = dict.fromkeys(names)  # type: ignore[assignment]
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - as Typer calls it
        """List all commands that there are."""
        return [*OWN, *self._added]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as Typer calls it
        """Write the list of commands, none of which is loaded.

        Parameters
        ----------
        ctx
            Of Typer.
        formatter
            Of Typer; takes the lines.
        """
        complain([f"note: {line}" for line in self._broken])
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self._entries.items()])

    @property
    def _entries(self) -> Mapping[str, Entry]:
        return {**OWN, **self._added}

    @cached_property
    def _added(self) -> Mapping[str, Entry]:
        """What others add. A name that the library has stays the library's."""
        return {
            name: entry
            for table, _ in self._tables
            for name, entry in table.items()
            if name not in OWN
        }

    @property
    def _broken(self) -> list[str]:
        return [line for _, line in self._tables if line]

    @cached_property
    def _tables(self) -> list[tuple[Mapping[str, Entry], str]]:
        """The tables of other distributions, each with why it cannot be read, if it cannot."""
        found: list[tuple[Mapping[str, Entry], str]] = []
        for point in entry_points(group=GROUP):
            check_origin(point)
            try:
                found.append((dict(point.load()), ""))
            except Exception as error:  # noqa: BLE001 - steadygrid's commands still work
                found.append(({}, _unloadable(point.value, error)))
        return found


def _load(name: str, entry: Entry) -> Any:
    module, _, attribute = entry.place.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except ImportError as error:
        raise Refusal(_unloadable(entry.place, error)) from None
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
        found.command(name)(function)
    command = get_command(found)
    command.name = name
    return command


def _unloadable(place: str, error: Exception) -> str:
    return f"the commands of {place} cannot be loaded: {error}"


def _absent(name: str, broken: list[str]) -> TyperCommand:
    """Make a command that says why it is not there. It takes any arguments."""
    lines = broken or [
        f"`steadygrid {name}` belongs to the service, which is not installed:"
        " pip install 'steadygrid[service]'"
    ]
    free = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return TyperCommand(name, callback=partial(_refuse, lines), context_settings=free)


def _refuse(lines: list[str]) -> NoReturn:
    raise Refusal(lines)
