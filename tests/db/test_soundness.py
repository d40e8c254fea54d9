"""What is wrong with sweeps is told; nothing is told of sound ones, however far they are."""

import pytest

from app.db.engine import Database
from app.db.integrity_check import soundness
from app.db.models import Doom
from tests.databases import ON_SQLITE
from tests.sweeps import add_sweep
from workers.registration import OUR_SKILLS


def faults(database: Database) -> list[str]:
    return dict(soundness(database))["sweeps"]


def cancelled(database: Database, sweep: str) -> None:
    with database.write("local") as unit:
        unit.sweeps.ask_cancel(sweep)
        while unit.sweep_work.cancel_some(sweep, 9):
            pass


def test_sound_sweeps_are_not_spoken_of(database: Database) -> None:
    ended, tried, doomed, _ = (add_sweep(database, [[]] * 3) for _ in range(4))
    add_sweep(database, [])
    with database.write("local") as unit:
        for _ in range(12):
            unit.queue.fail(unit.queue.claim("w", OUR_SKILLS, 30), {})
        unit.sweep_work.retry_some("local", tried, 2)
        assert unit.sweeps.doom(doomed, Doom.DELETED)
        unit.sweep_work.remove_some(doomed, 2)
    add_sweep(database, [[]] * 2)
    cancelled(database, add_sweep(database, [[]] * 2))
    assert ended != tried
    assert faults(database) == []


@ON_SQLITE
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            "DELETE FROM jobs WHERE sweep_index = 1",
            "has 2 jobs at 2 places up to 3, and says that 3",
        ),
        (
            "UPDATE jobs SET sweep_try = 2, sweep_index = 0 WHERE sweep_index = 2",
            "3 jobs at 2 places",
        ),
        ("UPDATE sweeps SET created = 2", "says that 2 were made"),
        ("UPDATE sweeps SET finished_at = created_at", "has ended, and 3 of its jobs have not"),
        ("UPDATE sweeps SET queued = 0", "not ended, and all of its jobs have"),
        ("DELETE FROM sweep_plans", "has no row in sweep_plans"),
    ],
)
def test_what_is_wrong_is_told(database: Database, wrong: str, told: str) -> None:
    sweep = add_sweep(database, [[]] * 3)
    with database.engine.begin() as connection:
        connection.exec_driver_sql(wrong)
    (fault,) = faults(database)
    assert fault.startswith(sweep)
    assert told in fault
