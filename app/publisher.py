"""Sending wake-up messages, which the front end and the workers do alike.

A message only says that the table is worth a look, so a few in each queue say all there is to say.
Who is idle takes one at once, and a worker that finds a job wakes the next (`workers.wakes`).
"""

from collections.abc import Iterable

from app.settings import SOLVE_TASK

SOCKET_SECONDS = 1.0
"""What a connection to the broker may take."""
MOST_MESSAGES = 100
"""In one queue, for any number of workers; of those who send at the same moment, each may add one
more."""
_LOOK = "look"
"""The only argument: workers of earlier versions expect one, in which a job's id was written."""


class Publisher:
    """Sends wake-up messages, and gives up soon where the broker cannot be reached."""

    def __init__(self, url: str) -> None:
        from celery import Celery  # takes long to load, and an embedded service has no use for it

        self._celery = Celery("steadygrid", broker=url, set_as_current=False)
        self._celery.conf.update(
            task_serializer="json",
            accept_content=["json"],
            task_ignore_result=True,
            task_publish_retry=False,
            broker_transport_options={
                "socket_timeout": SOCKET_SECONDS,
                "socket_connect_timeout": SOCKET_SECONDS,
                "retry_on_timeout": False,
                "max_retries": 0,
                "connect_retries_timeout": SOCKET_SECONDS,
            },
        )

    def __call__(self, queue: str, most: int = MOST_MESSAGES) -> bool:
        """Send one message unless `most` wait in the queue, and say which; raise within a second."""
        if self.depths([queue])[queue] >= most:
            return False
        self._celery.send_task(
            SOLVE_TASK, args=[_LOOK], queue=queue, ignore_result=True, retry=False
        )
        return True

    def depths(self, queues: Iterable[str]) -> dict[str, int]:
        """Count the messages that wait in each queue, or raise within about a second."""
        with self._celery.producer_or_acquire() as producer:
            return {queue: producer.channel.queue_declare(queue).message_count for queue in queues}
