"""Keys and tenants in the database: what is kept, and which keys lead to whom."""

import hashlib
import re
from typing import Any

import pytest
from sqlalchemy import select, update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.keys import USE_SECONDS
from app.db.models import keys
from app.db.scopes import Scope

SCOPES = frozenset({Scope.READ, Scope.ADMIN})


def made(database: Database, lasting_seconds: float | None = None) -> tuple[str, str]:
    """A key of the tenant ``grid``, and its id."""
    with database.write_all() as unit:
        unit.tenants.create("grid")
        key = unit.keys.create("grid", SCOPES, lasting_seconds)
    return key, key.split("_")[1]


def changed(database: Database, **values: object) -> None:
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(keys).values(**values))


def test_a_key_leads_to_its_tenant_and_only_its_hash_is_kept(database: Database) -> None:
    key, own = made(database)
    assert re.fullmatch("sk_[a-z]{8}_[0-9A-Za-z]{32}", key)
    with database.read_all() as unit:
        found = unit.keys.find(key)
        assert found == unit.keys.get(own) == unit.keys.all()[0]
    assert (found.tenant, found.scopes, found.expires_at) == ("grid", SCOPES, None)
    with database.looking() as connection:
        row = connection.execute(select(keys)).one()._asdict()
    secret = key.split("_")[2]
    assert row["hash"] == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(row)


def test_no_two_keys_are_alike(database: Database) -> None:
    assert len({part for _ in range(20) for part in made(database)[0].split("_")[1:]}) == 40


def test_what_is_not_the_whole_key_leads_nowhere(database: Database) -> None:
    key, own = made(database)
    other, _ = made(database)
    secret, last = key.split("_")[2], key[-1]
    wrong = [
        *("", own, secret, "sk_", f"sk_{own}_", f"sk_{own}", key[:-1], key + "a", f" {key}"),
        *(f"{key}\n", key.swapcase(), key.replace("sk", "SK"), key.replace("_", "-")),
        f"sk_{own}_{other.split('_')[2]}",
        f"{key[:-1]}{'a' if last != 'a' else 'b'}",
        f"sk_{own}_{hashlib.sha256(secret.encode()).hexdigest()[:32]}",
        key[:-1] + "\0",
        key[:-1] + "\uff11",
    ]
    with database.read_all() as unit:
        assert [one for one in wrong if unit.keys.find(one)] == []
        assert unit.keys.find(key)


def test_a_key_ends_when_it_expires_or_is_revoked(database: Database) -> None:
    key, own = made(database, 3600)
    with database.write_all() as unit:
        assert unit.keys.find(key)
    changed(database, expires_at=current_time())
    with database.write_all() as unit:
        assert unit.keys.find(key) is None
    changed(database, expires_at=current_time(60))
    with database.write_all() as unit:
        assert unit.keys.find(key)
        assert unit.keys.revoke(own)
        revoked = unit.keys.get(own)
        assert unit.keys.find(key) is None
    with database.write_all() as unit:
        assert not unit.keys.revoke(own)
        assert not unit.keys.revoke("nobodys")
        assert unit.keys.get(own) == revoked


def test_the_last_use_is_written_once_a_minute(database: Database) -> None:
    _, own = made(database)

    def used() -> Any:
        with database.write_all() as unit:
            unit.keys.used(own)
        with database.read_all() as unit:
            return unit.keys.get(own).used_at

    first = used()
    assert first is not None
    assert used() == first
    changed(database, used_at=current_time(-USE_SECONDS - 1))
    assert used() > first


def test_what_a_newer_version_allows_is_nothing_here(database: Database) -> None:
    key, _ = made(database)
    changed(database, scopes=["read", "rule"])
    with database.read_all() as unit:
        assert unit.keys.find(key).scopes == {Scope.READ}


@pytest.mark.parametrize("name", ["grid", "a-b-1"])
def test_a_tenant_is_made_once(database: Database, name: str) -> None:
    with database.write_all() as unit:
        assert unit.tenants.create(name)
        assert not unit.tenants.create(name)
        assert unit.tenants.get(name)
