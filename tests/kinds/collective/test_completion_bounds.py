"""Bounds of one operation, against all cuts of small platforms."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.kinds.collective.solver.completion_cuts import (
    CompletionCut,
    Demand,
    Wire,
    Wiring,
    better_cuts,
)
from tests.kinds.collective.by_all_cuts import Hops, Messages, best_time

OPERATIONS = ("allgather", "reduce_scatter", "broadcast", "reduce", "allreduce", "all_to_all")


def _platform(random: Random) -> tuple[int, Hops]:
    number = random.choice([3, 4])
    hops: Hops = {}
    for i in range(1, number):
        j = random.randrange(i)
        hops[i, j] = hops[j, i] = Fraction(random.randint(1, 5)), Fraction(random.randint(0, 4), 2)
    for _ in range(number - 1):
        i, j = random.sample(range(number), 2)
        hops[i, j] = Fraction(random.randint(1, 5)), Fraction(random.randint(0, 4), 2)
    return number, hops


def _messages(operation: str, members: list[int], random: Random) -> Messages:
    participants = frozenset(members)
    size = Fraction(random.randint(1, 3))
    match operation:
        case "allgather":
            return [(frozenset({m}), participants - {m}, size * (m + 1)) for m in members]
        case "reduce_scatter":
            return [(participants - {m}, frozenset({m}), size * (m + 1)) for m in members]
        case "broadcast":
            return [(frozenset({0}), participants - {0}, size)]
        case "reduce":
            return [(participants - {0}, frozenset({0}), size)]
        case "allreduce":
            return [(participants, participants, size)]
    return [(frozenset({a}), frozenset({b}), size) for a in members for b in members if a != b]


def _best(number: int, hops: Hops, messages: Messages) -> CompletionCut:
    wires = tuple(Wire(i, j, *hop) for (i, j), hop in hops.items())
    wiring = Wiring(number, wires, tuple(Demand(*message) for message in messages))
    return list(better_cuts(wiring, lambda: None))[-1]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("seed", range(6))
def test_no_cut_of_small_platforms_proves_more(operation: str, seed: int) -> None:
    random = Random(seed)
    number, hops = _platform(random)
    members = list(range(random.choice([2, 3, number]) if number > 3 else number))
    messages = _messages(operation, members, random)
    assert _best(number, hops, messages).time == best_time(number, hops, messages)


def test_what_is_far_counts_by_itself() -> None:
    # From 0 over a slow detour to 2: 1 has a faster link, but is near.
    hops: Hops = {
        (0, 1): (Fraction(4), Fraction(10)),
        (1, 2): (Fraction(2), Fraction(1)),
    }
    messages = [
        (frozenset({0}), frozenset({1, 2}), Fraction(4)),
        (frozenset({1}), frozenset({2}), Fraction(4)),
    ]
    found = _best(3, hops, messages)
    assert found == CompletionCut(Fraction(13), frozenset({0, 1}), frozenset({0}), frozenset({2}))


def test_a_set_that_nothing_has_to_leave_proves_nothing() -> None:
    wires = (Wire(0, 1, Fraction(1), Fraction(0)),)
    wiring = Wiring(2, wires, (Demand(frozenset({0}), frozenset({1}), Fraction(1)),))
    assert wiring.cut({1}, {0, 1}, {0, 1}) is None
    assert wiring.cut({0}, {0}, {1}) is not None
