"""The page of a job says what came out, in the words of the command line."""

import re

import pytest

from app.pages import answer, words
from app.pages.rendering import POLICY
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.layout import UNLIMITED
from steadygrid.report.report import Report
from steadygrid.report.sections import phrase
from steadygrid.report.summary import facts
from steadygrid.submissions.submission import restore_submission
from tests.pages.markup import Element, read
from tests.pages.site import HOSTILE, PAGE, Site, example


def page_of(site: Site, name: str, tab: str = "") -> Element:
    got = site.client.get(f"/jobs/{site.jobs[name]}{tab}", headers=PAGE)
    assert got.status_code == 200, got.text
    assert len(got.content) < 2**20
    return read(got.text)


def first(page: Element) -> str:
    return page.where(class_="answer")[0].text


def standing(site: Site, name: str) -> str:
    pages = page_of(site, name), page_of(site, name, "/schedule")
    (said,) = {one.text for page in pages for one in page.where(class_="standing")}
    return said


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_page_says_what_the_command_line_says(site: Site, kind: str) -> None:
    page, schedule = page_of(site, kind), page_of(site, kind, "/schedule")
    body = site.client.get(f"/v1/jobs/{site.jobs[kind]}/instance").json()
    body.pop("name", None)
    report = Report(restore_submission(body), *example(kind))
    lists = page.all("dl") + schedule.all("dl")
    told = [
        (label.text, value.text)
        for one in lists
        for label, value in zip(one.all("dt"), one.all("dd"), strict=True)
    ]
    said = list(facts(report, UNLIMITED, UNICODE))
    assert said
    for label, text in said:
        assert (label, " ".join(text.split())) in told
    headline = phrase(report.view.headline, report, UNICODE)
    once = report.schedule is not None and report.schedule.period == 1
    assert (headline[1:] in first(page)) is not once, "a period of 1 makes it the rate itself"
    captions = {one.text for one in schedule.all("caption")}
    assert {one.title for one in report.view.sections if one.table is not None} <= captions


def test_the_best_is_told_with_its_exact_value_and_what_it_rests_on(site: Site) -> None:
    page = page_of(site, "master_worker")
    assert first(page) == "21 tasks every 40 time units: 21/40 = 0.525 tasks per time unit."
    assert standing(site, "master_worker") == (
        "No schedule does better: proved in exact arithmetic, checked by the referee."
    )
    assert page.one("title").text == "21/40 tasks per time unit - RR-4870, figure 3 - steadygrid"
    limits = page.where(class_="limits")[0].all("li")
    assert [one.text for one in limits] == [
        "P1 sends all the time. 95.2 % of the optimum hangs on that.",
        "P1 computes all the time. 4.8 % of the optimum hangs on that.",
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("feasible", "The best found; at most 8.4 % more is possible; checked by the referee."),
        (
            "bound_only",
            "Only a bound, no schedule was found in time; checked by the referee.",
        ),
        ("unknown", "Nothing was found: another method may find a schedule."),
        (
            "infeasible",
            "Impossible: no schedule exists, proved in exact arithmetic, checked by the referee.",
        ),
    ],
)
def test_other_outcomes_say_first_what_they_are(site: Site, name: str, sentence: str) -> None:
    assert standing(site, name) == sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("failed", "Failed: The solve needed more than <4 GiB>."),
        ("cancelled", "Cancelled: there is no answer."),
        ("running", "At work: solving."),
        ("cancelling", "Being cancelled: the worker stops at the next occasion."),
        ("queued", f"Waiting. {words.NO_WORKER}"),
    ],
)
def test_jobs_without_an_answer_say_why(site: Site, name: str, sentence: str) -> None:
    page = page_of(site, name)
    assert first(page) == sentence
    assert not page.where(id="proof")


@pytest.mark.parametrize("name", ["running", "stopped"])
def test_a_job_without_an_answer_says_how_far_it_is_or_was(site: Site, name: str) -> None:
    page = page_of(site, name)
    text = page.one("main").text
    for told in ("best so far≈ 0.525", "bound≈ 0.6", "gap12 %", "iterations12", "elapsed1.5 s"):
        assert told in text.replace(" ≈", "≈")
    bars = [one.text for one in page.where(class_="closing")]
    assert bars == (["87.5 %"] if name == "running" else [])


def test_a_job_that_has_ended_tells_no_progress_beside_its_answer(site: Site) -> None:
    told = site.client.get(f"/v1/jobs/{site.jobs['master_worker']}").json()["progress"]
    assert told["elapsed"] == 1.5
    labels = [label.text for label in page_of(site, "master_worker").all("dt")]
    assert labels
    assert "elapsed" not in labels


