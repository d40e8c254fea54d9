"""Pages that are open while a worker or the whole service dies say what becomes of the job."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, Visits, expect
from tests.http.processes import Served, served
from tests.integration.drills import children_of, command_of

pytestmark = [pytest.mark.browser, pytest.mark.long_browser]

KNOWS_THE_ANSWER: dict[str, Any] = {"pipeline": "tests.integration.known_answer"}
"""It waits as a job's labels say, so that nothing here depends on how fast a machine is."""


def until(file: Path) -> Mapping[str, Any]:
    """Give a body whose solve waits for a file."""
    labels = {"do": "until", "file": str(file)}
    return dict(PROBLEMS["master_worker"].example) | {"labels": labels}


def serving(folder: Path, port: int | None = None) -> AbstractContextManager[Served]:
    return served(folder, "serve", covered=False, port=port, **KNOWS_THE_ANSWER)


def kill_worker(service: Served) -> None:
    (worker,) = (
        pid for pid in children_of(service.process.pid) if "workers.embedded" in command_of(pid)
    )
    os.kill(worker, signal.SIGKILL)


def answer(visit: Visit) -> Any:
    return visit.page.locator("#the-answer")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Services end when no browser shows their pages any more."""
    with ExitStack() as stack:
        yield stack


def test_a_job_whose_worker_is_killed_waits_again_and_then_succeeds(
    stack: ExitStack, visits: Visits, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    service = stack.enter_context(serving(tmp_path))
    visit = visits(f"http://127.0.0.1:{service.port}")
    job = visit.post("/v1/jobs", until(first))["id"]
    visit.go(f"/jobs/{job}")
    expect(answer(visit)).to_contain_text("At work")
    # A job that has failed once is claimed after those that have not.
    visit.post("/v1/jobs", until(second))
    kill_worker(service)
    expect(answer(visit)).to_have_attribute("data-state", "queued")
    expect(answer(visit)).to_contain_text("Waiting again, since attempt 1 was broken off")
    second.touch()
    expect(answer(visit)).to_contain_text("At work, in attempt 2")
    first.touch()
    expect(answer(visit)).to_have_attribute("data-state", "succeeded")
    expect(visit.page.locator("main")).to_contain_text("(attempt 2)")


def test_pages_go_on_where_they_were_when_the_service_comes_back(
    stack: ExitStack, visits: Visits, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    service = stack.enter_context(serving(tmp_path))
    visit = visits(f"http://127.0.0.1:{service.port}")
    job = visit.post("/v1/jobs", until(file))["id"]
    visit.go(f"/jobs/{job}")
    expect(answer(visit)).to_contain_text("At work")
    jobs = visit.beside("/jobs")
    with visit.faults.outage():
        service.process.kill()
        service.process.wait()
        stack.enter_context(serving(tmp_path, service.port))
        expect(answer(visit)).to_contain_text("At work, in attempt 2")
        other = visit.post("/v1/jobs", until(file))["id"]
        rows = jobs.page.locator("tr[data-job]")
        expect(rows).to_have_count(2)
    file.touch()
    for row in rows.all():
        expect(row).to_have_attribute("data-state", "succeeded")
    told = rows.evaluate_all("rows => rows.map((row) => row.dataset.job)")
    assert told == [other, job]
    expect(answer(visit)).to_have_attribute("data-state", "succeeded")
