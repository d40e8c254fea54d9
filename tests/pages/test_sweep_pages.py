"""Pages of sweeps: how far they are, what varies, what came of it, and how to begin one."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from app.main import create_app
from app.pages import words
from steadygrid.domain.job import JobState
from tests.http.conftest import quiet
from tests.pages.markup import Element, read
from tests.pages.site import PAGE, Site, claimed, star
from tests.solved import solve

SPEEDS = ["1/2", 1, 2]
NAME = "<b>speeds</b>"
F = Fraction


class Swept:
    """A service with one sweep of six jobs, the first four of which have ended."""

    def __init__(self, client: TestClient, database: Database) -> None:
        self.client, self.database = client, database
        self.id = client.post(
            "/v1/sweeps", json=body(), headers={"Content-Type": "application/json"}
        ).json()["id"]
        for _ in range(3):
            self.answer()
        taken = claimed(database)
        with database.write_all() as unit:
            unit.queue.fail(taken, {"code": "out_of_memory", "detail": "It needed too much."})

    def answer(self) -> None:
        taken = claimed(self.database)
        asked = self.client.get(f"/v1/jobs/{taken.job_id}/instance").json()
        result, schedule = solve(asked)
        packed = pack_schedule(schedule)
        document = result.model_dump(mode="json") | {"schedule": packed.id}
        members = (document[name] for name in ("objective", "bound", "gap"))
        with self.database.write_all() as unit:
            unit.queue.succeed(taken, Found(result.outcome, *members), pack(document), packed)

    def page(self, path: str = "") -> Element:
        answer = self.client.get(f"/sweeps/{self.id}{path}", headers=PAGE)
        assert answer.status_code == 200, answer.text
        return read(answer.text)


def body() -> dict[str, Any]:
    return {
        "name": "two things vary",
        "template": star(("A", "B")),
        "parameters": [
            {"name": "links", "scale": ["/problem/platform/links/*/unit_time"], "values": [1, 2]},
            {
                "name": NAME,
                "scale": ["/problem/platform/processors/*/unit_time"],
                "values": SPEEDS,
            },
        ],
    }


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Swept]:
    folder = tmp_path_factory.mktemp("sweeps")
    settings = quiet(f"sqlite:///{folder / 'steadygrid.db'}", folder)
    with TestClient(create_app(settings), base_url="http://localhost:8000") as client:
        database = Database.open(settings.effective_database_url)
        yield Swept(client, database)
        database.close()


def test_the_page_says_how_far_the_sweep_is(swept: Swept) -> None:
    page = swept.page()
    assert page.where(class_="standing")[0].text.startswith("4 of 6 jobs done, 1 failed, about ")
    # Times of 3, 10 and 11, twice and half as long: the links are never busy all the time.
    least, greatest = (sum(F(1) / (time * scale) for time in (3, 10, 11)) for scale in (2, F(1, 2)))
    assert " ".join(page.where(class_="answer")[0].text.split()) == (
        f"The throughput goes from {least} ≈ 0.262121 to {greatest} ≈ 1.04848 over 3 combinations."
        f" It is best with links = 1, {NAME} = 1/2."
    )
    assert page.one("progress").attributes["value"] == "4"
    main = page.where(id="content")[0]
    assert main.attributes["data-follow"] == f"/v1/sweeps/{swept.id}/events"
    assert [
        one.attributes["data-act"] for one in page.all("button") if "data-sweep" in one.attributes
    ] == [
        "retry",
        "cancel",
    ]


def test_the_table_is_the_one_that_programs_get(swept: Swept) -> None:
    rows = swept.page().all("tbody")[-1].all("tr")
    told = list(
        csv.DictReader(io.StringIO(swept.client.get(f"/v1/sweeps/{swept.id}/table.csv").text))
    )
    assert len(rows) == len(told) == 6
    for row, line in zip(rows, told, strict=True):
        cells = [cell.text for cell in row.all("td")]
        assert row.attributes["data-job"] == line["job"]
        assert row.one("th").text == line["index"]
        assert cells[:2] == [line["links"], line[NAME]]
        assert cells[2] == line["state"]
        assert cells[4].startswith(line["value"])
    assert [line["state"] for line in told] == [*["succeeded"] * 3, "failed", *["queued"] * 2]
    assert Fraction(told[0]["value"]) > Fraction(told[2]["value"])


def test_what_varies_is_text(swept: Swept) -> None:
    page = swept.page()
    first, second = page.all("tbody")[0].all("tr")
    assert (first.one("th").text, second.one("th").text) == ("links", NAME)
    assert [cell.text for cell in second.all("td")] == [
        "multiplies",
        "/problem/platform/processors/*/unit_time",
        "1/2, 1, 2",
    ]


def test_its_picture_has_the_axes_that_are_asked_for(swept: Swept) -> None:
    pytest.importorskip("altair")
    page = swept.page(f"?x=links&y={NAME}")
    figure = page.one("figure")
    assert figure.attributes["data-query"] == "x=links&y=%3Cb%3Espeeds%3C%2Fb%3E"
    source = page.one("img").attributes["src"]
    assert swept.client.get(source).headers["Content-Type"].startswith("image/svg+xml")
    usual = swept.client.get(f"{figure.attributes['data-picture']}.vega").json()
    turned = swept.client.get(f"{figure.attributes['data-picture']}.vega?x=links").json()
    assert len(usual["datasets"]["cells"]) == 6
    assert usual["datasets"] != turned["datasets"]
    wrong = swept.client.get(f"{figure.attributes['data-picture']}.vega?x=nothing")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_request")


def test_a_job_of_a_sweep_leads_back_to_it(swept: Swept) -> None:
    job = swept.page().all("tbody")[-1].all("tr")[1].attributes["data-job"]
    page = read(swept.client.get(f"/jobs/{job}", headers=PAGE).text)
    crumb = page.where(class_="crumb")[0]
    assert crumb.text == "Sweep, job 1"
    assert crumb.one("a").attributes["href"] == f"/sweeps/{swept.id}"


def test_sweeps_are_listed_and_stand_on_the_first_page(swept: Swept) -> None:
    for path in ("/sweeps", "/"):
        page = read(swept.client.get(path, headers=PAGE).text)
        (row,) = [row for row in page.all("tr") if row.attributes.get("data-job") == swept.id]
        assert row.one("th").text == "two things vary"


def test_a_sweep_begins_with_a_job(site: Site) -> None:
    for kind, job in site.jobs.items():
        if kind not in ("master_worker", "task_graph", "cell", "dataflow"):
            continue
        answer = site.client.get(f"/new?job={job}&vary=true", headers=PAGE)
        draft = json.loads(read(answer.text).where(id="body")[0].text)
        checked = site.client.post("/v1/sweeps?validate_only=true", json=draft)
        assert checked.status_code == 200, checked.text
        assert checked.json()["jobs"] > 1


def test_what_is_left_is_told_in_a_fitting_unit(swept: Swept) -> None:
    with swept.database.read("local") as unit:
        record = unit.sweeps.get(swept.id)
    later = {
        timedelta(seconds=8): "about 4 s left",
        timedelta(hours=1): "about 30 minutes left",
        timedelta(days=8): "about 4 days left",
    }
    for passed, said in later.items():
        assert words.sweep(record, record.created_at + passed).endswith(said)
    assert record.counts[JobState.FAILED] == 1


def test_an_unknown_sweep_is_a_page(swept: Swept) -> None:
    answer = swept.client.get("/sweeps/swp_" + "0" * 32, headers=PAGE)
    assert answer.status_code == 404
    assert read(answer.text).where(class_="answer")[0].text == "There is no such sweep."
