"""Runs of links: edges that are interrupted rarely, and orders that interrupt none."""

import random
from collections import defaultdict
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.engine.scheduling.matching import Edge, EdgeRun, run_edges
from tests.draws import draws
from tests.engine.scheduling.checks import largest_degree
from tests.solved import solve


def drawn_edges(draw: random.Random) -> list[Edge]:
    """Edges between different pairs of a few vertices."""
    pairs = {(draw.randrange(6), draw.randrange(6)) for _ in range(draw.randint(1, 20))}
    return [Edge(*pair, draw.randint(1, 30)) for pair in sorted(pairs)]


def full_edges(draw: random.Random) -> list[Edge]:
    """A sum of permutations: every vertex is busy all the time."""
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for _ in range(draw.randint(1, 6)):
        order, weight = list(range(6)), draw.randint(1, 30)
        draw.shuffle(order)
        for sender, receiver in enumerate(order):
            weights[sender, receiver] += weight
    return [Edge(*pair, weight) for pair, weight in weights.items()]


def assert_runs(edges: list[Edge], runs: list[EdgeRun], length: int) -> None:
    done = [0] * len(edges)
    busy: dict[tuple[str, int], list[EdgeRun]] = defaultdict(list)
    assert runs == sorted(runs)
    for run in runs:
        assert 0 <= run.start < run.end <= length
        done[run.edge] += run.end - run.start
        busy["send", edges[run.edge].sender].append(run)
        busy["receive", edges[run.edge].receiver].append(run)
    assert done == [edge.weight for edge in edges]
    for at_vertex in busy.values():
        assert all(a.end <= b.start for a, b in pairwise(at_vertex))


@pytest.mark.parametrize("drawn", [drawn_edges, full_edges])
@pytest.mark.parametrize("seed", range(draws(10, 3000)))
def test_every_edge_runs_for_its_weight_beside_others(seed: int, drawn: Any) -> None:
    edges = drawn(random.Random(seed))
    length = largest_degree(edges)
    assert_runs(edges, run_edges(edges), length)
    longer = length + seed % 7
    assert_runs(edges, run_edges(edges, longer), longer)


@pytest.mark.parametrize("drawn", [drawn_edges, full_edges])
@pytest.mark.parametrize("seed", range(draws(10, 3000)))
def test_twice_the_time_interrupts_nothing(seed: int, drawn: Any) -> None:
    edges = drawn(random.Random(seed))
    runs = run_edges(edges, 2 * largest_degree(edges))
    assert len(runs) == len(edges)


@pytest.mark.parametrize(
    ("rows", "length"),
    [
        ([[1, 1, 3], [0, 2, 1], [0, 1, 0]], 5),
        ([[1, 2, 3], [0, 3, 1]], 6),
        ([[1, 2, 1], [1, 2, 1], [0, 1, 3]], 6),
    ],
)
def test_small_periods_without_an_interruption(rows: list[list[int]], length: int) -> None:
    edges = [Edge(i, j, w) for i, row in enumerate(rows) for j, w in enumerate(row) if w]
    runs = run_edges(edges, length)
    assert_runs(edges, runs, length)
    assert len(runs) == len(edges)


def test_a_check_may_give_up() -> None:
    class GivenUp(Exception):
        pass

    def give_up() -> None:
        raise GivenUp

    with pytest.raises(GivenUp):
        run_edges([Edge(0, 0, 1)], check=give_up)


def triangle() -> dict[str, Any]:
    """Half-duplex links in a cycle that are used both ways: the rates come with slots."""
    pairs = (("P0", "P1", 2), ("P1", "P2", 1), ("P0", "P2", 1))
    return {
        "problem": {
            "kind": "master_worker",
            "master": "P0",
            "platform": {
                "processors": [
                    {"id": "P0"},
                    {"id": "P1", "unit_time": 3},
                    {"id": "P2", "unit_time": 4},
                ],
                "links": [
                    {"source": a, "target": b, "unit_time": time, "duplex": "half"}
                    for a, b, time in pairs
                ],
            },
            "task": {"work": 1, "input_size": 1, "output_size": 1},
        },
        "options": {"max_period": 10, "whole_files": True},
    }


def test_whole_files_fit_where_the_slots_of_rates_are_given() -> None:
    schedule = solve(triangle()).schedule
    assert 0 < schedule.throughput <= schedule.optimal_throughput
    assert schedule.period <= 10
    assert not schedule.preempted
