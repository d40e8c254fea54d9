"""What must not change an answer, and what can only help."""

import copy
import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from tests.kinds.layer_pipeline.bodies import A, body, drawn, training
from tests.kinds.layer_pipeline.solving import period
from tests.solved import solve

SEEDS = range(12)


def changed(seed: int, change: Any) -> tuple[Fraction | None, Fraction | None]:
    """Give the period of a drawn pipeline, and after a change of it."""
    document = drawn(random.Random(3000 + seed), most_layers=6, most_devices=6)
    other = copy.deepcopy(document)
    change(other["problem"])
    return period(document), period(other)


@pytest.mark.parametrize("seed", SEEDS)
def test_twice_the_work_and_data_take_twice_as_long(seed: int) -> None:
    def double(problem: Any) -> None:
        for layer in problem["layers"]:
            for name in ("forward", "backward", "output", "gradient", "weights"):
                if name in layer:
                    layer[name] = str(2 * Fraction(layer[name]))
        for skip in problem.get("skips", ()):
            skip["size"] *= 2

    before, after = changed(seed, double)
    assert after == (None if before is None else 2 * before)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_device_types_changes_nothing(seed: int) -> None:
    before, after = changed(seed, lambda problem: problem["devices"].reverse())
    assert before == after


@pytest.mark.parametrize("seed", SEEDS)
def test_a_device_more_never_hurts(seed: int) -> None:
    def add(problem: Any) -> None:
        problem["devices"][0]["count"] += 1

    before, after = changed(seed, add)
    assert before is None or (after is not None and after <= before)


@pytest.mark.parametrize("seed", SEEDS)
def test_more_memory_never_hurts(seed: int) -> None:
    def add(problem: Any) -> None:
        for device_type in problem["devices"]:
            device_type["memory"] = device_type.get("memory", 1000) + 3

    before, after = changed(seed, add)
    assert before is None or (after is not None and after <= before)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_faster_device_type_never_hurts(seed: int) -> None:
    def speed_up(problem: Any) -> None:
        problem["devices"][0]["speed"] = 4

    before, after = changed(seed, speed_up)
    assert before is None or (after is not None and after <= before)


def test_numbers_that_do_not_fit_64_bits_are_computed_all_the_same() -> None:
    document = copy.deepcopy(A)
    for layer in document["problem"]["layers"]:
        layer["forward"] = f"{10**40}/{10**39 + 7}"
        layer["backward"] = f"{2 * 10**40}/{10**39 + 7}"
    assert period(document) == 3 * Fraction(10**40, 10**39 + 7)


def test_with_memory_for_all_a_pipeline_is_no_slower_than_its_copies() -> None:
    """Every device may run all layers, data set by data set."""
    document = training(6, (4,))
    for name in ("memory", "reduce_bandwidth"):
        del document["problem"]["devices"][0][name]
    result, _ = solve(document)
    total = sum(3 * layer["forward"] for layer in document["problem"]["layers"])
    assert result.outcome is Outcome.OPTIMAL
    assert result.period == Fraction(total, 4)


def test_two_device_types_share_a_chain() -> None:
    result, _ = solve(training(16, (3, 3)))
    assert result.outcome is Outcome.OPTIMAL
    assert {stage.device for stage in result.stages} == {"a", "b"}


def test_many_states_are_kept() -> None:
    result, _ = solve(training(24, (8, 8)))
    assert result.outcome is Outcome.OPTIMAL
    assert result.period == Fraction(1449, 8)


def test_one_device_type_is_the_same_as_two_halves_of_it() -> None:
    document = training(12, (4,))
    (device_type,) = document["problem"]["devices"]
    halves = [device_type | {"id": name, "count": 2} for name in "xy"]
    apart = body(
        document["problem"]["layers"],
        halves,
        bandwidth=1,
        update_every=64,
    )
    # A stage has devices of one device type, so that halves may only be slower.
    one, two = period(document), period(apart)
    assert one is not None
    assert two is not None
    assert one <= two
