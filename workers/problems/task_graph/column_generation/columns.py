"""Allocations as columns of the master program."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from app.domain.schedule import Transfer
from app.problems.task_graph.schemas import TaskGraphInstance
from workers.problems.task_graph.column_generation.network import Distances, Network, Path
from workers.scheduling import Plan


@dataclass(frozen=True)
class Column:
    """One allocation: where each task runs and which way each file takes.

    Attributes
    ----------
    places
        By task, its processor.
    paths
        By file, the arcs it crosses; none where it stays.
    uses
        By resource, the time that one instance takes of it; exact, zeros left out.
    """

    places: tuple[int, ...]
    paths: tuple[Path, ...]
    uses: dict[int, Fraction] = field(compare=False, repr=False)

    def plan(self, instance: TaskGraphInstance, rate: Fraction) -> Plan:
        """Give the allocation its rate, in the terms of the shared reconstruction."""
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
            {task: ids[place] for task, place in zip(tasks, self.places, strict=True)},
            tuple(transfers),
        )


def make_column(
    instance: TaskGraphInstance,
    network: Network,
    places: Sequence[int],
    paths: Sequence[Path],
) -> Column:
    """Add up exactly what one instance of an allocation takes of every resource."""
    uses: dict[int, Fraction] = {}
    for times, place in zip(instance.times, places, strict=True):
        time = times[place]
        if time is None:
            raise ValueError("a task is placed where it cannot run")
        if time:
            uses[place] = uses[place] + time if place in uses else time
    crossing: dict[int, Fraction] = {}
    for (_, _, size), path in zip(instance.files, paths, strict=True):
        if size:
            for arc in path:
                crossing[arc] = crossing[arc] + size if arc in crossing else size
    for arc, data in crossing.items():
        for resource, time in network.uses[arc]:
            amount = data * time
            uses[resource] = uses[resource] + amount if resource in uses else amount
    return Column(tuple(places), tuple(paths), uses)


def cheapest_ways(
    instance: TaskGraphInstance, distances: Distances, places: Sequence[int]
) -> list[Path]:
    """Give each file its cheapest path at the prices of the distances."""
    return [
        distances.path(places[source], places[target]) for source, target, _ in instance.files
    ]


def float_uses(column: Column, num_resources: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Give the uses as a dense row of floats."""
    row = np.zeros(num_resources)
    for resource, time in column.uses.items():
        row[resource] = float(time)
    return row
