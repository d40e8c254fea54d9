"""A state instead of rows: who waits for whom when a turn begins, and what that proves."""

import copy
from fractions import Fraction
from random import Random

import pytest

from steadygrid.kinds.replicated_workflow import referee_state, validator
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from tests.draws import draws
from tests.kinds.replicated_workflow.bodies import (
    Body,
    published_a,
    random_workflow,
)
from tests.kinds.replicated_workflow.judged import MODULI, Document, coarse_answer, codes
from tests.kinds.replicated_workflow.net import (
    Net,
    instance_of,
    result_of,
    solve,
    state_of,
)


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no rows be few enough to be listed."""
    monkeypatch.setattr(validator, "MOST_ROWS", 0)


def played(body: Body) -> tuple[ReplicatedWorkflowInstance, Document]:
    """Answer by a state instead of rows and a cycle."""
    net = Net(body)
    solved = solve(net)
    state = state_of(net, solved.period)
    document = result_of(net, solved, cycle=False)
    document["latency"] = None
    document["notes"] = ["too many rows to list"]
    document["certificate"]["state"] = {name: str(time) for name, time in state.items()}
    return instance_of(body), document


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize(
    "body",
    [
        published_a("no_overlap"),
        *(random_workflow(Random(seed), ports="no_overlap") for seed in range(draws(4, 100))),
    ],
)
def test_a_state_that_repeats_proves_the_period_from_both_sides(body: Body) -> None:
    instance, document = played(body)
    assert codes(instance, document, None) == set()
    faster, slower = copy.deepcopy(document), copy.deepcopy(document)
    for wrong, factor in ((faster, Fraction(11, 10)), (slower, Fraction(9, 10))):
        value = Fraction(document["objective"]["value"]) * factor
        told = {"value": str(value), "approx": value.numerator / value.denominator}
        wrong["objective"] |= told
        wrong["bound"] |= told
        wrong["period"] = str(1 / value)
        wrong["critical_resource"] = None
        assert "not_repeating" in codes(instance, wrong, None)


@pytest.mark.usefixtures("few_rows")
def test_a_state_names_all_resources_and_a_turn_can_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance, document = played(published_a("no_overlap"))
    feasible = document | {"outcome": "feasible"}
    assert codes(instance, feasible, None) == {"unproved_bound", "not_feasible_only"}
    extra = copy.deepcopy(document)
    extra["certificate"]["state"]["P9.port"] = "0"
    assert codes(instance, extra, None) == {"wrong_resources"}
    late = copy.deepcopy(document)
    late["certificate"]["state"]["P7.port"] = "0"
    assert codes(instance, late, None) == {"not_repeating"}
    monkeypatch.setattr(referee_state, "MOST_TURN_OPERATIONS", 1)
    assert codes(instance, document, None) == {"too_long"}


def test_a_state_stands_for_rows_only_where_they_are_too_many() -> None:
    instance, document = played(published_a("no_overlap"))
    assert codes(instance, document, None) == {"no_schedule"}


@pytest.mark.usefixtures("few_rows")
def test_a_state_may_keep_a_period_that_is_not_proved() -> None:
    instance, document, _, net = coarse_answer(MODULI)
    slow = Fraction(document["period"]) * 2
    value = 1 / slow
    document["objective"] |= {"value": str(value), "approx": float(value)}
    document |= {"period": str(slow), "latency": None, "critical_resource": None}
    document |= {"notes": ["too many rows to list"], "gap": "1/2"}
    state = {name: str(time) for name, time in state_of(net, slow).items()}
    document["certificate"]["state"] = state
    assert codes(instance, document, None) == set()
