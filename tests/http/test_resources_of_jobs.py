"""The resources of an answer over HTTP: exact, once each, never changing."""

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.jobs.schemas import ResourcePage
from tests.http.on_sqlite import settings
from tests.http.solving import solve_next

__all__ = ["settings"]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def solved(client: TestClient, database: Database, name: str) -> str:
    body = json.loads((EXAMPLES / f"{name}.json").read_text())
    own: str = client.post("/v1/jobs", json=body).headers["Location"]
    solve_next(database)
    return f"{own}/resources"


def listed(client: TestClient, at: str, **parameters: Any) -> dict[str, Any]:
    answer = client.get(at, params=parameters)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    jsonschema_rs.validate(ResourcePage.model_json_schema(), document)
    return document


def keys(document: dict[str, Any]) -> list[str]:
    return [item["key"] for item in document["items"]]


def test_what_is_listed_is_exact_and_can_be_narrowed_and_sorted(
    client: TestClient, database: Database
) -> None:
    at = solved(client, database, "shared-wide-area-link")
    told = listed(client, at, show="all")
    assert sum(Fraction(item["share"]) for item in told["items"]) == 1
    assert sum(Fraction(item["does"]["share"]) for item in told["items"] if item["does"]) == 1
    assert (told["basis"], told["throughput"], told["optimum"]) == ("schedule", "92/15", "92/15")
    assert told["counts"] == {"rows": len(told["items"]), "limiting": 2, "idle_processors": 1}
    assert keys(listed(client, at, show="limits")) == ["medium:wan", "processor:lab-1"]
    named = listed(client, at, find="LAB-2", sort="name")
    assert set(keys(named)) == {"processor:lab-1", "link:lab->lab-1", "link:lab-1->lab"}
    labels = [item["label"] for item in named["items"]]
    assert labels == sorted(labels)
    work = [
        Fraction(item["does"]["share"]) for item in listed(client, at, sort="does")["items"][:4]
    ]
    assert work == sorted(work, reverse=True)
    apart = keys(listed(client, at, show="all", fold="false"))
    assert {"processor:lab-1", "processor:lab-2"} <= set(apart)
    unused = {item["key"] for item in told["items"]} - set(keys(listed(client, at)))
    assert "processor:south-2" in unused


def test_pages_put_together_are_the_whole(client: TestClient, database: Database) -> None:
    at = solved(client, database, "shared-wide-area-link")
    whole, found, token = keys(listed(client, at)), list[str](), None
    while True:
        more: dict[str, str] = {} if token is None else {"page_token": token}
        page = listed(client, at, limit=3, **more)
        found += keys(page)
        token = page["next_page_token"]
        if token is None:
            break
    assert found == whole


def test_the_table_says_the_same_as_the_document(client: TestClient, database: Database) -> None:
    at = solved(client, database, "rr4870-figure-3")
    told = listed(client, at)
    answer = client.get(f"{at}.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].endswith('-resources.csv"')
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["key"], row["port"], Fraction(row["busy"])) for row in rows] == [
        (item["key"], port["port"], Fraction(port["busy"]))
        for item in told["items"]
        for port in item["ports"]
    ]


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_it_never_changes(client: TestClient, database: Database, suffix: str) -> None:
    at = solved(client, database, "rr4870-figure-3") + suffix
    answer = client.get(at)
    tag = answer.headers["ETag"]
    assert "immutable" in answer.headers["Cache-Control"]
    assert not tag.startswith("W/")
    again = client.get(at, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_refusals_say_what_is_missing(client: TestClient, database: Database) -> None:
    body = json.loads((EXAMPLES / "rr4870-figure-3.json").read_text())
    own = client.post("/v1/jobs", json=body).headers["Location"]
    waiting = client.get(f"{own}/resources")
    assert (waiting.status_code, waiting.json()["code"]) == (409, "job_not_finished")
    solve_next(database)
    strange = client.get(f"{own}/resources", params={"sort": "colour"})
    assert (strange.status_code, strange.json()["code"]) == (422, "invalid_request")
    wrong = client.get(f"{own}/resources", params={"page_token": "nothing"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_request")
    none = client.get(solved(client, database, "small-transformer"))
    assert (none.status_code, none.json()["code"]) == (404, "no_resources")
