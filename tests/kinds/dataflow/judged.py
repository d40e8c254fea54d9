"""What the referee says of an answer, and answers in which one thing is changed."""

import dataclasses
from fractions import Fraction
from typing import Any

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.kinds.dataflow.schemas import (
    DataflowInstance,
)
from steadygrid.kinds.dataflow.validator import validate
from tests.kinds.dataflow.unfolded import Answer, answer

F = Fraction
R = "result"
CIRCUIT = f"{R}/critical_circuit"


def codes(given: Answer) -> list[tuple[str, str]]:
    """List code and place of what the referee finds."""
    try:
        validate(*given)
    except InvalidScheduleError as refused:
        found = refused.faults
    else:
        return []
    assert all(fault.detail.endswith(".") for fault in found)
    return [(fault.code, "/".join(map(str, fault.pointer))) for fault in found]


def built(instance: DataflowInstance, turns: dict[str, int] | None = None) -> Answer:
    found = answer(instance, turns)
    assert found is not None
    return found


def with_result(given: Answer, **changed: Any) -> Answer:
    return given._replace(result=given.result.model_copy(update=changed))


def with_row(given: Answer, at: int, **changed: Any) -> Answer:
    assert given.schedule is not None
    rows = list(given.schedule.rows)
    rows[at] = rows[at]._replace(**changed)
    return given._replace(schedule=dataclasses.replace(given.schedule, rows=tuple(rows)))


def with_step(given: Answer, at: int, **changed: Any) -> Answer:
    steps = list(given.result.critical_circuit or ())
    steps[at] = steps[at].model_copy(update=changed)
    return with_result(given, critical_circuit=steps)
