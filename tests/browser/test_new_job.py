"""A body is written, found faulty beside its place, corrected and solved; or cancelled."""

import json

import pytest

from tests.acceptance.grids import figure_3, huge_grid
from tests.browser.visits import Visit, expect

pytestmark = pytest.mark.browser


def test_a_fault_is_shown_at_its_place_and_the_corrected_body_solved(visit: Visit) -> None:
    page = visit.page
    visit.go("/new")
    body = figure_3()
    body["problem"]["platform"]["processors"][1]["unit_time"] = "two"
    field = page.get_by_label("A platform, an application")
    field.fill(json.dumps(body, indent=2))  # it is checked while one types
    expect(page.locator("#tables [aria-invalid=true]")).to_have_count(1)
    with visit.refused(422):
        page.get_by_role("button", name="Check").click()
        fault = page.locator("#said-of-it .faults button").first
        expect(fault).to_contain_text("processors/1/unit_time")
    expect(page.locator("#said-of-it .wrong")).not_to_contain_text("unit_time")
    line = 1 + json.dumps(body, indent=2).split('"two"')[0].count("\n")
    expect(fault).to_contain_text(f"line {line},")
    fault.click()
    expect(field).to_be_focused()
    chosen = field.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)")
    assert chosen == '"two"'
    page.keyboard.type('"2"')
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#said-of-it .good")).to_be_visible()
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")


def test_a_long_job_is_cancelled_from_its_page(visit: Visit) -> None:
    page = visit.page
    job = visit.post("/v1/jobs", huge_grid(2, 1000, 6000, 400))
    visit.go(f"/jobs/{job['id']}")
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "running")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "cancelled")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete")).to_be_visible()
