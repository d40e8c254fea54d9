"""What is answered where graphs, lists or the time are too short for everything."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow import validator
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from steadygrid.kinds.replicated_workflow.solver import answer, evaluation, turns
from steadygrid.kinds.replicated_workflow.solver.model import Workflow
from tests.kinds.replicated_workflow.workflows import (
    example_a,
    example_b,
    random_workflow,
    workflow,
)
from tests.solved import solve


def _few_rows(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Let both halves list less."""
    for module in (answer, evaluation, validator):
        if hasattr(module, "MOST_ROWS"):
            monkeypatch.setattr(module, "MOST_ROWS", rows)


def test_a_state_is_the_schedule_where_rows_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "FIRST_NODES", 0)
    _few_rows(monkeypatch, 5)
    result, schedule = solve(example_a("no_overlap"))
    assert schedule is None
    assert result.outcome == "optimal"
    assert result.period == Fraction(692, 3)
    assert result.critical_cycle is None
    assert result.latency is None
    assert set(result.certificate.state) == {one.resource for one in result.occupation}
    assert any("certificate.state" in note for note in result.notes)


def test_states_of_random_workflows_are_believed_by_the_referee(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(evaluation, "FIRST_NODES", 0)
    _few_rows(monkeypatch, 0)
    rng = random.Random(3)
    for _ in range(30):
        assert solve(random_workflow(rng, "no_overlap")).result.outcome == "optimal"


def test_a_bound_is_the_answer_where_no_schedule_can_be_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _few_rows(monkeypatch, 5)
    result, schedule = solve(example_b())
    assert schedule is None
    assert result.outcome == "bound_only"
    assert result.bound.value == Fraction(3, 875)
    assert len(result.critical_cycle) == 7
    assert any("would list 19 starts" in note for note in result.notes)


def test_what_is_not_proved_is_feasible(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first round of example A has 18 nodes and does not suffice."""
    monkeypatch.setattr(evaluation, "MOST_TURN_OPERATIONS", 0)
    monkeypatch.setattr(evaluation, "MOST_CYCLE_NODES", 25)
    result, schedule = solve(example_a("no_overlap"))
    assert schedule is not None
    assert result.outcome == "feasible"
    assert result.period > Fraction(692, 3)
    assert result.bound.value == Fraction(6, 1295)
    assert result.critical_cycle is None
    assert any("is not proved" in note for note in result.notes)


def test_long_cycles_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "MOST_CYCLE_STEPS", 5)
    result = solve(example_b()).result
    assert (result.outcome, result.critical_cycle) == ("feasible", None)
    assert any("7 steps" in note for note in result.notes)
    monkeypatch.setattr(evaluation, "MOST_CYCLE_STEPS", 5)
    result = solve(example_a("no_overlap")).result
    assert (result.outcome, result.critical_cycle) == ("optimal", None)
    assert result.certificate.state is not None


def test_turns_that_do_not_repeat_leave_it_to_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "FIRST_NODES", 0)
    monkeypatch.setattr(turns.NoOverlapTurns, "repeating", lambda _self: None)
    result = solve(example_a("no_overlap")).result
    assert (result.period, result.statistics.turns) == (Fraction(692, 3), None)


def test_turns_end_where_they_are_too_few() -> None:
    instance = ReplicatedWorkflowInstance.model_validate(example_a("no_overlap")["problem"])
    assert instance.mapping is not None
    played = turns.NoOverlapTurns(Workflow(instance, instance.mapping), lambda: None)
    assert played.repeating(1) is None
    assert played.least_starts(Fraction(692, 3), 1) is None
    repeating = played.repeating()
    assert repeating is not None
    assert repeating.period == Fraction(692, 3)


def test_starts_that_do_not_settle_are_those_of_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "FIRST_NODES", 0)
    monkeypatch.setattr(turns.NoOverlapTurns, "least_starts", lambda _self, _period: None)
    rng = random.Random(4)
    for _ in range(20):
        assert solve(random_workflow(rng, "no_overlap")).schedule is not None


@pytest.mark.parametrize("when", ["at once", "after a round"])
def test_the_time_limit_ends_with_a_schedule_or_a_bound(
    monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    def out_of_time(*_: Any, **__: Any) -> None:
        raise OutOfTime

    if when == "at once":
        monkeypatch.setattr(evaluation, "critical", out_of_time)
    else:
        monkeypatch.setattr(evaluation, "lifted", out_of_time)
    result, schedule = solve(example_a("no_overlap"))
    assert any("the time limit of 60 s was reached" in note for note in result.notes)
    assert result.bound.value == Fraction(6, 1295)
    assert result.outcome == ("bound_only" if when == "at once" else "feasible")
    assert (schedule is None) == (when == "at once")


def test_the_pipeline_asks_again_where_time_was_over_before_it_began() -> None:
    result = solve(example_a("no_overlap"), seconds=1e-9).result
    assert result.period == Fraction(692, 3)


def test_cancelling_ends_the_turns() -> None:
    copies = (16, 27, 25, 7, 13)
    body = workflow(
        {f"s{k}": [1] * number for k, number in enumerate(copies)},
        {f"s{k} s{k + 1}": [[1] * copies[k + 1]] * copies[k] for k in range(len(copies) - 1)},
        "no_overlap",
    )
    instance = ReplicatedWorkflowInstance.model_validate(body["problem"])
    assert instance.mapping is not None
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        turns.NoOverlapTurns(Workflow(instance, instance.mapping), control.check).repeating()
