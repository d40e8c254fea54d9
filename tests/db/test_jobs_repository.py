import pytest

from app.db.engine import Database
from app.db.errors import PageTokenError
from app.db.new_jobs import NewJob, new_job_id
from app.db.packing import pack, pack_schedule
from app.db.pages import encode_token
from app.db.queue import Claim, Found
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job, claim_of, small_schedule


def claimed(database: Database, job_id: str) -> Claim:
    with database.write_all() as unit:
        claim = claim_of(unit, job_id)
    assert claim is not None
    return claim


def finish(database: Database, job_id: str, slots: int | None = None) -> str | None:
    claim = claimed(database, job_id)
    schedule = None if slots is None else pack_schedule(small_schedule(slots))
    with database.write_all() as unit:
        unit.queue.succeed(
            claim, Found(Outcome.OPTIMAL), pack({"objective": "1/3"}), schedule, None, pack([])
        )
    return None if schedule is None else schedule.id


def test_a_new_job_is_queued_and_keeps_its_body_labels_and_warnings(database: Database) -> None:
    body = {"problem": {"kind": "master_worker", "work": 10**40, "name": "\ud800é\u0000"}}
    job_id = add_job(database, body, labels={"a": "b"}, warnings=["latency is not used"])
    with database.read("local") as unit:
        job = unit.jobs.get(job_id)
        assert unit.jobs.instance(job_id) == body
        assert unit.jobs.result(job_id) is None
    assert job is not None
    assert (job.state, job.attempt, job.seq, job.outcome) == (JobState.QUEUED, 0, 1, None)
    assert job.labels == {"a": "b"}
    assert job.warnings == ["latency is not used"]
    assert job.created_at.utcoffset() is not None
    assert job.started_at is job.finished_at is job.schedule_id is job.progress is None


def test_a_unit_that_raises_leaves_nothing_behind(database: Database) -> None:
    job = NewJob.create("master_worker", {})
    with pytest.raises(ZeroDivisionError), database.write("local") as unit:
        unit.jobs.add(job)
        raise ZeroDivisionError
    with database.read("local") as unit:
        assert unit.jobs.get(job.id) is None


def test_a_reading_unit_keeps_nothing(database: Database) -> None:
    job = NewJob.create("master_worker", {})
    with database.read("local") as unit:
        unit.jobs.add(job)
    with database.read("local") as unit:
        assert unit.jobs.get(job.id) is None


def test_other_tenants_jobs_do_not_exist(database: Database) -> None:
    job_id = add_job(database, labels={"a": "b"})
    with database.write("other") as unit:
        assert unit.jobs.get(job_id) is None
        assert unit.jobs.instance(job_id) is None
        assert not unit.jobs.cancel(job_id)
        assert not unit.jobs.delete(job_id)
        assert unit.jobs.page(10, labels=[("a", "b")]).items == []
        assert unit.events.list_after(job_id) == []


def test_ids_sort_by_time() -> None:
    ids = [new_job_id()]
    while ids[-1][:16] == ids[0][:16]:
        ids.append(new_job_id())
    assert ids[-1] > ids[0]
    assert len(ids[0]) == 36


def test_pages_list_every_job_once_the_newest_first(database: Database) -> None:
    ids = sorted((add_job(database) for _ in range(5)), reverse=True)
    seen: list[str] = []
    token = None
    while True:
        with database.read("local") as unit:
            page = unit.jobs.page(2, token)
        assert len(page.items) <= 2
        seen += [job.id for job in page.items]
        token = page.next_token
        if token is None:
            break
    assert seen == ids


def test_a_full_last_page_has_no_next_page(database: Database) -> None:
    add_job(database), add_job(database)
    with database.read("local") as unit:
        assert unit.jobs.page(2).next_token is None


@pytest.mark.parametrize(
    "token",
    ["", "é", "%%", "AAAA", *map(encode_token, ([1], ["a", "b"], {}, ["\0"], ["\ud800"]))],
)
def test_a_foreign_page_token_is_refused(database: Database, token: str) -> None:
    with database.read("local") as unit, pytest.raises(PageTokenError):
        unit.jobs.page(2, token)


def test_filters_narrow_the_list(database: Database) -> None:
    first = add_job(database, labels={"experiment": "a", "run": "1"})
    second = add_job(database, labels={"experiment": "a", "run": "2"})
    third = add_job(database, labels={"experiment": "1"})
    claimed(database, second)
    with database.read("local") as unit:

        def listed(**filters: object) -> set[str]:
            return {job.id for job in unit.jobs.page(10, **filters).items}  # type: ignore[arg-type]

        assert listed(labels=[("experiment", "a")]) == {first, second}
        assert listed(labels=[("experiment", "a"), ("run", "2")]) == {second}
        assert listed(labels=[("run", "a")]) == set()
        assert listed(states=[JobState.RUNNING]) == {second}
        assert listed(states=[JobState.RUNNING, JobState.QUEUED]) == {first, second, third}
        assert listed(kinds=["master_worker"]) == {first, second, third}
        assert listed(kinds=["cell"]) == set()


