"""How large the exact program is, for each routing and duplication, and its relaxation."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance

_SOURCES = 8
"""Processors from which the length of routes is measured."""
_ARCS = 1000
"""Links on which the number of resources is measured."""


MOST_SEARCHED = 600_000
"""Coefficients of an exact program that `portfolio` searches as a whole; larger ones in part."""
MOST_COMPARED = 1_000_000
"""Coefficients of a program that `compare` builds; methods with larger ones are left out."""


class Measures(NamedTuple):
    """What the sizes of all programs are made of.

    Attributes
    ----------
    assignments
        Tasks with a processor that can run them.
    pairs, ends, users
        Over all files: pairs of processors at both ends, processors at either end, and at the
        end where the file is used.
    uses
        Resources that one hop takes, on average.
    hops
        On the route between two processors, on average.
    """

    tasks: int
    files: int
    processors: int
    arcs: int
    resources: int
    assignments: int
    pairs: int
    ends: int
    users: int
    uses: Fraction
    hops: Fraction

    @classmethod
    def from_instance(
        cls, instance: MonoAllocationInstance, labels: Sequence[int], resources: int
    ) -> "Measures":
        """Measure an instance; `labels` are the processors that can run each task.

        Parameters
        ----------
        instance
            Without faults.
        labels
            For each task, how many processors can run it.
        resources
            How many there are.
        """
        platform, files = instance.platform, instance.files
        arcs = platform.arcs[:: max(1, len(platform.arcs) // _ARCS)]
        uses = sum(len(arc_uses(platform, arc, instance.ports)) for arc in arcs)
        return cls(
            tasks=len(labels),
            files=len(files),
            processors=len(platform.processors),
            arcs=len(platform.arcs),
            resources=resources,
            assignments=sum(labels),
            pairs=sum(labels[source] * labels[target] for source, target, _ in files),
            ends=sum(labels[source] + labels[target] for source, target, _ in files),
            users=sum(labels[target] for _, target, _ in files),
            uses=Fraction(uses, max(1, len(arcs))),
            hops=_hops_per_path(platform),
        )


def relaxed_program(of: Measures) -> dict[str, int]:
    """Count the program over reference routes, each task once: (4.1) of the thesis, linked tightly.

    One variable per task and processor, one per file and pair of processors. The variables of
    a file sum up to those of its tasks, per processor; one row per resource.
    """
    return {
        "variables": 1 + of.assignments + of.pairs,
        "constraints": of.tasks + of.ends + of.resources,
        "coefficients": 2 * of.assignments + of.ends + 2 * of.pairs + of.resources
        + ceil(of.pairs * of.hops * of.uses),
    }  # fmt: skip


def exact_program(instance: MonoAllocationInstance, of: Measures) -> dict[str, int]:
    """Count the exact program for the routing and the duplication asked.

    Parameters
    ----------
    instance
        Without faults.
    of
        Measures of this instance.

    Returns
    -------
    dict
        Numbers of variables, constraints and coefficients.

    Notes
    -----
    Gallet's thesis (2009), programs (4.1) to (4.3); with duplication, (D1) to (D7) of
    `steadygrid.kinds.mono_allocation.solver.programs.model_copies`. The length of fixed routes is
    that of the routes with the fewest hops, from a few processors.
    """
    fixed = instance.routing == "fixed"
    if instance.duplication == "tasks_and_files":
        return _with_copied_files(of, fixed)
    if instance.duplication == "tasks":
        return _with_copied_tasks(of, fixed)
    if fixed:
        return relaxed_program(of)
    return _sum(
        _over_links(of),
        {
            "variables": 1 + of.assignments,
            "constraints": of.tasks + of.resources,
            "coefficients": 2 * of.assignments + of.ends + of.resources,
        },
    )


def _over_links(of: Measures) -> dict[str, int]:
    """Count what the flows of all files over all links take."""
    return {
        "variables": of.files * of.arcs,
        "constraints": of.files * of.processors,
        "coefficients": of.files * (2 * of.arcs + ceil(of.arcs * of.uses)),
    }


def _with_copied_tasks(of: Measures, fixed: bool) -> dict[str, int]:
    """Count, for each file, who sends it to whom."""
    size = {
        "variables": 1 + of.assignments + of.pairs,
        "constraints": of.tasks + of.users + of.pairs + of.resources,
        "coefficients": 2 * of.assignments + of.users + 3 * of.pairs + of.resources,
    }
    if fixed:
        size["coefficients"] += ceil(of.pairs * of.hops * of.uses)
        return size
    size["coefficients"] += of.pairs + of.users
    return _sum(size, _over_links(of))


def _with_copied_files(of: Measures, fixed: bool) -> dict[str, int]:
    """Count, for each file and user, a flow that proves that the copy comes from a producer.

    It flows over links, or with fixed routing from any processor to any on a route that begins
    there.
    """
    routes = of.processors * (of.processors - 1) if fixed else of.arcs
    hops = max(Fraction(1), of.hops) if fixed else Fraction(1)
    steps = ceil(routes * hops)
    return {
        "variables": 1 + of.assignments + of.pairs + (of.files + of.users) * routes,
        "constraints": of.tasks + of.users + of.pairs + of.users * (of.processors + routes)
        + of.files * of.arcs + of.resources,
        "coefficients": 2 * of.assignments + 2 * of.users + 4 * of.pairs + of.resources
        + of.users * (3 * routes + steps) + of.files * (steps + ceil(routes * hops * of.uses)),
    }  # fmt: skip


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: count + other[name] for name, count in one.items()}


def _hops_per_path(platform: Platform) -> Fraction:
    """Give the hops of the route with the fewest, on average over a few searches in breadth."""
    working = [i for i, processor in enumerate(platform.processors) if not processor.switch]
    hops = routes = 0
    for start in working[:: max(1, len(working) // _SOURCES)]:
        far = {start: 0}
        trail = [start]
        for here in trail:
            for arc in platform.arcs_out[here]:
                if arc.target not in far:
                    far[arc.target] = far[here] + 1
                    trail.append(arc.target)
        hops += sum(far[i] for i in working if i in far)
        routes += len(working)
    return Fraction(hops, routes)
