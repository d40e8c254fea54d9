"""The terminal: what is written there and to files, and what can go wrong."""

import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from steadygrid.processes.lifeline import MemoryNotLimited
from steadygrid.report.glyphs import printable

STANDARD_INPUT = "-"
INTERRUPTED = 130
"""Exit code after Ctrl-C."""


class Refusal(Exception):
    """A command ends here; `lines` go to standard error, `exit_code` to the shell.

    `coded` tells that the lines name codes, which ``steadygrid explain`` knows.
    """

    def __init__(
        self, lines: str | Sequence[str], exit_code: int = 2, *, coded: bool = False
    ) -> None:
        self.lines = (lines,) if isinstance(lines, str) else tuple(lines)
        self.exit_code = exit_code
        self.coded = coded
        super().__init__("\n".join(self.lines))


def prepare_streams() -> None:
    """Let no name of a processor fail on a terminal that lacks its letters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def notes_of_the_system() -> Iterator[None]:
    """Say in a line what this system lacks, and go on."""
    with warnings.catch_warnings():
        other = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *more: Any, **named: Any) -> None:
            if issubclass(category, MemoryNotLimited):
                complain([f"note: {message}"])
            else:
                other(message, category, *more, **named)

        warnings.simplefilter("default", MemoryNotLimited)
        warnings.showwarning = show
        yield


def shown(name: str) -> str:
    """Name a file in a message."""
    return "standard input" if name == STANDARD_INPUT else printable(name)


def check_target(path: Path) -> None:
    """Make sure, before any work is done, that a file can be written.

    Raises
    ------
    Refusal
        Its directory does not exist or is not writable, it is a directory itself, or no file can
        have this name.
    """
    name = shown(str(path))
    try:
        if path.is_dir():
            raise Refusal(f"{name}: this is a directory: give the name of a file in it")
        if not path.parent.is_dir():
            raise Refusal(f"{name}: there is no directory {shown(str(path.parent))}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise Refusal(f"{name}: no permission to write here")
    except OSError as error:
        raise Refusal(f"{name}: {error.strerror or error}") from None


def write_file(path: Path, chunks: Iterator[str], *, by_line: bool = False) -> None:
    """Write a text file.

    Parameters
    ----------
    by_line
        Whether each line is there for others as soon as it is written.

    Raises
    ------
    Refusal
        The disk is full, or something else went wrong since `check_target`.
    """
    try:
        with path.open("w", encoding="utf-8", buffering=1 if by_line else -1) as file:
            file.writelines(chunks)
    except OSError as error:
        raise Refusal(f"{shown(str(path))}: {error.strerror or error}", 1) from None


def emit(text: str) -> None:
    """Write to standard output. A reader that has gone away is no fault.

    Raises
    ------
    Refusal
        Standard output cannot be written, for instance because the disk is full.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
    except OSError as error:
        _silence(sys.stdout)
        raise Refusal(f"standard output: {error.strerror or error}", 1) from None


@contextmanager
def standard_output_refused() -> Iterator[None]:
    """Raise the `Refusal` of `emit` also where others write, such as the parser that prints help."""
    try:
        yield
    except OSError:
        emit("")  # what was not written is still there
        raise


def speaks_unicode() -> bool:
    """Whether standard output takes every letter."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "") == "utf8"


def complain(lines: Sequence[str]) -> None:
    """Write to standard error."""
    if sys.stderr is None:
        return
    with suppress(OSError):
        for line in lines:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def on_terminal() -> bool:
    """Tell whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def _silence(stream: IO[str]) -> None:
    # The interpreter flushes once more at its end, and would complain once more.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
