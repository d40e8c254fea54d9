"""Children that are forks of a command: what is told of them is what is told of all others."""

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from tests.tree import ROOT


def told(what: str, *flags: str) -> dict[str, Any]:
    ran = subprocess.run(
        [sys.executable, *flags, "-m", "tests.processes.forking", what],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


KILLED = {"same pid": True, "leads a session": True, "code": -signal.SIGKILL, "alive": False}


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("kill", {}),
        ("wait", {"late": True}),
        ("input", {"read": ""}),
        ("leave", {"code": 7}),
        ("raise", {"code": 1, "memory": True}),
        ("retire", {"code": 0}),
        ("joined", {"leads a session": False}),
        ("again", {"again": True}),
    ],
)
def test_a_fork_is_heard_and_ended_like_any_child(what: str, more: dict[str, Any]) -> None:
    usual = {"can": True, "forked": True, "memory": False}
    assert told(what) == usual | KILLED | more


@pytest.mark.parametrize(
    ("what", "flags"), [("forbidden", ()), ("thread", ()), ("solver", ()), ("kill", ("-OO",))]
)
def test_what_is_not_safe_to_fork_starts_a_process(what: str, flags: tuple[str, ...]) -> None:
    assert told(what, *flags) == {"can": False, "forked": False, "memory": False} | KILLED
