"""Processors that can be exchanged without any difference."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from steadygrid.engine.mapping.twins import twins_of
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

Labels = Sequence[Sequence[int]]
Classes = tuple[tuple[int, ...], ...]
Row = frozenset[tuple[int, int, Fraction]]
"""A resource as the programs see it: the hops that use it, each with its time per unit of data."""

MOST_HOPS = 50_000
"""Of a program. Where there are more, only twins are reported, which is done at once."""


def interchangeable(tables: MonoTables, labels: Labels) -> Classes:
    """Find classes of processors any two of which may change places.

    Exchanging two processors is an automorphism of the program under two conditions. Both run the
    same tasks in the same times and have the same memory. The resources, each taken as the set of
    hops that use it with their times, are the same after the exchange. Hops are pairs with a fixed
    route under ``fixed`` routing, links otherwise. Exchanges that are automorphisms generate the
    symmetric group of each class.

    Parameters
    ----------
    labels
        For each task, the processors that may run it.

    Returns
    -------
    tuple of tuple of int
        Classes of at least two processors, by increasing index.

    Notes
    -----
    Linear in the hops per processor and class.
    """
    columns: dict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    for k, row in enumerate(labels):
        for i in row:
            columns[i].append((k, tables.time(k, i)))
    room = [None] * tables.num_processors if tables.limits is None else tables.limits.room
    alike: dict[object, list[int]] = defaultdict(list)
    for i in sorted(columns):
        alike[room[i], tuple(columns[i])].append(i)
    if all(len(members) < 2 for members in alike.values()):
        return ()
    rows = _rows(tables, sorted(columns))
    if rows is None:
        return _twins(tables, columns)
    touching: dict[int, set[int]] = defaultdict(set)
    for number, hops in enumerate(rows):
        for source, target, _ in hops:
            touching[source].add(number)
            touching[target].add(number)
    classes: list[list[int]] = []
    for members in alike.values():
        first = len(classes)
        for i in members:
            for known in classes[first:]:
                if _same_if_swapped(rows, touching[i] | touching[known[0]], i, known[0]):
                    known.append(i)
                    break
            else:
                classes.append([i])
    return tuple(sorted(tuple(members) for members in classes if len(members) > 1))


def _twins(tables: MonoTables, columns: Mapping[int, Sequence[tuple[int, Fraction]]]) -> Classes:
    """Give those that are reported at once, by their own links alone."""
    classes: list[tuple[int, ...]] = []
    for members in twins_of(tables).classes:
        alike: dict[tuple[tuple[int, Fraction], ...], list[int]] = defaultdict(list)
        for i in members:
            if i in columns:
                alike[tuple(columns[i])].append(i)
        classes += [tuple(some) for some in alike.values() if len(some) > 1]
    return tuple(sorted(classes))


def _rows(tables: MonoTables, able: Sequence[int]) -> list[Row] | None:
    instance = tables.instance
    uses: dict[int, list[tuple[int, int, Fraction]]] = defaultdict(list)
    hops: Iterable[tuple[int, int, Iterable[tuple[int, Fraction]]]]
    if instance.routing == "fixed":
        if instance.duplication == "tasks_and_files":
            able = range(tables.num_processors)
        if len(able) ** 2 > MOST_HOPS:
            return None
        hops = ((q, r, tables.path_uses(q, r) or ()) for q in able for r in able if q != r)
    else:
        if len(tables.platform.arcs) > MOST_HOPS:
            return None
        hops = ((a.source, a.target, tables.arc_uses(a.index)) for a in tables.platform.arcs)
    for source, target, listed in hops:
        for resource, time in listed:
            uses[resource].append((source, target, time))
    if instance.ports == "no_overlap":
        for i in range(tables.num_processors):
            uses[i].append((i, i, Fraction(0)))  # It computes with its port, and no other's.
    return [frozenset(row) for row in uses.values()]


def _same_if_swapped(rows: Sequence[Row], numbers: Iterable[int], i: int, j: int) -> bool:
    swapped = {i: j, j: i}
    before = [rows[number] for number in numbers]
    after = [
        frozenset((swapped.get(q, q), swapped.get(r, r), time) for q, r, time in row)
        for row in before
    ]
    return Counter(before) == Counter(after)


def in_order(mapping: Sequence[int], classes: Iterable[Sequence[int]]) -> list[int]:
    """Exchange processors so that in each class the lowest task grows from one to the next.

    Parameters
    ----------
    mapping
        Position of the processor of each task.
    classes
        Positions of interchangeable processors, each class by itself.

    Returns
    -------
    list of int
        As good a mapping; position of the processor of each task.
    """
    first: dict[int, int] = {}
    for k, i in enumerate(mapping):
        first.setdefault(i, k)
    renamed: dict[int, int] = {}
    for members in classes:
        used = sorted((i for i in members if i in first), key=lambda i: first[i])
        renamed.update(zip(used, members, strict=False))
    return [renamed.get(i, i) for i in mapping]
