"""Writes `steadygrid/client/synchronous*.py`: ``python -m tests.client.sync_writer``."""

import re
import subprocess
import sys

from tests.tree import ROOT

FOLDER = ROOT / "steadygrid" / "client"
PAIRS = {
    "asynchronous_connection.py": "synchronous_connection.py",
    "asynchronous_grids.py": "synchronous_grids.py",
    "asynchronous_webhooks.py": "synchronous_webhooks.py",
    "asynchronous.py": "synchronous.py",
}
WORDS = (
    (
        r"The client that is awaited; .*\.",
        "The client that blocks; `tests.client.sync_writer` makes it.",
    ),
    (
        r"`tests.client.sync_writer` makes the one that blocks of it",
        "made by `tests.client.sync_writer`",
    ),
    (r"from asyncio import sleep", "from time import sleep"),
    (r"\basynchronous_(connection|grids|webhooks)\b", r"synchronous_\1"),
    (r"\b(async|await) ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\.a(close|read|iter_lines)\(", r".\1("),
)


def written(source: str, name: str) -> str:
    """Write a module of the one that is awaited.

    Parameters
    ----------
    source
        Its text.
    name
        Of the file that is written.
    """
    for pattern, word in WORDS:
        source = re.sub(pattern, word, source)
    for command in (("check", "--fix", "--quiet", "--select=I"), ("format",)):
        source = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", name, "-"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
    return source


if __name__ == "__main__":
    for old, new in PAIRS.items():
        text = (FOLDER / old).read_text(encoding="utf-8")
        (FOLDER / new).write_text(written(text, new), encoding="utf-8")
