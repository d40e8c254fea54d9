"""The Gantt chart on a job's page is moved and read with buttons."""

import re
from collections.abc import Iterator
from fractions import Fraction
from urllib.parse import parse_qs, urlsplit

import pytest

from steadygrid.problems import PROBLEMS
from tests.browser.visits import Visit, expect

pytestmark = pytest.mark.browser


def windows(visit: Visit, *buttons: str) -> Iterator[list[Fraction] | None]:
    """Give the dates that each button asks for: from and to, or None for all."""
    gantt = visit.page.locator("#picture-gantt")
    for name in buttons:
        with visit.page.expect_response(re.compile(r"/pictures/gantt\.vega")) as awaited:
            gantt.get_by_role("button", name=name, exact=True).click()
        assert awaited.value.status == 200
        asked = parse_qs(urlsplit(awaited.value.url).query)
        dates = [Fraction(asked[name][0]) for name in ("from", "to") if name in asked]
        yield dates or None


def test_buttons_ask_for_exact_windows(visit: Visit) -> None:
    """Figure 3 repeats after 40 time units, which the chart shows from 0."""
    visit.go(visit.solved(PROBLEMS["master_worker"].example))
    gantt = visit.page.locator("#picture-gantt")
    gantt.scroll_into_view_if_needed()
    expect(gantt.get_by_role("button", name="Closer")).to_be_visible()
    asked = list(windows(visit, "Closer", "Later", "Closer", "Wider", "Earlier", "Whole"))
    assert asked == [[10, 30], [20, 40], [25, 35], [20, 40], [10, 30], None]
    gantt.get_by_role("button", name="Show as table").click()
    expect(gantt.locator("table")).to_be_visible()
    gantt.get_by_role("button", name="Hide the table").click()
    expect(gantt.locator("table")).to_have_count(0)
