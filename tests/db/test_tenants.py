"""Two tenants in one database: nothing of the one is seen or changed by the other."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, Select, Table, event, insert, select

from app.db.announcements import EventType
from app.db.clock import current_time
from app.db.engine import Database
from app.db.measurements import Reading
from app.db.models import Doom, tombstones, webhook_deliveries
from app.db.new_jobs import NewJob
from app.db.packing import pack, pack_schedule
from app.db.queue import Found
from app.db.sweeps import NewSweep
from app.db.turns import Lane
from app.db.unit import AllTenants, Unit
from app.db.watches import Epoch, Evaluated, Taken
from app.db.webhooks import WebhookRepository
from steadygrid.domain.job import JobState, Outcome
from tests.databases import claim_of, small_schedule

WEBHOOK = "webhook of "
NOT_OF_JOBS = {"audit_lines", "counters", "keys", "sessions", "tenants", "workers"}
"""Tables that a unit of one tenant does not reach, or where a job leaves nothing."""
LATER = datetime.now(UTC) + timedelta(days=1)
PURGED = "job_purged"
KEY, LABEL = "key", ("color", "red")
DOCUMENT: dict[str, Any] = {"processors": []}
SCHEDULE = pack_schedule(small_schedule())


def furnish(database: Database, tenant: str, key: str = KEY) -> str:
    """Give a tenant something of everything."""
    gone, job = (
        NewJob.create("cell", DOCUMENT),
        NewJob.create("master_worker", DOCUMENT, dict([LABEL]), draft=DOCUMENT),
    )
    ended, waits = (NewJob.create("cell", DOCUMENT, lane=Lane.TRANSIENT) for _ in range(2))
    with database.write(tenant) as unit:
        unit.webhooks.add(WEBHOOK + job.id, "https://example.org/", list(EventType), "whsec_AAAA")
        unit.jobs.add(ended)
        unit.jobs.cancel(ended.id)
        unit.jobs.add(waits)
        unit.jobs.add(gone)
        unit.jobs.cancel(gone.id)
        assert unit.jobs.delete(gone.id)
        assert unit.idempotency.claim(key, "body", job.id, 7) is None
        unit.jobs.add(job)
        for shelf in (unit.platforms, unit.applications):
            assert shelf.store("doc_1", pack(DOCUMENT), {})
        claim = claim_of(unit, job.id)
        assert claim is not None
        assert claim.tenant == tenant
        unit.queue.succeed(claim, Found(Outcome.OPTIMAL), pack({}), SCHEDULE, None, pack([]))
        sweep = NewSweep.create("cell", 0, {}, dict([LABEL]), study={})
        unit.sweeps.add(replace(sweep, id=of(job.id, "swp")), 30)
        unit.replans.add(of(job.id, "rpl"), job.id, None, pack({}))
        assert unit.webhooks.test(WEBHOOK + job.id, 1)
        assert unit.measurements.record("doc_1", [READING], 9) is not None
        assert unit.watched_jobs.watch(job.id, "doc_1", {}, "1")
        assert unit.watched_jobs.set_epoch(job.id, Epoch(LATER, "1"))
        assert unit.views.begin(job.id, tenant, job.id, 9) is not None
    with database.write(tenant) as unit:
        (taken,) = unit.watch_work.take(-9, 9)
        assert taken.tenant == tenant
        assert unit.watched_jobs.keep(taken, EVALUATED) is not None
    with database.engine.connect() as connection, connection.begin():
        connection.execute(
            insert(tombstones).values(tenant=tenant, job_id=PURGED, purged_at=current_time())
        )
    return job.id


def of(job: str, noun: str) -> str:
    return job.replace("job", noun)


def sent(webhooks: WebhookRepository, job: str) -> str:
    """Give a delivery to the tenant's webhook, for either tenant."""
    query = select(webhook_deliveries.c.id).where(webhook_deliveries.c.webhook_id == WEBHOOK + job)
    # As a caller who knows an id and not its tenant.
    found: str = (
        webhooks._connection.execute(query.where(webhook_deliveries.c.tenant != ""))
        .scalars()
        .first()
    )
    return found


