"""What must hold after every fault, whatever it was."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from app.db.engine import Database
from app.db.models import job_events, job_results, job_traces, jobs, sweep_plans, sweeps
from app.db.packing import pack_schedule
from steadygrid.domain.job import JobState
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission
from tests.db.turmoil import counted

FINAL = {state.value for state in JobState if state.final}


def assert_invariants(database: Database, accepted: int) -> None:
    """Assert (a) to (g), for a service that has come to rest.

    (a) every accepted job has reached exactly one final state; (b) at most one result per
    job, of the job's tenant; (c) the result's attempt is the claimed one; (d) a final state never changed; (e) no
    job runs with an expired lease; (f) every stored schedule re-verifies; (g) the queue is
    empty; (h) the tallies are what counting gives; (i) each sweep has one last try of each of its
    jobs, by index, unless it was cancelled before they were made, and has ended; those that were to
    be deleted are gone.
    """
    with database.engine.connect() as connection:
        rows = connection.execute(select(jobs)).all()
        results = connection.execute(select(job_results)).all()
        traces = connection.execute(select(job_traces.c.job_id)).scalars().all()
        events = connection.execute(
            select(job_events.c.job_id, job_events.c.type, job_events.c.data).order_by(
                job_events.c.job_id, job_events.c.seq
            )
        ).all()
    attempts = {row.job_id: row.attempt for row in results}
    assert len(rows) == accepted, "(a) a job was lost"
    assert len(attempts) == len(results), "(b) two results"
    assert set(traces) <= attempts.keys(), "(b) a trace without a result"
    for job in rows:
        story = [
            (event.type, event.data.get("state")) for event in events if event.job_id == job.id
        ]
        states = [state for kind, state in story if kind == "state"]
        assert job.state in FINAL, f"(a), (e), (g) {job.id} is {job.state}"
        assert sum(state in FINAL for state in states) == 1, f"(a), (d) {states}"
        assert states[-1] == job.state, f"(d) {states}, now {job.state}"
        assert story[-1] == ("end", job.state), f"(d) {story}"
        assert states.count("running") == job.attempt, f"an attempt without a claim: {states}"
        assert (job.id in attempts) == (job.state == "succeeded"), "(b) result and state differ"
        if job.id in attempts:
            assert attempts[job.id] == job.attempt, "(c) the result is another attempt's"
            assert_reverifies(database, job.tenant, job.id)
    found, said = counted(database)
    assert found == said, "(h) the tallies say something else"
    assert_sweeps(database, rows)


def assert_sweeps(database: Database, rows: Sequence[Any]) -> None:
    with database.engine.connect() as connection:
        found = connection.execute(select(sweeps)).all()
        plans = connection.execute(select(sweep_plans.c.sweep_id)).scalars().all()
    assert {sweep.id for sweep in found} == set(plans), "(i) a plan without a sweep"
    tries: dict[str, list[Any]] = {sweep.id: [] for sweep in found}
    for job in rows:
        if job.sweep_id is not None:
            tries[job.sweep_id].append(job)
    for sweep in found:
        own = tries[sweep.id]
        last = sorted(job.sweep_index for job in own if job.replaced_by is None)
        assert sweep.doom is None, f"(i) {sweep.id} is still there"
        assert sweep.finished_at is not None, f"(i) {sweep.id} has not ended"
        assert last == list(range(sweep.created)), f"(i) {last}, and {sweep.created} were made"
        assert sweep.created == sweep.jobs or sweep.cancelled_at is not None, "(i) too few"
        successors = {job.id: job.replaced_by for job in own if job.replaced_by is not None}
        predecessors = {job.retry_of: job.id for job in own if job.retry_of is not None}
        assert successors == predecessors, "(i) tried again, and not replaced"
        if own:
            assert sweep.finished_at >= max(job.finished_at for job in own), "(i) ended too soon"


def assert_reverifies(database: Database, tenant: str, job_id: str) -> None:
    with database.read(tenant) as unit:
        document = unit.jobs.instance(job_id)
        answer = unit.jobs.result(job_id)
        job = unit.jobs.get(job_id)
        assert job is not None
        schedule = None if job.schedule_id is None else unit.schedules.load(job.schedule_id)
    submission = parse_submission(document, Limits())
    problem = PROBLEMS[submission.kind]
    result = problem.result.model_validate(answer, strict=False)
    assert result.schedule == job.schedule_id, "(f) the result names another schedule"
    if schedule is not None:
        assert pack_schedule(schedule).id == job.schedule_id, "(f) content and id differ"
    problem.validate(submission.instance, submission.options, result, schedule)
