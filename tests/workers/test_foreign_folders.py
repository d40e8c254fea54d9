"""Packages with steadygrid's names in the current folder are never imported in their place."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.db.engine import Database
from app.db.migrate import Standing, standing, upgrade
from steadygrid.domain.job import JobState
from steadygrid.kinds import PROBLEMS
from tests.databases import add_job
from tests.environment import bare

COMMAND = str(Path(sys.executable).with_name("steadygrid"))
HOSTILE = "from pathlib import Path\nPath({mark!r}).touch()\nraise SystemExit('foreign code')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with packages and a module that leave a mark when they are imported."""
    place = tmp_path / "work"
    place.mkdir()
    code = HOSTILE.format(mark=str(tmp_path / "imported"))
    for name in ("app", "migrations"):
        (place / name).mkdir()
        (place / name / "__init__.py").write_text(code)
    (place / "workers.py").write_text(code)
    return place


def environment() -> dict[str, str]:
    given = bare()
    del given["PYTHONPATH"]
    return given


@contextmanager
def served(folder: Path, command: str = "serve") -> Iterator[str]:
    process = subprocess.Popen(
        [COMMAND, command, "--port", "0"],
        cwd=folder,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        found = (re.search(r"listens on (http://\S+) ", line) for line in process.stderr)
        yield next(match[1] for match in found if match)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def post(url: str, body: Any) -> Any:
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.load(answer)


def test_the_service_works_where_there_are_packages_of_its_names(folder: Path) -> None:
    with served(folder) as url:
        job = post(f"{url}/v1/jobs?wait=60", PROBLEMS["cell"].example)
    assert (job["state"], job["attempt"]) == ("succeeded", 1)
    assert not (folder.parent / "imported").exists()


def test_the_command_solves_where_there_are_packages_of_its_names(folder: Path) -> None:
    body = json.dumps(PROBLEMS["cell"].example)
    solved = subprocess.run(
        [COMMAND, "solve", "-", "--json"],
        input=body,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(solved.stdout)["verified"]
    assert not (folder.parent / "imported").exists()


def test_the_api_alone_works_there(folder: Path) -> None:
    with (
        served(folder, "api") as url,
        urllib.request.urlopen(f"{url}/readyz", timeout=30) as answer,
    ):
        assert answer.status == 200
    assert not (folder.parent / "imported").exists()


def test_tables_are_made_there(folder: Path) -> None:
    ran = subprocess.run(
        [COMMAND, "database", "migrate"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.endswith("are up to date\n")
    assert not (folder.parent / "imported").exists()
    database = Database.open(f"sqlite:///{folder / '.steadygrid' / 'steadygrid.db'}")
    assert standing(database) is Standing.CURRENT
    database.close()


@pytest.mark.redis
def test_a_production_worker_solves_there(folder: Path, redis_url: str) -> None:
    url = f"sqlite:///{folder.parent / 'steadygrid.db'}"
    given = environment() | {
        "STEADYGRID_DATABASE_URL": url,
        "STEADYGRID_REDIS_URL": redis_url,
        "STEADYGRID_SWEEP_SECONDS": "0.2",
    }
    database = Database.open(url)
    upgrade(database)
    job = add_job(database, PROBLEMS["master_worker"].example)
    with subprocess.Popen([COMMAND, "worker"], cwd=folder, env=given) as worker:
        try:
            until(lambda: state_of(database, job) is JobState.SUCCEEDED, worker)
        finally:
            worker.send_signal(signal.SIGTERM)
    assert not (folder.parent / "imported").exists()
    database.close()


def state_of(database: Database, job: str) -> JobState:
    with database.read("local") as unit:
        return unit.jobs.get(job).state


def until(reached: Callable[[], bool], worker: subprocess.Popen[bytes]) -> None:
    while not reached():
        assert worker.poll() is None
        time.sleep(0.05)
