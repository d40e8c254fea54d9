"""The whole readable answer."""

from rich.text import Text

from workers.console.certificate import certificate
from workers.console.comparison import comparison
from workers.console.details import details
from workers.console.gantt import gantt
from workers.console.glyphs import Glyphs
from workers.console.layout import folded
from workers.console.picture import picture
from workers.console.report import Report
from workers.console.summary import remarks, summary
from workers.console.tables import allocations, busiest, who_computes

NARROWEST = 40
"""Cells of a line that everything fits into."""


def page(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Lay out an answer: summary, picture, tables, certificate, notes and warnings.

    Parameters
    ----------
    width
        Cells per line.
    """
    width = max(width, NARROWEST)
    sections = [
        summary(report, width, glyphs),
        comparison(report, width, glyphs),
        picture(report, width, glyphs),
        gantt(report, width, glyphs),
        who_computes(report, width, glyphs),
        allocations(report, width, glyphs),
        *details(report, width, glyphs),
        busiest(report, width, glyphs),
        certificate(report, width, glyphs),
        remarks(report, width),
    ]
    lines: list[Text] = []
    for section in sections:
        if section:
            lines += [*section, Text()]
    numbered = f"{glyphs.ellipsis}#"
    if any(numbered in line.plain for line in lines):
        meaning = "#5: the fifth of its sort in the order given; its name is too long to stand here"
        lines += [*(Text(line, style="dim") for line in folded(meaning, width)), Text()]
    return lines[:-1]