READING = Reading("processor:P1", LATER, "1/2")
EVALUATED = Evaluated(1, LATER, "1/2", ["P1.compute"], "1", None)

ASKED: dict[str, dict[str, Callable[[Any, str], object]]] = {
    "news": {
        "newest": lambda news, job: news.newest(),
        "versions": lambda news, job: news.versions(""),
        "waiting": lambda news, job: news.waiting(),
        "records": lambda news, job: list(news.records([job])),
        "deleted": lambda news, job: news.deleted(),
        "counts": lambda news, job: any(news.counts().values()),
        "oldest_waiting": lambda news, job: news.oldest_waiting(),
    },
    "jobs": {
        "add": lambda jobs, job: jobs.add(NewJob.create("cell", {})),
        "get": lambda jobs, job: jobs.get(job),
        "relabel": lambda jobs, job: jobs.relabel(job, {"color": "blue"}),
        "instance": lambda jobs, job: jobs.instance(job),
        "draft": lambda jobs, job: jobs.draft(job),
        "result": lambda jobs, job: jobs.result(job),
        "trace": lambda jobs, job: jobs.trace(job),
        "packed": lambda jobs, job: jobs.packed(job),
        "stored_answer": lambda jobs, job: jobs.stored_answer(job),
        "page": lambda jobs, job: (
            jobs.page(9, states=[JobState.SUCCEEDED], kinds=["master_worker"], labels=[LABEL]).items
        ),
        "cancel": lambda jobs, job: jobs.cancel(job),
        "cancel_transient": lambda jobs, job: jobs.cancel_transient(),
        "forget_transient": lambda jobs, job: jobs.forget_transient(-9, 9),
        "delete": lambda jobs, job: jobs.delete(job),
        "delete_ended": lambda jobs, job: jobs.delete_ended(9, LATER, kinds=["master_worker"]),
        "any_ended": lambda jobs, job: jobs.any_ended(LATER),
        "count": lambda jobs, job: jobs.count(9, kinds=["master_worker"]),
        "newest_simulation": lambda jobs, job: jobs.newest_simulation(job),
        "purge": lambda jobs, job: jobs.purge(-1, 9),
    },
    "sweeps": {
        "add": lambda sweeps, job: sweeps.add(NewSweep.create("cell", 1, {}), 30),
        "get": lambda sweeps, job: sweeps.get(of(job, "swp")),
        "page": lambda sweeps, job: [one for one in sweeps.page(9).items if not one.jobs],
        "plan": lambda sweeps, job: sweeps.plan(of(job, "swp")) is not None,
        "study": lambda sweeps, job: sweeps.study(of(job, "swp")) is not None,
        "outcomes": lambda sweeps, job: sweeps.outcomes(of(job, "swp")),
        "last_tries": lambda sweeps, job: sweeps.last_tries(of(job, "swp"), 0, 9),
        "ask_cancel": lambda sweeps, job: sweeps.ask_cancel(of(job, "swp")),
        "doom": lambda sweeps, job: sweeps.doom(of(job, "swp"), Doom.DELETED),
        "purge": lambda sweeps, job: sweeps.purge(-1, 9),
    },
    "replans": {
        "add": lambda replans, job: replans.add(of(job, "new"), job, None, pack({})),
        "get": lambda replans, job: replans.get(of(job, "rpl")),
        "document": lambda replans, job: replans.document(of(job, "rpl")) is not None,
        "page": lambda replans, job: [one for one in replans.page(9).items if "rpl" in one.id],
        "delete": lambda replans, job: replans.delete(of(job, "rpl")),
        "purge": lambda replans, job: replans.purge(1, 9),
    },
    "measurements": {
        "latest": lambda measured, job: measured.latest("doc_1").latest,
        "record": lambda measured, job: measured.record("doc_1", [READING], 9),
        "forget": lambda measured, job: measured.forget("doc_1"),
        "purge": lambda measured, job: measured.purge("doc_1", -9, 9),
        "page": lambda measured, job: measured.page("doc_1", 9, resource=READING.resource).items,
        "series": lambda measured, job: measured.series("doc_1", [READING.resource], 9),
    },
    "watched_jobs": {
        "get": lambda watched, job: watched.get(job),
        "watch": lambda watched, job: watched.watch(job, "doc_1", {}, "1"),
        "delete": lambda watched, job: watched.delete(job),
        "keep": lambda watched, job: watched.keep(Taken("a", job, 1), EVALUATED),
        "fail": lambda watched, job: watched.fail(Taken("a", job, 1), {}, None, 1),
        "page": lambda watched, job: watched.page("doc_1", 9).items,
        "epoch": lambda watched, job: watched.epoch(job),
        "set_epoch": lambda watched, job: watched.set_epoch(job, Epoch(LATER, "1")),
    },
    "tombstones": {
        "exists": lambda graves, job: graves.exists(PURGED),
        "add": lambda graves, job: graves.add([job]),
    },
    "webhooks": {
        "add": lambda hooks, job: hooks.add(
            "whk_new" + job, "https://a.example/", [], "whsec_AAAA"
        ),
        "count": lambda hooks, job: hooks.count() - len(hooks.page(9).items),
        "get": lambda hooks, job: hooks.get(WEBHOOK + job),
        "page": lambda hooks, job: [one for one in hooks.page(9).items if WEBHOOK in one.id],
        "change": lambda hooks, job: hooks.change(WEBHOOK + job, {"url": "https://b.example/"}),
        "announce_drift": lambda hooks, job: hooks.announce_drift(of(job, "rpl"), "plt_9", job),
        "secret": lambda hooks, job: hooks.secret(WEBHOOK + job),
        "rotate": lambda hooks, job: hooks.rotate(WEBHOOK + job, "whsec_BBBB"),
        "deliveries": lambda hooks, job: hooks.deliveries(WEBHOOK + job, 9).items,
        "delivery": lambda hooks, job: hooks.delivery(WEBHOOK + job, sent(hooks, job)),
        "redeliver": lambda hooks, job: hooks.redeliver(WEBHOOK + job, sent(hooks, job)),
        "test": lambda hooks, job: hooks.test(WEBHOOK + job, 0),
        "delete": lambda hooks, job: hooks.delete(WEBHOOK + job),
    },
    "events": {"list_after": lambda events, job: events.list_after(job)},
    "idempotency": {
        "get": lambda keys, job: keys.get(KEY, 7),
        "rebind": lambda keys, job: keys.rebind(KEY, "job_other"),
        "let_go": lambda keys, job: keys.let_go(job),
        "claim": lambda keys, job: keys.claim(KEY, "other body", job, 7),
    },
    "schedules": {
        "get": lambda schedules, job: schedules.get(SCHEDULE.id),
        "page": lambda schedules, job: schedules.page(SCHEDULE.id, "slots", 9).items,
        "items": lambda schedules, job: list(schedules.items(SCHEDULE.id, "slots")),
        "chunk": lambda schedules, job: schedules.chunk(SCHEDULE.id, "slots", 0),
        "index_at": lambda schedules, job: schedules.index_at(SCHEDULE.id, "slots", Fraction(1)),
        "load": lambda schedules, job: schedules.load(SCHEDULE.id),
        "stored": lambda schedules, job: schedules.stored(SCHEDULE.id),
        "periods": lambda schedules, job: schedules.periods([SCHEDULE.id]),
        "packed_bytes": lambda schedules, job: schedules.packed_bytes(SCHEDULE.id),
        "lock": lambda schedules, job: schedules.lock(SCHEDULE.id),
        "delete_unused": lambda schedules, job: schedules.delete_unused(SCHEDULE.id),
        "store": lambda schedules, job: schedules.store(SCHEDULE),
    },
    "platforms": {
        "get": lambda shelf, job: shelf.get("doc_1"),
        "document": lambda shelf, job: shelf.document("doc_1"),
        "packed": lambda shelf, job: shelf.packed("doc_1"),
        "page": lambda shelf, job: shelf.page(9).items,
        "delete": lambda shelf, job: shelf.delete("doc_1"),
        "use": lambda shelf, job: shelf.use("doc_1"),
        "purge": lambda shelf, job: shelf.purge(-2, 9),
        "store": lambda shelf, job: not shelf.store("doc_1", pack(DOCUMENT), {}),
    },
}
"""A question for everything that a tenant's repository can do; nothing is the right answer."""
ASKED["applications"] = ASKED["platforms"]


