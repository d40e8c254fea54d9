"""Tenants: who there is, what they may have, and what is left when they are gone."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

from app.db.engine import Database
from app.db.errors import NamesakeError, StaleAttemptError
from app.db.models import LOCAL_TENANT, keys, sessions
from app.db.new_jobs import NewJob
from app.db.quotas import QUOTAS, TENANT_NAME, Quotas, Use
from app.db.unit import AllTenants
from app.settings import Settings
from tests.db.test_tenants import contents, furnish
from workers.registration import OUR_SKILLS

BLOCKED_SECONDS = 0.5
"""For those who should wait to show that they do not."""
USUAL = Quotas.usual(Settings(tenant_queued_jobs=7))
OWN: dict[str, Any] = {name: number for number, name in enumerate(QUOTAS, 1)}


@pytest.mark.parametrize("name", ["a", "0", "a-b", "-", "x" * 63])
def test_names_that_tenants_may_have(name: str) -> None:
    assert TENANT_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["", "x" * 64, "A", "a b", "a_b", "a\n", "é", "٣"])
def test_names_that_no_tenant_has(name: str) -> None:
    assert not TENANT_NAME.fullmatch(name)


def test_without_settings_a_tenant_may_have_whatever_the_service_takes() -> None:
    assert Quotas.usual(Settings()) == Quotas(
        None, None, None, None, 250, None, None, 3600.0, 9, 90
    )


def test_a_tenant_has_the_usual_quotas_but_for_its_own(database: Database) -> None:
    with database.write_all() as unit:
        tenants = unit.tenants
        assert (tenants.create("a"), tenants.create("a")) == (True, False)
        assert tenants.get("a").quotas(USUAL) == USUAL
        assert tenants.change("a", OWN)
        assert tenants.get("a").quotas(USUAL) == tenants.hold("a").quotas(USUAL) == Quotas(**OWN)
        assert tenants.change("a", {"queued_jobs": None, "priority": 0})
        left = OWN | {"priority": 0}
        del left["queued_jobs"]
        assert tenants.get("a").overrides == left
        assert tenants.get("a").quotas(USUAL).queued_jobs == 7
        assert not tenants.change("b", {"priority": 0})
        assert tenants.get("b") is None
        assert [one.name for one in tenants.all()] == ["a", LOCAL_TENANT]


def test_a_tenant_uses_what_has_not_ended(database: Database) -> None:
    for kind in ("cell", "dataflow"):
        with database.write("a") as unit:
            for _ in range(3):
                unit.jobs.add(NewJob.create(kind, {}))
    with database.write_all() as unit:
        claims = [unit.queue.claim("w", OUR_SKILLS, 30) for _ in range(3)]
        unit.queue.fail(claims[0], {"code": "internal", "detail": ""})
    with database.write("a") as unit:
        unit.jobs.cancel(claims[1].job_id)
        assert unit.tenants.use("a") == Use(queued=3, running=2)
        assert unit.tenants.use("b") == Use(queued=0, running=0)


def belong(unit: AllTenants, tenant: str) -> None:
    """Give a tenant what no repository of its own writes."""
    at = datetime(2026, 11, 23, tzinfo=UTC)
    whose = {"tenant": tenant, "scopes": [], "created_at": at}
    for statement in (
        keys.insert().values(id=tenant, hash="", **whose),
        sessions.insert().values(key_id=tenant, hash=tenant, used_at=at, **whose),
    ):
        unit._connection.execute(statement)


def test_deleting_a_tenant_leaves_nothing_of_it_and_touches_no_other(database: Database) -> None:
    for tenant in ("a", "b"):
        with database.write_all() as unit:
            assert unit.tenants.create(tenant)
            belong(unit, tenant)
        furnish(database, tenant)
    kept = contents(database, "b")
    with database.write("a") as unit:
        for number in range(5):
            unit.jobs.add(NewJob.create(("cell", "dataflow")[number % 2], {}))
        running = unit.queue.claim("w", OUR_SKILLS, 30)
        assert not unit.tenants.delete("a")
        assert unit.tenants.shut_out("a") == 1
        shut_out = unit.tenants.get("a")
        assert shut_out is not None
        assert shut_out.overrides["queued_jobs"] == 0
    pieces: list[int] = []
    while not pieces or pieces[-1]:
        with database.write_all() as unit:
            pieces.append(unit.tenants.delete_some("a", 4))
    # Jobs, then one of each other thing, what tells of former jobs, and a webhook after what it is sent.
    assert pieces == [4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 0]
    with pytest.raises(StaleAttemptError), database.write_all() as unit:
        unit.queue.heartbeat(running, 30)
    with database.write_all() as unit:
        assert unit.tenants.delete("a")
        assert not unit.tenants.delete("a")
    assert not any(contents(database, "a").values())
    assert contents(database, "b") == kept


def test_no_tenant_gets_the_name_of_one_that_has_left_data(database: Database) -> None:
    furnish(database, "a")
    with database.write_all() as unit:
        with pytest.raises(NamesakeError):
            unit.tenants.create("a")
        assert unit.tenants.get("a") is None
        while unit.tenants.delete_some("a", 50):
            pass
        assert unit.tenants.create("a")


def test_a_tenant_is_not_deleted_while_a_job_is_added(database: Database) -> None:
    def delete() -> bool:
        with database.write_all() as unit:
            return unit.tenants.delete("a")

    with database.write_all() as unit:
        unit.tenants.create("a")
    with ThreadPoolExecutor() as threads:
        with database.write("a") as adding:
            assert adding.tenants.hold("a") is not None
            adding.jobs.add(NewJob.create("cell", {}))
            deleted = threads.submit(delete)
            with suppress(TimeoutError):
                deleted.result(BLOCKED_SECONDS)
        assert not deleted.result()
    with database.write("a") as unit:
        assert unit.tenants.get("a") is not None
        assert unit.tenants.use("a") == Use(queued=1, running=0)
