"""Faults, method and size of a `task_graph` instance, before anything is built."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.domain.application import Task, application_faults
from app.domain.errors import Fault, Pointer
from app.domain.job import Options
from app.domain.platform import (
    arc_uses,
    compute_resource,
    media_faults,
    platform_faults,
    unused_parts,
)
from app.domain.problem import Sizing
from app.problems.task_graph.elimination import MOST_ENTRIES, eliminate
from app.problems.task_graph.list_program import block_lists, dependency_depth, program_size
from app.problems.task_graph.schemas import TaskGraphInstance
from app.verification.network import read_network
from app.verification.placement import Places, placement_exists

MAX_LABELLING_ENTRIES = 200_000_000
"""Where the largest table of the exact pricing is larger, a mixed-integer program prices."""
_LISTED_TASKS = 400
"""Graphs of more tasks have their constraint lists counted only where the method needs it."""


def faults(instance: TaskGraphInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order: those of the platform; media only with ``multiport``; those of the
    application; `times` and `allowed` of known processors that are no switches; a processor
    for every task; free routing where ``constraint_lists`` is asked for; a bounded throughput.
    """
    sound = True
    for fault in _faults_of_parts(instance, at):
        sound = False
        yield fault
    if instance.method == "constraint_lists" and instance.routing == "fixed":
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            'constraint_lists chooses its ways itself: use "column_generation" or "auto"',
        )
    if sound and _needs_nothing(instance):
        yield Fault(
            (*at, "application"),
            "unbounded_throughput",
            "all tasks can run in no time without moving any data, so the throughput has no"
            " bound: give a task some work, or a file a size",
        )


def _faults_of_parts(instance: TaskGraphInstance, at: Pointer) -> Iterator[Fault]:
    platform = instance.platform
    yield from platform_faults(platform, (*at, "platform"))
    yield from media_faults(platform, instance.ports, (*at, "platform"))
    yield from application_faults(instance.application, (*at, "application"))
    switches = {processor.id: processor.switch for processor in platform.processors}
    working = {p.id for p in platform.processors if p.time_per_work is not None and not p.switch}
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
                yield Fault(pointer, "unknown_processor", f"there is no processor {name!r}")
            elif switches[name]:
                sound = False
                yield Fault(pointer, "switch_computes", "a switch only forwards: it runs no task")
        if sound and not _labels(task, working):
            yield Fault(
                here,
                "task_without_processor",
                f"no processor can run task {task.id!r}: name one in its times, or allow one that"
                " has a speed",
            )


def _labels(task: Task, working: set[str]) -> int:
    """Count the processors that can run a task."""
    if task.times is not None:
        if task.allowed is None:
            return len(task.times)
        return len(task.times.keys() & set(task.allowed))
    if task.work is None:
        return 0
    return len(working) if task.allowed is None else len(working.intersection(task.allowed))


def _needs_nothing(instance: TaskGraphInstance) -> bool:
    """Tell whether some allocation uses no resource at all.

    Tasks that exchange data must then share a processor; a file of size 0 needs a way.
    """
    network = read_network(instance.platform, instance.ports)
    working = {p.id for p in instance.platform.processors if p.time_per_work is not None}
    instant: list[set[str]] = []
    for task in instance.application.tasks:
        if task.work:
            return False
        able = working if task.times is None else {n for n, time in task.times.items() if not time}
        instant.append(able if task.allowed is None else able & set(task.allowed))
    group = _joined(len(instant), [(s, t) for s, t, size in instance.files if size])
    for position, leader in enumerate(group):
        instant[leader] = instant[leader] & instant[position]
    candidates = [instant[leader] for leader in group]
    if not all(candidates):
        return False
    files = [(group[s], group[t]) for s, t, _ in instance.files if group[s] != group[t]]
    order = eliminate([len(names) for names in candidates], files).order
    places = Places.of(network.processors, network.hops)
    return placement_exists(candidates, files, places, order) is True


