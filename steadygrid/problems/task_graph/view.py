"""What people are told about an answer of `task_graph`."""

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import View
from steadygrid.problems.headlines import doubled, noun_of, periodic_headline
from steadygrid.problems.task_graph.schemas import TaskGraphInstance, TaskGraphResult


def view(
    instance: TaskGraphInstance,
    options: Options,
    result: TaskGraphResult,
    schedule: Schedule | None,
) -> View:
    """Say how many instances are done how often; all else is in envelope and schedule."""
    tasks = tuple(task.id for task in instance.application.tasks)
    noun = noun_of(len(tasks))
    return View(
        instance.platform,
        instance.ports,
        instance.file_sizes,
        noun,
        tasks,
        headline=periodic_headline(schedule, noun),
        doubled=doubled(instance.ports, fixed_routes=instance.routing == "fixed"),
    )
