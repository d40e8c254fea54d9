"""The jobs of a sweep are made piece by piece, each once, whichever process stops in between."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app import sweep_creation
from app.db.engine import Database
from app.db.jobs import JobRecord
from app.db.sweeps import NewSweep, SweepState
from app.sweep_creation import make_jobs
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import JobState
from steadygrid.domain.limits import Limits
from steadygrid.kinds import SOLVES
from steadygrid.kinds.mono_allocation import PROBLEM
from steadygrid.studies.bodies import Bodies
from steadygrid.studies.sweep_plan import Plan
from steadygrid.submissions.submission import parse_submission
from tests.databases import ON_SQLITE
from workers.registration import OUR_SKILLS

TEMPLATE = parse_submission(
    dict(PROBLEM.example)
    | {"name": "n", "labels": {"a": "b"}, "priority": 3, "options": {"mip_gap": "1/10"}},
    Limits(),
).document()


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_creation, "PIECE", 4)


def plan_of(**values: list[Any]) -> Plan:
    """Vary members of `options` and of the problem itself."""
    parameters = []
    for name, given in values.items():
        part = "options" if name == "time_limit" else "problem"
        parameters.append({"name": name, "at": [f"/{part}/{name}"], "values": given})
    return Plan.from_document({"template": TEMPLATE, "mode": "product", "parameters": parameters})


def add(database: Database, plan: Any, jobs: int) -> str:
    sweep = NewSweep.create(PROBLEM.kind, jobs, plan)
    with database.write("local") as unit:
        unit.sweeps.add(sweep, 30)
    return sweep.id


def jobs_of(database: Database, sweep: str) -> list[JobRecord]:
    with database.read("local") as unit:
        return list(unit.sweeps.last_tries(sweep, 0, 1000))


def test_jobs_left_after_a_piece_are_made_by_the_next_caller(database: Database) -> None:
    plan = plan_of(time_limit=[20 + n for n in range(10)])
    sweep = add(database, plan.document(), plan.jobs)
    told: list[str] = []
    assert make_jobs(database, sweep, 30, time.monotonic(), told.extend)
    assert [job.id for job in jobs_of(database, sweep)] == told
    assert len(told) == 4
    assert not make_jobs(database, None, -1)  # no lease has expired
    assert make_jobs(database, sweep, -1, time.monotonic())
    assert not make_jobs(database, None, -1)
    made = jobs_of(database, sweep)
    assert [job.sweep_index for job in made] == list(range(10))
    with database.read("local") as unit:
        assert unit.sweeps.get(sweep).state is SweepState.RUNNING


def test_many_who_make_the_same_make_each_job_once(database: Database) -> None:
    plan = plan_of(time_limit=[20 + n for n in range(40)])
    sweep = add(database, plan.document(), plan.jobs)
    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(lambda _: make_jobs(database, sweep), range(4)):
            pass
    assert [job.sweep_index for job in jobs_of(database, sweep)] == list(range(40))


@ON_SQLITE
def test_rows_say_what_holds_after_the_changes(database: Database) -> None:
    plan = plan_of(method=["milp", "clustering"], time_limit=[20, 30])
    sweep = add(database, plan.document(), plan.jobs)
    make_jobs(database, sweep)
    made = jobs_of(database, sweep)
    assert [(job.name, job.labels, job.priority) for job in made] == [("n", {"a": "b"}, 3)] * 4
    with database.read("local") as unit:
        bodies = [unit.jobs.instance(job.id) for job in made]
    assert [(body["problem"]["method"], body["options"]["time_limit"]) for body in bodies] == [
        ("milp", 20),
        ("milp", 30),
        ("clustering", 20),
        ("clustering", 30),
    ]
    unused = ["mip_gap is not used by clustering"]
    assert [job.warnings for job in made] == [[], [], unused, unused]
    assert {job.state for job in made} == {JobState.QUEUED}
    older = OUR_SKILLS._replace(level=SOLVES - 1)
    with database.read_all() as unit:
        assert unit.queue.waits(OUR_SKILLS)
        assert not unit.queue.waits(older)


@ON_SQLITE
def test_a_sweep_that_is_cancelled_is_made_no_further(database: Database) -> None:
    plan = plan_of(time_limit=[20 + n for n in range(10)])
    sweep = add(database, plan.document(), plan.jobs)
    make_jobs(database, sweep, 30, time.monotonic())
    with database.write("local") as unit:
        assert unit.sweeps.ask_cancel(sweep)
    assert not make_jobs(database, sweep)
    assert len(jobs_of(database, sweep)) == 4


@ON_SQLITE
def test_jobs_of_a_list_of_patches_are_made_alike(database: Database) -> None:
    patches = [[{"at": "/options/time_limit", "value": limit}] for limit in (5, 6)]
    sweep = add(database, {"template": TEMPLATE, "patches": patches}, 2)
    assert not make_jobs(database, sweep)
    with database.read("local") as unit:
        bodies = [unit.jobs.instance(job.id) for job in jobs_of(database, sweep)]
    assert [body["options"]["time_limit"] for body in bodies] == [5, 6]
    with database.write_all() as unit:
        claims = [unit.queue.claim("w", OUR_SKILLS, 30) for _ in range(2)]
    assert [claim.time_limit for claim in claims if claim] == [5, 6], "its hard stop is its own"


@ON_SQLITE
def test_bodies_are_read_for_a_moment_only(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that makes jobs may have leases to renew, and a large platform takes long to read."""
    read: list[Any] = []

    def reading(_bodies: Bodies, index: int, _limits: Limits) -> Any:
        read.append(index)
        time.sleep(0.01)
        raise InstanceError

    monkeypatch.setattr(sweep_creation, "MOST_READING_SECONDS", 0.015)
    monkeypatch.setattr(Bodies, "submission", reading)
    plan = plan_of(method=["milp", "clustering", "heft", "delegate", "neighborhood"])
    sweep = add(database, plan.document(), plan.jobs)
    assert not make_jobs(database, sweep)
    assert len(jobs_of(database, sweep)) == 5
    assert 1 <= len(read) <= 2
