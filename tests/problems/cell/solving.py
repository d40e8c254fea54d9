"""Cell problems through the whole pipeline, in process."""

from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import parse_submission
from workers.pipeline import Answer, run
from workers.solving.control import Control


def solve(body: dict[str, Any], seconds: float | None = None, **options: Any) -> Answer:
    """Run a body through the whole pipeline, the referee included.

    Parameters
    ----------
    seconds
        Until the time is over; None for the time limit of the options.
    options
        Added to those of the body.
    """
    submission = parse_submission(body | {"options": body.get("options", {}) | options}, Limits())
    seconds = submission.options.time_limit if seconds is None else seconds
    answer = run(submission, Control(seconds), Limits())
    assert answer.result.verified
    return answer
