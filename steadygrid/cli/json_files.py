"""JSON documents of the command line: read from files or standard input, and written."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from steadygrid.cli.terminal import STANDARD_INPUT, Refusal, emit, shown, speaks_unicode
from steadygrid.documents import folded_json
from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.domain.errors import Fault, Pointer, format_pointer
from steadygrid.report.glyphs import printable


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
        Also where the file is not JSON. The message gives line and column.
    """
    try:
        return parse_json(read_input(name, most))
    except MalformedJSONError as error:
        raise Refusal(f"{shown(name)}: not a JSON document: {error}") from None


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
        return [f"{shown(name)}: {coded(faults[0])}"]
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    return [
        f"{shown(name)}: {count}",
        *(f"  {_place(f.pointer)}{coded(f)}" for f in faults),
    ]


def coded(fault: Fault) -> str:
    """Give the sentence of a fault, and its code in brackets.

    Parameters
    ----------
    fault
        With any letters in its sentence.
    """
    return f"{printable(fault.detail)} [{printable(fault.code)}]"


def _place(pointer: Pointer) -> str:
    """Begin a line about a fault. What is about the whole file says itself where in it."""
    return f"{printable(format_pointer(pointer))}: " if pointer else ""


def emit_json(document: Any) -> None:
    """Write a JSON document to standard output, in letters that it can show."""
    emit(folded_json(document, ascii_only=not speaks_unicode()) + "\n")
