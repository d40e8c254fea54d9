"""Dispatch orders."""

from fractions import Fraction
from itertools import islice
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.dispatch import DispatchOrder, dispatch_order

rates_of = st.lists(
    st.builds(Fraction, st.integers(0, 20), st.integers(1, 20)), min_size=1, max_size=7
)


def deviation(rates: list[Fraction], order: list[int]) -> Fraction:
    """Give the largest difference of a count and its share, over all allocations and prefixes."""
    counts = [0] * len(rates)
    total = sum(rates)
    worst = Fraction(0)
    for places, index in enumerate(order, 1):
        counts[index] += 1
        shares = (places * rate / total for rate in rates)
        worst = max(worst, *(abs(n - share) for n, share in zip(counts, shares, strict=True)))
    return worst


def bound(rates: list[Fraction]) -> Fraction:
    positive = sum(1 for rate in rates if rate)
    return 1 - Fraction(1, 2 * positive - 2) if positive > 1 else Fraction(0)


@given(rates_of, st.integers(0, 150))
def test_every_prefix_is_within_less_than_one_instance_of_its_shares(
    rates: list[Fraction], count: int
) -> None:
    order = dispatch_order(rates, count)
    assert len(order) == (count if any(rates) else 0)
    assert deviation(rates, order) <= bound(rates)


@given(rates_of, st.integers(1, 80))
def test_of_what_has_been_released_the_earliest_deadline_is_handed_out(
    rates: list[Fraction], count: int
) -> None:
    shares = {i: rate / sum(rates) for i, rate in enumerate(rates) if rate}
    margin = 1 - bound(rates)
    counts = dict.fromkeys(shares, 0)
    expected = []
    for place in range(1, count + 1 if shares else 0):
        released = [i for i, p in shares.items() if ceil((counts[i] + margin) / p) <= place]
        if len(shares) == 1:
            released = [*shares]
        due = {i: floor((counts[i] + 1 - margin) / shares[i]) + 1 for i in released}
        chosen = min(released, key=lambda i: (due[i], i))
        counts[chosen] += 1
        expected.append(chosen)
    assert dispatch_order(rates, count) == expected


def test_a_large_rate_is_not_served_in_one_go_beside_many_small_ones() -> None:
    rates = [Fraction(1, 2), *[Fraction(1, 100)] * 50]
    order = dispatch_order(rates, 100)
    assert deviation(rates, order) == bound(rates) == Fraction(99, 100)
    assert [order.count(i) for i in range(51)] == [50, *[1] * 50]


@pytest.mark.parametrize(
    ("rates", "count", "expected"),
    [
        (["3/2", "1", "1/3"], 11, Fraction(12, 17)),
        (["5/2", "2", "3", "2"], 14, Fraction(13, 19)),
        (["1", "2/3"], 10, Fraction(2, 5)),
        (["1/3", "1"], 9, Fraction(1, 2)),
        (["2", "1/2"], 13, Fraction(2, 5)),
    ],
)
def test_the_deviation_is_the_calculated_one(
    rates: list[str], count: int, expected: Fraction
) -> None:
    exact = [Fraction(rate) for rate in rates]
    assert deviation(exact, dispatch_order(exact, count)) == expected


def test_a_period_hands_out_what_the_rates_ask() -> None:
    order = dispatch_order([Fraction(1, 40), Fraction(1, 8), Fraction(3, 8)], 21)
    assert [order.count(i) for i in range(3)] == [1, 5, 15]


def test_nothing_is_handed_out_where_no_allocation_runs() -> None:
    assert dispatch_order([Fraction(0)], 5) == []
    assert dispatch_order([], 5) == []


def test_rates_of_a_thousand_digits_are_compared_exactly() -> None:
    rate = Fraction(10**1000 + 1, 10**1001)
    # With equal rates either may be first; the greater one alone is released for the first place.
    assert dispatch_order([rate, rate], 5) == [0, 1, 0, 1, 0]
    assert dispatch_order([rate, rate + Fraction(1, 10**2001)], 5) == [1, 0, 1, 0, 1]


def test_a_thousand_rates_of_a_thousand_digits_are_no_burden() -> None:
    period = 10**1000 + 1
    rates = [Fraction(10**999 + i, period) for i in range(1000)]
    order = dispatch_order(rates, 2000)
    total = sum(rates)
    for half in (order[:1000], order):
        counts = [half.count(i) for i in range(1000)]
        pairs = zip(counts, rates, strict=True)
        assert all(abs(n - len(half) * r / total) <= bound(rates) for n, r in pairs)


slow_rates_of = st.lists(
    st.builds(Fraction, st.integers(0, 9), st.integers(1, 300)), min_size=1, max_size=9
)


@given(slow_rates_of, st.integers(0, 250), st.integers(0, 10**30))
def test_an_order_goes_on_at_any_count_as_if_it_had_come_there(
    rates: list[Fraction], start: int, turns: int
) -> None:
    walked = DispatchOrder(rates)
    for _ in range(start if walked.cycle else 0):
        next(walked)
    whole = [int(rate / (sum(rates) or 1) * walked.cycle) for rate in rates]
    resumed = DispatchOrder(rates, start=start + turns * walked.cycle)
    assert resumed.counts == [n + turns * w for n, w in zip(walked.counts, whole, strict=True)]
    assert list(islice(resumed, 40)) == list(islice(walked, 40))


def test_an_order_goes_on_deep_in_a_period_of_thirty_digits() -> None:
    rates = [Fraction(10**28 + 7**i, 10**31) for i in range(30)]
    start = 10**25 + 12345
    walked = DispatchOrder(rates, start=start - 3000)
    assert walked.cycle > 10**29
    total = sum(rates)
    for place in range(start - 2999, start + 1):
        next(walked)
        shares = (place * rate / total for rate in rates)
        pairs = zip(walked.counts, shares, strict=True)
        assert max(abs(n - share) for n, share in pairs) <= bound(rates)
    assert walked.counts == DispatchOrder(rates, start=start).counts


def test_an_order_does_not_go_on_where_too_many_instances_decide() -> None:
    slow = Fraction(1, 10**8)
    rates = [1 - 4 * slow, slow, 3 * slow]
    with pytest.raises(ValueError, match="a very small rate"):
        DispatchOrder(rates, start=42_000_000)
    assert sum(DispatchOrder(rates, start=10**8 + 4).counts) == 10**8 + 4
