"""The reference at /docs, in a browser that tells of everything amiss."""

import pytest

from tests.browser.visits import Visit, expect

pytestmark = pytest.mark.browser


def test_operations_can_be_read_and_tried(visit: Visit) -> None:
    visit.go("/")
    page = visit.page
    page.get_by_role("navigation").get_by_role("link", name="API").click()
    summary = page.locator("#operations-jobs-get_summary")
    summary.get_by_role("button").first.click()
    summary.get_by_role("button", name="Try it out").click()
    summary.get_by_role("button", name="Execute").click()
    expect(summary.locator(".live-responses-table")).to_contain_text('"oldest_waiting"')
