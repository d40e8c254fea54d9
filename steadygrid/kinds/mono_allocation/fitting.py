"""Whether tasks fit into memory, without regard to time: found, or shown to be impossible.

Which tasks may share a processor is bin packing, and NP-complete; with a chain in intervals it is
not, as long as there are few types of processors. Both searches end after a number of steps.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from steadygrid.kinds.mono_allocation.schemas import (
    REFERENCES,
    WITHIN_MEMORY,
    MonoAllocationInstance,
)
from steadygrid.kinds.shared.collection import places_of

MOST_STEPS = 300_000
"""Processors looked at, over one search."""

Limit = Fraction | None


class UndecidedError(Exception):
    """Whether tasks fit takes more steps to find out than is sensible."""


@dataclass(frozen=True)
class Fitting:
    """What has to fit where.

    Attributes
    ----------
    needs
        Memory of each task, or of tasks that stay together.
    limits
        Of each processor. None for no limit.
    able
        For each task, the processors that may run it.
    files
        Producers and users. The file needs a route between their processors.
    reaches
        Whether files can get from one processor to another.
    places
        Of each processor. All that can send to each other are of one place.
    intervals
        The tasks are a chain, in this order, of which each processor runs an interval.
    """

    needs: Sequence[Fraction]
    limits: Sequence[Limit]
    able: Sequence[Collection[int]]
    files: Sequence[tuple[int, int]]
    places: Sequence[int]
    reaches: Callable[[int, int], bool]
    intervals: bool = False

    def mapping(
        self, check: Callable[[], None] = lambda: None, most_steps: int = MOST_STEPS
    ) -> list[int] | None:
        """Give the position of a processor for each task. None where there is no such mapping.

        Parameters
        ----------
        check
            Called between the steps; may raise, which ends the work.
        most_steps
            After so many steps the search gives up.

        Raises
        ------
        UndecidedError
            After `most_steps`.
        """
        search = _Intervals if self.intervals else _Packing
        return search(self, check, most_steps).run()


def fitting_of(instance: MonoAllocationInstance) -> Fitting:
    """State what has to fit where, if each task runs once."""
    places = places_of(instance)
    names = [processor.id for processor in instance.platform.processors]
    place = [places.place[name] for name in names]
    order = chain_of(instance) if instance.contiguous else None
    found = Fitting(
        instance.needs,
        instance.memory,
        [[i for i, time in enumerate(row) if time is not None] for row in instance.times],
        [(source, target) for source, target, _ in instance.files],
        place,
        lambda one, other: places.reaches(place[one], place[other]),
    )
    return found if order is None else in_order(found, order)


def in_order(fitting: Fitting, order: Sequence[int]) -> Fitting:
    """State it for a chain of tasks in intervals.

    Parameters
    ----------
    fitting
        Of all tasks, in the order of the application.
    order
        The tasks by position, as they follow each other in the chain.
    """
    return replace(
        fitting,
        needs=[fitting.needs[k] for k in order],
        able=[fitting.able[k] for k in order],
        files=list(pairwise(range(len(order)))),
        intervals=True,
    )


def some_mapping(
    instance: MonoAllocationInstance, check: Callable[[], None] = lambda: None
) -> list[int] | None:
    """Give a mapping within memory, and in intervals if asked for. None if there is none.

    Parameters
    ----------
    instance
        Without faults.
    check
        May raise, which ends the work.

    Returns
    -------
    list of int or None
        Position of the processor of each task.

    Raises
    ------
    UndecidedError
        If that takes too many steps to find out.
    """
    found = fitting_of(instance).mapping(check)
    if found is None or not instance.contiguous:
        return found
    place = dict(zip(chain_of(instance) or (), found, strict=True))
    return [place[k] for k in range(len(found))]


def chain_of(instance: MonoAllocationInstance) -> list[int] | None:
    """Give the tasks in the order of a chain. None if they are none."""
    number = len(instance.application.tasks)
    onward = {source: target for source, target, _ in instance.files}
    used = {target for _, target, _ in instance.files}
    if not len(onward) == len(used) == len(instance.files) == number - 1:
        return None
    order = [next(k for k in range(number) if k not in used)]
    while order[-1] in onward and len(order) <= number:
        order.append(onward[order[-1]])
    return order if len(order) == number else None


def limits_unknown_to(instance: MonoAllocationInstance, method: str) -> str | None:
    """Say what a reference does not know of the limits of an instance. None if it can be run.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    method
        Any of this kind. Those that are no reference know all limits.
    """
    if method not in REFERENCES:
        return None
    if instance.contiguous:
        return "places every instance anew and knows nothing of contiguous"
    if instance.within_memory and method not in WITHIN_MEMORY:
        return "places every instance anew and knows nothing of memory"
    return None


class _Packing:
    """Depth first: tasks that need most first, each where least is left, as long as all may fit.

    What is left on processors that run the same tasks, in one place, decides what else fits, and
    where the neighbours are of tasks still to come: what failed once is not tried again. Memory is
    counted in whole multiples of one unit.
    """

    def __init__(self, fitting: Fitting, check: Callable[[], None], most_steps: int) -> None:
        self._fitting = fitting
        self._check = check
        self._left = most_steps
        given = [*fitting.needs, *(limit for limit in fitting.limits if limit is not None)]
        unit = lcm(*(memory.denominator for memory in given))
        needs = self._needs = [int(need * unit) for need in fitting.needs]
        self._order = sorted(range(len(needs)), key=lambda k: (-needs[k], len(fitting.able[k])))
        runs: list[list[int]] = [[] for _ in fitting.limits]
        for k, able in enumerate(fitting.able):
            for i in able:
                runs[i].append(k)
        kinds: dict[tuple[int, tuple[int, ...]], int] = {}
        self._kind = [
            kinds.setdefault((place, tuple(tasks)), len(kinds))
            for place, tasks in zip(fitting.places, runs, strict=True)
        ]
        self._working = [i for i, tasks in enumerate(runs) if tasks]
        self._near: list[list[tuple[int, bool]]] = [[] for _ in fitting.needs]
        for source, target in fitting.files:
            self._near[source].append((target, True))
            self._near[target].append((source, False))
        self._apart = len({fitting.places[i] for i in self._working}) > 1
        rank = {k: position for position, k in enumerate(self._order)}
        self._last = [max((rank[m] for m, _ in near), default=-1) for near in self._near]
        self._rest = [0] * (len(self._order) + 1)
        for position in reversed(range(len(self._order))):
            self._rest[position] = self._rest[position + 1] + needs[self._order[position]]
        self._room = [None if limit is None else int(limit * unit) for limit in fitting.limits]
        self._place: dict[int, int] = {}
        self._failed: set[tuple[object, ...]] = set()

    def run(self) -> list[int] | None:
        order = self._order
        states: list[tuple[object, ...]] = []
        levels: list[Iterator[int]] = []
        self._open(states, levels)
        while levels:
            position = len(levels) - 1
            task = order[position]
            if task in self._place:
                self._change_room(task, self._place.pop(task), -1)
            here = next(levels[-1], None)
            if here is None:
                levels.pop()
                self._failed.add(states.pop())
                continue
            self._change_room(task, here, 1)
            self._place[task] = here
            if len(levels) == len(order):
                return [self._place[k] for k in range(len(order))]
            self._open(states, levels)
        return None

    def _change_room(self, task: int, here: int, sign: int) -> None:
        room = self._room[here]
        if room is not None:
            self._room[here] = room - sign * self._needs[task]

    def _open(self, states: list[tuple[object, ...]], levels: list[Iterator[int]]) -> None:
        """Begin to place the next task."""
        self._check()
        self._left -= len(self._working)
        if self._left < 0:
            raise UndecidedError
        position = len(levels)
        state = self._state(position)
        states.append(state)
        hopeless = state in self._failed or not self._may_fit(position)
        levels.append(iter(() if hopeless else self._candidates(self._order[position])))

    def _state(self, position: int) -> tuple[object, ...]:
        left = sorted((self._kind[i], _sortable(self._room[i])) for i in self._working)
        waiting = (
            tuple(
                (k, self._fitting.places[self._place[k]])
                for k in self._order[:position]
                if self._last[k] >= position
            )
            if self._apart
            else ()
        )
        return position, tuple(left), waiting

    def _may_fit(self, position: int) -> bool:
        room = 0
        for i in self._working:
            here = self._room[i]
            if here is None:
                return True
            room += here
        return self._rest[position] <= room

    def _candidates(self, task: int) -> list[int]:
        found: dict[tuple[int, int | None], int] = {}
        for i in self._fitting.able[task]:
            room = self._room[i]
            if (room is None or self._needs[task] <= room) and self._linked(task, i):
                found.setdefault((self._kind[i], room), i)
        return sorted(found.values(), key=lambda i: (_sortable(self._room[i]), i))

    def _linked(self, task: int, here: int) -> bool:
        if not self._apart:
            return True
        reaches = self._fitting.reaches
        return all(
            reaches(here, there) if outwards else reaches(there, here)
            for other, outwards in self._near[task]
            if (there := self._place.get(other)) is not None
        )


def _sortable(room: int | None) -> tuple[bool, int]:
    return (True, 0) if room is None else (False, room)


class _Reached(NamedTuple):
    """How far a chain gets on some processors."""

    tasks: int
    trail: tuple[tuple[int, int], ...]
    """Processors, each with the task after its interval."""


class _Intervals:
    """Intervals as long as can be, on one more processor after the other.

    To get further with the same processors, and from the same place, never hurts: what follows may
    begin later, and leave out who has nothing left to do.
    """

    def __init__(self, fitting: Fitting, check: Callable[[], None], most_steps: int) -> None:
        self._fitting = fitting
        self._check = check
        self._left = most_steps
        kinds: dict[tuple[object, ...], list[int]] = {}
        for i, (limit, place) in enumerate(zip(fitting.limits, fitting.places, strict=True)):
            runs = tuple(k for k, able in enumerate(fitting.able) if i in able)
            if runs:
                kinds.setdefault((limit, place, runs), []).append(i)
        self._kinds = list(kinds.values())

    def run(self) -> list[int] | None:
        number = len(self._fitting.needs)
        layer = {((0,) * len(self._kinds), -1): _Reached(0, ())}
        while layer:
            following: dict[tuple[tuple[int, ...], int], _Reached] = {}
            for (used, _), reached in layer.items():
                for kind, members in enumerate(self._kinds):
                    self._check()
                    self._pay()
                    if used[kind] == len(members):
                        continue
                    here = members[used[kind]]
                    before = reached.trail[-1][0] if reached.trail else here
                    if not self._fitting.reaches(before, here):
                        continue
                    end = self._end(reached.tasks, here)
                    if end == reached.tasks:
                        continue
                    trail = (*reached.trail, (here, end))
                    if end == number:
                        return _spread(trail)
                    more = (*used[:kind], used[kind] + 1, *used[kind + 1 :])
                    key = more, self._fitting.places[here]
                    if key not in following or following[key].tasks < end:
                        following[key] = _Reached(end, trail)
            layer = following
        return None

    def _end(self, start: int, here: int) -> int:
        """Give the task after the longest interval that a processor can run from one on."""
        fitting, end = self._fitting, start
        room = fitting.limits[here]
        while end < len(fitting.needs) and here in fitting.able[end]:
            self._pay()
            if room is not None:
                room -= fitting.needs[end]
                if room < 0:
                    break
            end += 1
        return end

    def _pay(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise UndecidedError


def _spread(trail: Sequence[tuple[int, int]]) -> list[int]:
    mapping: list[int] = []
    for here, end in trail:
        mapping += [here] * (end - len(mapping))
    return mapping
