"""``python -m workers.health``: whether a worker of this machine has been seen lately.

``python -m workers.health sender`` tells whether a sender has looked lately, on any machine.

For the health checks of containers: the exit code is 0 if one has, else 1 with a sentence on
standard error. Both say that they live in the jobs' database, so this tells as well that the
database answers.
"""

import argparse
import socket
import sys
from collections.abc import Sequence

from app.db.counters import Count
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.unit import AllTenants
from app.settings import Settings

_LATELY_SECONDS = 120.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Look into the registry of workers, or at what senders have counted."""
    parser = argparse.ArgumentParser(prog="python -m workers.health")
    parser.add_argument("part", nargs="?", choices=("worker", "sender"), default="worker")
    part = parser.parse_args(arguments).part
    settings = Settings()
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    host = socket.gethostname()
    try:
        with database.read_all() as unit:
            missing = _missing_sender(unit) if part == "sender" else _missing_worker(unit, host)
    except DatabaseUnavailableError as error:
        missing = f"the database does not answer: {error}"
    finally:
        database.close()
    if missing:
        sys.stderr.write(f"{missing}\n")
    return 1 if missing else 0


def _missing_worker(unit: AllTenants, host: str) -> str:
    if any(runs_on(host, worker.id) for worker in unit.workers.active(_LATELY_SECONDS)):
        return ""
    return f"no worker of {host} has been seen lately"


def _missing_sender(unit: AllTenants) -> str:
    looked = unit.counters.all().get(Count.SENDER_LOOKS)
    if looked is not None and looked.seconds_ago < _LATELY_SECONDS:
        return ""
    return "no sender has looked lately"


def runs_on(host: str, worker: str) -> bool:
    """Whether a worker, by its own name, runs on a host: in production or embedded."""
    embedded, _, place = worker.partition("@")
    return (place if embedded.startswith("embedded-") else worker).startswith(f"{host}:")


if __name__ == "__main__":
    sys.exit(main())
