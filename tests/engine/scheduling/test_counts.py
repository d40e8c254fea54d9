"""Whole counts for a bounded period."""

import random
from fractions import Fraction
from itertools import product

import pytest

from steadygrid.domain.errors import Cancelled
from steadygrid.engine.scheduling import counts
from steadygrid.engine.scheduling.counts import best_counts, fitted, rounded_down
from steadygrid.engine.scheduling.loads import Loads, ratio
from steadygrid.engine.scheduling.workload import Rows
from steadygrid.engine.solving.control import Control


def instance(seed: int) -> tuple[list[Fraction], Rows, Fraction]:
    """Rates that load some resource fully, and a period."""
    choose = random.Random(seed)
    size = choose.randint(2, 4)
    rows: Rows = {f"own {a}": {a: Fraction(choose.randint(5, 30))} for a in range(size)}
    for k in range(3):
        members = choose.sample(range(size), choose.randint(1, size))
        rows[f"shared {k}"] = {
            a: Fraction(choose.randint(1, 9), choose.randint(1, 3)) for a in members
        }
    rates = [Fraction(choose.randint(1, 50), choose.randint(50, 90)) for _ in range(size)]
    busiest = max(sum(t * rates[a] for a, t in row.items()) for row in rows.values())
    return [r / busiest for r in rates], rows, Fraction(choose.randint(15, 60))


def optimum(rows: Rows, size: int, longest: Fraction) -> Fraction:
    """Enumerate all counts, in exact arithmetic."""
    most = [int(longest / max(row[a] for row in rows.values() if a in row)) for a in range(size)]
    best = Fraction(0)
    for point in product(*(range(m + 1) for m in most)):
        period = max(sum(t * point[a] for a, t in row.items()) for row in rows.values())
        if 0 < period <= longest:
            best = max(best, sum(point) / period)
    return best


@pytest.mark.parametrize("enumerating", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_small_instances_get_the_best_counts(
    seed: int, enumerating: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not enumerating:
        monkeypatch.setattr(counts, "MOST_POINTS", 1)
    rates, rows, longest = instance(seed)
    loads = Loads(rows, [1] * len(rates))
    found = best_counts(rates, loads, longest, Control())
    best = optimum(rows, len(rates), longest)
    throughput = found.throughput if found else Fraction(0)
    assert throughput == best if enumerating else best >= throughput >= best * 97 / 100
    assert best >= sum(rounded_down(rates, loads.steps, longest)) / longest


def large(seed: int, size: int) -> tuple[list[Fraction], Rows]:
    choose = random.Random(seed)
    rows: Rows = {f"own {a}": {a: Fraction(choose.randint(5, 30))} for a in range(size)}
    rows["port"] = {a: Fraction(choose.randint(1, 9), 7) for a in range(size)}
    for k in range(size):
        rows[str(k)] = {a: Fraction(choose.randint(1, 9)) for a in choose.sample(range(size), 4)}
    rates = [Fraction(choose.randint(1, 10**6), 10**6 + choose.randint(0, 99)) for _ in range(size)]
    busiest = max(sum(t * rates[a] for a, t in row.items()) for row in rows.values())
    return [r / busiest for r in rates], rows


@pytest.mark.parametrize("size", [12, 40, 150, 600])
@pytest.mark.parametrize("longest", [Fraction(37), Fraction(1000, 3), Fraction(10**6)])
def test_the_search_is_never_worse_than_rounding_down(size: int, longest: Fraction) -> None:
    rates, rows = large(size, size)
    loads = Loads(rows, [1] * size)
    found = best_counts(rates, loads, longest, Control())
    assert found is not None
    assert found.period <= longest
    assert loads.largest(found.counts) == found.period
    assert found.throughput >= sum(rounded_down(rates, loads.steps, longest)) / longest


def test_counts_are_multiples_of_their_steps() -> None:
    rates, rows = large(3, 12)
    steps = [1, 2, 3] * 4
    found = best_counts(rates, Loads(rows, steps), Fraction(500), Control())
    assert found is not None
    assert all(n % step == 0 for n, step in zip(found.counts, steps, strict=True))
    for row in rows.values():
        assert sum(time * found.counts[a] for a, time in row.items()) <= found.period


def test_no_instance_fits_a_period_that_is_too_short() -> None:
    rates, rows, _ = instance(1)
    assert best_counts(rates, Loads(rows, [1] * len(rates)), Fraction(1, 10), Control()) is None


def test_huge_counts_are_rounded_exactly() -> None:
    rates = [Fraction(1, 3), Fraction(1, 7)]
    rows: Rows = {"port": {0: Fraction(21, 10), 1: Fraction(21, 10)}}
    longest = Fraction(10**60)
    found = best_counts(rates, Loads(rows, [1, 1]), longest, Control())
    assert found is not None
    assert 0 <= 1 - found.throughput / Fraction(10, 21) < Fraction(1, 10**59)
    assert found.period <= longest


def test_gaps_are_filled_where_much_was_cut_off_first() -> None:
    rates = [Fraction(19, 100), Fraction(11, 100)]
    rows: Rows = {"port": {0: Fraction(10, 3), 1: Fraction(10, 3)}}
    assert fitted(rates, Loads(rows, [1, 1]), Fraction(10)) == [2, 1]


def test_a_cancelled_search_stops() -> None:
    rates, rows = large(5, 40)
    control = Control()
    control.cancel()
    with pytest.raises(Cancelled):
        best_counts(rates, Loads(rows, [1] * 40), Fraction(300), control)


def test_quotients_beyond_doubles_are_infinite() -> None:
    assert ratio(10**400, 1) == float("inf")
    assert ratio(1, 10**400) == 0
