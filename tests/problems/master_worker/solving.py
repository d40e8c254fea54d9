"""How the tests of this kind solve: the whole pipeline, in process."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import parse_submission
from workers.pipeline import Answer, run
from workers.solving.control import Control


def solve(body: dict[str, Any], limits: Limits | None = None, **problem: Any) -> Answer:
    """Run a body, some members of its problem replaced, through the whole pipeline."""
    body = body | {"problem": body["problem"] | problem}
    limits = limits or Limits()
    submission = parse_submission(body, limits)
    answer = run(submission, Control(submission.options.time_limit), limits)
    assert answer.result.verified
    return answer


def throughput(body: dict[str, Any], **problem: Any) -> Fraction:
    """Give the throughput of an instance whose optimum must be proved."""
    result = solve(body, **problem).result
    assert result.outcome == "optimal"
    assert result.objective is not None
    return result.objective.value
