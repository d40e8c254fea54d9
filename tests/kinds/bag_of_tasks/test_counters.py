"""Counters that follow rates."""

from fractions import Fraction
from itertools import combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from steadygrid.kinds.bag_of_tasks.solver.counters import counted_workers

rates_of = st.lists(
    st.builds(Fraction, st.integers(1, 20), st.integers(1, 20)), min_size=1, max_size=6
)


@given(rates_of, st.integers(0, 60))
def test_every_task_goes_where_it_would_be_done_first(rates: list[Fraction], count: int) -> None:
    counts = [0] * len(rates)
    expected = []
    for _ in range(count):
        pairs = zip(counts, rates, strict=True)
        _, worker = min((Fraction(n + 1) / r, i) for i, (n, r) in enumerate(pairs))
        counts[worker] += 1
        expected.append(worker)
    assert counted_workers(rates, count) == expected


def test_no_split_of_as_many_tasks_is_done_sooner() -> None:
    rates = [Fraction(3, 2), Fraction(1), Fraction(1, 3)]
    order = counted_workers(rates, 9)

    def done(split: tuple[int, ...]) -> Fraction:
        return max(split.count(i) / rate for i, rate in enumerate(rates))

    for length in range(10):
        splits = combinations_with_replacement(range(3), length)
        assert done(tuple(order[:length])) == min(map(done, splits))


def test_rates_of_a_thousand_digits_are_compared_exactly() -> None:
    rate = Fraction(10**1000 + 1, 10**1001)
    assert counted_workers([rate, rate + Fraction(1, 10**2001)], 3) == [1, 0, 1]


def test_a_thousand_rates_of_a_thousand_digits_are_no_burden() -> None:
    period = 10**1000 + 1
    rates = [Fraction(10**999 + i, period) for i in range(1000)]
    assert counted_workers(rates, 2000) == [*reversed(range(1000))] * 2