def test_long_numbers_lose_their_middle_and_stand_whole_in_a_file(site: Site) -> None:
    page = page_of(site, "long")
    assert "(1,999 digits)" in first(page)
    assert max(map(len, re.findall(r"\d+", page.text))) < 40
    assert page.one("title").text == "≈ 0.1 tasks per time unit - RR-4870, figure 3 - steadygrid"
    result = site.client.get(f"/v1/jobs/{site.jobs['long']}/result").json()
    (copied,) = {one.attributes["data-copy"] for one in page.where(class_="copy")}
    assert copied == result["objective"]["value"]
    assert len(result["objective"]["value"]) == 2_000


def test_hostile_names_are_text(site: Site) -> None:
    page = page_of(site, "hostile")
    assert page.one("h1").text == HOSTILE[0]
    assert all(one.attributes["src"] and not one.children for one in page.all("script"))
    assert all(one.attributes["src"].startswith("/v1/jobs/job_") for one in page.all("img"))
    for name in HOSTILE[:-1]:
        assert " ".join(printable(name).split()) in page.text
    assert f"note:{HOSTILE[1]}" in page.text
    listed = read(site.client.get("/jobs", headers=PAGE).text)
    assert HOSTILE[0] in listed.text
    assert all(one.attributes["src"] and not one.children for one in listed.all("script"))


def test_pages_let_nothing_run_but_what_is_served_here(site: Site) -> None:
    for path in ("/jobs", f"/jobs/{site.jobs['cell']}", "/jobs/none"):
        fields = site.client.get(path, headers=PAGE).headers
        assert fields["Content-Type"] == "text/html; charset=utf-8"
        assert fields["Content-Security-Policy"] == POLICY
        assert fields["X-Content-Type-Options"] == "nosniff"
        assert fields["Referrer-Policy"] == "same-origin"
        assert fields["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "private" in fields["Cache-Control"] or fields["Cache-Control"] == "no-store"


def test_lines_for_a_terminal_name_the_job(site: Site) -> None:
    lines = [page_of(site, "cell", tab).one("pre").text for tab in ("/proof", "/question")]
    own = f"http://localhost:8000/v1/jobs/{site.jobs['cell']}/result"
    assert (
        lines[0]
        == "steadygrid check instance.json --result result.json --schedule-in schedule.json"
    )
    assert lines[1].startswith(f"curl -s {own} curl -s http://localhost:8000/v1/jobs -H ")
    assert page_of(site, "unknown", "/proof").all("pre")[0].text == (
        "steadygrid check instance.json --result result.json"
    )


def test_a_schedule_of_too_many_transfers_stays_where_it_is(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left out is counted; what the header says is still told."""
    whole = page_of(site, "master_worker")
    monkeypatch.setattr(answer, "LONGEST_PART", 10)
    page = page_of(site, "master_worker")
    assert first(page) == first(whole)
    parts = [page_of(site, "master_worker", tab) for tab in ("/schedule", "/proof")]
    assert "4 allocations, 4 computations, 3 runs, 4 transfers" in parts[0].text
    assert "40 time units, 3 runs of links, none interrupted, whole files" in parts[0].text
    captions = [one.text for part in (page, *parts) for one in part.all("caption")]
    assert captions == ["Resources", "Prices"]
    for row in page.where(class_="resources")[0].one("tbody").all("tr"):
        assert row.all("td")[1].text == "", "what is not read is not said to be idle"


def test_an_answer_that_is_too_large_is_a_download(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "LONGEST_BODY", 10)
    page = page_of(site, "master_worker")
    assert words.TOO_LARGE in page.text
    assert first(page) == "21/40 = 0.525"
    page = page_of(site, "master_worker", "/files")
    files = page.where(download="schedule.json") + page.where(download="result.json")
    assert len(files) == 2


def test_an_answer_of_another_version_is_a_download(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "unpack", lambda _packed: {"problem": {"kind": "of tomorrow"}})
    page = page_of(site, "master_worker")
    assert words.NOT_KNOWN in page.text
    page = page_of(site, "master_worker", "/files")
    assert len(page.where(download="result.json")) == 1


def test_predicted_times_are_a_table_and_a_picture(site: Site) -> None:
    page = page_of(site, "predicted", "/schedule")
    assert "Predicted times" in {one.text for one in page.all("caption")}
    (figure,) = (one for one in page.all("figure") if one.attributes["id"] == "picture-times")
    drawn = site.client.get(f"{figure.attributes['data-picture']}.csv")
    assert drawn.status_code == 200
    assert [row.split(",")[0] for row in drawn.text.splitlines()] == [
        "bytes",
        "1000",
        "1000000",
        "1000000000",
    ]
