"""The referee's own look for a better mapping finds none better than the best."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow import referee_word
from steadygrid.kinds.replicated_workflow.referee_word import beaten_by
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStageOut,
    ReplicatedWorkflowInstance,
)
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space
from tests.draws import draws
from tests.kinds.replicated_workflow.bodies import published_a, without_mapping, workflow
from tests.kinds.replicated_workflow.net import instance_of
from tests.kinds.replicated_workflow.test_mappings import accepted, everything

CLOSE = Fraction(1, 10**12)


def mapped(**stages: str) -> list[MappedStageOut]:
    """Write a mapping of stages of one task each."""
    return [
        MappedStageOut(tasks=[task], processors=processors.split())
        for task, processors in stages.items()
    ]


def two_stages() -> ReplicatedWorkflowInstance:
    """The second of them slower, on four processors that are all joined."""
    names = ("P1", "P2", "P3", "P4")
    links = {f"{one} {other}": 1 for one in names for other in names if one != other}
    times = {"a": dict.fromkeys(names, 2), "b": dict.fromkeys(names, 6)}
    return instance_of(workflow(times, {"a b": 1}, links, None))


@pytest.mark.parametrize("seed", range(draws(10, 2_000)))
def test_nothing_beats_the_best_of_all_mappings(seed: int) -> None:
    submission = accepted(Random(seed))
    instance, space = submission.instance, Space(submission.instance, Control(60).check)
    periods = {one: space.period(one) for one in everything(space)}
    if not periods:
        assert beaten_by(instance, None, Fraction(10**9)) is None
        return
    least, longest = min(periods.values()), max(periods.values())
    assert beaten_by(instance, None, least) is None
    if len(instance.platform.processors) <= 4:
        anything = beaten_by(instance, None, longest + CLOSE)
        assert anything is not None
        assert least <= anything <= longest + CLOSE
    names = [processor.id for processor in instance.platform.processors]
    worst = max(periods, key=periods.__getitem__)
    stages = instance.stages or [(task.id,) for task in instance.application.tasks]
    mapping = [
        MappedStageOut(tasks=list(tasks), processors=[names[p] for p in processors])
        for tasks, processors in zip(stages, worst, strict=True)
    ]
    assert beaten_by(instance, mapping, least) is None
    found = beaten_by(instance, mapping, longest)
    assert found is None or least <= found < longest


@pytest.mark.parametrize(
    ("mapping", "period"),
    [
        pytest.param({"a": "P1", "b": "P2 P3"}, 2, id="one more"),
        pytest.param({"a": "P1 P2", "b": "P3 P4"}, 3, id="one elsewhere"),
        pytest.param({"a": "P1 P2 P3", "b": "P4"}, 6, id="all the wrong way"),
    ],
)
def test_a_mapping_near_the_one_that_is_answered_is_found(
    monkeypatch: pytest.MonkeyPatch, mapping: dict[str, str], period: int
) -> None:
    """With one of four on `a` and three on `b` a data set is done every 2."""
    monkeypatch.setattr(referee_word, "MOST_LISTED", 0)
    found = beaten_by(two_stages(), mapped(**mapping), Fraction(period) + CLOSE)
    assert found is not None
    assert found <= period
    assert (beaten_by(two_stages(), mapped(a="P1", b="P2 P3 P4"), Fraction(2))) is None


def test_processors_that_change_places_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_word, "MOST_LISTED", 0)
    times = {"a": {"P": 1, "Q": 9}, "b": {"P": 9, "Q": 1}}
    instance = instance_of(workflow(times, {"a b": 1}, {"P Q": 1, "Q P": 1}, None))
    found = beaten_by(instance, mapped(a="Q", b="P"), Fraction(9))
    assert found is not None
    assert 1 <= found < 9


def test_large_instances_are_looked_at_near_the_answer_only() -> None:
    body = published_a()
    instance = instance_of(without_mapping(body))
    listed = [MappedStageOut(**stage) for stage in body["problem"]["mapping"]]
    assert beaten_by(instance, None, Fraction(10**6)) is None
    assert beaten_by(instance, listed, Fraction(189)) is not None
    assert beaten_by(instance, listed, Fraction(189), most_steps=10) is None


def test_a_mapping_that_keeps_no_shorter_period_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No resource is busy for 189 on the average, but for one turn all of them are later."""
    monkeypatch.setattr(referee_word, "MOST_TURNS", 1)
    body = published_a()
    instance = instance_of(without_mapping(body))
    listed = [MappedStageOut(**stage) for stage in body["problem"]["mapping"]]
    assert beaten_by(instance, listed, Fraction(148)) is None
