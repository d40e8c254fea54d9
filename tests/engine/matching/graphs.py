"""Small graphs with times, and their matchings and odd sets by enumeration."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from hypothesis import strategies as st

Pair = tuple[int, int]


@st.composite
def timed_graphs(draw: st.DrawFn, most_vertices: int = 7) -> dict[Pair, int]:
    """Draw times on some of the edges among a few vertices, at least one."""
    pairs = list(combinations(range(draw(st.integers(2, most_vertices))), 2))
    times = draw(st.lists(st.integers(0, 6), min_size=len(pairs), max_size=len(pairs)))
    found = {pair: time for pair, time in zip(pairs, times, strict=True) if time}
    return found or {pairs[0]: 1}


def busiest(times: Mapping[Pair, int]) -> int:
    """Give the largest sum at a vertex."""
    return max(sum(t for e, t in times.items() if v in e) for edge in times for v in edge)


def inside(times: Mapping[Pair, int], members: Sequence[int]) -> int:
    """Add up the times among some vertices."""
    return sum(time for edge, time in times.items() if set(edge) <= set(members))


def odd_subsets(times: Mapping[Pair, int]) -> Iterator[tuple[int, ...]]:
    """Go through all odd sets of at least 3 vertices."""
    vertices = sorted({v for edge in times for v in edge})
    for size in range(3, len(vertices) + 1, 2):
        yield from combinations(vertices, size)
