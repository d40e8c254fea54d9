"""Processes that are kept alive, die with their parent and stay within their memory."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from steadygrid.children.lifeline import ORPHANED, peak_memory
from tests.integration.drills import gone, until
from workers.running.embedded import DataDirectoryInUseError, lock_file, open_bell
from workers.running.service_process import ServiceProcess


def starts(file: Path) -> list[list[str]]:
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def service(file: Path, *arguments: str, grace: float = 5.0) -> ServiceProcess:
    return ServiceProcess(
        "tests.running.short_service",
        [str(file), *arguments],
        {"STEADYGRID_LOG_LEVEL": "ERROR"},
        grace,
    )


def test_a_service_that_dies_is_started_again_and_stops_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "starts"
    kept = service(file)
    kept.start()
    until(lambda: len(starts(file)) == 1)
    first = kept.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    until(lambda: len(starts(file)) == 2)
    second = kept.pid
    kept.stop()
    assert second is not None
    assert gone(second)
    assert kept.pid is None
    assert starts(file) == [[str(first), "ERROR"], [str(second), "ERROR"]]


def test_a_service_that_always_dies_is_started_more_and_more_slowly(tmp_path: Path) -> None:
    file = tmp_path / "starts"
    kept = service(file, "brief")
    kept.start()
    until(lambda: len(starts(file)) == 3)
    kept.stop()
    assert len(starts(file)) <= 4


def test_a_service_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "starts"
    kept = service(file, "stubborn", grace=0.2)
    kept.start()
    until(lambda: starts(file))
    kept.stop()
    assert gone(int(starts(file)[0][0]))


def test_a_process_whose_parent_is_gone_ends_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.running.short_service", "1", str(tmp_path / "starts")]
    assert subprocess.run(command, check=False).returncode == ORPHANED
    assert starts(tmp_path / "starts") == []


def test_a_process_dies_with_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "starts"
    code = (
        "import os, subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-m', 'tests.running.short_service',"
        f" str(os.getpid()), {str(file)!r}]).wait()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    ((child, _),) = until(lambda: starts(file))
    parent.kill()
    parent.wait()
    until(partial(gone, int(child)), 5)


@pytest.mark.parametrize(("memory", "message"), [(2**31, "done"), (2**28, "MemoryError")])
def test_too_much_memory_is_a_clean_error(memory: int, message: str) -> None:
    code = (
        "from steadygrid.children.lifeline import limit_memory\n"
        f"limit_memory({memory})\n"
        "try:\n    bytes(2**29); print('done')\n"
        "except MemoryError: print('MemoryError')"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == message


def test_the_peak_of_memory_is_this_process_own() -> None:
    bulk = bytearray(2**28)
    code = "from steadygrid.children.lifeline import peak_memory; print(peak_memory())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 2**22 < int(ran.stdout) < 2**27 < len(bulk) < peak_memory()


def test_a_lock_is_held_by_one_process(tmp_path: Path) -> None:
    held = lock_file(tmp_path / "lock", 0)
    with pytest.raises(DataDirectoryInUseError, match=str(tmp_path)):
        lock_file(tmp_path / "lock", 0.1)
    os.close(held)
    os.close(lock_file(tmp_path / "lock", 0))


def test_a_bell_can_be_opened_again(tmp_path: Path) -> None:
    for _ in range(2):
        bell = open_bell(tmp_path / "bell")
        with pytest.raises(BlockingIOError):
            os.read(bell, 1)
        os.close(bell)
