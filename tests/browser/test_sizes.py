"""Pages fit screens of three widths in both themes."""

from pathlib import Path

import pytest

from tests.browser.tour import THEMES, drawn, pages
from tests.browser.visits import Visit, Visits
from tests.pages.site import Site

pytestmark = pytest.mark.browser

WIDTHS = (360, 768, 1280)
HEIGHT = 740


def assert_fits(visit: Visit, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": HEIGHT})
    found = visit.page.locator("html").evaluate("page => page.scrollWidth")
    assert found <= width, (visit.page.url, width)


def test_no_page_scrolls_sideways(site_visits: Visits, site: Site) -> None:
    visit = site_visits()
    for path in pages(site):
        visit.go(path)
        for width in WIDTHS:
            assert_fits(visit, width)


@pytest.mark.long_browser
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_picture_makes_a_page_scroll_sideways(
    site_visits: Visits, site: Site, tmp_path: Path, width: int, theme: str
) -> None:
    """Screenshots are kept for people, and compared with nothing."""
    visit = site_visits(viewport={"width": width, "height": HEIGHT}, color_scheme=theme)
    kinds = [f"/jobs/{job}" for job in site.jobs.values()]
    for path in dict.fromkeys((*pages(site), *kinds)):
        visit.go(path)
        assert visit.page.locator("html").get_attribute("data-theme") == theme
        for figure in drawn(visit):
            assert figure.is_visible()
        name = path.replace("/", "-").partition("?")[0]
        visit.page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
        assert_fits(visit, width)
