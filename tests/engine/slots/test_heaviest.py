"""The slot that is worth most, against all slots there are."""

import itertools
import random
from collections.abc import Collection, Mapping
from fractions import Fraction

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.platform import Platform
from steadygrid.engine.slots import heaviest
from steadygrid.engine.slots.heaviest import heaviest_slot
from steadygrid.engine.slots.search import best_slot
from steadygrid.engine.solving.control import Control
from tests.engine.slots.every_slot import every_slot

F = Fraction


def drawn(draw: random.Random) -> Platform:
    """Draw a few processors and switches in a ring, with more links among them."""
    count = draw.randint(3, 4)
    chosen = {(i, i + 1) for i in range(count - 1)} | {(0, count - 1)}
    pairs = itertools.combinations(range(count), 2)
    chosen |= {pair for pair in pairs if draw.random() < 0.3}
    return Platform.model_validate(
        {
            "processors": [
                {"id": f"P{i}", "switch": i > 0 and draw.random() < 0.2} for i in range(count)
            ],
            "links": [
                {
                    "source": f"P{a}",
                    "target": f"P{b}",
                    "unit_time": 1,
                    "duplex": draw.choice(["half", "half", "full"]),
                }
                for a, b in sorted(chosen)
            ],
        }
    )


def value(slot: Collection[int], worth: Mapping[int, Fraction]) -> Fraction:
    return sum((worth[index] for index in slot), F(0))


@pytest.mark.parametrize("seed", range(30))
def test_the_heaviest_slot_is_that_of_all(seed: int) -> None:
    draw = random.Random(seed)
    platform = drawn(draw)
    worth = {
        arc.index: F(draw.randint(-1, 9), draw.choice([1, 3, 10**15])) for arc in platform.arcs
    }
    best = heaviest_slot(platform, worth, Control())
    assert best is not None
    every = every_slot(platform)
    assert best in every
    assert value(best, worth) == max(value(slot, worth) for slot in every)


def complete(count: int) -> dict[int, Fraction]:
    draw = random.Random(count)
    return {index: F(draw.randint(1, 10**6)) for index in range(count * (count - 1))}


def fully_connected(count: int) -> Platform:
    return Platform.model_validate(
        {
            "processors": [{"id": f"P{i}"} for i in range(count)],
            "links": [
                {"source": f"P{a}", "target": f"P{b}", "unit_time": 1, "duplex": "half"}
                for a, b in itertools.combinations(range(count), 2)
            ],
        }
    )


def test_a_search_without_an_end_in_sight_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = fully_connected(8)
    assert heaviest_slot(platform, complete(8), Control()) is not None
    monkeypatch.setattr(heaviest, "MOST_STEPS", 100)
    assert heaviest_slot(platform, complete(8), Control()) is None
    assert heaviest_slot(fully_connected(18), complete(18), Control()) is None


def test_the_search_for_a_slot_heeds_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heaviest, "STEPS_BETWEEN_CHECKS", 1)
    with pytest.raises(OutOfTime):
        heaviest_slot(fully_connected(8), complete(8), Control(0))


@pytest.mark.parametrize("seed", range(10))
def test_an_integer_program_finds_it_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heaviest, "MOST_ARCS", 0)
    draw = random.Random(seed)
    platform = drawn(draw)
    worth = {arc.index: F(draw.randint(1, 9), 10**12) for arc in platform.arcs}
    best = best_slot(platform, worth, Control())
    every = every_slot(platform)
    assert best in every
    assert value(best, worth) == max(value(slot, worth) for slot in every)
