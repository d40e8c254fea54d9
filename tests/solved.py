"""Bodies through the whole pipeline, in this process, the referee included."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission


class Solved(NamedTuple):
    """An answer whose types are those of the kind that was asked."""

    result: Any
    schedule: Any


def solve(
    body: Mapping[str, Any],
    seconds: float | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Solved:
    """Solve a body and let the referee judge the answer.

    Parameters
    ----------
    seconds
        Until the time is over; None for the time limit of the options.
    options
        Added to those of the body.
    """
    limits = limits or Limits()
    submission = parse_submission({**body, "options": body.get("options", {}) | options}, limits)
    seconds = submission.options.time_limit if seconds is None else seconds
    answer = run(submission, Control(seconds), limits)
    assert answer.result.verified
    return Solved(*answer)
