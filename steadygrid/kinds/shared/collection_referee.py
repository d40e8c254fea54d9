"""A collection of task graphs as its referees see it, derived anew from what was asked."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.application import Task
from steadygrid.kinds.shared.collection import CollectionInstance
from steadygrid.kinds.shared.elimination import eliminate
from steadygrid.verification.network import read_network
from steadygrid.verification.steady import SteadyInstance


def steady_instance(instance: CollectionInstance) -> SteadyInstance:
    """State an instance in the terms of periodic schedules.

    The times are derived anew: `CollectionInstance.times` is what the solvers read.
    """
    speeds: dict[Speed, list[str]] = {}
    for processor in instance.platform.processors:
        speeds.setdefault((processor.unit_time, processor.speed), []).append(processor.id)
    return SteadyInstance(
        read_network(instance.platform, instance.ports),
        {task.id: _times_of(task, speeds) for task in instance.application.tasks},
        {(file.source, file.target): file.size for file in instance.application.files},
    )


Speed = tuple[Fraction | None, Fraction | None]
"""What a processor gives of `unit_time` and `speed`."""


def _times_of(task: Task, speeds: Mapping[Speed, list[str]]) -> dict[str, Fraction]:
    """Give ``times[P]``, or ``work`` over the speed of P, where the task is allowed."""
    found = dict(task.times or {})
    if task.work is not None:
        for speed, names in speeds.items():
            time = _time_of(task.work, *speed)
            if time is not None:
                found.update(dict.fromkeys(names, time))
    if task.allowed is None:
        return found
    allowed = set(task.allowed)
    return {name: time for name, time in found.items() if name in allowed}


def _time_of(work: Fraction, unit_time: Fraction | None, speed: Fraction | None) -> Fraction | None:
    if unit_time is not None:
        return work * unit_time
    return None if speed is None else work / speed


def elimination_order(steady: SteadyInstance) -> list[int]:
    """Order the tasks, by position, so that the referee's tables stay small."""
    position = {task: i for i, task in enumerate(steady.times)}
    pairs = [(position[source], position[target]) for source, target in steady.sizes]
    return eliminate([len(times) for times in steady.times.values()], pairs).order
