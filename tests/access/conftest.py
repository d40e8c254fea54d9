"""A service that asks for keys, and keys of it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.scopes import Scope
from app.main import create_app
from app.settings import Settings
from tests.databases import emptied, postgres
from tests.http.conftest import on_each_database, settings_on

__all__ = ["postgres"]

MakeKey = Callable[..., str]


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_on(request, tmp_path_factory.mktemp("keyed"), auth="keys")


@pytest.fixture(scope="module")
def keyed(settings: Settings) -> Iterator[TestClient]:
    """The service, asked by a client without a key; on SQLite and on PostgreSQL."""
    with TestClient(
        create_app(settings), base_url="http://localhost", follow_redirects=False
    ) as client:
        yield client
    database = Database.open(settings.effective_database_url)
    emptied(database)
    database.close()


@pytest.fixture(scope="module")
def database(keyed: TestClient, settings: Settings) -> Iterator[Database]:
    database = Database.open(settings.effective_database_url)
    yield database
    database.close()


@pytest.fixture(scope="module")
def key(database: Database) -> MakeKey:
    """Make a key of a tenant, with all scopes unless some are named."""

    def make(*scopes: str, tenant: str = "grid") -> str:
        with database.write_all() as unit:
            unit.tenants.create(tenant)
            return unit.keys.create(tenant, map(Scope, scopes or Scope))

    return make


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def place(tmp_path: Path) -> str:
    """The URL of a database of the test's own."""
    return f"sqlite:///{tmp_path / 'steadygrid.db'}"
