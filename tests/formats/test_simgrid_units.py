from fractions import Fraction

import pytest

from steadygrid.formats.simgrid.units import parse_bandwidth, parse_speed, parse_time


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1f", Fraction(1)),
        ("286.087kf", Fraction(286087)),
        ("286.087Kf", Fraction(286087)),
        ("98.095Mf", Fraction(98095000)),
        ("1Gf", Fraction(10**9)),
        ("1.5Tf", Fraction(15 * 10**11)),
        ("1Pf", Fraction(10**15)),
        ("5Ef", Fraction(5 * 10**18)),
        ("1Zf", Fraction(10**21)),
        ("1Yf", Fraction(10**24)),
        ("3Kif", Fraction(3 * 1024)),
        ("3Mif", Fraction(3 * 1024**2)),
        ("2Yif", Fraction(2 * 1024**8)),
        ("5.2297E9f", Fraction(5229700000)),
        ("5.2297e+9f", Fraction(5229700000)),
        ("2gigaflops", Fraction(2 * 10**9)),
        ("2gibiflops", Fraction(2 * 1024**3)),
        ("7flops", Fraction(7)),
        ("3.300140519709234Gf", Fraction(3300140519709234, 10**6)),
        (".5f", Fraction(1, 2)),
        ("5.f", Fraction(5)),
        ("+1f", Fraction(1)),
        (" 1f", Fraction(1)),
    ],
)
def test_speeds_are_read_exactly(text, value):
    assert parse_speed(text) == (value, False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("125MBps", Fraction(125 * 10**6)),
        ("10kBps", Fraction(10**4)),
        ("10KBps", Fraction(10**4)),
        ("10KiBps", Fraction(10240)),
        ("1.25GBps", Fraction(125 * 10**7)),
        ("1.25E9Bps", Fraction(125 * 10**7)),
        ("1Gbps", Fraction(125 * 10**6)),
        ("1kbps", Fraction(125)),
        ("1Kbps", Fraction(125)),
        ("1Mibps", Fraction(1024**2, 8)),
        ("1bps", Fraction(1, 8)),
        ("41.279125MBps", Fraction(41279125)),
        ("5EBps", Fraction(5 * 10**18)),
        ("1E3EBps", Fraction(10**21)),
    ],
)
def test_bandwidths_are_read_exactly(text, value):
    assert parse_bandwidth(text) == (value, False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1w", Fraction(604800)),
        ("2d", Fraction(172800)),
        ("1h", Fraction(3600)),
        ("1m", Fraction(60)),
        ("1.0E-4s", Fraction(1, 10**4)),
        ("1.461517ms", Fraction(1461517, 10**9)),
        ("59.904us", Fraction(59904, 10**9)),
        ("3ns", Fraction(3, 10**9)),
        ("3ps", Fraction(3, 10**12)),
    ],
)
def test_times_are_read_exactly(text, value):
    assert parse_time(text) == (value, False)


def test_a_number_without_unit_is_in_the_base_unit_and_says_so():
    assert parse_speed("5.5") == (Fraction(11, 2), True)
    assert parse_bandwidth("1e3") == (1000, True)
    assert parse_time("2") == (2, True)


def test_zero_needs_no_unit():
    assert parse_time("0") == (0, False)
    assert parse_time("-0") == (0, False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1GF", "there is no unit 'GF'"),
        ("1 Gf", "there is no unit ' Gf'"),
        ("1MBps", "there is no unit 'MBps'"),
        ("fast", "'fast' is not a speed like 1Gf"),
        ("", "is not a speed"),
        (".", "is not a speed"),
        ("-1Gf", "is negative"),
        ("inf", "is not a speed"),
        ("nan", "is not a speed"),
        ("0x10f", "there is no unit 'x10f'"),
        ("1e31f", "exponents up to 30"),
        ("1e99999999999f", "exponents up to 30"),
        ("1e-31f", "exponents up to 30"),
        ("1" * 65 + "f", "at most 64 digits"),
        ("1" * 300, "at most 256 characters"),
        ("١f", "is not a speed"),
    ],
)
def test_a_malformed_speed_says_what_is_wrong(text, says):
    with pytest.raises(ValueError) as caught:
        parse_speed(text)
    assert says in str(caught.value)
