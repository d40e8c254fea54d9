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

    One variable per task and processor, one per file and pair of processors, one per pair; the
    variables of a file sum up to those of its tasks, per processor; one row per resource.

    Parameters
    ----------
    labels
        How many processors can run each task.
    """
    pairs, ends = _pairs(instance, labels)
    carried, uses = _carried(instance, labels)
    return {
        "variables": 1 + sum(labels) + pairs + carried,
        "constraints": len(labels) + ends + carried + _resources(instance),
        "coefficients": 2 * sum(labels) + ends + 3 * pairs + carried + uses,
    }


def exact_program(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    """Count the exact program for the routing and the duplication asked.

    Notes
    -----
    Thesis, (4.1) to (4.3); notes on duplication, (5) to (7), as corrected in the kind's
    formulation. Over fixed ways the rows of resources are counted by the mean length of
    the shortest ways from a few processors.
    """
    if instance.duplication == "tasks_and_files":
        return _with_copied_files(instance, labels)
    if instance.routing == "fixed":
        return _over_fixed_ways(instance, labels)
    return _over_links(instance, labels)


def _over_fixed_ways(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    if instance.duplication == "none":
        return relaxed_program(instance, labels)
    pairs, ends = _pairs(instance, labels)
    carried, uses = _carried(instance, labels)
    return {
        "variables": 1 + sum(labels) + pairs + carried,
        "constraints": len(labels) + pairs + ends + carried + _resources(instance),
        "coefficients": 2 * sum(labels) + 2 * ends + 4 * pairs + carried + uses,
    }


def _over_links(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    pairs, ends = _pairs(instance, labels)
    files, arcs = len(instance.files), len(instance.platform.arcs)
    processors = len(instance.platform.processors)
    uses = ceil(arcs * _uses_per_arc(instance))
    size = {
        "variables": 1 + sum(labels) + files * arcs,
        "constraints": len(labels) + files * processors + _resources(instance),
        "coefficients": 2 * sum(labels) + ends + files * (2 * arcs + uses),
    }
    if instance.duplication == "tasks":
        size["variables"] += pairs
        size["constraints"] += pairs + ends
        size["coefficients"] += 5 * pairs + ends
    return size


def _with_copied_files(instance: MonoAllocationInstance, labels: Sequence[int]) -> dict[str, int]:
    """Count, for each file and receiver, a flow that proves that the copy comes from a producer."""
    arcs, processors = len(instance.platform.arcs), len(instance.platform.processors)
    pairs, _ = _pairs(instance, labels)
    receivers = sum(labels[target] for _, target, _ in instance.files)
    files = len(instance.files)
    uses = ceil(arcs * _uses_per_arc(instance))
    return {
        "variables": 1 + sum(labels) + files * arcs + receivers * arcs + pairs,
        "constraints": len(labels) + receivers * (arcs + processors) + pairs + _resources(instance),
        "coefficients": 2 * sum(labels) + receivers * (4 * arcs + 1) + 3 * pairs + files * uses,
    }


def _pairs(instance: MonoAllocationInstance, labels: Sequence[int]) -> tuple[int, int]:
    """Count pairs of places over all files, and places of both ends over all files."""
    pairs = sum(labels[source] * labels[target] for source, target, _ in instance.files)
    ends = sum(labels[source] + labels[target] for source, target, _ in instance.files)
    return pairs, ends


def _carried(instance: MonoAllocationInstance, labels: Sequence[int]) -> tuple[int, int]:
    """Count pairs of processors that may exchange a file, and the resources on their ways."""
    carried = max((labels[s] * labels[t] for s, t, _ in instance.files), default=0)
    return carried, ceil(carried * _uses_per_way(instance))


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
    """Give the resources on a way between two different processors, on average over a few.

    Hops of ways with the fewest of them; `_SOURCES` searches in breadth.
    """
    platform = instance.platform
    number = len(platform.processors)
    computing = [i for i in range(number) if not platform.processors[i].switch]
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
    return Fraction(hops, ways) * _uses_per_arc(instance) if ways else Fraction(0)
