"""How a process dies with its parent, stays within its memory and finds our packages."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from resource import RLIM_INFINITY

import pytest

import steadygrid
from steadygrid.processes.lifeline import (
    ORPHANED,
    UNTOLD_MEMORY,
    environment,
    memory_left,
    peak_memory,
    python,
)
from tests.integration.drills import gone, until


def test_a_process_whose_parent_is_gone_ends_at_once() -> None:
    ran = subprocess.run(python("tests.processes.odd_child", "1"), capture_output=True, check=False)
    assert ran.returncode == ORPHANED
    assert ran.stdout == b""


def test_a_process_dies_with_its_parent() -> None:
    code = (
        "import os\n"
        "from steadygrid.processes.child import Child\n"
        "child = Child('tests.processes.odd_child', str(os.getpid()))\n"
        "child.receive(60)\n"
        "os.write(1, b'%d\\n' % child.pid)\n"
        "child.receive(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    with parent.stdout as lines:
        child = int(lines.readline())
        assert not gone(child)
        parent.kill()
        parent.wait()
    until(partial(gone, child), 45)


def test_a_child_finds_our_packages_where_its_parent_was_told_to_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    root = str(Path(steadygrid.__file__).parents[1])
    assert environment()["PYTHONPATH"] == root
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    assert environment()["PYTHONPATH"] == os.pathsep.join((root, "elsewhere"))


def test_what_is_installed_is_not_put_before_the_standard_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("site.getsitepackages", lambda: [str(Path(steadygrid.__file__).parents[1])])
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert "PYTHONPATH" not in environment()


@pytest.mark.parametrize(("memory", "message"), [(2**31, "done"), (2**28, "MemoryError")])
def test_too_much_memory_is_a_clean_error(memory: int, message: str) -> None:
    code = (
        "from steadygrid.processes.lifeline import limit_memory\n"
        f"limit_memory({memory})\n"
        "try:\n    bytes(2**29); print('done')\n"
        "except MemoryError: print('MemoryError')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == message


def test_the_peak_of_memory_is_this_process_own() -> None:
    bulk = bytearray(2**28)
    code = "from steadygrid.processes.lifeline import peak_memory; print(peak_memory())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 2**22 < int(ran.stdout) < 2**27 < len(bulk) < peak_memory()


def test_the_memory_that_is_left_is_what_the_limit_leaves() -> None:
    code = (
        "from steadygrid.processes.lifeline import limit_memory, memory_left\n"
        "limit_memory(2**31)\n"
        "first = memory_left()\n"
        "bulk = bytearray(2**28)\n"
        "print(first, memory_left())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    first, second = (int(number) for number in ran.stdout.split())
    assert 2**28 < first < 2**31
    assert 2**28 <= first - second < 2**28 + 2**24


def test_without_a_limit_it_is_what_the_system_has_available(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (RLIM_INFINITY, RLIM_INFINITY))
    assert 2**20 < memory_left() < 2**50
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "MemTotal: 1 kB")
    assert memory_left() == UNTOLD_MEMORY
    monkeypatch.setattr("steadygrid.processes.lifeline.memory_is_limited", lambda: False)
    assert memory_left() == UNTOLD_MEMORY
