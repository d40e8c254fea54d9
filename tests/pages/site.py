"""A site with jobs of every kind and in every state, answered as workers would."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Claim, Found
from app.db.skills import Skills
from steadygrid.problems import PROBLEMS, SOLVES
from tests.solved import Solved, solve

PAGE = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
"""What browsers send."""
HOSTILE = (
    "</script><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% include 'base.html' %}",
    "\u05d0\u05d1\u05d2 \u202egnp.exe",
    "&lt;b&gt; &amp;",
    "x" * 200,
)
"""Ids that are legal, and that a careless page would not show as text."""


def star(names: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """Give a master with a worker of each name."""
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "name": more.pop("name", None),
                "processors": [
                    {"id": "M", "unit_time": "3"},
                    *({"id": name, "unit_time": str(i + 10)} for i, name in enumerate(names)),
                ],
                "links": [{"source": "M", "target": name, "unit_time": "1"} for name in names],
            },
            "master": "M",
            "task": {"work": "1", "input_size": "1"},
            "ports": "one_port",
        },
        **more,
    }


@cache
def example(kind: str) -> Solved:
    """Solve the example of a kind, once for all tests."""
    return solve(PROBLEMS[kind].example)


def posted(client: TestClient, body: Mapping[str, Any]) -> str:
    """Post a job and give its id."""
    answer = client.post("/v1/jobs", json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def claimed(database: Database) -> Claim:
    """Take the next job."""
    with database.write_all() as unit:
        taken = unit.queue.claim("tests", Skills(tuple(PROBLEMS), SOLVES), 60, max_failures=5)
    assert taken is not None
    return taken


LAST_PROGRESS = {"phase": "verifying", "elapsed": 1.5}


def answered(
    client: TestClient, database: Database, body: Mapping[str, Any], solved: Solved
) -> str:
    """Post a job, answer it at once, and give its id."""
    own = posted(client, body)
    result, schedule = solved
    packed = None if schedule is None else pack_schedule(schedule)
    document = result.model_dump(mode="json") | {"schedule": packed and packed.id}
    members = (document[name] for name in ("objective", "bound", "gap"))
    taken = claimed(database)
    assert taken.job_id == own
    with database.write_all() as unit:
        unit.queue.succeed(
            taken, Found(result.outcome, *members), pack(document), packed, LAST_PROGRESS
        )
    return own


def changed(solved: Solved, **fields: Any) -> Solved:
    """Give an answer whose result says something else."""
    return solved._replace(result=solved.result.model_copy(update=fields))
