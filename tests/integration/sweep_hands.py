"""A process that does with sweeps what requests do, piece by piece, until it is killed."""

import sys
import time

from app import sweep_creation
from app.db.engine import Database
from app.db.models import Doom

PIECE = 4
LEASE = 0.5
"""Seconds for which no other process takes up a sweep whose jobs are made."""
BETWEEN = 0.01
"""Seconds between two pieces, in which it may be killed, too."""


def main() -> None:
    """Do what each line of standard input says, ``create swp_...``; tell of each piece."""
    database = Database.open(sys.argv[1])
    tenant = sys.argv[2]
    sweep_creation.PIECE = PIECE
    for line in sys.stdin:
        what, sweep = line.split()
        again = True
        while again:
            again = DEEDS[what](database, tenant, sweep)
            print(what, sweep, flush=True)
            time.sleep(BETWEEN)


def create(database: Database, _: str, sweep: str) -> bool:
    return sweep_creation.make_jobs(database, sweep, LEASE, time.monotonic())


def cancel(database: Database, tenant: str, sweep: str) -> bool:
    with database.write(tenant) as unit:
        unit.sweeps.ask_cancel(sweep)
    with database.write_all() as unit:
        return unit.sweep_work.cancel_some(sweep, PIECE) > 0


def retry(database: Database, tenant: str, sweep: str) -> bool:
    with database.write_all() as unit:
        return unit.sweep_work.retry_some(tenant, sweep, PIECE) == PIECE


def delete(database: Database, tenant: str, sweep: str) -> bool:
    with database.write(tenant) as unit:
        unit.sweeps.doom(sweep, Doom.DELETED)
    with database.write_all() as unit:
        return unit.sweep_work.remove_some(sweep, PIECE) > 0


DEEDS = {deed.__name__: deed for deed in (create, cancel, retry, delete)}

if __name__ == "__main__":
    main()
