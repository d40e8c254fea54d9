"""What Celery says of the broker is counted; what it says of anything else stays a line."""

import logging
from collections.abc import Iterator

import pytest
from redis.exceptions import ConnectionError as RedisAway
from structlog.testing import capture_logs

from app.logs import Outage
from workers import broker_troubles
from workers.broker_troubles import keep_to_one_line

AWAY = RedisAway("Error 111 connecting to 127.0.0.1:1.\nConnection refused.")


class Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.kept: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(record.getMessage())


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The lines that are written, past those of the broker's outages."""
    monkeypatch.setattr(broker_troubles, "_BROKER", Outage("broker", settled=0.0))
    handler, root = Lines(), logging.getLogger()
    before, level = root.handlers, root.level
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    keep_to_one_line()
    yield handler.kept
    root.handlers = before
    root.setLevel(level)


def test_many_lines_on_the_broker_are_one(kept: list[str]) -> None:
    with capture_logs() as said:
        log = logging.getLogger("celery.worker.consumer.consumer")
        log.warning("%s (%r)", "consumer: Connection to broker lost", AWAY)
        log.error("consumer: Cannot connect to %s: %s.\n%s\n", "redis://", AWAY, "Trying again")
        try:
            raise AWAY
        except RedisAway:
            logging.getLogger("kombu.message").critical("Couldn't ack", exc_info=True)
        broker_troubles._BROKER.end()
    cause = "Error 111 connecting to 127.0.0.1:1. Connection refused."
    assert [(line["event"], line.get("cause"), line.get("failures")) for line in said] == [
        ("broker_unavailable", cause, None),
        ("broker_back", None, 3),
    ]
    assert kept == []


def test_what_is_said_of_anything_else_is_kept(kept: list[str]) -> None:
    with capture_logs() as said:
        logging.getLogger("celery.worker").error("Task handler raised error: %r", ValueError("no"))
        logging.getLogger("app").error("not of Celery's: %s", AWAY)
        logging.getLogger("celery.worker").error("a word: %(word)s", {"word": "no"})
        logging.getLogger("py.warnings").warning("a.py:1: CPendingDeprecationWarning: in Celery 6")
        logging.getLogger("py.warnings").warning("a.py:1: UserWarning: look here")
    assert said == []
    assert kept == [
        "Task handler raised error: ValueError('no')",
        f"not of Celery's: {AWAY}",
        "a word: no",
        "a.py:1: UserWarning: look here",
    ]
