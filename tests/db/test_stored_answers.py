"""Answers as they are stored, handed to another process and unpacked there."""

import json

import pytest

from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.db.packing import unpack
from app.db.stored_answers import StoredAnswer
from steadygrid.domain.forms import AnySchedule
from tests.databases import small_schedule
from tests.domain.test_timeline import ONCE
from tests.http.bodies import BODY, claim, finish


def answered(database: Database, schedule: AnySchedule) -> str:
    job = NewJob.create("master_worker", BODY)
    with database.write("local") as unit:
        unit.jobs.add(job)
    finish(database, claim(database), schedule)
    return job.id


@pytest.mark.parametrize("schedule", [small_schedule(3000, 2), ONCE], ids=lambda one: one.form)
def test_an_answer_arrives_as_it_is_stored(schedule: AnySchedule, database: Database) -> None:
    job = answered(database, schedule)
    with database.read("local") as unit:
        stored = unit.jobs.stored_answer(job)
        result = unit.jobs.result(job)
    assert stored is not None
    head, payload = stored.sent()
    received = StoredAnswer.received(json.loads(json.dumps(head)), payload)
    assert unpack(received.instance) == BODY
    assert unpack(received.result) == result
    assert received.schedule is not None
    assert received.schedule.unpack() == schedule


def test_a_part_can_be_left_where_it_is(database: Database) -> None:
    job = answered(database, small_schedule(3000, 2))
    with database.read("local") as unit:
        stored = unit.jobs.stored_answer(job, ["slots"])
    assert stored is not None
    assert stored.schedule is not None
    assert {chunk.part for chunk in stored.schedule.chunks} == {"allocations", "computations"}
    found = stored.schedule.unpack()
    assert found.counts["slots"] == 0
    assert found.stated_counts is not None
    assert found.stated_counts["slots"] == 3000


def test_a_job_without_a_result_has_no_answer(database: Database) -> None:
    job = NewJob.create("master_worker", BODY)
    with database.write("local") as unit:
        unit.jobs.add(job)
    with database.read("local") as unit:
        assert unit.jobs.stored_answer(job.id) is None
        assert unit.jobs.stored_answer(f"job_{'0' * 32}") is None
    with database.read("other") as unit:
        assert unit.jobs.stored_answer(answered(database, ONCE)) is None