def repositories() -> set[str]:
    return {name for name in vars(Unit) if not name.startswith("_")}


def contents(database: Database, tenant: str) -> dict[str, list[Any]]:
    """Give a tenant's rows, by table, without the minute in which a key was last used."""
    found = MetaData()
    found.reflect(database.engine)
    tables = [table for name, table in found.tables.items() if "tenant" in table.c]
    with database.looking() as connection:
        return {
            table.name: sorted(
                map(str, connection.execute(_kept(table).where(table.c.tenant == tenant)))
            )
            for table in tables
        }


def _kept(table: Table) -> Select[Any]:
    return select(*(column for column in table.c if str(column) != "keys.used_at"))


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """Listen to what a database is told."""
    told: list[str] = []

    def hear(_connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        told.append(statement)

    event.listen(database.engine, "before_cursor_execute", hear)
    yield told
    event.remove(database.engine, "before_cursor_execute", hear)


@pytest.mark.parametrize("name", sorted(repositories()))
def test_everything_that_a_tenant_s_repository_can_do_is_asked(
    database: Database, name: str
) -> None:
    with database.read("a") as unit:
        methods = {method for method in dir(getattr(unit, name)) if not method.startswith("_")}
    assert methods == set(ASKED[name])


def test_nothing_of_a_tenant_is_seen_or_changed_by_another(database: Database) -> None:
    job = furnish(database, "a")
    before = contents(database, "a")
    assert {table for table, rows in before.items() if not rows} == NOT_OF_JOBS
    for name, questions in ASKED.items():
        for method, ask in questions.items():
            with database.write("b") as unit:
                assert not ask(getattr(unit, name), job), f"{name}.{method}"
    assert contents(database, "a") == before
    assert {table for table, rows in contents(database, "local").items() if rows} == {"tenants"}


def test_what_is_of_both_tenants_is_kept_twice(database: Database) -> None:
    first, second = furnish(database, "a"), furnish(database, "b")
    kept = contents(database, "b")
    with database.write("a") as unit:
        assert unit.jobs.delete(first)
        assert unit.platforms.delete("doc_1")
        assert unit.schedules.get(SCHEDULE.id) is None
    assert contents(database, "b") == kept
    with database.read("b") as unit:
        assert unit.schedules.load(SCHEDULE.id) == small_schedule()
        assert unit.jobs.result(second) == {}
        assert unit.jobs.trace(second) == []


def test_every_statement_of_a_tenant_s_repository_names_the_tenant(database: Database) -> None:
    job = furnish(database, "a")
    for name, questions in ASKED.items():
        for method, ask in questions.items():
            with database.write("a") as unit, statements(database) as told:
                ask(getattr(unit, name), job)
            assert told, f"{name}.{method}"
            assert [s for s in told if "tenant" not in s and "BEGIN" not in s] == [], method


def test_a_watcher_sees_the_jobs_of_all_tenants_in_one_statement(database: Database) -> None:
    mine, other = furnish(database, "a"), furnish(database, "b", "other key")
    with database.read_all() as unit:
        assert not isinstance(unit, Unit)
        watch = unit.watch
        with statements(database) as told:
            seen = watch.versions([mine, other, "job_unknown"])
    assert {job: state for job, (_, state) in seen.items()} == dict.fromkeys(
        (mine, other), JobState.SUCCEEDED
    )
    assert len([statement for statement in told if "SELECT" in statement]) == 1


def test_what_those_have_who_work_for_all_tenants() -> None:
    assert {name for name in vars(AllTenants) if not name.startswith("_")} == {
        "audit",
        "counters",
        "deliveries",
        "keys",
        "overview",
        "queue",
        "requeues",
        "retention",
        "sessions",
        "sweep_work",
        "tenants",
        "views",
        "watch",
        "watch_work",
        "workers",
    }
