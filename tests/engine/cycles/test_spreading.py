"""Gains that are passed on at once: no crawl, and the same ratios as all cycles and Karp's rule."""

import random
from fractions import Fraction

import pytest

from steadygrid.engine.cycles import policies
from steadygrid.engine.cycles.ratio import NoProgress, critical, least_starts
from tests.draws import draws
from tests.engine.cycles.plainly import (
    Edge,
    earliest,
    graph_of,
    greatest_mean,
    random_edges,
    ratios,
    totals,
    weights,
)


@pytest.mark.parametrize("unit", [1, 10**30])
def test_values_do_not_crawl_around_a_ring(unit: int) -> None:
    """The last node gains most by leaving the ring, and each other one by waiting for it."""
    nodes = 4000
    ring = [(k, (k + 1) % nodes, unit, int(k == nodes - 1)) for k in range(nodes)]
    leaving = [
        (k, nodes, (10 * nodes if k == nodes - 1 else 2 * (nodes - k)) * unit, 0)
        for k in range(nodes)
    ]
    edges = [*ring, *leaving, (nodes, nodes, 10**6 * unit, 1), (nodes, 0, 0, 1)]
    found = critical(graph_of(nodes + 1, edges))
    assert found.ratio == 10**6 * unit
    assert found.statistics.policy_rounds < 3 * policies.PATIENCE
    potentials = found.potentials
    for (source, target, _, _), weight in zip(edges, weights(edges, found.ratio), strict=True):
        assert potentials[target] - potentials[source] >= weight


def test_passed_on_in_every_round_the_ratio_is_that_of_all_cycles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(policies, "PATIENCE", 1)
    stuck_ones = 0
    for seed in range(draws(300, 20_000)):
        draw = random.Random(seed)
        nodes, edges = random_edges(draw)
        graph = graph_of(nodes, edges)
        expected, stuck = ratios(nodes, edges)
        policy = [draw.randrange(-1, max(1, len(edges))) for _ in range(nodes)]
        if stuck:
            with pytest.raises(NoProgress) as raised:
                critical(graph, policy=policy)
            time, height = totals(edges, raised.value.cycle)
            assert height < 0 or (height == 0 and time > 0)
            stuck_ones += 1
            continue
        found = critical(graph, policy=policy)
        assert found.ratio == (expected or 0)
        assert (expected is None) == (not found.cycle)
        assert least_starts(graph, found) == earliest(nodes, edges, found.ratio)
    assert stuck_ones > 100


@pytest.mark.parametrize("patience", [1, 3])
def test_means_are_those_of_karp(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "PATIENCE", patience)
    for seed in range(draws(8, 1_000)):
        draw = random.Random(seed)
        nodes, longest = draw.randint(20, 60), 10 ** draw.randint(1, 25)
        edges: list[Edge] = [
            (k, (k + 1) % nodes, draw.randint(0, longest), 1) for k in range(nodes)
        ]
        edges += [
            (draw.randrange(nodes), draw.randrange(nodes), draw.randint(0, longest), 1)
            for _ in range(draw.randint(0, 3 * nodes))
        ]
        found = critical(graph_of(nodes, edges))
        assert found.ratio == greatest_mean(nodes, edges)
        assert Fraction(*totals(edges, found.cycle)) == found.ratio
