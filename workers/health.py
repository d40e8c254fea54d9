"""``python -m workers.health``: whether a worker of this machine has been seen lately.

For the health checks of containers: the exit code is 0 if one has, else 1 with a sentence on
standard error. A worker says that it lives in the jobs' database, so this tells as well that the
database answers.
"""

import socket
import sys

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.settings import Settings


def main() -> int:
    """Look into the registry of workers."""
    settings = Settings()
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    host = socket.gethostname()
    try:
        with database.read_all() as unit:
            seen = any(runs_on(host, worker.id) for worker in unit.workers.active())
    except DatabaseUnavailableError as error:
        sys.stderr.write(f"the database does not answer: {error}\n")
        return 1
    finally:
        database.close()
    if not seen:
        sys.stderr.write(f"no worker of {host} has been seen lately\n")
    return 0 if seen else 1


def runs_on(host: str, worker: str) -> bool:
    """Whether a worker, by its own name, runs on a host: in production or embedded."""
    embedded, _, place = worker.partition("@")
    return (place if embedded.startswith("embedded-") else worker).startswith(f"{host}:")


if __name__ == "__main__":
    sys.exit(main())
