"""Labels that jobs get when they are there already."""

from typing import Any

from fastapi.testclient import TestClient

from app.db.engine import Database
from tests.http.bodies import BODY, claim, finish

LABELS = {"color": "red", "of": "a"}


def posted(client: TestClient) -> str:
    answer = client.post("/v1/jobs", json=BODY | {"labels": LABELS})
    return f"/v1/jobs/{answer.json()['id']}"


def changed(client: TestClient, own: str, labels: Any) -> Any:
    answer = client.patch(own, json={"labels": labels})
    assert answer.status_code == 200, answer.text
    assert answer.json() == client.get(own).json()
    return answer.json()["labels"]


def found(client: TestClient, label: str) -> list[str]:
    items = client.get("/v1/jobs", params={"label": label}).json()["items"]
    return [f"/v1/jobs/{item['id']}" for item in items]


def test_labels_are_set_and_removed_and_the_others_stay(
    client: TestClient, database: Database
) -> None:
    own, other = posted(client), posted(client)
    tag = client.get(own).headers["etag"]
    assert changed(client, own, {}) == LABELS
    assert client.get(own).headers["etag"] == tag
    told = changed(client, own, {"color": None, "of": "b", "campus": "north", "none": None})
    assert told == {"of": "b", "campus": "north"}
    assert client.get(own).headers["etag"] != tag
    assert found(client, "campus:north") == found(client, "of:b") == [own]
    assert found(client, "color:red") == found(client, "of:a") == [other]
    for job in (own, other):
        taken = claim(database)
        assert job.endswith(taken.job_id)
        finish(database, taken)
    assert changed(client, own, {"of": None, "campus": None}) == {}
    assert found(client, "campus:north") == []
    assert client.get(f"{own}/instance").json()["labels"] == LABELS
    assert client.get(other).json()["labels"] == LABELS


def test_labels_that_no_job_may_have_change_nothing(client: TestClient) -> None:
    own = posted(client)
    many = {f"k{i}": "" for i in range(63)}
    faults = {
        "too_long": {"labels": many},
        "string_pattern_mismatch": {"labels": {"no blank": "a"}},
        "extra_forbidden": {"label": {"a": "b"}},
    }
    for code, sent in faults.items():
        refused = client.patch(own, json=sent)
        assert refused.status_code == 422
        assert [fault["code"] for fault in refused.json()["errors"]] == [code]
    assert client.get(own).json()["labels"] == LABELS
    assert changed(client, own, {**many, "of": None}) == {"color": "red", **many}
