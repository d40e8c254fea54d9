"""Dynamic allocation."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.dispatch import dispatch_order

rates_of = st.lists(
    st.builds(Fraction, st.integers(0, 20), st.integers(1, 20)), min_size=1, max_size=6
)


@given(rates_of, st.integers(0, 60))
def test_every_instance_goes_where_it_would_be_done_first(
    rates: list[Fraction], count: int
) -> None:
    counts = [0] * len(rates)
    expected = []
    for _ in range(count if any(rates) else 0):
        pairs = zip(counts, rates, strict=True)
        _, index = min((Fraction(n + 1) / r, i) for i, (n, r) in enumerate(pairs) if r)
        counts[index] += 1
        expected.append(index)
    assert dispatch_order(rates, count) == expected


def test_ties_go_to_the_lowest_index() -> None:
    assert dispatch_order([Fraction(1, 2), Fraction(1, 2), Fraction(1)], 4) == [2, 0, 1, 2]


def test_a_period_hands_out_what_the_rates_ask() -> None:
    order = dispatch_order([Fraction(1, 40), Fraction(1, 8), Fraction(3, 8)], 21)
    assert [order.count(i) for i in range(3)] == [1, 5, 15]


def test_nothing_is_handed_out_where_no_allocation_runs() -> None:
    assert dispatch_order([Fraction(0)], 5) == []
    assert dispatch_order([], 5) == []


def test_rates_of_a_thousand_digits_are_compared_exactly() -> None:
    rate = Fraction(10**1000 + 1, 10**1001)
    order = dispatch_order([rate, rate + Fraction(1, 10**2001)], 3)
    assert order == [1, 0, 1]


def test_a_thousand_rates_of_a_thousand_digits_are_no_burden() -> None:
    period = 10**1000 + 1
    rates = [Fraction(10**999 + i, period) for i in range(1000)]
    assert dispatch_order(rates, 2000) == [*reversed(range(1000))] * 2
