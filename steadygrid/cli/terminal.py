"""The terminal and the files: what is read, what is written, and what can go wrong there."""

import io
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from rich.console import Console
from rich.text import Text

from steadygrid.documents import folded_json
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, Pointer, format_pointer
from steadygrid.domain.rational import decimal_text, parse_exact
from steadygrid.processes.lifeline import MemoryNotLimited
from steadygrid.report.glyphs import Glyphs, glyphs_for, printable

STANDARD_INPUT = "-"
_WIDEST = 160


class Refusal(Exception):
    """A command ends here; `lines` go to standard error, `exit_code` to the shell."""

    def __init__(self, lines: str | Sequence[str], exit_code: int = 2) -> None:
        self.lines = (lines,) if isinstance(lines, str) else tuple(lines)
        self.exit_code = exit_code
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


def read_input(name: str, most: int) -> bytes:
    """Read a file, or standard input for ``-``; at most `most` bytes.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    most
        Bytes that it may have.

    Raises
    ------
    Refusal
        The file is missing, unreadable, a directory or too long.
    """
    try:
        if name == STANDARD_INPUT:
            data = sys.stdin.buffer.read(most + 1) if sys.stdin is not None else b""
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise Refusal(f"{shown(name)}: {error.strerror or error}") from None
    except ValueError as error:
        raise Refusal(f"{shown(name)}: {error}") from None
    if len(data) > most:
        raise Refusal(f"{shown(name)}: longer than {most:,} bytes, the most that is read")
    return data


def read_json(name: str, most: int) -> Any:
    """Read one JSON document, strictly.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    most
        Bytes that it may have.

    Raises
    ------
    Refusal
        Also where the file is not JSON; the message gives line and column.
    """
    try:
        return parse_json(read_input(name, most))
    except MalformedJSONError as error:
        raise Refusal(f"{shown(name)}: not a JSON document: {error}") from None


def shown(name: str) -> str:
    """Name a file in a message."""
    return "standard input" if name == STANDARD_INPUT else printable(name)


def fault_lines(name: str, faults: Sequence[Fault]) -> list[str]:
    """List faults under the name of their file, each with its pointer.

    Parameters
    ----------
    name
        Of the file, or ``-`` for standard input.
    faults
        At least one.
    """
    if len(faults) == 1 and not faults[0].pointer:
        return [f"{shown(name)}: {printable(faults[0].detail)}"]
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return [
        f"{shown(name)}: {count}",
        *(f"  {_place(f.pointer)}{printable(f.detail)}" for f in faults),
    ]


def _place(pointer: Pointer) -> str:
    """Begin a line about a fault; what is about the whole file says itself where in it."""
    return f"{printable(format_pointer(pointer))}: " if pointer else ""


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
            raise Refusal(f"{name}: this is a directory; give the name of a file in it")
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
    """Write to standard output; a reader that has gone away is no fault.

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


def emit_json(document: Any) -> None:
    """Write a JSON document to standard output, in letters that it can show."""
    emit(folded_json(document, ascii_only=not speaks_unicode()) + "\n")


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


def emit_lines(draw: Callable[[int, Glyphs], list[Text]]) -> None:
    """Draw for the width, the alphabet and the colours of standard output, and write it.

    Parameters
    ----------
    draw
        Called with cells per line (80 unless it is a terminal) and the alphabet.
    """
    terminal = on_terminal()
    width = min(shutil.get_terminal_size().columns, _WIDEST) if terminal else 80
    lines = draw(width, glyphs_for(getattr(sys.stdout, "encoding", None)))
    page = io.StringIO()
    console = Console(
        file=page, width=width, force_terminal=terminal, highlight=False, markup=False, emoji=False
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    emit(page.getvalue())


@contextmanager
def progress() -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """Show what a solve does, if standard error is a terminal.

    Yields
    ------
    Callable or None
        Takes the progress objects of `steadygrid.engine.solving.control.Control`.
    """
    with telling("building") as tell:
        yield None if tell is None else lambda state: tell(progress_text(state))


@contextmanager
def telling(first: str) -> Iterator[Callable[[str], None] | None]:
    """Show one changing line, if standard error is a terminal.

    Yields
    ------
    Callable or None
        Takes what the line says from then on.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    console = Console(file=sys.stderr, highlight=False, markup=False, emoji=False)
    with console.status(Text(first)) as status:
        yield lambda text: status.update(Text(text))


def progress_text(state: dict[str, Any]) -> str:
    """Say in one line how far a solve is."""
    parts = [f"{state.get('phase', 'building')}, {state.get('elapsed', 0):.0f} s"]
    if state.get("iterations") is not None:
        parts.append(f"{state['iterations']:,} iterations")
    for name in ("value", "bound"):
        if state.get(name) is not None:
            text = str(state[name])
            if not state.get("exact", True):
                text = decimal_text(parse_exact(text))
            parts.append(f"{name} {text if len(text) <= 24 else text[:20] + '...'}")
    return ", ".join(parts)
