"""Units of the command line: exact, or refused with what to write instead."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.quantity import DATA, TIME, WORK, Dimension, parse_quantity


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("20Gf", WORK, 20 * 10**9),
        ("2.5 Mflop", WORK, 2_500_000),
        ("1Kif", WORK, 1024),
        ("1e9f", WORK, 10**9),
        ("1e9", WORK, 10**9),
        ("+7", WORK, 7),
        ("1/3", WORK, Fraction(1, 3)),
        ("20G", WORK, 20 * 10**9),
        ("25MB", DATA, 25 * 10**6),
        ("25MiB", DATA, 25 * 2**20),
        ("3/4GB", DATA, 750_000_000),
        ("0.1kB", DATA, 100),
        ("5EB", DATA, 5 * 10**18),
        ("2E3B", DATA, 2000),
        ("1Mi", DATA, 2**20),
        ("12Mbit", DATA, 1_500_000),
        ("1Kibit", DATA, 128),
        ("0B", DATA, 0),
        (" 90s ", TIME, 90),
        ("3/2min", TIME, 90),
        ("1h", TIME, 3600),
        ("5us", TIME, Fraction(1, 200_000)),
    ],
)
def test_a_number_with_a_unit_is_read_exactly(
    text: str, dimension: Dimension, value: Fraction
) -> None:
    assert parse_quantity(text, dimension, dimension.label, "x") == value


@pytest.mark.parametrize(
    ("text", "dimension", "label", "value"),
    [
        ("20Gf", WORK, "Gflop", 20),
        ("1f", WORK, "Mflop", Fraction(1, 10**6)),
        ("25MiB", DATA, "MB", Fraction(2**20 * 25, 10**6)),
        ("3B", DATA, "bytes", 3),
        ("90s", TIME, "min", Fraction(3, 2)),
        ("7", DATA, "crates", 7),
        ("7k", DATA, "crates", 7000),
        ("7", DATA, None, 7),
    ],
)
def test_a_platform_has_the_quantity_in_its_own_unit(
    text: str, dimension: Dimension, label: str | None, value: Fraction
) -> None:
    assert parse_quantity(text, dimension, label, "x") == value


@pytest.mark.parametrize(
    ("text", "dimension", "told"),
    [
        ("25MB", WORK, "'MB' is a unit of data, not of work: write it like 20Gf"),
        ("25Gf", DATA, "'Gf' is a unit of work, not of data"),
        ("10s", WORK, "'s' is a unit of time, not of work"),
        ("25MB/s", DATA, "'MB/s' is a rate, and an amount of data is asked"),
        ("25Gbps", DATA, "'Gbps' is a rate"),
        ("20Gf/s", WORK, "'Gf/s' is a rate, and an amount of work is asked"),
        ("25Mb", DATA, "b may be bits or bytes: write Mbit or MB"),
        ("25mb", DATA, "write Mbit or MB"),
        ("25KB", DATA, "K may be 1000 or 1024: write kB or KiB"),
        ("25K", WORK, "write k or Ki"),
        ("25mB", DATA, "there is no unit 'mB' of data. Did you mean MB?"),
        ("20gf", WORK, "Did you mean Gf?"),
        ("20Gflp", WORK, "Did you mean Gflop?"),
        ("5E", DATA, "there is no unit 'E' of data: write it like 25MB or 25MiB"),
        ("20furlongs", WORK, "there is no unit 'furlongs' of work"),
        ("1,000", DATA, "Numbers have a decimal point, and no commas"),
        ("1 000", DATA, "expected a number, with a unit or without"),
        ("", DATA, "expected a number"),
        ("MB", DATA, "expected a number"),
        ("½", DATA, "expected a number"),
        (".5", DATA, "expected a number"),
        ("nan", DATA, "expected a number"),
        ("-5MB", DATA, "a quantity cannot be negative"),
        ("1/0", DATA, "the denominator is zero"),
        ("1e31", DATA, "an exponent of at most 30"),
        ("1e99999999999", DATA, "an exponent of at most 30"),
        ("9" * 65, DATA, "at most 64 digits"),
        ("9" * 10**6 + "x" * 10**6, DATA, "at most 64 digits"),
        ("1" + "x" * 10**6, DATA, "there is no unit"),
        ("1\x1b[2J", DATA, "\\x1b"),
    ],
)
def test_what_is_no_quantity_is_refused_with_what_to_write(
    text: str, dimension: Dimension, told: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(told)) as caught:
        parse_quantity(text, dimension, dimension.label, "x")
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_nothing_is_converted_to_a_unit_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="has its data in 'crates', and MB cannot be converted"):
        parse_quantity("25MB", DATA, "crates", "p.json")
    with pytest.raises(ValueError, match=r'p.json does not say its unit of data.*"data": "B"'):
        parse_quantity("25MB", DATA, None, "p.json")


@given(st.text(max_size=12), st.sampled_from([WORK, DATA, TIME]))
def test_any_text_is_a_quantity_or_a_sentence(text: str, dimension: Dimension) -> None:
    try:
        value: Fraction | str = parse_quantity(text, dimension, dimension.label, "x")
    except ValueError as error:
        value = str(error)
    assert value.isprintable() if isinstance(value, str) else value >= 0
