"""Answers of the whole pipeline, the referee included, and what its own numbers say."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.job import Outcome
from tests.kinds.layer_pipeline.enumeration import Numbers, Stage, least_period, plans
from tests.solved import Solved, solve


def least_of_all(document: dict[str, Any]) -> Fraction | None:
    """Give the least period of all plans, by enumeration; None where no plan fits."""
    numbers = Numbers(document["problem"])
    found = [least_period(numbers, plan) for plan in plans(numbers)]
    return min((period for period in found if period is not None), default=None)


def least_of(document: dict[str, Any], solved: Solved) -> Fraction | None:
    """Give the least period of the plan that was found, by enumeration."""
    asked = document["problem"]
    names = [layer["id"] for layer in asked["layers"]]
    device_types = [device_type["id"] for device_type in asked["devices"]]
    plan = tuple(
        Stage(
            names.index(stage.layers[0]),
            names.index(stage.layers[1]) + 1,
            device_types.index(stage.device),
            stage.replicas,
        )
        for stage in solved.result.stages
    )
    return least_period(Numbers(asked), plan)


def period(document: dict[str, Any]) -> Fraction | None:
    """Solve to the end; give the period, None where no plan fits."""
    result, _ = solve(document)
    if result.outcome is Outcome.INFEASIBLE:
        return None
    assert result.outcome is Outcome.OPTIMAL
    assert result.bound.exact
    return Fraction(result.period)
