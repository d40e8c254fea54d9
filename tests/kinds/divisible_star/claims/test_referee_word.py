"""A search's word is refused where the referee finds a shorter schedule itself."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.kinds.divisible_star.claims import referee_word
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.divisible_star.rounds.rounds import random_star
from tests.kinds.divisible_star.rounds.test_several_rounds import body
from tests.solved import solve

F = Fraction


def codes(asked: dict[str, Any], value: Fraction, bound: Fraction) -> set[str]:
    """Judge an answer to the body, with a word that nothing is shorter than the bound.

    The answer is delayed until it has the value.
    """
    result, schedule = solve(asked)
    delay = value - result.objective.value
    later = [
        event.model_copy(update={"start": event.start + delay, "end": event.end + delay})
        for event in result.timeline
    ]
    idle = [one.model_copy(update={"idle": one.idle + delay}) for one in result.idle]
    document = result.model_dump(mode="json") | {
        "timeline": [event.model_dump(mode="json") for event in later],
        "idle": [one.model_dump(mode="json") for one in idle],
        "makespan": str(value),
        "objective": {"name": "makespan", "value": str(value), "approx": float(value)},
        "bound": {"value": str(bound), "approx": float(bound), "exact": False},
        "gap": str((value - bound) / bound),
        "outcome": "optimal" if value == bound else "feasible",
        "certificate": {"type": "search"},
        "bound_source": "search",
        "proof": "search",
    }
    moved = tuple(
        event._replace(start=event.start + delay, end=event.end + delay)
        for event in schedule.events
    )
    instance = parse_submission(asked, Limits())
    try:
        validate(
            instance.instance,
            instance.options,
            type(result).model_validate(document),
            type(schedule)(schedule.ports, value, moved),
        )
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


def given(star: Any, rounds: int) -> dict[str, Any]:
    """Ask for some rounds in the order that a star has."""
    order = [f"P{i}" for i in range(1, len(star.workers) + 1)]
    return body(star, order=order, rounds=rounds, method="lp" if rounds > 1 else "search")


@pytest.mark.parametrize("seed", range(draws(6, 300)))
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_best_is_taken_and_twice_as_long_is_not(seed: int, rounds: int) -> None:
    star = random_star(Random(seed), 2)
    asked = given(star, rounds)
    value = solve(asked).result.objective.value
    if not value:
        return
    assert "bound_beaten" not in codes(asked, value, value)
    assert "bound_beaten" in codes(asked, 2 * value, 2 * value)
    assert "bound_beaten" in codes(asked, 3 * value, 2 * value)


def test_one_message_each_may_be_shorter_than_equal_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    star = random_star(Random(3), 3)
    asked = given(star, 2)
    alone = solve(given(star, 1)).result.objective.value
    monkeypatch.setattr(referee_word, "MOST_SPLITS", 0)
    late = 2 * alone
    assert "bound_beaten" in codes(asked, late, late)
    monkeypatch.setattr(referee_word, "nothing_is_faster", lambda *_, **__: None)
    assert "bound_beaten" not in codes(asked, late, late)
