"""Tables that fit: every column as wide as it needs, and bars in what is left."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from workers.console.glyphs import Glyphs, bar, pad

TOP = 10
"""Lines of a table; the rest is counted."""
_LONGEST_BAR = 30
_SHORTEST_BAR = 5
_BETWEEN = "  "

Cell = str | Fraction
"""A text, or a share to draw as a bar."""


class Column(NamedTuple):
    """A column's heading; numbers stand on the right, bars take what is left of the line."""

    title: str
    right: bool = False
    style: str = ""
    bar: bool = False


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    width: int,
    glyphs: Glyphs,
    *,
    headings: bool = True,
) -> list[Text]:
    """Lay out rows under their headings, in from the margin.

    A column of bars is left out where there is no room for it; a line that is still too long
    is cut.
    """
    widths = [
        0
        if column.bar
        else max(
            [cell_len(column.title) * headings, *(cell_len(_text(cells[i])) for cells in rows)]
        )
        for i, column in enumerate(columns)
    ]
    room = width - sum(widths) - len(_BETWEEN) * len(columns)
    bars = min(room, _LONGEST_BAR) if room >= _SHORTEST_BAR else 0
    shown = [column for column in columns if bars or not column.bar]
    lines = []
    if headings:
        titles = [column.title for column in columns]
        lines.append(_line(columns, titles, widths, bars, shown, glyphs))
        lines[0].style = "dim"
    lines += [_line(columns, cells, widths, bars, shown, glyphs) for cells in rows]
    for line in lines:
        line.rstrip()
        line.truncate(width)
    return lines


def _line(
    columns: Sequence[Column],
    cells: Sequence[Cell],
    widths: Sequence[int],
    bars: int,
    shown: Sequence[Column],
    glyphs: Glyphs,
) -> Text:
    line = Text()
    for column, cell, width in zip(columns, cells, widths, strict=True):
        if column not in shown:
            continue
        if column.bar:
            drawn = bar(cell, bars, glyphs) if isinstance(cell, Fraction) else ""
            line.append(_BETWEEN).append(pad(drawn, bars), style=column.style)
        else:
            text = pad(_text(cell), width, right=column.right)
            line.append(_BETWEEN).append(text, style=column.style)
    return line


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ""


def titled(title: str, lines: list[Text], count: int, noun: str, top: int = TOP) -> list[Text]:
    """Put a title above a table, and below it how many lines it leaves out.

    Parameters
    ----------
    noun
        In the plural.
    """
    if count > top:
        lines = [*lines, Text(f"  and {count - top:,} more {noun}", style="dim")]
    return [Text(title, style="bold"), *lines]
