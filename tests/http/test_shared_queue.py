"""The queue of several tenants: none fills it alone, and a tenant that comes finds a place."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.models import LOCAL_TENANT
from app.db.scopes import Scope
from app.main import create_app
from app.settings import Settings
from tests.databases import emptied
from tests.http.bodies import BODY
from tests.http.conftest import on_each_database, settings_on
from tests.http.test_sweeps import long, work

PLACES = 20
ONE_S = 18
"""Of them those that one tenant may have."""

Keys = dict[str, dict[str, str]]


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("queue")
    return settings_on(request, folder, auth="keys", max_queued_jobs=PLACES)


@pytest.fixture
def keys(client: TestClient, database: Database) -> Keys:
    """The header fields of three tenants, by their names."""
    fields = {}
    with database.write_all() as unit:
        for name in "abc":
            unit.tenants.create(name)
            key = unit.keys.create(name, [Scope.READ, Scope.SUBMIT])
            fields[name] = {"Authorization": f"Bearer {key}"}
    return fields


def post(client: TestClient, fields: dict[str, str]) -> tuple[int, str]:
    answer = client.post("/v1/jobs", json=BODY, headers=fields)
    if answer.status_code == 202:
        return 202, ""
    assert int(answer.headers["Retry-After"]) > 0
    return answer.status_code, answer.json()["code"]


def test_one_tenant_alone_never_fills_the_queue(client: TestClient, keys: Keys) -> None:
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: post(client, keys["a"]), range(PLACES + 5)))
    assert sorted(answers) == [(202, "")] * ONE_S + [(429, "queue_full")] * (PLACES + 5 - ONE_S)
    assert post(client, keys["b"]) == (202, "")
    assert post(client, keys["b"]) == (503, "temporary_reduced_capacity")
    assert post(client, keys["c"]) == (202, "")
    assert post(client, keys["a"]) == (429, "queue_full")
    assert post(client, keys["b"]) == (503, "temporary_reduced_capacity")


def test_what_one_gives_back_is_there_for_others(client: TestClient, keys: Keys) -> None:
    own = client.post("/v1/jobs", json=BODY, headers=keys["a"]).json()["links"]["cancel"]
    while post(client, keys["a"]) == (202, ""):
        pass
    assert post(client, keys["b"]) == (202, "")
    assert client.post(own, headers=keys["a"]).status_code == 200
    assert post(client, keys["b"]) == (202, "")
    assert post(client, keys["a"]) == (503, "temporary_reduced_capacity")


def test_sweeps_take_no_more_than_the_share_either(client: TestClient, keys: Keys) -> None:
    def sweep(jobs: int, name: str) -> tuple[int, str]:
        answer = client.post("/v1/sweeps", json=long(jobs), headers=keys[name])
        return answer.status_code, answer.json().get("code", "")

    assert sweep(ONE_S + 1, "a") == (422, "limit_exceeded")
    assert sweep(10, "a") == (202, "")
    assert sweep(9, "a") == (429, "queue_full")
    assert sweep(9, "b") == (202, "")
    assert post(client, keys["c"]) == (202, "")
    assert sweep(2, "c") == (503, "temporary_reduced_capacity")


def test_failed_jobs_are_tried_again_as_far_as_the_share_goes(
    client: TestClient, keys: Keys, database: Database
) -> None:
    own = client.post("/v1/sweeps", json=long(4), headers=keys["a"]).json()["links"]["self"]
    work(database, "ffff")
    for _ in range(16):
        assert post(client, keys["a"]) == (202, "")
    retried = client.post(f"{own}/retry", headers=keys["a"]).json()
    assert retried == {"retried": 2, "more": True}
    refused = client.post(f"{own}/retry", headers=keys["a"])
    assert (refused.status_code, refused.json()["code"]) == (429, "queue_full")
    assert post(client, keys["b"]) == (202, "")


@pytest.fixture
def alone(client: TestClient, settings: Settings) -> Iterator[TestClient]:
    """The same service where it asks for no keys."""
    open_to_all = settings.model_copy(update={"auth": "off"})
    with TestClient(create_app(open_to_all), base_url="http://localhost") as one:
        yield one
    database = Database.open(settings.effective_database_url)
    emptied(database)
    database.close()


def test_who_is_alone_has_the_whole_queue(alone: TestClient, database: Database) -> None:
    answers = [post(alone, {}) for _ in range(PLACES + 1)]
    assert answers == [(202, "")] * PLACES + [(429, "queue_full")]
    with database.read_all() as unit:
        assert unit.tenants.use(LOCAL_TENANT).queued == PLACES
