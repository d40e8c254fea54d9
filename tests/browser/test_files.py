"""Files of other programs are dropped on the page of a new job, and become part of its body."""

import json
import re
from typing import Any

import pytest

from tests.browser.visits import Visit, expect
from tests.data import shared_data
from tests.formats.test_wfformat import SPLIT
from tests.tree import ROOT

pytestmark = pytest.mark.browser

DROPPED = """([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    return data;
}"""
SEVERAL = """(files) => {
    const data = new DataTransfer();
    for (const [name, text] of files) data.items.add(new File([text], name));
    return data;
}"""
HOSTS = "host,speed (Gflop/s),switch\nhead,4,\nnode,8,\nhub,,yes\n"
LINKS = "source,target,bandwidth (Gbit/s),latency_ms\nhead,hub,10,0.1\nnode,hub,1,0.1\n"


def drop(visit: Visit, name: str, text: str) -> Any:
    """Drop a file, and give the body that is there then."""
    data = visit.page.evaluate_handle(DROPPED, [name, text])
    visit.page.dispatch_event("#new-job", "drop", {"dataTransfer": data})
    expect(visit.page.locator("#said-of-it")).to_contain_text("of the problem now")
    return json.loads(visit.page.locator("#body").input_value())


def test_a_simgrid_platform_is_stored_and_solved_on(visit: Visit) -> None:
    visit.go("/new?example=master_worker")
    page = visit.page
    # The master of the example is none of its hosts, and is not kept.
    drop(visit, "three_sites.xml", (ROOT / "examples" / "three_sites.xml").read_text())
    expect(page.locator("#master")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#said-of-it")).to_contain_text("Work and sizes of the task are still")
    expect(page.get_by_label("Work of a task")).to_have_value("4")
    expect(page.locator("#hosts-known option[value=shore-1]")).to_have_count(1)
    expect(page.locator("#ports")).to_have_value("multiport")
    body = json.loads(page.locator("#body").input_value())
    assert body["problem"]["master"] == ""
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


def test_a_cluster_of_92_hosts_offers_each_as_a_master_and_keeps_none(visit: Visit) -> None:
    """Its switches have links, and are not among them."""
    visit.go("/new?example=master_worker")
    griffon = shared_data("simgrid-platforms/griffon.xml").read_text(encoding="utf-8")
    page = visit.page
    drop(visit, "griffon.xml", griffon)
    expect(page.locator("#masters option")).to_have_count(92)
    expect(page.locator("#hosts-known option")).to_have_count(98)
    expect(page.locator("#master")).to_have_value("")
    expect(page.locator("#master")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#ports")).to_have_value("multiport")
    problem = json.loads(page.locator("#body").input_value())["problem"]
    assert (problem["master"], problem["ports"]) == ("", "multiport")


def test_what_came_with_a_platform_goes_with_it(visit: Visit) -> None:
    visit.go("/new?example=master_worker")
    page = visit.page
    simgrid = (ROOT / "examples" / "three_sites.xml").read_text()
    problem = drop(visit, "three_sites.xml", simgrid)["problem"]
    assert (problem["ports"], problem["routing"]) == ("multiport", "fixed")
    expect(page.locator("#hosts-known option[value=shore-1]")).to_have_count(1)
    visit.go("/new")
    expect(page.locator("#hosts-known option[value=shore-1]")).to_have_count(1)
    # It is known in a draft that was kept, too.
    problem = drop(visit, "hosts.csv", HOSTS)["problem"]
    assert problem.keys().isdisjoint(("ports", "routing"))
    drop(visit, "three_sites.xml", simgrid)
    expect(page.locator("#hosts-known option[value=shore-1]")).to_have_count(1)
    page.locator("#ports").select_option("one_port")
    page.get_by_text("Paste a table").click()
    page.locator("#pasted").fill("M\t1\nW\t2")
    page.get_by_role("button", name="Take it").click()
    expect(page.get_by_label("name, host 2", exact=True)).to_have_value("W")
    problem = json.loads(page.locator("#body").input_value())["problem"]
    # What was chosen since stays.
    assert (problem["ports"], "routing" in problem) == ("one_port", False)
    assert "routes" not in problem["platform"]


def test_tables_of_hosts_and_links_are_one_platform_and_sizes_have_units(visit: Visit) -> None:
    visit.go("/new?example=master_worker")
    page = visit.page
    data = page.evaluate_handle(SEVERAL, [["hosts.csv", HOSTS], ["links.csv", LINKS]])
    page.dispatch_event("#new-job", "drop", {"dataTransfer": data})
    expect(page.locator("#said-of-it")).to_contain_text("hosts.csv and links.csv are stored as")
    heads = page.locator("#tables th:nth-last-child(2)")
    expect(heads.nth(0)).to_have_text("speed in flop/s, or s each")
    expect(heads.nth(1)).to_have_text("bandwidth in B/s, or s each")
    expect(page.get_by_label("Work of a task in flop", exact=True)).to_be_visible()
    expect(page.get_by_label("Its input in B", exact=True)).to_be_visible()
    page.locator("#master").fill("head")
    page.get_by_label("Its input").fill("62.5MB")  # half a second on the link of the node
    for written, plain in (("2e1 Gf", "20000000000"), ("1/2 Gflop", "500000000"), ("16Gf", None)):
        page.get_by_label("Work of a task").fill(written)
        expect(page.get_by_label("Work of a task")).to_have_value(written)
        if plain:
            expect(page.locator("#body")).to_have_value(re.compile(f'"work": "{plain}"'))
    # The head does one task in 4 s, the node one in 2 s.
    expect(page.locator("#verdict.good")).to_contain_text("throughput 3/4, proved optimal")
    task = json.loads(page.locator("#body").input_value())["problem"]["task"]
    assert task == {"work": "16000000000", "input_size": "62500000"}
    page.get_by_label("Its input").fill("25Mb")  # bits or bytes: it stays as it is, and is refused
    expect(page.locator("#asks .fault")).to_contain_text("written without units")


def test_the_bandwidth_of_a_shared_medium_is_changed(visit: Visit) -> None:
    visit.go("/new?example=master_worker")
    page = visit.page
    expect(page.get_by_role("heading", name="Media that links share")).to_be_hidden()
    drop(visit, "three_sites.xml", (ROOT / "examples" / "three_sites.xml").read_text())
    page.locator("#master").fill("shore-1")
    for label, size in (("Work of a task", "20Gf"), ("Its input", "25MB"), ("Its result", "5MB")):
        page.get_by_label(label).fill(size)
    expect(page.locator("#verdict.good")).to_contain_text(
        "71/20, proved optimal. Limited by hill_line"
    )
    page.get_by_label("bandwidth, medium 3").fill("90 MB/s")
    expect(page.locator("#verdict.good")).to_contain_text("18/5, proved optimal")


def test_a_wfformat_workflow_is_stored_and_its_remarks_are_told(visit: Visit) -> None:
    visit.go("/new?example=task_graph")
    page = visit.page
    body = drop(visit, "diamond.json", json.dumps(SPLIT))
    visit.go(f"/applications/{body['problem']['application']}")
    expect(page.locator("h1")).to_contain_text("diamond")


def test_an_older_check_does_not_solve_what_was_dropped_since(visit: Visit) -> None:
    page = visit.page
    checks: list[Any] = []
    reads: list[Any] = []
    solved: list[str] = []
    page.route("**/v1/jobs?validate_only*", lambda route: checks.append(route))
    page.route("**/v1/applications/*", lambda route: reads.append(route))
    page.on("request", lambda one: solved.extend([one.url] if "/v1/jobs?wait" in one.url else []))
    with page.expect_request("**/v1/jobs?validate_only*"):
        visit.go("/new?example=task_graph")
    with page.expect_request(lambda one: "/v1/applications/" in one.url):
        drop(visit, "diamond.json", json.dumps(SPLIT))
    page.unroute("**/v1/jobs?validate_only*")
    with page.expect_response("**/v1/jobs?validate_only*"):
        checks[0].continue_()
    with page.expect_response("**/v1/jobs?validate_only*"):
        reads[0].continue_()
    expect(page.locator("#verdict.wrong")).to_contain_text("no processor can run task 'top'")
    assert solved == []


def test_a_file_that_is_nothing_known_here_changes_nothing(visit: Visit) -> None:
    """And what was said of it stays, although the draft, checked after it, is good."""
    page = visit.page
    held: list[Any] = []
    page.route("**/v1/jobs?validate_only*", lambda route: held.append(route))
    with page.expect_request("**/v1/jobs?validate_only*"):
        visit.go("/new?example=master_worker")
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
    held[0].continue_()
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    expect(page.locator("#said-of-it .wrong")).to_contain_text(told)
