"""Who may start when several operations want the same resource, without dates."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence

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
    def arrive(self, one: Waiting, resources: tuple[int, ...]) -> Sequence[Waiting]:
        """Let an operation ask for resources; give what may start.

        Parameters
        ----------
        one
            The operation.
        resources
            That it needs, all at once.
        """

    @abstractmethod
    def release(self, resources: tuple[int, ...]) -> Sequence[Waiting]:
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
        free = self.free
        for resource in resources:  # noqa: SIM110 - a generator takes several times as long
            if free[resource] <= 0:
                return False
        return True


class FirstComes(Ports):
    """Every resource serves in the order of arrivals. An operation waits until it is first in all.

    The earliest arrival of all is first in each of its queues, so something always goes on.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        super().__init__(capacities)
        self._queues: list[deque[tuple[Waiting, tuple[int, ...]]]] = [deque() for _ in capacities]

    def arrive(self, one: Waiting, resources: tuple[int, ...]) -> Sequence[Waiting]:
        """As `Ports.arrive`."""
        queues = self._queues
        first = True
        for resource in resources:
            queue = queues[resource]
            first = first and not queue
            queue.append((one, resources))
        if not first or not self._is_free(resources):
            return ()
        for resource in resources:
            queues[resource].popleft()
        self._take(resources)
        return (one,)

    def release(self, resources: tuple[int, ...]) -> Sequence[Waiting]:
        """As `Ports.release`."""
        free, queues = self.free, self._queues
        for resource in resources:
            free[resource] += 1
        found: list[Waiting] = []
        looked = list(resources)
        for resource in looked:
            if not queues[resource]:
                continue
            one, needed = queues[resource][0]
            if not self._is_free(needed):
                continue
            for other in needed:
                if queues[other][0][0] is not one:
                    break
            else:
                for other in needed:
                    queues[other].popleft()
                self._take(needed)
                looked += needed
                found.append(one)
        return found


class Overtaking(Ports):
    """What finds all its resources free starts, even before earlier arrivals that wait for others.

    Operations that need the same resources are alike and wait in one line. Of those that may start
    the earliest arrival does, whichever of the resources it has waited for.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        super().__init__(capacities)
        self._lines: dict[tuple[int, ...], deque[Waiting]] = {}
        self._near: dict[tuple[int, ...], list[_Line]] = {}
        """By what is given back: the lines that wait for any of it."""

    def arrive(self, one: Waiting, resources: tuple[int, ...]) -> Sequence[Waiting]:
        """As `Ports.arrive`."""
        line = self._lines.get(resources)
        if line is None:
            line = self._lines[resources] = deque()
            self._near.clear()
        line.append(one)
        if not self._is_free(resources):
            return ()
        self._take(resources)
        return (line.popleft(),)

    def release(self, resources: tuple[int, ...]) -> Sequence[Waiting]:
        """As `Ports.release`."""
        for resource in resources:
            self.free[resource] += 1
        lines = self._near.get(resources)
        if lines is None:
            lines = self._near[resources] = [
                (needed, line)
                for needed, line in self._lines.items()
                if not set(needed).isdisjoint(resources)
            ]
        found: list[Waiting] = []
        # What cannot start now cannot start after others have taken more.
        while lines := [one for one in lines if one[1] and self._is_free(one[0])]:
            needed, line = min(lines, key=_first_of)
            self._take(needed)
            found.append(line.popleft())
        return found


_Line = tuple[tuple[int, ...], deque[Waiting]]
"""Resources, and the operations that wait for all of them."""


def _first_of(line: _Line) -> Waiting:
    return line[1][0]
