"""A service with a worker, Chromium, and visits of which each is watched."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.visits import PATIENCE, Faults, Visit, Visits
from tests.http.processes import Served, served

ABSENT = "{} is absent: make browser installs it"


@pytest.fixture(scope="session")
def chromium() -> str:
    """Give the program, and skip where it or Playwright is absent."""
    pytest.importorskip("playwright.sync_api", reason=ABSENT.format("Playwright"))
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip(ABSENT.format("Chromium"))
    return found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    """Start a browser; Playwright's event loop must end before tests elsewhere want theirs."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def service(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run the service with its worker."""
    with served(tmp_path_factory.mktemp("service"), "serve", covered=False) as running:
        yield running


@pytest.fixture
def visits(browser: Any, service: Served) -> Iterator[Visits]:
    """Open pages with options of a browser's context; all of them are watched."""
    contexts, watched = [], []

    def visit(**options: Any) -> Visit:
        host = f"127.0.0.1:{service.port}"
        faults = Faults(host)
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        faults.watch(context)
        contexts.append(context)
        watched.append(faults)
        return Visit(context.new_page(), f"http://{host}", faults)

    yield visit
    for context in contexts:
        context.close()
    assert [fault for faults in watched for fault in faults.found] == []


@pytest.fixture
def visit(visits: Visits) -> Visit:
    """Give an empty page of a usual size."""
    return visits(viewport={"width": 1280, "height": 900})
