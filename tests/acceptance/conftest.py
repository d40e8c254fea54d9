"""One ``steadygrid serve`` for all tests that drive it from outside."""

from collections.abc import Iterator

import pytest

from tests.acceptance.client import Service, serving


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running
