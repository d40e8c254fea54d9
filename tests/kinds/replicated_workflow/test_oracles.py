"""The published examples of replicated workflows."""

from fractions import Fraction
from typing import Any

import pytest

from tests.kinds.replicated_workflow.workflows import (
    example_a,
    example_b,
    skip_edge,
    workflow,
)
from tests.solved import solve

A_STRICT = Fraction(692, 3)


@pytest.mark.parametrize(
    ("body", "period", "mct", "resource"),
    [
        (example_a("one_port"), 189, 189, "S1.0.send"),
        (example_a("no_overlap"), A_STRICT, Fraction(1295, 6), None),
        (example_b(), Fraction(875, 3), Fraction(775, 3), None),
        (skip_edge(), Fraction(11, 2), 4, None),
        (workflow({"S": [6, 3, 10]}, {}), Fraction(10, 3), Fraction(10, 3), "S.2.compute"),
    ],
)
def test_published_periods(
    body: dict[str, Any], period: Fraction, mct: Fraction, resource: str | None
) -> None:
    result = solve(body).result
    assert result.outcome == "optimal"
    assert result.objective.value == 1 / Fraction(period)
    assert (result.period, result.mct, result.critical_resource) == (period, mct, resource)


def test_example_a_is_held_up_by_its_third_processor_without_overlap() -> None:
    """Its labels: the second processor of the second stage is P3."""
    result = solve(example_a("no_overlap")).result
    busiest = result.occupation[0]
    assert (busiest.resource, busiest.time) == ("S2.1.port", Fraction(1295, 6))
    assert busiest.receive + busiest.compute + busiest.send == busiest.time


def test_the_cycle_of_example_b_turns_between_senders_and_receivers() -> None:
    result = solve(example_b()).result
    senders = {step.place[0] for step in result.critical_cycle}
    receivers = {step.place[1] for step in result.critical_cycle}
    assert len(senders) > 1
    assert len(receivers) > 1
    assert result.time == result.length * Fraction(875, 3)


def test_the_busiest_resource_explains_a_period_that_is_all_its_work() -> None:
    result = solve(example_a("one_port")).result
    steps = [(step.operation, step.place, step.data_set) for step in result.critical_cycle]
    assert steps == [
        (("S1", "S2"), ("S1.0", "S2.0"), 0),
        (("S1", "S2"), ("S1.0", "S2.1"), 1),
    ]
    assert result.length == 2
