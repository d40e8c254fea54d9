"""People log in with a key, see live pages, and are out when they log out or their key is revoked."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.grids import huge_grid
from tests.browser.test_accessibility import axe, violations
from tests.browser.visits import Visit, Visits, expect
from tests.environment import bare
from tests.http.processes import Served, served

__all__ = ["axe"]

pytestmark = pytest.mark.browser

KIND = "master_worker"
REVOKED_SECONDS = 30.0


class Keys:
    """Makes and revokes keys as an administrator of the service does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _tell(self, *arguments: str) -> str:
        program = Path(sys.executable).with_name("steadygrid")
        done = subprocess.run(
            [program, "keys", *arguments, "--data-dir", self._folder],
            env=bare(),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def create(self, *arguments: str) -> str:
        return self._tell("create", "--tenant", "physics", *arguments)

    def revoke(self, key: str) -> None:
        self._tell("revoke", key.split("_")[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("people")


@pytest.fixture(scope="module")
def service(chromium: str, folder: Path) -> Iterator[Served]:
    """A service that asks for keys."""
    with served(folder, "serve", covered=False, auth="keys") as running:
        yield running


@pytest.fixture
def keys(folder: Path) -> Keys:
    return Keys(folder / "data")


def log_in(visit: Visit, key: str) -> None:
    field = visit.page.get_by_label("Key", exact=True)
    expect(field).to_be_focused()
    field.fill(key)
    visit.page.get_by_role("button", name="Log in").click()


def post(visit: Visit, key: str, body: Any) -> str:
    """Submit a job as a program."""
    answer = visit.page.request.post(
        f"{visit.base}/v1/jobs", data=body, headers={"Authorization": f"Bearer {key}"}
    )
    assert answer.status == 202, answer.text()
    return f"/jobs/{answer.json()['id']}"


def test_people_come_in_see_a_job_end_and_go(visit: Visit, keys: Keys) -> None:
    page, key = visit.page, keys.create()
    path = post(visit, key, huge_grid(2, 1000, 6000, 400))
    visit.go(path)
    expect(page).to_have_url(f"{visit.base}/login?next={path.replace('/', '%2F')}")
    with visit.refused(401):
        log_in(visit, "sk_wrong")
        expect(page.get_by_label("Key", exact=True)).to_have_accessible_description(
            re.compile("^This is no key")
        )
    log_in(visit, key)
    expect(page).to_have_url(visit.base + path)
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "running")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "cancelled")
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(f"{visit.base}/login")
    page.go_back()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert page.locator("#the-answer").count() == 0


def test_a_draft_outlives_its_page_and_not_the_login(visit: Visit, keys: Keys) -> None:
    page, key = visit.page, keys.create()
    visit.go("/new?example=cell")
    log_in(visit, key)
    visit.go("/new")
    speed = page.get_by_label("speed, host 1", exact=True)
    expect(page.locator("#verdict.good")).to_contain_text("21/40")
    speed.fill("7 each")
    expect(page.locator("#verdict.good")).not_to_contain_text("21/40")
    page.reload()
    expect(page.locator("#kept")).to_contain_text("Your draft of")
    expect(speed).to_have_value("7 each")
    assert page.evaluate("Object.keys(localStorage)") == ["draft physics"]
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(f"{visit.base}/login")
    assert page.evaluate("Object.keys(localStorage)") == []


def test_a_session_ends_at_once_when_its_key_is_revoked(
    visit: Visit, keys: Keys, tmp_path: Path
) -> None:
    page, key = visit.page, keys.create()
    page.set_viewport_size({"width": 360, "height": 740})
    path = post(visit, key, huge_grid(2, 1000, 6000, 400))
    visit.go(path)
    log_in(visit, key)
    expect(page.locator("#the-answer")).to_have_attribute("data-state", "running")
    assert page.locator("html").evaluate("page => page.scrollWidth") <= 360
    page.screenshot(path=tmp_path / "in.png")
    keys.revoke(key)
    began = time.monotonic()
    page.wait_for_url(f"{visit.base}/login?**")
    assert time.monotonic() - began < REVOKED_SECONDS
    # What was asked for meanwhile was refused, and the stream cut off.
    told = visit.faults.found
    assert all(one.startswith("error: Failed to load resource:") for one in told), told
    told.clear()


def test_without_scripts_people_log_in_too(visits: Visits, keys: Keys) -> None:
    visit = visits(java_script_enabled=False)
    visit.go("/new")
    log_in(visit, keys.create("--scope", "read"))
    expect(visit.page).to_have_url(f"{visit.base}/new")
    expect(visit.page.get_by_text("reads only")).to_be_visible()
    visit.page.get_by_role("button", name="Log out").click()
    expect(visit.page).to_have_url(f"{visit.base}/login")


# A service lets an address try ten times a minute: these tests do so nine times.
@pytest.mark.parametrize(("size", "theme"), [((360, 740), "light"), ((1280, 900), "dark")])
def test_the_login_fits(visits: Visits, tmp_path: Path, size: tuple[int, int], theme: str) -> None:
    """Screenshots are kept for people, and compared with nothing."""
    width, height = size
    visit = visits(viewport={"width": width, "height": height}, color_scheme=theme)
    visit.go("/")
    visit.page.screenshot(path=tmp_path / "login.png")
    with visit.refused(401):
        log_in(visit, "sk_wrong")
        expect(visit.page.locator("#fault")).to_be_visible()
    visit.page.screenshot(path=tmp_path / "refused.png")
    assert visit.page.locator("html").evaluate("page => page.scrollWidth") <= width


def test_axe_finds_nothing_against_the_login(visit: Visit, axe: str) -> None:
    visit.go("/new?example=cell")
    told = violations(visit, axe)
    with visit.refused(401):
        log_in(visit, "sk_wrong")
        expect(visit.page.locator("#fault")).to_be_visible()
    assert told + violations(visit, axe) == []
