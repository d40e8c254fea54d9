"""Memory and intervals as the referee sees them, and whether anything keeps to them at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.schedule import Allocation
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.placement import Places
from steadygrid.verification.steady import SteadyInstance

MOST_STEPS = 2_000_000
"""Processors looked at while tasks are packed."""


@dataclass(frozen=True)
class Limits:
    """What an allocation has to keep to besides the resources.

    Attributes
    ----------
    needs
        Memory of each task that needs some.
    room
        Memory of each processor that has a limit.
    order
        The tasks of the chain of which each processor runs an interval. None where any may.
    """

    needs: Mapping[str, Fraction]
    room: Mapping[str, Fraction]
    order: tuple[str, ...] | None = None

    @property
    def within_memory(self) -> bool:
        """Whether memory limits anything."""
        return bool(self.needs and self.room)

    def alone(self, times: Mapping[str, Mapping[str, Fraction]]) -> dict[str, dict[str, Fraction]]:
        """Leave out the processors that have too little memory for a task alone."""
        return {
            task: {
                name: time
                for name, time in by_name.items()
                if name not in self.room or self.needs.get(task, 0) <= self.room[name]
            }
            for task, by_name in times.items()
        }


NO_LIMITS = Limits({}, {})


def read_limits(instance: MonoAllocationInstance) -> Limits:
    """Derive the limits from what was asked."""
    tasks = instance.application.tasks
    needs = {task.id: task.memory for task in tasks if task.memory is not None and task.memory > 0}
    room = {p.id: p.memory for p in instance.platform.processors if p.memory is not None}
    if not instance.contiguous:
        return Limits(needs, room)
    following = {file.source: file.target for file in instance.application.files}
    ends = set(following.values())
    order = [task.id for task in instance.application.tasks if task.id not in ends]
    while order[-1] in following:
        order.append(following[order[-1]])
    return Limits(needs, room, tuple(order))


def check_limits(limits: Limits, allocation: Allocation, findings: Findings) -> None:
    """Check that an allocation keeps to memory and intervals.

    Parameters
    ----------
    limits
        Memory and intervals, as the instance has them.
    allocation
        The one that the answer claims, with its rate.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================================== ===================
    1  on no processor do the tasks that run there need more memory than it has `too_little_memory`
    2  where intervals were asked for, a processor runs tasks that follow each  `not_contiguous`
       other in the chain
    == ======================================================================== ===================

    Each copy of a task needs memory on its processor.
    """
    at = ("result", "mapping")
    for name, room in limits.room.items():
        held = sum(
            (
                limits.needs.get(task, Fraction(0))
                for task, on in allocation.tasks.items()
                if name in on
            ),
            Fraction(0),
        )
        if held > room:
            findings.add(
                at,
                "too_little_memory",
                f"The tasks on {name!r} need memory {show(held)}, and it has {show(room)}.",
            )
    left: dict[str, str] = {}
    before: str | None = None
    for task in limits.order or ():
        for name in allocation.tasks.get(task, ()):
            if name in left and name != before:
                findings.add(
                    (*at, task),
                    "not_contiguous",
                    f"{name!r} runs {left[name]!r} and {task!r}, but not all between them.",
                )
            left[name] = task
            before = name


def packing_exists(
    steady: SteadyInstance,
    limits: Limits,
    places: Places | None,
    most_steps: int = MOST_STEPS,
) -> bool | None:
    """Tell whether every task has a processor so that memory suffices and every file can travel.

    Parameters
    ----------
    places
        Between which files can travel. None if files do not count.

    Returns
    -------
    bool or None
        None where it takes more than `most_steps`.

    Notes
    -----
    In breadth, the tasks that need most first: all that is left of the memory of processors of a
    class, as far as it decides what else fits, and where those tasks are whose neighbours wait.
    """
    needs, times = limits.needs, steady.times
    order = sorted(times, key=lambda task: (-needs.get(task, Fraction(0)), len(times[task]), task))
    everything = sum(needs.values(), Fraction(0))
    classes: dict[tuple[object, ...], list[Fraction]] = {}
    able: dict[str, list[int]] = {task: [] for task in order}
    place_of: list[int] = []
    for name in sorted({name for by_name in times.values() for name in by_name}):
        runs = frozenset(task for task in order if name in times[task])
        place = 0 if places is None else places.place[name]
        key = (place, runs)
        if key not in classes:
            for task in runs:
                able[task].append(len(classes))
            classes[key] = []
            place_of.append(place)
        classes[key].append(min(limits.room.get(name, everything), everything))
    near: dict[str, list[tuple[str, bool]]] = {task: [] for task in order}
    for source, target in steady.sizes if places is not None else ():
        near[source].append((target, True))
        near[target].append((source, False))
    turn = {task: position for position, task in enumerate(order)}
    start = tuple(tuple(sorted(rooms)) for rooms in classes.values())
    layer: set[tuple[tuple[tuple[Fraction, ...], ...], tuple[int, ...]]] = {(start, ())}
    waiting: list[str] = []
    for position, task in enumerate(order):
        need = needs.get(task, Fraction(0))
        rest = sum((needs.get(other, Fraction(0)) for other in order[position + 1 :]), Fraction(0))
        known = {other: i for i, other in enumerate(waiting)}
        kept = [
            other
            for other in (*waiting, task)
            if any(turn[neighbour] > position for neighbour, _ in near[other])
        ]
        following = set()
        for rooms, spots in layer:
            for processor_class in able[task]:
                most_steps -= len(rooms[processor_class])
                if most_steps < 0:
                    return None
                here = place_of[processor_class]
                if places is not None and not all(
                    places.reaches(here, spots[known[other]])
                    if outwards
                    else places.reaches(spots[known[other]], here)
                    for other, outwards in near[task]
                    if other in known
                ):
                    continue
                there = dict(zip((*waiting, task), (*spots, here), strict=True))
                for room in set(rooms[processor_class]):
                    if room < need:
                        continue
                    left = list(rooms[processor_class])
                    left[left.index(room)] = room - need
                    more = (
                        *rooms[:processor_class],
                        tuple(sorted(left)),
                        *rooms[processor_class + 1 :],
                    )
                    if sum(map(sum, more)) >= rest:
                        following.add((more, tuple(there[other] for other in kept)))
        layer, waiting = following, kept
    return bool(layer)
