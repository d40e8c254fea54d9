"""The commands as a page: ``python -m tests.command_table`` writes ``docs/command-line.md``."""

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from steadygrid.cli.command import app
from tests.tree import ROOT

DOCUMENT = ROOT / "docs" / "command-line.md"
HEAD = """# The command line

One name means one thing in every command. `FILE...` is one of these:

* a problem: the body of `POST /v1/jobs`
* a platform and an application, as JSON or in a foreign format
* a platform, and options that describe a bag of identical tasks.

`-` is standard input.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed, or faults were found |
| 2 | bad input |
| 3 | infeasible |
| 4 | a limit left no more than a bound |
| 130 | interrupted |

`steadygrid --install-completion` lets the shell complete commands and options. A script writes this page from the commands: `python -m tests.command_table`.
"""
OLD = """## Old names

This release still reads them, with a note on standard error.

| old | now |
|---|---|
| `solve --output SIZE` | `solve --return SIZE` |
| `assets --output DIR` | `assets --directory DIR` |
| result and schedule as second and third file of `check`, `what-if`, `replan`, `picture` | `--result FILE`, `--schedule-in FILE` |
"""


def commands() -> Iterator[tuple[str, Any]]:
    """Give all commands by their names, those within groups, too."""
    group: Any = get_command(app)
    for name in group.list_commands(None):
        found = group.get_command(None, name)
        within = getattr(found, "commands", None)
        if within is None:
            yield name, found
        else:
            yield from ((f"{name} {own}", command) for own, command in within.items())


def options(command: Any) -> list[Any]:
    """Give the options that help lists."""
    return [one for one in command.params if one.param_type_name == "option" and not one.hidden]


def page() -> str:
    """Write the page."""
    return "\n".join([HEAD, *(_section(name, command) for name, command in commands()), OLD])


def _section(name: str, command: Any) -> str:
    files = [one for one in command.params if one.param_type_name == "argument"]
    usage = " ".join(["steadygrid", name, *(_argument(one) for one in files)])
    lines = [f"## {name}", "", _sentence(command.help), "", f"    {usage}", ""]
    rows = [f"| {_names(one)} | {_cell(one.help)} |" for one in options(command)]
    if rows:
        lines += ["| option | |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def _argument(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _names(option: Any) -> str:
    value = "" if option.is_flag else f" {option.metavar or option.name.upper()}"
    return f"`{', '.join(sorted(option.opts, key=len))}{value}`".replace("|", "\\|")


def _sentence(text: str | None) -> str:
    return " ".join((text or "").split())


def _cell(text: str | None) -> str:
    return _sentence(text).replace("|", "\\|")


if __name__ == "__main__":
    DOCUMENT.write_text(page(), encoding="utf-8")