def test_versions_rise_with_every_change(database: Database) -> None:
    job_id = add_job(database)
    other = add_job(database)
    with database.read_all() as unit:
        before = unit.watch.versions([job_id, other, "job_unknown"])
    claimed(database, job_id)
    with database.read_all() as unit:
        after = unit.watch.versions([job_id, other])
    assert set(before) == {job_id, other}
    assert after[other] == before[other]
    assert after[job_id][0] > before[job_id][0]
    assert after[job_id][1] is JobState.RUNNING


def test_cancelling_a_queued_job_ends_it_at_once(database: Database) -> None:
    job_id = add_job(database)
    with database.write("local") as unit:
        assert unit.jobs.cancel(job_id)
        job = unit.jobs.get(job_id)
    assert job is not None
    assert job.state is JobState.CANCELLED
    assert job.finished_at is not None
    with database.write("local") as unit:
        assert claim_of(unit, job_id) is None
        assert not unit.jobs.cancel(job_id)
        assert unit.jobs.get(job_id) == job


def test_cancelling_a_running_job_asks_for_its_end_once(database: Database) -> None:
    job_id = add_job(database)
    claimed(database, job_id)
    with database.write("local") as unit:
        assert unit.jobs.cancel(job_id)
        job = unit.jobs.get(job_id)
        assert job is not None
        assert job.state is JobState.CANCELLING
        assert not unit.jobs.cancel(job_id)
        assert unit.jobs.get(job_id) == job


def test_nothing_is_cancelled_where_there_is_nothing(database: Database) -> None:
    with database.write("local") as unit:
        assert not unit.jobs.cancel("job_unknown")


def test_an_active_job_cannot_be_deleted(database: Database) -> None:
    job_id = add_job(database)
    with database.write("local") as unit:
        assert not unit.jobs.delete(job_id)
    with database.read("local") as unit:
        assert unit.jobs.get(job_id) is not None


def test_a_deleted_job_leaves_nothing(database: Database) -> None:
    job_id = add_job(database, labels={"a": "b"})
    with database.write("local") as unit:
        assert unit.idempotency.claim("k", "f", job_id, 7) is None
    schedule_id = finish(database, job_id, slots=3)
    assert schedule_id is not None
    with database.write("local") as unit:
        assert unit.jobs.trace(job_id) == []
        assert unit.jobs.delete(job_id)
    with database.write("local") as unit:
        assert unit.jobs.get(job_id) is None
        assert unit.jobs.instance(job_id) is None
        assert unit.jobs.result(job_id) is None
        assert unit.jobs.trace(job_id) is None
        assert unit.events.list_after(job_id) == []
        assert unit.schedules.get(schedule_id) is None
        assert list(unit.schedules.items(schedule_id, "slots")) == []
        assert not unit.jobs.delete(job_id)
        assert unit.idempotency.claim("k", "other", "job_x", 7) is None


def test_a_schedule_that_another_job_has_stays(database: Database) -> None:
    first, second = add_job(database), add_job(database)
    schedule_id = finish(database, first, slots=3)
    assert finish(database, second, slots=3) == schedule_id
    assert schedule_id is not None
    with database.write("local") as unit:
        unit.jobs.delete(first)
        assert unit.schedules.get(schedule_id) is not None
        unit.jobs.delete(second)
        assert unit.schedules.get(schedule_id) is None


def test_events_tell_the_life_of_a_job_in_order(database: Database) -> None:
    job_id = add_job(database)
    claim = claimed(database, job_id)
    with database.write_all() as unit:
        unit.queue.heartbeat(claim, 30, {"phase": "solving"})
        unit.queue.heartbeat(claim, 30)
    with database.write_all() as unit:
        unit.queue.succeed(claim, Found(Outcome.FEASIBLE), pack({}), None)
    with database.read("local") as unit:
        events = unit.events.list_after(job_id)
        later = unit.events.list_after(job_id, events[2].seq)
        job = unit.jobs.get(job_id)
    assert [(event.type, event.data.get("state")) for event in events] == [
        ("state", "queued"),
        ("state", "running"),
        ("progress", None),
        ("state", "succeeded"),
        ("end", "succeeded"),
    ]
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    assert later == events[3:]
    assert job is not None
    assert job.seq == 5
    assert events[-1].data["outcome"] == "feasible"


@pytest.mark.parametrize("name", ["\0", "a\0b", "\ud800", "é" * 300])
def test_names_that_no_database_can_hold_name_nothing(database: Database, name: str) -> None:
    add_job(database, labels={"a": "b"})
    with database.write("local") as unit:
        assert unit.jobs.get(name) is None
        assert not unit.jobs.cancel(name)
        assert not unit.jobs.delete(name)
        assert unit.watch.versions([name]) == {}
        assert unit.jobs.page(5, kinds=[name], labels=[(name, name)]).items == []
        assert unit.events.list_after(name) == []
        assert unit.schedules.get(name) is None
        assert unit.platforms.get(name) is None
