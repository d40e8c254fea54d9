"""Pages of text, and the line that shows progress."""

import io
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from steadygrid.cli.terminal import emit, on_terminal
from steadygrid.domain.rational import decimal_text, parse_exact
from steadygrid.report.glyphs import Glyphs, glyphs_for

_WIDEST = 160


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
    with status_line("building") as tell:
        yield None if tell is None else lambda state: tell(progress_text(state))


@contextmanager
def status_line(first: str) -> Iterator[Callable[[str], None] | None]:
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
