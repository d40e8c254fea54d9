"""Jobs of sweeps in the hands of a supervisor: their bodies are made, and read in full, where they are solved."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from app.db.engine import Database
from app.db.jobs import JobRecord
from app.db.queue import Claim, QueueRepository
from app.error_entries import ErrorEntries
from app.jobs.documents import job_document
from app.settings import Settings
from steadygrid.domain.job import JobState
from tests.databases import ON_SQLITE, add_job
from tests.sweeps import add_sweep, put, template
from workers.supervisor import Ran, Supervisor

SPEED = "/problem/platform/processors/[id=P2]/unit_time"
LIMIT = "/options/time_limit"
SETTINGS = Settings(
    pipeline="tests.workers.fake_pipeline",
    hard_stop_grace_seconds=0.3,
    max_labelling_entries=10**9,
)


@pytest.fixture
def supervisor(database: Database) -> Iterator[Supervisor]:
    reading, writing = os.pipe()
    supervisor = Supervisor(database, SETTINGS, "w", reading)
    yield supervisor
    supervisor.close()
    os.close(reading)
    os.close(writing)


def tries(database: Database, sweep: str) -> list[JobRecord]:
    with database.read("local") as unit:
        return list(unit.sweeps.last_tries(sweep, 0, 100))


def test_each_job_is_made_read_and_sized_where_it_is_solved(
    database: Database, supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = add_sweep(
        database,
        [
            [],
            [put(SPEED, 16)],
            [put(SPEED, -1), put("/problem/platform/links/0/unit_time", "x")],
            [put("/options/max_labelling_entries", 10**12)],
            [put("/problem/platform/processors/[id=P9]/speed", 1)],
            [put("/problem/unheard_of", 1)],
            [put("/problem/platform/processors/0/memory", 1)],
        ],
    )
    plans: list[str | None] = []
    instance = QueueRepository.instance

    def seen(queue: QueueRepository, claim: Claim) -> bytes:
        plans.append(claim.sweep_id)
        return instance(queue, claim)

    monkeypatch.setattr(QueueRepository, "instance", seen)
    assert [supervisor.run() for _ in range(8)] == [Ran.ENDED] * 7 + [Ran.NOTHING]
    assert plans == [sweep], "the plan is handed over once"
    found = tries(database, sweep)
    assert [job.state for job in found] == [
        JobState.SUCCEEDED,
        JobState.SUCCEEDED,
        *[JobState.FAILED] * 4,
        JobState.SUCCEEDED,
    ]
    values = [job.objective and job.objective["value"] for job in found[:2]]
    assert values[0] == "21/40"
    assert values[1] != values[0]
    assert not any(job.failures for job in found)
    entries = ErrorEntries(SETTINGS)
    errors = [job_document(job, entries)["error"] for job in found[2:6]]
    assert [error["code"] for error in errors] == [
        "invalid_request",
        "limit_exceeded",
        "invalid_request",
        "invalid_request",
    ]
    assert [{part["pointer"] for part in error["errors"]} for error in errors] == [
        {"#/problem/platform/processors/1/unit_time", "#/problem/platform/links/0/unit_time"},
        {"#/options/max_labelling_entries"},
        {"#/problem/platform/processors"},
        {"#/problem/unheard_of"},
    ]
    assert "memory" in " ".join(found[6].warnings)
    assert found[0].warnings == []


@ON_SQLITE
def test_jobs_of_several_sweeps_and_single_ones_get_their_own_bodies(
    database: Database, supervisor: Supervisor
) -> None:
    patches: list[list[dict[str, Any]]] = [[put(SPEED, n)] for n in (2, 8)]
    sweeps = [add_sweep(database, patches[::step]) for step in (1, -1)]
    add_job(database, template())
    while supervisor.run() is not Ran.NOTHING:
        pass
    values = [
        [job.objective and job.objective["value"] for job in tries(database, sweep)]
        for sweep in sweeps
    ]
    assert values[0] == values[1][::-1]
    assert values[0][0] != values[0][1]


@ON_SQLITE
def test_what_could_not_be_read_leaves_no_job_to_the_plan_before(
    database: Database, supervisor: Supervisor
) -> None:
    first = add_sweep(database, [[put(SPEED, 4)]] * 2)
    assert [supervisor.run() for _ in range(2)] == [Ran.ENDED] * 2
    second = add_sweep(database, [[], []])
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            f"UPDATE sweep_plans SET packed = x'00' WHERE sweep_id = '{second}'"
        )
    assert [supervisor.run() for _ in range(2)] == [Ran.ENDED] * 2
    assert [job.state for job in tries(database, first)] == [JobState.SUCCEEDED] * 2
    assert [job.error and job.error["code"] for job in tries(database, second)] == ["internal"] * 2


@ON_SQLITE
def test_a_job_is_stopped_by_its_own_time_limit(database: Database, supervisor: Supervisor) -> None:
    supervisor.warm_up()
    limits = (30.0, 0.1)
    changes = [[put(LIMIT, limit)] for limit in limits]
    sweep = add_sweep(database, changes, "local", limits, {"do": "ignore", "seconds": "1.5"})
    while supervisor.run() is not Ran.NOTHING:
        pass
    found = tries(database, sweep)
    assert found[0].state is JobState.SUCCEEDED
    assert found[1].error is not None
    assert found[1].error["code"] == "hard_timeout"
