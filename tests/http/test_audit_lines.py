"""What is deleted or cancelled over HTTP leaves a line that says by whom; what is refused, none."""

from typing import Any

from fastapi.testclient import TestClient

from app.db.engine import Database
from steadygrid.kinds import PROBLEMS

BODY: Any = PROBLEMS["task_graph"].example


def told(database: Database) -> list[tuple[str, str, str, str]]:
    with database.read_all() as unit:
        lines = unit.audit.page(100).items
    return [(line.tenant, line.actor, line.action, line.subject) for line in lines]


def test_each_change_is_told_once(client: TestClient, database: Database) -> None:
    job = client.post("/v1/jobs", json=BODY).json()["id"]
    stored = {
        noun: client.post(f"/v1/{noun}s", json=BODY["problem"][noun]).json()["id"]
        for noun in ("platform", "application")
    }
    assert client.delete(f"/v1/jobs/{job}").status_code == 409
    assert told(database) == []
    for _ in range(2):
        client.post(f"/v1/jobs/{job}/cancel")
        client.delete(f"/v1/platforms/{stored['platform']}")
        client.delete(f"/v1/applications/{stored['application']}")
    client.delete(f"/v1/jobs/{job}")
    client.post(f"/v1/jobs/{job}/cancel")
    assert sorted(told(database)) == sorted(
        ("local", "anybody", action, subject)
        for action, subject in (
            ("job.cancelled", job),
            ("platform.deleted", stored["platform"]),
            ("application.deleted", stored["application"]),
            ("job.deleted", job),
        )
    )
