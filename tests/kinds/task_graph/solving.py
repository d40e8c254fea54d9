"""Task graphs through the whole pipeline."""

from typing import Any

from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from tests import solved
from tests.solved import Solved


def solve(
    instance: TaskGraphInstance, method: str, seconds: float | None = None, **options: Any
) -> Solved:
    """Solve an instance by a method; the time is over after the seconds, if any are given."""
    problem = instance.model_dump(mode="json", exclude_none=True) | {"method": method}
    answer = solved.solve({"problem": problem}, seconds, **options)
    assert answer.result.method == method
    return answer
