"""Views of jobs: pages for any reader who has the address, for a while."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.models import views
from app.db.views import MOST_VIEWS
from app.main import create_app
from tests.http.bodies import BODY, claim, finish
from tests.http.conftest import ON_SQLITE, quiet
from tests.pages.site import PAGE

ORIGIN = "https://grid.example.org"


def begun(client: TestClient, job_id: str, **asked: Any) -> dict[str, Any]:
    answer = client.post(f"/v1/jobs/{job_id}/views", json=asked)
    assert answer.status_code == 201
    told: dict[str, Any] = answer.json()
    assert answer.headers["location"] == told["links"]["page"]
    return told


def job(client: TestClient) -> str:
    return str(client.post("/v1/jobs", json=BODY).json()["id"])


def test_a_view_shows_one_answer_without_a_link_or_a_script(
    client: TestClient, database: Database
) -> None:
    job_id = job(client)
    path = begun(client, job_id)["links"]["page"]
    waits = client.get(path, headers=PAGE)
    assert waits.headers["refresh"] == "5"
    finish(database, claim(database))
    shown = client.get(path, headers=PAGE)
    assert shown.status_code == 200
    assert "refresh" not in shown.headers
    assert shown.headers["cache-control"] == "no-store"
    assert "<svg" in shown.text
    for part in ("<script", "<a ", "<form", "<button", job_id):
        assert part not in shown.text, part
    ours = client.get(f"/jobs/{job_id}", headers=PAGE).text
    answer = ours.partition('<p class="answer">')[2].partition("</p>")[0]
    assert answer in shown.text


@ON_SQLITE
def test_a_view_says_how_it_runs_and_looks_again(client: TestClient, database: Database) -> None:
    job_id = job(client)
    finish(database, claim(database))
    epoch = {"epoch": "2026-11-27T12:00:00Z", "unit_seconds": 1}
    assert client.put(f"/v1/jobs/{job_id}/epoch", json=epoch).status_code == 200
    shown = client.get(begun(client, job_id)["links"]["page"], headers=PAGE)
    assert shown.headers["refresh"] == "30"
    assert "Now period" in shown.text


@ON_SQLITE
def test_no_host_frames_it_but_those_of_the_setting(client: TestClient, tmp_path: Path) -> None:
    path = begun(client, job(client))["links"]["page"]
    policy = "content-security-policy"
    assert client.get(path).headers[policy].endswith("frame-ancestors 'none'")
    allowed = f"{ORIGIN}, http://a:81"
    own = quiet(f"sqlite:///{tmp_path / 'db'}", tmp_path, view_origins=allowed)
    with TestClient(create_app(own), base_url="http://localhost") as other:
        path = begun(other, job(other))["links"]["page"]
        for one in (path, "/view/ended"):
            shown = other.get(one, headers=PAGE)
            assert shown.headers[policy].endswith(f"frame-ancestors {ORIGIN} http://a:81"), one
        assert other.get("/jobs", headers=PAGE).headers[policy].endswith("frame-ancestors 'none'")


def test_it_ends_when_it_should(client: TestClient, database: Database) -> None:
    told = begun(client, job(client), seconds=60)
    path = told["links"]["page"]
    left = datetime.fromisoformat(told["expires_at"]) - datetime.now(UTC)
    assert timedelta(seconds=50) < left <= timedelta(seconds=61)
    assert client.get(path).status_code == 200
    with database.engine.begin() as connection:
        connection.execute(update(views).values(expires_at=current_time()))
    gone = client.get(path)
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    with database.write_all() as unit:
        assert unit.views.purge() == 1
        assert unit.views.purge() == 0


def test_its_owner_ends_it(client: TestClient) -> None:
    first, second = job(client), job(client)
    paths = [begun(client, one)["links"]["page"] for one in (first, first, second)]
    assert client.delete(f"/v1/jobs/{first}/views").status_code == 204
    assert [client.get(path).status_code for path in paths] == [404, 404, 200]


def test_it_goes_with_its_job(client: TestClient, database: Database) -> None:
    job_id = job(client)
    path = begun(client, job_id)["links"]["page"]
    finish(database, claim(database))
    assert client.delete(f"/v1/jobs/{job_id}").status_code == 204
    assert client.get(path).status_code == 404
    with database.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(views)) == 0


def test_the_oldest_of_too_many_end(client: TestClient, database: Database) -> None:
    job_id = job(client)
    first = begun(client, job_id)["links"]["page"]
    with database.engine.begin() as connection:
        connection.execute(update(views).values(created_at=current_time(-60)))
    last = [begun(client, job_id)["links"]["page"] for _ in range(MOST_VIEWS)][-1]
    assert [client.get(path).status_code for path in (first, last)] == [404, 200]
    with database.engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(views)) == MOST_VIEWS


@ON_SQLITE
@pytest.mark.parametrize("asked", [{"seconds": 59}, {"seconds": 86_401}, {"second": 60}])
def test_bad_requests_say_what_is_wrong(client: TestClient, asked: dict[str, Any]) -> None:
    answer = client.post(f"/v1/jobs/{job(client)}/views", json=asked)
    assert answer.status_code == 422
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] == f"#/{next(iter(asked))}"


@ON_SQLITE
def test_a_token_opens_nothing_else(client: TestClient) -> None:
    token = begun(client, job(client))["token"]
    for path in ("/view/", "/view/x", f"/view/{token}x", f"/view/{token}/x", f"/view/{token[:-1]}"):
        assert client.get(path).status_code == 404, path
