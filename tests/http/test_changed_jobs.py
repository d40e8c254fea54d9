"""Jobs of a stored platform, or of a job before, with changes that are sent instead of it."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from tests.http.bodies import BODY, body, claim, finish

PLATFORM = BODY["problem"]["platform"]
UNIT_TIME = "/problem/platform/processors/[id=W]/unit_time"


def posted(client: TestClient, document: Any) -> Any:
    answer = client.post("/v1/jobs", json=document)
    assert answer.status_code < 300, answer.text
    return answer.json()


def faults(client: TestClient, document: Any) -> list[tuple[str, str]]:
    answer = client.post("/v1/jobs", json=document)
    assert answer.status_code == 422, answer.text
    return [(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]]


def instance_of(client: TestClient, job: Any) -> Any:
    return client.get(job["links"]["instance"]).json()


def times(client: TestClient, job: Any) -> list[str | None]:
    processors = instance_of(client, job)["problem"]["platform"]["processors"]
    return [processor.get("unit_time") for processor in processors]


def test_a_stored_platform_is_changed_for_one_job(client: TestClient) -> None:
    stored = client.post("/v1/platforms", json=PLATFORM).json()["id"]
    sent = body(platform=stored) | {"changes": [{"at": UNIT_TIME, "value": "7/2"}]}
    job = posted(client, sent)
    assert times(client, job) == [None, "7/2"]
    assert times(client, posted(client, body(platform=stored))) == [None, "2"]
    assert client.get(job["links"]["draft"]).json() == sent
    assert times(client, posted(client, client.get(job["links"]["draft"]).json())) == [None, "7/2"]
    client.delete(f"/v1/platforms/{stored}")
    whole = client.get(job["links"]["draft"]).json()
    assert whole == instance_of(client, job)


def rows(client: TestClient, job: Any) -> list[tuple[str, ...]]:
    page = client.get(f"/jobs/{job['id']}/question", headers={"Accept": "text/html"})
    assert page.status_code == 200, page.text
    row = r'<tr><th scope="row" title="([^"]*)">([^<]*)</th><td>([^<]*)</td><td>([^<]*)</td></tr>'
    return re.findall(row, page.text)


def test_the_page_of_a_job_says_what_was_changed(client: TestClient) -> None:
    place = "#/problem/platform/processors/[id=W]/unit_time"
    stored = client.post("/v1/platforms", json=PLATFORM).json()["id"]
    changes = [
        {"at": UNIT_TIME, "value": "7/2"},
        {"scale": UNIT_TIME, "value": 2},
        {"at": "/options/time_limit", "value": 9},
    ]
    job = posted(client, body(platform=stored) | {"changes": changes})
    limit = ("#/options/time_limit", "time limit", "not there", "9 s")
    assert rows(client, job) == [(place, "host W, unit time", "2", "7"), limit]
    again = posted(client, {"base": job["id"], "changes": [{"at": UNIT_TIME, "value": "1/3"}]})
    assert rows(client, again) == [(place, "host W, unit time", "7", "1/3")]
    assert rows(client, posted(client, body(platform=stored))) == []
    # What it was changed from is not known any more.
    client.delete(f"/v1/platforms/{stored}")
    assert rows(client, job) == []


def test_a_job_is_the_base_of_another(client: TestClient) -> None:
    first = posted(
        client, BODY | {"name": "before", "labels": {"a": "b"}, "options": {"time_limit": 9}}
    )
    sent = {
        "base": first["id"],
        "options": {"mip_gap": "1/7"},
        "changes": [{"scale": UNIT_TIME, "value": 3}],
    }
    second = posted(client, sent)
    instance = instance_of(client, second)
    assert times(client, second) == [None, "6"]
    assert (instance["options"]["time_limit"], instance["options"]["mip_gap"]) == (9, "1/7")
    assert (second["name"], second["labels"]) == ("before", {"a": "b"})
    third = posted(client, {"base": second["id"], "name": "after"})
    assert (times(client, third), third["name"]) == ([None, "6"], "after")
    assert client.get(third["links"]["draft"]).json() == {"base": second["id"], "name": "after"}
    client.post(second["links"]["cancel"])
    client.delete(second["links"]["self"])
    assert client.get(third["links"]["draft"]).json() == instance_of(client, third)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"base": "job_" + 32 * "0"}, "#/base", "unknown_job"),
        ({"base": 7}, "#/base", "unknown_job"),
        ({"base": "x", **BODY}, "#/problem", "problem_given"),
    ],
)
def test_a_base_that_is_none_is_told_where_it_is_named(
    client: TestClient, document: Any, pointer: str, code: str
) -> None:
    assert faults(client, document) == [(pointer, code)]


def test_faults_of_changes_lead_to_the_change(client: TestClient) -> None:
    stored = client.post("/v1/platforms", json=PLATFORM).json()["id"]
    good = {"at": UNIT_TIME, "value": 1}
    astray = {"at": "/problem/platform/processors/[id=X]/unit_time", "value": 1}
    wrong = {"at": UNIT_TIME, "value": 0}
    cut = {"at": "/problem/platform/links", "value": []}
    for first in (body(platform=stored), {"base": posted(client, BODY)["id"]}):
        assert faults(client, first | {"changes": [good, astray]}) == [
            ("#/changes/1/at", "leads_nowhere")
        ]
        assert faults(client, first | {"changes": [good, wrong]}) == [
            ("#/changes/1/value", "zero_rational")
        ]
    named = {"at": "/problem/master", "value": "X"}
    assert faults(client, BODY | {"changes": [cut, named]})[0][0] == "#/changes/1/value"
    answer = client.post("/v1/jobs?validate_only=true", json=BODY | {"changes": [astray]})
    assert answer.status_code == 422


def test_faults_of_a_base_say_where_they_are_in_its_problem(client: TestClient) -> None:
    """Members of the body itself are named as they are sent."""
    base = posted(client, BODY)["id"]
    both = {"at": "/problem/platform/links/0/bandwidth", "value": 2}
    answer = client.post("/v1/jobs", json={"base": base, "changes": [both]})
    (fault,) = answer.json()["errors"]
    assert (fault["pointer"], fault["code"]) == ("#/base", "ambiguous_speed")
    assert fault["detail"].endswith("(at #/problem/platform/links/0 of the job)")
    assert faults(client, {"base": base, "chnages": []})[0][0] == "#/chnages"


def test_a_draft_goes_with_its_job(client: TestClient, database: Database) -> None:
    job = posted(client, BODY | {"changes": [{"at": UNIT_TIME, "value": 2}]})
    finish(database, claim(database))
    assert client.delete(job["links"]["self"]).status_code == 204
    assert client.get(job["links"]["draft"]).status_code == 404
