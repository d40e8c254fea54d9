"""Which periods are possible: sums of what tasks and files take of one resource."""

from fractions import Fraction

from steadygrid.engine.solving.subset_sums import Use, least_possible
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

NEAR = Fraction(1, 10**4)
"""Relative distance of bound and period up to which the sums between them are counted."""


def next_period(tables: MonoTables, bound: Fraction, period: Fraction) -> Fraction:
    """Give the least period from a bound on that an allocation may have; at most `period`.

    Parameters
    ----------
    bound
        No allocation has a shorter period.
    period
        Of an allocation.

    Returns
    -------
    Fraction
        `bound` itself where it is far from the period, or where files may be split at will: off a
        tree, or among copies.
    """
    if bound <= 0 or bound < period * (1 - NEAR):
        return bound
    uses = _uses(tables)
    return bound if uses is None else least_possible(uses, bound, period)


def _uses(tables: MonoTables) -> list[Use] | None:
    """State what may add up to the time of each resource. None if it is anything."""
    instance = tables.instance
    sizes = {size for _, _, size in tables.files if size}
    copies = instance.duplication != "none"
    if sizes and _splits(tables):
        return None
    computing: list[list[set[Fraction]]] = [[] for _ in range(tables.num_processors)]
    for task, places in enumerate(tables.labels):
        for place in places:
            if time := tables.time(task, place):
                computing[place].append({time})
    arcs: dict[int, list[int]] = {}
    steps: dict[int, set[Fraction]] = {}
    for arc in tables.platform.arcs:
        for resource, time in tables.arc_uses(arc.index):
            arcs.setdefault(resource, []).append(arc.index)
            steps.setdefault(resource, set()).add(time)
    uses = [Use(groups) for groups in computing if groups]
    for resource, times in steps.items():
        own = computing[resource] if resource < len(computing) else []
        if copies or not _used_once(tables, arcs[resource]):
            numbers = {size * time for size in sizes for time in times}
            uses.append(Use([numbers.union(*own)], repeated=True))
        else:
            files = [{size * time for time in times} for _, _, size in tables.files if size]
            uses.append(Use([*own, *files]))
    return uses


def _splits(tables: MonoTables) -> bool:
    """Whether files may be split: on several routes, or among several copies of their producer."""
    instance = tables.instance
    if instance.routing != "multipath" or instance.duplication == "tasks_and_files":
        return False
    if instance.duplication == "tasks":
        return True
    leader = list(range(tables.num_processors))

    def lead(place: int) -> int:
        while leader[place] != place:
            place = leader[place]
        return place

    for one, other in {tuple(sorted((a.source, a.target))) for a in tables.platform.arcs}:
        first, second = lead(one), lead(other)
        if first == second:
            return True
        leader[first] = second
    return False


def _used_once(tables: MonoTables, arcs: list[int]) -> bool:
    """Whether a route without a cycle has at most one of these arcs."""
    listed = [tables.platform.arcs[arc] for arc in arcs]
    return (
        len({arc.source for arc in listed}) == 1
        or len({arc.target for arc in listed}) == 1
        or len({frozenset((arc.source, arc.target)) for arc in listed}) == 1
    )
