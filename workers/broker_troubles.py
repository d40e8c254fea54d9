"""What becomes of a worker while its broker is away, and what its log says then.

Celery writes a line for each try to reach the broker, and a traceback for each message that it cannot
acknowledge. Here they all are one `app.logs.Outage`: a line when it begins, and one when it is over.
"""

import logging
from typing import Any

from celery import Celery, bootsteps
from celery.exceptions import CPendingDeprecationWarning
from kombu.transport import redis as transport
from kombu.transport import virtual
from redis.exceptions import RedisError

from app.logs import Outage

_TROUBLES = (RedisError, OSError)
_SPEAKERS = ("celery", "kombu")
_BROKER = Outage("broker", settled=0.0)


class ForgivingQoS(transport.QoS):
    """Counts a message as done although the broker cannot be told so.

    Else a worker that was busy when the broker went away would wait for ever. With as many messages
    as it has processes it takes no more, and does not even notice that the connection is lost. The
    broker hands such a message out once more when it has waited for long. A worker that gets it looks
    into the table, which is all that a message asks for.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message as far as that is possible."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]
        except _TROUBLES as error:
            _BROKER.noticed(_reason(error))
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]


class _Connected(bootsteps.StartStopStep):  # type: ignore[misc]
    """Notices each time that the broker is reached."""

    requires = ("celery.worker.consumer.connection:Connection",)

    def start(self, _consumer: Any) -> None:
        _BROKER.end()


def endure(app: Celery) -> None:
    """Let the workers of an application outlive their broker."""
    transport.Channel.QoS = ForgivingQoS
    app.steps["consumer"].add(_Connected)


def keep_to_one_line() -> None:
    """Say of the broker's troubles that they begin and end, in this process. See `app.logs`."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(_filter_broker_lines)


def _filter_broker_lines(record: logging.LogRecord) -> bool:
    """Drop a line of Celery's that is about the broker, and count it instead."""
    if record.name == "py.warnings":
        # At each lost connection Celery announces a setting of a version to come.
        return CPendingDeprecationWarning.__name__ not in record.getMessage()
    if not record.name.startswith(_SPEAKERS):
        return True
    told = record.args if isinstance(record.args, tuple) else ()
    raised = record.exc_info[1] if record.exc_info else None
    trouble = next((one for one in (raised, *told) if isinstance(one, _TROUBLES)), None)
    if trouble is None:
        return True
    _BROKER.noticed(_reason(trouble))
    return False


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
