"""What a mapping takes from every resource, kept up to date as tasks move: exact, incremental."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from steadygrid.engine.mapping.tables import ReferencePath, Tables

Number = int | Fraction
Uses = tuple[tuple[int, Number], ...]
"""Resources, and the time that is taken of each."""
Changes = dict[int, Number]
"""By resource, its occupation after a move. What stays as it was may be left out."""

LONGEST_SCALE = 2048
"""Bits; above, a common denominator costs more than it saves and numbers stay fractions."""


class Costs:
    """Exact times of tasks and files, all in one unit in which they are integers.

    Parameters
    ----------
    tables
        The instance.

    Attributes
    ----------
    scale
        Units per time unit of the instance; 1 where the common denominator would be so long
        (above `LONGEST_SCALE` bits) that fractions are faster.
    times
        Of each task on each processor. None where it cannot run.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        rows = [{i: tables.time(k, i) for i in firsts} for k, firsts in enumerate(tables.sorts)]
        per_data = [time for arc in tables.platform.arcs for _, time in tables.arc_uses(arc.index)]
        of_times = lcm(*(time.denominator for row in rows for time in row.values()))
        of_sizes = lcm(*(size.denominator for _, _, size in tables.files))
        self._per_data = lcm(*(time.denominator for time in per_data))
        scale = lcm(of_times, of_sizes * self._per_data)
        if scale.bit_length() > LONGEST_SCALE:
            scale = self._per_data = 1
        self.scale = scale
        self.times: list[list[Number | None]] = [
            [scaled.get(first) for first in tables.instance.sorts]
            for scaled in ({i: _shortest(time * scale) for i, time in row.items()} for row in rows)
        ]
        per_size = Fraction(scale, self._per_data)
        self.sizes: list[Number] = [_shortest(size * per_size) for _, _, size in tables.files]
        self._arc_uses = [
            tuple(
                (place, _shortest(time * self._per_data))
                for place, time in tables.arc_uses(arc.index)
            )
            for arc in tables.platform.arcs
        ]
        self._uses: dict[tuple[int, int], Uses | None] = {}

    def uses(self, source: int, target: int) -> Uses | None:
        """List what the reference route takes per unit of `sizes`. None without a route.

        Parameters
        ----------
        source, target
            Positions of processors.
        """
        pair = (source, target)
        if pair not in self._uses:
            self._uses[pair] = self.along(self.tables.reference_path(source, target))
        return self._uses[pair]

    def along(self, route: ReferencePath | None) -> Uses | None:
        """List what a route takes per unit of `sizes`. None without a route."""
        if route is None:
            return None
        found: dict[int, Number] = {}
        for arc in route:
            for place, time in self._arc_uses[arc]:
                found[place] = found.get(place, 0) + time
        return tuple(sorted(found.items()))


def _shortest(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value


def costs_of(tables: Tables) -> Costs:
    """Give the costs of an instance, computed once."""
    return tables.cached(Costs)


class Occupation:
    """A mapping, whole or in part, and the time that it takes from each resource.

    A file counts once both its tasks are placed. A move costs time in proportion to the tasks
    moved, their files and the lengths of the paths, for every size of the mapping.

    Parameters
    ----------
    costs
        Of the instance.
    mapping
        A processor for each task, None for those that are not placed. Nothing placed by default.

    Raises
    ------
    ValueError
        If a task is where it cannot run, or a file between placed tasks has no route, or limits of
        memory or intervals are not kept.
    """

    def __init__(self, costs: Costs, mapping: Sequence[int | None] | None = None) -> None:
        self.costs = costs
        self.mapping: list[int | None] = [None] * len(costs.tables.tasks)
        self.loads: list[Number] = [0] * len(costs.tables.resources)
        self._limits = costs.tables.limits
        self._held = [] if self._limits is None else self._limits.held(self.mapping)
        if mapping is not None:
            placed = {k: i for k, i in enumerate(mapping) if i is not None}
            changes = self.changes(placed)
            if changes is None:
                raise ValueError("a task or a file of this mapping has no place")
            self.move(placed, changes)

    def changes(self, moves: Mapping[int, int]) -> Changes | None:
        """Give the occupation after a move, of the resources that it concerns.

        Parameters
        ----------
        moves
            The new processor of each task that is moved or placed.

        Returns
        -------
        None where a task cannot run on its processor, a file would have no route, or the limits
        would not be kept.
        """
        if not self.allows(moves):
            return None
        costs, mapping = self.costs, self.mapping
        tables = costs.tables
        found: Changes = {}
        loads = self.loads
        files: set[int] = set()
        for task, target in moves.items():
            times = costs.times[task]
            gained = times[target]
            if gained is None:
                return None
            source = mapping[task]
            if source == target:
                continue
            if source is not None:
                lost = times[source]
                assert lost is not None
                found[source] = found.get(source, loads[source]) - lost
            found[target] = found.get(target, loads[target]) + gained
            files.update(tables.incoming[task])
            files.update(tables.outgoing[task])
        for file in files:
            k, m, _ = tables.files[file]
            before, after = mapping[k], mapping[m]
            start, end = moves.get(k, before), moves.get(m, after)
            if start is None or end is None:
                continue
            size = costs.sizes[file]
            if before is not None and after is not None and before != after:
                for place, time in costs.uses(before, after) or ():
                    found[place] = found.get(place, loads[place]) - size * time
            if start != end:
                uses = costs.uses(start, end)
                if uses is None:
                    return None
                for place, time in uses:
                    found[place] = found.get(place, loads[place]) + size * time
        return found

    def allows(self, moves: Mapping[int, int]) -> bool:
        """Tell whether memory and intervals allow a move, apart from all else."""
        return self._limits is None or self._limits.allow(self.mapping, self._held, moves)

    @property
    def limited(self) -> bool:
        """Whether there are limits of memory or intervals."""
        return self._limits is not None

    def move(self, moves: Mapping[int, int], changes: Changes) -> None:
        """Make a move whose `changes` are known.

        Parameters
        ----------
        moves
            By task, the processor it goes to.
        changes
            By resource, its load after the move, as `changes` gives them.
        """
        for task, target in moves.items():
            self.mapping[task] = target
        if self._limits is not None:
            self._held = self._limits.held(self.mapping)
        for place, load in changes.items():
            self.loads[place] = load

    def compare(self, first: Changes, second: Changes) -> int:
        """Compare two moves by their sorted occupations, the longest first.

        Only resources on which the two differ are looked at: equal values on both sides never
        change which of two sorted sequences is smaller.

        Parameters
        ----------
        first, second
            By resource, its load after the move, as `changes` gives them.

        Returns
        -------
        Negative where the first is better, positive where the second is, 0 where they are equal.
        """
        loads = self.loads
        left: list[Number] = []
        right: list[Number] = []
        for place in first.keys() | second.keys():
            one, other = first.get(place, loads[place]), second.get(place, loads[place])
            if one != other:
                left.append(one)
                right.append(other)
        left.sort(reverse=True)
        right.sort(reverse=True)
        return (left > right) - (left < right)

    def longest(self, changes: Changes | None = None) -> Number:
        """Give the longest occupation, after a move if there is one."""
        if not changes:
            return max(self.loads)
        rest = (load for place, load in enumerate(self.loads) if place not in changes)
        return max(max(changes.values()), max(rest, default=0))

    @property
    def period(self) -> Fraction:
        """The longest occupation in time units of the instance."""
        return Fraction(self.longest()) / self.costs.scale

    def complete(self) -> list[int]:
        """Give the whole mapping. Every task must be placed."""
        return [place for place in self.mapping if place is not None]
