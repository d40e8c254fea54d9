"""Pages of studies: what would help, what is kept, and the forms that ask for both."""

import json
import re
import shlex
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from steadygrid.kinds import PROBLEMS
from tests.pages.conftest import sited
from tests.pages.markup import Element, read
from tests.pages.site import HOSTILE, PAGE, Site, claimed, posted
from tests.solved import solve


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a service of its own, whose jobs are answered here."""
    yield from sited(tmp_path_factory.mktemp("studies"))


def page(site: Site, path: str) -> Element:
    answer = site.client.get(path, headers=PAGE)
    assert answer.status_code == 200, answer.text
    return read(answer.text)


FORMS = ("/what-if", "/changes")
"""Tabs of the page of a job that ask something."""


def section(page: Element, name: str) -> Element:
    (found,) = page.where(**{"aria-labelledby": name})
    return found


def form_of(page: Element) -> Element:
    (found,) = [one for one in page.all("form") if "data-study" in one.attributes]
    return found


def rows(table: Element) -> list[list[str]]:
    body = table.one("tbody").all("tr")
    return [[cell.text for cell in (*row.all("th"), *row.all("td"))] for row in body]


def answer(site: Site, job: str) -> None:
    """Answer jobs as a worker does, up to one of them."""
    while True:
        taken = claimed(site.database)
        result, schedule = solve(site.client.get(f"/v1/jobs/{taken.job_id}/instance").json())
        packed = None if schedule is None else pack_schedule(schedule)
        document = result.model_dump(mode="json") | {"schedule": packed and packed.id}
        members = (document[name] for name in ("objective", "bound", "gap"))
        with site.database.write_all() as unit:
            unit.queue.succeed(taken, Found(result.outcome, *members), pack(document), packed)
        if taken.job_id == job:
            return


def asked(site: Site, study: str, body: Any) -> Any:
    job = site.jobs["master_worker"]
    answer = site.client.post(f"/v1/jobs/{job}/{study}", json=body)
    assert answer.status_code == 202, answer.text
    return answer.json()


def test_upgrades_stand_in_the_order_of_what_they_bring(site: Site) -> None:
    sweep = asked(site, "what-if", {})
    before = page(site, f"/sweeps/{sweep['id']}")
    assert "solved" in before.where(id="best")[0].text
    answer(site, sweep["upgrades"][-1]["job"])
    whole = page(site, f"/sweeps/{sweep['id']}")
    shown = section(whole, "help")
    told = site.client.get(f"/v1/sweeps/{sweep['id']}").json()
    listed = rows(shown.one("table"))
    bounds = [Fraction(one["at_most"]) for one in told["upgrades"]]
    assert bounds == sorted(bounds, reverse=True)
    first = rows(section(before, "help").one("table"))
    assert [row[0] for row in first] == [one["resource"] for one in told["upgrades"]]
    # What the sentence calls the best is the first row, though its price promises less.
    assert [row[0] for row in listed] == [one["resource"] for one in told["upgrades"][::-1]]
    assert listed[0][0] == told["best"] == "P1.compute"
    for row, one in zip(listed, told["upgrades"][::-1], strict=True):
        assert row[3].startswith(f"{one['at_most']} = ")
        assert " at most " in row[3]
        assert row[4].startswith(one["exact"])
        assert row[5] == "succeeded"
    assert listed[-1][4].endswith("as now")
    assert told["proved_best"] is True
    assert whole.where(id="best")[0].text == (
        "P1.compute, 2 times as fast, brings 4.8 % more throughput. Nothing else that is listed"
        " brings more."
    )
    assert "gain" not in shown.text


def test_a_replan_says_what_is_kept_and_advises(site: Site) -> None:
    body = {"measured": {"processors": {"P2": {"speed": "1/2"}}}, "scale": True}
    replan = asked(site, "replan", body)
    before = page(site, f"/replans/{replan['id']}")
    follow = before.where(id="content")[0].attributes["data-follow"]
    assert follow == f"/v1/jobs/{replan['job']}/events"
    assert before.where(class_="answer")[0].text.endswith("is being sought.")
    answer(site, replan["job"])
    shown = page(site, f"/replans/{replan['id']}")
    assert "data-follow" not in shown.where(id="content")[0].attributes
    assert shown.where(class_="answer")[0].text == "Change to the new schedule."
    told = site.client.get(f"/v1/replans/{replan['id']}").json()
    planned, slots, shares, best = rows(section(shown, "kept").one("table"))
    assert planned[1] == "21/40 = 0.525"
    assert slots[1:] == shares[1:] == ["21/80 = 0.2625", "56.8 %", "P2 computes all the time"]
    assert best[:2] == ["the best now", f"{told['optimum']['value']} = 0.4625"]
    assert rows(section(shown, "measured").one("table")) == [["P2", "speed", "1/2 = 0.5"]]
    listed = page(site, f"/jobs/{site.jobs['master_worker']}/changes")
    assert f"/replans/{replan['id']}" in [a.attributes["href"] for a in listed.all("a")]
    for place in (listed, page(site, "/replans")):
        (row,) = place.where(id=replan["id"])
        assert row.all("td")[0].text == "Change to the new schedule."


def test_the_form_names_what_may_have_changed_the_busiest_first(site: Site) -> None:
    form = form_of(page(site, f"/jobs/{site.jobs['hostile']}/changes"))
    shares = [in_use(row[3]) for row in rows(form.one("table"))]
    assert shares == sorted(shares, reverse=True)
    fields = {one.attributes["data-at"]: one for one in form.all("input")}
    for name in HOSTILE:
        step = name.replace("~", "~0").replace("/", "~1")
        assert f"#/measured/processors/{step}/speed" in fields
    ends = [
        json.loads(one.attributes["data-entry"])["target"]
        for one in form.all("input")
        if "data-entry" in one.attributes
    ]
    assert sorted(ends) == sorted(HOSTILE)


def test_what_was_measured_is_found_by_its_name_with_its_unit(site: Site) -> None:
    body = json.loads((EXAMPLES / "three-sites-broadcast.json").read_text())
    units = body["problem"]["platform"]["units"] = {"data": "GB", "time": "s"}
    own = posted(site.client, body)
    answer(site, own)
    shown = rows(section(page(site, f"/jobs/{own}/changes?find=LYON-3"), "changed").one("table"))
    assert shown
    for row in shown:
        assert "Lyon-3" in row[0]
        assert row[1] == f"{units['data']}/{units['time']}"
        assert row[2].endswith(f" {row[1]}")
    none = page(site, f"/jobs/{own}/changes?find=nothing")
    assert section(none, "changed").all("tbody")[0].all("tr") == []


def in_use(text: str) -> Fraction:
    """Read how much a row says is in use; of both directions the greater."""
    return max(Fraction(share) for share in re.findall(r"([0-9.]+) %", text))


@pytest.mark.parametrize("name", ["bound_only", "infeasible", "failed", "running"])
def test_nothing_is_asked_about_a_job_without_a_value(site: Site, name: str) -> None:
    for tab in ("", *FORMS):
        shown = page(site, f"/jobs/{site.jobs[name]}{tab}")
        assert [one for one in shown.all("form") if "data-study" in one.attributes] == []


def test_only_schedules_that_repeat_are_measured(site: Site) -> None:
    for kind in PROBLEMS:
        shown = [page(site, f"/jobs/{site.jobs[kind]}{tab}") for tab in FORMS]
        found = [
            one.attributes["data-study"]
            for part in shown
            for one in part.all("form")
            if "data-study" in one.attributes
        ]
        offered = f"/v1/jobs/{site.jobs[kind]}/replan" in found
        checked = site.client.post(
            f"/v1/jobs/{site.jobs[kind]}/replan?validate_only=true", json={"measured": {}}
        )
        assert offered is (checked.status_code == 200), (kind, checked.text)
        helped = site.client.post(f"/v1/jobs/{site.jobs[kind]}/what-if?validate_only=true", json={})
        if f"/v1/jobs/{site.jobs[kind]}/what-if" not in found:
            assert helped.status_code != 200, (kind, helped.text)


EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def switched(site: Site) -> str:
    """Answer a broadcast over links that end at switches, which have no ports and no speeds."""
    body = json.loads((EXAMPLES / "three-sites-broadcast.json").read_text())
    own = posted(site.client, body)
    answer(site, own)
    return own


def test_a_link_is_as_busy_as_the_port_that_it_ends_at(site: Site, switched: str) -> None:
    """Each direction by itself: a master may fill one of them and leave the other empty."""
    shown = page(site, f"/jobs/{switched}")
    told = {row[0]: row[2] for row in rows(section(shown, "resources").one("table"))}
    listed = rows(form_of(page(site, f"/jobs/{switched}/changes")).one("table"))
    links = {row[0].removesuffix(" bandwidth"): row[3] for row in listed}
    assert "sends 96 %" in told["Lyon-3"]
    assert links["Lyon-3 \N{LEFT RIGHT ARROW} Lyon-gate"].startswith("\N{RIGHTWARDS ARROW} 96 %")
    shares = [in_use(row[3]) for row in listed]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("name", [*PROBLEMS, "hostile", "switched"])
def test_the_line_that_is_printed_for_scripts_is_accepted(
    site: Site, switched: str, name: str
) -> None:
    own = switched if name == "switched" else site.jobs[name]
    shown = [page(site, f"/jobs/{own}{tab}") for tab in FORMS]
    codes = [one.text for part in shown for one in part.all("code")]
    printed = [one for one in codes if re.search("/(replan|what-if) ", one)]
    for words in map(shlex.split, printed):
        body = json.loads(words[words.index("-d") + 1])
        told = site.client.post(f"{words[2]}?validate_only=true", json=body)
        assert told.status_code == 200, (body, told.text)
        assert "factor" in body or any(body["measured"].values())
