"""What is cut in the middle is copied whole."""

import pytest

from tests.browser.visits import Visits, expect
from tests.pages.site import Site

pytestmark = pytest.mark.browser


def test_a_long_number_is_copied_whole(site_visits: Visits, site: Site) -> None:
    visit = site_visits(permissions=["clipboard-read"])
    path = f"/jobs/{site.jobs['long']}"
    visit.go(path)
    visit.page.get_by_role("button", name="Copy the whole number").click()
    expect(visit.page.locator("#said")).to_have_text("Copied.")
    result = visit.page.request.get(f"{visit.base}/v1{path}/result").json()
    copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert copied == result["objective"]["value"]
