"""The tables of an answer: who computes what, the busiest resources, the allocations."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from app.domain.schedule import Allocation, Transfer
from workers.console.glyphs import Glyphs, bar, pad, printable, shorten
from workers.console.quantities import decimal_text, is_short, percent, plural
from workers.console.report import Report

TOP = 10
"""Lines of a table; the rest is counted."""


class Column(NamedTuple):
    """A column's heading; numbers stand on the right."""

    title: str
    right: bool = False
    style: str = ""


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[Text]:
    """Lay out rows under their headings, two blanks apart and in from the margin.

    The last column takes what is left of `width`.
    """
    widths = [
        max([cell_len(column.title), *(cell_len(r[i]) for r in rows)])
        for i, column in enumerate(columns)
    ]
    lines = []
    for j, cells in enumerate([[c.title for c in columns], *rows]):
        line = Text(style="dim" if j == 0 else "")
        for i, (column, cell) in enumerate(zip(columns, cells, strict=True)):
            line.append("  ").append(
                pad(cell, widths[i], right=column.right), style=column.style if j else ""
            )
        line.rstrip()
        line.truncate(width)
        lines.append(line)
    return lines


def who_computes(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate what each processor computes in a period, the most first."""
    schedule = report.schedule
    if schedule is None or not schedule.computations:
        return []
    counts: dict[str, Fraction] = {}
    for computation in schedule.computations:
        counts[computation.processor] = (
            counts.get(computation.processor, Fraction(0)) + computation.count
        )
    total = sum(counts.values())
    ranked = sorted(counts, key=lambda p: -counts[p])
    bars = _bar_width(width)
    rows = [
        [
            shorten(processor, 24, glyphs),
            _cell(counts[processor]),
            f"{decimal_text(counts[processor] / schedule.period, 4)}",
            percent(counts[processor] / total),
            bar(counts[processor] / total, bars, glyphs),
        ]
        for processor in ranked[:TOP]
    ]
    columns = [
        Column("processor"),
        Column("per period", right=True),
        Column(report.per_time, right=True),
        Column("of all", right=True),
        Column("", style="green"),
    ]
    title = "Who computes how many " + ("tasks" if report.noun == "task" else "tasks of instances")
    return _titled(title, table(columns, rows, width), len(ranked), "processor")


def busiest(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate the busiest resources, with what one more unit of each would bring."""
    shares, prices = report.occupation, report.result.certificate.prices
    if not shares:
        return []
    ranked = sorted(shares, key=lambda r: (-shares[r], -prices.get(r, Fraction(0)), r))
    priced = bool(prices) and report.result.certificate.type == "lp_duality"
    rows = []
    for resource in ranked[:TOP]:
        share = shares[resource]
        cells = [
            shorten(resource, 34, glyphs),
            percent(share),
            pad(bar(share, _bar_width(width), glyphs), _bar_width(width)),
        ]
        if priced:
            price = prices.get(resource)
            cells.append("0" if price is None else _cell(price))
        rows.append(cells)
    columns = [
        Column("resource"),
        Column("in use", right=True),
        Column("", style="cyan"),
    ]
    if priced:
        columns.append(Column("price", right=True))
    lines = table(columns, rows, width)
    return _titled("Busiest resources", lines, len(ranked), "resource in use")


def allocations(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """List the allocations: how often each is used, where its tasks run, how its files go."""
    schedule = report.schedule
    if schedule is None or not schedule.allocations:
        return []
    ranked = sorted(schedule.allocations, key=lambda a: (-a.rate, a.index))
    rows = [
        [
            str(allocation.index),
            _cell(allocation.instances_per_period),
            _cell(allocation.rate),
            _ways(report, allocation, glyphs),
        ]
        for allocation in ranked[:TOP]
    ]
    columns = [
        Column("", right=True, style="dim"),
        Column("per period", right=True),
        Column(("optimum " if schedule.loss else "") + report.per_time, right=True),
        Column("way"),
    ]
    used = max(cell_len(str(line)) for line in table(columns[:3], [r[:3] for r in rows], width))
    for cells in rows:
        cells[3] = shorten(cells[3], max(width - used - 2, 20), glyphs)
    title = f"Allocations: the ways that {plural(report.noun)} take"
    return _titled(title, table(columns, rows, width), len(ranked), "allocation")


def _ways(report: Report, allocation: Allocation, glyphs: Glyphs) -> str:
    if len(allocation.tasks) == 1:
        moved = [t for t in allocation.transfers if len(t.path) > 1]
        if not moved:
            return f"{printable(*allocation.tasks.values())}, nothing is sent"
        several = len({t.file for t in moved}) > 1
        return "; ".join(
            (f"{report.files[t.file]} " if several else "") + _path(t, glyphs) for t in moved
        )
    return ", ".join(
        f"{printable(task)} on {printable(processor)}"
        for task, processor in allocation.tasks.items()
    )


def _path(transfer: Transfer, glyphs: Glyphs) -> str:
    path = f" {glyphs.to} ".join(map(printable, transfer.path))
    return path if transfer.share == 1 else f"{percent(transfer.share)} by {path}"


def _cell(value: Fraction) -> str:
    """Write a number in a column, without a mark where it is rounded."""
    return str(value) if is_short(value) and value.denominator > 1 else decimal_text(value)


def _bar_width(width: int) -> int:
    return max(min(40, width - 52), 8)


def _titled(title: str, lines: list[Text], count: int, noun: str) -> list[Text]:
    if count > TOP:
        noun = plural(noun) if " " not in noun else "resources in use"
        lines.append(Text(f"  and {count - TOP:,} more {noun}", style="dim"))
    return [Text(title, style="bold"), *lines]
