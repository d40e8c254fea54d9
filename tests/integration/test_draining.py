"""Workers that finish their job and take no other, before they stop."""

import signal
import time
from collections.abc import Callable

from steadygrid.domain.job import JobState
from tests.integration.drills import Service, until
from workers.draining import drain

MakeService = Callable[..., Service]


def test_a_drained_worker_finishes_its_job_and_takes_no_other(either: MakeService) -> None:
    service = either()
    service.start()
    file = service.settings.data_dir / "go on"
    running = service.accept(do="until", file=str(file))
    until(lambda: service.job(running).state is JobState.RUNNING)
    waiting = service.accept()
    names = service.workers()
    assert drain(service.database, names, 0.2) == {names[0]: 1}
    file.touch()
    assert service.wait(running).state is JobState.SUCCEEDED
    assert drain(service.database, names, 20) == {}
    # The worker looks at least each second; so does one that is drained.
    time.sleep(2.5)
    assert service.job(waiting).state is JobState.QUEUED
    with service.database.write_all() as unit:
        assert unit.workers.drain(names, undo=True) == names
    assert service.wait(waiting).state is JobState.SUCCEEDED
    service.assert_invariants()


def test_a_service_that_stops_lets_its_job_end_in_time(embedded: MakeService) -> None:
    service = embedded(drain_seconds=30.0)
    service.start()
    file = service.settings.data_dir / "go on"
    running, waiting = service.accept(do="until", file=str(file)), service.accept()
    until(lambda: service.job(running).state is JobState.RUNNING)
    process = service._process
    assert process is not None
    process.send_signal(signal.SIGTERM)
    time.sleep(1.5)
    assert process.poll() is None
    file.touch()
    process.wait(20)
    assert (service.job(running).state, service.job(running).attempt) == (JobState.SUCCEEDED, 1)
    assert service.job(waiting).state is JobState.QUEUED


def test_what_does_not_end_in_time_is_given_back(embedded: MakeService) -> None:
    service = embedded(drain_seconds=0.5)
    service.start()
    file = service.settings.data_dir / "never"
    running = service.accept(do="until", file=str(file))
    until(lambda: service.job(running).state is JobState.RUNNING)
    service.stop()
    assert (service.job(running).state, service.job(running).failures) == (JobState.QUEUED, 0)
    service.start()
    # What starts anew takes jobs again.
    until(lambda: service.job(running).state is JobState.RUNNING)
