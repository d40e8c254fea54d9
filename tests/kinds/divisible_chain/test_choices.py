"""Which processors compute which loads is decided exactly, and proved over all choices."""

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.draws import draws
from tests.kinds.divisible_chain.choices import Puzzle, best_choice
from tests.kinds.divisible_chain.solving import body, optimum, result_of

F = Fraction
OBJECTIVES = ("makespan", "mean_completion", "weighted_flow")
MOST_CHOICES = 400


def small_chain(seed: int, objective: str) -> dict[str, Any]:
    """Draw a chain with late processors, release dates in any order and loads of own speeds."""
    chance = random.Random(seed)
    while True:
        length, count = chance.randint(1, 4), chance.randint(1, 3)
        speeds: list[Any] = [chance.choice([None, 1, 2, 9]) for _ in range(length)]
        volumes = [(chance.choice([0, 1, 5]), chance.choice([0, 1, 9])) for _ in range(count)]
        widths = [chance.choice([F(1, 4), 1, 100]) for _ in range(length - 1)]
        document = body(speeds, widths, volumes)
        problem = document["problem"]
        problem["objective"] = objective
        problem["ports"] = chance.choice(["strict_one_port", "one_port"])
        problem["rounds"] = chance.choice([1, 1, 2])
        for load in problem["loads"]:
            load["weight"] = chance.choice([0, 1, 5])
            load["release_date"] = chance.choice([0, 0, 1, 4])
            load["installments"] = chance.choice([1, 1, 2])
            load["speeds"] = {
                f"P{i}": chance.choice([1, 30])
                for i in range(1, length + 1)
                if chance.random() < 0.2
            }
        problem["availability"] = {
            f"P{i}": chance.choice([1, 2, 6]) for i in range(1, length + 1) if chance.random() < 0.4
        }
        puzzle = Puzzle(document)
        if all(puzzle.places(load) for load in range(count)) and 1 < puzzle.count() <= MOST_CHOICES:
            return document


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(draws(3, 12)))
def test_the_optimum_is_that_of_all_choices(seed: int, objective: str) -> None:
    document = small_chain(seed, objective)
    assert optimum(document) == best_choice(document)


def own_speeds(
    widths: list[Any], loads: list[tuple[int, int, dict[str, Any]]], **problem: Any
) -> dict[str, Any]:
    """Write a chain on which only P1 computes, and others those loads that give them a speed."""
    document = body([1, *[None] * len(widths)], widths, [(c, w) for c, w, _ in loads], **problem)
    for load, (_, _, speeds) in zip(document["problem"]["loads"], loads, strict=True):
        load["speeds"] = speeds
    return document


MEAN = {"objective": "mean_completion"}
KNOWN = {
    "who is late for one load delays no other": (
        own_speeds([100], [(1, 1, {}), (1, 9, {"P2": 9})], availability={"P2": 6}, **MEAN),
        F(37, 10),
    ),
    "the participants are not the first few": (
        own_speeds(
            [100, 100],
            [(1, 1, {"P2": 1}), (1, 20, {"P3": 20})],
            availability={"P2": 5, "P3": 6},
            **MEAN,
        ),
        F(27, 7),
    ),
    "nor without any availability": (
        own_speeds(["1/10", 100], [(1, 20, {"P2": 1000}), (1, 1, {"P3": "1/1000"})], **MEAN),
        F(551, 100),
    ),
    "two are better than one that is late": (
        body([1, 9], [100], [(1, 1), (1, 9)], **MEAN),
        F(11261, 20180),
    ),
    "work of no time may be computed in the last moment": (
        body([None, 1, 1], [1, 1], [(1, 0)], availability={"P1": 0, "P2": 1}),
        F(1),
    ),
    "a processor that is available in the last moment is not waited for": (
        body([1, 1], [100], [(1, 2)], availability={"P2": 2}),
        F(2),
    ),
    "no schedule ends before a processor can compute": (
        body([None, 1], [1], [(0, 0)], availability={"P2": 7}),
        F(7),
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_optima_are_proved(name: str) -> None:
    document, value = KNOWN[name]
    assert optimum(document) == value == best_choice(document)


def test_the_first_processor_waits_for_the_release_only_of_what_it_computes() -> None:
    """L1 comes at 10; till then P1 computes L2, and P2 then does L1 at once."""
    document = body([1, None], [100], [(1, 100), (1, 12)])
    first, second = document["problem"]["loads"]
    first |= {"release_date": 10, "speeds": {"P2": 1000}}
    result = result_of(document)
    assert result.outcome == "optimal"
    assert result.makespan == best_choice(document)
    assert result.makespan < 13
    alone = [event for event in result.timeline if event.processor == "P1"]
    assert [(event.load, event.start) for event in alone] == [("L2", 0)]
    assert second["id"] == "L2"


def test_single_installments_are_decided_under_strict_one_port() -> None:
    """Four processors: an installment that no later processor needs may be held up further down."""
    document = body([2, 1, None, 3], [1, 2, "1/3"], [(1, 3), (1, 2)], 2, **MEAN)
    document["problem"]["loads"][0]["installments"] = 1
    result = result_of(document)
    assert result.outcome == "optimal"
    assert result.objective is not None
    assert result.objective.value == best_choice(document)


def test_loads_are_complete_when_their_last_computation_ends() -> None:
    document = body([1, 2, 3], [1, 2], [(1, 3), (2, 1)], 2, rounds=2, **MEAN)
    result = result_of(document)
    for load in result.loads:
        ends = [
            event.end for event in result.timeline if event.load == load.load and event.processor
        ]
        assert load.completion == max(ends)
