import os
import threading
import time
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from app.broker import CeleryBroker, Doorbell, open_broker
from app.publisher import Publisher
from app.settings import SOLVE_TASK, Settings, solve_queue
from tests.integration.drills import free_port, until
from workers.running.celery_app import make_app
from workers.running.embedded import open_bell


def test_the_settings_choose_the_broker(tmp_path: Path) -> None:
    assert isinstance(open_broker(Settings(data_dir=tmp_path)), Doorbell)
    assert isinstance(open_broker(Settings(redis_url="redis://127.0.0.1/0")), CeleryBroker)


def test_the_doorbell_rings_at_every_worker_and_never_blocks(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, embedded_workers=2)
    door = Doorbell(settings)
    door.publish("job_1", 0)  # nobody is there
    bells = [open_bell(path) for path in settings.wake_paths]
    door.publish("job_1", 0)
    for _ in range(100_000):  # more than a pipe holds
        door.nudge()
    for bell in bells:
        assert os.read(bell, 1) == b"!"
        os.close(bell)
    door.close()


def test_a_broker_that_is_away_delays_nobody() -> None:
    url = f"redis://127.0.0.1:{free_port()}/0"
    structlog.reset_defaults()  # whatever level another test has set
    with capture_logs() as logs:
        broker = CeleryBroker(Publisher(url))
        began = time.monotonic()
        for i in range(100):
            broker.publish(f"job_{i}", 0)
        assert time.monotonic() - began < 1
        broker.nudge()
        until(lambda: logs)
        broker.close()
    assert logs[0]["event"] == "broker_unavailable"
    assert url not in str(logs)


def test_sending_to_a_broker_that_is_away_fails_within_a_second() -> None:
    publish = Publisher(f"redis://127.0.0.1:{free_port()}/0")
    began = time.monotonic()
    with pytest.raises(Exception, match="refused"):
        publish("job_1", "steadygrid")
    assert time.monotonic() - began < 2


def test_messages_go_out_in_order_and_the_last_ones_before_the_end() -> None:
    sent: list[tuple[str, str]] = []
    gate = threading.Event()

    def slowly(job_id: str, queue: str) -> None:
        gate.wait()
        sent.append((job_id, queue))

    broker = CeleryBroker(slowly)
    for i in range(3):
        broker.publish(str(i), i)
    gate.set()
    broker.close()
    assert sent == [("0", "steadygrid"), ("1", "steadygrid-1"), ("2", "steadygrid-2")]


def test_closing_an_unused_broker_is_nothing() -> None:
    CeleryBroker(Publisher("redis://127.0.0.1/0")).close()


def test_celery_never_decides_what_happens_to_a_job() -> None:
    conf = make_app(Settings(redis_url="redis://127.0.0.1/0")).conf
    assert conf.accept_content == ["json"]
    assert conf.task_acks_late
    assert not conf.task_reject_on_worker_lost
    assert conf.task_ignore_result
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_time_limit > 3600 + 30
    assert conf.broker_connection_retry_on_startup
    options = conf.broker_transport_options
    assert options["visibility_timeout"] > 2 * conf.task_time_limit
    assert options["unacked_restore_interval"] == options["unacked_restore_throttle"] == 1


def test_both_sides_name_task_and_queue_alike() -> None:
    from workers.running import tasks

    assert tasks.solve_job.name == SOLVE_TASK
    assert tasks.app.conf.task_default_queue == solve_queue(0)
