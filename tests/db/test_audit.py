"""Audit lines: kept with the change or not at all, listed in order, purged when they are old."""

import pytest

from app.db.audit import Action, AuditLine
from app.db.engine import Database


def lines(database: Database, limit: int = 100, **wanted) -> list[AuditLine]:
    """All lines, a page at a time."""
    found: list[AuditLine] = []
    token = None
    while True:
        with database.read_all() as unit:
            page = unit.audit.page(limit, token, **wanted)
        assert len(page.items) <= limit
        found += page.items
        token = page.next_token
        if token is None:
            return found


def test_a_line_lives_and_dies_with_the_change_that_it_tells(database: Database) -> None:
    with database.write("a") as unit:
        unit.audit.write("a", "key k1", Action.JOB_DELETED, "job_1")
    with pytest.raises(KeyError), database.write("a") as unit:
        unit.audit.write("a", "key k1", Action.JOB_DELETED, "job_2")
        raise KeyError
    (line,) = lines(database)
    assert (line.tenant, line.actor, line.action, line.subject) == (
        "a",
        "key k1",
        "job.deleted",
        "job_1",
    )


def test_lines_are_listed_by_age_and_tenant(database: Database, monkeypatch) -> None:
    born = iter(range(1_700_000_000_000, 1_700_000_000_007))
    monkeypatch.setattr("app.db.ids.time.time_ns", lambda: next(born) * 1_000_000)
    for number in range(7):
        with database.write_all() as unit:
            tenant = "ab"[number % 2]
            unit.audit.write(tenant, "x" * 300, Action.KEY_CREATED, f"{number}\0\ud800")
    assert [line.subject[0] for line in lines(database, 2)] == list("0123456")
    assert [line.subject[0] for line in lines(database, 2, of="b")] == list("135")
    assert {len(line.actor) for line in lines(database)} == {200}
    monkeypatch.setattr("app.db.ids.time.time", lambda: 1_700_000_000.004 + 86_400)
    # Born four milliseconds after the first is a day old exactly, and no older.
    assert [one.subject[0] for one in lines(database, since_seconds=86_400)] == list("456")
    with database.write_all() as unit:
        assert [unit.audit.purge(1, 3) for _ in range(3)] == [3, 1, 0]
    assert [line.subject[0] for line in lines(database)] == list("456")
