"""The one table of resources on the page of a job, as the server writes it: no script is needed."""

from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.main import create_app
from steadygrid.kinds import PROBLEMS
from tests.http.conftest import quiet
from tests.pages.markup import Element, read
from tests.pages.site import HOSTILE, PAGE, Site, answered
from tests.solved import solve


def page_of(site: Site, name: str, **query: str) -> Element:
    got = site.client.get(f"/jobs/{site.jobs[name]}", params=query, headers=PAGE)
    assert got.status_code == 200, got.text
    return read(got.text)


def table_of(page: Element) -> Element:
    (found,) = page.where(class_="resources")
    return found


def names(page: Element) -> list[str]:
    return [row.all("a")[0].text for row in table_of(page).one("tbody").all("tr")]


def test_an_open_row_leads_to_its_neighbourhood(site: Site) -> None:
    page = page_of(site, "master_worker", resource="link:P2->P4", sort="name")
    (bar,) = page.where(id="picked")
    link, _ = bar.all("a")
    assert link.text == "Neighbourhood"
    query = dict(parse_qsl(urlsplit(link.attributes["href"]).query))
    assert query == {"resource": "link:P2->P4", "sort": "name", "around": "P2"}
    near = page_of(site, "master_worker", **query)
    (drawn,) = near.where(id="picture-platform")
    assert "3 of 4 processors and switches: those within 1 link of P2" in drawn.text
    files = [one.attributes["href"] for one in drawn.all("a") if ".svg" in one.attributes["href"]]
    assert files == [
        f"/v1/jobs/{site.jobs['master_worker']}/pictures/platform.svg?around=P2&hops=1"
    ]
    saved = site.client.get(files[0]).headers["Content-Disposition"]
    assert saved.endswith('-platform-P2-1.svg"')
    moves = [one.attributes["href"] for one in drawn.where(class_="plain")]
    assert "hops=3" in moves[2]
    assert "around" not in moves[3]
    assert "sort=name" in moves[3]
    own = f"/jobs/{site.jobs['master_worker']}"
    for wrong, code in (("P9", "unknown_processor"), ("P2&hops=4", "less_than_equal")):
        refused = site.client.get(f"{own}?around={wrong}")
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["code"] == code


def test_what_limits_comes_first_with_what_hangs_on_it(site: Site) -> None:
    page = page_of(site, "master_worker")
    first, *others = table_of(page).one("tbody").all("tr")
    assert first.one("th").text == "P1 limits"
    assert first.all("td")[-1].text == "100 %"
    assert others
    assert all(not row.where(class_="limiter") for row in others)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_the_page_and_the_api_list_the_same_rows(site: Site, kind: str) -> None:
    page = page_of(site, kind)
    told = site.client.get(f"/v1/jobs/{site.jobs[kind]}/resources", params={"limit": 50})
    if told.status_code == 404:
        assert page.where(class_="resources") == []
        return
    labels = [" ".join(item["label"].split()) for item in told.json()["items"]]
    assert names(page) == labels


def test_the_address_opens_a_row_and_another_click_clears_it(site: Site) -> None:
    page = page_of(site, "master_worker", resource="processor:P2", sort="name")
    (chosen,) = page.where(id="chosen")
    link = chosen.all("a")[0]
    assert link.text == "P2"
    assert link.attributes["aria-current"] == "true"
    assert "resource=" not in link.attributes["href"]
    assert "sort=name" in link.attributes["href"]
    assert "receives 3/4 = 0.75" in chosen.text
    assert page_of(site, "master_worker", resource="P2").where(id="chosen")
    assert names(page) == sorted(names(page))


def test_a_resource_that_is_not_there_is_said_to_be_missing(site: Site) -> None:
    page = page_of(site, "master_worker", resource=HOSTILE[1])
    assert "nothing is marked" in page.text
    assert page.where(id="chosen") == []


def test_only_what_limits_and_what_is_found_is_shown(site: Site) -> None:
    assert names(page_of(site, "master_worker", only="limits")) == ["P1"]
    found = names(page_of(site, "master_worker", find="p4"))
    assert found
    assert all("P4" in name for name in found)


def test_hostile_names_select_their_rows(site: Site) -> None:
    for name in HOSTILE:
        (chosen,) = page_of(site, "hostile", resource=f"processor:{name}").where(id="chosen")
        assert chosen.all("a")[0].attributes["aria-current"] == "true"


def test_what_is_in_use_is_the_same_in_the_table_and_in_the_form(site: Site) -> None:
    path = f"/jobs/{site.jobs['master_worker']}/changes"
    page = read(site.client.get(path, headers=PAGE).text)
    (form,) = [one for one in page.all("form") if one.attributes.get("data-to") == "/replans"]
    rows = {row.one("th").text: row.all("td")[-1].text for row in form.one("tbody").all("tr")}
    told = site.client.get(f"/v1/jobs/{site.jobs['master_worker']}/resources?show=all").json()
    busy = {item["key"]: Fraction(item["ports"][0]["busy"]) for item in told["items"]}
    assert busy["link:P1->P2"] == Fraction(3, 4)
    assert busy["link:P2->P1"] == 0
    assert (
        rows["P1 \N{LEFT RIGHT ARROW} P2 bandwidth"]
        == "\N{RIGHTWARDS ARROW} 75 %, \N{LEFTWARDS ARROW} 0 %"
    )


def test_a_switch_forwards(tmp_path: Path) -> None:
    """Its row has no number: it says why it stands there."""
    body: dict[str, Any] = {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [{"id": "M"}, {"id": "hub", "switch": True}, {"id": "W", "speed": 1}],
                "links": [
                    {"source": "M", "target": "hub", "bandwidth": 1},
                    {"source": "hub", "target": "W", "bandwidth": 1},
                ],
            },
            "master": "M",
            "task": {"work": 1, "input_size": 1},
        }
    }
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path)
    with TestClient(create_app(settings), base_url="http://localhost:8000") as client:
        database = Database.open(settings.effective_database_url)
        job = answered(client, database, body, solve(body))
        page = read(client.get(f"/jobs/{job}", headers=PAGE).text)
        database.close()
    rows = {row.all("a")[0].text: row.all("td")[1].text for row in table_of(page).all("tr")[1:]}
    assert rows["hub"] == "forwards"
    assert [name for name, use in rows.items() if use == "forwards"] == ["hub"]


def test_where_nothing_is_in_use_there_is_no_table(site: Site) -> None:
    assert page_of(site, "infeasible").where(class_="resources") == []
    # An address that asks for rows gets to know that there are none.
    assert table_of(page_of(site, "infeasible", find="P")).one("tbody").all("tr") == []
