"""What tenants have stored is measured by the sweeper, once a day and some rows at a time."""

from collections import Counter

import pytest
from sqlalchemy import MetaData, func, select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.measuring import Measuring
from app.db.models import LOCAL_TENANT, jobs, tenants
from app.db.new_jobs import NewJob
from app.db.packing import pack
from app.db.quotas import Quotas
from app.db.turns import Lane
from app.settings import Settings
from tests.db.test_tenants import furnish
from workers.sweeper import Sweeper

SETTINGS = Settings()
USUAL = Quotas.usual(SETTINGS)
ROWS, PIECES = 2, 3


def stored(database: Database) -> dict[str, int]:
    """Add up all that is packed or measured, in all tables, by tenant; what transient jobs have left out."""
    found = MetaData()
    found.reflect(database.engine)
    sizes = Counter[str]()
    looks = select(jobs.c.id).where(jobs.c.lane == Lane.TRANSIENT.value)
    with database.looking() as connection:
        for table in found.tables.values():
            if "packed" in table.c:
                size = func.sum(func.length(table.c.packed))
                query = select(table.c.tenant, size).group_by(table.c.tenant)
                if "job_id" in table.primary_key.columns:
                    query = query.where(table.c.job_id.not_in(looks))
                sizes.update({tenant: int(number) for tenant, number in connection.execute(query)})
        rows = found.tables["measurements"]
        for one in connection.execute(select(rows.c.tenant, rows.c.resource, rows.c.value)):
            sizes[one.tenant] += len(one.resource) + len(one.value)
    return dict(sizes)


def measured(database: Database) -> dict[str, int | None]:
    with database.read_all() as unit:
        return {one.name: one.measured_bytes for one in unit.tenants.all()}


def age(database: Database, hours: float) -> None:
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(tenants).values(measured_at=current_time(-hours * 3600)))


def begins(database: Database) -> bool:
    with database.write_all() as unit:
        return unit.tenants.begin_measuring(USUAL)


def test_what_is_stored_is_added_up_in_some_sweeps(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.sweeper._MEASURED_ROWS", ROWS)
    monkeypatch.setattr("workers.sweeper._MEASURED_PIECES", PIECES)
    with database.write_all() as unit:
        assert unit.tenants.create("a")
        assert unit.tenants.create("empty")
    for tenant, number in (("a", 5), (LOCAL_TENANT, 4)):
        furnish(database, tenant)
        with database.write(tenant) as unit:
            for length in range(number):
                unit.jobs.add(NewJob.create("cell", {"x": "y" * length}))
                unit.platforms.store(f"plt_{length}", pack({"x": "z" * length}), {})
    sweeper = Sweeper(database, SETTINGS)
    sweeper.sweep()
    assert measured(database) == {"a": 0, "empty": 0, LOCAL_TENANT: None}
    sweeps = 1
    while measured(database)[LOCAL_TENANT] is None:
        sweeper.sweep()
        sweeps += 1
    assert measured(database) == stored(database) | {"empty": 0}
    assert sweeps > 3
    assert not begins(database)


def test_it_is_measured_daily_and_hourly_where_it_is_much(database: Database) -> None:
    assert [begins(database), begins(database)] == [True, False]
    Sweeper(database, SETTINGS).sweep()
    for hours, due in ((23.0, False), (25.0, True)):
        age(database, hours)
        assert [begins(database), begins(database)] == [due, False]
    with database.write_all() as unit:
        unit.tenants.change(LOCAL_TENANT, {"stored_bytes": 10})
    for size, hours, due in ((5, 2, False), (6, 0.9, False), (6, 1.1, True)):
        with database.write_all() as unit:
            unit.tenants.keep_measured({LOCAL_TENANT: size}, unit.tenants.stored())
        age(database, hours)
        assert begins(database) is due


def test_what_is_posted_while_it_is_measured_counts(database: Database) -> None:
    with database.write_all() as unit:
        unit.tenants.create("a")
        unit.tenants.add_stored("a", 70)
        measuring = Measuring(unit.tenants.stored())
    with database.write("a") as unit:
        assert unit.tenants.add_stored("a", 7).measured_bytes == 77
        assert unit.tenants.add_stored(LOCAL_TENANT, 5).measured_bytes == 5
        assert unit.tenants.add_stored("unknown", 5) is None
    with database.write_all() as unit:
        unit.tenants.keep_measured({"a": 20}, measuring.before)
    assert measured(database) == {"a": 27, LOCAL_TENANT: 5}
