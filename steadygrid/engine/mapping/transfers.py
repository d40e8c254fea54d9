"""What the files of an allocation take on the routes that they go."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.mapping.tables import ReferencePath, Tables

Places = Sequence[Sequence[int]]
"""The processors that run each task."""


def receivers_of(tables: Tables, places: Places) -> dict[int, list[int]]:
    """List, by file that moves, the processors that run its user and not its producer.

    Parameters
    ----------
    tables
        The instance.
    places
        By task, the processors that run it.
    """
    found = {
        f: [r for r in places[l] if r not in places[k]] for f, (k, l, _) in enumerate(tables.files)
    }
    return {f: listed for f, listed in found.items() if listed}


def transfers_of(
    tables: Tables, file: int, routes: Sequence[tuple[ReferencePath, Fraction]]
) -> list[Transfer]:
    """Name the routes of a file and their shares.

    Parameters
    ----------
    tables
        The instance.
    file
        Its position in the tables.
    routes
        Paths of at least one hop, as indices of arcs, with their shares.
    """
    producer, user, _ = tables.files[file]
    name = (tables.tasks[producer], tables.tasks[user])
    return [Transfer(name, path_of(tables, route), share) for route, share in routes]


def path_of(tables: Tables, route: ReferencePath) -> tuple[str, ...]:
    """Name the processors along a route.

    Parameters
    ----------
    tables
        The instance.
    route
        Indices of arcs; at least one.
    """
    processors, arcs = tables.platform.processors, tables.platform.arcs
    return (
        processors[arcs[route[0]].source].id,
        *(processors[arcs[arc].target].id for arc in route),
    )


def loads(tables: Tables, places: Places, transfers: Sequence[Transfer]) -> Amounts[int]:
    """Give the time that each used resource spends on one instance.

    Every transfer takes its time on every link of its path.

    Parameters
    ----------
    tables
        The instance.
    places
        By task, the processors that run it.
    transfers
        Paths of the files, by names of tasks and processors.

    Returns
    -------
    mapping
        Time per instance, by position of the resource.
    """
    platform = tables.platform
    times: Amounts[int] = Amounts()
    for k, row in enumerate(places):
        for i in row:
            times[i] += tables.time(k, i)
    index = platform.index_by_id
    size = {(tables.tasks[k], tables.tasks[l]): size for k, l, size in tables.files}
    for file, path, share in transfers:
        data = size[file] * share
        for source, target in pairwise(path):
            arc = platform.arc_by_ends[index[source], index[target]]
            for resource, time in tables.arc_uses(arc.index):
                times[resource] += data * time
    return times


def period_of(tables: Tables, places: Places, transfers: Sequence[Transfer]) -> Fraction:
    """Give the longest time that one resource spends on one instance (thesis, 4.2.3).

    Parameters
    ----------
    tables
        The instance.
    places
        By task, the processors that run it.
    transfers
        Paths of the files, by names of tasks and processors.
    """
    return max(loads(tables, places, transfers).values(), default=Fraction(0))
