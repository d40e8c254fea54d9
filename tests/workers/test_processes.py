"""Processes that are kept alive, and what only one of them may hold."""

import os
import signal
from pathlib import Path

import pytest

from tests.integration.drills import gone, until
from workers.embedded import DataDirectoryInUseError, lock_file, open_bell
from workers.service_process import ServiceProcess


def starts(file: Path) -> list[list[str]]:
    return [line.split() for line in file.read_text().splitlines()] if file.exists() else []


def service(file: Path, *arguments: str, grace: float = 5.0) -> ServiceProcess:
    return ServiceProcess(
        "tests.workers.short_service",
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
