"""The stages of a workflow, as admission and solvers read them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import lcm

from steadygrid.domain.application import Task
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from steadygrid.kinds.shared.collection import able_processors, instant_processors, working

Stages = Sequence[Sequence[str]]
"""The tasks of each stage, in the order in which the stages are listed."""


def listed_stages(instance: ReplicatedWorkflowInstance) -> Stages:
    """Give the stages of an instance: of its mapping, as they are asked, or each task alone."""
    if instance.mapping is not None:
        return [stage.tasks for stage in instance.mapping]
    if instance.stages is not None:
        return instance.stages
    return [(task.id,) for task in instance.application.tasks]


def place_of_stages(instance: ReplicatedWorkflowInstance) -> str:
    """Name the member of an instance that lists its stages."""
    if instance.mapping is not None:
        return "mapping"
    return "application" if instance.stages is None else "stages"


def is_order_searched(instance: ReplicatedWorkflowInstance) -> bool:
    """Tell whether orders of service and lags are searched: where it is asked, or by default."""
    if instance.order is None:
        return instance.mapping is None
    return instance.order == "searched"


def stage_by_task(stages: Stages) -> dict[str, int]:
    """Give the stage of each task."""
    return {task: k for k, tasks in enumerate(stages) for task in tasks}


def stage_names(instance: ReplicatedWorkflowInstance, stages: Stages) -> list[str]:
    """Name each stage by its first task in the order of the application.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    stages
        Tasks of each stage, in the order in which stages are listed.
    """
    return [min(tasks, key=instance.task_index.__getitem__) for tasks in stages]


def files_between(
    instance: ReplicatedWorkflowInstance, stages: Stages
) -> dict[tuple[int, int], list[int]]:
    """List, by sending and receiving stage, the files that leave a stage, by their position.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    stages
        Tasks of each stage, in the order in which stages are listed.
    """
    stage = stage_by_task(stages)
    found: dict[tuple[int, int], list[int]] = {}
    for i, file in enumerate(instance.application.files):
        ends = stage[file.source], stage[file.target]
        if ends[0] != ends[1]:
            found.setdefault(ends, []).append(i)
    return found


def tasks_of(instance: ReplicatedWorkflowInstance, names: Iterable[str]) -> Iterator[Task]:
    """Give some tasks by their names.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    names
        Of tasks that there are.
    """
    index = instance.task_index
    return (instance.application.tasks[index[name]] for name in names)


def able_on_all(instance: ReplicatedWorkflowInstance, stages: Stages) -> list[AbstractSet[str]]:
    """Name, for each stage, the processors that can run all of its tasks.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    stages
        Tasks of each stage, in the order in which stages are listed.
    """
    anywhere = working(instance.platform)
    found: list[AbstractSet[str]] = []
    for tasks in stages:
        sets = [able_processors(task, anywhere) for task in tasks_of(instance, tasks)]
        common = min(sets, key=len)
        for here in sets:
            common = common if here is common else common & here
        found.append(common)
    return found


def instant_on_all(instance: ReplicatedWorkflowInstance, stages: Stages) -> list[set[str]]:
    """Name, for each stage, the processors that run all of its tasks in no time.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    stages
        Tasks of each stage, in the order in which stages are listed.
    """
    instant = instant_processors(instance)
    index = instance.task_index
    return [set.intersection(*(instant[index[task]] for task in tasks)) for tasks in stages]


def stage_times(
    instance: ReplicatedWorkflowInstance, tasks: Iterable[str], processors: Sequence[str]
) -> list[Fraction]:
    """Give the time of a stage on each of some processors that can run it.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    tasks
        Names of the tasks of the stage.
    processors
        Names of processors that can run all of them.
    """
    work = Fraction(0)
    tables: list[Mapping[str, Fraction]] = []
    for task in tasks_of(instance, tasks):
        if task.times is not None:
            tables.append(task.times)
        else:
            work += 0 if task.work is None else task.work
    platform = instance.platform
    found: list[Fraction] = []
    for name in processors:
        speed = platform.processors[platform.index_by_id[name]].time_per_work
        time = work * speed if speed is not None else Fraction(0)
        found.append(sum((table[name] for table in tables), time))
    return found


def most_copies(instance: ReplicatedWorkflowInstance, tasks: Iterable[str]) -> int | None:
    """Give the most processors that a stage may have. None: any number.

    Parameters
    ----------
    instance
        Its platform and application have no faults.
    tasks
        Names of the tasks of the stage.
    """
    most = instance.max_replicas
    if most is None or isinstance(most, int):
        return most
    return min((most[task] for task in tasks if task in most), default=None)


def rows_of(copies: Iterable[int]) -> int:
    """Give after how many data sets all processors have their first turn again."""
    return lcm(*copies)


def num_nodes(copies: Sequence[int], between: Mapping[tuple[int, int], Sequence[int]]) -> int:
    """Count operations by residue: each by the least number of data sets after which it repeats.

    Parameters
    ----------
    copies
        Of each stage.
    between
        By sending and receiving stage, the files that leave a stage.
    """
    return sum(copies) + sum(
        len(files) * lcm(copies[k], copies[l]) for (k, l), files in between.items()
    )
