"""The page of a job has tabs: pages of the server, each with an address that can be sent."""

from urllib.parse import urlsplit

import pytest

from app.pages import resources
from app.pages.tabs import TITLES
from tests.pages.markup import Element, read
from tests.pages.site import PAGE, Site

SECTIONS = {
    "": "resources",
    "schedule": "what",
    "proof": "proof",
    "what-if": "help",
    "changes": "changed",
    "files": "downloads",
    "question": "instance",
}
"""The heading that each tab has: what its part of the page was called before there were tabs."""


def page_of(site: Site, name: str, tab: str = "", query: str = "") -> Element:
    path = f"/jobs/{site.jobs[name]}" + (f"/{tab}" if tab else "")
    got = site.client.get(path + query, headers=PAGE)
    assert got.status_code == 200, got.text
    return read(got.text)


def links(page: Element) -> list[Element]:
    (nav,) = page.where(class_="tabs")
    return nav.all("a")


@pytest.mark.parametrize("tab", TITLES)
def test_each_tab_has_its_own_part_and_leads_to_all_others(site: Site, tab: str) -> None:
    page = page_of(site, "master_worker", tab)
    first = page_of(site, "master_worker")
    assert [one.text for one in links(page)] == list(TITLES.values())
    (chosen,) = [one for one in links(page) if "aria-current" in one.attributes]
    assert chosen.text == TITLES[tab]
    headings = {one.attributes.get("id") for one in page.all("h2")}
    assert headings & set(SECTIONS.values()) == {SECTIONS[tab]}
    for name in ("answer", "badge"):
        assert page.where(class_=name)[0].text == first.where(class_=name)[0].text
    title = page.one("title").text
    assert title.startswith(TITLES[tab] if tab else "21/40 tasks per time unit")


def test_names_of_sections_lead_to_the_tabs_that_have_them_now(site: Site) -> None:
    """An address that a user has kept, such as one that ends with #proof."""
    page = page_of(site, "master_worker")
    for tab, section in SECTIONS.items():
        if tab:
            (link,) = [one for one in links(page) if one.where(id=section)]
            assert link.attributes["href"] == f"/jobs/{site.jobs['master_worker']}/{tab}"
            there = page_of(site, "master_worker", tab)
            assert [one.tag for one in there.where(id=section)] == ["h2"]


def test_all_tabs_keep_what_the_address_says(site: Site) -> None:
    query = "?resource=processor%3AP2&sort=name&from=10&to=30"
    for tab in ("", "proof", "changes"):
        page = page_of(site, "master_worker", tab, query)
        assert {urlsplit(one.attributes["href"]).query for one in links(page)} == {query[1:]}
    marked = [row for row in page.all("tr") if "data-on" in row.attributes]
    assert [row.one("th").text for row in marked] == ["P2 speed"]
    (bar,) = page.where(class_="picked")
    assert bar.text.startswith("P2 is chosen")
    assert bar.all("a")[-1].attributes["href"] == "?sort=name&from=10&to=30"
    link = page_of(site, "master_worker", "changes", "?resource=link:P1->P2")
    marked = [row for row in link.all("tr") if "data-on" in row.attributes]
    assert [row.one("th").text for row in marked] == ["P1 \N{LEFT RIGHT ARROW} P2 bandwidth"]


def test_a_job_that_goes_on_has_the_tabs_that_it_can_fill(site: Site) -> None:
    page = page_of(site, "running")
    assert [one.text for one in links(page)] == ["Answer", "Files", "Question"]
    proof = page_of(site, "running", "proof")
    assert "The job has not ended: there is nothing here yet." in proof.text
    assert proof.where(id="content")[0].attributes["data-follow"].endswith("/events")
    assert "This job has nothing here." in page_of(site, "failed", "proof").text


def test_a_tab_that_no_job_has_is_not_found(site: Site) -> None:
    got = site.client.get(f"/jobs/{site.jobs['cell']}/prices", headers=PAGE)
    assert got.status_code == 404
    assert "it has schedule, proof, what-if, changes, files, question." in read(got.text).text


def test_of_many_resources_the_first_and_all_that_limit_are_seen_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "FIRST", 2)
    for query, opened in (("?sort=name", ""), ("?sort=name&resource=processor:P4", "P4")):
        page = page_of(site, "master_worker", "", query)
        lines = page.where(class_="resources")[0].one("tbody").all("tr")
        seen = [
            one.one("a").text for one in lines if "later" not in one.attributes.get("class", "")
        ]
        assert seen == ["P1", "P1 \N{RIGHTWARDS ARROW} P2", *filter(None, [opened])]
        (button,) = [one for one in page.all("button") if "data-all" in one.attributes]
        assert button.text == f"Show all {len(lines)}"
    monkeypatch.undo()
    assert not [
        one for one in page_of(site, "master_worker").all("button") if "data-all" in one.attributes
    ]
