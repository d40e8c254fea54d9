"""A user who opens the service for the first time solves an example, with and without scripts."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, Visits, expect
from tests.environment import bare

pytestmark = pytest.mark.browser

KIND = "master_worker"


def on_the_console(body: Mapping[str, Any], folder: Path) -> str:
    """Give the first sentence of a page in the words of ``steadygrid solve``."""
    asked = folder / "body.json"
    asked.write_text(json.dumps(dict(body)), encoding="utf-8")
    program = Path(sys.executable).with_name("steadygrid")
    said = subprocess.run(
        [program, "solve", asked], env=bare(), capture_output=True, text=True, check=True
    )
    lines = said.stdout.splitlines()
    (headline,) = (line.strip() for line in lines if line.startswith("  ") and " every " in line)
    (value,) = (line.split(maxsplit=1)[1] for line in lines if line.startswith("throughput "))
    return f"{headline}: {value}."


def test_an_example_is_followed_to_its_end(visit: Visit, tmp_path: Path) -> None:
    visit.go("/")
    page = visit.page
    page.locator(f"[data-run={KIND}]").click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "succeeded")
    assert page.locator(".answer").inner_text() == on_the_console(PROBLEMS[KIND].example, tmp_path)
    # Each picture becomes one that can be pointed at, as soon as it is seen.
    page.get_by_role("link", name="Schedule", exact=True).click()
    figures = page.locator("figure[data-picture]")
    expect(figures.first).to_be_visible()
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".drawing :is(svg, canvas)").first).to_be_visible()


def test_without_scripts_everything_can_be_read(visits: Visits, tmp_path: Path) -> None:
    visit = visits(java_script_enabled=False)
    path = visit.solved(PROBLEMS[KIND].example)
    page = visit.page
    visit.go("/jobs")
    row = page.locator(f"tr[data-job='{path.removeprefix('/jobs/')}']")
    row.get_by_role("link").first.click()
    expect(page).to_have_url(visit.base + path)
    assert page.locator(".answer").inner_text() == on_the_console(PROBLEMS[KIND].example, tmp_path)
    page.get_by_role("link", name="Schedule", exact=True).click()
    expect(page.locator("[aria-labelledby=what] table").first).to_be_visible()
    for image in page.locator("figure img").all():
        image.scroll_into_view_if_needed()
        expect(image).to_have_js_property("complete", True)
        assert image.evaluate("image => image.naturalWidth") > 0
    for button in page.locator(".scripted").all():
        expect(button).to_be_hidden()
    visit.go("/new")
    expect(page.locator("noscript pre")).to_be_visible()
    for part in page.locator("#new-job .scripted").all():
        expect(part).to_be_hidden()
