"""How large the exact program is, for each routing and duplication, and its relaxation."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from app.domain.platform import arc_uses
from app.problems.mono_allocation.schemas import MonoAllocationInstance

_SOURCES = 8
"""Processors from which the length of ways is measured."""


def relaxed_program(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    """Count the program over reference ways, each task once: (4.1) of the thesis, linked tightly.

    One variable per task and processor, one per file and pair of processors; the variables of
    a file sum up to those of its tasks, per processor; one row per resource.

    Parameters
    ----------
    labels
        How many processors can run each task.
    """
    pairs, ends = _pairs(instance, labels)
    resources = _resources(instance)
    moved = ceil(pairs * _uses_per_way(instance))
    return {
        "variables": 1 + sum(labels) + pairs,
        "constraints": len(labels) + ends + resources,
        "coefficients": 2 * sum(labels) + ends + 2 * pairs + moved + resources,
    }


def exact_program(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    """Count the exact program for the routing and the duplication asked.

    Notes
    -----
    Thesis, (4.1) to (4.3); notes on duplication, (5) to (7), as corrected in the kind's
    formulation. Resources on fixed ways are counted by the mean length of the shortest ways
    from a few processors.
    """
    if instance.duplication == "tasks_and_files":
        return _with_copied_files(instance, labels)
    if instance.duplication == "tasks":
        return _with_copied_tasks(instance, labels)
    if instance.routing == "fixed":
        return relaxed_program(instance, labels)
    _, ends = _pairs(instance, labels)
    moved = _over_links(instance)
    return {
        "variables": 1 + sum(labels) + moved["variables"],
        "constraints": len(labels) + moved["constraints"] + _resources(instance),
        "coefficients": 2 * sum(labels) + ends + moved["coefficients"] + _resources(instance),
    }


def _over_links(instance: MonoAllocationInstance) -> dict[str, int]:
    """Count what each file takes for its flow over all links."""
    files, arcs = len(instance.files), len(instance.platform.arcs)
    return {
        "variables": files * arcs,
        "constraints": files * len(instance.platform.processors),
        "coefficients": files * (2 * arcs + ceil(arcs * _uses_per_arc(instance))),
    }


def _with_copied_tasks(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    """Count, for each file, who sends it to whom."""
    pairs, _ = _pairs(instance, labels)
    users = sum(labels[target] for _, target, _ in instance.files)
    size = {
        "variables": 1 + sum(labels) + pairs,
        "constraints": len(labels) + users + pairs + _resources(instance),
        "coefficients": 2 * sum(labels) + users + 3 * pairs + _resources(instance),
    }
    if instance.routing == "fixed":
        size["coefficients"] += ceil(pairs * _uses_per_way(instance))
        return size
    moved = _over_links(instance)
    size["coefficients"] += pairs + users
    return {name: count + moved[name] for name, count in size.items()}


def _with_copied_files(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    """Count, for each file and user, a flow that proves that the copy comes from a producer.

    It flows over links, or with fixed routing from any processor to any on a way that begins there.
    """
    files, arcs = len(instance.files), len(instance.platform.arcs)
    processors = len(instance.platform.processors)
    pairs, _ = _pairs(instance, labels)
    users = sum(labels[target] for _, target, _ in instance.files)
    ways, steps, uses = arcs, arcs, ceil(arcs * _uses_per_arc(instance))
    if instance.routing == "fixed":
        ways = processors * (processors - 1)
        uses = ceil(ways * _uses_per_way(instance))
        steps = ceil(ways * max(Fraction(1), _hops_per_way(instance)))
    return {
        "variables": 1 + sum(labels) + pairs + files * ways + users * ways,
        "constraints": len(labels) + users + pairs + users * (processors + ways) + files * arcs
        + _resources(instance),
        "coefficients": 2 * sum(labels) + 2 * users + 4 * pairs + users * (3 * ways + steps)
        + files * (steps + uses),
    }  # fmt: skip


def _pairs(instance: MonoAllocationInstance, labels: Sequence[int]) -> tuple[int, int]:
    """Count pairs of places over all files, and places of both ends over all files."""
    pairs = sum(labels[source] * labels[target] for source, target, _ in instance.files)
    ends = sum(labels[source] + labels[target] for source, target, _ in instance.files)
    return pairs, ends


def _resources(instance: MonoAllocationInstance) -> int:
    platform = instance.platform
    used = {
        use.resource for arc in platform.arcs for use in arc_uses(platform, arc, instance.ports)
    }
    return len(used) + len(platform.processors)


def _uses_per_arc(instance: MonoAllocationInstance) -> Fraction:
    platform = instance.platform
    uses = sum(len(arc_uses(platform, arc, instance.ports)) for arc in platform.arcs)
    return Fraction(uses, len(platform.arcs)) if platform.arcs else Fraction(0)


def _uses_per_way(instance: MonoAllocationInstance) -> Fraction:
    """Give the resources on a way between two processors, on average."""
    return _hops_per_way(instance) * _uses_per_arc(instance)


def _hops_per_way(instance: MonoAllocationInstance) -> Fraction:
    """Give the hops of the way with the fewest, on average over a few searches in breadth."""
    platform = instance.platform
    computing = [i for i, p in enumerate(platform.processors) if not p.switch]
    hops = ways = 0
    for start in computing[:: max(1, len(computing) // _SOURCES)]:
        far = {start: 0}
        trail = [start]
        for here in trail:
            for arc in platform.arcs_out[here]:
                if arc.target not in far:
                    far[arc.target] = far[here] + 1
                    trail.append(arc.target)
        hops += sum(far[i] for i in computing if i in far)
        ways += len(computing)
    return Fraction(hops, ways)
