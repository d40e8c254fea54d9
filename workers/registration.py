"""How a worker says in the database that it lives, what it can solve, and with which solvers."""

import os
import secrets
import socket
import threading
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

import structlog

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.skills import Skills
from steadygrid.kinds import PROBLEMS, SOLVES
from workers.counts import Counts

log = structlog.get_logger(__name__)

OUR_SKILLS = Skills(tuple(PROBLEMS), SOLVES)
"""What workers of this version can solve."""
_RESECONDS = 30.0
_DISTRIBUTIONS = ("steadygrid", "highspy", "pyomo", "python-flint")


def worker_name() -> str:
    """Make a name that no other process has."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def solver_versions() -> dict[str, str]:
    """Look up the versions of what answers depend on."""
    versions = {}
    for distribution in _DISTRIBUTIONS:
        try:
            versions[distribution] = version(distribution)
        except PackageNotFoundError:
            continue
    return versions


class Registration:
    """One worker's line in the registry.

    A process that looks at the clock by itself calls `renew_if_due`; one that waits for messages
    calls `keep` once.

    Parameters
    ----------
    database
        Where the registry is.
    worker
        Its name.
    counts
        What it counts, which is added whenever the line is renewed.
    """

    def __init__(self, database: Database, worker: str, counts: Counts | None = None) -> None:
        self._counts = Counts() if counts is None else counts
        self._new = True
        self._database = database
        self._worker = worker
        self._versions = solver_versions()
        self._next = 0.0
        self._ended = threading.Event()
        self._keeper: threading.Thread | None = None

    def keep(self) -> None:
        """Renew the line from now on, also while nothing else happens, until `end`."""
        self._keeper = threading.Thread(target=self._renew, name="registration", daemon=True)
        self._keeper.start()

    def _renew(self) -> None:
        while True:
            self.renew_if_due()
            if self._ended.wait(_RESECONDS):
                return

    def renew_if_due(self) -> None:
        """Say now and then that this worker lives. A database that is away is skipped."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _RESECONDS
        with (
            suppress(DatabaseUnavailableError),
            self._counts.taken() as counted,
            self._database.write_all() as unit,
        ):
            unit.workers.seen(self._worker, OUR_SKILLS, self._versions, new=self._new)
            unit.counters.add(counted)
            self._new = False

    def end(self) -> None:
        """Take the line away."""
        self._ended.set()
        if self._keeper is not None:
            self._keeper.join()
        with (
            suppress(DatabaseUnavailableError),
            self._counts.taken() as counted,
            self._database.write_all() as unit,
        ):
            unit.workers.forget(self._worker)
            unit.counters.add(counted)
