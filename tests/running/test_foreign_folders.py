"""Packages of our names in the folder that somebody works in are never ours."""

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from steadygrid.problems import PROBLEMS
from tests.environment import bare

COMMAND = str(Path(sys.executable).with_name("steadygrid"))
HOSTILE = "from pathlib import Path\nPath({mark!r}).touch()\nraise SystemExit('foreign code')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with packages that leave a mark when they are imported."""
    place = tmp_path / "work"
    for name in ("app", "workers", "migrations"):
        package = place / name
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(HOSTILE.format(mark=str(tmp_path / "imported")))
    return place


def environment() -> dict[str, str]:
    given = bare()
    del given["PYTHONPATH"]
    return given


@contextmanager
def served(folder: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [COMMAND, "serve", "--port", "0"],
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
