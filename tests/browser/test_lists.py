"""A list of 2,000 jobs: counted, turned round, searched, and some of them deleted."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from app.db.engine import Database
from app.db.models import jobs
from app.db.new_jobs import new_job_id
from tests.acceptance.grids import figure_3
from tests.browser.visits import Visits, expect

pytestmark = pytest.mark.browser

JOBS = 2_000
MOST_BYTES = 100_000
"""Of the page, before it is compressed."""

LINES = """(times) => times.map(
    (one) => Math.round(one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight))
)"""
"""In how many lines each is written."""


def copied(folder: Path, job_id: str) -> None:
    """Let the list have the same job again and again, under other names."""
    database = Database.open(f"sqlite:///{folder / 'data' / 'steadygrid.db'}")
    with database.engine.connect() as connection, connection.begin():
        row: Any = connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().one()
        named = [{"id": new_job_id(), "name": f"number {i}"} for i in range(1, JOBS)]
        connection.execute(insert(jobs), [{**row, **one} for one in named])
    database.close()


def test_two_thousand_jobs_are_counted_searched_and_deleted(
    empty_visits: Visits, tmp_path: Path
) -> None:
    visit = empty_visits(viewport={"width": 1440, "height": 900})
    page = visit.page
    job = visit.post("/v1/jobs", figure_3() | {"name": "number 0"})["id"]
    visit.post(f"/v1/jobs/{job}/cancel", {})
    copied(tmp_path, job)
    answer = page.goto(f"{visit.base}/jobs")
    assert len(answer.body()) <= MOST_BYTES
    expect(page.locator("#total")).to_contain_text("2,000 jobs, the newest first")
    first = page.locator(".jobs tbody .name a").first
    expect(first).to_have_text("number 1999")
    # Where the table is narrow, a row is as high as its date and its time of day.
    page.set_viewport_size({"width": 800, "height": 900})
    assert max(page.locator(".jobs tbody time").evaluate_all(LINES)) == 2
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="Begin with the oldest").click()
    expect(first).to_have_text("number 0")
    page.get_by_label("Name or id contains").fill("number 199")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#total")).to_contain_text("11 jobs, the oldest first")
    expect(page.locator(".jobs tbody tr")).to_have_count(11)
    expect(first).to_have_text("number 199")
    for name in ("number 199", "number 1990", "number 1999"):
        page.get_by_label(f"tick {name}", exact=True).check()
    page.get_by_role("button", name="Delete those that are ticked").click()
    # What happens meanwhile does not take the question back.
    other = visit.post("/v1/jobs", figure_3() | {"name": "number 1999 again"})["id"]
    expect(page.locator("#total")).to_contain_text("12 jobs")
    page.get_by_role("button", name="Delete 3 for ever").click()
    expect(page.locator("p.done")).to_have_text("Deleted: 3 jobs.")
    expect(page.locator("#total")).to_contain_text("9 jobs")
    page.get_by_role("link", name="All jobs").click()
    expect(page.locator("#total")).to_contain_text("1,998 jobs")
    visit.post(f"/v1/jobs/{other}/cancel", {})
