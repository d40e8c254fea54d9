"""Letting workers finish their jobs and take no others, before they stop."""

import time
from collections.abc import Collection

from app.db.engine import Database

_LOOK_SECONDS = 0.5


def drain(database: Database, names: Collection[str], seconds: float) -> dict[str, int]:
    """Mark workers, and wait until they hold no job, for so long at most.

    A claim that had begun before the mark may end after it, so that there is a look some time later
    even if none holds a job.

    Parameters
    ----------
    database
        Where they have registered.
    names
        Of the workers.
    seconds
        0 does not wait.

    Returns
    -------
    dict
        Jobs that are still held, by the name of the worker.
    """
    with database.write_all() as unit:
        unit.workers.drain(names)
    end = time.monotonic() + seconds
    looks = 0
    while True:
        with database.read_all() as unit:
            held = unit.overview.held()
        left = {name: held[name[:255]] for name in names if name[:255] in held}
        now = time.monotonic()
        looks += 1
        if now >= end or (not left and looks > 1):
            return left
        time.sleep(min(_LOOK_SECONDS, end - now))
