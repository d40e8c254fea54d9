"""Flows that share links, media and bandwidths fairly: under ``multiport``, without dates."""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush


class Shares:
    """Max-min fair rates of flows; those over the same resources are alike.

    Parameters
    ----------
    uses
        By sort of flows, the part of each resource that one unit of data per time unit takes.

    Notes
    -----
    All rates grow together; where a resource is full, those that use it stay as they are, and the
    others go on (progressive filling, Bertsekas and Gallager, Data Networks, section 6.5.2). Flows
    of one sort have the same rate at all times, so each sort keeps the data that one flow has sent
    since the beginning: O(sorts times resources) for each start and end.
    """

    def __init__(self, uses: Sequence[Mapping[int, float]]) -> None:
        self._uses = uses
        self._active: dict[int, list[tuple[float, int, int]]] = {}
        self._sent = [0.0] * len(uses)
        self._rates: dict[int, float] = {}
        self._now = 0.0

    def start(self, now: float, sort: int, data: float, instance: int, step: int) -> None:
        """Begin a flow.

        Parameters
        ----------
        now
            The date; never less than before.
        sort
            Which resources it uses.
        data
            How much it has to send.
        instance, step
            Whose it is.
        """
        self._advance(now)
        flows = self._active.setdefault(sort, [])
        heappush(flows, (self._sent[sort] + data, instance, step))
        self._fill()

    def next_end(self) -> float:
        """Give the date at which the next flow ends; infinite where there is none."""
        ends = (
            self._now + (flows[0][0] - self._sent[sort]) / self._rates[sort]
            for sort, flows in self._active.items()
        )
        return max(self._now, min(ends, default=float("inf")))

    def end(self, now: float) -> tuple[int, int]:
        """End the flow that is due, and give whose it was.

        Parameters
        ----------
        now
            As `next_end` gave it.
        """
        self._advance(now)
        sort = min(
            self._active,
            key=lambda one: (self._active[one][0][0] - self._sent[one]) / self._rates[one],
        )
        _, instance, step = heappop(self._active[sort])
        if not self._active[sort]:
            del self._active[sort]
        self._fill()
        return instance, step

    def _advance(self, now: float) -> None:
        for sort, rate in self._rates.items():
            self._sent[sort] += rate * (now - self._now)
        self._now = now

    def _fill(self) -> None:
        rates: dict[int, float] = {}
        left: dict[int, float] = {}
        users: dict[int, dict[int, float]] = {}
        for sort, flows in self._active.items():
            for resource, part in self._uses[sort].items():
                left[resource] = 1.0
                users.setdefault(resource, {})[sort] = part * len(flows)
        while users:
            level, full = min(
                (left[resource] / sum(parts.values()), resource)
                for resource, parts in users.items()
            )
            for sort in list(users[full]):
                rates[sort] = level
                for resource in self._uses[sort]:
                    parts = users.get(resource)
                    if parts is None or sort not in parts:
                        continue
                    left[resource] = max(0.0, left[resource] - level * parts.pop(sort))
                    if not parts:
                        del users[resource]
        self._rates = rates
