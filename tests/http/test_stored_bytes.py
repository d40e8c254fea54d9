"""How much a tenant may store: bodies count when they are posted."""

from concurrent.futures import ThreadPoolExecutor

from fastapi.testclient import TestClient
from sqlalchemy import update

from app.db.engine import Database
from app.db.models import LOCAL_TENANT, tenants
from tests.http.bodies import BODY, SWEEP
from tests.http.solving import solve_next
from tests.http.test_quotas import PLATFORM, give
from tests.http.test_replans import FIGURE_3, SLOWER
from tests.workers.test_measuring import stored


def test_who_has_stored_too_much_stores_no_more(client: TestClient, database: Database) -> None:
    give(database, stored_bytes=10_000)
    for measured, statuses in ((None, [202, 201]), (10_000, [429, 200]), (10_001, [429, 429])):
        with database.write_all() as unit:
            unit._connection.execute(
                update(tenants)
                .where(tenants.c.tenant == LOCAL_TENANT)
                .values(measured_bytes=measured)
            )
        # A platform that is there already adds nothing.
        posts = (("jobs", BODY), ("platforms", PLATFORM))
        answers = [client.post(f"/v1/{path}", json=document) for path, document in posts]
        assert [answer.status_code for answer in answers] == statuses
    answer = answers[-1]
    assert answer.json()["code"] == "quota_exceeded"
    assert answer.headers["Retry-After"] == "3600"


def known_bytes(database: Database) -> int:
    """What is counted of the tenant's."""
    with database.read_all() as unit:
        return unit.tenants.get(LOCAL_TENANT).measured_bytes or 0


def test_what_is_posted_counts_at_once_and_as_it_is_stored(
    client: TestClient, database: Database
) -> None:
    job = client.post("/v1/jobs", json=FIGURE_3).headers["Location"]
    solve_next(database)
    answer = stored(database)[LOCAL_TENANT] - known_bytes(database)
    asked = [
        ("/v1/jobs", BODY),
        ("/v1/platforms", PLATFORM),
        ("/v1/platforms", PLATFORM),
        ("/v1/sweeps", SWEEP),
        (f"{job}/replan", SLOWER),
        (f"{job}/replan", SLOWER | {"solve": False}),
        (f"{job}/what-if", {}),
        (f"{job}/what-if", {"solve": 0}),
    ]
    for number, (path, document) in enumerate(asked):
        key = {"Idempotency-Key": str(number)}
        before = known_bytes(database)
        assert client.post(path, json=document, headers=key).status_code // 100 == 2
        after = known_bytes(database)
        assert (after > before) is (number != 2), path
        assert stored(database)[LOCAL_TENANT] == after + answer, path
        client.post(path, json=document, headers=key)
        assert known_bytes(database) == after


def test_a_tenant_posts_no_more_than_it_may_store(client: TestClient, database: Database) -> None:
    client.post("/v1/jobs", json=BODY)
    one = known_bytes(database)
    give(database, stored_bytes=3 * one)
    with ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda _: client.post("/v1/jobs", json=BODY), range(6)))
    assert sorted(answer.status_code for answer in answers) == [202] * 2 + [429] * 4
    assert stored(database) == {LOCAL_TENANT: 3 * one}
    problem = next(answer.json() for answer in answers if answer.status_code == 429)
    assert (problem["code"], problem["detail"].split(".")[0]) == (
        "quota_exceeded",
        f"{4 * one:,} bytes of this tenant with {one:,} more would be stored, and at most"
        f" {3 * one:,} may be",
    )
    assert client.post("/v1/sweeps", json=SWEEP).json()["code"] == "quota_exceeded"
    assert client.post("/v1/jobs", json=BODY, params={"validate_only": True}).status_code == 200
    assert known_bytes(database) == 3 * one
