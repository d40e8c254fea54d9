"""The summary as HTML."""

from html.parser import HTMLParser

from steadygrid.report.html import summary_html
from steadygrid.report.page import summary_text
from tests.pictures.reports import example, reported, star


class _Texts(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_it_says_what_the_summary_in_text_says() -> None:
    report = example("rr4870-figure-3")
    told = summary_text(report.submission, report.result, report.found, width=1_000)
    page = _Texts(summary_html(report))
    assert " ".join(page.texts).split() == told.split()
    assert set(page.tags) == {"div", "table", "tbody", "tr", "th", "td"}


def test_names_are_text() -> None:
    name = "<img src=x onerror=alert(1)>&"
    body = star([("P", 2, 1)])
    body["platform"]["name"] = name
    page = _Texts(summary_html(reported(body)))
    assert "img" not in page.tags
    assert any(name in text for text in page.texts)
