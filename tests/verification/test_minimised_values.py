"""A bound of what is minimised lies below its value."""

from fractions import Fraction
from typing import NamedTuple

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, Result, relative_gap
from steadygrid.domain.timeline import Timeline
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.findings import Findings

F = Fraction


class Answer(Result):
    certificate: DualityCertificate


class Asked(NamedTuple):
    kind: str
    method: str


def codes(name: str, value: Fraction, bound: Fraction, outcome: Outcome) -> list[str]:
    result = Answer(
        kind="kind",
        outcome=outcome,
        method="method",
        objective=Objective(name=name, value=value, approx=float(value)),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(value, bound),
        certificate=DualityCertificate(),
    )
    findings = Findings()
    asked = Asked(kind="kind", method="method")
    once = Timeline("one_port", value, ())
    check_envelope(asked, result, once, findings, optimised=name)
    return [fault.code for fault in findings.faults]


@pytest.mark.parametrize("name", ["makespan", "mean_completion", "weighted_flow"])
def test_what_is_minimised_may_be_above_its_bound_but_not_below(name: str) -> None:
    assert codes(name, F(3), F(2), Outcome.FEASIBLE) == []
    assert codes(name, F(2), F(2), Outcome.OPTIMAL) == []
    assert codes(name, F(3), F(2), Outcome.OPTIMAL) == ["not_optimal"]
    assert codes(name, F(2), F(3), Outcome.FEASIBLE) == ["below_bound"]


def test_what_is_maximised_may_be_below_its_bound_but_not_above() -> None:
    assert codes("throughput", F(2), F(3), Outcome.FEASIBLE) == []
    assert codes("throughput", F(3), F(2), Outcome.FEASIBLE) == ["above_bound"]
