"""What documents show of the command: the commands, and the lines below them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

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


def run(one: Shown, folder: Path) -> None:
    """Run a command in a folder with the examples: it prints these lines, in this order."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", one.command],
        cwd=folder,
        env=os.environ | {"PATH": path, "COLUMNS": "80", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{one.command}\n{ran.stderr}"
    printed = [SECONDS.sub("", line) for line in (ran.stderr + ran.stdout).splitlines()]
    position = 0
    for line in one.lines:
        assert line in printed[position:], f"{one.command}\n{line}\n" + "\n".join(printed)
        position = printed.index(line, position) + 1


def folder_with_examples(folder: Path) -> Path:
    """Link the examples into a folder, in which commands may leave files."""
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder
