"""The files in `examples` are what the documents say they are."""

from fractions import Fraction
from pathlib import Path

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.domain.job import Outcome, Proof
from tests.solved import solve
from tests.tree import ROOT

EXAMPLES = ROOT / "examples"
THROUGHPUT = {
    "rr4870-figure-3": Fraction(21, 40),
    "rr4870-figure-3-latencies": Fraction(21, 40),
    "rr4870-figure-9": Fraction(1),
    "rr4872-figure-2-scatter": Fraction(1, 2),
    "two-boxes-allgather": Fraction(65, 3),
    "three-sites-broadcast": Fraction(3, 100),
    "triangle-no-overlap": Fraction(1, 6),
    "triangle-one-allocation": Fraction(1, 5),
    "file-server-two-cards": Fraction(11, 12),
    "star": Fraction(13, 15),
    "bags-of-two-kinds": Fraction(2),
    "shared-wide-area-link": Fraction(92, 15),
    "microscope": Fraction(1, 10),
    "replicated-workflow": Fraction(3, 692),
}
MAKESPAN = {
    "divisible-load-on-a-star": Fraction(32, 17),
    "divisible-load-with-latencies": Fraction(60, 7),
    "divisible-load-with-results": Fraction(10382, 789),
    "divisible-load-on-a-tree-with-results": Fraction(91, 24),
}
LOSS = {"rr4870-figure-3-latencies": Fraction(3, 323)}
"""Of latencies that are paid."""


def bodies() -> list[Path]:
    return sorted(p for p in EXAMPLES.glob("*.json") if "platform" not in p.stem)


@pytest.mark.parametrize("name", sorted(THROUGHPUT))
def test_an_example_is_solved_to_its_known_optimum(name: str) -> None:
    body = parse_json((EXAMPLES / f"{name}.json").read_bytes())
    answer = solve(body)
    assert answer.result.outcome is Outcome.OPTIMAL
    assert answer.result.objective is not None
    assert answer.result.objective.value == THROUGHPUT[name]
    assert answer.result.warnings == []
    assert answer.schedule is not None
    assert answer.schedule.throughput == (1 - LOSS.get(name, 0)) * THROUGHPUT[name]


@pytest.mark.parametrize("name", sorted(MAKESPAN))
def test_an_example_is_done_as_early_as_is_known(name: str) -> None:
    answer = solve(parse_json((EXAMPLES / f"{name}.json").read_bytes()))
    assert answer.result.outcome is Outcome.OPTIMAL
    assert answer.result.makespan == MAKESPAN[name]
    assert answer.result.proof is Proof.EXACT


def test_policies_are_compared_on_the_example_of_two_kinds() -> None:
    answer = solve(parse_json((EXAMPLES / "bags-on-demand.json").read_bytes()))
    mean = {row.policy: row.mean for row in answer.result.comparison}
    assert mean["on_demand"] < Fraction(2, 5)
    assert mean["dispatch"] == Fraction(2000, 1001)
