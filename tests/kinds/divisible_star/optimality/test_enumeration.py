"""That the referee repeats what is right of orders and participants, and nothing else."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.kinds.divisible_star.optimality.enumeration import nothing_is_faster
from steadygrid.kinds.divisible_star.optimality.order_free import any_rounds_bound, is_lower_bound
from steadygrid.kinds.divisible_star.replay.star_terms import Times
from tests.draws import draws
from tests.kinds.divisible_star.optimality.every_order import random_star, shortest

ZERO = Fraction(0)


def star(c: str, w: str, C: str, W: str) -> list[Times]:  # noqa: N803
    columns = [[Fraction(value) for value in column.split()] for column in (c, w, C, W)]
    return [Times(a, b, ZERO, d, e, ZERO) for a, b, d, e in zip(*columns, strict=True)]


@pytest.mark.parametrize("seed", range(draws(38, 5_000)))
def test_what_all_orders_give_is_the_least_and_nothing_longer_is(seed: int) -> None:
    draw = Random(seed)
    workers, master = random_star(draw, 4)
    given_order = draw.random() < 0.4
    least = shortest(workers, master, given_order=given_order)
    longer = least + max(least, Fraction(1)) / 10 ** draw.choice([0, 3, 30])
    claims = [
        nothing_is_faster(workers, master, makespan, given_order=given_order)
        for makespan in (least, least * Fraction(9, 10), longer)
    ]
    assert claims == [True, True, False]


@pytest.mark.parametrize("seed", range(draws(38, 5_000)))
def test_bounds_without_an_order_hold(seed: int) -> None:
    workers, master = random_star(Random(seed), 4)
    stars = [*workers, *([master] if master else [])]
    least = shortest(workers, master, given_order=False)
    assert any_rounds_bound(stars) <= least
    assert not is_lower_bound(stars, least + max(least, Fraction(1)) / 10**30)
    assert is_lower_bound(stars, any_rounds_bound(stars) / 2)


@pytest.mark.parametrize(
    ("workers", "least", "by_link_time"),
    [
        (star("5 4 2", "2 1 4", "5 0 2", "2 5 2"), "60/7", "28/3"),
        (star("5 7 2", "6 5 8", "0 0 0", "0 10 0"), "110/19", "110/19"),
    ],
)
def test_the_oracles_are_the_least(workers: list[Times], least: str, by_link_time: str) -> None:
    assert nothing_is_faster(workers, None, Fraction(least))
    assert nothing_is_faster(workers, None, Fraction(least) + Fraction(1, 10**40)) is False
    in_order = sorted(workers)
    assert nothing_is_faster(in_order, None, Fraction(by_link_time), given_order=True)


def test_of_equal_workers_none_is_tried_twice() -> None:
    """2^40 sets are 40 numbers of participants; on a bus without latencies, all orders tie."""
    assert nothing_is_faster(star("1 " * 40, "9 " * 40, "1 " * 40, "1 " * 40), None, Fraction(5))
    bus = [Times(Fraction(1), Fraction(w), ZERO, ZERO, ZERO, ZERO) for w in range(1, 26)]
    rate = ZERO
    for one in reversed(bus):
        rate = (1 + one.w * rate) / one.unit
    assert nothing_is_faster(bus, None, 1 / rate, most_steps=0)
    assert nothing_is_faster(bus, None, 1 / rate * Fraction(101, 100)) is False


def test_what_takes_too_long_is_not_repeated() -> None:
    workers = star("5 4 2", "2 1 4", "5 0 2", "2 5 2")
    assert nothing_is_faster(workers, None, Fraction(60, 7), most_steps=2) is None


def test_a_worker_with_latencies_only_is_compared_alone() -> None:
    workers = star("0 1", "0 1", "1 0", "1 0")
    assert nothing_is_faster(workers, None, Fraction(2))
    assert nothing_is_faster(workers, None, Fraction(3)) is False
    assert nothing_is_faster([], workers[0], Fraction(2))
    assert is_lower_bound(workers[:1], Fraction(2))
    assert not is_lower_bound(workers[:1], Fraction(5, 2))
    assert any_rounds_bound(workers) == 0


def test_a_master_may_do_more_than_all_by_itself() -> None:
    master = Times(ZERO, Fraction(1), ZERO, ZERO, ZERO, ZERO)
    assert nothing_is_faster(star("5", "5", "1", "1"), master, Fraction(2)) is False
    assert nothing_is_faster([], master, Fraction(1))
    assert nothing_is_faster([], master, ZERO)
