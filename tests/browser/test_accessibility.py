"""Every page keeps to WCAG 2.2, A and AA, as far as axe-core can tell, in both themes."""

from importlib.resources import files

import pytest

from tests.browser.tour import ERRORS, LISTS, drawn, pages
from tests.browser.visits import Visit, Visits, expect
from tests.pages.site import Site

pytestmark = pytest.mark.browser

LEVELS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""Rules whose judgement depends on the theme."""
SIZE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 800}
OF_SIZES = "target-size"
"""The rule that what is clicked has 24 pixels: axe-core runs it only where its level is named."""


@pytest.fixture(scope="session")
def axe() -> str:
    """Give the script of axe-core."""
    pytest.importorskip("axe_playwright_python", reason="axe-core is absent: see make browser")
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(visit: Visit, axe: str) -> list[str]:
    """Judge what a page shows; the script is put there from outside, where no policy holds."""
    page = visit.page
    page.evaluate(axe)
    told = []
    for theme, rules in (("light", LEVELS), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        found = page.evaluate("rules => axe.run({runOnly: rules})", rules)
        assert found["passes"]
        run = {
            one["id"] for kind in ("passes", "violations", "inapplicable") for one in found[kind]
        }
        assert (OF_SIZES in run) == (rules is LEVELS)
        told += [
            f"{page.url} ({theme}): {one['id']}: {node['html']}: {node['failureSummary']}"
            for one in found["violations"]
            for node in one["nodes"]
        ]
    return told


@pytest.mark.parametrize("size", [SIZE, pytest.param(NARROW, marks=pytest.mark.long_browser)])
def test_pages(site_visits: Visits, site: Site, axe: str, size: dict[str, int]) -> None:
    visit = site_visits(viewport=size)
    told = []
    for path in pages(site):
        visit.go(path)
        told += violations(visit, axe)
    for path, status in ERRORS.items():
        with visit.refused(status):
            visit.page.goto(visit.base + path)
        told += violations(visit, axe)
    assert told == []


def test_what_is_chosen_on_both_screens(site_visits: Visits, site: Site, axe: str) -> None:
    """A row is open, a neighbourhood is drawn, and so is New with its tables, on both screens."""
    job = site.jobs["master_worker"]
    visit = site_visits()
    found = []
    for size in (SIZE, NARROW):
        visit.page.set_viewport_size(size)
        visit.go(f"/jobs/{job}")
        visit.page.locator("svg.platform a", has_text="P2").click()
        expect(visit.page.locator("#chosen")).to_contain_text("P2")
        found += violations(visit, axe)
        visit.go(f"/jobs/{job}?resource=processor%3AP2&around=P2&hops=1")
        expect(visit.page.locator("figcaption").first).to_contain_text("within 1 link of P2")
        found += violations(visit, axe)
        visit.go(f"/jobs/{job}/changes?resource=processor%3AP2")
        expect(visit.page.locator(".measuring tr[data-on]")).to_have_count(1)
        found += violations(visit, axe)
        visit.go("/new?example=mono_allocation")
        expect(visit.page.get_by_label("work in Gflop of align")).to_be_visible()
        found += violations(visit, axe)
    assert found == []


def test_pages_of_a_service_that_has_nothing_yet(empty_visits: Visits, axe: str) -> None:
    visit = empty_visits(viewport=SIZE)
    told = []
    for path in LISTS:
        visit.go(path)
        told += violations(visit, axe)
    assert told == []


def test_faults_of_a_new_job(site_visits: Visits, axe: str) -> None:
    visit = site_visits(viewport=SIZE)
    visit.go("/new")
    visit.page.get_by_label("to, link 2", exact=True).fill("nowhere")
    visit.page.keyboard.press("Tab")
    expect(visit.page.locator("#tables .fault")).to_be_visible()
    assert violations(visit, axe) == []
    visit.page.get_by_label("A platform, an application").fill('{"problem": {"kind": "cell"}}')
    expect(visit.page.locator("#verdict.wrong")).to_contain_text("missing")
    with visit.refused(422):
        visit.page.get_by_role("button", name="Check").click()
        expect(visit.page.locator("#said-of-it .faults .code").first).to_have_text("missing")
    assert violations(visit, axe) == []


@pytest.mark.long_browser
def test_pictures_and_their_tables(site_visits: Visits, site: Site, axe: str) -> None:
    visit = site_visits(viewport=SIZE)
    told = []
    for job in site.jobs.values():
        visit.go(f"/jobs/{job}")
        for figure in drawn(visit):
            figure.get_by_role("button", name="Show as table").click()
            expect(figure.locator("table")).to_be_visible()
        told += violations(visit, axe)
    assert told == []
