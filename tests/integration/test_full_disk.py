"""A disk that really fills up under a service that works, and has room again."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from app.db.errors import DatabaseFullError
from steadygrid.domain.job import JobState
from tests.integration.conftest import MakeService
from tests.integration.drills import QUICK, until


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of eight megabytes; only root can have one."""
    path = tmp_path / "disk"
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(path)]
    with suppress(FileNotFoundError):
        if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
            yield path
            subprocess.run(["umount", "--lazy", str(path)], check=True)
            return
    pytest.skip("only root can mount a small disk")


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(2**12))
    return filler


def test_a_full_disk_costs_no_job(embedded: MakeService, small_disk: Path, tmp_path: Path) -> None:
    service = embedded(data_dir=small_disk)
    service.start()
    go = tmp_path / "go"
    running = service.accept(do="until", file=str(go))
    service.wait(running, JobState.RUNNING)
    filler = fill(small_disk)
    with pytest.raises(DatabaseFullError):
        for _ in range(1000):  # what is free inside of the file is used first
            service.accept(publish=False, filler="x" * 200)
    go.touch()
    until(lambda: "database_writes_unavailable" in service.log())
    time.sleep(2 * QUICK["lease_seconds"])
    assert service.job(running).state is JobState.RUNNING
    filler.unlink()
    ended = service.wait(running)
    assert (ended.state, ended.attempt, ended.failures) == (JobState.SUCCEEDED, 1, 0)
    until(lambda: "database_writes_back" in service.log())
    assert "Traceback" not in service.log()
    service.wait(service.accept())
