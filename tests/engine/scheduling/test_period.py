"""Lengths of periods and numbers that people can read."""

from fractions import Fraction
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.rounding import num_digits
from steadygrid.engine.scheduling.period import decade, round_numbers, round_up, shortest_period

positive = st.builds(Fraction, st.integers(1, 10**40), st.integers(1, 10**40))


@given(
    st.lists(st.builds(Fraction, st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=5)
)
def test_no_shorter_time_makes_all_counts_whole(rates: list[Fraction]) -> None:
    period = shortest_period([Fraction(0), *rates])
    counts = [rate * period for rate in rates]
    assert all(count.denominator == 1 for count in counts)
    for divisor in range(2, 31):
        assert any((count / divisor).denominator > 1 for count in counts)


def test_nothing_to_do_has_the_period_one() -> None:
    assert shortest_period([]) == 1


@given(positive)
def test_a_decade_is_the_largest_power_of_ten_below(value: Fraction) -> None:
    power = decade(value)
    assert power <= value < 10 * power
    assert set(str(max(power.numerator, power.denominator))) <= {"1", "0"}


@given(positive, st.integers(1, 6))
def test_rounding_up_keeps_that_many_digits(value: Fraction, digits: int) -> None:
    rounded = round_up(value, digits)
    unit = decade(value) / 10 ** (digits - 1)
    assert value <= rounded < value + unit
    assert (rounded / unit).denominator == 1


def test_nothing_is_rounded_to_nothing() -> None:
    assert round_up(Fraction(0), 3) == 0


def test_round_numbers_go_on_in_ones_twos_and_fives() -> None:
    assert [str(n) for n in islice(round_numbers(Fraction(3, 10)), 6)] == [
        "1/2", "1", "2", "5", "10", "20",
    ]  # fmt: skip
    assert next(iter(round_numbers(Fraction(5000)))) == 5000
    assert next(iter(round_numbers(Fraction(5001)))) == 10000


@given(positive)
def test_digits_are_counted_to_within_one(value: Fraction) -> None:
    longest = max(len(str(value.numerator)), len(str(value.denominator)))
    assert longest <= num_digits(value) <= longest + 1
