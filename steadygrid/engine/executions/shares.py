"""Flows that share links, media and bandwidths fairly: under ``multiport``, without dates."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

_KNOWN = 100_000
"""Numbers of flows of which a group remembers the rates."""
_NEVER = float("inf")
_FRESH = 1_000
"""Changes after which loads are added up anew, so that roundings do not."""
_ROUNDED = 1 + 1e-12
"""Two loads are alike up to this factor."""


class Shares:
    """Max-min fair rates of flows. Those over the same resources are alike.

    Parameters
    ----------
    uses
        By class of flows, the part of each resource that one unit of data per time unit takes.

    Notes
    -----
    All rates grow together. Where a resource is full, those that use it stay as they are, and the
    others go on (progressive filling, Bertsekas and Gallager, Data Networks, section 6.5.2). Flows
    of one class have the same rate at all times, so each class keeps the data that one flow has sent
    since the beginning. Classes that share nothing, directly or by others, are in different groups. A
    start or an end costs as much as there are classes in progress in its group, times resources where
    these numbers of flows were not met before.
    """

    def __init__(self, uses: Sequence[Mapping[int, float]]) -> None:
        self._groups: list[_Group] = []
        self._places: list[tuple[int, int]] = [(0, 0)] * len(uses)
        """Of each class, its group and its position there."""
        for number, flow_classes in enumerate(_groups(uses)):
            self._groups.append(_Group([uses[flow_class] for flow_class in flow_classes]))
            for place, flow_class in enumerate(flow_classes):
                self._places[flow_class] = number, place
        self._ends: list[tuple[float, int, int]] = []
        """Date, version and position of groups. Those of versions before are void."""

    def start(self, now: float, flow_class: int, data: float, instance: int, step: int) -> None:
        """Begin a flow.

        Parameters
        ----------
        now
            The date; never less than before.
        flow_class
            Which resources it uses.
        data
            How much it has to send.
        instance, step
            Whose it is.
        """
        number, place = self._places[flow_class]
        self._groups[number].start(now, place, data, instance, step)
        self._note(number)

    def next_end(self) -> float:
        """Give the date at which the next flow ends; infinite if there is none."""
        ends = self._ends
        while ends and self._groups[ends[0][2]].version != ends[0][1]:
            heappop(ends)
        return ends[0][0] if ends else _NEVER

    def end(self, now: float) -> tuple[int, int]:
        """End the flow that is due, and give whose it was.

        Parameters
        ----------
        now
            As `next_end` gave it.
        """
        number = self._ends[0][2]
        ended = self._groups[number].end(now)
        self._note(number)
        return ended

    def unfinished_flows(self, now: float) -> Iterator[tuple[int, int, float]]:
        """Give the flows that have not ended: whose they are, and which part is left to send.

        Parameters
        ----------
        now
            The date; not after `next_end`.
        """
        for group in self._groups:
            yield from group.unfinished_flows(now)

    def _note(self, number: int) -> None:
        group = self._groups[number]
        if group.next_end < _NEVER:
            heappush(self._ends, (group.next_end, group.version, number))


class _Group:
    """Classes that share resources.

    Parameters
    ----------
    uses
        Of each, the part of each resource that one unit of data per time unit takes.

    Notes
    -----
    Where a resource that all classes use is the fullest, all flows have the same rate. Then one number
    says how much each has sent, and a heap which ends next: O(log n) for a start or an end, and a look
    at the loads of all resources.
    """

    def __init__(self, uses: Sequence[Mapping[int, float]]) -> None:
        self.version = 0
        self.next_end = _NEVER
        self._uses = uses
        self._flows: list[list[tuple[float, int, int, float]]] = [[] for _ in uses]
        """What each has to have sent when it ends, whose it is, and what it had when it began."""
        self._sent = [0.0] * len(uses)
        """Of each class, without what all have sent alike."""
        self._alike = 0.0
        """What all flows have sent besides that."""
        self._known: dict[tuple[int, ...], list[tuple[int, float]]] = {}
        self._rates: list[tuple[int, float]] = []
        self._rate = 0.0
        """Of all flows, where it is the same; else 0."""
        self._due = -1
        self._now = 0.0
        positions = {
            name: i for i, name in enumerate(dict.fromkeys(r for one in uses for r in one))
        }
        self._parts = [[(positions[name], part) for name, part in one.items()] for one in uses]
        self._loads = [0.0] * len(positions)
        self._number = 0
        """Of flows."""
        self._common = next(
            (i for name, i in positions.items() if all(name in u for u in uses)), -1
        )
        """A resource that all classes use; -1 if there is none."""
        self._heads: list[tuple[float, int, float]] = []
        """Of each class that sends, `_alike` at the next end, with the class and what ends there."""

    def start(self, now: float, place: int, data: float, instance: int, step: int) -> None:
        """Begin a flow of the class at a position. See `Shares.start`."""
        self._advance(now)
        begun = self._sent[place] + self._alike
        heappush(self._flows[place], (begun + data, instance, step, begun))
        self._load(place, 1)
        self._share(place)

    def end(self, now: float) -> tuple[int, int]:
        """End the flow that is due, and give whose it was. See `Shares.end`."""
        self._advance(now)
        place = self._due
        _, instance, step, _ = heappop(self._flows[place])
        self._load(place, -1)
        self._share(place)
        return instance, step

    def unfinished_flows(self, now: float) -> Iterator[tuple[int, int, float]]:
        """Give the flows that have not ended. See `Shares.unfinished_flows`."""
        self._advance(now)
        for sent, flows in zip(self._sent, self._flows, strict=True):
            for due, instance, step, begun in flows:
                left = (due - sent - self._alike) / (due - begun) if due > begun else 0.0
                yield instance, step, min(1.0, max(0.0, left))

    def _advance(self, now: float) -> None:
        passed = now - self._now
        self._now = now
        if self._rate:
            self._alike += self._rate * passed
            return
        sent = self._sent
        for place, rate in self._rates:
            sent[place] += rate * passed

    def _load(self, place: int, sign: int) -> None:
        self._number += sign
        loads = self._loads
        if not self.version % _FRESH or not self._number:
            loads[:] = [0.0] * len(loads)
            for parts, flows in zip(self._parts, self._flows, strict=True):
                for position, part in parts:
                    loads[position] += len(flows) * part
            return
        for position, part in self._parts[place]:
            loads[position] += sign * part

    def _share(self, changed: int) -> None:
        """Find the rates, and which flow ends next.

        Parameters
        ----------
        changed
            The class of which a flow began or ended.
        """
        self.version += 1
        common = self._common
        if common >= 0:
            load = self._loads[common]
            if self._number and load * _ROUNDED >= max(self._loads):
                self._share_alike(changed, 1.0 / load)
                return
        self._rate = 0.0
        flows, sent = self._flows, self._sent
        counts = tuple(map(len, flows))
        rates = self._known.get(counts)
        if rates is None:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            rates = self._known[counts] = _filled(self._uses, counts)
        self._rates = rates
        soonest, due = _NEVER, -1
        for place, rate in rates:
            left = (flows[place][0][0] - sent[place] - self._alike) / rate
            if left < soonest:
                soonest, due = left, place
        self._due = due
        self.next_end = max(self._now, self._now + soonest)

    def _share_alike(self, changed: int, rate: float) -> None:
        """Give all flows a rate, and find which of them ends next."""
        flows, sent, heads = self._flows, self._sent, self._heads
        if not self._rate:
            heads[:] = [
                (listed[0][0] - sent[place], place, listed[0][0])
                for place, listed in enumerate(flows)
                if listed
            ]
            heapify(heads)
        elif flows[changed]:
            due = flows[changed][0][0]
            heappush(heads, (due - sent[changed], changed, due))
        self._rate = rate
        while not flows[heads[0][1]] or flows[heads[0][1]][0][0] != heads[0][2]:
            heappop(heads)
        end, self._due, _ = heads[0]
        self.next_end = max(self._now, self._now + (end - self._alike) / rate)


def _filled(uses: Sequence[Mapping[int, float]], counts: Sequence[int]) -> list[tuple[int, float]]:
    """Give the rates of so many flows of each class."""
    users: dict[int, dict[int, float]] = {}
    for flow_class, number in enumerate(counts):
        if number:
            for resource, part in uses[flow_class].items():
                users.setdefault(resource, {})[flow_class] = part * number
    left = dict.fromkeys(users, 1.0)
    levels = {resource: 1.0 / sum(parts.values()) for resource, parts in users.items()}
    lowest = [(level, resource) for resource, level in levels.items()]
    heapify(lowest)
    rates: dict[int, float] = {}
    while lowest:
        level, full = heappop(lowest)
        if levels.get(full) != level:
            continue
        touched: dict[int, None] = {}
        for flow_class in list(users[full]):
            rates[flow_class] = level
            for resource in uses[flow_class]:
                left[resource] = max(0.0, left[resource] - level * users[resource].pop(flow_class))
                touched[resource] = None
        for resource in touched:
            if users[resource]:
                level = left[resource] / sum(users[resource].values())
                levels[resource] = level
                heappush(lowest, (level, resource))
            else:
                del levels[resource]
    return sorted(rates.items())


def _groups(uses: Sequence[Mapping[int, float]]) -> list[list[int]]:
    """Put classes together that share a resource, directly or by others."""
    users: dict[int, list[int]] = {}
    for flow_class, used in enumerate(uses):
        for resource in used:
            users.setdefault(resource, []).append(flow_class)
    found: list[list[int]] = []
    seen: set[int] = set()
    for flow_class in range(len(uses)):
        if flow_class in seen:
            continue
        group, waiting = [], [flow_class]
        seen.add(flow_class)
        while waiting:
            one = waiting.pop()
            group.append(one)
            for resource in uses[one]:
                for other in users.pop(resource, ()):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
        found.append(sorted(group))
    return found
