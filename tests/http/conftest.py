"""Clients of the service: in process on either database, and over a socket."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.main import create_app
from app.server.run import GuardedServer
from app.settings import Settings
from tests.databases import emptied, postgres

__all__ = ["postgres"]


def quiet(url: str, data_dir: Path, **values: Any) -> Settings:
    return Settings(database_url=url, data_dir=data_dir, log_level="CRITICAL", **values)


on_each_database = pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
)
"""Makes a fixture that is there once for each database, by `settings_on`."""


def settings_on(request: pytest.FixtureRequest, directory: Path, **values: Any) -> Settings:
    """Give settings with the database that the fixture's parameter names."""
    if request.param == "sqlite":
        return quiet(f"sqlite:///{directory / 'steadygrid.db'}", directory, **values)
    return quiet(request.getfixturevalue("postgres"), directory, **values)


ON_SQLITE = pytest.mark.parametrize("settings", ["sqlite"], indirect=True, scope="module")
"""For tests of `client` that ask for nothing that differs between databases."""


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a database on SQLite and on PostgreSQL."""
    return settings_on(request, tmp_path_factory.mktemp("client"))


@pytest.fixture(scope="module")
def running(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client


@pytest.fixture
def client(running: TestClient, settings: Settings) -> Iterator[TestClient]:
    """The service in process, without any job; on SQLite and on PostgreSQL."""
    yield running
    database = Database.open(settings.effective_database_url)
    emptied(database)
    database.close()


@pytest.fixture
def database(client: TestClient, settings: Settings) -> Iterator[Database]:
    """The database of `client`, for tests that play the worker."""
    database = Database.open(settings.effective_database_url)
    yield database
    database.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One service in process for all tests of a module, on SQLite."""
    directory = tmp_path_factory.mktemp("service")
    with TestClient(
        create_app(quiet(f"sqlite:///{directory / 'steadygrid.db'}", directory)),
        base_url="http://localhost",
    ) as one:
        yield one


@pytest.fixture(scope="module")
def address_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    directory = tmp_path_factory.mktemp("address")
    return quiet(f"sqlite:///{directory / 'steadygrid.db'}", directory, max_body_bytes=2**20)


@pytest.fixture(scope="module")
def address(address_settings: Settings) -> Iterator[tuple[str, int]]:
    """A service on a loopback port, for all tests of a module, on SQLite; bodies up to 1 MiB."""
    with listening(address_settings) as own:
        yield own


@contextmanager
def listening(
    settings: Settings, application: Any = None, address: str = "127.0.0.1"
) -> Iterator[tuple[str, int]]:
    """Serve the application, or another one, at a free port of an address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = GuardedServer(settings, application or create_app(settings))
    listener = socket.create_server((address, 0), family=family)
    own = listener.getsockname()[:2]
    thread = threading.Thread(target=server.serve_on, args=[listener])
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield own
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def address_database(address: tuple[str, int], address_settings: Settings) -> Iterator[Database]:
    """The database of the service at `address`."""
    database = Database.open(address_settings.effective_database_url)
    yield database
    database.close()
