"""What a sweep may not be: each fault with its place in the body that was sent, nothing stored."""

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.main import create_app
from app.settings import Settings
from tests.http.bodies import BODY
from tests.http.test_quotas import give
from tests.http.test_sweeps import POST, long, posted, work

SPEED = "/problem/platform/processors/1/unit_time"
TIME_LIMIT = {"name": "t", "at": ["/options/time_limit"], "values": [5, 50]}


def sweep(*parameters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"template": BODY, "parameters": list(parameters)} | more


def varied(**changes: Any) -> dict[str, Any]:
    return {"name": "a", "at": [SPEED], "values": [1, 2]} | changes


def broken() -> dict[str, Any]:
    template = copy.deepcopy(BODY)
    template["problem"]["platform"]["links"][0]["target"] = "X"
    return template


REFUSED: dict[str, tuple[Any, str, str]] = {
    "no object": ([], "#", "invalid_type"),
    "no parameters": ({"template": BODY}, "#/parameters", "missing"),
    "an unknown member": (sweep(varied(), parameter=1), "#/parameter", "extra_forbidden"),
    "no values": (sweep(varied(values=[])), "#/parameters/0/values", "too_short"),
    "nowhere": (
        sweep(varied(at=["/problem/platform/processors/[id=Z]/unit_time"])),
        "#/parameters/0/at/0",
        "leads_nowhere",
    ),
    "the kind": (sweep(varied(at=["/problem/kind"])), "#/parameters/0/at/0", "not_a_target"),
    "labels": (sweep(varied(at=["/labels"])), "#/parameters/0/at/0", "not_a_target"),
    "priority": (sweep(varied(at=["/priority"])), "#/parameters/0/at/0", "not_a_target"),
    "no quantity": (
        sweep({"name": "a", "scale": ["/problem/master"], "values": [1, 2]}),
        "#/parameters/0/scale/0",
        "not_a_quantity",
    ),
    "one place twice": (
        sweep(varied(), varied(name="b")),
        "#/parameters/1/at/0",
        "overlapping_targets",
    ),
    "one name twice": (
        sweep(varied(), varied(at=["/options/time_limit"])),
        "#/parameters/1/name",
        "duplicate_parameter",
    ),
    "unequal lengths": (
        sweep(varied(), varied(name="b", at=["/options/time_limit"], values=[1]), mode="zip"),
        "#/parameters/1/values",
        "unequal_lengths",
    ),
    "equal values": (sweep(varied(values=["1/2", 0.5])), "#/parameters/0/values/1", "equal_values"),
    "a wrong value": (
        sweep(varied(values=[1, "fast"])),
        "#/parameters/0/values/1",
        "not_a_rational",
    ),
    "a broken template": (
        sweep(varied(), template=broken()),
        "#/template/problem/platform/links/0/target",
        "unknown_processor",
    ),
    "an unknown platform": (
        sweep(
            {"name": "a", "at": ["/options/time_limit"], "values": [1]},
            template=BODY | {"problem": BODY["problem"] | {"platform": f"plt_{'0' * 32}"}},
        ),
        "#/template/problem/platform",
        "unknown_platform",
    ),
    "too many jobs": (
        sweep(varied(values=list(range(1, 10_002)))),
        "#/parameters",
        "limit_exceeded",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_each_fault_has_its_place(service: TestClient, name: str) -> None:
    body, pointer, code = REFUSED[name]
    for parameters in ({}, {"validate_only": True}):
        answer = service.post(POST, json=body, params=parameters)
        assert answer.status_code == 422, answer.text
        found = [(error["pointer"], error["code"]) for error in answer.json()["errors"]]
        assert (pointer, code) in found
    assert service.get(POST).json()["items"] == []


def test_a_fault_in_a_stored_platform_is_told_at_the_reference(service: TestClient) -> None:
    platform = {"processors": [{"id": "Q"}], "links": []}
    stored = service.post("/v1/platforms", json=platform).json()["id"]
    problem = BODY["problem"] | {"platform": stored}
    body = sweep(TIME_LIMIT, template=BODY | {"problem": problem})
    answer = service.post(POST, json=body)
    assert answer.status_code == 422
    assert all(
        error["pointer"].removeprefix("#/template/problem/") in ("platform", "master")
        for error in answer.json()["errors"]
    )


def test_what_is_no_json_is_refused(service: TestClient) -> None:
    fields = {"Content-Type": "application/json"}
    assert service.post(POST, content=b"{", headers=fields).json()["code"] == "malformed_json"
    assert service.post(POST, content=b"a").status_code == 415


def test_template_and_values_ask_for_no_more_than_the_tenant_may(
    client: TestClient, database: Database
) -> None:
    give(database, time_limit=20, priority=3)
    patient = sweep(varied(), template=BODY | {"options": {"time_limit": 60}})
    high = sweep(TIME_LIMIT, template=BODY | {"priority": 4})
    for body, pointers in (
        (patient, ["#/template/options/time_limit"]),
        (high, ["#/template/priority", "#/parameters/0/values/1"]),
        (sweep(varied(), TIME_LIMIT), ["#/parameters/1/values/1"]),
        (sweep(TIME_LIMIT, varied()), ["#/parameters/0/values/1"]),
        (sweep(TIME_LIMIT | {"values": [50, 5]}), ["#/parameters/0/values/0"]),
    ):
        answer = client.post(POST, json=body)
        assert (answer.status_code, answer.json()["code"]) == (422, "limit_exceeded")
        assert [error["pointer"] for error in answer.json()["errors"]] == pointers
    assert client.post(POST, json=sweep(TIME_LIMIT | {"values": [5, 20]})).status_code == 202


def test_sweeps_have_a_quota_of_their_own_however_many_come_at_once(
    client: TestClient, database: Database
) -> None:
    give(database, sweep_jobs=7, queued_jobs=1)
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: client.post(POST, json=long(3)), range(4)))
    assert sorted(one.status_code for one in made) == [202, 202, 429, 429]
    (refused, _) = [one for one in made if one.status_code == 429]
    assert refused.json()["code"] == "quota_exceeded"
    assert int(refused.headers["Retry-After"]) > 0
    assert client.post("/v1/jobs", json=BODY).status_code == 202
    assert client.post("/v1/jobs", json=BODY).status_code == 429
    tenant = client.get("/v1/info").json()["tenant"]
    assert (tenant["queued_jobs"], tenant["sweep_jobs"]) == (1, 6)
    never = client.post(POST, json=long(8))
    assert (never.status_code, never.json()["code"]) == (422, "limit_exceeded")
    assert [error["pointer"] for error in never.json()["errors"]] == ["#/parameters"]


def test_failed_jobs_are_tried_again_as_far_as_there_is_room(
    client: TestClient, database: Database
) -> None:
    own = posted(client, long(4))
    work(database, "ffff")
    give(database, sweep_jobs=3)
    assert client.post(f"{own}/retry").json() == {"retried": 3, "more": True}
    assert client.post(f"{own}/retry").status_code == 429


def test_jobs_that_are_yet_to_be_made_fill_the_queue(
    client: TestClient, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.sweeps.service.FIRST_SECONDS", 0.0)
    monkeypatch.setattr("app.sweep_creation.PIECE", 2)
    monkeypatch.setattr("app.http.background.Background.go_on", lambda *_: None)
    full = settings.model_copy(update={"max_queued_jobs": 6})
    with TestClient(create_app(full), base_url="http://localhost") as crowded:
        assert crowded.post(POST, json=long(5)).json()["created"] == 2
        refused = crowded.post(POST, json=long(2))
        assert (refused.status_code, refused.json()["code"]) == (429, "queue_full")
        assert crowded.post("/v1/jobs", json=BODY).status_code == 202
        assert crowded.post("/v1/jobs", json=BODY).status_code == 429
        assert crowded.post(POST, json=long(7)).status_code == 422
