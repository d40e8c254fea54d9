from fractions import Fraction

import pytest

from steadygrid.domain.rational import parse_rational
from steadygrid.domain.units import without_unit


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("4Gf", "4000000000", "f"),
        ("25 MB/s", "25000000", "B/s"),
        ("1.25e2kBps", "125000", "Bps"),
        ("10KiB", "10240", "B"),
        ("10 ms", "0.01", "s"),
        ("15us", "0.000015", "s"),
        ("2h", "7200", "s"),
        ("0.5 min", "30", "s"),
        ("3s", "3", "s"),
        ("100 bytes", "100", "bytes"),
        ("4M", "4000000", ""),
        ("1.5k", "1500", ""),
    ],
)
def test_a_unit_with_one_meaning_gives_the_plain_number(text: str, number: str, unit: str) -> None:
    assert without_unit(text) == (number, unit)
    assert parse_rational(number) == Fraction(number)


@pytest.mark.parametrize(
    "text", ["", "MB", "4K", "4KB", "4m", "4E", "4 MB each", "4e999MB", "-4MB", "4XB", "4 MB\x00"]
)
def test_what_may_mean_two_things_or_nothing_gives_none(text: str) -> None:
    assert without_unit(text) is None
