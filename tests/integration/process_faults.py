"""What may happen to the processes of a service, whatever it is doing."""

import os
import signal
import time
from collections import Counter
from contextlib import suppress
from random import Random

from sqlalchemy import func, select, text

from app.db.engine import Database
from app.db.models import tallies
from tests.integration.drills import Service, command_of

LEASE = 1.0
"""Seconds for which a worker of a drill has a job."""


class Faults:
    """Things that happen to a service.

    Parameters
    ----------
    service
        That they happen to.
    draw
        Which one of several processes it is.
    """

    def __init__(self, service: Service, draw: Random) -> None:
        self._service = service
        self._draw = draw

    def kill_a_solver(self) -> None:
        self._kill(self._service.solvers())

    def kill_a_worker(self) -> None:
        self._kill(self._workers())

    def kill_a_sweeper(self) -> None:
        self._kill_one_of("workers.sweeper")

    def put_a_worker_to_sleep(self) -> None:
        """For longer than its lease: then it must write nothing."""
        for pid in self._workers()[:1]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                time.sleep(1.5 * LEASE)
                os.kill(pid, signal.SIGCONT)

    def kill_everything(self) -> None:
        self._service.kill_everything()
        self._service.start(ready=False)

    def stop_and_start(self) -> None:
        self._service.stop()
        self._service.start(ready=False)

    def drop_connections(self) -> None:
        with self._service.database.engine.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )

    def _workers(self) -> list[int]:
        # A solver that has just lost its worker has another parent, which is none of ours.
        tree = self._service.tree()
        with suppress(OSError):
            return [pid for pid in self._service.holders() if pid in tree]
        return []

    def _kill_one_of(self, module: str) -> None:
        self._kill([pid for pid in self._service.tree() if module in command_of(pid)])

    def _kill(self, pids: list[int]) -> None:
        if pids:
            with suppress(ProcessLookupError):
                os.kill(self._draw.choice(pids), signal.SIGKILL)


def count_running(database: Database, seen: Counter[str]) -> None:
    """Keep how many jobs of each tenant run, where that is more than was seen before."""
    running = func.sum(tallies.c.running + tallies.c.cancelling)
    with database.looking() as connection:
        found = connection.execute(select(tallies.c.tenant, running).group_by(tallies.c.tenant))
        for tenant, number in found:
            seen[f"running {tenant}"] = max(seen[f"running {tenant}"], number)
