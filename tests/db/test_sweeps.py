"""Sweeps in the database: made, cancelled, tried again and deleted in pieces."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest

from app.db.engine import Database
from app.db.errors import JobOfSweepError
from app.db.models import Doom
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.queue import Claim, Found
from app.db.skills import Skills
from app.db.sweep_work import SweepJob, Unmade
from app.db.sweeps import NewSweep, SweepState
from app.db.turns import Lane
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job, claim_of

SKILLS = Skills(("cell", "master_worker"), 0)
ERROR = {"code": "internal", "detail": "it failed"}


def add_sweep(database: Database, jobs: int, made: int | None = None) -> str:
    """Store a sweep, and make its first jobs, or all."""
    sweep = NewSweep.create("cell", jobs, {"template": {}}, {"a": "b"})
    with database.write("local") as unit:
        unit.sweeps.add(sweep, -1)
    make(database, sweep.id, jobs if made is None else made)
    return sweep.id


def make(database: Database, sweep_id: str, number: int) -> bool:
    with database.write_all() as unit:
        unmade = unit.sweep_work.take_unmade(-1, sweep_id)
        assert unmade is not None
        indices = range(unmade.created, unmade.created + number)
        made = [
            SweepJob(replace(NewJob.create("cell", {}), packed=None), index) for index in indices
        ]
        return unit.sweep_work.make_some(unmade, made, -1)


def state_of(database: Database, sweep_id: str) -> SweepState:
    with database.read("local") as unit:
        return unit.sweeps.get(sweep_id).state


def claims(database: Database, number: int, first: Lane = Lane.SINGLE) -> list[Claim]:
    found = []
    for _ in range(number):
        with database.write_all() as unit:
            found.append(unit.queue.claim("w", SKILLS, 30, None, first))
    return found


def places(database: Database, claimed: Sequence[Claim]) -> list[tuple[str | None, int]]:
    with database.read("local") as unit:
        found = [unit.jobs.get(claim.job_id) for claim in claimed]
    return [(one.sweep_id, one.sweep_index) for one in found]


def end(database: Database, claim: Claim, outcome: Outcome | None = Outcome.OPTIMAL) -> None:
    with database.write_all() as unit:
        if outcome is None:
            unit.queue.fail(claim, ERROR)
        else:
            unit.queue.succeed(claim, Found(outcome), pack({}), None)


def test_a_sweep_s_state_follows_from_its_jobs(database: Database) -> None:
    sweep = add_sweep(database, 3, made=2)
    assert state_of(database, sweep) is SweepState.CREATING
    for claim in claims(database, 2):
        end(database, claim)
    assert state_of(database, sweep) is SweepState.CREATING
    assert make(database, sweep, 1)
    assert state_of(database, sweep) is SweepState.RUNNING
    end(database, claims(database, 1)[0], Outcome.INFEASIBLE)
    with database.read("local") as unit:
        record = unit.sweeps.get(sweep)
        assert unit.sweeps.outcomes(sweep) == {Outcome.OPTIMAL: 2, Outcome.INFEASIBLE: 1}
        last = max(job.finished_at for job in unit.sweeps.last_tries(sweep, 0, 9))
    assert record.state is SweepState.SUCCEEDED
    assert record.finished_at == last
    assert record.counts[JobState.SUCCEEDED] == record.jobs == 3


def test_a_sweep_without_jobs_has_ended(database: Database) -> None:
    sweep = NewSweep.create("cell", 0, {})
    with database.write("local") as unit:
        unit.sweeps.add(sweep, -1)
        assert unit.sweep_work.take_unmade(-1) is None
    assert state_of(database, sweep.id) is SweepState.SUCCEEDED


def test_jobs_that_another_caller_has_made_are_not_made_again(database: Database) -> None:
    sweep = add_sweep(database, 4, made=0)
    with database.write_all() as unit:
        seen = unit.sweep_work.take_unmade(-1)
    assert make(database, sweep, 2)
    with database.write_all() as unit:
        assert not unit.sweep_work.make_some(seen, [], -1)
        assert unit.sweep_work.take_unmade(-1).created == 2


def test_a_leased_sweep_is_left_to_who_is_at_it(database: Database) -> None:
    add_sweep(database, 4, made=1)
    with database.write_all() as unit:
        assert unit.sweep_work.take_unmade(30) is not None
    with database.write_all() as unit:
        assert unit.sweep_work.take_unmade(30) is None


def test_making_jobs_waits_for_a_worker_that_ends_one(database: Database) -> None:
    sweep = add_sweep(database, 4, made=1)
    (claim,) = claims(database, 1)

    def take() -> Unmade | None:
        with database.write_all() as unit:
            return unit.sweep_work.take_unmade(30, sweep)

    with ThreadPoolExecutor(1) as thread:
        with database.write_all() as unit:
            unit.queue.fail(claim, ERROR)
            taken = thread.submit(take)
            with suppress(TimeoutError):
                taken.result(0.3)
        assert taken.result().created == 1


def test_single_jobs_go_first_unless_the_worker_looks_for_sweeps_first(database: Database) -> None:
    sweep = add_sweep(database, 3)
    for _ in range(3):
        add_job(database)
    found = places(database, claims(database, 1) + claims(database, 2, Lane.SWEEP))
    assert found == [(None, 0), (sweep, 0), (sweep, 1)]
    assert places(database, claims(database, 3)) == [(None, 0), (None, 0), (sweep, 2)]


def test_sweeps_go_by_how_many_of_their_jobs_were_taken(database: Database) -> None:
    first = add_sweep(database, 4)
    early = places(database, claims(database, 2))
    second = add_sweep(database, 3)
    assert early == [(first, 0), (first, 1)]
    late = places(database, claims(database, 5))
    assert [index for _, index in late] == [0, 1, 2, 2, 3]
    assert late[:2] == [(second, 0), (second, 1)]


def test_cancelling_ends_what_waits_and_asks_what_runs(database: Database) -> None:
    sweep = add_sweep(database, 5, made=4)
    (running,) = claims(database, 1)
    with database.write("local") as unit:
        assert unit.sweeps.ask_cancel(sweep)
        assert not unit.sweeps.ask_cancel(sweep)
    with database.write_all() as unit:
        assert unit.sweep_work.take_unmade(-1) is None
        assert unit.sweep_work.cancelling(9) == [sweep]
        assert unit.sweep_work.cancel_some(sweep, 2) == 3
        assert unit.sweep_work.cancel_some(sweep, 2) == 1
        assert unit.sweep_work.cancel_some(sweep, 2) == 0
    assert state_of(database, sweep) is SweepState.CANCELLING
    with database.write_all() as unit:
        unit.queue.cancelled(running)
    with database.read("local") as unit:
        record = unit.sweeps.get(sweep)
        waited = unit.sweeps.last_tries(sweep, 1, 1)[0]
        told = [event.type for event in unit.events.list_after(waited.id)]
    assert record.state is SweepState.CANCELLED
    assert (record.created, record.counts[JobState.CANCELLED]) == (4, 4)
    assert (told, waited.seq) == (["state", "state", "end"], 3)


def test_a_sweep_that_is_cancelled_before_it_has_jobs_ends(database: Database) -> None:
    sweep = add_sweep(database, 3, made=0)
    with database.write("local") as unit:
        unit.sweeps.ask_cancel(sweep)
    with database.write_all() as unit:
        assert unit.sweep_work.cancel_some(sweep, 9) == 0
    assert state_of(database, sweep) is SweepState.CANCELLED


def test_what_failed_is_tried_again_by_new_jobs(database: Database) -> None:
    sweep = add_sweep(database, 3)
    for claim, outcome in zip(claims(database, 3), (None, Outcome.OPTIMAL, None), strict=True):
        end(database, claim, outcome)
    with database.write("local") as unit:
        before = unit.sweeps.last_tries(sweep, 0, 9)
        assert unit.sweep_work.retry_some("other", sweep, 9) == 0
        assert unit.sweep_work.retry_some("local", sweep, 1) == 1
        assert unit.sweep_work.retry_some("local", sweep, 9) == 1
        assert unit.sweep_work.retry_some("local", sweep, 9) == 0
    with database.read("local") as unit:
        record = unit.sweeps.get(sweep)
        now = unit.sweeps.last_tries(sweep, 0, 9)
        old = unit.jobs.get(before[0].id)
    assert (record.state, record.finished_at) == (SweepState.RUNNING, None)
    assert record.counts[JobState.QUEUED] == 2
    assert record.counts[JobState.FAILED] == 0
    assert [(one.sweep_index, one.sweep_try, one.state) for one in now] == [
        (0, 2, JobState.QUEUED),
        (1, 1, JobState.SUCCEEDED),
        (2, 2, JobState.QUEUED),
    ]
    assert (old.state, old.replaced_by) == (JobState.FAILED, now[0].id)
    assert (now[0].retry_of, now[1].id) == (old.id, before[1].id)
    for claim in claims(database, 2):
        end(database, claim)
    assert state_of(database, sweep) is SweepState.SUCCEEDED


@pytest.mark.parametrize("doom", list(Doom))
def test_a_sweep_goes_with_its_jobs(database: Database, doom: Doom) -> None:
    sweep = add_sweep(database, 3)
    single = add_job(database)
    claimed = claims(database, 4, Lane.SWEEP)
    with database.write("local") as unit:
        assert not unit.sweeps.doom(sweep, doom)
    for claim in claimed:
        end(database, claim)
    of_sweep = next(claim.job_id for claim in claimed if claim.job_id != single)
    with database.write("local") as unit, pytest.raises(JobOfSweepError):
        unit.jobs.delete(of_sweep)
    with database.write("local") as unit:
        assert unit.jobs.purge(-1, 9) == 1
        assert unit.sweeps.doom(sweep, doom)
        assert unit.sweeps.get(sweep) is None
        assert unit.sweeps.page(9).items == []
    removed = []
    while True:
        with database.write_all() as unit:
            removed.append(unit.sweep_work.remove_some(sweep, 2))
            if not unit.sweep_work.doomed(9):
                break
    assert removed == [2, 1, 0]
    with database.read("local") as unit:
        assert unit.jobs.get(of_sweep) is None
        assert unit.tombstones.exists(of_sweep) is (doom is Doom.PURGED)


def test_another_job_s_claim_does_not_count_for_the_sweep(database: Database) -> None:
    sweep = add_sweep(database, 1)
    single = add_job(database)
    with database.write_all() as unit:
        claim = claim_of(unit, single)
    end(database, claim, None)
    with database.read("local") as unit:
        assert unit.sweeps.get(sweep).counts[JobState.QUEUED] == 1
        assert unit.sweeps.get(sweep).active == 1
