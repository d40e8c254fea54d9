"""Waking the workers. The jobs table is the truth: a lost wake-up only costs time."""

import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from app.logs import Outage
from app.publisher import MOST_MESSAGES, SOCKET_SECONDS, Publisher
from app.settings import Settings, solve_queue
from steadygrid.kinds import SOLVES

_KNOWN_SECONDS = 5.0
"""For so long it is not asked again how many messages may wait."""


class Broker(Protocol):
    """How the front end wakes the workers; call it after the commit."""

    def wake(self, requires: int) -> None:
        """Say that a job is queued, to those who can solve it; returns at once, never raises."""

    def nudge(self) -> None:
        """Say that a job is to be cancelled; returns at once and never raises."""

    def depths(self) -> Mapping[str, int] | None:
        """Count the messages that wait, by queue; raises what goes wrong. None: there are none."""

    def close(self) -> None:
        """Send what is still waiting, if that is possible within a second."""


def open_broker(settings: Settings, most: Callable[[], int]) -> Broker:
    """Give the broker that the settings name, or the embedded worker's doorbell.

    Parameters
    ----------
    settings
        `redis_url`.
    most
        See `CeleryBroker`.
    """
    if settings.redis_url is None:
        return Doorbell(settings)
    return CeleryBroker(Publisher(settings.redis_url), most)


class Doorbell:
    """Wakes the embedded workers through named pipes in the data directory.

    Where no worker listens nothing happens: it looks at the table when it comes.
    """

    def __init__(self, settings: Settings) -> None:
        self._paths = settings.wake_paths

    def wake(self, requires: int) -> None:  # noqa: ARG002
        """Wake the workers. They find the job in the table."""
        self.nudge()

    def nudge(self) -> None:
        """Wake the workers."""
        for path in self._paths:
            ring(path)

    def depths(self) -> None:
        """There are no messages, only a ring."""

    def close(self) -> None:
        """Nothing waits."""


def ring(path: Path) -> None:
    """Write one byte into a named pipe if a process listens; never blocks, never raises."""
    with suppress(OSError):
        bell = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(bell, b"!")
        finally:
            os.close(bell)


class Sender(Protocol):
    """What `CeleryBroker` needs of a `Publisher`."""

    def __call__(self, queue: str, most: int) -> bool:
        """Send a message to a queue unless so many wait there, and say which; raise what goes wrong."""

    def depths(self, queues: Iterable[str]) -> Mapping[str, int]:
        """Count the messages that wait in each queue; raise what goes wrong."""


class CeleryBroker:
    """Sends messages from a thread of its own, so that a request never waits.

    While the broker cannot be reached the waiting messages are dropped: the sweeper wakes workers
    for those jobs.

    Parameters
    ----------
    send
        Sends the messages, and counts those that wait.
    most
        How many messages may wait in a queue; called in the thread, now and then.
    """

    def __init__(self, send: Sender, most: Callable[[], int] = lambda: MOST_MESSAGES) -> None:
        self._send = send
        self._ask = most
        self._most = MOST_MESSAGES
        self._asked = -math.inf
        self._posted: set[str] = set()
        """Queues for which a job was posted since the thread has last counted what waits there."""
        self._waiting: dict[str, int] = {}
        """Messages that are to be sent, by queue; in turn."""
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def wake(self, requires: int) -> None:
        """Tell the thread to send a message."""
        queue = solve_queue(requires)
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="steadygrid-broker", daemon=True
                )
                self._thread.start()
            self._waiting[queue] = min(MOST_MESSAGES, self._waiting.get(queue, 0) + 1)
            self._posted.add(queue)
            self._changed.notify()

    def nudge(self) -> None:
        """Nothing to send: workers read the cancel flag themselves."""

    def depths(self) -> Mapping[str, int]:
        """Count the messages that wait in the queues of this version's workers."""
        return self._send.depths(map(solve_queue, range(SOLVES + 1)))

    def close(self) -> None:
        """Give the thread a second to finish."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(SOCKET_SECONDS)

    def _run(self) -> None:
        outage = Outage("broker")
        while queue := self._next():
            try:
                if not self._send(queue, self._enough()):
                    self._drop(queue)
                outage.end()
            except Exception as error:  # noqa: BLE001 the request has been answered already
                with self._changed:
                    self._waiting.clear()
                outage.noticed(str(error) or type(error).__name__)

    def _enough(self) -> int:
        """Say how many messages may wait, as it was a moment ago."""
        if time.monotonic() >= self._asked + _KNOWN_SECONDS:
            self._most, self._asked = self._ask(), time.monotonic()
        return self._most

    def _drop(self, queue: str) -> None:
        """Send no more for jobs that were there when the queue had enough messages."""
        with self._changed:
            self._waiting.pop(queue, None)
            if queue in self._posted:
                self._waiting[queue] = 1

    def _next(self) -> str | None:
        """Wait for a message to send, and give its queue. None: no more are to come."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if not self._waiting:
                return None
            queue = next(iter(self._waiting))
            self._posted.discard(queue)
            if left := self._waiting.pop(queue) - 1:
                self._waiting[queue] = left
            return queue