def _joined(number: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Give each task the least task that it is joined to, over however many pairs."""
    leader = list(range(number))

    def lead(task: int) -> int:
        while leader[task] != task:
            leader[task] = task = leader[leader[task]]
        return task

    for one, other in pairs:
        first, second = sorted((lead(one), lead(other)))
        leader[second] = first
    return [lead(task) for task in range(number)]


def sizing(instance: TaskGraphInstance, options: Options) -> Sizing:
    """Choose the method and count what it has to handle.

    Notes
    -----
    ``auto`` takes ``column_generation``: its master program has one constraint per resource,
    and its pricing tables `labelling_entries` entries at most (`MOST_ENTRIES` stands for that
    or more). The variables of ``constraint_lists`` grow with the number of processors to the
    power of the dependency depth; they are counted as the program has them.
    """
    application, platform = instance.application, instance.platform
    working = {p.id for p in platform.processors if p.time_per_work is not None}
    labels = [_labels(task, working) for task in application.tasks]
    pairs = [(source, target) for source, target, _ in instance.files]
    elimination = eliminate(labels, pairs)
    resources = {
        use.resource for arc in platform.arcs for use in arc_uses(platform, arc, instance.ports)
    }
    resources.update(compute_resource(name) for name in _computing(application.tasks, working))
    sizes = {
        "tasks": len(application.tasks),
        "files": len(application.files),
        "processors": len(platform.processors),
        "links": len(platform.links),
        "resources": len(resources),
        "width": elimination.width,
        "labelling_entries": elimination.largest,
    }
    listed = instance.method == "constraint_lists"
    if listed:
        sizes |= _program_of_lists(instance)
        method = "constraint_lists"
        remedy = (
            f"a constraint list of up to {sizes['dependency_depth']} tasks (the width of the graph"
            f" is {elimination.width}) makes {sizes['variables']:,} variables;"
            ' ask for "method": "column_generation", or allow these tasks on fewer processors'
        )
    else:
        if len(labels) <= _LISTED_TASKS:
            sizes["dependency_depth"] = dependency_depth(block_lists(len(labels), pairs))
        most_entries = most_labelling_entries(options)
        sizes |= _pricing(instance, labels, elimination.largest, most_entries, len(resources))
        method = "column_generation"
        remedy = (
            f"the task graph has width {elimination.width}, and its largest pricing table"
            f" {elimination.largest:,} entries; allow its tasks on fewer processors, or leave out"
            " processors"
        )
    warnings = (*unused_parts(platform, instance.ports), *_unused(instance, sizes, options))
    return Sizing(method, sizes, warnings, remedy)


def _computing(tasks: Iterable[Task], working: set[str]) -> set[str]:
    named: set[str] = set()
    for task in tasks:
        able = working if task.times is None else task.times.keys()
        named.update(able if task.allowed is None else able & set(task.allowed))
    return named


def most_labelling_entries(options: Options) -> int:
    """Give the size of table from which on an integer program prices allocations."""
    asked = options.max_labelling_entries
    return MAX_LABELLING_ENTRIES if asked is None else asked


def _pricing(
    instance: TaskGraphInstance,
    labels: Sequence[int],
    entries: int,
    most_entries: int,
    resources: int,
) -> dict[str, int]:
    """Count the master program at its end, and what prices its columns.

    A basic solution has at most one column per resource. Distances are a table of all pairs
    of processors; where the labelling table is too large, the mixed-integer program has a
    variable for each pair of places of a file.
    """
    per_column = min(resources, len(labels) + 4 * len(instance.files))
    size = resources * per_column + sum(labels)
    if instance.files:
        size += len(instance.platform.processors) ** 2
    if entries > most_entries:
        size += sum(3 * labels[source] * labels[target] for source, target, _ in instance.files)
    return {
        "variables": resources,
        "constraints": resources,
        "coefficients": min(size, MOST_ENTRIES),
    }


def _program_of_lists(instance: TaskGraphInstance) -> dict[str, int]:
    """Count variables, constraints and coefficients of the program over constraint lists."""
    depth, *counts = program_size(instance)
    names = ("variables", "constraints", "coefficients")
    return {"dependency_depth": depth} | {
        name: min(count, MOST_ENTRIES) for name, count in zip(names, counts, strict=True)
    }


def _unused(
    instance: TaskGraphInstance, sizes: Mapping[str, int], options: Options
) -> Iterator[str]:
    """Name what was given but is not used."""
    platform, tasks = instance.platform, instance.application.tasks
    if platform.routes and instance.routing == "free":
        yield 'routes are not used: "routing": "free" chooses the ways itself'
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
    if options.mip_gap and (
        instance.method == "constraint_lists"
        or sizes["labelling_entries"] <= most_labelling_entries(options)
    ):
        yield "mip_gap is not used: no program has integer variables"
