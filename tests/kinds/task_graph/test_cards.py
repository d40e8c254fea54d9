"""Network cards, against all placements and all slots there are, and with pools of twins."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.engine.scheduling import cards
from tests.kinds.task_graph.test_single_port import by_all_slots, drawn
from tests.kinds.task_graph.test_twins import grid
from tests.solved import solve

F = Fraction


def carded(shape: str, seed: int) -> dict[str, Any] | None:
    """Draw an instance whose processors have cards; None where it has a fault."""
    body = drawn(shape, seed, "one_port")
    problem = body["problem"]
    problem["platform"] = cards.with_cards(random.Random(seed), problem["platform"])
    return body if is_accepted(body) else None


def is_accepted(body: dict[str, Any]) -> bool:
    try:
        parse_submission(body, Limits())
    except InstanceError:
        return False
    return True


@pytest.mark.parametrize("seed", range(draws(4, 200)))
@pytest.mark.parametrize("shape", ["fork_join", "out_tree", "layered"])
def test_the_throughput_is_that_of_all_slots(shape: str, seed: int) -> None:
    body = carded(shape, seed)
    if body is None:
        return
    solved = solve(body, whole_files=False, max_period="exact")
    if solved.result.outcome is not Outcome.INFEASIBLE:
        assert solved.result.outcome is Outcome.OPTIMAL
        instance = TaskGraphInstance.model_validate(body["problem"])
        assert solved.result.objective.value == by_all_slots(instance, cards.all_slots)
        assert solved.schedule.loss == 0


@pytest.mark.parametrize("seed", range(4))
def test_constraint_lists_reach_the_same(seed: int) -> None:
    body = carded("fork_join", seed)
    if body is None:
        return
    values = [
        solve(body | {"problem": body["problem"] | {"method": method}}).result.objective
        for method in ("column_generation", "constraint_lists")
    ]
    assert values[0] == values[1]


def test_twins_with_two_cards_are_a_pool_that_does_twice_as_much() -> None:
    """Ports are what limits: a file in and one out of each host for a task in 1/100."""
    problem = grid(1, 3)
    problem["application"] = {
        "tasks": [
            {"id": "a", "times": {"H": 0}},
            {"id": "b", "times": {f"c0h{k}": "1/100" for k in range(3)}},
        ],
        "files": [{"source": "a", "target": "b", "size": 1}],
    }
    platform = problem["platform"]
    platform["processors"].append({"id": "H", "unit_time": 1, "cards": 3})
    for k in range(2):
        platform["processors"].append({"id": f"S{k}", "switch": True})
    for k, name in enumerate(("c0h0", "c0h1", "c0h2")):
        for s in range(2):
            platform["links"].append({"source": f"S{s}", "target": name, "unit_time": 1})
        platform["links"][k]["unit_time"] = 7
    platform["links"] += [{"source": "H", "target": f"S{s}", "unit_time": "1/9"} for s in range(2)]
    values = []
    for number in (1, 2):
        for processor in platform["processors"]:
            if processor["id"].startswith("c0h"):
                processor["cards"] = number
        solved = solve({"problem": problem})
        assert solved.result.classes == [["c0h0", "c0h1", "c0h2"]]
        values.append(solved.result.objective.value)
    assert values == [3, 6]
    assert solved.result.certificate.prices.keys() <= {f"c0h{k}.receive" for k in range(3)} | {
        f"S{s}->c0h{k}.link" for s in range(2) for k in range(3)
    }
