"""Bounds by numbers of processors: proved by the solver, and searched for again by the referee."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.kinds.replicated_workflow import referee_counts
from steadygrid.kinds.replicated_workflow.referee_counts import counts_exist
from steadygrid.kinds.replicated_workflow.solver.mappings import counting
from steadygrid.kinds.replicated_workflow.solver.mappings.copies import busy_times
from steadygrid.kinds.replicated_workflow.solver.mappings.counting import proves_bound
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.replicated_workflow.bodies import Body, random_workflow, without_mapping
from tests.kinds.replicated_workflow.judged import codes
from tests.kinds.replicated_workflow.test_copies import chain
from tests.kinds.told import facts_of
from tests.solved import solve


def instance_of(body: Body) -> Any:
    return parse_submission(body, Limits()).instance


@pytest.mark.parametrize(
    ("works", "speeds", "period"),
    [
        ([3, 5, 2, 7, 4], [1] * 4 + [2] * 4 + [3] * 4, Fraction(1)),
        ([5, 9, 13, 7], [1] * 16, Fraction(7, 3)),
        ([1, 7, 5, 3], [1] + [2] * 6 + [3] * 4, Fraction(7, 9)),
    ],
)
def test_optima_of_the_bound_are_proved(
    works: list[int], speeds: list[int], period: Fraction
) -> None:
    body = chain(works, speeds)
    result, schedule = solve(body)
    assert (result.outcome, result.period, result.bound.exact) == ("optimal", period, True)
    assert result.certificate.type == "copies"
    assert facts_of(body, result, schedule)["bound for"] == "all mappings"
    document = result.model_dump(mode="json")
    assert codes(instance_of(body), document, schedule) == set()


def test_a_bound_that_numbers_of_processors_beat_is_refused() -> None:
    body = chain([5, 9, 13, 7], [1] * 16, "upper_bound")
    result, _ = solve(body)
    assert (result.certificate.type, result.bound.value) == ("copies", Fraction(3, 7))
    document = result.model_dump(mode="json")
    document["bound"] |= {"value": "2/5", "approx": 0.4}
    assert codes(instance_of(body), document, None) == {"bound_beaten"}


def test_what_takes_too_long_is_a_word_or_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    body = chain([5, 9, 13, 7], [1] * 16)
    result, schedule = solve(body)
    instance = instance_of(body)
    assert counts_exist(instance, Fraction(7, 3), most_steps=10) is None
    monkeypatch.setattr(referee_counts, "counts_exist", lambda *_: None)
    assert codes(instance, result.model_dump(mode="json"), schedule) == {"not_proved"}
    monkeypatch.setattr(counting, "MOST_COUNT_STEPS", 10)
    told, _ = solve(body)
    assert (told.period, told.certificate.type, told.bound.exact) == (
        Fraction(7, 3),
        "search",
        False,
    )


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
def test_numbers_of_processors_are_those_of_every_choice(ports: str) -> None:
    rng = random.Random(f"counts {ports}")
    answers = set()
    for _ in range(draws(13, 300)):
        drawn = random_workflow(rng, most_rows=6, ports=ports)
        if len(drawn["problem"]["platform"]["processors"]) > 6:
            continue
        stages = [stage["tasks"] for stage in drawn["problem"]["mapping"]]
        most = rng.choice((None, 1, 2))
        body = without_mapping(drawn, stages=stages, max_replicas=most)
        for task in body["problem"]["application"]["tasks"]:
            others = [p["id"] for p in body["problem"]["platform"]["processors"][:5]]
            task["times"] = {name: rng.randint(1, 9) for name in task["times"]} | {
                name: rng.randint(1, 9) for name in others if rng.random() < 0.5
            }
        instance = instance_of(body)
        space = Space(instance, lambda: None)
        loads = busy_times(space)
        periods = sorted({load / r for own in loads for load in own.values() for r in (1, 2, 3)})
        for period in rng.sample(periods, min(3, len(periods))):
            if period:
                exist = _exist(space, loads, period)
                assert counts_exist(instance, period) == exist
                assert proves_bound(space, 1 / period) == (not exist)
                answers.add(exist)
    assert answers == {True, False}


def _exist(space: Space, loads: Any, period: Fraction) -> bool:
    """Try every stage, or none, for every processor."""
    processors = sorted(set().union(*loads))
    for chosen in product(range(-1, len(loads)), repeat=len(processors)):
        sets = [
            [p for p, stage in zip(processors, chosen, strict=True) if stage == k]
            for k in range(len(loads))
        ]
        if all(
            0 < len(one) <= most and all(p in own and own[p] < len(one) * period for p in one)
            for one, own, most in zip(sets, loads, space.most, strict=True)
        ):
            return True
    return False
