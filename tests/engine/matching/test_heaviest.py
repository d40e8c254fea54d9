"""Matchings that are probably the heaviest."""

from random import Random

import networkx as nx

from steadygrid.engine.matching.heaviest import HeavyMatchings
from tests.draws import draws


def test_a_matching_is_found_and_mostly_the_heaviest() -> None:
    """In graphs with odd cycles, asked again and again with other weights, some of them below 0."""
    right = asked = 0
    for seed in range(draws(8, 200)):
        random = Random(seed)
        graph = nx.gnm_random_graph(random.randint(3, 14), random.randint(3, 40), seed=seed)
        edges = [(min(edge), max(edge)) for edge in graph.edges]
        matchings = HeavyMatchings(edges)
        for _ in range(5):
            weights = {edge: random.randint(-3, 20) / 8 for edge in edges}
            found = matchings.find(list(weights.values()))
            assert nx.is_matching(graph, set(found))
            graph.add_weighted_edges_from((*edge, weight) for edge, weight in weights.items())
            best = nx.max_weight_matching(graph)
            total = sum(graph.edges[edge]["weight"] for edge in best)
            assert sum(weights[edge] for edge in found) <= total
            right += sum(weights[edge] for edge in found) == total
            asked += 1
    assert right > 0.9 * asked
