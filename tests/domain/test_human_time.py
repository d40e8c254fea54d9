"""Times as people say them."""

from fractions import Fraction

import pytest

from steadygrid.domain.human_time import human_time

F = Fraction


@pytest.mark.parametrize(
    ("seconds", "text", "exact"),
    [
        (F(120), "2 min", True),
        (F(9000), "2 h 30 min", True),
        (F(9001), "2 h 30 min", False),
        (F(59 * 60 + 59) + F(1, 2), "1 h", False),
        (F(40120, 21), "31 min 50 s", False),
        (F(2 * 86400 + 5 * 3600), "2 d 5 h", True),
        (F(86400 - 1), "1 d", False),
        (F(31557600), "1 year", True),
        (F(2 * 31557600 + 86400), "2 years 1 d", True),
        (F(63 * 31557600 + 1), "63 years", False),
        (F(10**30 * 31557600), "1.0e+30 years", True),
    ],
)
def test_a_time_is_said_in_two_units_at_most(seconds: Fraction, text: str, exact: bool) -> None:
    assert human_time(seconds, "s") == (text, exact)
    assert human_time(seconds * 1000, "ms") == (text, exact)


def test_short_times_and_unknown_units_are_left_as_they_are() -> None:
    assert human_time(F(119), "s") is None
    assert human_time(F(10**9), "ticks") is None
    assert human_time(F(10**9), None) is None
    assert human_time(F(2), "min") == ("2 min", True)
