"""What becomes of a stream of tasks, replayed by the referee event by event."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

Times = Callable[[int, int], tuple[int, int]]
"""Steps that a class takes to be sent to a worker, and to be computed there."""


class Happened(NamedTuple):
    """What became of one task; dates in steps."""

    worker: int
    sent: int
    arrived: int
    begun: int
    done: int


@dataclass(frozen=True)
class Site:
    """Who deals out and who computes.

    Attributes
    ----------
    workers
        How many.
    master
        The worker that is the master and needs no message. None if it does not compute.
    one_port
        Whether the master sends one message at a time; else a worker receives one at a time.
    """

    workers: int
    master: int | None
    one_port: bool
    times: Times


def replay_known(site: Site, tasks: Sequence[int], destinations: Iterable[int]) -> list[Happened]:
    """Send each task, in the order of the stream, to a worker that is fixed beforehand.

    Parameters
    ----------
    site
        What sending and computing take, in steps.
    tasks
        The stream: of each task, the position of its kind.
    destinations
        Worker of each task, by position.

    Returns
    -------
    list of Happened
        By task; dates in steps.
    """
    port = 0
    received, computed = [0] * site.workers, [0] * site.workers
    happened = []
    for task, worker in zip(tasks, destinations, strict=False):
        sending, computing = site.times(task, worker)
        if worker == site.master:
            sent = arrived = 0
        elif site.one_port:
            sent, arrived = port, port + sending
            port = arrived
        else:
            sent, arrived = received[worker], received[worker] + sending
            received[worker] = arrived
        begun = max(computed[worker], arrived)
        computed[worker] = begun + computing
        happened.append(Happened(worker, sent, arrived, begun, begun + computing))
    return happened


@dataclass
class _Worker:
    """What is going on at a worker."""

    waiting: deque[int] = field(default_factory=deque)
    is_computing: bool = False
    is_served: bool = False
    """Has asked and not yet received."""
    is_listed: bool = False
    """Among those about to ask."""


class OnDemand:
    """A clock that runs from event to event while workers ask for tasks."""

    def __init__(self, site: Site, tasks: Sequence[int], buffer: int) -> None:
        self._site = site
        self._tasks = tasks
        self._buffer = buffer
        self._workers = [_Worker() for _ in range(site.workers)]
        self._events: list[tuple[int, int, int, bool]] = []
        self._now = 0
        self._asking: list[int] = []
        self._queue: deque[int] = deque()
        self._port_is_busy = False
        self._served = 0
        self._destination = [0] * len(tasks)
        self._sent = [0] * len(tasks)
        self._arrived = [0] * len(tasks)
        self._begun = [0] * len(tasks)

    def replay(self) -> list[Happened]:
        """Let all tasks be computed."""
        for worker in range(self._site.workers):
            self._look(worker)
        while True:
            if self._events and self._events[0][0] == self._now:
                self._happen()
            elif self._asking and self._served < len(self._tasks):
                self._answer(heappop(self._asking))
            elif self._events:
                self._now = self._events[0][0]
            else:
                break
        return [
            Happened(worker, sent, arrived, begun, begun + self._site.times(task, worker)[1])
            for task, worker, sent, arrived, begun in zip(
                self._tasks,
                self._destination,
                self._sent,
                self._arrived,
                self._begun,
                strict=True,
            )
        ]

    def _look(self, worker: int) -> None:
        """Let a worker ask if it may."""
        state = self._workers[worker]
        if not state.is_served and not state.is_listed and len(state.waiting) < self._buffer:
            state.is_listed = True
            heappush(self._asking, worker)

    def _answer(self, worker: int) -> None:
        """Promise the next task to who asks. It is sent when the port is free."""
        state, number = self._workers[worker], self._served
        state.is_listed, state.is_served = False, True
        self._served += 1
        self._destination[number] = worker
        if not self._site.one_port or worker == self._site.master:
            self._send(number)
        else:
            self._queue.append(number)
            self._send_next()

    def _send_next(self) -> None:
        if self._queue and not self._port_is_busy:
            self._port_is_busy = True
            self._send(self._queue.popleft())

    def _send(self, number: int) -> None:
        worker = self._destination[number]
        sending = 0
        if worker != self._site.master:
            sending = self._site.times(self._tasks[number], worker)[0]
        self._sent[number] = self._now
        heappush(self._events, (self._now + sending, number, worker, True))

    def _begin(self, number: int, worker: int) -> None:
        self._begun[number] = self._now
        self._workers[worker].is_computing = True
        computing = self._site.times(self._tasks[number], worker)[1]
        heappush(self._events, (self._now + computing, number, worker, False))

    def _happen(self) -> None:
        """Let a message arrive, or a computation end."""
        _, number, worker, is_arrival = heappop(self._events)
        state = self._workers[worker]
        if is_arrival:
            self._arrived[number] = self._now
            state.is_served = False
            if worker != self._site.master:
                self._port_is_busy = False
                self._send_next()
            state.waiting.append(number)
        else:
            state.is_computing = False
        if state.waiting and not state.is_computing:
            self._begin(state.waiting.popleft(), worker)
        self._look(worker)
