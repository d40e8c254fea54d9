"""The exact referee of `task_graph`; shares no code with what solves it."""

from app.domain.job import Options
from app.domain.schedule import Schedule
from app.problems.task_graph.schemas import TaskGraphInstance, TaskGraphResult


def validate(
    instance: TaskGraphInstance,
    options: Options,
    result: TaskGraphResult,
    schedule: Schedule | None,
) -> None:
    """Accept everything, for now."""
