"""A service with jobs of every kind, outcome and state, for all tests of pages."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.main import create_app
from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, Proof
from steadygrid.problems import PROBLEMS
from tests.http.conftest import quiet
from tests.pages.site import (
    HOSTILE,
    answered,
    changed,
    claimed,
    example,
    posted,
    star,
)
from tests.solved import solve

F = Fraction


class Site(NamedTuple):
    client: TestClient
    database: Database
    jobs: Mapping[str, str]
    """Ids by what the jobs are."""
    platform: str
    application: str


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Jobs named by their kind, and by the rest of what jobs can be."""
    folder = tmp_path_factory.mktemp("pages")
    settings = quiet(f"sqlite:///{folder / 'steadygrid.db'}", folder)
    with TestClient(create_app(settings), base_url="http://localhost:8000") as client:
        database = Database.open(settings.effective_database_url)
        jobs = {
            kind: answered(client, database, problem.example, example(kind))
            for kind, problem in PROBLEMS.items()
        }
        jobs |= {name: answered(client, database, *it) for name, it in _outcomes().items()}
        jobs["hostile"] = _hostile(client, database)
        jobs |= _states(client, database)
        body: Any = PROBLEMS["task_graph"].example["problem"]
        stored = [
            client.post(f"/v1/{noun}s", json=body[noun]).json()["id"]
            for noun in ("platform", "application")
        ]
        yield Site(client, database, jobs, *stored)
        database.close()


def _outcomes() -> dict[str, tuple[Any, Any]]:
    body = PROBLEMS["master_worker"].example
    best = example("master_worker")
    guessed = {"certificate": NoCertificate(), "proof": Proof.NONE, "verified": True}
    over = Bound.of(best.result.objective.value * F(271, 250), exact=True)
    apart: Any = PROBLEMS["task_graph"].example
    unreachable = {
        **apart,
        "problem": {
            **apart["problem"],
            "platform": {**apart["problem"]["platform"], "links": []},
        },
    }
    return {
        "feasible": (
            body,
            changed(best, outcome=Outcome.FEASIBLE, bound=over, gap=F(21, 271), **guessed),
        ),
        "bound_only": (
            body,
            changed(best, outcome=Outcome.BOUND_ONLY, objective=None, gap=None, **guessed)._replace(
                schedule=None
            ),
        ),
        "unknown": (
            body,
            changed(
                best, outcome=Outcome.UNKNOWN, objective=None, bound=None, gap=None, **guessed
            )._replace(schedule=None),
        ),
        "infeasible": (unreachable, solve(unreachable)),
        "long": (body, _long(best)),
    }


def _long(best: Any) -> Any:
    """Give an answer whose numbers have a thousand digits."""
    period = F(10**999 + 7)
    rate = F(10**998 + 9, 10**999 + 7)
    grown = replace(
        best.schedule,
        period=period,
        throughput=rate,
        optimal_throughput=rate,
        instances_per_period=rate * period,
    )
    return changed(
        best, objective=Objective.throughput(rate), bound=Bound.of(rate, exact=True)
    )._replace(schedule=grown)


def _hostile(client: TestClient, database: Database) -> str:
    body = star(HOSTILE, name=HOSTILE[0], labels={"note": HOSTILE[1]})
    return answered(client, database, body, solve(body))


def _states(client: TestClient, database: Database) -> dict[str, str]:
    body = PROBLEMS["master_worker"].example
    cancelled = posted(client, body)
    client.post(f"/v1/jobs/{cancelled}/cancel")
    failed = posted(client, body)
    error = {"code": "out_of_memory", "detail": "The solve needed more than <4 GiB>."}
    taken = claimed(database)
    assert taken.job_id == failed
    with database.write_all() as unit:
        unit.queue.fail(taken, error)
    running, cancelling = posted(client, body), posted(client, body)
    for _ in range(2):
        taken = claimed(database)
        told = {"phase": "solving", "iterations": 12, "value": "21/40", "bound": "3/5"}
        with database.write_all() as unit:
            unit.queue.heartbeat(taken, 60, {**told, "gap": "1/8", "elapsed": 1.5})
    client.post(f"/v1/jobs/{cancelling}/cancel")
    return {
        "cancelled": cancelled,
        "failed": failed,
        "running": running,
        "cancelling": cancelling,
        "queued": posted(client, body),
    }
