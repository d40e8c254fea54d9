"""Which route each file of a given mapping takes, and what that takes of every resource."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.schedule import Transfer
from steadygrid.engine.flows.paths import Shares
from steadygrid.engine.mapping.occupation import Costs, Number, costs_of
from steadygrid.engine.mapping.tables import ReferencePath
from steadygrid.engine.mapping.transfers import Places, transfers_of
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

Row = tuple[int, ...]
"""The processors that run a task, by their positions."""
Loads = Mapping[int, Number]
"""By resource, a time in the units of `Costs`."""


class PathRule:
    """The rule by which the files of a mapping find their routes.

    A processor that needs a file and does not make it gets it over the paths that were given, if
    there are any from where the file is made. Else it gets the file over the reference path from
    one of those processors: the one from which it takes the least time per unit of data. Ties go to
    fewer hops, then to the path whose identifiers come first.

    Parameters
    ----------
    tables
        Of an instance whose paths are free of faults.
    """

    def __init__(self, tables: MonoTables) -> None:
        self._tables = tables
        self.costs: Costs = costs_of(tables)
        platform = tables.platform
        index = platform.index_by_id
        file_index = {
            (tables.tasks[k], tables.tasks[l]): f for f, (k, l, _) in enumerate(tables.files)
        }
        self._given: dict[tuple[int, int, int], Shares] = {}
        for path in tables.instance.paths or ():
            pair = file_index[path.file], index[path.source], index[path.target]
            hops = pairwise(index[name] for name in path.path)
            route = tuple(platform.arc_by_ends[ends].index for ends in hops)
            self._given.setdefault(pair, []).append((route, path.share))

    def paths_of(self, file: int, makers: Row, users: Row) -> Shares | None:
        """Give the routes of a file with their shares. None where some user has none.

        Parameters
        ----------
        file
            By position.
        makers, users
            Positions of the processors that run its producer, and its user.
        """
        found: Shares = []
        for user in users:
            if user in makers:
                continue
            routes = self._paths_to(file, makers, user)
            if routes is None:
                return None
            found += routes
        return found

    def loads(self, file: int, makers: Row, users: Row) -> Loads | None:
        """Give what a file takes of each resource. None where some user has no route.

        Parameters
        ----------
        file
            By position.
        makers, users
            Positions of the processors that run its producer, and its user.
        """
        if len(makers) == len(users) == 1 and (file, makers[0], users[0]) not in self._given:
            uses = self.costs.uses(makers[0], users[0])
            size = self.costs.sizes[file]
            return None if uses is None else {place: size * time for place, time in uses}
        routes = self.paths_of(file, makers, users)
        return None if routes is None else self._added(file, routes)

    def _added(self, file: int, routes: Shares) -> Loads:
        found: dict[int, Number] = {}
        size = self.costs.sizes[file]
        for route, share in routes:
            amount = size if share == 1 else size * share
            for place, time in self.costs.along(route) or ():
                found[place] = found.get(place, 0) + amount * time
        return found

    def _paths_to(self, file: int, makers: Row, user: int) -> Shares | None:
        for maker in makers:
            if (file, maker, user) in self._given:
                return self._given[file, maker, user]
        routes = [
            route
            for maker in makers
            if (route := self._tables.reference_path(maker, user)) is not None
        ]
        if not routes:
            return None
        return [(min(routes, key=self._length) if len(routes) > 1 else routes[0], Fraction(1))]

    def _length(self, route: ReferencePath) -> tuple[Fraction, int, list[str]]:
        platform = self._tables.platform
        arcs = [platform.arcs[arc] for arc in route]
        names = [platform.processors[arc.source].id for arc in arcs]
        time = sum((arc.unit_time for arc in arcs), Fraction(0))
        return time, len(arcs), names


def placed(tables: MonoTables) -> list[Row]:
    """Give the processors of each task as they were given."""
    index = tables.platform.index_by_id
    mapping = tables.instance.mapping or {}
    return [tuple(sorted(index[name] for name in mapping[task])) for task in tables.tasks]


def transfers(
    tables: MonoTables, path_rule: PathRule, places: Sequence[Row]
) -> tuple[Transfer, ...] | None:
    """List the transfers of a mapping, in the order of the files. None where a file has no route.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    path_rule
        Rule by which files find their routes.
    places
        Positions of the processors that run each task.
    """
    found: list[Transfer] = []
    for f, (k, l, _) in enumerate(tables.files):
        taken = path_rule.paths_of(f, places[k], places[l])
        if taken is None:
            return None
        found += transfers_of(tables, f, taken)
    return tuple(found)


def explain_missing_path(tables: MonoTables, path_rule: PathRule, places: Places) -> str:
    """Say which file has no route; empty where all have one.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    path_rule
        Rule by which files find their routes.
    places
        Positions of the processors that run each task.
    """
    for f, (k, l, _) in enumerate(tables.files):
        if path_rule.paths_of(f, tuple(places[k]), tuple(places[l])) is None:
            names = [tables.platform.processors[i].id for i in (*places[k], *places[l])]
            where = ", ".join(map(repr, dict.fromkeys(names)))
            return (
                f"the file from {tables.tasks[k]!r} to {tables.tasks[l]!r} has no route to where it is"
                f" needed, among {where}: this mapping does nothing, ever"
            )
    return ""
