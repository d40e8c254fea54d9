"""The first lines of an answer, as the library shows them."""

from dataclasses import replace

from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page, summary_text
from tests.report.answers import figure_3


def test_the_first_lines_are_those_of_the_page() -> None:
    report = figure_3()
    drawn = [line.plain for line in page(report, 80, UNICODE)]
    lines = summary_text(report.submission, report.result, report.schedule).splitlines()
    assert lines == drawn[: len(lines)]
    assert lines[-1].startswith("latency")


def test_notes_and_warnings_stand_below() -> None:
    report = replace(figure_3(), result=figure_3().result.model_copy(update={"notes": ["so."]}))
    lines = summary_text(report.submission, report.result, report.schedule).splitlines()
    *_, blank, head, last = lines
    assert (blank, last.split()) == ("", ["note", "so."])
    assert head == "Remarks of the solver, not judged by the referee:"


def test_no_line_is_longer_than_the_width() -> None:
    report = figure_3()
    lines = summary_text(report.submission, report.result, report.schedule, 50).splitlines()
    assert max(map(len, lines)) <= 50
    assert len(lines) > len(summary_text(report.submission, report.result, None, 50).splitlines())
