"""Who may start when several operations want the same resource, without dates."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence

Waiting = tuple[int, int, int]
"""A number that grows with each arrival, an instance and a step."""


class Ports(ABC):
    """Resources that serve some operations at a time.

    Parameters
    ----------
    capacities
        By resource, how many it serves.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        self.free = list(capacities)

    @abstractmethod
    def arrive(self, one: Waiting, resources: tuple[int, ...]) -> Iterator[Waiting]:
        """Let an operation ask for resources; give what may start.

        Parameters
        ----------
        one
            The operation.
        resources
            That it needs, all at once.
        """

    @abstractmethod
    def release(self, resources: tuple[int, ...]) -> Iterator[Waiting]:
        """Take resources back; give what may start.

        Parameters
        ----------
        resources
            Of an operation that has ended.
        """

    def _take(self, resources: tuple[int, ...]) -> None:
        for resource in resources:
            self.free[resource] -= 1

    def _is_free(self, resources: tuple[int, ...]) -> bool:
        return all(self.free[resource] > 0 for resource in resources)


class FirstComes(Ports):
    """Every resource serves in the order of arrivals; an operation waits until it is first in all.

    The earliest arrival of all is first in each of its queues, so something always goes on.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        super().__init__(capacities)
        self._queues: list[deque[tuple[Waiting, tuple[int, ...]]]] = [deque() for _ in capacities]

    def arrive(self, one: Waiting, resources: tuple[int, ...]) -> Iterator[Waiting]:
        """As `Ports.arrive`."""
        for resource in resources:
            self._queues[resource].append((one, resources))
        yield from self._first(resources)

    def release(self, resources: tuple[int, ...]) -> Iterator[Waiting]:
        """As `Ports.release`."""
        for resource in resources:
            self.free[resource] += 1
        yield from self._first(resources)

    def _first(self, resources: tuple[int, ...]) -> Iterator[Waiting]:
        looked = deque(resources)
        while looked:
            queue = self._queues[looked.popleft()]
            if not queue:
                continue
            one, needed = queue[0]
            if self._is_free(needed) and all(self._queues[r][0][0] is one for r in needed):
                for resource in needed:
                    self._queues[resource].popleft()
                self._take(needed)
                looked.extend(needed)
                yield one


class Overtaking(Ports):
    """What finds all its resources free starts, even before earlier arrivals that wait for others.

    Operations that need the same resources are alike and wait in one line.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        super().__init__(capacities)
        self._lines: dict[tuple[int, ...], deque[Waiting]] = {}
        self._at: list[list[tuple[int, ...]]] = [[] for _ in capacities]

    def arrive(self, one: Waiting, resources: tuple[int, ...]) -> Iterator[Waiting]:
        """As `Ports.arrive`."""
        line = self._lines.get(resources)
        if line is None:
            line = self._lines[resources] = deque()
            for resource in resources:
                self._at[resource].append(resources)
        line.append(one)
        if self._is_free(resources):
            self._take(resources)
            yield line.popleft()

    def release(self, resources: tuple[int, ...]) -> Iterator[Waiting]:
        """As `Ports.release`."""
        for resource in resources:
            self.free[resource] += 1
        for resource in resources:
            while self.free[resource] > 0:
                able = [
                    needed
                    for needed in self._at[resource]
                    if self._lines[needed] and self._is_free(needed)
                ]
                if not able:
                    break
                needed = min(able, key=lambda lane: self._lines[lane][0])
                self._take(needed)
                yield self._lines[needed].popleft()
