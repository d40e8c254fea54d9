"""Whatever came of a job, its page says so first, in the words of the command line."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.db.engine import Database
from app.pages.words import NO_PICTURES
from tests.browser.conftest import watched
from tests.browser.visits import Visit, expect
from tests.environment import bare
from tests.http.processes import Served, served
from tests.pages.site import answered, claimed, example, posted
from tests.tree import ROOT

pytestmark = pytest.mark.browser

WITHOUT_THE_EXTRA = """
import importlib.util

find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: (
    None if name in ("altair", "vl_convert") else find_spec(name, package)
)
"""
"""What Python runs as it starts, so that no process finds the libraries that draw."""


def body(name: str, **changes: Any) -> dict[str, Any]:
    """Give an example with other members of its problem."""
    found = json.loads((ROOT / "examples" / f"{name}.json").read_text(encoding="utf-8"))
    return {**found, "problem": {**found["problem"], **changes}}


def apart() -> dict[str, Any]:
    """Leave all links out."""
    found = body("rr4870-figure-9")
    found["problem"]["platform"]["links"] = []
    return found


def verdict(asked: Mapping[str, Any], folder: Path) -> str:
    """Solve on the command line, and give what the verdict rests on."""
    path = folder / "body.json"
    path.write_text(json.dumps(dict(asked)), encoding="utf-8")
    program = Path(sys.executable).with_name("steadygrid")
    said = subprocess.run(
        [program, "solve", path], env=bare(), capture_output=True, text=True, check=False
    )
    paragraph, *_ = said.stdout.partition(")\n")[2].split("\n\n")
    return " ".join(paragraph.split()).partition(": ")[2]


@pytest.mark.parametrize(
    ("asked", "sentence", "standing"),
    [
        (apart(), None, "Impossible: {}."),
        (
            body("three-sites-broadcast", method="upper_bound"),
            "The bound is 3/100 = 0.03.",
            "Only a bound, as was asked; {}.",
        ),
        (
            body("microscope", method="simple_greedy"),
            "1 instance every 14 s: 1/14 ≈ 0.0714286 instances per s.",
            "The best found; at most 40 % more is possible; {}.",
        ),
    ],
    ids=["infeasible", "bound_only", "feasible"],
)
def test_the_first_sentence_is_that_of_the_command_line(
    visit: Visit, tmp_path: Path, asked: dict[str, Any], sentence: str | None, standing: str
) -> None:
    page = visit.page
    visit.go(visit.solved(asked))
    expected = [*filter(None, [sentence]), standing.format(verdict(asked, tmp_path))]
    schedule = page.locator(".tabs").get_by_role("link", name="Schedule")
    if schedule.count():
        schedule.click()
        page.wait_for_url("**/schedule")
    assert page.locator("#the-answer .answer, .standing").all_inner_texts() == expected
    for figure in page.locator("figure[data-picture]").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".drawing :is(svg, canvas)").first).to_be_visible()


@pytest.fixture(scope="module")
def bare_service(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run the API alone, where nothing that draws is installed."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "sitecustomize.py").write_text(WITHOUT_THE_EXTRA, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with served(folder, covered=False) as running:
            yield running


def test_without_what_draws_platform_and_period_are_there_and_a_hint(
    browser: Any, bare_service: Served
) -> None:
    """Jobs that have failed or were cancelled say so there like anywhere else."""
    with watched(browser, bare_service) as visits:
        _look_at(visits(), bare_service)


def _look_at(visit: Visit, service: Served) -> None:
    page = visit.page
    asked = body("rr4870-figure-3")
    database = Database.open(f"sqlite:///{service.log.parent}/data/steadygrid.db")
    with httpx2.Client(base_url=visit.base) as client:
        solved = answered(client, database, asked, example("master_worker"))
        failed, cancelled = posted(client, asked), posted(client, asked)
        taken = claimed(database)
        assert taken.job_id == failed
        with database.write_all() as unit:
            unit.queue.fail(taken, {"code": "out_of_memory", "detail": "It took <4 GiB>."})
        client.post(f"/v1/jobs/{cancelled}/cancel")
        platform = client.post("/v1/platforms", json=asked["problem"]["platform"]).json()["id"]
        refused = client.get(f"/v1/jobs/{solved}/pictures/gantt.svg")
        assert (refused.status_code, refused.json()["code"]) == (501, "pictures_not_installed")
    database.close()
    for path, written, hints in ((f"/jobs/{solved}", 2, 1), (f"/platforms/{platform}", 1, 0)):
        if hints:
            visit.go(f"{path}/schedule")
        expect(page.get_by_text(NO_PICTURES)).to_have_count(hints)
        visit.go(path)
        expect(page.locator("main table").first).to_be_visible()
        expect(page.locator("figure svg:visible")).to_have_count(written)
        expect(page.locator("figure")).to_have_count(written)
    for own, sentence in (
        (failed, "Failed: It took <4 GiB>."),
        (cancelled, "Cancelled: there is no answer."),
    ):
        visit.go(f"/jobs/{own}")
        expect(page.locator("#the-answer .answer")).to_have_text(sentence)
