"""Pages: the first one and the list with many jobs, and a Gantt chart of as many bars as are drawn."""

import json
import shutil
import statistics
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from sqlalchemy import insert

from app.db.engine import Database
from app.db.models import jobs
from app.db.new_jobs import new_job_id
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.mono_allocation_scenarios import read_grid
from benchmarks.service import EXAMPLE, connect, queued_row, request, served

JOBS = 10_000
LOOKS = 20
STAGES, FIRINGS = 11, 332
"""A chart shows three iterations: 10,956 firings of stages, and 3 of their source."""


def measure() -> Iterator[Measurement]:
    """Serve with a worker; look at pages again and again, then draw in a browser."""
    with served() as service:
        _solve(service.port, json.loads(EXAMPLE.read_bytes()))
        database = Database.open(service.database)
        with database.engine.connect() as connection, connection.begin():
            row = queued_row()
            row |= {"state": "cancelled", "finished_at": row["created_at"]}
            connection.execute(insert(jobs), [row | {"id": new_job_id()} for _ in range(JOBS)])
        database.close()
        for path, name in (("/", "first page"), ("/jobs", "list")):
            seconds = _median(service.port, path)
            yield Measurement(
                f"{name} with {JOBS:,} jobs, median", 1000 * seconds, "ms", claim=1000
            )
        grid = _solve(service.port, _grid())
        seconds = _median(service.port, grid)
        yield Measurement("job's page, all of Grid'5000", 1000 * seconds, "ms", claim=3000)
        own = _solve(service.port, _pipeline())
        seconds = _median(service.port, own)
        yield Measurement(f"job's page, {STAGES + 1} actors", 1000 * seconds, "ms")
        path = f"/v1{own}/pictures/gantt.vega"
        for what in ("first", "again"):
            with stopwatch() as watch:
                _get(service.port, path)
            yield Measurement(
                f"Gantt chart of 10,959 bars, specification, {what}", watch.seconds, "s"
            )
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        if find_spec("playwright") is not None and chromium is not None:
            here = f"http://127.0.0.1:{service.port}"
            seconds = _in_a_browser(chromium, here + own, "gantt")
            yield Measurement("the same, from the page to the drawing", seconds, "s", claim=10)
            seconds = _in_a_browser(chromium, here + grid, "platform")
            yield Measurement("Grid'5000, from the page to the drawing", seconds, "s")
            seconds = _after_an_edit(chromium, f"{here}/new?example=master_worker")
            yield Measurement(
                "New, from an edited bandwidth to the new answer, median", seconds, "s", claim=1.5
            )


def _get(port: int, path: str) -> bytes:
    status, content = request(connect(port), "GET", path)
    if status != 200:
        raise RuntimeError(f"{path} was answered with {status}: {content[:500]!r}")
    return content


def _median(port: int, path: str) -> float:
    _get(port, path)
    times = []
    for _ in range(LOOKS):
        with stopwatch() as watch:
            _get(port, path)
        times.append(watch.seconds)
    return statistics.median(times)


def _solve(port: int, body: Any) -> str:
    """Solve, and give the path of the job's page."""
    text = json.dumps(body).encode()
    status, content = request(connect(port), "POST", "/v1/jobs?wait=60", text)
    job = json.loads(content)
    if status != 200 or job["outcome"] != "optimal":
        raise RuntimeError(f"the job did not end well: {status} {content[:500]!r}")
    return f"/jobs/{job['id']}"


def _grid() -> dict[str, Any]:
    platform = read_grid("g5k")
    return {
        "problem": {
            "kind": "master_worker",
            "platform": platform.model_dump(mode="json", exclude_none=True),
            "master": next(one.id for one in platform.processors if not one.switch),
            "task": {"work": 3_000_000_000, "input_size": 1_000_000},
            "ports": "multiport",
            "routing": "fixed",
        }
    }


def _pipeline() -> dict[str, Any]:
    names = ["source", *(f"stage{i}" for i in range(1, STAGES + 1))]
    channels = [
        {
            "source": one,
            "target": other,
            "production": FIRINGS if one == "source" else 1,
            "consumption": FIRINGS if other == "source" else 1,
            "tokens": 4 * FIRINGS if other == "source" else 0,
        }
        for one, other in zip(names, [*names[1:], names[0]], strict=True)
    ]
    actors = [{"id": name, "times": FIRINGS if name == "source" else 1} for name in names]
    graph = {"actors": actors, "channels": channels}
    return {"problem": {"kind": "dataflow", "graph": graph}}


def _in_a_browser(chromium: str, address: str, picture: str) -> float:
    """Open a page and wait for the drawing of one of its pictures; in seconds."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        with stopwatch() as watch:
            page.locator(f"#picture-{picture}").scroll_into_view_if_needed()
            page.locator(f"#picture-{picture} svg:visible").first.wait_for()
        browser.close()
    return watch.seconds


def _after_an_edit(chromium: str, address: str) -> float:
    """Change a bandwidth to and fro, and wait for each new answer; in seconds."""
    from playwright.sync_api import sync_playwright

    told = """before => {
        const verdict = document.querySelector("#verdict");
        const said = verdict.textContent;
        return said !== before && !verdict.classList.contains("old") && said.includes("proved");
    }"""
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.wait_for_function(told, arg="")
        bandwidth = page.get_by_label("bandwidth, link 1", exact=True)
        values = "1/2 each", bandwidth.input_value()
        for number in range(LOOKS):
            before = page.locator("#verdict").text_content()
            bandwidth.fill(values[number % 2])
            with stopwatch() as watch:
                page.keyboard.press("Tab")
                page.wait_for_function(told, arg=before, polling=10)
            times.append(watch.seconds)
        browser.close()
    return statistics.median(times)
