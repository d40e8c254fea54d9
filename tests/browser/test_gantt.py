"""The period on a job's page is moved by links, with a script and without, and marks its resources."""

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, Visits, expect

pytestmark = pytest.mark.browser


def ticks(visit: Visit) -> list[str]:
    found: list[str] = visit.page.locator("#picture-gantt .keep text").all_text_contents()
    return found


@pytest.mark.parametrize("scripted", [True, False])
def test_links_show_exact_windows(visits: Visits, scripted: bool) -> None:
    visit = visits(viewport={"width": 1280, "height": 900}, java_script_enabled=scripted)
    visit.go(visit.solved(PROBLEMS["master_worker"].example))
    gantt = visit.page.locator("#picture-gantt")
    assert (ticks(visit)[0], ticks(visit)[-1]) == ("0", "40")
    shown: list[tuple[str, str]] = []
    for name in ("Closer", "Later", "Closer", "Wider", "Earlier", "Whole"):
        gantt.get_by_role("link", name=name, exact=True).click()
        visit.page.wait_for_load_state()
        shown.append((ticks(visit)[0], ticks(visit)[-1]))
    assert shown == [
        ("10", "30"), ("20", "40"), ("25", "35"), ("20", "40"), ("10", "30"), ("0", "40"),
    ]  # fmt: skip


def test_a_click_on_a_lane_marks_its_box_and_its_row(visits: Visits) -> None:
    visit = visits(viewport={"width": 1280, "height": 900})
    path = visit.solved(PROBLEMS["master_worker"].example)
    visit.go(path)
    page = visit.page
    name = page.locator(".name", has_text="P3")
    page.locator("#picture-gantt .lane", has=name).locator("rect").first.click()
    expect(page).to_have_url(f"{visit.base}{path}?resource=processor%3AP3")
    expect(page.locator("svg.platform a[aria-current]")).to_contain_text("P3")
    expect(page.locator("#chosen")).to_contain_text("P3")
    assert page.locator("#picture-gantt .lane[data-on]").count() >= 2
    page.keyboard.press("Escape")
    expect(page.locator("#chosen")).to_have_count(0)
