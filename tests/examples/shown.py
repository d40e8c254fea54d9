"""What documents show of the command: the commands, and the lines below them."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from tests.cli.commands import Command
from tests.tree import ROOT

COMMAND = re.compile(
    r"(?:\$ )?(?:\.venv/bin/)?(steadygrid (?:solve|check|convert|picture|problems|hosts|formats"
    r"|sweep|what-if|replan|simulate|forecast)\b.*)"
)
PLACEHOLDER = re.compile(r"(?<![\w.'\"])[A-Z][A-Z_]+\b(?!=)")
"""A file or a name that the reader has to put in: such a command is not run."""
FILE = re.compile(r"[\w./-]+\.(?:json|xml|csv|dax|dot|tgff|pnml|yaml)\b")
SECONDS = re.compile(r" +\d+\.\d+$")
"""At the end of a line: they differ from run to run."""


WRITTEN = re.compile(r"(?:>|--schedule|-o|--output) +([\w./-]+)")


class Shown(NamedTuple):
    """A command, and the lines below it that it prints."""

    command: str
    lines: list[str]


def blocks(text: str) -> list[list[str]]:
    """Give the indented blocks, without their indentation."""
    found = re.findall(r"(?:^(?:    .*)?\n)+", text, re.MULTILINE)
    return [[line[4:] for line in block.splitlines()] for block in found]


def shown(text: str) -> list[Shown]:
    """Give the commands that can be run: all their files are there, or written by earlier ones."""
    found: list[Shown] = []
    written: set[str] = set()
    for block in blocks(text):
        runs = False
        for line in block:
            if asked := COMMAND.fullmatch(line):
                here = WRITTEN.sub("", asked[1])
                missing = {name for name in FILE.findall(here) if not (ROOT / name).is_file()}
                runs = not PLACEHOLDER.search(asked[1]) and missing <= written
                if runs:
                    written |= set(WRITTEN.findall(asked[1]))
                    found.append(Shown(asked[1], []))
            elif runs and line.strip() not in {"", "..."}:
                found[-1].lines.append(SECONDS.sub("", line))
    return found


def run(one: Shown, command: Command) -> None:
    """Run a command in the current folder: it prints these lines, in this order."""
    words = shlex.split(one.command)
    file = None
    if ">" in words:
        at = words.index(">")
        (file,) = words[at + 1 :]
        words = words[:at]
    ran = command(*words[1:])
    assert ran.code == 0, f"{one.command}\n{ran.err}"
    if file is not None:
        Path(file).write_text(ran.out, encoding="utf-8")
    shows = ran.err if file is not None else ran.err + ran.out
    printed = [SECONDS.sub("", line) for line in shows.splitlines()]
    position = 0
    for line in one.lines:
        assert line in printed[position:], f"{one.command}\n{line}\n" + "\n".join(printed)
        position = printed.index(line, position) + 1


def folder_with_examples(folder: Path) -> Path:
    """Link the examples into a folder, in which commands may leave files."""
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder
