"""Pages fit screens of two widths in both themes."""

from pathlib import Path

import pytest

from steadygrid.problems import PROBLEMS
from tests.browser.visits import Visits

pytestmark = pytest.mark.browser

KIND = "master_worker"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 900)])
def test_no_page_scrolls_sideways(
    visits: Visits, tmp_path: Path, size: tuple[int, int], theme: str
) -> None:
    """Screenshots are kept for people, and compared with nothing."""
    width, height = size
    visit = visits(viewport={"width": width, "height": height}, color_scheme=theme)
    page = visit.page
    job = visit.solved(PROBLEMS[KIND].example)
    for path in ("/", "/jobs", job, "/platforms", "/problems", f"/problems/{KIND}", "/new"):
        visit.go(path)
        assert page.locator("html").get_attribute("data-theme") == theme
        page.screenshot(path=tmp_path / f"{path.replace('/', '-')}.png", full_page=True)
        found = page.locator("html").evaluate("page => page.scrollWidth")
        assert found <= width, path
