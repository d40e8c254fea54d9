"""A service with a worker, Chromium, and visits of which each is watched."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.skills import Skills
from app.main import create_app
from app.settings import Settings
from steadygrid.kinds import PROBLEMS, SOLVES
from tests.browser.visits import PATIENCE, Faults, Visit, Visits
from tests.http.processes import Served, served
from tests.pages.site import Site, furnished

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


@pytest.fixture(scope="session")
def site_folder(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a service without workers."""
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Site:
    """Store jobs of every kind and in every state."""
    settings = Settings(data_dir=site_folder / "data", log_level="CRITICAL")
    with TestClient(create_app(settings), base_url="http://localhost:8000") as client:
        database = Database.open(settings.effective_database_url)
        known = furnished(client, database)
        with database.write_all() as unit:
            unit.workers.seen("tests", Skills(tuple(PROBLEMS), SOLVES), {"steadygrid": "0"})
        database.close()
    return known


@pytest.fixture(scope="session")
def site_service(site: Site, site_folder: Path) -> Iterator[Served]:
    """Serve them."""
    with served(site_folder, covered=False) as running:
        yield running


@contextmanager
def watched(browser: Any, service: Served) -> Iterator[Visits]:
    """Open pages, elsewhere if that is named, in contexts of a browser; all are watched."""
    contexts, seen = [], []

    def visit(base: str = f"http://127.0.0.1:{service.port}", **options: Any) -> Visit:
        faults = Faults(urlsplit(base).netloc)
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        faults.watch(context)
        contexts.append(context)
        seen.append(faults)
        return Visit(context.new_page(), base, faults)

    yield visit
    for context in contexts:
        context.close()
    assert [fault for faults in seen for fault in faults.found] == []


@pytest.fixture
def visits(browser: Any, service: Served) -> Iterator[Visits]:
    """Visit the service that has a worker."""
    with watched(browser, service) as visit:
        yield visit


@pytest.fixture
def site_visits(browser: Any, site_service: Served) -> Iterator[Visits]:
    """Visit the service that has jobs of all sorts."""
    with watched(browser, site_service) as visit:
        yield visit


@pytest.fixture
def empty_visits(browser: Any, chromium: str, tmp_path: Path) -> Iterator[Visits]:
    """Visit a service that has nothing yet."""
    with served(tmp_path, covered=False) as running, watched(browser, running) as visit:
        yield visit


@pytest.fixture
def visit(visits: Visits) -> Visit:
    """Give an empty page of a usual size."""
    return visits(viewport={"width": 1280, "height": 900})
