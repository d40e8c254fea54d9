"""What people are told about an answer of `bag_of_tasks`."""

from dataclasses import replace

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import View
from steadygrid.problems.bag_of_tasks.schemas import BagOfTasksInstance, BagOfTasksResult
from steadygrid.problems.headlines import periodic_view


def view(
    instance: BagOfTasksInstance,
    options: Options,
    result: BagOfTasksResult,
    schedule: Schedule | None,
) -> View:
    """Say how many tasks are done how often, of which classes where there are several."""
    seen = periodic_view(instance, schedule, [one.name for one in instance.classes], noun="task")
    cost = (
        "What a task uses is worth at least 1 on the average of all tasks, even if each class is"
        " computed where it is cheapest"
    )
    return replace(seen, cost=cost)
