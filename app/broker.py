"""Waking the workers. The jobs table is the truth: a lost wake-up only costs time."""

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from app.logs import Outage
from app.publisher import SOCKET_SECONDS, Publisher
from app.settings import Settings, solve_queue

_MOST_WAITING = 100_000


class Broker(Protocol):
    """How the front end wakes the workers; call it after the commit."""

    def publish(self, job_id: str, requires: int) -> None:
        """Say that a job is queued, to those who can solve it; returns at once, never raises."""

    def nudge(self) -> None:
        """Say that a job is to be cancelled; returns at once and never raises."""

    def close(self) -> None:
        """Send what is still waiting, if that is possible within a second."""


def open_broker(settings: Settings) -> Broker:
    """Give the broker that the settings name, or the embedded worker's doorbell."""
    if settings.redis_url is None:
        return Doorbell(settings)
    return CeleryBroker(Publisher(settings.redis_url))


class Doorbell:
    """Wakes the embedded workers through named pipes in the data directory.

    Where no worker listens nothing happens: it looks at the table when it comes.
    """

    def __init__(self, settings: Settings) -> None:
        self._paths = settings.wake_paths

    def publish(self, job_id: str, requires: int) -> None:  # noqa: ARG002
        """Wake the workers; they find the job in the table."""
        self.nudge()

    def nudge(self) -> None:
        """Wake the workers."""
        for path in self._paths:
            ring(path)

    def close(self) -> None:
        """Nothing waits."""


def ring(path: Path) -> None:
    """Write one byte into a named pipe if somebody listens; never blocks, never raises."""
    with suppress(OSError):
        bell = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(bell, b"!")
        finally:
            os.close(bell)


class CeleryBroker:
    """Sends messages from a thread of its own, so that a request never waits.

    While the broker cannot be reached the waiting messages are dropped: the sweeper
    publishes those jobs again.

    Parameters
    ----------
    send
        Is told a job's id and the queue; raises what goes wrong.
    """

    def __init__(self, send: Callable[[str, str], None]) -> None:
        self._send = send
        self._waiting: deque[tuple[str, str]] = deque(maxlen=_MOST_WAITING)
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def publish(self, job_id: str, requires: int) -> None:
        """Hand a job's id to the publishing thread."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="steadygrid-broker", daemon=True
                )
                self._thread.start()
            self._waiting.append((job_id, solve_queue(requires)))
            self._changed.notify()

    def nudge(self) -> None:
        """Nothing to send: workers read the cancel flag themselves."""

    def close(self) -> None:
        """Give the thread a second to finish."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(SOCKET_SECONDS)

    def _run(self) -> None:
        outage = Outage("broker")
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if not self._waiting:
                    return
                job_id, queue = self._waiting.popleft()
            try:
                self._send(job_id, queue)
                outage.over()
            except Exception as error:  # noqa: BLE001 the request has been answered already
                with self._changed:
                    self._waiting.clear()
                outage.noticed(str(error) or type(error).__name__)
