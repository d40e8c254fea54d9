"""Allocations as columns of the master program."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from steadygrid.domain.schedule import Transfer
from steadygrid.engine.allocations.network import (
    Distances,
    Floats,
    Network,
)
from steadygrid.engine.scheduling import Plan
from steadygrid.kinds.shared.collection import CollectionInstance
from steadygrid.kinds.shared.routes import Path


@dataclass(frozen=True)
class Column:
    """One allocation: where each task runs and which route each file takes.

    Attributes
    ----------
    places
        By task, its processor.
    paths
        By file, the arcs it crosses. None where it stays.
    uses
        By resource, the time that one instance takes of it; exact, zeros left out.
    """

    places: tuple[int, ...]
    paths: tuple[Path, ...]
    uses: dict[int, Fraction] = field(compare=False, repr=False)

    def price(self, prices: Floats) -> float:
        """Price one instance in floats."""
        return float(sum(float(time) * prices[resource] for resource, time in self.uses.items()))

    def plan(self, instance: CollectionInstance, rate: Fraction) -> Plan:
        """Give the allocation its rate, in the terms of the shared reconstruction.

        Parameters
        ----------
        instance
            The one that the column was made for. It names tasks and processors.
        rate
            Instances per time unit.
        """
        platform = instance.platform
        ids = [processor.id for processor in platform.processors]
        tasks = [task.id for task in instance.application.tasks]
        transfers = []
        for (source, target, _), path in zip(instance.files, self.paths, strict=True):
            if path:
                steps = [platform.arcs[path[0]].source]
                steps += [platform.arcs[arc].target for arc in path]
                transfers.append(
                    Transfer(
                        (tasks[source], tasks[target]),
                        tuple(ids[step] for step in steps),
                        Fraction(1),
                    )
                )
        return Plan(
            rate,
            {task: (ids[place],) for task, place in zip(tasks, self.places, strict=True)},
            tuple(transfers),
        )


class ColumnMaker:
    """Adds up exactly what one instance of an allocation takes of every resource.

    In integers: each resource has a unit that divides every time spent on it.
    """

    def __init__(self, instance: CollectionInstance, network: Network) -> None:
        self._instance = instance
        self._uses = network.uses
        denominators: list[set[int]] = [{1} for _ in network.resources]
        for times in instance.times:
            for place, time in enumerate(times):
                if time is not None:
                    denominators[place].add(time.denominator)
        for uses in network.uses:
            for resource, time in uses:
                denominators[resource].add(time.denominator)
        sizes = lcm(*(size.denominator for _, _, size in instance.files))
        self._units = [lcm(*found) * sizes for found in denominators]
        self._of_files: list[dict[int, list[tuple[int, int]]]] = [{} for _ in instance.files]

    def make(self, places: Sequence[int], paths: Sequence[Path]) -> Column:
        """Make a column of the place of each task and the path of each file.

        Parameters
        ----------
        places
            By task, the processor that runs it.
        paths
            By file, the arcs that it takes in order. None where it stays.

        Raises
        ------
        ValueError
            If a task is placed where it cannot run.
        """
        taken: Counter[int] = Counter()
        for times, place in zip(self._instance.times, places, strict=True):
            time = times[place]
            if time is None:
                raise ValueError("a task is placed where it cannot run")
            if time:
                amount = time.numerator * (self._units[place] // time.denominator)
                taken[place] += amount
        for file, path in enumerate(paths):
            for arc in path:
                for resource, amount in self._crossing(file, arc):
                    taken[resource] += amount
        return Column(
            tuple(places),
            tuple(paths),
            {resource: Fraction(t, self._units[resource]) for resource, t in taken.items()},
        )

    def _crossing(self, file: int, arc: int) -> list[tuple[int, int]]:
        known = self._of_files[file]
        if arc not in known:
            size = self._instance.files[file][2]
            known[arc] = [
                (resource, int(size * time * self._units[resource]))
                for resource, time in self._uses[arc]
                if size
            ]
        return known[arc]


def make_column(
    instance: CollectionInstance,
    network: Network,
    places: Sequence[int],
    paths: Sequence[Path],
) -> Column:
    """Make one column; `ColumnMaker` is faster for several.

    Parameters
    ----------
    instance
        Times of tasks, and files.
    network
        Resources and their units.
    places
        By task, the processor that runs it.
    paths
        By file, the arcs that it takes in order. None where it stays.
    """
    return ColumnMaker(instance, network).make(places, paths)


def cheapest_paths(
    files: Iterable[tuple[int, int, Fraction]],
    distances: Iterable[Distances],
    places: Sequence[int],
) -> list[Path]:
    """Give each file its cheapest path at the prices of its distances.

    Parameters
    ----------
    files
        Producer and user of each, by position, and the size.
    distances
        By file, costs of one unit of data between processors.
    places
        By task, the processor that runs it.
    """
    return [
        here.path(places[source], places[target])
        for (source, target, _), here in zip(files, distances, strict=True)
    ]
