"""The library solves wherever it is called: other folders, threads, forks, closed streams."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.environment import bare

SOLVE = "import steadygrid as sg; answer = sg.solve(sg.problems()['cell'].example)\n"
THREADS = """
import threading
import steadygrid as sg
found = []
def solve():
    found.append(sg.solve(sg.problems()["cell"].example).verified)
threads = [threading.Thread(target=solve) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert found == [True] * 2
"""
FORK = """
import multiprocessing
import steadygrid as sg
def solve(kind):
    return sg.solve(sg.problems()[kind].example)
before = solve("cell")
with multiprocessing.get_context("fork").Pool(1) as pool:
    (after,) = pool.map(solve, ["cell"])
assert after.to_json() == before.to_json()
"""
FORKED_ERROR = """
import multiprocessing
import steadygrid as sg
with multiprocessing.get_context("fork").Pool(1) as pool:
    try:
        pool.apply(sg.solve, ({"kind": "nothing"},))
    except sg.InstanceError as error:
        assert "the kind is one of" in str(error)
    else:
        raise AssertionError
"""


def run(code: str, folder: Path, **more: object) -> None:
    environment = bare()
    del environment["PYTHONPATH"]
    ran = subprocess.run(  # type: ignore[call-overload]
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **more,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.close(0)\n" + SOLVE,
        "import os; os.close(0); os.close(1)\n" + SOLVE,
        "import os; os.rmdir(os.getcwd())\n" + SOLVE,
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + SOLVE,
        THREADS,
        FORK,
        FORKED_ERROR,
    ],
    ids=[
        "without standard input",
        "without standard output",
        "in a folder that is gone",
        "where children are not waited for",
        "in threads",
        "after a fork",
        "with an error after a fork",
    ],
)
def test_it_solves(code: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    run(code, folder)


def test_packages_of_our_names_beside_a_program_are_never_imported(tmp_path: Path) -> None:
    mark = tmp_path / "imported"
    for name in ("app", "workers", "migrations"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit")
    run(SOLVE + "assert answer.verified", tmp_path)
    assert not mark.exists()


def test_nothing_is_left_after_solves_once_the_process_is_closed(tmp_path: Path) -> None:
    code = (
        SOLVE + SOLVE + "from pathlib import Path\n"
        "import os, steadygrid\n"
        "steadygrid.close()\n"
        "assert Path(f'/proc/self/task/{os.getpid()}/children').read_text() == ''\n"
        "assert len(os.listdir('/proc/self/fd')) <= 5, os.listdir('/proc/self/fd')"
    )
    run(code, tmp_path)
