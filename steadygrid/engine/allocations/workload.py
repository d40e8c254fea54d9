"""A collection of task graphs in the terms of the shared reconstruction."""

from fractions import Fraction

from steadygrid.engine.scheduling import Workload
from steadygrid.kinds.shared.collection import CollectionInstance


def workload_of(instance: CollectionInstance) -> Workload:
    """State an instance as reconstruction reads it."""
    tasks, processors = instance.task_index, instance.platform.index_by_id

    def task_time(task: str, processor: str) -> Fraction:
        time = instance.times[tasks[task]][processors[processor]]
        if time is None:
            raise KeyError(f"{processor} cannot run {task}")
        return time

    return Workload(instance.platform, instance.ports, task_time, instance.file_sizes)
