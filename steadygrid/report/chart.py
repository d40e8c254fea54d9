"""Rows of blocks over a time axis, to scale."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.amounts import Amounts
from steadygrid.report.glyphs import Glyphs
from steadygrid.report.quantities import decimal_text, rounded_text

_TICK_SPACING = 10


class Block(NamedTuple):
    """A stretch of a row; `label` holds its texts, the longest first."""

    start: Fraction
    end: Fraction
    labels: tuple[str, ...]
    fill: str
    capped: bool
    colour: str


def short_signs(lines: Iterable[Text], glyphs: Glyphs) -> str:
    """Give the signs of what is too short to draw, where a picture has any of them; else nothing."""
    signs = (*glyphs.shades[:-1], glyphs.sliver)
    drawn = "".join(line.plain for line in lines)
    return " ".join(signs) if any(sign in drawn for sign in signs) else ""


def row(blocks: Sequence[Block], period: Fraction, width: int, glyphs: Glyphs) -> Text:
    """Draw the blocks of one row to scale.

    A block that is too short for a column of its own is not lost: such columns are shaded
    by the part of them that is busy.

    Parameters
    ----------
    blocks
        What is busy, in the unit of the period.
    period
        In time units. The end of the axis.
    width
        Cells that the period takes.
    glyphs
        Characters to draw with.
    """
    cells = [glyphs.idle] * width
    styles = ["dim"] * width
    crumbs: Amounts[int] = Amounts()
    for block in blocks:
        first, last = column(block.start, period, width), column(block.end, period, width)
        if first == last:
            place = min(_cell(block.start, period, width), width - 1)
            crumbs[place] += block.end - block.start
            styles[place] = block.colour
            continue
        for place, text in zip(
            range(first, last), _drawn(block, last - first, glyphs), strict=True
        ):
            cells[place] = text
            styles[place] = block.colour
    for place, time in crumbs.items():
        if cells[place] == glyphs.idle:
            level = int(time * width / period * len(glyphs.shades))
            cells[place] = glyphs.shades[min(level, len(glyphs.shades) - 1)]
    line = Text()
    for style, run in groupby(zip(styles, cells, strict=True), key=itemgetter(0)):
        line.append("".join(cell for _, cell in run), style=style)
    return line


def _drawn(block: Block, width: int, glyphs: Glyphs) -> Iterator[str]:
    """Give a block's cells.

    A wide character takes one cell and leaves the next one empty; one without a width, such as an
    accent, stands in the cell of the one before it.
    """
    left, right = glyphs.caps[0], glyphs.caps[1]
    if not block.capped:
        left = right = block.fill
    if width == 1:
        yield glyphs.sliver if block.capped else block.fill
        return
    room = width - 2
    label = next((text for text in block.labels if cell_len(text) <= room), "")
    cells = [left]
    for place, character in enumerate(label):
        wider = 1 + cell_len(label[: place + 1]) - len(cells)
        if wider:
            cells += [character, *[""] * (wider - 1)]
        else:
            cells[-1] += character
    yield from cells
    yield from block.fill * (room - cell_len(label))
    yield right


def _cell(time: Fraction, period: Fraction, width: int) -> int:
    """Give the cell in which a time lies, in integers only."""
    return (time.numerator * period.denominator * width) // (time.denominator * period.numerator)


def column(time: Fraction, period: Fraction, width: int) -> int:
    """Give the column boundary nearest to a time, in integers only.

    Parameters
    ----------
    time
        In the unit of the period.
    period
        In time units. The end of the axis.
    width
        Cells that the period takes.
    """
    above = time.numerator * period.denominator * width
    below = time.denominator * period.numerator
    return (2 * above + below) // (2 * below)


def axis(period: Fraction, width: int, unit: str | None, glyphs: Glyphs) -> list[str]:
    """Draw a time axis from 0 to the period, with round numbers at its ticks.

    Parameters
    ----------
    period
        In time units. The end of the axis.
    width
        Cells that the period takes.
    unit
        Label of the time unit, after the last number. None: no label.
    glyphs
        Characters to draw with.
    """
    left, right = glyphs.axis_ends[0], glyphs.axis_ends[1]
    ruler = [left, *glyphs.axis * (width - 2), right]
    labels = [" "] * width
    last = _tick_text(period) + (f" {unit}" if unit else "")
    _write(labels, last, width - cell_len(last))
    labels[0] = "0"
    step = _tick_step(period, max(width // _TICK_SPACING, 1))
    tick = step
    while tick < period:
        place = min(column(tick, period, width), width - 1)
        text = _tick_text(tick)
        begin = place - cell_len(text) // 2
        end = begin + cell_len(text)
        if end < width - cell_len(last) and begin > 1 and labels[begin - 1] == " ":
            ruler[place] = glyphs.tick
            _write(labels, text, begin)
        tick += step
    return ["".join(labels), "".join(ruler)]


def _write(cells: list[str], text: str, place: int) -> None:
    for i, character in enumerate(text[: len(cells)]):
        cells[max(place, 0) + i] = character


def _tick_text(time: Fraction) -> str:
    return decimal_text(time, 4) if time < 10**6 else rounded_text(time, 4)


def _tick_step(period: Fraction, most: int) -> Fraction:
    """Choose the smallest of 1, 2, 5 times a power of ten with at most `most` steps."""
    step = Fraction(10) ** (len(str(int(period / most))) if period >= most else 0)
    while step * most >= period:
        step /= 10
    for factor in (1, 2, 5, 10):
        if step * factor * most >= period:
            return step * factor
    return step * 10
