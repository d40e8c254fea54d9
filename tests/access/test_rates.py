"""How often a tenant may ask: counted in memory or in Redis, told, and refused beyond."""

import re
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs

from app.db.engine import Database
from app.db.scopes import Scope
from app.main import create_app
from app.settings import Settings
from tests.access.conftest import bearer
from tests.http.bodies import BODY

MOST = 5
FREE = ("/livez", "/readyz", "/metrics", "/openapi.json", "/docs")


class Asker:
    """Asks for a tenant of its own, whom no earlier test has counted."""

    def __init__(self, client: TestClient, database: Database) -> None:
        self._client = client
        self._database = database
        self.tenant = f"tenant-{secrets.token_hex(8)}"
        with database.write_all() as unit:
            unit.tenants.create(self.tenant)
            self._key = unit.keys.create(self.tenant, Scope)

    def get(self, path: str = "/v1/info") -> httpx.Response:
        return self._client.get(path, headers=bearer(self._key))

    def may_ask(self, most: int | None) -> None:
        with self._database.write_all() as unit:
            unit.tenants.change(self.tenant, {"requests_per_minute": most})


@contextmanager
def service(
    tmp_path: Path, redis: str | None, most: int | None = MOST
) -> Iterator[Callable[[], Asker]]:
    url = f"sqlite:///{tmp_path / 'steadygrid.db'}"
    settings = Settings(
        database_url=url,
        data_dir=tmp_path,
        log_level="WARNING",
        auth="keys",
        redis_url=redis,
        tenant_requests_per_minute=most,
    )
    database = Database.open(url)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield lambda: Asker(client, database)
    database.close()


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.redis)])
def storage(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("redis_url") if request.param == "redis" else None


def left(answer: httpx.Response) -> int:
    """Read how many requests are left, and look at how that is written."""
    name, remaining, seconds = answer.headers["RateLimit"].split(";")
    assert name == '"requests"'
    assert 1 <= int(seconds.removeprefix("t=")) <= 60
    return int(remaining.removeprefix("r="))


def test_a_tenant_asks_so_often_and_is_told_how_often_still(
    tmp_path: Path, storage: str | None
) -> None:
    with service(tmp_path, storage) as asker:
        one, other = asker(), asker()
        answers = [one.get() for _ in range(MOST)]
        assert [answer.status_code for answer in answers] == [200] * MOST
        assert [left(answer) for answer in answers] == [4, 3, 2, 1, 0]
        refused = one.get("/v1/jobs/none")
        assert (refused.status_code, refused.json()["code"]) == (429, "quota_exceeded")
        assert left(refused) == 0
        assert refused.headers["RateLimit"].endswith(f";t={refused.headers['Retry-After']}")
        for answer in (*answers, refused):
            assert answer.headers["RateLimit-Policy"] == f'"requests";q={MOST};w=60'
        for path in FREE:
            assert one.get(path).status_code == 200
            assert "RateLimit" not in one.get(path).headers
        assert left(other.get()) == MOST - 1


def test_a_tenant_has_a_rate_of_its_own(
    tmp_path: Path, storage: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service(tmp_path, storage, None) as asker:
        one = asker()
        assert "RateLimit" not in one.get().headers
        one.may_ask(1)
        assert "RateLimit" not in one.get().headers
        monkeypatch.setattr("app.access.meter.KNOWN_SECONDS", 0.0)
        new = asker()
        new.may_ask(1)
        assert [new.get().status_code for _ in range(2)] == [200, 429]
        new.may_ask(3)
        assert left(new.get()) == 2
        new.may_ask(None)
        assert "RateLimit" not in new.get().headers


def test_what_is_left_of_solver_seconds_is_told_beside(tmp_path: Path) -> None:
    with service(tmp_path, None) as asker:
        one = asker()
        day = {"solver_seconds_per_day": 60}
        with one._database.write_all() as unit:
            unit.tenants.change(one.tenant, day)
        fields = one.get().headers
        assert fields["RateLimit-Policy"] == (
            f'"requests";q={MOST};w=60, "solver-seconds";q=60;qu="solver-seconds";w=86400'
        )
        assert re.fullmatch(
            f'"requests";r={MOST - 1};t=[0-9]+, "solver-seconds";r=60;t=[0-9]+', fields["RateLimit"]
        )
        with one._database.write_all() as unit:
            unit.tenants.change(one.tenant, dict.fromkeys(day, 0))
        refused = one._client.post("/v1/jobs", json=BODY, headers=bearer(one._key))
        assert refused.status_code == 429
        # The refusal knows better than what was read some seconds ago, and is told once.
        assert re.fullmatch(
            f'"requests";r={MOST - 2};t=[0-9]+, "solver-seconds";r=0;t={{}}'.format(
                refused.headers["Retry-After"]
            ),
            refused.headers["RateLimit"],
        )
        assert ";q=0;" in refused.headers["RateLimit-Policy"]


def test_a_stream_is_one_request(tmp_path: Path) -> None:
    with service(tmp_path, None) as asker:
        one = asker()
        job = one._client.post("/v1/jobs", json=BODY, headers=bearer(one._key)).json()
        one._client.post(job["links"]["cancel"], headers=bearer(one._key))
        assert one.get(job["links"]["events"]).text.count("event: ") > 1
        assert left(one.get()) == MOST - 4


@pytest.mark.parametrize("hangs", [False, True])
def test_without_redis_all_clients_may_ask_and_that_is_logged_once(
    tmp_path: Path, hangs: bool
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        if not hangs:
            silent.close()
        with service(tmp_path, f"redis://127.0.0.1:{port}/0", 1) as asker:
            one = asker()
            with capture_logs() as lines:
                answers = [one.get() for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert not any("RateLimit" in answer.headers for answer in answers)
    assert [line["event"] for line in lines].count("rate_limits_unavailable") == 1
