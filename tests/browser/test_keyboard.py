"""With the keyboard alone: from the first page to a file of the schedule."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visits import Visit, Visits, expect
from tests.pages.site import Site

pytestmark = pytest.mark.browser

PLACE = """() => {
  // Of a link that is broken across lines, where it begins.
  const one = document.activeElement, box = one.getClientRects()[0] ?? one.getBoundingClientRect();
  const style = getComputedStyle(one);
  // A box of a picture has its ring within.
  const within = one.ownerSVGElement && one.querySelector(".body");
  return {
    tag: one.tagName, text: one.innerText ?? one.textContent, left: box.left + scrollX, top: box.top + scrollY,
    ring: one.matches(":focus-visible"),
    outline: within ? parseFloat(getComputedStyle(within).strokeWidth)
      : style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
  };
}"""
MOST_STEPS = 200


def tab(visit: Visit) -> dict[str, Any]:
    """Go to the next place, and give what stands there; that one is there must be seen."""
    visit.page.keyboard.press("Tab")
    place: dict[str, Any] = visit.page.evaluate(PLACE)
    assert place["tag"] == "BODY" or (place["ring"] and place["outline"] >= 2), place
    return place


def tab_to(visit: Visit, text: str, tag: str) -> None:
    """Go on to a link or button."""
    for _ in range(MOST_STEPS):
        place = tab(visit)
        if (place["tag"], place["text"]) == (tag, text):
            return
    pytest.fail(f"no {tag} says {text}")


def test_from_the_first_page_to_a_table_of_the_schedule(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.go("/")
    assert tab(visit)["text"] == "Skip to the content"
    page.keyboard.press("Enter")
    tab_to(visit, "Solve an example", "BUTTON")
    page.keyboard.press("Enter")
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    tab_to(visit, "Closer", "A")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]from="))
    tab_to(visit, "its table (CSV)", "A")
    with page.expect_download() as loading:
        page.keyboard.press("Enter")
    kept = tmp_path / "table.csv"
    loading.value.save_as(kept)
    assert kept.read_bytes() == page.request.get(loading.value.url).body() != b""


def test_places_are_visited_as_they_are_read(site_visits: Visits, site: Site) -> None:
    """Each is below the one before, or on its right."""
    visit = site_visits(viewport={"width": 1280, "height": 900})
    for path in ("/", "/new", "/problems", f"/jobs/{site.jobs['cell']}"):
        visit.go(path)
        before = tab(visit)
        assert before["text"] == "Skip to the content"
        before["top"] = 0
        while (place := tab(visit))["tag"] != "BODY":
            assert place["left"] > before["left"] or place["top"] > before["top"], (before, place)
            before = place
