"""The whole readable answer."""

from rich.text import Text

from workers.console.certificate import certificate
from workers.console.comparison import comparison
from workers.console.gantt import gantt
from workers.console.glyphs import Glyphs
from workers.console.picture import picture
from workers.console.report import Report
from workers.console.summary import remarks, summary
from workers.console.tables import allocations, busiest, who_computes


def page(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Lay out an answer: summary, picture, tables, certificate, notes and warnings.

    Parameters
    ----------
    width
        Cells per line.
    """
    width = max(width, 60)
    sections = [
        summary(report, width, glyphs),
        comparison(report, width, glyphs),
        picture(report, width, glyphs),
        gantt(report, width, glyphs),
        who_computes(report, width, glyphs),
        allocations(report, width, glyphs),
        busiest(report, width, glyphs),
        certificate(report, width, glyphs),
        remarks(report, width),
    ]
    lines: list[Text] = []
    for section in sections:
        if section:
            lines += [*section, Text()]
    return lines[:-1]
