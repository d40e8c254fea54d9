"""A site with jobs of every kind and in every state, answered as workers would."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import httpx2
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.packing import pack, pack_schedule
from app.db.queue import Claim, Found
from app.db.skills import Skills
from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, Proof
from steadygrid.domain.limits import Limits
from steadygrid.domain.trace import TracePoint, trace_document
from steadygrid.kinds import PROBLEMS, SOLVES
from steadygrid.report.limiter import chief_limiter
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.pictures.reports import slow_links
from tests.solved import Solved, solve

F = Fraction

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


def posted(client: httpx2.Client, body: Mapping[str, Any]) -> str:
    """Post a job and give its id."""
    answer = client.post("/v1/jobs", json=body)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def claimed(database: Database) -> Claim:
    """Take the next job."""
    with database.write_all() as unit:
        taken = unit.queue.claim("tests", Skills(tuple(PROBLEMS), SOLVES), 60)
    assert taken is not None
    return taken


LAST_PROGRESS = {"phase": "verifying", "elapsed": 1.5}
TRACE = (
    TracePoint(1, 0.5, None, F(1), False),
    TracePoint(2, 1.0, F(1, 4), F(3, 4), False),
    TracePoint(3, 1.5, F(21, 40), F(21, 40), True),
)
"""Of the example of master_worker."""


def answered(
    client: httpx2.Client, database: Database, body: Mapping[str, Any], solved: Solved
) -> str:
    """Post a job, answer it at once, and give its id."""
    own = posted(client, body)
    result, schedule = solved
    packed = None if schedule is None else pack_schedule(schedule)
    document = result.model_dump(mode="json") | {"schedule": packed and packed.id}
    members = [document[name] for name in ("objective", "bound", "gap")]
    limiter = chief_limiter(Report(parse_submission(body, Limits()), result, schedule))
    taken = claimed(database)
    assert taken.job_id == own
    with database.write_all() as unit:
        unit.queue.succeed(
            taken,
            Found(result.outcome, *members)._replace(limited_by=limiter and limiter._asdict()),
            pack(document),
            packed,
            LAST_PROGRESS,
            pack(trace_document(TRACE)) if solved is example("master_worker") else None,
        )
    return own


def changed(solved: Solved, **fields: Any) -> Solved:
    """Give an answer whose result says something else."""
    return solved._replace(result=solved.result.model_copy(update=fields))


class Site(NamedTuple):
    client: TestClient
    database: Database
    jobs: Mapping[str, str]
    """Ids by what the jobs are."""
    platform: str
    application: str
    what_if: str
    replan: str
    """Of the job with hostile names; nothing of them is solved."""


def furnished(client: TestClient, database: Database) -> Site:
    """Post jobs, answer them, and store documents; jobs are named by their kind, and by the rest
    of what jobs can be."""
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
    slower = {"measured": {"processors": {HOSTILE[0]: {"speed": "1/2"}}}, "scale": True}
    studies = [
        client.post(f"/v1/jobs/{jobs['hostile']}/{name}", json=asked).json()["id"]
        for name, asked in (("what-if", {"solve": 0}), ("replan", slower | {"solve": False}))
    ]
    return Site(client, database, jobs, *stored, *studies)


def _outcomes() -> dict[str, tuple[Any, Any]]:
    body = PROBLEMS["master_worker"].example
    best = example("master_worker")
    guessed = {"certificate": NoCertificate(), "proof": Proof.NONE, "verified": True}
    over = Bound.from_value(best.result.objective.value * F(271, 250), exact=True)
    apart: Any = PROBLEMS["task_graph"].example
    unreachable = {
        **apart,
        "problem": {
            **apart["problem"],
            "platform": {**apart["problem"]["platform"], "links": []},
        },
    }
    predicted = {"problem": slow_links("ABC")}
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
        "predicted": (predicted, solve(predicted)),
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
        best, objective=Objective.throughput(rate), bound=Bound.from_value(rate, exact=True)
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
    stopped, running, cancelling = (posted(client, body) for _ in range(3))
    told = {"phase": "solving", "iterations": 12, "value": "21/40", "bound": "3/5"}
    for job in (stopped, running, cancelling):
        taken = claimed(database)
        assert taken.job_id == job
        with database.write_all() as unit:
            unit.queue.heartbeat(taken, 60, {**told, "gap": "1/8", "elapsed": 1.5})
        if job == stopped:
            client.post(f"/v1/jobs/{job}/cancel")
            with database.write_all() as unit:
                unit.queue.cancelled(taken)
    client.post(f"/v1/jobs/{cancelling}/cancel")
    return {
        "cancelled": cancelled,
        "stopped": stopped,
        "failed": failed,
        "running": running,
        "cancelling": cancelling,
        "queued": posted(client, body),
    }
