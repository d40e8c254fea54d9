"""Lists and jobs on open pages change without being loaded again, whichever client changes them."""

from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, expect

pytestmark = pytest.mark.browser

BODY = PROBLEMS["master_worker"].example
TABS = 7
"""One more than the connections that a browser has for all pages of a host."""


def listed(visit: Visit) -> list[str]:
    """Give the ids of the jobs of a page's longest list, as they stand there."""
    rows = visit.page.locator("main tr[data-job] td input, #last ~ * tr[data-job] .name a")
    return [
        str(row)
        for row in rows.evaluate_all("rows => rows.map((row) => row.closest('tr').dataset.job)")
    ]


def test_jobs_appear_change_and_vanish_in_lists_that_are_open(visit: Visit) -> None:
    """What a person does on such a page is left alone: where the focus is, and what is ticked."""
    old = visit.solved(BODY).removeprefix("/jobs/")
    visit.go("/jobs")
    first = visit.beside("/")
    both = (visit, first)
    for one in both:
        one.page.evaluate("document.body.dataset.loaded = 'once'")
    row = visit.page.locator(f"tr[data-job={old}]")
    row.get_by_role("checkbox").check()
    link = row.get_by_role("link").first
    link.focus()
    new = visit.post("/v1/jobs", BODY)["id"]
    for one in both:
        expect(one.page.locator(f"tr[data-job={new}][data-state=succeeded]")).to_have_count(1)
    job = visit.beside(f"/jobs/{new}")
    job.page.get_by_role("button", name="Delete").click()
    job.page.get_by_role("button", name="Delete it for ever").click()
    expect(job.page).to_have_url(f"{visit.base}/jobs")
    expect(job.page.locator(".done")).to_contain_text("Deleted: ")
    for one in (*both, job):
        expect(one.page.locator(f"tr[data-job={new}]")).to_have_count(0)
        answer = one.page.request.get(f"{visit.base}/v1/jobs?limit=50&sweep=none").json()
        ids = [item["id"] for item in answer["items"]]
        assert listed(one) == ids[: 20 if one is first else 50]
    for one in both:
        expect(one.page.locator("body")).to_have_attribute("data-loaded", "once")
    expect(link).to_be_focused()
    expect(row.get_by_role("checkbox")).to_be_checked()


def test_what_is_ticked_gets_a_label_and_loses_it(visit: Visit) -> None:
    ids = [
        visit.solved(dict(BODY) | {"labels": {"a": "b"}}).removeprefix("/jobs/") for _ in range(2)
    ]

    def labels() -> list[Any]:
        asked = (visit.page.request.get(f"{visit.base}/v1/jobs/{job}") for job in ids)
        return [answer.json()["labels"] for answer in asked]

    def press(name: str) -> None:
        visit.page.locator(f"tr[data-job={ids[0]}]").get_by_role("checkbox").check()
        visit.page.get_by_role("button", name=name, exact=True).click()

    visit.go("/jobs")
    field = visit.page.get_by_label("Label of those that are ticked")
    field.fill("campus")
    press("Set")
    expect(visit.page.locator(".hint")).to_have_text("Write the label as key:value.")
    field.fill("campus:north: 2")
    press("Set")
    expect(visit.page.locator(".done")).to_have_text("Labelled: 1 job.")
    assert labels() == [{"a": "b", "campus": "north: 2"}, {"a": "b"}]
    expect(visit.page.locator(f"tr[data-job={ids[0]}] .label")).to_have_text(
        ["a:b", "campus:north: 2"]
    )
    field.fill("a")
    press("Remove")
    expect(visit.page.locator(".done")).to_have_text("Label removed: 1 job.")
    assert labels() == [{"campus": "north: 2"}, {"a": "b"}]


def test_what_is_ticked_is_deleted_and_nothing_else(visit: Visit) -> None:
    ids = [visit.solved(BODY).removeprefix("/jobs/") for _ in range(3)]
    visit.go("/jobs")
    for job in ids[:2]:
        visit.page.locator(f"tr[data-job={job}]").get_by_role("checkbox").check()
    visit.page.get_by_role("button", name="Delete those that are ticked").click()
    with visit.page.expect_navigation():
        visit.page.get_by_role("button", name="Delete 2 for ever").click()
    expect(visit.page.locator(".done")).to_have_text("Deleted: 2 jobs.")
    for job, count in zip(ids, (0, 0, 1), strict=True):
        expect(visit.page.locator(f"tr[data-job={job}]")).to_have_count(count)


HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Chromium without a screen shows all its pages."""


def test_seven_tabs_respond_and_one_that_is_shown_again_is_up_to_date(visit: Visit) -> None:
    visit.solved(BODY)
    visit.go("/")
    tabs: list[Any] = [visit]
    for path in ("/jobs", "/") * (TABS // 2):
        with tabs[-1].page.expect_event(
            "requestfailed", lambda one: one.url.endswith("/v1/events")
        ):
            tabs[-1].page.evaluate(HIDE, True)
        tabs.append(visit.beside(path))
    new = visit.post("/v1/jobs", BODY)["id"]
    expect(tabs[-1].page.locator(f"tr[data-job={new}][data-state=succeeded]")).to_have_count(1)
    tabs[-1].page.evaluate(HIDE, True)
    for tab in tabs[:-1]:
        assert tab.page.locator(f"tr[data-job={new}]").count() == 0
        tab.page.evaluate(HIDE, False)
        expect(tab.page.locator(f"tr[data-job={new}][data-state=succeeded]")).to_have_count(1)
        tab.page.evaluate(HIDE, True)
