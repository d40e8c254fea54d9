"""The thesis' example and the two counterexamples, compared exactly."""

import random
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from tests.kinds.divisible_chain.solving import body, optimum, result_of, two_equal
from tests.kinds.told import facts_of

F = Fraction

TABLE = {
    "1/2": ("7/10", "31/46", "127/190"),
    "3/4": ("111/116", "2343/2612", "42591/48596"),
    "1": ("6/5", "10/9", "14/13"),
    "2": ("28/13", "124/61", "508/253"),
}


@pytest.mark.parametrize("lambda_", TABLE)
@pytest.mark.parametrize("installments", [1, 2, 3])
def test_the_table_of_the_example_is_reproduced_exactly(lambda_: str, installments: int) -> None:
    assert optimum(two_equal(lambda_, installments)) == F(TABLE[lambda_][installments - 1])


def test_one_installment_follows_the_closed_form_for_any_lambda() -> None:
    random_ = random.Random(2)
    for _ in range(25):
        lam = F(random_.randint(1, 60), random_.randint(1, 40))
        closed = 2 * lam * (lam**2 + lam + 1) / (2 * lam**2 + 2 * lam + 1)
        assert optimum(two_equal(lam)) == closed


def test_the_shares_of_one_installment_are_those_of_the_thesis() -> None:
    lam = F(3, 2)
    whole = 2 * lam**2 + 2 * lam + 1
    shares = {(s.processor, s.load): s.fraction for s in result_of(two_equal(lam)).shares}
    assert shares == {
        ("P1", "L1"): (2 * lam**2 + 1) / whole,
        ("P2", "L1"): 2 * lam / whole,
        ("P1", "L2"): (2 * lam + 1) / whole,
        ("P2", "L2"): 2 * lam**2 / whole,
    }


def test_two_installments_at_three_quarters_are_the_schedule_of_the_thesis() -> None:
    result = result_of(two_equal("3/4", 2))
    assert result.makespan == F(781, 653) * F(3, 4)
    shares = {(s.load, s.installment): s.fraction for s in result.shares if s.processor == "P2"}
    assert shares == {
        ("L1", 1): F(192, 653),
        ("L1", 2): F(144, 653),
        ("L2", 1): F(108, 653),
        ("L2", 2): F(81, 653),
    }
    # In which of its rounds P1 computes its own part makes no difference.
    kept = [s for s in result.shares if s.processor == "P1"]
    assert sum(s.fraction for s in kept if s.load == "L1") == F(317, 653)
    assert sum(s.fraction for s in kept if s.load == "L2") == F(464, 653)


THREE: dict[str, Any] = body([1, 2, 5], [9, 2], [(1, 3), (4, 9)], 1)


def receiving_both_first() -> Fraction:
    """Solve for P1, P2, P3 where P2 forwards nothing before it has received both loads."""
    speeds, bandwidths, loads = (1, 2, 5), (9, 2), ((1, 3), (4, 9))
    model = pyo.ConcreteModel()
    model.part = pyo.Var([0, 1, 2], [0, 1], domain=pyo.NonNegativeReals)
    model.first = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.second = pyo.Var([0, 1], domain=pyo.NonNegativeReals)
    model.computing = pyo.Var([0, 1, 2], [0, 1], domain=pyo.NonNegativeReals)
    model.makespan = pyo.Var(domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    ends: dict[tuple[int, int], Any] = {}
    for k, (data, work) in enumerate(loads):
        model.rows.add(sum(model.part[i, k] for i in range(3)) == 1)
        beyond = model.part[1, k] + model.part[2, k]
        ends[0, k] = model.first[k] + F(data, bandwidths[0]) * beyond
        ends[1, k] = model.second[k] + F(data, bandwidths[1]) * model.part[2, k]
        model.rows.add(model.computing[1, k] >= ends[0, k])
        model.rows.add(model.computing[2, k] >= ends[1, k])
        for i, speed in enumerate(speeds):
            end = model.computing[i, k] + F(work, speed) * model.part[i, k]
            if k == 0:
                model.rows.add(model.computing[i, 1] >= end)
            else:
                model.rows.add(model.makespan >= end)
    model.rows.add(model.first[1] >= ends[0, 0])
    model.rows.add(model.second[0] >= ends[0, 1])
    model.rows.add(model.second[1] >= ends[1, 0])
    model.goal = pyo.Objective(expr=model.makespan)
    value = solve_certified(model, Control()).objective
    assert value is not None
    return value


def test_lemma_2_1_claims_more_than_the_program_finds() -> None:
    assert optimum(THREE) == F(51627, 22696)
    assert receiving_both_first() == F(37737, 17068)
    assert F(37737, 17068) < F(51627, 22696)
    assert "forwards an installment before" in facts_of(THREE)["bound for"]


def relay_chain(length: int, work: int, installments: int, **problem: Any) -> dict[str, Any]:
    """Write a chain on which only the last processor computes, with equal links."""
    speeds: list[Any] = [None] * (length - 1) + [1]
    return body(speeds, [1] * (length - 1), [(1, work)], installments, **problem)


@pytest.mark.parametrize("length", [3, 5, 7])
def test_the_theorem_s_own_number_fails_under_the_bidirectional_one_port_model(
    length: int,
) -> None:
    many = 2 * length * length
    single = optimum(relay_chain(length, 1, 1, ports="one_port"))
    assert single == length
    several = optimum(relay_chain(length, 1, many // length, ports="one_port"))
    assert single > (length // 2 + 1) * several
    assert single <= length * several


@pytest.mark.parametrize("length", [3, 5])
def test_the_theorem_is_nearly_reached_by_a_chain_of_relays(length: int) -> None:
    assert optimum(relay_chain(length, 2, 1)) == length + 1
    for count in (2, 4, 8):
        several = optimum(relay_chain(length, 2, count))
        assert several <= F(length - 1 + 2 * count, count)
        assert F(length + 1) <= (length // 2 + 1) * several
    assert F(length + 1) / several > F(length + 1, 2) - F(length - 1, 2)


@pytest.mark.parametrize("lambda_", ["3/4", "9/10"])
def test_the_multi_installment_method_is_beaten_by_the_program(lambda_: str) -> None:
    method = result_of(two_equal(lambda_, None, method="multi_installment"))
    assert method.makespan is not None
    lam = F(lambda_)
    assert method.makespan == lam * (lam + 1) / (2 * lam + 1) + lam / 2
    assert method.makespan > optimum(two_equal(lambda_, 2))


def test_the_multi_installment_method_takes_nine_tenths_at_three_quarters() -> None:
    result = result_of(two_equal("3/4", None, method="multi_installment"))
    assert result.makespan == F(9, 10)
    assert [load.installments for load in result.loads] == [1, 3]


@pytest.mark.parametrize("lambda_", ["1/2", "16/25"])
def test_the_multi_installment_method_has_no_answer_below_the_root(lambda_: str) -> None:
    result = result_of(two_equal(lambda_, None, method="multi_installment"))
    assert result.outcome == "unknown"
    assert result.objective is None
    assert result.shares == []
    assert any("never make it up" in note for note in result.notes)
    capped = result_of(two_equal(lambda_, None, method="multi_installment", max_installments=4))
    assert capped.outcome == "feasible"
    assert capped.loads[1].installments == 4


def test_the_multi_installment_method_is_single_above_the_other_root() -> None:
    lam = F(2)
    result = result_of(two_equal(lam, None, method="multi_installment"))
    assert [load.installments for load in result.loads] == [1, 1]
    assert result.makespan == lam * (4 * lam + 3) / (2 * (2 * lam + 1))
