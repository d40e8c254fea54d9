from fractions import Fraction

import pytest

from steadygrid.report.glyphs import ASCII, UNICODE
from steadygrid.report.quantities import (
    amount,
    cell_text,
    column_text,
    decimal_text,
    elapsed_text,
    exact_text,
    full_text,
    num_digits,
    percent,
    rounded_text,
    small_percent,
)

F = Fraction


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (F(0), "0"),
        (F(21, 40), "0.525"),
        (F(1, 3), "0.333333"),
        (F(9999), "9999"),
        (F(12345), "12,345"),
        (F(123456789012345), "123,456,789,012,345"),
        (F(10**15), "1e15"),
        (F(125, 100) * 10**9 + F(1, 3), "1.25e9"),
        (F(8, 10**10), "8e-10"),
        (F(1, 8192), "0.00012207"),
        (F(7, 10**400), "7e-400"),
        (F(12 * 10**5000), "1.2e5001"),
    ],
)
def test_a_decimal_is_short_and_never_passes_through_a_double(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text


def test_small_numbers_of_one_axis_are_written_alike() -> None:
    ticks = [Fraction(n, 200_000) for n in (1, 2, 3, 6)]
    assert list(map(decimal_text, ticks)) == ["5e-6", "1e-5", "1.5e-5", "3e-5"]


def test_a_rounded_integer_has_no_more_digits_than_asked() -> None:
    assert rounded_text(F(123456789), 4) == "1.235e8"
    assert rounded_text(F(0), 4) == "0"


def test_a_short_fraction_is_given_with_its_decimal() -> None:
    assert full_text(F(21, 40), UNICODE) == "21/40 = 0.525"
    assert full_text(F(1, 3), UNICODE) == "1/3 ≈ 0.333333"
    assert full_text(F(1, 3), ASCII) == "1/3 ~ 0.333333"
    assert full_text(F(7), UNICODE) == "7"
    assert full_text(F(7), UNICODE, "s") == "7 s"
    assert full_text(F(21, 40), UNICODE, "s") == "21/40 = 0.525 s"


def test_a_long_fraction_is_given_by_its_value_and_its_number_of_digits() -> None:
    long = F(10**200 + 1, 3 * 10**200)
    assert full_text(long, UNICODE) == "≈ 0.333333 (exactly: a fraction, 201/201 digits)"
    assert full_text(long, UNICODE, "s").startswith("≈ 0.333333 s (exactly: ")
    assert exact_text(long, UNICODE) == "≈ 0.333333"
    assert full_text(F(10**20 + 1), UNICODE) == "≈ 1e20 (exactly: a 21-digit integer)"


def test_digits_are_counted_where_python_refuses_to_print() -> None:
    assert num_digits(0) == 1
    assert num_digits(999) == 3
    assert num_digits(10**6000) == 6001


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (F(0), "0 %"),
        (F(1), "100 %"),
        (F(3, 4), "75 %"),
        (F(10, 21), "47.6 %"),
        (F(1, 10**6), "<0.1 %"),
        (1 - F(1, 10**6), ">99.9 %"),
        (F(10**9) + F(1, 3), "1e11 %"),
    ],
)
def test_only_what_is_full_is_called_full(share: F, text: str) -> None:
    assert percent(share) == text


def test_a_small_loss_keeps_its_digits() -> None:
    assert small_percent(F(1, 7000)) == "0.014 %"
    assert small_percent(F(1, 10**12)) == "1e-10 %"


def test_one_is_singular() -> None:
    assert amount(1, "task", UNICODE) == "1 task"
    assert amount(F(1, 2), "task", UNICODE) == "1/2 tasks"
    assert amount(2, "way", UNICODE) == "2 ways"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (F(7), "7"),
        (F(21, 40), "21/40"),
        (F(3, 10), "3/10"),
        (F(3013, 100), "30.13"),
        (F(286087, 10**9), "0.000286087"),
        (F(1, 3 * 10**30), "3.33333e-31"),
    ],
)
def test_a_narrow_column_keeps_fractions_while_they_are_short(value: Fraction, text: str) -> None:
    assert cell_text(value) == text


def test_a_wide_column_gives_short_fractions_with_their_decimals() -> None:
    assert column_text(F(1, 4), UNICODE) == "1/4 = 0.25"
    assert column_text(F(286087, 10**9), UNICODE) == "0.000286087"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (F(40), "40"),
        (F(15, 2), "7.5"),
        (F(40, 3), "40/3"),
        (F(10**9, 286087), "≈ 3495.44"),
        (F(10**40), "≈ 1e40"),
    ],
)
def test_a_time_is_decimal_where_that_is_exact(value: Fraction, text: str) -> None:
    assert elapsed_text(value, UNICODE) == text
