"""The library and its command where macOS or Windows lack what Linux has.

Neither system is here: interpreters lack what `tests.processes.other_system.sitecustomize` takes from
them, and so do the processes that they start.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import steadygrid
from tests.environment import bare
from tests.integration.drills import gone, until

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FIGURE = EXAMPLES / "rr4870-figure-3.json"
MICROSCOPE = EXAMPLES / "microscope.json"
LOST = Path(__file__).parent / "other_system"
SECONDS = 180.0

SEVERAL = """
import json, sys, warnings
from pathlib import Path
import steadygrid as sg
example, *_ = sys.argv[1:]
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    answer = sg.solve(example)
    body = json.loads(Path(example).read_text())
    rows = list(
        sg.sweep(
            {
                "template": body,
                "parameters": [
                    {"name": "m", "at": ["/options/time_limit"], "values": [20, 30, 40]}
                ],
            },
            workers=2,
        )
    )
    svg = answer.picture("prices").svg
print(
    json.dumps(
        {
            "value": str(answer.result.objective.value),
            "verified": answer.result.verified,
            "rows": [str(row.value) for row in rows],
            "svg": svg[:4],
            "told": [str(one.message).split(":")[0] for one in told],
        }
    )
)
"""
SEARCHING = """
import sys
import steadygrid as sg
print(sg.solve(sys.argv[1]).result.objective.value)
"""
LATE = """
import sys, warnings
from steadygrid import solving
from steadygrid.domain.errors import TimeLimitError
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission
warnings.simplefilter("ignore")
solving.MODULE = "tests.library.stubborn_solver"
example = PROBLEMS["master_worker"].example | {"options": {"time_limit": 0.5}}
solver = solving.Solver(Limits(), grace=0.5)
solver.begin(parse_submission(example, Limits()), 0.5)
print(solver._child.pid, flush=True)
try:
    while solver.listen(0.2) is None:
        pass
except TimeLimitError as late:
    print(late.detail)
"""
WAITING = """
import os, time, warnings
from steadygrid.processes.child import Child
child = Child("steadygrid.pictures.drawing_process", "0")
while not child.receive(1):
    pass
print(child.pid, flush=True)
time.sleep(60)
"""

pytestmark = pytest.mark.parametrize("system", ["darwin", "win32"])


def lost(system: str, **more: str) -> dict[str, str]:
    """Give the environment of an interpreter that lacks what a system lacks."""
    places = os.pathsep.join([str(LOST), str(ROOT)])
    return {**bare(), "PYTHONPATH": places, "STEADYGRID_TEST_SYSTEM": system, **more}


def ran(system: str, code: str, *arguments: Any, **more: str) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        env=lost(system, **more),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def test_an_interpreter_lacks_what_the_system_lacks(system: str) -> None:
    code = """
import os, select, signal, sys
print(sys.platform, hasattr(os, "killpg"), hasattr(select, "poll"), hasattr(signal, "SIGKILL"))
try:
    import resource, fcntl, pwd
except ImportError:
    print("fewer modules")
try:
    open("/proc/self/status")
except FileNotFoundError:
    print("no /proc")
"""
    has = str(system == "darwin")
    modules = [] if system == "darwin" else ["fewer modules"]
    told = ran(system, code).stdout.splitlines()
    assert told == [f"{system} {has} {has} {has}", *modules, "no /proc"]


def test_the_command_solves_and_says_once_what_is_not_limited(system: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "steadygrid", "solve", FIGURE, "--json"],
        env=lost(system),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["objective"]["value"], result["verified"]) == ("21/40", True)
    (note,) = done.stderr.splitlines()
    assert note.startswith("note: memory_not_limited: ")


def test_the_library_solves_sweeps_and_draws(system: str) -> None:
    told = json.loads(ran(system, SEVERAL, FIGURE).stdout)
    assert told == {
        "value": "21/40",
        "verified": True,
        "rows": ["21/40"] * 3,
        "svg": "<svg",
        "told": ["memory_not_limited"],
    }


@cache
def searched_here() -> str:
    return str(steadygrid.solve(MICROSCOPE).result.objective.value)


def test_an_integer_program_is_searched_in_a_process_of_its_own(system: str) -> None:
    assert ran(system, SEARCHING, MICROSCOPE).stdout == f"{searched_here()}\n"


def test_a_solve_that_goes_on_is_killed(system: str) -> None:
    pid, said = ran(system, LATE, STUBBORN="holds_the_lock").stdout.splitlines()
    assert said == "The time limit left no answer. The solve was stopped 0.5 s after its 0.5 s."
    assert gone(int(pid))


def test_a_process_ends_with_its_parent(system: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", WAITING], env=lost(system), stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout as lines:
        child = int(lines.readline())
    parent.kill()
    parent.wait()
    until(lambda: gone(child), seconds=20)
