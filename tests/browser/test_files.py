"""Files of other programs are dropped on the page of a new job, and become part of its body."""

import json
from typing import Any

import pytest

from tests.browser.visits import Visit, expect
from tests.formats.test_wfformat import SPLIT
from tests.tree import ROOT

pytestmark = pytest.mark.browser

DROPPED = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    return data;
}"""


def drop(visit: Visit, name: str, text: str) -> Any:
    """Drop a file, and give the body that is there then."""
    data = visit.page.evaluate_handle(DROPPED, [name, text])
    visit.page.dispatch_event("#new-job", "drop", {"dataTransfer": data})
    expect(visit.page.locator("#said-of-it")).to_contain_text("of the problem now")
    return json.loads(visit.page.locator("#body").input_value())


def test_a_simgrid_platform_is_stored_and_solved_on(visit: Visit) -> None:
    visit.go("/new?example=master_worker")
    page = visit.page
    body = drop(visit, "three_sites.xml", (ROOT / "examples" / "three_sites.xml").read_text())
    stored = body["problem"]["platform"]
    with visit.refused(422):
        page.get_by_role("button", name="Check").click()
        fault = page.locator("#said-of-it .faults button").first
        expect(fault).to_contain_text("/problem/master")
    body["problem"] |= {"master": "shore-1", "ports": "multiport"}
    page.locator("#body").fill(json.dumps(body))
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    asked = page.request.get(f"{visit.base}/v1/jobs/{page.url.rpartition('/')[2]}/instance").json()
    assert len(asked["problem"]["platform"]["processors"]) > 20
    visit.go(f"/platforms/{stored}")
    expect(page.locator("h1")).to_contain_text("three_sites")


def test_a_wfformat_workflow_is_stored_and_its_remarks_are_told(visit: Visit) -> None:
    visit.go("/new?example=task_graph")
    page = visit.page
    body = drop(visit, "diamond.json", json.dumps(SPLIT))
    visit.go(f"/applications/{body['problem']['application']}")
    expect(page.locator("h1")).to_contain_text("diamond")


def test_a_file_that_is_nothing_known_here_changes_nothing(visit: Visit) -> None:
    visit.go("/new?example=master_worker")
    page = visit.page
    before = page.locator("#body").input_value()
    for name, text, told in (
        ("list.json", "[1, 2]", "This is no job, platform or application"),
        ("notes.txt", "dear diary", "This is not JSON"),
        ("graph.xml", "<sdf3/>", "This XML is no platform of SimGrid"),
        ("<b>.json", "null", "This is no job, platform or application"),
    ):
        data = page.evaluate_handle(DROPPED, [name, text])
        page.dispatch_event("#new-job", "drop", {"dataTransfer": data})
        expect(page.locator("#said-of-it .wrong")).to_contain_text(told)
        assert page.locator("#body").input_value() == before
