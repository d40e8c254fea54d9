"""What jobs, sweeps, what-ifs and replans share: keys, versions, waiting, ends, and what is left."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from tests.http.bodies import BODY, SWEEP, body, claim
from tests.http.conftest import ON_SQLITE
from tests.http.solving import solve_next
from tests.http.test_audit_lines import told
from tests.http.test_deleted_jobs import asked_by_another
from tests.http.test_old_keys import WRITTEN_OTHERWISE
from tests.http.test_replans import SLOWER, succeeded

KEY = {"Idempotency-Key": "k"}
SHORT = SWEEP | {"parameters": SWEEP["parameters"][1:]}
"""A sweep of two jobs."""


class Kind(NamedTuple):
    """A resource that takes its time, and how one is made."""

    noun: str
    path: str
    """Where it is posted; ``{job}``: a job that has succeeded."""
    body: Any
    written_otherwise: Any
    """What means the same."""
    other: Any
    refused: Any
    jobs: int = 1
    """With which it ends."""

    def purge(self, database: Database) -> None:
        """Delete all that have ended, as if they were too old."""
        with database.write("local") as unit:
            assert getattr(unit, f"{self.noun}s").purge(-1, 100) >= 1


KINDS = {
    "job": Kind(
        *("job", "/v1/jobs"),
        *(BODY, WRITTEN_OTHERWISE, body(ports="multiport"), body(master="X")),
    ),
    "sweep": Kind(
        *("sweep", "/v1/sweeps", SHORT),
        SHORT | {"template": WRITTEN_OTHERWISE, "mode": "product"},
        *(SWEEP, SHORT | {"template": body(master="X")}),
        jobs=2,
    ),
    "what_if": Kind(
        *("sweep", "{job}/what-if"),
        *({}, {"factor": 2.0}, {"factor": 3}, {"factor": 1}),
        jobs=2,
    ),
    "replan": Kind(
        *("replan", "{job}/replan"),
        *(SLOWER, SLOWER | {"scale": False}, SLOWER | {"scale": True}, SLOWER | {"cost": 1}),
    ),
}
ENDED_BY_ITSELF = ("job", "sweep", "what_if")
"""A replan ends with its job, and is deleted whether that has ended or not."""


class Asker:
    """A client who makes resources of one kind."""

    def __init__(self, client: TestClient, database: Database, kind: Kind) -> None:
        self.client = client
        self.kind = kind
        self._database = database
        self.source = succeeded(client, database) if "{job}" in kind.path else None

    def post(self, document: Any = None, **more: Any) -> Any:
        """Ask for one, or for what else is given."""
        asked = self.kind.body if document is None else document
        return self.client.post(self.kind.path.format(job=self.source), json=asked, **more)

    def made(self, **more: Any) -> str:
        """Make one, and give its address."""
        answer = self.post(**more)
        assert (answer.status_code, "Idempotent-Replayed" in answer.headers) == (202, False)
        assert answer.headers["Location"] == answer.json()["links"]["self"]
        place: str = answer.headers["Location"]
        return place

    def end(self) -> None:
        """Solve all of its jobs."""
        for _ in range(self.kind.jobs):
            solve_next(self._database)

    def waiting(self) -> bool:
        """Say whether there is a job to be done."""
        return bool(self.client.get("/v1/jobs?state=queued").json()["items"])

    def number(self) -> int:
        """Count those that there are."""
        return len(self.client.get(f"/v1/{self.kind.noun}s").json()["items"])


def coded(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def asker(request: pytest.FixtureRequest, client: TestClient, database: Database) -> Asker:
    return Asker(client, database, KINDS[request.param])


def of(*names: str) -> pytest.MarkDecorator:
    """Ask for resources of some kinds only."""
    return pytest.mark.parametrize("asker", names, indirect=True)


of_all = of(*KINDS)
asking_to_wait = pytest.mark.parametrize(
    "asking", [{"params": {"wait": 30}}, {"headers": {"Prefer": "wait=30"}}]
)


@ON_SQLITE
@of_all
def test_it_says_where_it_is_and_when_to_ask_again(asker: Asker) -> None:
    made = asker.post()
    seen = asker.client.get(made.headers["Location"])
    assert (made.status_code, seen.status_code, seen.json()) == (202, 200, made.json())
    assert [one.headers["Retry-After"] for one in (made, seen)] == ["1", "1"]
    assert [one.headers["Cache-Control"] for one in (made, seen)] == ["private, no-cache"] * 2
    asker.end()
    assert "Retry-After" not in asker.client.get(made.headers["Location"]).headers


@of_all
def test_it_has_a_weak_tag_that_changes_with_it(asker: Asker, database: Database) -> None:
    client, own = asker.client, asker.made()
    tags = []
    for step in (lambda: None, lambda: claim(database)):
        step()
        tags.append(client.get(own).headers["ETag"])
        assert tags[-1].startswith('W/"')
        for known in (f'"other", {tags[-1]}', "*"):
            unchanged = client.get(own, headers={"If-None-Match": known})
            assert (unchanged.status_code, unchanged.content) == (304, b"")
            assert unchanged.headers["ETag"] == tags[-1]
    assert tags[0] != tags[1]
    assert client.get(own, headers={"If-None-Match": tags[0]}).status_code == 200


@ON_SQLITE
@of_all
@asking_to_wait
def test_waiting_ends_with_its_end(asker: Asker, asking: Any) -> None:
    own = asker.made()
    worker = threading.Timer(0.1, asker.end)
    worker.start()
    ended = asker.client.get(own, **asking)
    worker.join()
    assert (ended.status_code, ended.json()["state"]) == (200, "succeeded")
    assert "Retry-After" not in ended.headers


@ON_SQLITE
@of_all
@asking_to_wait
def test_who_posts_may_wait_for_its_end(asker: Asker, asking: Any) -> None:
    with ThreadPoolExecutor(1) as thread:
        posted = thread.submit(asker.post, **asking)
        while not asker.waiting():
            time.sleep(0.01)
        asker.end()
        ended = posted.result()
    assert (ended.status_code, ended.json()["state"]) == (200, "succeeded")
    assert ended.headers["Location"] == ended.json()["links"]["self"]
    assert {"Retry-After", "Idempotent-Replayed"}.isdisjoint(ended.headers)


@ON_SQLITE
@of_all
def test_waiting_in_vain_gives_it_as_it_is(asker: Asker) -> None:
    posted = asker.post(params={"wait": 1})
    began = time.monotonic()
    seen = asker.client.get(
        posted.headers["Location"], headers={"Prefer": 'respond-async, wait="1"; x=y'}
    )
    assert time.monotonic() - began >= 1
    assert (posted.status_code, seen.status_code) == (202, 200)
    assert posted.json() == seen.json()
    assert seen.headers["Retry-After"] == "1"


@ON_SQLITE
@of_all
def test_the_parameter_goes_before_the_preference(asker: Asker) -> None:
    began = time.monotonic()
    asking: Any = {"params": {"wait": 0}, "headers": {"Prefer": "wait=60"}}
    asker.client.get(asker.made(**asking), **asking)
    assert time.monotonic() - began < 30


@of(*ENDED_BY_ITSELF)
def test_what_has_not_begun_is_cancelled_at_once(asker: Asker, database: Database) -> None:
    own = asker.made()
    cancel = asker.client.get(own).json()["links"]["cancel"]
    assert cancel == f"{own}/cancel"
    for _ in range(2):
        answer = asker.client.post(cancel)
        assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
        assert answer.json() == asker.client.get(own).json()
        assert "Retry-After" not in answer.headers
        assert "cancel" not in answer.json()["links"]
    done = (f"{asker.kind.noun}.cancelled", own.rpartition("/")[2])
    assert told(database) == [("local", "anybody", *done)]


@of(*ENDED_BY_ITSELF)
def test_what_runs_is_asked_to_end(asker: Asker, database: Database) -> None:
    own = asker.made()
    taken = claim(database)
    for _ in range(2):
        answer = asker.client.post(f"{own}/cancel")
        assert (answer.status_code, answer.json()["state"]) == (202, "cancelling")
        assert answer.headers["Retry-After"] == "1"
    with database.write_all() as unit:
        unit.queue.cancelled(taken)
    again = asker.client.post(f"{own}/cancel")
    assert (again.status_code, again.json()["state"]) == (200, "cancelled")
    assert len(told(database)) == 1


@of(*ENDED_BY_ITSELF)
def test_what_has_ended_stays_as_it_is(asker: Asker, database: Database) -> None:
    own = asker.made()
    asker.end()
    answer = asker.client.post(f"{own}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "succeeded")
    assert told(database) == []


@of_all
def test_it_is_deleted_with_its_key_when_it_has_ended(asker: Asker, database: Database) -> None:
    client, own = asker.client, asker.made(headers=KEY)
    if asker.kind.noun != "replan":
        assert coded(client.delete(own)) == (409, f"{asker.kind.noun}_active")
    asker.end()
    assert told(database) == []
    gone = client.delete(own)
    assert (gone.status_code, gone.content) == (204, b"")
    for answer in (client.get(own), client.delete(own)):
        assert coded(answer) == (404, "not_found")
    done = (f"{asker.kind.noun}.deleted", own.rpartition("/")[2])
    assert told(database) == [("local", "anybody", *done)]
    assert asker.made(headers=KEY) != own


@of_all
def test_the_same_key_and_request_give_the_same(asker: Asker) -> None:
    first = asker.post(headers=KEY)
    if asker.source is not None:
        assert asker.client.delete(asker.source).status_code == 204
    for document in (asker.kind.body, asker.kind.written_otherwise):
        again = asker.post(document, headers=KEY)
        assert (again.status_code, again.headers["Idempotent-Replayed"]) == (200, "true")
        assert again.headers["Location"] == first.headers["Location"]
        assert again.json() == first.json()
    assert asker.number() == 1


@ON_SQLITE
@of_all
def test_the_same_key_with_another_request_is_refused(
    asker: Asker, client: TestClient, database: Database
) -> None:
    another = [Asker(client, database, kind) for kind in KINDS.values()]
    asker.made(headers=KEY)
    number = asker.number()
    asks = [asker.post(asker.kind.other, headers=KEY)]
    asks += [one.post(headers=KEY) for one in another if one.kind.path != asker.kind.path]
    if asker.source is not None:
        path = asker.kind.path.format(job=f"/v1/jobs/job_{'0' * 32}")
        asks.append(client.post(path, json=asker.kind.body, headers=KEY))
    assert {coded(answer) for answer in asks} == {(422, "idempotency_key_reused")}
    assert asker.number() == number


@ON_SQLITE
@of_all
def test_a_refused_request_does_not_use_up_its_key(asker: Asker) -> None:
    assert asker.post(asker.kind.refused, headers=KEY).status_code == 422
    asker.made(headers=KEY)


@of_all
def test_at_once_the_same_key_makes_one(asker: Asker) -> None:
    with ThreadPoolExecutor(10) as threads:
        made = list(threads.map(lambda _: asker.post(headers=KEY), range(10)))
    assert sorted(one.status_code for one in made) == [200] * 9 + [202]
    assert sum("Idempotent-Replayed" in one.headers for one in made) == 9
    assert len({one.json()["id"] for one in made}) == asker.number() == 1


@of_all
def test_the_same_key_of_another_tenant_is_another(asker: Asker, database: Database) -> None:
    with database.write_all() as unit:
        unit.tenants.create("other")
    with asked_by_another():
        other = Asker(asker.client, database, asker.kind)
    own = asker.made(headers=KEY)
    with asked_by_another():
        assert other.made(headers=KEY) != own
        assert coded(other.client.get(own)) == (404, "not_found")
        assert coded(other.client.delete(own)) == (404, "not_found")
    assert asker.client.get(own).status_code == 200


@of_all
def test_what_was_purged_says_so(asker: Asker, database: Database) -> None:
    client, kind, own = asker.client, asker.kind, asker.made(headers=KEY)
    asker.end()
    kind.purge(database)
    purged = (410, f"{kind.noun}_purged")
    again = asker.post(headers=KEY)
    for answer in (client.get(own), client.delete(own), again):
        assert coded(answer) == purged
    assert "take a new key" in again.json()["detail"]
    if kind.noun != "replan":
        assert coded(client.post(f"{own}/cancel")) == purged
    assert coded(asker.post(kind.other, headers=KEY)) == (422, "idempotency_key_reused")
    with asked_by_another():
        assert coded(client.get(own)) == (404, "not_found")
    unknown = own.rpartition("_")[0] + "_" + "0" * 32
    assert coded(client.get(unknown)) == (404, "not_found")
    assert asker.number() == 0
    asker.made(headers={"Idempotency-Key": "new"})
