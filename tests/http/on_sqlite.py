"""The fixture `settings` for tests that ask for nothing that differs between databases.

A module that imports it runs on SQLite alone. That both databases keep and find the same is what
`tests/db` and the modules about the life of jobs, sweeps, studies and tenants test.
"""

import pytest

from app.settings import Settings
from tests.http.conftest import quiet

__all__ = ["settings"]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings with a database on SQLite."""
    directory = tmp_path_factory.mktemp("client")
    return quiet(f"sqlite:///{directory / 'steadygrid.db'}", directory)
