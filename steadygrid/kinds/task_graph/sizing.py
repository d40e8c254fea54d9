"""Faults, method and size of a `task_graph` instance, before anything is built."""

from collections.abc import Iterator, Sequence

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.domain.pools import Pools
from steadygrid.domain.problem import Sizing
from steadygrid.domain.unused import unused_parts
from steadygrid.kinds.shared.collection import (
    faults_of_parts,
    needs_nothing,
    num_labels,
    odd_units_of,
    part_sizes,
    unbounded_throughput,
    unused_memory_of_tasks,
    unused_times,
    working,
)
from steadygrid.kinds.shared.elimination import MOST_ENTRIES, MOST_HELD, eliminate
from steadygrid.kinds.shared.pools import pooled_instance, pools_of
from steadygrid.kinds.shared.single_ports import requires_with_tasks
from steadygrid.kinds.shared.start_ups import start_up_faults, vain_options
from steadygrid.kinds.task_graph.given import count_columns
from steadygrid.kinds.task_graph.given_faults import given_faults
from steadygrid.kinds.task_graph.list_program import block_lists, dependency_depth, program_size
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance

SURELY_PRICED = 50_000_000
"""Sums that make up the largest table of the exact pricing: where it takes no more, which is a
fraction of a second, there is no doubt that there is room for all."""
GIVEN_SINCE = 8
"""Workers that solve less cannot read allocations that are given. See `steadygrid.kinds.SOLVES`."""
_LISTED_TASKS = 400
"""Graphs of more tasks have their constraint lists counted only where the method needs it."""


def faults(instance: TaskGraphInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. The rules of platform and application hold, see `faults_of_parts`.
    2. Latencies can be paid where they are to be.
    3. Where ``constraint_lists`` is asked for, routing is free, and ports are none of
       ``send_or_receive`` and ``no_overlap``.
    4. The throughput is bounded.
    5. The rules of `given_faults` hold.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        `latencies` and `max_period` are read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    sound = True
    for fault in faults_of_parts(instance, at):
        sound = False
        yield fault
    yield from start_up_faults(instance, options, at)
    if instance.method == "constraint_lists" and instance.routing == "fixed":
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            'constraint_lists chooses its routes itself: use "column_generation" or "auto"',
        )
    if instance.method == "constraint_lists" and instance.ports in SINGLE_PORT:
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            "constraint_lists knows no processors that take part in one transfer at a time: use"
            ' "column_generation" or "auto"',
        )
    if sound and needs_nothing(instance):
        yield unbounded_throughput(at)
    if sound:
        yield from given_faults(instance, at)


def sizing(instance: TaskGraphInstance, options: Options) -> Sizing:
    """Choose the method and count what it has to handle.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` and those of latencies are read.

    Notes
    -----
    ``auto`` takes ``column_generation``: its master program has one constraint per resource of the
    platform on which interchangeable processors are pools, and its pricing tables hold
    `labelling_entries` entries together (`MOST_ENTRIES` stands for that or more). The variables of ``constraint_lists`` grow with the number of processors to the
    power of the dependency depth. They are counted as the program has them.
    """
    listed = instance.method == "constraint_lists"
    pools = pools_of(instance, fixed_routes=instance.routing == "fixed")
    known = instance if listed else pooled_instance(instance, pools)
    able = working(known.platform)
    labels = [num_labels(task, able) for task in known.application.tasks]
    pairs = [(source, target) for source, target, _ in instance.files]
    elimination = eliminate(labels, pairs)
    most = options.max_labelling_entries
    fits = elimination.held <= (MOST_HELD if most is None else min(most, MOST_HELD))
    sizes = part_sizes(instance) | {
        "classes": 0 if listed else len(pools.classes),
        "width": elimination.width,
        "labelling_entries": elimination.held,
    }
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
        resources = part_sizes(known)["resources"]
        sizes |= _pricing(known, labels, fits, resources)
        method = "column_generation"
        if instance.method == "given":
            method = "given"
            sizes["allocations"] = count_columns(instance)
            sizes["variables"] += sizes["allocations"]
            sizes["coefficients"] += sizes["allocations"] * (len(labels) + 4 * len(pairs))
        remedy = (
            f"the task graph has width {elimination.width}, and its pricing tables hold"
            f" {elimination.held:,} entries: allow its tasks on fewer processors, or leave out"
            " processors"
        )
    warnings = (
        *odd_units_of(instance),
        *unused_parts(instance.platform, instance.ports, pays=options.latencies == "paid"),
        *vain_options(instance.platform, options),
        *_unused(instance),
        *_firsts_alone(instance, pools),
    )
    sure = fits and elimination.largest <= SURELY_PRICED
    return Sizing(method, sizes, warnings, remedy, frozenset({"mip_gap"} if sure else ()))


def requires(instance: TaskGraphInstance, options: Options) -> int:
    """Say how new a version has to be that can solve this: older ones judge no allocations.

    Parameters
    ----------
    instance
        Well-formed.
    options
        `latencies` is read.
    """
    said = (instance.allocations, instance.classes, instance.rates)
    judged = instance.method == "given" or any(one is not None for one in said)
    judged = judged or instance.bound_method != "free"
    return max(requires_with_tasks(instance, options), GIVEN_SINCE if judged else 0)


def _pricing(
    instance: TaskGraphInstance,
    labels: Sequence[int],
    fits: bool,
    resources: int,
) -> dict[str, int]:
    """Count the master program at its end, and what prices its columns.

    A basic solution has at most one column per resource. Distances are a table of all pairs
    of processors. Where labelling tables hold more entries than was asked, the mixed-integer
    program has a variable for each pair of places of a file.
    """
    per_column = min(resources, len(labels) + 4 * len(instance.files))
    size = resources * per_column + sum(labels)
    if instance.files:
        size += len(instance.platform.processors) ** 2
    if not fits:
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


def _firsts_alone(instance: TaskGraphInstance, pools: Pools) -> Iterator[str]:
    """Ask whether allocations are those of an answer, whose classes were not given with them."""
    if instance.method != "given" or instance.classes is not None:
        return
    named: set[str] = set()
    for allocation in instance.allocations or ():
        named.update(allocation.tasks.values())
    for names in pools.names:
        if names[0] in named and named.isdisjoint(names[1:]):
            yield (
                f"the allocations name {names[0]!r}, but none of the {len(names) - 1:,} processors"
                " that are interchangeable with it: if they are of an answer with classes, give"
                " its classes, too. If they are not, [] says so"
            )
            break


def _unused(instance: TaskGraphInstance) -> Iterator[str]:
    """Name what was given but is not used."""
    if instance.platform.routes and instance.routing == "free":
        yield (
            'routes are not used: "routing": "free" chooses the routes itself, "fixed" keeps to them'
        )
    yield from unused_times(instance)
    yield from unused_memory_of_tasks(instance)
