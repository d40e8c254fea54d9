"""What a job's page begins with: a badge, what limits, and the platform, all written by the server."""

import json
from typing import Any

import pytest

from app.pages import badges, platform_figure
from app.pages.resources import grouped_limits
from steadygrid.domain.job import JobState
from steadygrid.kinds import PROBLEMS
from steadygrid.report.resources import resource_list
from tests.acceptance.test_real_platforms import imported
from tests.pages.markup import Element, read
from tests.pages.site import HOSTILE, PAGE, Site
from tests.pictures.reports import reported
from tests.report.answers import figure_3, rounded_star, star

MOST_BYTES = 100_000


def page_of(site: Site, name: str, **query: str) -> Element:
    got = site.client.get(f"/jobs/{site.jobs[name]}", params=query, headers=PAGE)
    assert got.status_code == 200, got.text
    assert len(got.content) < MOST_BYTES or name == "long"
    return read(got.text)


@pytest.mark.parametrize(
    ("name", "text", "tone"),
    [
        ("master_worker", "Proved optimal, checked by the referee", "proved"),
        (
            "feasible",
            "Best found: at most 8.4 % more is possible, checked by the referee",
            "found",
        ),
        (
            "infeasible",
            "Impossible: no schedule exists, proved in exact arithmetic, checked by the referee",
            "impossible",
        ),
        ("bound_only", "Only a bound, checked by the referee", "found"),
        ("unknown", "Nothing found", "found"),
        ("failed", "Failed", "failed"),
        ("cancelled", "Cancelled", "cancelled"),
        ("running", "Running", "running"),
        ("cancelling", "Being cancelled", "running"),
        ("queued", "Queued", "running"),
    ],
)
def test_the_badge_says_how_good_the_answer_is(site: Site, name: str, text: str, tone: str) -> None:
    (badge,) = page_of(site, name).where(class_="badge")
    assert badge.text == text
    assert badge.attributes["class"] == f"badge {tone}"


class Done:
    """As much of a job as a badge looks at."""

    state = JobState.SUCCEEDED


def test_a_schedule_below_the_optimum_is_never_said_to_be_the_best() -> None:
    report = rounded_star()
    assert report.loses
    record: Any = Done
    found = badges.badge(record, report)
    assert found is not None
    assert found.text == (
        "Proved: at most 11 % more is possible, by longer periods, checked by the referee"
    )
    assert found.tone == "proved"


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_kind_has_a_first_screen_with_its_own_picture(site: Site, kind: str) -> None:
    page = page_of(site, kind)
    (first,) = page.where(class_="first")
    (badge,) = first.where(class_="badge")
    assert badge.text
    answer = site.client.get(f"/v1/jobs/{site.jobs[kind]}/pictures")
    listed = answer.json()["items"] if answer.status_code == 200 else []
    if not listed:
        assert first.attributes["class"] == "first alone"
        return
    (figure,) = first.all("figure")
    assert figure.attributes["id"] == f"picture-{listed[0]['name']}"
    path = f"/jobs/{site.jobs[kind]}/schedule"
    others = read(site.client.get(path, headers=PAGE).text).all("figure")
    shown = [one.attributes["id"] for one in (*page.all("figure"), *others)]
    assert sorted(shown) == sorted(f"picture-{one['name']}" for one in listed)
    assert figure.all("svg") or kind == "simulation", "the server writes it"


def test_what_limits_is_said_of_twins_together() -> None:
    report = star([(2, 8), (2, 8), (2, 8), (1, 9)])
    told = grouped_limits(report, resource_list(report))
    assert "W0 … ×3 computes all the time. " in " ".join(told)
    assert not any(line.startswith(("W1", "W2")) for line in told)
    assert grouped_limits(figure_3(), resource_list(figure_3()))[0].startswith("P4 computes")


