import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from app.broker import CeleryBroker, Doorbell, open_broker
from app.publisher import MOST_MESSAGES, Publisher
from app.settings import SOLVE_TASK, Settings, solve_queue
from steadygrid.kinds import SOLVES
from tests.integration.drills import free_port, until
from workers.celery_app import make_app
from workers.embedded import open_bell


def test_the_settings_choose_the_broker(tmp_path: Path) -> None:
    assert isinstance(open_broker(Settings(data_dir=tmp_path), lambda: 1), Doorbell)
    redis = Settings(redis_url="redis://127.0.0.1/0")
    assert isinstance(open_broker(redis, lambda: 1), CeleryBroker)


def test_the_doorbell_rings_at_every_worker_and_never_blocks(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, embedded_workers=2)
    door = Doorbell(settings)
    door.wake(0)  # no broker is there
    bells = [open_bell(path) for path in settings.wake_paths]
    door.wake(0)
    for _ in range(100_000):  # more than a pipe holds
        door.nudge()
    for bell in bells:
        assert os.read(bell, 1) == b"!"
        os.close(bell)
    assert door.depths() is None
    door.close()


def test_an_unavailable_broker_delays_no_caller() -> None:
    url = f"redis://127.0.0.1:{free_port()}/0"
    structlog.reset_defaults()  # whatever level another test has set
    with capture_logs() as logs:
        broker = CeleryBroker(Publisher(url))
        began = time.monotonic()
        for _ in range(100):
            broker.wake(0)
        assert time.monotonic() - began < 20
        broker.nudge()
        until(lambda: logs)
        broker.close()
    assert logs[0]["event"] == "broker_unavailable"
    assert url not in str(logs)


def test_sending_to_a_broker_that_is_away_fails_soon() -> None:
    publish = Publisher(f"redis://127.0.0.1:{free_port()}/0")
    began = time.monotonic()
    with pytest.raises(Exception, match="refused"):
        publish("steadygrid")
    with pytest.raises(Exception, match="refused"):
        publish.depths(["steadygrid"])
    assert time.monotonic() - began < 20


class Slow:
    """A publisher that sends nothing before the gate is open."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.begun = threading.Event()
        self.sent: list[str] = []
        self.most: list[int] = []
        self.tried = 0

    def __call__(self, queue: str, most: int) -> bool:
        self.begun.set()
        self.gate.wait()
        self.tried += 1
        self.most.append(most)
        if self.sent.count(queue) >= most:
            return False
        self.sent.append(queue)
        return True

    def depths(self, queues: Iterable[str]) -> dict[str, int]:
        return dict.fromkeys(queues, 3)


def test_queues_take_turns_and_the_last_messages_go_out_before_the_end() -> None:
    slow = Slow()
    broker = CeleryBroker(slow)
    broker.wake(0)
    assert slow.begun.wait(30)
    for requires in (1, 1, 1, 2, 0, 1):
        broker.wake(requires)
    slow.gate.set()
    broker.close()
    first, second = "steadygrid-1", "steadygrid-2"
    plain = "steadygrid"
    assert slow.sent == [plain, first, second, plain, first, first, first]


def test_a_hundred_thousand_posts_are_a_hundred_messages() -> None:
    slow = Slow()
    broker = CeleryBroker(slow)
    broker.wake(0)
    assert slow.begun.wait(30)
    for _ in range(100_000):
        broker.wake(0)
    slow.gate.set()
    broker.close()
    assert slow.sent == ["steadygrid"] * MOST_MESSAGES


def test_where_enough_messages_wait_no_more_are_tried() -> None:
    slow, asked = Slow(), 0

    def most() -> int:
        nonlocal asked
        asked += 1
        return 3

    broker = CeleryBroker(slow, most)
    broker.wake(0)
    assert slow.begun.wait(30)
    for _ in range(100):
        broker.wake(0)
    slow.gate.set()
    until(lambda: slow.tried == 4)
    broker.wake(0)  # a job that was posted since: the messages may all be spent
    broker.close()
    assert slow.sent == ["steadygrid"] * 3
    assert slow.most == [3] * 5
    assert asked == 1, "and not for every message"


def test_a_job_that_is_posted_while_the_queue_is_counted_is_not_forgotten() -> None:
    slow = Slow()
    broker = CeleryBroker(slow, lambda: 0)
    broker.wake(0)
    assert slow.begun.wait(30)
    broker.wake(0)
    slow.gate.set()
    broker.close()
    assert slow.tried == 2


def test_messages_are_counted_in_all_queues_of_this_version() -> None:
    depths = CeleryBroker(Slow()).depths()
    assert depths == dict.fromkeys(map(solve_queue, range(SOLVES + 1)), 3)


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
    from workers import tasks

    assert tasks.solve_job.name == SOLVE_TASK
    assert tasks.app.conf.task_default_queue == solve_queue(0)
