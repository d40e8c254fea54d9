"""What the whole pipeline finds for grids of masters and workers."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.limits import Limits
from tests import solved
from tests.solved import Solved


def solve(body: dict[str, Any], limits: Limits | None = None, **problem: Any) -> Solved:
    """Solve a body, some members of its problem replaced."""
    return solved.solve(body | {"problem": body["problem"] | problem}, limits=limits)


def throughput(body: dict[str, Any], **problem: Any) -> Fraction:
    """Give the throughput of an instance whose optimum must be proved."""
    result = solve(body, **problem).result
    assert result.outcome == "optimal"
    assert result.objective is not None
    return result.objective.value
