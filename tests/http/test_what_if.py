"""What would help a job, over HTTP: bounds at once, exact values as the jobs of its sweep end."""

from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.studies.schemas import WhatIfValidation
from app.sweeps.schemas import WhatIf
from tests.db.turmoil import counted
from tests.http.bodies import claim
from tests.http.solving import solve_next
from tests.http.test_replans import FIGURE_3, refused, succeeded

NOTHING = [None, None]


def asked(client: TestClient, job: str, body: Any = None, **more: Any) -> dict[str, Any]:
    answer = client.post(f"{job}/what-if", json=body or {}, **more)
    assert answer.status_code in (200, 202), answer.text
    told: dict[str, Any] = answer.json()
    assert answer.headers["Location"] == told["links"]["self"]
    return told


def values(told: dict[str, Any], name: str) -> list[Any]:
    return [upgrade[name] for upgrade in told["upgrades"]]


def conform(client: TestClient, told: dict[str, Any]) -> None:
    document = client.get("/openapi.json").json()
    schema = {"$ref": "#/components/schemas/WhatIf", **document}
    jsonschema_rs.validator_for(schema).validate(told)


def test_bounds_are_there_at_once_and_exact_values_as_jobs_end(
    client: TestClient, database: Database
) -> None:
    job = succeeded(client, database)
    told = asked(client, job)
    own = told["links"]["self"]
    assert (told["kind"], told["job_kind"], told["jobs"]) == ("what_if", "master_worker", 2)
    assert f"/v1/jobs/{told['of_job']}" == told["links"]["job"] == job
    assert (told["factor"], told["optimum"], told["next_bound"]) == ("2", "21/40", "41/40")
    assert values(told, "resource") == ["P1.send", "P1.compute"]
    assert values(told, "at_most") == ["41/40", "11/20"]
    assert values(told, "gain_at_most") == ["20/21", "1/21"]
    assert values(told, "exact") == NOTHING
    assert told["upgrades"][1]["change"] == [
        {"pointer": "/problem/platform/processors/0/unit_time", "from": "10", "to": "5"}
    ]
    listed = [client.get(f"/v1/jobs/{one}").json() for one in values(told, "job")]
    assert [one["name"] for one in listed] == [
        "P1.send, 2 times faster",
        "P1.compute, 2 times faster",
    ]
    assert [one["labels"] for one in listed] == [FIGURE_3["labels"]] * 2
    # The sweep has a copy of all that it needs.
    assert client.delete(job).status_code == 204
    assert solve_next(database) == listed[0]["id"]
    told = client.get(own).json()
    assert (values(told, "exact"), told["proved_best"]) == (["21/40", None], False)
    assert (values(told, "gain"), told["next_bound"]) == (["0", None], "11/20")
    solve_next(database)
    answer = client.get(own)
    told = answer.json()
    assert (told["state"], values(told, "exact")) == ("succeeded", ["21/40", "11/20"])
    assert (told["best"], told["proved_best"], told["next_bound"]) == ("P1.compute", True, None)
    floats = client.get(f"{own}?numbers=float").json()
    assert values(floats, "exact") == [0.525, 0.55]
    WhatIf.model_validate_json(answer.content)
    conform(client, told)
    conform(client, floats)
    assert "upgrades" not in client.get("/v1/sweeps").json()["items"][0]


def test_the_answer_of_a_sweep_s_job_can_be_asked_about(
    client: TestClient, database: Database
) -> None:
    first = asked(client, succeeded(client, database), {"resources": ["P1.compute"]})
    of_sweep = solve_next(database)
    assert values(first, "job") == [of_sweep]
    told = asked(client, f"/v1/jobs/{of_sweep}", {"resources": ["P1.compute"], "solve": 0})
    assert (told["value"], told["state"], told["jobs"]) == ("11/20", "succeeded", 0)
    assert told["upgrades"][0]["change"][0]["from"] == "5"


