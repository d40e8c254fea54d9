"""Has an older version fill a database, and writes that down as SQL: what its users would upgrade.

``python -m tests.stored.record CHECKOUT FOLDER``: CHECKOUT is a working tree of the older version,
FOLDER has the ``requests.json`` that are posted to it, each under its key, and gets ``sqlite.sql``
and ``postgresql.sql`` (of the server that STEADYGRID_TEST_POSTGRES names). Requests that say
``"queued": true`` are posted when no worker is there any more.
"""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conftest import new_postgres_database

_KEY = re.compile(r"\{([^{}]+)\}")
_ENDED = ("succeeded", "failed", "cancelled")


def with_ids(part: Any, made: Mapping[str, str]) -> Any:
    """Put ids in the place of the keys under which they were made, in a path and in a body."""
    if isinstance(part, str):
        return _KEY.sub(lambda match: made[match[1]], part)
    if isinstance(part, dict):
        return {name: with_ids(value, made) for name, value in part.items()}
    return [with_ids(value, made) for value in part] if isinstance(part, list) else part


def _asked(base: str, path: str, body: Any = None, key: str | None = None) -> Any:
    headers = {"Content-Type": "application/json"} | (
        {} if key is None else {"Idempotency-Key": key}
    )
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers)) as answer:
        return json.load(answer)


@contextmanager
def _running(checkout: Path, url: str, *command: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with TemporaryDirectory() as data:
        paths = {"PYTHONPATH": str(checkout), "STEADYGRID_DATA_DIR": data}
        process = subprocess.Popen(
            [sys.executable, *command, "--port", str(port)],
            cwd=data,
            env=os.environ | paths | {"STEADYGRID_DATABASE_URL": url},
        )
        base = f"http://127.0.0.1:{port}"
        try:
            while True:
                assert process.poll() is None, "the older version has not started"
                try:
                    _asked(base, "/v1/problems")
                    break
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.2)
            yield base
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _post(base: str, request: Mapping[str, Any], made: dict[str, str]) -> None:
    path, body = with_ids(request["path"], made), with_ids(request["body"], made)
    made[request["key"]] = _asked(base, path, body, request["key"])["id"]


def record(checkout: Path, url: str, requests: list[dict[str, Any]]) -> None:
    """Let the older version fill the database that a URL names."""
    made: dict[str, str] = {}
    main = "workers" if (checkout / "workers/__main__.py").exists() else "workers.cli"
    with _running(checkout, url, "-m", main, "serve") as base:
        for request in requests:
            if not request.get("queued"):
                _post(base, request, made)
                while any(
                    job["state"] not in _ENDED
                    for job in _asked(base, "/v1/jobs?limit=100")["items"]
                ):
                    time.sleep(0.2)
    with _running(checkout, url, "-m", "uvicorn", "--factory", "app.main:create_app") as base:
        for request in requests:
            if request.get("queued"):
                _post(base, request, made)


def sqlite_dump(file: Path) -> str:
    """Write a database of SQLite as SQL."""
    with closing(sqlite3.connect(file)) as connection:
        return "\n".join(connection.iterdump()) + "\n"


def postgresql_dump(url: str) -> str:
    """Write a database of PostgreSQL as SQL, without what only psql understands."""
    command = ["pg_dump", "--no-owner", "--no-privileges", "--inserts", url]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line for line in told.splitlines() if not line.startswith(("--", "\\", "SET "))]
    return re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip() + "\n"


def main(checkout: Path, folder: Path) -> None:
    """Record a version on both databases."""
    requests = json.loads((folder / "requests.json").read_text("utf-8"))
    with TemporaryDirectory() as data:
        file = Path(data) / "steadygrid.db"
        record(checkout, f"sqlite:///{file}", requests)
        (folder / "sqlite.sql").write_text(sqlite_dump(file), "utf-8")
    with new_postgres_database() as url:
        record(checkout, url, requests)
        (folder / "postgresql.sql").write_text(postgresql_dump(url), "utf-8")


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
