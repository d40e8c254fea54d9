"""Schedules of examples and small bodies as the simulator reads them."""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.parts import Period, period_of
from steadygrid.engine.executions.steps import seen_of
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission
from tests.solved import solve


class Seen(NamedTuple):
    """A schedule, and its operations."""

    schedule: Schedule
    period: Period


def example(kind: str, ports: str) -> dict[str, Any]:
    """Give the example of a kind under a port model."""
    body = deepcopy(dict(PROBLEMS[kind].example))
    body["problem"]["ports"] = ports
    return body


def pair(work: Any, size: Any, **task: Any) -> dict[str, Any]:
    """Give a master that computes nothing, and one worker, both of speed 1."""
    platform = {
        "processors": [{"id": "M"}, {"id": "W", "unit_time": 1}],
        "links": [{"source": "M", "target": "W", "unit_time": 1}],
    }
    return {
        "problem": {
            "kind": "master_worker",
            "platform": platform,
            "master": "M",
            "task": {"work": work, "input_size": size} | task,
        }
    }


def seen(body: Mapping[str, Any], **options: Any) -> Seen:
    """Solve a body and list what a period of its schedule does."""
    return _seen(json.dumps(body), json.dumps(options))


@cache
def _seen(written: str, options: str) -> Seen:
    body = json.loads(written)
    answer = solve(body, **json.loads(options))
    problem = PROBLEMS[body["problem"]["kind"]]
    instance = parse_submission(body, Limits()).instance
    assert problem.views is not None
    views = problem.views(instance, answer.result)
    return Seen(answer.schedule, period_of(answer.schedule, seen_of(views)))