def test_the_address_marks_boxes_and_lines_of_the_picture(site: Site) -> None:
    page = page_of(site, "master_worker", resource="processor:P2", sort="name")
    (figure,) = page.where(id="picture-platform")
    keys = json.loads(figure.attributes["data-keys"])
    marked = {
        keys[int(one)]
        for name in ("a", "g")
        for mark in figure.all(name)
        if "data-on" in mark.attributes
        for one in mark.attributes["data-r"].split()
    }
    assert marked >= {"processor:P2", "link:P1->P2"}
    assert not marked & {"processor:P3", "processor:P1"}
    (current,) = [one for one in figure.all("a") if "aria-current" in one.attributes]
    assert current.attributes["href"] == "?sort=name", "another click clears it"
    rows = [
        one for one in page.where(class_="resources")[0].all("tr") if "data-r" in one.attributes
    ]
    (row,) = [one for one in rows if "data-on" in one.attributes]
    assert keys[int(row.attributes["data-r"])] == "processor:P2"
    (bar,) = page.where(id="picked")
    assert "hidden" not in bar.attributes
    assert bar.text.startswith("P2 is marked in the pictures and in the table.")
    assert "hidden" in page_of(site, "master_worker").where(id="picked")[0].attributes


def test_a_window_of_the_period_stands_in_the_address(site: Site) -> None:
    def moves(page: Element) -> dict[str, str]:
        (figure,) = page.where(id="picture-gantt")
        shown = figure.where(class_="window")
        return {one.text: one.attributes["href"] for part in shown for one in part.all("a")}

    asked_for = page_of(site, "master_worker", sort="name", **{"from": "10", "to": "30"})
    (window,) = [form for form in asked_for.all("form") if form.where(name="from")]
    sent = {one.attributes["name"]: one.attributes["value"] for one in window.all("input")}
    assert sent == {"sort": "name", "from": "10", "to": "30"}
    whole = moves(page_of(site, "master_worker", sort="name"))
    assert whole == {"Closer": "?sort=name&from=10&to=30#picture-gantt"}
    part = page_of(site, "master_worker", **{"from": "10", "to": "30"})
    assert moves(part) == {
        "Earlier": "?from=0&to=20#picture-gantt",
        "Later": "?from=20&to=40#picture-gantt",
        "Closer": "?from=15&to=25#picture-gantt",
        "Wider": "?from=0&to=40#picture-gantt",
        "Whole": "?#picture-gantt",
    }
    for dates in ({"from": "50", "to": "60"}, {"from": "x"}, {"from": "3", "to": "3"}):
        told = page_of(site, "master_worker", **dates)
        assert "All of it is shown." in told.where(id="picture-gantt")[0].text


def test_a_lane_is_marked_with_its_row(site: Site) -> None:
    page = page_of(site, "master_worker", resource="processor:P2")
    (figure,) = page.where(id="picture-gantt")
    lanes = [one for one in figure.all("g") if "lane" in one.attributes.get("class", "")]
    assert len(lanes) > sum("data-on" in one.attributes for one in lanes) == 3 * 2


def test_odd_ids_are_text_in_the_picture_of_a_page(site: Site) -> None:
    page = page_of(site, "hostile")
    (figure,) = page.where(id="picture-platform")
    assert {one.attributes["href"][0] for one in figure.one("svg").all("a")} == {"?"}
    keys = json.loads(figure.attributes["data-keys"])
    assert {f"processor:{name}" for name in HOSTILE} <= {*keys}


@pytest.mark.parametrize("name", ["figure 3", "griffon"])
def test_a_picture_in_a_page_is_small_and_has_no_style(name: str) -> None:
    report = figure_3()
    if name == "griffon":
        report = reported(
            {
                "kind": "master_worker",
                "platform": imported("griffon"),
                "master": "griffon-1.nancy.grid5000.fr",
                "task": {"work": 10**10, "input_size": 10**7},
                "ports": "multiport",
            }
        )
    found = platform_figure.job_figure(
        report, resource_list(report), [], None, lambda key: f"?{key}"
    )
    assert found is not None
    assert len(found.svg.encode()) + len(found.keys) < (6_000 if name == "figure 3" else 14_000)
    assert " style=" not in found.svg
    assert "<script" not in found.svg
    assert found.limits


@pytest.mark.parametrize("kind", PROBLEMS)
def test_captions_of_pictures_begin_as_sentences(site: Site, kind: str) -> None:
    for figure in page_of(site, kind).all("figure"):
        caption = figure.one("figcaption").text
        assert not caption[0].islower(), caption
