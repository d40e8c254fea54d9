"""Sending wake-up messages, which the front end and the workers do alike."""

from app.settings import SOLVE_TASK

SOCKET_SECONDS = 1.0
"""What a connection to the broker may take."""


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

    def __call__(self, job_id: str, queue: str) -> None:
        """Send one message, or raise within about a second."""
        self._celery.send_task(
            SOLVE_TASK, args=[job_id], queue=queue, ignore_result=True, retry=False
        )
