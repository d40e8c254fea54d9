"""Task graphs through the whole pipeline, in process."""

from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import parse_submission
from steadygrid.problems.task_graph.schemas import TaskGraphInstance
from workers.pipeline import Answer, run
from workers.solving.control import Control


def solve(
    instance: TaskGraphInstance, method: str, seconds: float | None = None, **options: Any
) -> Answer:
    """Run an instance by a method through the whole pipeline, the referee included.

    Parameters
    ----------
    seconds
        Until the time is over; None for the time limit of the options.
    """
    body = {
        "problem": instance.model_dump(mode="json", exclude_none=True) | {"method": method},
        "options": options,
    }
    limits = Limits()
    submission = parse_submission(body, limits)
    seconds = submission.options.time_limit if seconds is None else seconds
    answer = run(submission, Control(seconds), limits)
    assert answer.result.verified
    assert answer.result.method == method
    return answer
