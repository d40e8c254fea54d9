"""A sweep is made from a job's page, followed to its end, drawn, and read as a table."""

import csv
import io
import json
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, expect

pytestmark = pytest.mark.browser

BODY = PROBLEMS["master_worker"].example


def varied(jobs: int) -> dict[str, Any]:
    """Figure 3 with so many speeds, and as many bandwidths as fit."""
    factors = [f"{1 + place}/4" for place in range(jobs // 4)]
    platform = "/problem/platform"
    return {
        "template": BODY,
        "name": "speeds and links",
        "parameters": [
            {"name": "speeds", "scale": [f"{platform}/processors/*/unit_time"], "values": factors},
            {"name": "links", "scale": [f"{platform}/links/*/unit_time"], "values": factors[:4]},
        ],
    }


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def follow_to_the_end(visit: Visit, jobs: int) -> None:
    """Post a sweep from the page, see it go on, and compare what is drawn and what is told."""
    page = visit.page
    visit.go(visit.solved(BODY) + "/question")
    page.get_by_role("link", name="solved with some values varied").click()
    field = page.get_by_label("A template and what varies in it")
    assert json.loads(field.input_value())["parameters"][0]["values"] == ["1/2", "1", "2"]
    field.fill(json.dumps(varied(jobs), indent=2))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#said-of-it .good")).to_be_visible()
    expect(page.locator("#said-of-it .rest")).to_contain_text(f"jobs: {jobs}")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("h1")).to_have_text("speeds and links")
    page.evaluate("document.body.dataset.loaded = 'once'")
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    expect(page.locator("#the-answer .standing")).to_have_text(f"{jobs} of {jobs} jobs done")
    assert page.locator("progress").evaluate("one => one.value") == jobs
    page.reload()
    figure = page.locator("#picture-table")
    expect(figure.locator(".drawing svg, .drawing canvas")).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("link", name="table.csv").click()
    told = rows_of(saved.value.path().read_text(encoding="utf-8"))
    sweep = page.url.rpartition("/")[2]
    asked = page.request.get(f"{visit.base}/v1/sweeps/{sweep}/table?limit=200").json()["items"]
    assert len(told) == len(asked) == jobs
    for line, row in zip(told, asked, strict=True):
        assert [line["value"], line["state"], line["job"]] == [
            row["value"],
            row["state"],
            row["job"],
        ]
        assert line["speeds"] == row["parameters"]["speeds"]
    shown = page.locator("#table ~ .scroll tbody tr").count()
    assert shown == min(50, jobs)
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete it for ever").click()
    expect(page).to_have_url(f"{visit.base}/sweeps")
    expect(page.locator(f"tr[data-job={sweep}]")).to_have_count(0)


def test_a_sweep_is_made_followed_drawn_saved_and_deleted(visit: Visit) -> None:
    follow_to_the_end(visit, 16)


@pytest.mark.long_browser
def test_a_sweep_of_two_hundred_is_followed_to_its_end(visit: Visit) -> None:
    follow_to_the_end(visit, 200)


def test_what_varies_is_filled_in(visit: Visit) -> None:
    page = visit.page
    job = visit.solved(BODY)
    visit.go(f"/new?job={job.rpartition('/')[2]}&vary=true")
    varied = page.locator("#varied li")
    expect(varied).to_have_count(1)
    expect(varied).to_contain_text("multiply time of a unit of all hosts by 1/2, 1, 2")
    page.get_by_role("button", name="Add").click()
    expect(page.locator("#vary-told")).to_contain_text("Give the values")
    page.get_by_role("button", name="Remove").click()
    expect(varied).to_have_count(0)
    for place, how, values in (
        ("time of a unit of P1 \u2192 P2", "set to", "1, 3/2 2"),
        ("work of a task", "multiply by", "1;2"),
    ):
        page.locator("#vary-where").select_option(place)
        page.locator("#vary-how").select_option(how)
        page.get_by_label("Values", exact=True).fill(values)
        page.get_by_role("button", name="Add").click()
    expect(varied).to_have_count(2)
    sweep = json.loads(page.locator("#body").input_value())
    assert [one["values"] for one in sweep["parameters"]] == [["1", "3/2", "2"], ["1", "2"]]
    target = "/problem/platform/links/[source=P1,target=P2]/unit_time"
    assert sweep["parameters"][0]["at"] == [target]
    assert sweep["parameters"][1]["scale"] == ["/problem/task/work"]
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    expect(page.locator("#table ~ .scroll tbody tr")).to_have_count(6)


def test_a_fault_of_a_sweep_is_shown_at_its_place(visit: Visit) -> None:
    page = visit.page
    visit.go("/new")
    body = varied(16)
    body["parameters"][1]["values"][2] = "fast"
    field = page.get_by_label("A platform, an application")
    field.fill(json.dumps(body, indent=2))
    with visit.refused(422):
        page.get_by_role("button", name="Check").click()
        fault = page.locator("#said-of-it .faults button").first
        expect(fault).to_contain_text("/parameters/1/values/2")
    fault.click()
    chosen = field.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)")
    assert chosen == '"fast"'
