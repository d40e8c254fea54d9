"""Slots where cards serve any link: what any slots can carry is cut into slots again."""

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import ScheduleLimits, Transfer
from steadygrid.engine.scheduling import Plan, TooManyTransfers, Workload
from steadygrid.engine.scheduling.bounded import in_batches
from steadygrid.engine.scheduling.cards import ArcOperations, _Graph, pieces_on_cards
from steadygrid.engine.scheduling.case import Case
from steadygrid.engine.scheduling.half_duplex_general import with_slots
from steadygrid.engine.scheduling.run_layout import RunLayout
from steadygrid.engine.scheduling.timeline import Piece, batches
from steadygrid.engine.solving.control import Control
from tests.draws import draws

F = Fraction
Cards = dict[Hashable, int]


def drawn(seed: int) -> tuple[list[ArcOperations], Cards, int]:
    """Add up random slots that fill all cards they can; the operations share the arcs' times."""
    random = Random(seed)
    size = random.randint(2, 6)
    names = range(size)
    cards: Cards = {f"{end}{k}": random.randint(1, 3) for end in "sr" for k in names}
    pairs = [(a, b) for a in names for b in names if random.random() < 0.9]
    times: Counter[tuple[int, int]] = Counter()
    length = 0
    for _ in range(random.randint(1, 16)):
        duration = random.choice([1, random.randint(2, 999), random.randint(2, 10**20)])
        length += duration
        used: Counter[str] = Counter()
        for a, b in random.sample(pairs, len(pairs)):
            if used[f"s{a}"] < cards[f"s{a}"] and used[f"r{b}"] < cards[f"r{b}"]:
                used.update((f"s{a}", f"r{b}"))
                times[a, b] += duration
    ways: list[ArcOperations] = []
    operation = 0
    for (a, b), time in times.items():
        demands = []
        while time:
            part = time if random.random() < 0.4 else random.randint(1, time)
            demands.append((operation, part))
            operation, time = operation + 1, time - part
        ways.append(ArcOperations(f"s{a}", f"r{b}", demands))
    return ways, {port: number for port, number in cards.items() if number > 1}, length


def assert_carries(
    ways: Sequence[ArcOperations], cards: Cards, length: int, pieces: Sequence[Piece]
) -> None:
    """Each operation gets its time, no arc has two at a time, and no port more than its cards."""
    arcs = {k: (way.sender, way.receiver) for way in ways for k, _ in way.demands}
    done: Counter[int] = Counter()
    for piece in pieces:
        running = Counter(arcs[k] for k in piece.operations)
        assert set(running.values()) <= {1}
        for end in (0, 1):
            ports = Counter(arcs[k][end] for k in piece.operations)
            assert all(number <= cards.get(port, 1) for port, number in ports.items())
        for k, time in zip(piece.operations, piece.times, strict=True):
            assert 0 < time <= piece.duration
            done[k] += time
    assert done == {k: time for way in ways for k, time in way.demands}
    assert sum(piece.duration for piece in pieces) <= length


def test_what_slots_add_up_to_is_cut_into_slots_again() -> None:
    cut_at_both_ends = 0
    for seed in range(draws(400, 20_000)):
        ways, cards, length = drawn(seed)
        if not ways:
            continue
        graph = _Graph(ways, cards, length)
        cut_at_both_ends += bool(graph._served)
        pieces = pieces_on_cards(ways, cards, length)
        assert_carries(ways, cards, length, pieces)
        ports = len({way.sender for way in ways}) + len({way.receiver for way in ways})
        pooled = sum(
            min(number, sum(port in (way.sender, way.receiver) for way in ways))
            for port, number in cards.items()
        )
        operations = sum(len(way.demands) for way in ways)
        assert len(pieces) <= 2 * operations + ports + 5 * pooled + 1  # as the referee counts
    assert cut_at_both_ends > 25


def test_too_long_a_description_is_given_up() -> None:
    ways, cards, length = next(found for found in map(drawn, range(400)) if _Graph(*found)._served)
    pieces = pieces_on_cards(ways, cards, length)
    listed = sum(len(piece.operations) for piece in pieces)
    assert pieces_on_cards(ways, cards, length, listed) == pieces
    with pytest.raises(TooManyTransfers):
        pieces_on_cards(ways, cards, length, listed - 1)


def test_more_than_the_cards_can_do_is_refused() -> None:
    ways = [ArcOperations("s", f"r{k}", [(k, 3)]) for k in range(3)]
    with pytest.raises(ValueError, match="more to do than its cards"):
        pieces_on_cards(ways, {"s": 2}, 4)
    with pytest.raises(ValueError, match="more to do than its cards"):
        pieces_on_cards([ArcOperations("s", "r", [(0, 3), (1, 2)])], {"s": 2, "r": 2}, 4)


def test_batches_fill_all_cards() -> None:
    resources = {k: ("s", f"r{k % 4}") for k in range(8)}
    pieces = batches([5, 5, 4, 4, 3, 3, 2, 2], resources, {"s": 3})
    assert [piece.operations for piece in pieces] == [(0, 1, 2), (3, 4, 5), (6, 7)]
    assert [len(piece.operations) for piece in batches([1] * 8, resources)] == [1] * 8


def workload(links: Sequence[dict[str, Any]], **cards: Any) -> Workload:
    """Links of unit time, over which files of size 1 go."""
    names = sorted({link[end] for link in links for end in ("source", "target")})
    processors = [{"id": n} | ({"cards": cards[n]} if n in cards else {}) for n in names]
    links = [{"unit_time": 1} | link for link in links]
    platform = Platform.model_validate({"processors": processors, "links": links})
    return Workload(platform, "one_port", lambda _task, _processor: F(0), {("a", "b"): F(1)})


def plan(rate: Fraction, *path: str) -> Plan:
    return Plan(rate, {}, (Transfer(("a", "b"), path, F(1)),))


def test_whole_files_in_batches_use_all_cards() -> None:
    star = workload([{"source": "M", "target": f"W{k}"} for k in range(4)], M=2)
    plans = [plan(F(1, 2), "M", f"W{k}") for k in range(4)]
    case = Case(star, plans, True, ScheduleLimits(), Control())
    found = in_batches(case, [3, 3, 1, 1])
    assert found.period == 4
    assert isinstance(found.layout, RunLayout)
    assert len(found.layout.runs) == 4


def test_half_duplex_links_in_a_cycle_leave_other_cards_alone() -> None:
    """Files go both ways around a triangle by card x of A, and to E by its card y most of the time."""
    triangle = [
        {"source": "A", "target": "B", "duplex": "half", "source_card": "x"},
        {"source": "B", "target": "C", "duplex": "half"},
        {"source": "C", "target": "A", "duplex": "half", "target_card": "x"},
    ]
    both = workload([*triangle, {"source": "A", "target": "E", "source_card": "y"}], A=["x", "y"])
    around = [plan(F(1, 4), *ends) for ends in permutations("ABC", 2)]
    plans = [*around, plan(F(3, 4), "A", "E")]
    scaled, slots = with_slots(both, plans)
    assert slots is not None
    assert [p.rate for p in scaled] == [p.rate for p in plans]
    assert sum(slot.duration for slot in slots if ("A", "E") in slot.arcs) >= scaled[-1].rate
