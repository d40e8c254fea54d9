"""The table of methods side by side, where an answer has one."""

from fractions import Fraction
from textwrap import wrap

from rich.text import Text

from steadygrid.report.glyphs import Glyphs
from steadygrid.report.layout import Cell, Column, table
from steadygrid.report.quantities import cell_text, decimal_text, percent
from steadygrid.report.report import Report


def comparison(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate the methods that were compared, the best first, and what they have to say."""
    listed = getattr(report.result, "comparison", None)
    if not listed:
        return []
    ranked = sorted(listed, key=lambda row: -(row.throughput or 0))
    rows: list[list[Cell]] = [
        [
            row.method,
            "" if row.throughput is None else cell_text(row.throughput),
            "" if row.ratio_to_bound is None else percent(row.ratio_to_bound),
            row.ratio_to_bound or Fraction(0),
            "" if row.latency is None else decimal_text(row.latency, 4),
            f"{row.seconds:.1f}",
        ]
        for row in ranked
    ]
    columns = [
        Column("method"),
        Column(report.per_time, right=True),
        Column("of the bound", right=True),
        Column("", style="green", bar=True),
        Column("latency", right=True, optional=True),
        Column("seconds", right=True, optional=True),
    ]
    notes = [
        Text(line, style="dim")
        for row in ranked
        if row.note is not None
        for line in wrap(
            f"{row.method}: {row.note}",
            width,
            initial_indent=" " * 2,
            subsequent_indent=" " * 4,
        )
    ]
    title = Text("All methods, the best first", style="bold")
    return [title, *table(columns, rows, width, glyphs), *notes]
