"""A service with jobs of every kind, outcome and state, for all tests of pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.main import create_app
from tests.http.conftest import quiet
from tests.pages.site import Site, furnished


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from sited(tmp_path_factory.mktemp("pages"))


def sited(folder: Path) -> Iterator[Site]:
    """Run a service that has them, without workers."""
    settings = quiet(f"sqlite:///{folder / 'steadygrid.db'}", folder)
    with TestClient(create_app(settings), base_url="http://localhost:8000") as client:
        database = Database.open(settings.effective_database_url)
        yield furnished(client, database)
        database.close()
