"""Decomposition of bipartite multigraphs into matchings."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.engine.scheduling import Edge, TooManyTransfers, decompose
from steadygrid.engine.scheduling.matching import _Colouring
from tests.engine.scheduling.checks import assert_decomposes, largest_degree

edges_of = st.lists(
    st.builds(
        Edge,
        st.integers(0, 6),
        st.integers(0, 6),
        st.one_of(st.integers(1, 4), st.integers(1, 10**6), st.integers(10**40, 10**41)),
    ),
    min_size=1,
    max_size=30,
)


def vertices(edges: list[Edge]) -> int:
    return len({e.sender for e in edges} | {e.receiver for e in edges})


@given(edges_of)
def test_matchings_give_every_edge_its_weight_within_the_largest_degree(edges: list[Edge]) -> None:
    matchings = decompose(edges)
    assert_decomposes(edges, matchings, largest_degree(edges))
    assert sum(m.duration for m in matchings) == largest_degree(edges)
    assert len(matchings) <= len(edges) + 2 * vertices(edges)


@given(edges_of, st.integers(0, 10**7))
def test_time_to_spare_is_never_exceeded(edges: list[Edge], spare: int) -> None:
    length = largest_degree(edges) + spare
    assert_decomposes(edges, decompose(edges, length), length)


@given(edges_of, st.integers(2, 10**30))
def test_scaling_the_weights_scales_the_matchings(edges: list[Edge], factor: int) -> None:
    larger = [edge._replace(weight=edge.weight * factor) for edge in edges]
    assert [
        (m.duration * factor, m.edges, tuple(t * factor for t in m.times)) for m in decompose(edges)
    ] == [tuple(m) for m in decompose(larger)]


def test_no_edges_need_no_matching() -> None:
    assert decompose([]) == []


def test_a_weight_that_is_not_positive_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        decompose([Edge(0, 0, 0)])


def test_a_vertex_with_more_to_do_than_the_time_is_refused() -> None:
    with pytest.raises(ValueError, match="more to do"):
        decompose([Edge(0, 1, 3), Edge(0, 2, 3)], 5)


def test_too_long_a_description_is_given_up() -> None:
    edges = [Edge(0, i, 1) for i in range(10)]
    assert len(decompose(edges, max_transfers=10)) == 10
    with pytest.raises(TooManyTransfers):
        decompose(edges, max_transfers=9)


def test_a_star_is_never_interrupted() -> None:
    edges = [Edge(0, i, i + 1) for i in range(20)]
    matchings = decompose(edges)
    assert len(matchings) == 20
    assert all(len(m.edges) == 1 for m in matchings)


def balanced(size: int, permutations: int, digits: int) -> list[Edge]:
    """All vertices have the same degree: none ever has time to spare."""
    choose = random.Random(7)
    weights: Counter[tuple[int, int]] = Counter()
    for _ in range(permutations):
        receivers = choose.sample(range(size), size)
        weight = choose.randrange(1, 10**digits)
        for sender, receiver in enumerate(receivers):
            weights[sender, receiver] += weight
    return [Edge(s, r, w) for (s, r), w in weights.items()]


@pytest.mark.parametrize(
    ("size", "permutations", "digits"), [(20, 20, 30), (60, 4, 300), (8, 40, 1)]
)
def test_vertices_without_time_to_spare_are_always_busy(
    size: int, permutations: int, digits: int
) -> None:
    edges = balanced(size, permutations, digits)
    matchings = decompose(edges)
    assert_decomposes(edges, matchings, largest_degree(edges))
    assert all(len(m.edges) == size for m in matchings)


def test_ten_thousand_edges_with_thirty_digits_stay_few_matchings() -> None:
    choose = random.Random(1)
    edges = [
        Edge(choose.randrange(200), choose.randrange(200), choose.randrange(1, 10**30))
        for _ in range(10_000)
    ]
    matchings = decompose(edges)
    assert_decomposes(edges, matchings, largest_degree(edges))
    assert sum(len(m.edges) for m in matchings) < 100_000


def test_parallel_edges_are_never_active_together() -> None:
    edges = [Edge(0, 0, 5), Edge(0, 0, 3), Edge(1, 1, 2), Edge(1, 0, 1)]
    assert_decomposes(edges, decompose(edges), 9)


def test_a_planted_worst_case_needs_alternating_paths() -> None:
    # Greedy pairs 0-0 and leaves sender 1, which must be busy all the time, without a receiver.
    edges = [Edge(0, 0, 9), Edge(0, 1, 1), Edge(1, 0, 1), Edge(1, 1, 8), Edge(2, 1, 1)]
    assert_decomposes(edges, decompose(edges), largest_degree(edges))


def test_a_critical_vertex_without_edges_is_our_fault() -> None:
    colouring = _Colouring([Edge(0, 0, 1)], None)
    colouring.senders.neighbours[0] = 0
    with pytest.raises(AssertionError, match="cannot be covered"):
        colouring.run(None)
