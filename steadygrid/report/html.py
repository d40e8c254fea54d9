"""The summary of an answer as a table of HTML, for notebooks."""

from html import escape

from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.report import Report
from steadygrid.report.sections import phrase
from steadygrid.report.summary import facts, subject, verdict

_WIDTH = 1_000
"""Cells per line: notebooks fold lines themselves."""
_NOT_JUDGED = "not judged by the referee"


def summary_html(report: Report) -> str:
    """Say what came out and what it means, as one element; ids and names are text in it."""
    name, before, extent = subject(report)
    asked = f"{report.result.kind} {before} {printable(name)}" if name else report.result.kind
    word, reasons = verdict(report)
    said = [
        f"{asked} ({extent})" if extent else asked,
        f"{word}: {reasons}" if reasons else word,
    ]
    if meaning := phrase(report.view.headline, report, UNICODE):
        said.append(meaning)
    rows = list(facts(report, _WIDTH, UNICODE))
    rows += [(f"{label} ({_NOT_JUDGED})", text) for label, text in report.remarks]
    head = "".join(f"<div>{escape(line)}</div>" for line in said)
    body = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(label)}</th>'
        f'<td style="text-align:left">{escape(text)}</td></tr>'
        for label, text in rows
    )
    return f"<div>{head}<table><tbody>{body}</tbody></table></div>"
