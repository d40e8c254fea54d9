"""Sessions: they end when they are not used, when they are old, and with their keys."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from app.db import sessions as rules
from app.db.clock import current_time
from app.db.engine import Database
from app.db.models import keys, sessions
from app.db.scopes import Scope

HOUR, DAY = 3_600.0, 86_400.0
DIGEST = "d" * 64


@pytest.fixture
def key(database: Database) -> str:
    """A key with a session."""
    with database.engine.connect() as connection, connection.begin():
        connection.execute(
            insert(keys).values(
                id="abc", tenant="a", hash="", scopes=["read"], created_at=current_time()
            )
        )
    with database.write_all() as unit:
        unit.sessions.begin(DIGEST, "a", "abc", [Scope.READ])
    return "abc"


def change(database: Database, table, **values) -> None:
    with database.engine.connect() as connection, connection.begin():
        connection.execute(update(table).values(**values))


def found(database: Database) -> rules.SessionRecord | None:
    with database.read_all() as unit:
        return unit.sessions.find(DIGEST)


def test_a_session_is_whose_its_key_is(database: Database, key: str) -> None:
    assert found(database) == rules.SessionRecord("a", key, frozenset({Scope.READ}), due=False)
    with database.read_all() as unit:
        assert unit.sessions.find("e" * 64) is None


@pytest.mark.parametrize(
    ("ages", "alive"),
    [
        ({"used_at": 11.9 * HOUR}, True),
        ({"used_at": 12.1 * HOUR}, False),
        ({"created_at": 6.9 * DAY}, True),
        ({"created_at": 7.1 * DAY, "used_at": 0}, False),
    ],
)
def test_a_session_ends_by_itself(
    database: Database, key: str, ages: dict[str, float], alive: bool
) -> None:
    change(database, sessions, **{name: current_time(-seconds) for name, seconds in ages.items()})
    assert (found(database) is not None) == alive
    with database.write_all() as unit:
        unit.sessions.renew(DIGEST)
    assert (found(database) is not None) == alive, "what has ended stays so"
    with database.write_all() as unit:
        assert unit.sessions.purge() == (not alive)
        assert (unit.sessions.end(DIGEST) is not None) == alive


@pytest.mark.parametrize(
    "end", [{"revoked_at": current_time(-1)}, {"expires_at": current_time(-1)}]
)
def test_a_session_ends_with_its_key(database: Database, key: str, end) -> None:
    change(database, keys, expires_at=current_time(60))
    assert found(database) is not None
    change(database, keys, **end)
    assert found(database) is None


def test_a_session_that_was_ended_is_no_more(database: Database, key: str) -> None:
    with database.write_all() as unit:
        ended = unit.sessions.end(DIGEST)
        assert ended is not None
        assert ended.key_id == key
        assert unit.sessions.end(DIGEST) is None
    assert found(database) is None


def test_the_last_use_is_due_once_a_minute(database: Database, key: str) -> None:
    change(database, sessions, used_at=current_time(-61), created_at=current_time(-61))
    session = found(database)
    assert session is not None
    assert session.due
    with database.write_all() as unit:
        unit.sessions.renew(DIGEST)
    session = found(database)
    assert session is not None
    assert not session.due
    with database.looking() as connection:
        row = connection.execute(select(sessions.c.used_at, sessions.c.created_at)).one()
    assert row.used_at - row.created_at > timedelta(seconds=60)
