"""A collection of task graphs as its referees see it, derived anew from what was asked."""

from fractions import Fraction

from steadygrid.domain.application import Task
from steadygrid.domain.platform import Platform
from steadygrid.problems.collection import CollectionInstance
from steadygrid.problems.elimination import eliminate
from steadygrid.verification.network import read_network
from steadygrid.verification.steady import SteadyInstance


def steady_instance(instance: CollectionInstance) -> SteadyInstance:
    """State an instance in the terms of periodic schedules.

    The times are derived anew: `CollectionInstance.times` is what the solvers read.
    """
    return SteadyInstance(
        read_network(instance.platform, instance.ports),
        {task.id: _times_of(task, instance.platform) for task in instance.application.tasks},
        {(file.source, file.target): file.size for file in instance.application.files},
    )


def _times_of(task: Task, platform: Platform) -> dict[str, Fraction]:
    """Give ``times[P]``, or ``work`` over the speed of P, where the task is allowed."""
    found = dict(task.times or {})
    if task.work is not None:
        for processor in platform.processors:
            if processor.unit_time is not None:
                found[processor.id] = task.work * processor.unit_time
            elif processor.speed is not None:
                found[processor.id] = task.work / processor.speed
    if task.allowed is None:
        return found
    allowed = set(task.allowed)
    return {name: time for name, time in found.items() if name in allowed}


def elimination_order(steady: SteadyInstance) -> list[int]:
    """Order the tasks, by position, so that the referee's tables stay small."""
    position = {task: i for i, task in enumerate(steady.times)}
    pairs = [(position[source], position[target]) for source, target in steady.sizes]
    return eliminate([len(times) for times in steady.times.values()], pairs).order
