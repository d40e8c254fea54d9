import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.errors import CertificationError
from steadygrid.engine.matching.separation import least_length
from steadygrid.engine.matching.slots import Centre, matchings_that_carry
from steadygrid.engine.solving.control import Control
from tests.engine.matching.graphs import Pair, busiest, timed_graphs


@given(timed_graphs(6), st.integers(0, 1))
def test_slots_carry_every_time_within_the_least_length(times: dict[Pair, int], spare: int) -> None:
    length = least_length(times, busiest(times)) + spare
    slots = matchings_that_carry(times, length, Control())
    assert len(slots) <= len(times) + 1
    assert sum(slot.duration for slot in slots) <= length
    for edge, time in times.items():
        assert sum(slot.duration for slot in slots if edge in slot.edges) == time
    for slot in slots:
        ends = [vertex for edge in slot.edges for vertex in edge]
        assert len(set(ends)) == len(ends)
        assert slot.duration > 0


def test_times_beyond_what_slots_can_carry_are_refused() -> None:
    times = {(0, 1): 1, (1, 2): 1, (0, 2): 1}
    with pytest.raises(CertificationError):
        matchings_that_carry(times, 2, Control())


def test_times_of_hundreds_of_digits_are_carried() -> None:
    unit = 10**400
    times = {(0, 1): unit + 1, (1, 2): unit, (0, 2): unit - 1}
    slots = matchings_that_carry(times, 3 * unit, Control())
    assert {slot.edges: slot.duration for slot in slots} == {(e,): t for e, t in times.items()}


def test_times_too_far_apart_for_floats_are_carried() -> None:
    much = 7 * 10**26
    times = {(1, 5): 80, (1, 2): 180, (0, 5): 144, (0, 3): 180, (2, 3): much + 30}
    slots = matchings_that_carry(times, much + 210, Control())
    assert sum(slot.duration for slot in slots) <= much + 210
    for edge, time in times.items():
        assert sum(slot.duration for slot in slots if edge in slot.edges) == time


def test_the_centre_is_where_the_bound_is_least() -> None:
    """Two edges of a half each: the bound is half their prices, and the heaviest matching."""
    centre = Centre(np.array([0.5, 0.5, 1.0]))
    tried = np.array([0.0, 0.0, 0.0])
    assert (centre.moved_to_centre(tried, 0.75) == tried).all()
    centre.learn(np.array([0.0, 0.0, 2.0]), 2.0)
    centre.learn(np.array([1.0, 1.0, 0.0]), -0.5)
    centre.learn(np.array([1.0, 0.0, 1.0]), 1.0)
    assert centre.moved_to_centre(tried, 0.75).tolist() == [0.75, 0.75, 0.0]
