"""Hosts and links as tables: they, the JSON and the answer are one; faults mark their cells."""

import json
import re
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.acceptance.grids import figure_3
from tests.browser.visits import Visit, Visits, expect

pytestmark = pytest.mark.browser


PASTED = """(cell, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
FITTING = (
    "write a bandwidth in B or bit (with k, M, G, T, Ki, Mi or Gi before it) per s, ms, us, ns, min"
    " or h, such as 125 MB/s or 10 Gbit/s"
)


def cell(page: Any, name: str) -> Any:
    return page.get_by_label(name, exact=True)


def question(page: Any) -> Any:
    return json.loads(page.locator("#body").input_value())


def total_of_jobs(visit: Visit) -> int:
    answer = visit.page.request.get(f"{visit.base}/v1/jobs?total=true").json()
    return int(answer["total"]["jobs"])


def test_a_changed_bandwidth_is_solved_again_in_three_clicks(visit: Visit) -> None:
    page = visit.page
    visit.go(visit.solved(figure_3()))
    before = total_of_jobs(visit)
    page.get_by_role("link", name="Edit and solve").click()
    expect(page.locator("#verdict")).to_contain_text("21/40")
    # The picture of what was solved while one types comes, too.
    expect(page.locator("#drawn img")).to_be_visible()
    before_it = page.locator("#drawn img").get_attribute("src")
    cell(page, "bandwidth, link 1").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("1/2 each")
    expect(page.locator("#verdict")).to_contain_text("proved optimal. Limited by P4")
    assert question(page)["problem"]["platform"]["links"][0]["unit_time"] == "1/2"
    cell(page, "directions, link 1").select_option("one")
    assert question(page)["problem"]["platform"]["links"][0]["duplex"] == "simplex"
    cell(page, "directions, link 1").select_option("both")
    assert question(page)["problem"]["platform"]["links"][0]["duplex"] == "full"
    expect(page.locator("#drawn img")).not_to_have_attribute("src", before_it)
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    # Other tests share the service. No list holds what was solved during typing.
    assert total_of_jobs(visit) == before + 1


def test_a_stored_platform_is_edited_by_changes(visit: Visit) -> None:
    page = visit.page
    body = figure_3()
    stored = visit.post("/v1/platforms", body["problem"]["platform"])["id"]
    body["problem"]["platform"] = stored
    path = visit.solved(body)
    visit.go(f"/new?job={path.rpartition('/')[2]}")
    expect(cell(page, "from, link 2")).to_have_value("P1")
    expect(cell(page, "directions, link 2")).to_be_disabled()
    cell(page, "bandwidth, link 2").fill("3 each")
    sent = question(page)
    target = "/problem/platform/links/[source=P1,target=P3]/unit_time"
    assert sent["changes"] == [{"at": target, "value": "3"}]
    assert len(json.dumps(sent)) < 2_000
    cell(page, "bandwidth, link 2").fill("1 each")
    assert "changes" not in question(page)
    cell(page, "bandwidth, link 2").fill("3 each")
    with page.expect_request(lambda asked: asked.method == "POST" and "?" not in asked.url) as told:
        page.get_by_role("button", name="Solve", exact=True).click()
    assert len(told.value.post_data) < 2_000
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")


def test_a_draft_on_a_job_has_the_fields_of_its_task(visit: Visit) -> None:
    page = visit.page
    job = visit.solved(figure_3()).rpartition("/")[2]
    visit.go("/new?example=cell")
    page.locator("#body").fill(json.dumps({"base": job}))
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    expect(page.locator("#master")).to_have_value("P1")
    work = page.get_by_label("Work of a task")
    expect(work).to_have_value("4")
    work.fill("8")
    page.get_by_label("Its result").fill("1/2")
    page.locator("#master").fill("P2")
    page.locator("#ports").select_option("multiport")
    changes = {
        "/problem/task/work": "8",
        "/problem/task/output_size": "1/2",
        "/problem/master": "P2",
        "/problem/ports": "multiport",
    }
    sent = [{"at": at, "value": value} for at, value in changes.items()]
    assert question(page) == {"base": job, "changes": sent}
    page.locator("#master").fill("P9")
    expect(page.locator("#master")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#asks .fault")).to_contain_text("P9")
    page.get_by_label("Its result").fill("")
    expect(page.get_by_label("Its result")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#asks .fault").last).to_contain_text("expected a number")
    expect(page.locator("#ports option").first).to_be_disabled()
    # What is as it was is no change.
    work.fill("4")
    page.get_by_label("Its result").fill("0")
    page.locator("#master").fill("P1")
    page.locator("#ports").select_option("one_port")
    assert question(page) == {"base": job}
    expect(page.locator("#verdict.good")).to_contain_text("21/40")


def test_numbers_of_tasks_and_files_are_a_table(visit: Visit) -> None:
    """Of a draft on a job, of one with a stored application, and of one that is written out."""
    page = visit.page
    body: Any = PROBLEMS["mono_allocation"].example
    application = body["problem"]["application"]
    stored = visit.post("/v1/applications", application)["id"]
    job = visit.solved(body).rpartition("/")[2]
    work, size = cell(page, "work in Gflop of align"), cell(page, "size in MB of detect → track")
    changes = [
        {"at": "/problem/application/tasks/[id=align]/work", "value": "12"},
        {"at": "/problem/application/files/[source=detect,target=track]/size", "value": "3"},
    ]
    visit.go("/new?example=mono_allocation")
    expect(page.locator("#verdict.good")).to_contain_text("throughput 1/6,")
    work.fill("12")
    size.fill("3")
    written = question(page)["problem"]["application"]
    assert (written["tasks"][1]["work"], written["files"][2]["size"]) == (12, 3)
    for draft in (
        {**body, "problem": {**body["problem"], "application": stored}},
        {"base": job},
    ):
        page.locator("#body").fill(json.dumps(draft))
        expect(work).to_have_value("6")
        work.fill("12")
        size.fill("3")
        assert question(page) == draft | {"changes": changes}
        expect(page.locator("#verdict.good")).to_contain_text("throughput 1/9,")
    size.fill("much")
    expect(size).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#tables [aria-invalid]")).to_have_count(1)
    size.fill("2")
    expect(page.locator("#verdict.good")).to_contain_text("throughput 1/8,")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    made = page.request.get(f"{visit.base}/v1/jobs/{page.url.rpartition('/')[2]}/instance").json()
    assert [one["work"] for one in made["problem"]["application"]["tasks"][1:]] == ["12", "8", "4"]


def test_questions_without_a_platform_are_solved_while_one_types(visit: Visit) -> None:
    """With two tokens an iteration takes 5 time units; with three, 4: then `b` never waits."""
    page = visit.page
    visit.go("/new")
    page.locator("#body").fill(json.dumps(PROBLEMS["dataflow"].example))
    expect(page.locator("#verdict.good")).to_contain_text("throughput 1/5, proved optimal")
    cell(page, "tokens of b → a").fill("3")
    expect(page.locator("#verdict.good")).to_contain_text("throughput 1/4, proved optimal")


def test_a_fault_marks_its_cell_and_no_other(visit: Visit) -> None:
    page = visit.page
    visit.go("/new")
    body = figure_3()
    page.locator("#body").fill(json.dumps(body))
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    wrong = cell(page, "to, link 3")
    wrong.fill("P9")
    wrong.press("Tab")
    marked = page.locator("#tables [aria-invalid=true]")
    expect(marked).to_have_count(1)
    expect(wrong).to_have_attribute("aria-invalid", "true")
    described = page.locator(f"#{wrong.get_attribute('aria-describedby')}")
    expect(described).to_contain_text("P9")
    wrong.fill("P4")
    wrong.press("Tab")
    expect(marked).to_have_count(0)
    expect(page.locator("#verdict.good")).to_contain_text("21/40")


def test_json_that_is_none_changes_nothing(visit: Visit) -> None:
    page = visit.page
    visit.go("/new")
    page.locator("#body").fill(json.dumps(figure_3()))
    expect(cell(page, "name, host 4")).to_have_value("P4")
    page.locator("#body").fill("{")
    expect(page.locator("#body")).to_have_attribute("aria-invalid", "true")
    expect(cell(page, "name, host 4")).to_have_value("P4")
    page.locator("#body").fill(json.dumps(figure_3()))
    expect(page.locator("#body[aria-invalid]")).to_have_count(0)


def test_tables_are_pasted_from_a_spreadsheet(visit: Visit) -> None:
    page = visit.page
    visit.go("/new")
    body = figure_3()
    body["problem"]["task"] = {"work": 1000, "input_size": 10**6}
    body["problem"]["platform"]["name"] = "figure 3"
    body["problem"]["platform"].pop("units", None)
    page.locator("#body").fill(json.dumps(body))
    expect(cell(page, "name, host 4")).to_have_value("P4")
    speed = page.locator("#tables th:nth-last-child(2)").first
    expect(speed).to_have_text("speed, or time each, in units of your own")
    page.get_by_text("Paste a table").click()
    pasted = page.locator("#pasted")
    for text, told in (
        ("P1", "The first line has one column."),
        ("a;b;c;d", "The first line has 4 columns."),
        ("a;1\nb\nc;2", 'Line 2 has 1 column, and the first line has 2: "b".'),
        ("name\tspeed\n", "There is only a header"),
    ):
        pasted.fill(text)
        page.get_by_role("button", name="Take it").click()
        expect(page.locator("#verdict.wrong")).to_contain_text(told)
        expect(pasted).to_have_value(text)
    assert "name" in question(page)["problem"]["platform"]
    pasted.fill("name\tspeed\nM\t1 kf\nW 1\t2 kf\nW 2\t1/2 kf\n")
    page.get_by_role("button", name="Take it").click()
    expect(cell(page, "name, host 3")).to_have_value("W 2")
    # Links of hosts that are not there any more are marked. The name was of another platform.
    expect(page.locator("#tables [aria-invalid=true]").first).to_be_visible()
    assert "name" not in question(page)["problem"]["platform"]
    pasted.fill("from;to;bandwidth (MB/s)\nM;W 1;125\nM;W 2;1 XB/s\n")
    page.get_by_role("button", name="Take it").click()
    faulty = cell(page, "bandwidth, link 2")
    expect(faulty).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#tables .fault")).to_contain_text(FITTING)
    assert question(page)["problem"]["master"] == ""
    faulty.fill("125 XB/s")
    expect(page.locator("#tables .fault")).to_contain_text(FITTING)
    faulty.fill("1 Gbit/s")
    expect(page.locator("#tables [aria-invalid=true]")).to_have_count(0)
    expect(page.locator("#master")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#asks .fault")).to_have_text(
        "choose the master: give the id of a processor"
    )
    page.locator("#master").fill("M")
    expect(page.locator("#verdict.good")).to_contain_text("proved optimal")
    platform = question(page)["problem"]["platform"]
    assert platform["units"] == {"time": "s", "data": "B", "work": "flop"}
    expect(speed).to_have_text("speed in flop/s, or s each")
    assert [link["bandwidth"] for link in platform["links"]] == ["125 MB/s", "1 Gbit/s"]


def test_what_a_spreadsheet_copied_is_pasted_on_the_tables(visit: Visit) -> None:
    """Both tables have headers with units, of which one is in the cells as well."""
    page = visit.page
    visit.go("/new?example=master_worker")
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    for text, rows in (
        ('host,speed (Gflop/s)\n"P1",1\nP2,"500 Mf/s"', 6),
        ("from\tto\tbandwidth [Mbit/s]\r\nP1\tP2\t8\r\n", 3),
    ):
        cell(page, "name, host 1").evaluate(PASTED, text)
        expect(page.locator("#tables tbody tr")).to_have_count(rows)
    platform = question(page)["problem"]["platform"]
    assert [one["speed"] for one in platform["processors"]] == ["1 Gflop/s", "500 Mf/s"]
    assert [one["bandwidth"] for one in platform["links"]] == ["8 Mbit/s"]
    page.get_by_label("Work of a task").fill("1Gf")
    page.get_by_label("Its input").fill("2MB")
    expect(page.locator("#verdict.good")).to_contain_text("throughput 3/2, proved optimal")
    cell(page, "bandwidth, link 1").fill("125 XB/s")
    expect(page.locator("#tables .fault")).to_contain_text(FITTING)


def test_work_and_sizes_of_the_task_have_fields(visit: Visit) -> None:
    page = visit.page
    visit.go("/new?example=master_worker")
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    work = page.get_by_label("Work of a task")
    expect(work).to_have_value("4")
    work.fill("much")
    expect(work).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#asks .fault")).to_contain_text("expected a number")
    with visit.refused(422):
        page.get_by_role("button", name="Check").click()
        expect(page.locator("#said-of-it .wrong")).to_be_visible()
    work.fill("8")
    page.get_by_label("Its input").fill("4")
    page.get_by_label("Its result").fill("1/2")
    expect(page.locator("#verdict.good")).to_contain_text("proved optimal")
    # What was wrong before does not stand next to a good answer.
    expect(page.locator(".fault, #said-of-it .wrong")).to_have_count(0)
    sizes = {"work": "8", "input_size": "4", "output_size": "1/2"}
    assert question(page)["problem"]["task"] == sizes
    page.get_by_label("Its result").fill("")
    assert "output_size" not in question(page)["problem"]["task"]
    visit.go("/new?example=task_graph")
    expect(page.get_by_label("Work of a task")).to_be_hidden()


def test_a_host_does_not_take_the_name_of_another(visit: Visit) -> None:
    """The links of both would become links of one."""
    page = visit.page
    visit.go("/new")
    page.locator("#body").fill(json.dumps(figure_3()))
    host = cell(page, "name, host 2")
    expect(host).to_have_value("P2")
    before = question(page)
    host.fill("P3")
    host.press("Tab")
    expect(host).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#tables .fault")).to_have_text(
        "There is a host P3 already: this one is still called P2."
    )
    assert question(page) == before
    expect(page.locator("#verdict.good")).to_contain_text("21/40")  # of what was there before
    expect(host).to_have_attribute("aria-invalid", "true")
    host.fill("P5")
    host.press("Tab")
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    links = question(page)["problem"]["platform"]["links"]
    assert [one["source"] for one in links] == ["P1", "P1", "P5", "P3"]


def test_a_draft_is_kept_until_it_is_begun_anew(visit: Visit) -> None:
    page = visit.page
    visit.go("/new")
    cell(page, "speed, host 1").fill("7 each")
    expect(page.locator("#verdict.good")).to_contain_text("proved")
    visit.go("/new")
    expect(page.locator("#kept")).to_contain_text(re.compile(r"Your draft of \d"))
    expect(cell(page, "speed, host 1")).to_have_value("7 each")
    page.get_by_role("button", name="Start anew").click()
    expect(cell(page, "speed, host 1")).not_to_have_value("7 each")
    visit.go("/new")
    expect(page.locator("#kept")).to_be_empty()


def test_a_quota_that_is_used_up_is_told_and_no_fault_of_the_draft(visit: Visit) -> None:
    problem = json.dumps({"status": 429, "code": "quota_exceeded", "detail": "No more today."})
    told = {"content_type": "application/problem+json", "body": problem}
    visit.page.route("**/v1/jobs?wait=2", lambda route: route.fulfill(status=429, **told))
    with visit.refused(429):
        visit.go("/new?example=master_worker")
        expect(visit.page.locator("#verdict.good")).to_have_text(
            "It can be solved as it stands. No more today."
        )


def test_without_a_script_a_form_checks_and_solves(visits: Visits) -> None:
    visit = visits(java_script_enabled=False)
    page = visit.page
    visit.go("/new")
    body = figure_3()
    page.locator("#body").fill(json.dumps(body | {"problem": body["problem"] | {"master": "X"}}))
    with visit.refused(422):
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".faults")).to_contain_text("#/problem/master")
    page.locator("#body").fill(json.dumps(body))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("It can be solved as it stands")).to_be_visible()
    page.get_by_role("button", name="Solve").click()
    expect(page).to_have_url(re.compile(r"/jobs/job_"))


def test_of_two_quick_edits_the_second_stands(visit: Visit) -> None:
    """Also if the answer to the first comes last. JSON and picture are those of the second."""
    page = visit.page
    visit.go("/new?example=master_worker")
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    picture = page.locator("#drawn img")
    before = picture.get_attribute("src")
    held: list[Any] = []

    def hold_the_first(route: Any) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page.route("**/v1/jobs?wait=2", hold_the_first)
    speed = cell(page, "speed, host 1")
    with page.expect_request("**/v1/jobs?wait=2"):
        speed.fill("20 each")
    speed.fill("5 each")
    expect(page.locator("#verdict.good")).to_contain_text("11/20")
    assert question(page)["problem"]["platform"]["processors"][0]["unit_time"] == "5"
    expect(picture).not_to_have_attribute("src", before)
    after = picture.get_attribute("src")
    of_it = page.request.get(f"{visit.base}{after.partition('/pictures')[0]}/instance").json()
    assert of_it["problem"]["platform"]["processors"][0]["unit_time"] == "5"
    with page.expect_response("**/v1/jobs?wait=2"):
        held[0].continue_()
    page.wait_for_timeout(500)
    expect(page.locator("#verdict.good")).to_contain_text("11/20")
    expect(picture).to_have_attribute("src", after)
    # What is changed before it was asked for is never asked.
    speed.fill("20 each")
    speed.fill("10 each")
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    assert len(held) == 3
