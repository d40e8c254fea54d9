"""What a kind tells in its view, as lines: sentences with their numbers, tables, remarks."""

from fractions import Fraction
from textwrap import wrap

from rich.text import Text

from steadygrid.domain.view import Amount, Measure, Phrase, Section, Table, plural
from steadygrid.domain.view import Cell as Value
from steadygrid.domain.view import Column as Declared
from steadygrid.report import layout
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.quantities import (
    amount,
    cell_text,
    column_text,
    counted,
    decimal_text,
    elapsed_text,
    exact_text,
    percent,
)
from steadygrid.report.report import Report

_BARS = {Measure.BEST: "green", Measure.FILL: "cyan"}
_WORDS = (Measure.TEXT, Measure.TASK)
_LONGEST_TASK = 24
_BESIDE_TASK = 28
"""Cells that the other columns need at least."""


def section(drawn: Section | None, report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a section of a view. Nothing if there is none.

    Parameters
    ----------
    drawn
        Of the kind's view. None if there is none.
    report
        The answer, and what was asked.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    if drawn is None:
        return []
    lines = [Text(line, style="bold") for line in wrap(drawn.title, width)]
    if drawn.text:
        lines += map(Text, layout.break_lines(phrase(drawn.text, report, glyphs), width))
    if drawn.table is not None:
        longest = min(_LONGEST_TASK, width - _BESIDE_TASK)
        body = table(drawn.table, longest, report, width, glyphs)
        count = len(drawn.table.rows) if drawn.table.noun else 0
        body = [*lines, *body]
        lines = layout.titled("", body, count, drawn.table.noun, width)
    for about, note in drawn.notes:
        told = wrap(
            printable(f"{about}: {note}"), width, initial_indent="  ", subsequent_indent="    "
        )
        lines += [Text(line, style="dim") for line in told]
    return lines


def table(drawn: Table, longest: int, report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a table; of one that may be cut, its first rows.

    Parameters
    ----------
    longest
        Cells that the name of a task may take.
    """
    listed = listing(drawn, longest, report, width, glyphs)
    return layout.table(listed.columns, listed.rows, width, glyphs)


def listing(
    told: Table,
    longest: int,
    report: Report,
    width: int,
    glyphs: Glyphs,
    top: int = layout.TOP,
) -> layout.Listing:
    """Write the cells of a table; of one that may be cut, its first rows.

    Parameters
    ----------
    longest
        Cells that the name of a task may take.
    top
        Rows of a table that may be cut.
    """
    rows = told.rows[:top] if told.noun else told.rows
    cells = [
        [
            _cell(value, column.measure, longest, report, width, glyphs)
            for value, column in zip(row, told.columns, strict=True)
        ]
        for row in rows
    ]
    columns = [_column(column, report) for column in told.columns]
    return layout.Listing("", columns, cells, len(told.rows), told.noun)


def _column(column: Declared, report: Report) -> layout.Column:
    measure = column.measure
    title = report.per_time if measure is Measure.RATE and not column.title else column.title
    return layout.Column(
        title,
        right=measure not in (*_WORDS, *_BARS, Measure.PRICE),
        style=_BARS.get(measure, ""),
        bar=measure in _BARS,
        optional=column.optional,
    )


def _cell(
    value: Value, measure: Measure, longest: int, report: Report, width: int, glyphs: Glyphs
) -> layout.Cell:
    if value is None:
        return ""
    if isinstance(value, str):
        return (
            report.task_names.short_name(value, longest, glyphs)
            if measure is Measure.TASK
            else value
        )
    match measure:
        case Measure.BEST | Measure.FILL:
            return value
        case Measure.PRICE:
            return price_text(value, width, glyphs)
        case Measure.RATE:
            return cell_text(value)
        case _:
            return _number(value, measure, report, glyphs)


def price_text(value: Fraction, width: int, glyphs: Glyphs) -> str:
    """Write a price in a table: in both forms, where there is room.

    Parameters
    ----------
    value
        Any number.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    return cell_text(value) if width < layout.NARROW else column_text(value, glyphs)


def phrase(parts: Phrase, report: Report, glyphs: Glyphs) -> str:
    """Write a sentence with its numbers.

    Parameters
    ----------
    parts
        Texts, and numbers with what they measure.
    report
        The answer, and what was asked.
    glyphs
        Characters to draw with.
    """
    return "".join(
        _number(part.value, part.measure, report, glyphs)
        if isinstance(part, Amount)
        else printable(part)
        for part in parts
    )


def _number(value: Fraction, measure: Measure, report: Report, glyphs: Glyphs) -> str:
    """Write a number by itself, as a part of a sentence or in a column."""
    match measure:
        case Measure.COUNT:
            return str(value)
        case Measure.COARSE:
            return decimal_text(value, 4)
        case Measure.FACTOR:
            return f"{decimal_text(value, 4)} {glyphs.times}"
        case Measure.SHARE:
            return percent(value)
        case Measure.TIME:
            return elapsed_text(value, glyphs)
        case Measure.SECONDS:
            return f"{float(value):.1f}"
        case Measure.DURATION:
            return report.duration(value, glyphs)
        case Measure.INTERVAL:
            return report.duration(value, glyphs).removeprefix("1 ")
        case Measure.RATE:
            return f"{exact_text(value, glyphs)} {counted(report.noun, value)} {report.per_time}"
        case Measure.ROUNDED_RATE:
            return f"{decimal_text(value)} {plural(report.noun)} {report.per_time}"
        case Measure.WORTH:
            return f"{exact_text(value, glyphs)} {report.per_time}"
        case Measure.INSTANCES:
            return amount(value, report.noun, glyphs)
        case _:
            return decimal_text(value)
