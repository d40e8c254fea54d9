"""A disk without room: said in so many words, nothing is kept halfway, and nothing is lost."""

from random import Random
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.errors import DatabaseFullError
from app.http.refusals import database_away
from app.pages import words
from tests.db.full_disk import without_room
from tests.http.bodies import BODY, SWEEP

TOLD = (
    "The disk of the service's database is full: nothing was stored, and nothing that was stored is"
    " lost. The operator has to make room on it. Then send this again."
)
KEY = {"Idempotency-Key": "k"}
DRAWN = Random(1)
LABELS = {f"a{i}": f"{DRAWN.getrandbits(700):x}" for i in range(64)}
"""More than a page of what cannot be packed: what is small finds room in a full file."""
LARGE_PLATFORM = {
    "processors": [{"id": f"P{DRAWN.getrandbits(100):x}", "unit_time": 1} for _ in range(400)]
}
POSTS: list[tuple[str, Any]] = [
    ("/v1/jobs", BODY | {"labels": LABELS}),
    ("/v1/platforms", LARGE_PLATFORM),
    ("/v1/sweeps", SWEEP | {"template": BODY | {"labels": LABELS}}),
]


@pytest.mark.parametrize(("path", "document"), POSTS, ids=lambda value: str(value)[:13])
def test_a_post_that_finds_no_room_says_so_and_may_be_sent_again(
    client: TestClient, database: Database, path: str, document: Any
) -> None:
    kept = client.post("/v1/jobs", json=BODY | {"name": "kept"}).json()["links"]["self"]
    with without_room(database):
        for _ in range(2):
            answer = client.post(path, json=document, headers=KEY)
            assert (answer.status_code, answer.json()["code"]) == (503, "disk_full")
            assert answer.json()["detail"] == TOLD
            assert answer.headers["Retry-After"] == "60"
        assert client.get(kept).json()["name"] == "kept"
        listed = client.get(path).json()["items"]
        assert len(listed) == (1 if path == "/v1/jobs" else 0)
    again = client.post(path, json=document, headers=KEY)
    assert again.status_code in (201, 202)
    assert "Idempotent-Replayed" not in again.headers
    assert len(client.get(path).json()["items"]) == len(listed) + 1


def test_it_is_not_ready_until_there_is_room(client: TestClient, database: Database) -> None:
    with without_room(database):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "disk_full")
        assert client.get("/livez").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_people_are_told_whom_to_ask() -> None:
    told = words.remedy(database_away(DatabaseFullError("database or disk is full")))
    assert told == "Tell the operator of the service, and try again when there is room."


def test_a_full_database_has_an_error_of_its_own(database: Database) -> None:
    with without_room(database), pytest.raises(DatabaseFullError), database.write("local") as unit:
        unit.platforms.store("plt_1", DRAWN.randbytes(100_000), {})
    with database.read("local") as unit:
        assert unit.platforms.get("plt_1") is None
