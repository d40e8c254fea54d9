"""Chains of loads, and what the whole pipeline finds for them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from steadygrid.kinds.divisible_chain.schemas import DivisibleChainResult
from tests.solved import solve

Number = Fraction | int | str


def body(
    speeds: Sequence[Number | None],
    bandwidths: Sequence[Number],
    loads: Sequence[tuple[Number, Number]],
    installments: int | None = None,
    **problem: Any,
) -> dict[str, Any]:
    """Write a chain P1, P2, ... with loads L1, L2, ... of (communication, computation)."""
    counted = {} if installments is None else {"installments": installments}
    return {
        "problem": {
            "kind": "divisible_chain",
            "platform": {
                "processors": [
                    {"id": f"P{i}"} | ({} if speed is None else {"speed": str(speed)})
                    for i, speed in enumerate(speeds, start=1)
                ],
                "links": [
                    {"source": f"P{i}", "target": f"P{i + 1}", "bandwidth": str(bandwidth)}
                    for i, bandwidth in enumerate(bandwidths, start=1)
                ],
            },
            "loads": [
                {"id": f"L{k}", "communication_volume": str(comm), "computation_volume": str(comp)}
                | counted
                for k, (comm, comp) in enumerate(loads, start=1)
            ],
        }
        | problem
    }


def two_equal(lambda_: Number, installments: int | None = 1, **problem: Any) -> dict[str, Any]:
    """Write the thesis' example: two processors of speed 1/lambda, two equal loads."""
    speed = 1 / Fraction(lambda_)
    return body([speed, speed], [1], [(1, 1), (1, 1)], installments, **problem)


def result_of(document: dict[str, Any], **options: Any) -> DivisibleChainResult:
    """Give the result alone."""
    result = solve(document, **options).result
    assert isinstance(result, DivisibleChainResult)
    return result


def optimum(document: dict[str, Any]) -> Fraction:
    """Give the certified optimum."""
    result = result_of(document)
    assert result.outcome == "optimal"
    assert result.gap == 0
    assert result.objective is not None
    return result.objective.value
