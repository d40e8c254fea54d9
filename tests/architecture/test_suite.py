"""The suite itself: how it may be started."""

import os
import signal
import subprocess
import sys

import pytest

from tests.tree import ROOT


def test_what_tests_start_hears_ctrl_c() -> None:
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stdout == b"True\n"
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        os.kill(os.getpid(), signal.SIGINT)  # in the background, where it means nothing


@pytest.mark.parametrize("processes", ["-n0", "-n1"])
def test_the_suite_runs_in_the_background_of_a_script(processes: str) -> None:
    """There a shell has Ctrl-C ignored, as ``nohup make test &`` in a script."""
    inner = f"{__file__}::{test_what_tests_start_hears_ctrl_c.__name__}"
    pytest_here = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", processes, inner]
    ran = subprocess.run(
        ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *pytest_here],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "1 passed" in ran.stdout
