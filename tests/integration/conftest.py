from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from app.settings import Settings
from tests.databases import emptied, postgres
from tests.integration.drills import QUICK, Redis, Service

__all__ = ["postgres"]

MakeService = Callable[..., Service]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    redis = Redis(tmp_path)
    redis.start()
    yield redis
    redis.kill()


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[MakeService]:
    yield from _services(tmp_path, {"data_dir": tmp_path / "embedded"})


@pytest.fixture
def production(tmp_path: Path, postgres: str, redis: Redis) -> Iterator[MakeService]:
    urls = {"database_url": postgres, "redis_url": redis.url, "auth": "off"}
    yield from _services(tmp_path, urls | {"data_dir": tmp_path / "unused"})
    database = Database.open(postgres)
    emptied(database)
    database.close()


@pytest.fixture(params=["embedded", pytest.param("production", marks=pytest.mark.postgres)])
def either(request: pytest.FixtureRequest) -> MakeService:
    """Make a service: embedded on SQLite, and Celery on PostgreSQL and Redis."""
    make: MakeService = request.getfixturevalue(request.param)
    return make


def _services(tmp_path: Path, where: dict[str, Any]) -> Iterator[MakeService]:
    made: list[Service] = []

    def make(concurrency: int = 1, **changes: Any) -> Service:
        settings = Settings(**(QUICK | where | {"embedded_workers": concurrency} | changes))
        settings.data_dir.mkdir(exist_ok=True)
        service = Service(settings, tmp_path / "log", concurrency)
        upgrade(service.database)
        made.append(service)
        return service

    yield make
    for service in made:
        service.close()