def test_what_fails_is_solved_without_it(client: TestClient, database: Database) -> None:
    job = succeeded(client, database)
    asking = {"factor": 0, "resources": ["P1.compute", "P4.compute"], "solve": 2}
    told = asked(client, job, asking)
    assert (told["jobs"], told["factor"]) == (1, "0")
    by_resource = {one["resource"]: one for one in told["upgrades"]}
    assert by_resource["P1.compute"]["exact"] == "0"
    new = client.get(f"/v1/jobs/{by_resource['P4.compute']['job']}").json()
    assert new["name"] == "without P4.compute"
    solve_next(database)
    told = client.get(told["links"]["self"]).json()
    body = client.get(f"/v1/jobs/{new['id']}/instance").json()
    assert [one["id"] for one in body["problem"]["platform"]["processors"]] == ["P1", "P2", "P3"]
    assert {one["resource"]: one["exact"] for one in told["upgrades"]} == {
        "P1.compute": "0",
        "P4.compute": client.get(f"/v1/jobs/{new['id']}").json()["objective"]["value"],
    }
    assert told["proved_best"] is None


def test_a_job_that_ends_otherwise_is_told(client: TestClient, database: Database) -> None:
    told = asked(client, succeeded(client, database))
    first = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(first, {"code": "hard_timeout", "detail": "It was stopped."})
    client.post(f"/v1/sweeps/{told['id']}/cancel")
    told = client.get(told["links"]["self"]).json()
    assert values(told, "note") == ["its job has failed: It was stopped.", "its job was cancelled"]
    assert (values(told, "exact"), told["next_bound"]) == (NOTHING, "41/40")


@pytest.mark.parametrize(
    ("body", "code", "faults"),
    [
        ([], "invalid_request", [("#", "invalid_type")]),
        (
            {"solve": 101, "resource": []},
            "invalid_request",
            [("#/solve", "less_than_equal"), ("#/resource", "extra_forbidden")],
        ),
        ({"factor": 1}, "invalid_request", [("#/factor", "factor_without_meaning")]),
        (
            {"resources": ["P1.send", "P9.send"]},
            "invalid_request",
            [("#/resources/1", "unknown_resource")],
        ),
        (
            {"options": {"time_limit": 0}},
            "invalid_request",
            [("#/options/time_limit", "greater_than")],
        ),
        ({"factor": 0, "solve": 0}, "no_prices", [("#/solve", "no_prices")]),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(
    client: TestClient, database: Database, body: Any, code: str, faults: Any
) -> None:
    job = succeeded(client, database)
    for query in ("", "?validate_only=true"):
        assert refused(client, f"{job}/what-if{query}", body) == (422, code, faults)
    assert client.get("/v1/sweeps").json()["items"] == []


def test_jobs_without_a_value_are_refused(client: TestClient, database: Database) -> None:
    assert refused(client, f"/v1/jobs/job_{'0' * 32}/what-if", {}) == (404, "not_found", [])
    queued = client.post("/v1/jobs", json=FIGURE_3).headers["Location"]
    assert refused(client, f"{queued}/what-if", {}) == (409, "job_not_finished", [])
    client.post(f"{queued}/cancel")
    assert refused(client, f"{queued}/what-if", {}) == (409, "job_cancelled", [])
    apart = {
        "kind": "task_graph",
        "platform": {"processors": [{"id": "P"}, {"id": "Q"}], "links": []},
        "application": {
            "tasks": [{"id": "A", "times": {"P": 1}}, {"id": "B", "times": {"Q": 1}}],
            "files": [{"source": "A", "target": "B", "size": 1}],
        },
    }
    infeasible = succeeded(client, database, {"problem": apart})
    assert client.get(infeasible).json()["outcome"] == "infeasible"
    assert refused(client, f"{infeasible}/what-if", {}) == (409, "no_value", [("#", "no_value")])


def test_what_a_what_if_would_be_is_told_and_nothing_is_stored(
    client: TestClient, database: Database
) -> None:
    job, before = succeeded(client, database), counted(database)
    told = client.post(f"{job}/what-if?validate_only=true", json={"solve": 1}).json()
    assert (told["upgrades"], told["jobs"]) == (2, 1)
    WhatIfValidation.model_validate(told)
    assert counted(database) == before
