"""What has ended is announced once, and what is delivered is never lost between two senders."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import select, text, update

from app.db.announcements import EXPIRY_DAYS, TEST, EventType
from app.db.clock import current_time
from app.db.deliveries import Answered, Claimed
from app.db.engine import Database
from app.db.ids import new_id
from app.db.models import Doom, jobs, sweeps, webhook_deliveries, webhooks
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.queue import Found
from app.db.requeues import Requeued
from app.db.turns import Lane
from app.db.webhook_tables import DeliveryState
from app.db.webhooks import OF_WEBHOOKS, DeliveryRecord
from steadygrid.domain.job import JobState, Outcome
from tests.databases import add_job, claim_of
from tests.db.test_sweeps import add_sweep, claims, end

ARRIVED = Answered(204, None)
ERROR = {"code": "internal", "detail": "it failed"}


def listen(database: Database, *events: str, tenant: str = "local") -> str:
    """Make a webhook; without events it listens to all."""
    webhook = new_id(OF_WEBHOOKS)
    with database.write(tenant) as unit:
        unit.webhooks.add(webhook, "https://a.example/", events or list(EventType), "whsec_AAAA")
    return webhook


def finish(database: Database, job_id: str, state: JobState = JobState.SUCCEEDED) -> None:
    with database.write_all() as unit:
        claim = claim_of(unit, job_id)
        assert claim is not None
        if state is JobState.SUCCEEDED:
            unit.queue.succeed(claim, Found(Outcome.OPTIMAL), pack({}), None)
        else:
            unit.queue.fail(claim, ERROR)


def announce(database: Database) -> int:
    with database.write_all() as unit:
        return unit.deliveries.announce(100)


def sent(database: Database, webhook: str, tenant: str = "local") -> Sequence[DeliveryRecord]:
    with database.read(tenant) as unit:
        return unit.webhooks.deliveries(webhook, 500).items[::-1]


def told(database: Database, webhook: str) -> list[dict[str, Any]]:
    """Give the payloads without what differs from run to run."""
    found = [json.loads(one.payload) for one in sent(database, webhook)]
    return [{"type": one["type"]} | one["data"] for one in found]


def claimed(database: Database, limit: int = 16, lease: float = 60) -> Sequence[Claimed]:
    with database.write_all() as unit:
        return unit.deliveries.claim(limit, 2, lease)


def record(database: Database, one: Claimed, answered: Answered) -> bool:
    with database.write_all() as unit:
        return unit.deliveries.record(one, answered)


def has_work(database: Database) -> bool:
    with database.read_all() as unit:
        return unit.deliveries.has_work()


def write(database: Database, *statements: Any) -> None:
    with database.engine.connect() as connection, connection.begin():
        for statement in statements:
            connection.execute(statement)


def ask_tests(database: Database, webhook: str, number: int) -> list[str]:
    with database.write("local") as unit:
        return [unit.webhooks.test(webhook, 1_000) for _ in range(number)]


def test_each_end_of_a_job_is_announced_once_by_any_process(database: Database) -> None:
    before = add_job(database)
    webhook = listen(database)
    labels = {"labels": {"color": "red"}}
    good, bad, waits, runs, lost, old = (add_job(database, **labels) for _ in range(6))
    finish(database, before)
    finish(database, good)
    finish(database, bad, JobState.FAILED)
    with database.write("local") as unit:
        unit.jobs.cancel(waits)
    with database.write("local") as unit:
        claim = claim_of(unit, runs)
        assert unit.jobs.cancel(runs)
        unit.queue.cancelled(claim)
    with database.write_all() as unit:
        claim_of(unit, lost, lease_seconds=-1)
        assert unit.queue.reclaim(lost, 1, ERROR) is JobState.FAILED
    # As a worker of an earlier version does it, which knows no such column.
    ended = "UPDATE jobs SET state = 'cancelled', finished_at = created_at WHERE id = :id"
    write(database, text(ended).bindparams(id=old))
    assert has_work(database)
    assert announce(database) == 6
    assert announce(database) == 0
    succeeded = {"type": "job.succeeded", "state": "succeeded", "outcome": "optimal"}
    failed = {"type": "job.failed", "state": "failed", "outcome": None}
    cancelled = {"type": "job.cancelled", "state": "cancelled", "outcome": None}
    expected = {good: succeeded, bad: failed, waits: cancelled, runs: cancelled}
    expected |= {lost: failed, old: cancelled}
    found = told(database, webhook)
    assert {one["job"]: one for one in found} == {
        job: one | {"job": job, "labels": {"color": "red"}} for job, one in expected.items()
    }
    assert len(found) == 6
    first = sent(database, webhook)[0]
    assert json.loads(first.payload)["id"] == first.message
    assert first.state is DeliveryState.PENDING


def test_nothing_of_an_instance_or_a_result_is_told(database: Database) -> None:
    webhook = listen(database)
    job = NewJob.create("master_worker", {"secret": 1}, name="a name", draft={"secret": 2})
    with database.write("local") as unit:
        unit.jobs.add(job)
        claim = claim_of(unit, job.id)
        unit.queue.succeed(claim, Found(Outcome.OPTIMAL, {"value": "7/2"}), pack({"v": 3}), None)
    announce(database)
    (payload,) = (json.loads(one.payload) for one in sent(database, webhook))
    assert payload.keys() == {"id", "type", "timestamp", "data"}
    assert payload["data"].keys() == {"job", "state", "outcome", "labels"}


def test_transient_jobs_and_those_of_others_and_of_sweeps_announce_nothing(
    database: Database,
) -> None:
    webhook, other = listen(database), listen(database, tenant="other")
    job = NewJob.create("cell", {}, lane=Lane.TRANSIENT)
    with database.write("local") as unit:
        unit.jobs.add(job)
        unit.jobs.cancel(job.id)
    sweep = add_sweep(database, 2)
    for claim in claims(database, 2):
        end(database, claim)
    assert announce(database) == 1
    assert told(database, webhook) == [
        {"type": "sweep.finished", "sweep": sweep, "state": "succeeded", "labels": {"a": "b"}}
    ]
    assert sent(database, other, "other") == []


def test_a_sweep_that_ends_again_is_told_again_under_another_id(database: Database) -> None:
    webhook = listen(database)
    sweep = add_sweep(database, 1)
    (claim,) = claims(database, 1)
    end(database, claim, None)
    assert announce(database) == 1
    with database.write_all() as unit:
        assert unit.sweep_work.retry_some("local", sweep, 9) == 1
    assert announce(database) == 0
    (claim,) = claims(database, 1)
    end(database, claim)
    assert announce(database) == 1
    first, second = sent(database, webhook)
    assert first.subject == second.subject == sweep
    assert first.message != second.message


def test_a_replan_is_told_with_the_end_of_its_job(database: Database) -> None:
    webhook = listen(database, "replan.finished")
    job = NewJob.create("cell", {})
    with database.write("local") as unit:
        unit.jobs.add(job, replan_of="job_before")
        unit.replans.add("rpl_1", "job_before", job.id, pack({}))
    finish(database, job.id)
    assert announce(database) == 1
    (one,) = told(database, webhook)
    assert (one["type"], one["replan"], one["job"]) == ("replan.finished", "rpl_1", job.id)
    assert (one["state"], one["outcome"]) == ("succeeded", "optimal")


def test_a_replan_waits_for_the_job_that_repeats_the_failed_one(database: Database) -> None:
    webhook = listen(database, "replan.finished")
    job = NewJob.create("cell", {})
    with database.write("local") as unit:
        unit.jobs.add(job, replan_of="job_before")
        unit.replans.add("rpl_1", "job_before", job.id, pack({}))
    finish(database, job.id, JobState.FAILED)
    # No sender has looked yet: the failure is told all the same.
    with database.write_all() as unit:
        made = unit.requeues.requeue(job.id)
    assert isinstance(made, Requeued)
    with database.read("local") as unit:
        replan = unit.replans.get("rpl_1")
    assert replan is not None
    assert replan.job_id == made.id
    finish(database, made.id)
    announce(database)
    found = [(one["replan"], one["job"], one["state"]) for one in told(database, webhook)]
    assert found == [("rpl_1", job.id, "failed"), ("rpl_1", made.id, "succeeded")]
    assert len({one.message for one in sent(database, webhook)}) == 2


def test_who_deletes_before_a_sender_looks_announces(database: Database) -> None:
    webhook = listen(database)
    job = add_job(database)
    finish(database, job)
    sweep = add_sweep(database, 1)
    (claim,) = claims(database, 1)
    end(database, claim)
    with database.write("local") as unit:
        assert unit.jobs.delete(job)
        assert unit.sweeps.doom(sweep, Doom.DELETED)
    old = add_job(database)
    finish(database, old)
    write(
        database, update(jobs).where(jobs.c.id == old).values(finished_at=current_time(-9 * 86_400))
    )
    with database.write("local") as unit:
        assert unit.jobs.purge(1, 9) == 1
    assert {one.subject for one in sent(database, webhook)} == {job, sweep, old}
    assert announce(database) == 0


def test_messages_have_the_same_ids_when_a_backup_is_restored(database: Database) -> None:
    webhook = listen(database)
    job = add_job(database)
    finish(database, job)
    announce(database)
    (first,) = sent(database, webhook)
    # As if the copy had been made before the sender looked.
    write(
        database,
        webhook_deliveries.delete(),
        update(jobs).where(jobs.c.id == job).values(announce=1),
    )
    announce(database)
    (second,) = sent(database, webhook)
    assert second.message == first.message
    write(database, update(jobs).where(jobs.c.id == job).values(announce=1))
    announce(database)
    assert sent(database, webhook) == [second]


def test_two_of_a_webhook_are_in_progress_and_others_do_not_wait_for_them(
    database: Database,
) -> None:
    hooks = [listen(database) for _ in range(9)]
    for webhook in hooks:
        ask_tests(database, webhook, 3)
    first = claimed(database)
    assert len(first) == 16
    assert {one.webhook_id for one in first} == set(hooks[:8])
    second = claimed(database)
    assert [one.webhook_id for one in second] == [hooks[8]] * 2
    assert claimed(database) == []
    assert record(database, first[0], ARRIVED)
    assert [one.webhook_id for one in claimed(database)] == [first[0].webhook_id]


def test_a_tenant_whose_receivers_hang_leaves_places_to_others(database: Database) -> None:
    greedy = [listen(database, tenant="greedy") for _ in range(20)]
    with database.write("greedy") as unit:
        for webhook in greedy:
            unit.webhooks.test(webhook, 9)
            unit.webhooks.test(webhook, 9)
    ask_tests(database, listen(database), 1)

    def take(held: dict[str, int]) -> list[str]:
        with database.write_all() as unit:
            return [one.tenant for one in unit.deliveries.claim(16, 2, 60, 8, held)]

    first = take({})
    assert first == ["greedy"] * 8
    assert take({"greedy": 8}) == ["local"]
    # Other senders hold more of the same tenant, and none of them looks at these webhooks in vain.
    assert [take({}) for _ in range(4)] == [first] * 4
    assert take({}) == []


def test_what_a_lost_sender_held_is_taken_up_and_it_writes_nothing_more(database: Database) -> None:
    webhook = listen(database)
    (delivery,) = ask_tests(database, webhook, 1)
    (lost,) = claimed(database, lease=-1)
    (taken,) = claimed(database)
    assert (lost.id, lost.message, lost.payload) == (taken.id, taken.message, taken.payload)
    assert (lost.attempt, taken.attempt) == (1, 2)
    assert not record(database, lost, Answered(410, "gone", 5, gone=True))
    with database.read("local") as unit:
        assert unit.webhooks.get(webhook).disabled is None
    assert record(database, taken, ARRIVED)
    assert not record(database, taken, Answered(500, "refused", 5))
    (seen,) = sent(database, webhook)
    assert (seen.id, seen.state, seen.status, seen.attempt) == (
        delivery,
        DeliveryState.SUCCEEDED,
        204,
        2,
    )


def test_what_failed_waits_and_after_five_days_it_has_failed(database: Database) -> None:
    webhook = listen(database)
    ask_tests(database, webhook, 1)
    (one,) = claimed(database)
    assert record(database, one, Answered(503, "refused", 3_600))
    assert claimed(database) == []
    assert not has_work(database)
    (seen,) = sent(database, webhook)
    assert (seen.state, seen.status, seen.error) == (DeliveryState.PENDING, 503, "refused")
    with database.read_all() as unit:
        assert abs((unit.deliveries.oldest_pending() - seen.created_at).total_seconds()) < 1
    waits = (seen.due_at - seen.tried_at).total_seconds()
    assert 3_599 < waits < 3_660
    with database.write("local") as unit:
        # What is sent nothing more is given up in the end, too.
        unit.webhooks.change(webhook, {"disabled": "owner"})
    late = update(webhook_deliveries).values(expires_at=current_time(-1))
    write(database, late)
    assert has_work(database)
    with database.write_all() as unit:
        assert unit.deliveries.give_up(9) == 1
        assert unit.deliveries.give_up(9) == 0
    (seen,) = sent(database, webhook)
    assert (seen.state, seen.error) == (DeliveryState.FAILED, "refused")
    with database.read_all() as unit:
        assert unit.deliveries.oldest_pending() is None
        assert unit.deliveries.counts() == {"pending": 0, "succeeded": 0, "failed": 1}


def test_what_is_asked_again_has_its_whole_time_and_the_same_message(database: Database) -> None:
    webhook = listen(database)
    (delivery,) = ask_tests(database, webhook, 1)
    (one,) = claimed(database)
    record(database, one, Answered(None, "timeout", 0))
    write(database, update(webhook_deliveries).values(expires_at=current_time(-1)))
    with database.write_all() as unit:
        unit.deliveries.give_up(9)
    with database.write("local") as unit:
        assert unit.webhooks.redeliver(webhook, delivery)
    (again,) = claimed(database)
    assert (again.message, again.payload, again.failures) == (one.message, one.payload, 0)
    assert again.attempt == 2
    with database.engine.connect() as connection:
        until = connection.execute(select(webhook_deliveries.c.expires_at)).scalar_one()
        now = connection.execute(select(current_time())).scalar_one()
    assert EXPIRY_DAYS - 0.01 < (until - now).total_seconds() / 86_400 <= EXPIRY_DAYS


def test_a_receiver_that_is_gone_is_left_alone_until_its_owner_wants_it(database: Database) -> None:
    webhook = listen(database)
    ask_tests(database, webhook, 3)
    first, second = claimed(database)
    assert record(database, first, Answered(410, "gone", 5, gone=True))
    assert record(database, second, Answered(410, "gone", 5, gone=True))
    assert claimed(database) == []
    assert not has_work(database)
    job = add_job(database)
    finish(database, job)
    assert announce(database) == 0
    with database.write("local") as unit:
        assert unit.webhooks.get(webhook).disabled == "gone"
        unit.webhooks.change(webhook, {"disabled": None})
    assert len(claimed(database)) == 1


def test_an_answer_of_a_former_address_disables_nothing(database: Database) -> None:
    webhook = listen(database)
    ask_tests(database, webhook, 1)
    (one,) = claimed(database)
    with database.write("local") as unit:
        unit.webhooks.change(webhook, {"url": "https://b.example/"})
    assert record(database, one, Answered(410, "gone", 5, gone=True))
    with database.read("local") as unit:
        assert unit.webhooks.get(webhook).disabled is None


def test_both_secrets_sign_for_a_day(database: Database) -> None:
    webhook = listen(database)
    ask_tests(database, webhook, 2)
    with database.write("local") as unit:
        assert unit.webhooks.rotate(webhook, "whsec_BBBB")
    (one,) = claimed(database, limit=1)
    assert one.secrets == ("whsec_BBBB", "whsec_AAAA")
    write(database, update(webhooks).values(former_until=current_time(-1)))
    (one,) = claimed(database, limit=1)
    assert one.secrets == ("whsec_BBBB",)


def test_what_goes_takes_its_deliveries_along(database: Database) -> None:
    webhook, other = listen(database), listen(database)
    for one in (webhook, other):
        ask_tests(database, one, 2)
    with database.write("local") as unit:
        assert unit.webhooks.delete(webhook)
        assert unit.webhooks.deliveries(webhook, 9).items == []
    first, second = claimed(database)
    for taken, days in ((first, 30.5), (second, 29.5)):
        record(database, taken, ARRIVED)
        old = update(webhook_deliveries).where(webhook_deliveries.c.id == taken.id)
        write(database, old.values(finished_at=current_time(-days * 86_400)))
    with database.write_all() as unit:
        assert unit.deliveries.purge(31, 9) == 0
        assert unit.deliveries.purge(30, 9) == 1
    assert [one.id for one in sent(database, other)] == [second.id]


def test_a_tenant_that_goes_leaves_nothing_and_is_sent_nothing_more(database: Database) -> None:
    with database.write_all() as unit:
        unit.tenants.create("a")
    webhook = listen(database, tenant="a")
    with database.write("a") as unit:
        unit.webhooks.test(webhook, 1)
    with database.write_all() as unit:
        unit.tenants.shut_out("a")
    assert claimed(database) == []
    with database.write_all() as unit:
        while unit.tenants.delete_some("a", 9):
            pass
        assert unit.tenants.delete("a")
    with database.engine.connect() as connection:
        assert connection.execute(select(webhooks.c.id)).all() == []
        assert connection.execute(select(webhook_deliveries.c.id)).all() == []
    with database.write_all() as unit:
        assert unit.tenants.create("a")


@pytest.mark.parametrize("table", [jobs, sweeps])
def test_looking_for_what_to_announce_reads_no_other_rows(database: Database, table: Any) -> None:
    """The condition is that of a partial index, which holds nothing but what is yet to be announced."""
    from app.db.announcements import is_announced

    query = select(table.c.id).where(is_announced(table)).order_by(table.c.id).limit(9)
    words = str(query.compile(database.engine, compile_kwargs={"literal_binds": True}))
    with database.engine.connect() as connection:
        if database.dialect == "postgresql":
            connection.execute(text("SET enable_seqscan = off"))
            plan = connection.execute(text(f"EXPLAIN {words}")).scalars().all()
        else:
            plan = [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {words}"))]
    assert f"ix_{table.name}_announced" in " ".join(plan)


def test_a_test_is_an_event_of_its_own(database: Database) -> None:
    webhook = listen(database, "job.failed")
    ask_tests(database, webhook, 2)
    first, second = sent(database, webhook)
    assert first.event == second.event == TEST
    assert first.message != second.message
    with database.write("local") as unit:
        assert unit.webhooks.test(webhook, 2) is None
