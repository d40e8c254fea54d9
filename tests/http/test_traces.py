"""How a solve came to its answer, over HTTP."""

from fractions import Fraction
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.stored_answers import StoredAnswer
from app.jobs.schemas import Trace
from app.picture_process import report_of
from steadygrid.domain.trace import MOST_POINTS, TracePoint, trace_from_document
from tests.http.bodies import BODY, HALF, claim, finish
from tests.http.on_sqlite import settings

__all__ = ["settings"]

TRACE = (
    TracePoint(None, 0.25, None, Fraction(5, 8), False),
    TracePoint(3, 1.5, Fraction(1, 3), Fraction(5, 8), False),
    TracePoint(3, 2.0, HALF, HALF, True),
)
ITEMS = [
    {"iteration": None, "seconds": 0.25, "value": None, "bound": "0.625", "exact": False},
    {"iteration": 3, "seconds": 1.5, "value": "1/3", "bound": "0.625", "exact": False},
    {"iteration": 3, "seconds": 2.0, "value": "1/2", "bound": "1/2", "exact": True},
]


def submitted(client: TestClient) -> str:
    location: str = client.post("/v1/jobs", json=BODY).headers["Location"]
    return location


def refusal(client: TestClient, url: str) -> tuple[int, str]:
    answer = client.get(url)
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_a_trace_is_given_as_it_was_kept(client: TestClient, database: Database) -> None:
    own = submitted(client)
    finish(database, claim(database), trace=TRACE)
    answer = client.get(f"{own}/trace")
    assert (answer.status_code, answer.json()) == (200, {"items": ITEMS})
    assert trace_from_document(answer.json()["items"]) == TRACE
    last, result = ITEMS[-1], client.get(f"{own}/result").json()
    assert (last["value"], last["bound"]) == (
        result["objective"]["value"],
        result["bound"]["value"],
    )


def test_its_numbers_are_json_numbers_on_demand(client: TestClient, database: Database) -> None:
    own = submitted(client)
    finish(database, claim(database), trace=TRACE)
    items = client.get(f"{own}/trace", params={"numbers": "float"}).json()["items"]
    assert [(point["value"], point["bound"]) for point in items] == [
        (None, 0.625),
        (1 / 3, 0.625),
        (0.5, 0.5),
    ]
    assert refusal(client, f"{own}/trace?numbers=roman") == (422, "invalid_request")


def test_it_never_changes(client: TestClient, database: Database) -> None:
    own = submitted(client)
    finish(database, claim(database), trace=TRACE)
    (listed,) = client.get("/v1/jobs").json()["items"]
    assert listed == client.get(own).json()
    assert listed["links"]["trace"] == f"{own}/trace"
    answer = client.get(f"{own}/trace")
    assert "immutable" in answer.headers["Cache-Control"]
    tag = answer.headers["ETag"]
    assert not tag.startswith("W/")
    again = client.get(f"{own}/trace", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    floats = client.get(f"{own}/trace?numbers=float", headers={"If-None-Match": tag})
    assert floats.status_code == 200


def test_there_is_none_before_the_end(client: TestClient, database: Database) -> None:
    own = submitted(client)
    assert refusal(client, f"{own}/trace") == (409, "job_not_finished")
    assert client.get(f"{own}/trace").headers["Retry-After"] == "1"
    taken = claim(database)
    assert refusal(client, f"{own}/trace") == (409, "job_not_finished")
    finish(database, taken)
    assert refusal(client, f"{own}/trace") == (404, "no_trace")
    assert "trace" not in client.get(own).json()["links"]


def test_there_is_none_of_what_has_no_answer(client: TestClient, database: Database) -> None:
    failed, cancelled = submitted(client), submitted(client)
    taken = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(taken, {"code": "poison", "detail": "again and again"})
    client.post(f"{cancelled}/cancel")
    assert refusal(client, f"{failed}/trace") == (409, "job_failed")
    assert refusal(client, f"{cancelled}/trace") == (409, "job_cancelled")


def test_it_goes_with_its_job(client: TestClient, database: Database) -> None:
    own = submitted(client)
    finish(database, claim(database), trace=TRACE)
    assert client.delete(own).status_code == 204
    assert refusal(client, f"{own}/trace") == (404, "not_found")
    with database.read("local") as unit:
        assert unit.jobs.trace(own.rsplit("/", 1)[-1]) is None


@pytest.mark.parametrize("path", ["job_none/trace", f"job_{'0' * 32}/trace"])
def test_unknown_jobs_have_none(client: TestClient, path: str) -> None:
    assert refusal(client, f"/v1/jobs/{path}") == (404, "not_found")


def test_its_schema_takes_what_is_given_and_says_how_much_that_is(
    client: TestClient, database: Database
) -> None:
    own = submitted(client)
    finish(database, claim(database), trace=TRACE)
    schema: dict[str, Any] = Trace.model_json_schema()
    assert schema["properties"]["items"]["maxItems"] == MOST_POINTS
    for numbers in ("exact", "float"):
        answer = client.get(f"{own}/trace", params={"numbers": numbers}).json()
        assert jsonschema_rs.is_valid(schema, answer)
    answer["items"][0]["value"] = "much"
    assert not jsonschema_rs.is_valid(schema, answer)


def test_those_who_draw_get_it_with_the_answer(client: TestClient, database: Database) -> None:
    traced, quick = submitted(client), submitted(client)
    finish(database, claim(database), trace=TRACE)
    finish(database, claim(database))
    for own, trace in ((traced, TRACE), (quick, ())):
        with database.read("local") as unit:
            stored = unit.jobs.stored_answer(own.rsplit("/", 1)[-1])
        assert stored is not None
        for whole in (stored, stored._replace(schedule=None)):
            received = StoredAnswer.received(*whole.sent())
            assert received == whole
            assert report_of(received).trace == trace
