"""Parts of graphs and forests, against counting."""

import random
from itertools import combinations

from steadygrid.domain.components import Parts, is_forest


def test_edges_are_a_forest_exactly_if_each_joins_two_parts() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        edges = [pair for pair in combinations(range(6), 2) if draw.random() < 0.3]
        parts = {vertex: {vertex} for vertex in range(6)}
        for one, other in edges:
            joined = parts[one] | parts[other]
            parts.update(dict.fromkeys(joined, joined))
        count = len({min(part) for part in parts.values()})
        both_ways = edges + [(b, a) for a, b in edges if draw.random() < 0.5]
        assert is_forest(both_ways) == (len(edges) == 6 - count)
        told = Parts[int]()
        assert sum(told.join(*edge) for edge in edges) == 6 - count
        assert len({told.root(vertex) for vertex in range(6)}) == count
