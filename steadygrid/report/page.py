"""The whole readable answer, and its first lines alone."""

from rich.text import Text

from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result
from steadygrid.report.certificate import certificate
from steadygrid.report.gantt import gantt
from steadygrid.report.glyphs import Glyphs, glyphs_for
from steadygrid.report.layout import break_lines
from steadygrid.report.pools import PooledReport
from steadygrid.report.report import Report
from steadygrid.report.sections import section
from steadygrid.report.summary import remarks, summary
from steadygrid.report.tables import allocations, busiest, who_computes
from steadygrid.submissions.submission import Submission

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
    pooled = report
    if report.view.classes:
        pooled = PooledReport(report.submission, report.result, report.found)
    parts = [
        summary(report, width, glyphs),
        section(report.view.comparison, report, width, glyphs),
        gantt(report, width, glyphs),
        who_computes(pooled, width, glyphs),
        allocations(pooled, width, glyphs),
        *(section(told, report, width, glyphs) for told in report.view.sections),
        busiest(pooled, width, glyphs),
        certificate(pooled, width, glyphs),
        remarks(report, width),
    ]
    lines: list[Text] = []
    for part in parts:
        if part:
            lines += [*part, Text()]
    numbered = f"{glyphs.ellipsis}#"
    if any(numbered in line.plain for line in lines):
        meaning = "#5: the fifth of its sort in the order given. Its name is too long to stand here"
        lines += [*(Text(line, style="dim") for line in break_lines(meaning, width)), Text()]
    return lines[:-1]


def summary_text(
    submission: Submission,
    result: Result,
    schedule: AnySchedule | None,
    width: int = 80,
    encoding: str | None = "utf-8",
) -> str:
    """Say what came out and what it means, with notes and warnings, as plain text.

    Parameters
    ----------
    width
        Cells per line.
    encoding
        What the text has to go through: without the signs of Unicode it is written in ASCII, but
        for names.
    """
    report = Report(submission, result, schedule)
    width = max(width, NARROWEST)
    lines = summary(report, width, glyphs_for(encoding))
    said = remarks(report, width)
    return "\n".join(line.plain for line in [*lines, *([Text()] if said else []), *said])
