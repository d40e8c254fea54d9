"""Ids with a meaning in HTML and other formats are text on every page, and run nothing."""

from typing import Any

import pytest

from tests.browser.visits import Visit, expect
from tests.pages.site import star
from tests.pictures.hostile import HOSTILE

pytestmark = pytest.mark.browser


def hostile() -> dict[str, Any]:
    """Give a star whose workers have hostile ids, and so has the platform."""
    body = star(HOSTILE, name=HOSTILE[0])
    body["labels"] = {"about": "<img src=x onerror=alert(1)>"}
    return body


def test_they_are_text_on_the_page_of_a_job_and_in_its_pictures(visit: Visit) -> None:
    page = visit.page
    path = visit.solved(hostile())
    visit.go(path)
    told = page.locator("main").inner_text()
    visit.go(path + "/schedule")
    expect(page.locator("h1")).to_contain_text("<script>")
    for figure in page.locator("figure[data-picture]").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".drawing :is(svg, canvas)").first).to_be_visible()
        figure.get_by_role("button", name="Show as table").click()
        expect(figure.locator("table")).to_be_visible()
    assert "<img src=x onerror=alert(1)>" in told
    assert page.locator("main script").count() == 0
    assert page.locator("[onerror], [onload], iframe, object").count() == 0
    assert page.locator("img[src=x]").count() == 0


def test_they_are_text_in_lists_and_on_the_page_of_a_platform(visit: Visit) -> None:
    page = visit.page
    body = hostile()
    visit.post("/v1/jobs?wait=30", body)
    stored = visit.post("/v1/platforms", body["problem"]["platform"])["id"]
    for path in ("/", "/jobs", "/platforms", f"/platforms/{stored}"):
        visit.go(path)
        expect(page.locator("main")).to_contain_text("</script><script>alert(1)</script>")
        for figure in page.locator("figure[data-picture]").all():
            figure.scroll_into_view_if_needed()
            expect(figure.locator(".drawing :is(svg, canvas)").first).to_be_visible()
        assert page.locator("main script, [onerror], [onload], img[src=x]").count() == 0
