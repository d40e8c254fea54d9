"""Collections of identical task graphs on a platform: what the kinds that run them share."""

from collections.abc import Hashable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import Field

from steadygrid.domain.application import Application, Task, application_faults
from steadygrid.domain.cards import cards_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.platform import (
    Platform,
    PortModel,
    Processor,
    arc_uses,
    computing_resource,
    media_faults,
    no_processor,
    platform_faults,
)
from steadygrid.domain.slots import FileName
from steadygrid.domain.text import Frozen
from steadygrid.kinds.shared.elimination import eliminate
from steadygrid.kinds.shared.scale import odd_units
from steadygrid.verification.placement import Places, placement_exists


class Indexed:
    """Tasks and files of an instance's `application` by position and by name."""

    if TYPE_CHECKING:
        application: Any

    @cached_property
    def task_index(self) -> dict[str, int]:
        """Position of each task in the application."""
        return {task.id: i for i, task in enumerate(self.application.tasks)}

    @cached_property
    def files(self) -> tuple[tuple[int, int, Fraction], ...]:
        """Source and target by their positions, and the size, of each file in order."""
        tasks = self.task_index
        return tuple((tasks[f.source], tasks[f.target], f.size) for f in self.application.files)

    @cached_property
    def file_sizes(self) -> dict[FileName, Fraction]:
        """Size of each file by its name."""
        return {(file.source, file.target): file.size for file in self.application.files}


