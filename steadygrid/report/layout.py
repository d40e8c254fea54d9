"""Tables that fit: every column as wide as it needs, and bars in what is left."""

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from steadygrid.report.glyphs import Glyphs, bar, glyphs_for, pad

TOP = 10
"""Lines of a table. The rest is counted."""
NARROW = 60
"""Cells of a line below which only what matters most is shown."""
UNLIMITED = 10_000
"""Cells of a line where the medium folds lines by itself: no name is shortened."""
PLAIN_WIDTH = 80
"""Cells of a line where there is no terminal."""
_LONGEST_BAR = 30
_SHORTEST_BAR = 5
_BETWEEN = "  "

Cell = str | Fraction
"""A text, or a share to draw as a bar."""


class Column(NamedTuple):
    """A column's heading. Numbers stand on the right, bars take what is left of the line."""

    title: str
    right: bool = False
    style: str = ""
    bar: bool = False
    optional: bool = False
    """Left out where the line would be too long. The last one first."""


class Listing(NamedTuple):
    """A table before it is drawn, for every medium."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    """The first ones, the most important first."""
    count: int = 0  # type: ignore[assignment]  # the name hides a tuple method
    """How many rows there are in all; 0: those that are here."""
    noun: str = ""
    """What the rows are, in the plural."""
    common: tuple[str, str] = ("", "")
    """A label and a text: what holds for all rows."""


def drawn(listing: Listing, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a listing with its title, and below it how many rows it leaves out.

    Parameters
    ----------
    listing
        Columns and rows. It may be shorter than what it describes.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    lines = table(listing.columns, listing.rows, width, glyphs)
    return titled(
        listing.title, lines, listing.count, listing.noun, width, max(len(listing.rows), 1)
    )


def table(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    width: int,
    glyphs: Glyphs,
    *,
    headings: bool = True,
) -> list[Text]:
    """Lay out rows under their headings, in from the margin.

    Where there is too little room, headings are folded, then optional columns are left out, and
    the last column is cut, or the widest one of texts if the last has numbers. A column of bars takes what is left, if that is worth it.

    Parameters
    ----------
    columns
        Headings, and where the cells go.
    rows
        A cell for each column.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    headings
        Whether to write them.
    """
    shown = list(range(len(columns)))
    widths = [_width(columns[i], [cells[i] for cells in rows], headings) for i in shown]
    if _needed(widths, shown, columns) > width:
        widths = [
            max(
                _longest_word(columns[i]) * headings,
                _width(columns[i], [c[i] for c in rows], False),
            )
            for i in shown
        ]
    for i in reversed(range(len(columns))):
        if columns[i].optional and _needed(widths, shown, columns) > width:
            shown.remove(i)
    room = width - _needed(widths, shown, columns) - len(_BETWEEN)
    bars = min(room, _LONGEST_BAR) if room >= _SHORTEST_BAR else 0
    shown = [i for i in shown if bars or not columns[i].bar]
    if room + len(_BETWEEN) < 0:
        texts = [i for i in shown if not (columns[i].right or columns[i].bar)]
        cut = (
            max(texts, key=lambda i: widths[i]) if columns[shown[-1]].right and texts else shown[-1]
        )
        widths[cut] = max(widths[cut] + room + len(_BETWEEN), _longest_word(columns[cut]))
    lines = []
    if headings:
        folded = [wrap(columns[i].title, max(widths[i], 1)) or [""] for i in range(len(columns))]
        deep = max(len(folded[i]) for i in shown)
        for level in range(deep):
            # Short headings stand on the line next to the numbers.
            titles = [([""] * (deep - len(parts)) + parts)[level] for parts in folded]
            lines.append(_line(columns, titles, widths, bars, shown, glyphs))
            lines[-1].style = "dim"
    lines += [_line(columns, cells, widths, bars, shown, glyphs) for cells in rows]
    for line in lines:
        line.rstrip()
        line.truncate(width)
    return lines


def _width(column: Column, cells: Sequence[Cell], heading: bool) -> int:
    if column.bar:
        return 0
    return max([cell_len(column.title) * heading, *(cell_len(_text(cell)) for cell in cells)])


def _longest_word(column: Column) -> int:
    return 0 if column.bar else max(map(cell_len, column.title.split()), default=0)


def _needed(widths: Sequence[int], shown: Sequence[int], columns: Sequence[Column]) -> int:
    """Count the cells of a line without its bars."""
    return sum(len(_BETWEEN) + widths[i] for i in shown if not columns[i].bar)


def _line(
    columns: Sequence[Column],
    cells: Sequence[Cell],
    widths: Sequence[int],
    bars: int,
    shown: Sequence[int],
    glyphs: Glyphs,
) -> Text:
    line = Text()
    for i in shown:
        column, cell = columns[i], cells[i]
        if column.bar:
            drawn = bar(cell, bars, glyphs) if isinstance(cell, Fraction) else ""
            line.append(_BETWEEN).append(pad(drawn, bars), style=column.style)
        else:
            text = pad(_cut(_text(cell), widths[i], glyphs), widths[i], right=column.right)
            line.append(_BETWEEN).append(text, style=column.style)
    return line


def _cut(text: str, width: int, glyphs: Glyphs) -> str:
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - len(glyphs.ellipsis), 0)).rstrip() + glyphs.ellipsis


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ""


def titled(
    title: str, lines: list[Text], count: int, noun: str, width: int, top: int = TOP
) -> list[Text]:
    """Put a title above a table, and below it how many lines it leaves out.

    Parameters
    ----------
    noun
        In the plural.
    """
    if count > top:
        first, _, rest = noun.partition(" ")
        noun = f"{first.removesuffix('s')} {rest}".rstrip() if count == top + 1 else noun
        more = wrap(f"and {count - top:,} more {noun}", width - len(_BETWEEN))
        lines = [*lines, *(Text(_BETWEEN + line, style="dim") for line in more)]
    return [*(Text(line, style="bold") for line in wrap(title, width)), *lines]


def break_lines(text: str, width: int) -> list[str]:
    """Break a text into lines, but not between a number and its per cent sign.

    Parameters
    ----------
    text
        A sentence or more.
    width
        Cells per line.
    """
    if not text.isascii() and any(cell_len(one) > 1 for one in text):
        # A wide character is as long as it is wide; the last of a line may be cut in two.
        text = "".join(one + "\1" * (cell_len(one) - 1) for one in text)
        width -= 1
    lines = wrap(text.replace(" %", "\0%"), width, break_on_hyphens=False)
    return [line.replace("\0", " ").replace("\1", "") for line in lines]


def definition(label: str, text: str, width: int, indent: int, style: str) -> list[Text]:
    """Write a label and next to it a text, folded.

    Parameters
    ----------
    label
        Written before the first line only.
    text
        A sentence or more.
    width
        Cells per line.
    indent
        Cells that the label takes.
    style
        Of the label, for `rich`.
    """
    parts = break_lines(text, max(width - indent, 20)) or [""]
    return [
        Text(f"{'' if i else label:<{indent}}", style=style).append(part, style=f"not {style}")
        for i, part in enumerate(parts)
    ]


def printed(draw: Callable[[int, Glyphs], Sequence[Text]]) -> str:
    """Write what is drawn as plain text, in ASCII where the standard output takes no more.

    Parameters
    ----------
    draw
        Called with cells per line and the alphabet.
    """
    encoding = sys.stdout.encoding if sys.stdout is not None else None
    return "\n".join(line.plain.rstrip() for line in draw(PLAIN_WIDTH, glyphs_for(encoding)))
