"""Simulations of stored jobs: what a job asked and was answered is copied."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs import references
from tests.http.bodies import BODY
from tests.http.solving import solve_next

HOW = {"noise": ["0", "1/20"], "instances": 30, "seeds": 2}


def solved(client: TestClient, database: Database) -> str:
    """Have a job solved, and give its id."""
    client.post("/v1/jobs", json=BODY)
    return solve_next(database)


def asked(job: str, **members: Any) -> dict[str, Any]:
    return {"problem": {"kind": "simulation", "job": job, **HOW, **members}}


def test_a_job_that_succeeded_is_simulated_and_may_be_deleted(
    client: TestClient, database: Database
) -> None:
    first = solved(client, database)
    answer = client.post("/v1/jobs", json=asked(first))
    assert answer.status_code == 202, answer.text
    assert client.delete(f"/v1/jobs/{first}").status_code == 204
    second = solve_next(database)
    result = client.get(f"/v1/jobs/{second}/result").json()
    assert (result["simulated"], result["plan"], result["optimum"]) == (
        "master_worker",
        "1/2",
        "1/2",
    )
    assert result["table"][0]["throughput"] == "1/2"
    assert (result["schedule"], result["proof"]) == (None, "none")
    instance = client.get(f"/v1/jobs/{second}/instance").json()
    assert instance["problem"]["job"] == first
    assert instance["problem"]["schedule"]["throughput"] == "1/2"
    page = client.get(f"/jobs/{second}", headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "What is left of the plan" in page.text
    assert f"/v1/jobs/{second}/pictures/robustness" in page.text


def test_a_job_and_its_newest_simulation_name_each_other(
    client: TestClient, database: Database
) -> None:
    first = solved(client, database)
    client.post("/v1/jobs", json=asked(first, noise=["0"]))
    solve_next(database)
    client.post("/v1/jobs", json=asked(first))
    second = solve_next(database)
    assert client.get(f"/v1/jobs/{second}").json()["simulation_of"] == first
    assert client.get(f"/v1/jobs/{first}").json()["simulation_of"] is None
    page = client.get(f"/jobs/{first}").text
    assert f'<dt>run it</dt><dd><a href="/jobs/{second}">' in page
    assert "of the plan at 5 % noise, simulated" in page
    simulation = f'<dt>simulates</dt><dd><a href="/jobs/{first}">'
    assert simulation in client.get(f"/jobs/{second}").text
    assert client.delete(f"/v1/jobs/{first}").status_code == 204
    assert simulation not in client.get(f"/jobs/{second}").text


def test_the_program_of_a_collective_is_simulated_and_told(
    client: TestClient, database: Database
) -> None:
    platform = {
        "processors": [{"id": "a"}, {"id": "b"}],
        "links": [{"source": "a", "target": "b", "bandwidth": 4}],
    }
    problem = {"kind": "collective", "operation": "broadcast", "source": "a", "ports": "multiport"}
    running = {"sizes": [10**9], "piece": 10**8}
    given = {"problem": problem | {"platform": platform, "execution": running}}
    client.post("/v1/jobs", json=given)
    first = solve_next(database)
    how = {"executions": ["program"], "bytes": 10**9}
    assert client.post("/v1/jobs", json=asked(first, **how)).status_code == 202
    second = solve_next(database)
    exact, noisy = client.get(f"/v1/jobs/{second}/result").json()["table"]
    assert (exact["throughput"], exact["of_optimum"]) == ("4", "1")
    assert len(noisy["runs"]) == 2
    assert "as the exported program" in client.get(f"/jobs/{first}").text
    refused = client.post("/v1/jobs", json=asked(first, bytes=7))
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["code"] == "invalid_size"


def test_a_job_that_is_not_there_or_has_not_succeeded_is_refused(
    client: TestClient, database: Database
) -> None:
    client.post("/v1/jobs", json=BODY)
    queued = client.get("/v1/jobs").json()["items"][0]["id"]
    for job in (queued, f"job_{0:032x}", "anything"):
        answer = client.post("/v1/jobs", json=asked(job))
        assert answer.status_code == 422
        (error,) = answer.json()["errors"]
        assert (error["pointer"], error["code"]) == ("#/problem/job", "unknown_job")


def test_a_job_without_schedule_is_refused(client: TestClient, database: Database) -> None:
    first = solved(client, database)
    client.post("/v1/jobs", json=asked(first))
    simulation = solve_next(database)
    answer = client.post("/v1/jobs", json=asked(simulation))
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "unknown_job")


def test_what_is_wrong_with_the_copied_documents_is_said_of_the_job(
    client: TestClient, database: Database
) -> None:
    first = solved(client, database)
    answer = client.post("/v1/jobs", json=asked(first, executions=["clock", "clock"]))
    assert answer.json()["errors"][0]["pointer"] == "#/problem/executions/1"
    body = asked(first)
    body["problem"]["result"] = {}
    assert client.post("/v1/jobs", json=body).status_code == 202


def test_a_long_schedule_is_not_copied(
    client: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = solved(client, database)
    monkeypatch.setattr(references, "_LONGEST", 10)
    answer = client.post("/v1/jobs", json=asked(first))
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["pointer"], error["code"]) == ("#/problem/job", "limit_exceeded")
    assert "max_period" in error["detail"]


def test_another_tenants_job_is_not_there(client: TestClient, database: Database) -> None:
    first = solved(client, database)
    resolved, named = references.resolve_references(database, "other", asked(first))
    assert named == {}
    assert "schedule" not in resolved["problem"]
    resolved, named = references.resolve_references(database, "local", asked(first))
    assert named == {"job": first}
    assert resolved["problem"]["schedule"]["throughput"] == "1/2"
