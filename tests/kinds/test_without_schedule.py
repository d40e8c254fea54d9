"""Answers without a schedule have every member of their kind, null or empty."""

import doctest

import pytest

import steadygrid.engine.solver
from steadygrid.domain.job import Outcome
from steadygrid.engine.solver import without_schedule
from steadygrid.kinds import PROBLEMS


@pytest.mark.parametrize("kind", PROBLEMS)
def test_what_is_not_known_is_null_or_empty(kind: str) -> None:
    result = PROBLEMS[kind].result
    asked = {"operation": "scatter"} if "operation" in result.model_fields else {}
    answer = without_schedule(result, Outcome.UNKNOWN, "some method", notes=["why"], **asked)
    assert result.model_validate_json(answer.model_dump_json()) == answer
    document = answer.model_dump(mode="json", exclude={"statistics", "speed_up", "plan", "period"})
    told = {name: value for name, value in document.items() if value}
    assert told.pop("certificate")["type"] == "none"
    rest = {"kind": kind, "outcome": "unknown", "method": "some method", "notes": ["why"]}
    assert told == rest | asked


def test_the_example_is_true() -> None:
    failed, attempted = doctest.testmod(steadygrid.engine.solver)
    assert attempted
    assert not failed
