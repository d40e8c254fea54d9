from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.platform import Platform
from steadygrid.engine.matching.odd_sets import OddSet, odd_uses
from steadygrid.engine.matching.separation import least_length, violated_sets
from tests.engine.matching.graphs import Pair, busiest, inside, odd_subsets, timed_graphs

TRIANGLE = {(0, 1): 1, (1, 2): 1, (0, 2): 1}


@given(timed_graphs(), st.integers(0, 2))
def test_sets_are_found_exactly_where_there_are_some(times: dict[Pair, int], spare: int) -> None:
    length = busiest(times) + spare
    violated = {b for b in odd_subsets(times) if 2 * inside(times, b) > length * (len(b) - 1)}
    found = {odd.members for odd in violated_sets(times, length)}
    assert found <= violated
    assert bool(found) == bool(violated)


@given(timed_graphs(), st.integers(0, 2))
def test_the_least_length_is_that_of_the_worst_set(times: dict[Pair, int], spare: int) -> None:
    length = busiest(times) + spare
    needed = [ceil(Fraction(2 * inside(times, b), len(b) - 1)) for b in odd_subsets(times)]
    assert least_length(times, length) == max([length, *needed])


@pytest.mark.parametrize(
    ("times", "length", "sets"),
    [
        (TRIANGLE, 2, [(0, 1, 2)]),
        (TRIANGLE, 3, []),
        (dict.fromkeys(TRIANGLE, 10**20 + 1), 3 * 10**20 + 2, [(0, 1, 2)]),
        ({(k, (k + 1) % 5) if k < 4 else (0, 4): 1 for k in range(5)}, 2, [(0, 1, 2, 3, 4)]),
    ],
)
def test_known_sets(times: dict[Pair, int], length: int, sets: list[tuple[int, ...]]) -> None:
    assert [odd.members for odd in violated_sets(times, length)] == sets


def test_a_set_found_holds_nothing_that_the_loss_of_a_vertex_parts() -> None:
    times = {**dict.fromkeys(TRIANGLE, 5), (2, 3): 1, (3, 4): 1, (2, 4): 1}
    assert [odd.members for odd in violated_sets(times, 12)] == [(0, 1, 2)]


def test_links_among_the_members_use_a_set_as_a_share() -> None:
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in ("B", "A", "C", "D", "E", "F")],
            "links": [
                {"source": "A", "target": "C", "unit_time": "3"},
                {"source": "A", "target": "F", "unit_time": "3"},
            ],
        }
    )
    odd = OddSet((0, 1, 2, 3, 4))
    among, away = platform.arcs[0], platform.arcs[2]
    assert odd_uses(platform, among, [odd]) == [("A--B--C--D--E.odd", Fraction(3, 2))]
    assert odd_uses(platform, away, [odd]) == []
