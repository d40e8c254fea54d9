"""Orders of elimination, eliminated once more by hand."""

from collections.abc import Sequence
from itertools import combinations
from math import prod
from random import Random

import pytest

from steadygrid.kinds.shared import elimination
from steadygrid.kinds.shared.elimination import MOST_ENTRIES, eliminate

Pairs = list[tuple[int, int]]


def drawn(seed: int, most: int = 8) -> tuple[list[int], Pairs]:
    random = Random(seed)
    number, likely = random.randint(1, most), random.choice([0.2, 0.5, 0.9])
    labels = [random.choice([1, 2, 2, 3, 7]) for _ in range(number)]
    pairs = [random.sample(pair, 2) for pair in combinations(range(number), 2)]
    return labels, [(a, b) for a, b in pairs if random.random() < likely]


def by_hand(labels: Sequence[int], pairs: Pairs, order: Sequence[int]) -> tuple[int, int]:
    """Join tables over an adjacency matrix: the most neighbours, and the largest table."""
    many = [labels[k] > 1 for k in range(len(labels))]
    joined = [[False] * len(labels) for _ in labels]
    for a, b in pairs:
        joined[a][b] = joined[b][a] = many[a] and many[b]
    width, largest = 0, 1
    gone: set[int] = set()
    for task in order:
        near = [k for k in range(len(labels)) if joined[task][k] and k not in gone]
        gone.add(task)
        width = max(width, len(near))
        largest = max(largest, prod(labels[k] for k in (task, *near)))
        for a, b in combinations(near, 2):
            joined[a][b] = joined[b][a] = True
    return width, largest


def test_an_order_is_as_wide_as_eliminating_by_hand_says() -> None:
    for seed in range(1500):
        labels, pairs = drawn(seed)
        found = eliminate(labels, pairs)
        assert sorted(found.order) == list(range(len(labels)))
        assert (found.width, found.largest) == by_hand(labels, pairs, found.order)


def test_tasks_with_too_many_neighbours_are_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elimination, "MOST_NEIGHBOURS", 2)
    cut = 0
    for seed in range(500):
        labels, pairs = drawn(seed)
        found = eliminate(labels, pairs)
        assert sorted(found.order) == list(range(len(labels)))
        width, largest = by_hand(labels, pairs, found.order)
        assert found.width >= width
        assert found.largest >= largest
        if found.width > 2:
            cut += 1
            members = sorted(labels[k] for k in found.order if labels[k] > 1)
            assert prod(members[: found.width + 1]) <= found.largest <= prod(members)
    assert cut > 50


def test_forests_are_as_narrow_as_they_are() -> None:
    for seed in range(200):
        random = Random(seed)
        number = random.randint(1, 30)
        pairs = [(k, random.randrange(k)) for k in range(1, number) if random.random() < 0.9]
        found = eliminate([3] * number, pairs)
        assert (found.width, found.largest) == ((1, 9) if pairs else (0, 3))


def test_tables_beyond_all_stores_are_not_told_apart() -> None:
    number = 40
    found = eliminate([10] * number, list(combinations(range(number), 2)))
    assert (found.width, found.largest) == (number - 1, MOST_ENTRIES)