class CollectionInstance(Frozen, Indexed):
    """One task graph, run for one data set after the other, and the platform that runs it."""

    kind: str
    platform: Platform = Field(description="processors and the links among them")
    application: Application = Field(description="tasks and files of one instance")
    ports: PortModel

    @cached_property
    def times(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """Time of each task on each processor, None where it cannot run; in the given order."""
        able = working(self.platform)
        firsts = {i: self.platform.processors[i] for i in set(self.sorts)}
        found: list[tuple[Fraction | None, ...]] = []
        for task in self.application.tasks:
            here = able_processors(task, able)
            of_sort = {
                i: _time_if_allowed(task, processor) if processor.id in here else None
                for i, processor in firsts.items()
            }
            found.append(tuple(of_sort[i] for i in self.sorts))
        return tuple(found)

    @cached_property
    def sorts(self) -> tuple[int, ...]:
        """For each processor, the first one on which every task takes the same time."""
        first: dict[Hashable, int] = {}
        return tuple(first.setdefault(given, i) for i, given in enumerate(self.times_given))

    @cached_property
    def sort_members(self) -> dict[int, tuple[int, ...]]:
        """The processors of each of the `sorts`, by the first."""
        members: dict[int, list[int]] = {}
        for i, first in enumerate(self.sorts):
            members.setdefault(first, []).append(i)
        return {first: tuple(listed) for first, listed in members.items()}

    @cached_property
    def times_given(self) -> list[Hashable]:
        """For each processor, in the length of what was given, which task takes how long.

        What is equal on two processors says that they run the same tasks in the same times.
        """
        index = self.platform.index_by_id
        special: list[list[Hashable]] = [[] for _ in index]
        works = False
        for k, task in enumerate(self.application.tasks):
            given = task.times or {}
            works = works or task.times is None
            if task.times is not None or task.allowed is not None:
                for name in able_processors(task, index.keys()) & index.keys():
                    special[index[name]].append((k, given.get(name)))
        return [
            (processor.time_per_work if works else None, tuple(told))
            for processor, told in zip(self.platform.processors, special, strict=True)
        ]


def time_on(task: Task, processor: Processor) -> Fraction | None:
    """Give the time of one execution of a task on a processor. None where it cannot run.

    Parameters
    ----------
    task
        Of an application without faults.
    processor
        Of its platform.

    Returns
    -------
    Fraction or None
        In time units of the platform.
    """
    if processor.switch or (task.allowed is not None and processor.id not in task.allowed):
        return None
    return _time_if_allowed(task, processor)


def _time_if_allowed(task: Task, processor: Processor) -> Fraction | None:
    if task.times is not None:
        return task.times.get(processor.id)
    if task.work is None or processor.time_per_work is None:
        return None
    return task.work * processor.time_per_work


def faults_of_parts(instance: CollectionInstance, at: Pointer) -> Iterator[Fault]:
    """List the faults of platform and application.

    Rules, in order:

    1. The rules of the platform hold.
    2. Media are given only with ``multiport``, and cards only where `cards_faults` says so.
    3. The rules of the application hold.
    4. `times` and `allowed` are of known processors that are no switches.
    5. Every task has a processor.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    platform = instance.platform
    yield from platform_faults(platform, (*at, "platform"))
    yield from media_faults(platform, instance.ports, (*at, "platform"))
    yield from cards_faults(platform, instance.ports, (*at, "platform"))
    yield from faults_of_tasks(instance, at)


def faults_of_tasks(instance: CollectionInstance, at: Pointer) -> Iterator[Fault]:
    """List the faults of the application, and of where its tasks run.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    platform = instance.platform
    yield from application_faults(instance.application, (*at, "application"))
    switches = {processor.id: processor.switch for processor in platform.processors}
    able, known = working(platform), Known(platform.running)
    for i, task in enumerate(instance.application.tasks):
        here = (*at, "application", "tasks", i)
        named: list[tuple[Pointer, str]] = [
            ((*here, "times", name), name) for name in task.times or ()
        ]
        named += [((*here, "allowed", j), name) for j, name in enumerate(task.allowed or ())]
        sound = True
        for pointer, name in named:
            if name not in switches:
                sound = False
                yield Fault(pointer, "unknown_processor", no_processor(name, known))
            elif switches[name]:
                sound = False
                yield Fault(pointer, "switch_computes", "a switch only forwards: it runs no task")
        if sound and not num_labels(task, able):
            yield Fault(
                here,
                "task_without_processor",
                f"no processor can run task {task.id!r}: name one in its times, or allow one that"
                " has a speed",
            )


def unbounded_throughput(at: Pointer) -> Fault:
    """Refuse an instance of which an allocation needs no resource at all."""
    return Fault(
        (*at, "application"),
        "unbounded_throughput",
        "all tasks can run in no time without moving any data, so the throughput has no"
        " bound: give a task some work, or a file a size",
    )


def working(platform: Platform) -> set[str]:
    """Name the processors that have a speed and are no switches."""
    return {p.id for p in platform.processors if p.time_per_work is not None and not p.switch}


def num_labels(task: Task, able: set[str]) -> int:
    """Count the processors that can run a task, if `able` have a speed.

    Parameters
    ----------
    task
        With `times` and `allowed` that name known processors, if any.
    able
        Names of the processors that have a speed.
    """
    if task.times is not None:
        if task.allowed is None:
            return len(task.times)
        return len(task.times.keys() & set(task.allowed))
    if task.work is None:
        return 0
    return len(able) if task.allowed is None else len(able.intersection(task.allowed))


def instant_processors(instance: CollectionInstance) -> list[set[str]]:
    """Name, for each task, the processors that run it in no time."""
    able = working(instance.platform)
    instant: list[set[str]] = []
    for task in instance.application.tasks:
        if task.times is not None:
            found = {name for name, time in task.times.items() if not time}
        else:
            found = able if task.work == 0 else set()
        instant.append(found if task.allowed is None else found & set(task.allowed))
    return instant


def needs_nothing(instance: CollectionInstance) -> bool:
    """Tell whether some allocation, each task on one processor, uses no resource at all.

    Tasks that exchange data must then share a processor. A file of size 0 needs a route.
    """
    instant = instant_processors(instance)
    if not all(instant):
        return False
    group = joined(len(instant), [(s, t) for s, t, size in instance.files if size])
    for position, leader in enumerate(group):
        instant[leader] = instant[leader] & instant[position]
    candidates = [instant[leader] for leader in group]
    if not all(candidates):
        return False
    files = [(group[s], group[t]) for s, t, _ in instance.files if group[s] != group[t]]
    order = eliminate([len(names) for names in candidates], files).order
    return placement_exists(candidates, files, places_of(instance), order) is True


def places_of(instance: CollectionInstance) -> Places:
    """Find the places of a platform: processors that can all send to each other are one."""
    platform = instance.platform
    names = [processor.id for processor in platform.processors]
    hops = ((names[arc.source], names[arc.target]) for arc in platform.arcs)
    return Places.from_hops(names, hops, without_route(instance))


def without_route(instance: CollectionInstance) -> frozenset[tuple[str, str]]:
    """Give the pairs of processors between which no file goes, though links may join them."""
    fixed = getattr(instance, "routing", None) == "fixed"
    return instance.platform.missing_routes if fixed else frozenset()


def joined(number: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Give each task the least task that it is joined to, over however many pairs.

    Parameters
    ----------
    number
        How many tasks there are. They are numbered from 0.
    pairs
        Tasks that have to stay together.

    Returns
    -------
    list of int
        By task; two tasks are joined where these are equal.
    """
    leader = list(range(number))

    def lead(task: int) -> int:
        while leader[task] != task:
            leader[task] = task = leader[leader[task]]
        return task

    for one, other in pairs:
        first, second = sorted((lead(one), lead(other)))
        leader[second] = first
    return [lead(task) for task in range(number)]


def part_sizes(instance: CollectionInstance) -> dict[str, int]:
    """Count tasks, files, processors, links and limited resources."""
    application, platform = instance.application, instance.platform
    resources = {
        use.resource for arc in platform.arcs for use in arc_uses(platform, arc, instance.ports)
    }
    resources.update(
        computing_resource(name, instance.ports) for name in computing_processors(instance)
    )
    return {
        "tasks": len(application.tasks),
        "files": len(application.files),
        "processors": len(platform.processors),
        "links": len(platform.links),
        "resources": len(resources),
    }


def able_processors(task: Task, able: AbstractSet[str]) -> AbstractSet[str]:
    """Name the processors that can run a task, if `able` have a speed.

    Parameters
    ----------
    task
        With `times` and `allowed` that name known processors, if any.
    able
        Names of the processors that have a speed.
    """
    here = able if task.times is None else task.times.keys()
    return here if task.allowed is None else here & set(task.allowed)


def computing_processors(instance: CollectionInstance) -> set[str]:
    """Name the processors that can run some task."""
    able = working(instance.platform)
    found: set[str] = set()
    everywhere = False
    for task in instance.application.tasks:
        here = able_processors(task, able)
        if here is able:
            everywhere = True
        else:
            found |= here
    return found | able if everywhere else found


def odd_units_of(instance: CollectionInstance) -> Iterator[str]:
    """Ask about units in which the instance makes no sense."""
    application = instance.application
    yield from odd_units(
        instance.platform,
        [task.work for task in application.tasks],
        [time for task in application.tasks for time in (task.times or {}).values()],
        [file.size for file in application.files],
    )


def unused_memory_of_tasks(instance: CollectionInstance) -> Iterator[str]:
    """Name memory that tasks need where nothing is placed within it."""
    if any(task.memory is not None for task in instance.application.tasks):
        yield "memory of tasks is not used: only mono_allocation places tasks within memory"


def unused_times(instance: CollectionInstance) -> Iterator[str]:
    """Name the speeds and the allowed processors that are given but not used."""
    platform, tasks = instance.platform, instance.application.tasks
    if all(task.times is not None for task in tasks) and any(
        p.time_per_work is not None for p in platform.processors
    ):
        yield "the processors' speeds are not used: every task gives its times"
    for task in tasks:
        idle = sorted(set(task.allowed or ()) - task.times.keys()) if task.times is not None else ()
        if idle:
            yield (
                f"task {task.id!r} is allowed on {idle[0]!r}, but its times do not name that:"
                " it cannot run there"
            )
            break
