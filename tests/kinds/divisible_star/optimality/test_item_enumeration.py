"""That the referee repeats what is right of whole items, and nothing else."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from steadygrid.kinds.divisible_star.optimality.item_enumeration import (
    MOST_STEPS,
    no_items_are_faster,
)
from steadygrid.kinds.divisible_star.replay.star_terms import Times
from tests.draws import draws
from tests.kinds.divisible_star.optimality.every_order import random_star

ZERO = Fraction(0)


def counts(items: int, places: int) -> Iterator[tuple[int, ...]]:
    if not places:
        if not items:
            yield ()
        return
    for first in range(items + 1):
        for others in counts(items - first, places - 1):
            yield first, *others


def makespan(sent: Sequence[tuple[Times, Fraction]]) -> Fraction:
    last = now = ZERO
    for one, share in sent:
        if share:
            now += one.C + one.c * share
            last = max(last, now + one.W + one.w * share)
    return last


def shortest(
    workers: Sequence[Times], master: Times | None, items: int, *, given: bool
) -> Fraction:
    """Try all distributions in all orders; the master is a worker that is sent to in no time."""
    processors = [*([master] if master else []), *workers]
    orders = [processors] if given else list(permutations(processors))
    return min(
        makespan([(one, Fraction(k, items)) for one, k in zip(order, dealt, strict=True)])
        for order in orders
        for dealt in counts(items, len(processors))
    )


@pytest.mark.parametrize("seed", range(draws(30, 5_000)))
def test_what_all_distributions_give_is_the_least_and_nothing_longer_is(seed: int) -> None:
    draw = Random(seed)
    workers, master = random_star(draw, 3)
    items, given = draw.randint(1, 5), draw.random() < 0.5
    least = shortest(workers, master, items, given=given)
    longer = least + max(least, Fraction(1)) / 10 ** draw.choice([0, 3, 30])
    claims = [
        no_items_are_faster(workers, master, items, time, given_order=given)
        for time in (least, least * Fraction(9, 10), longer)
    ]
    assert claims == [True, True, False]


def times(c: int, w: int, C: int = 0, W: int = 0) -> Times:  # noqa: N803
    return Times(Fraction(c), Fraction(w), ZERO, Fraction(C), Fraction(W), ZERO)


def test_another_order_may_be_better_for_items() -> None:
    workers = [times(5, 1), times(5, 6)]
    assert no_items_are_faster(workers, None, 4, Fraction(6), given_order=True)
    assert no_items_are_faster(workers, None, 4, Fraction(11, 2), given_order=False)
    assert no_items_are_faster(workers, None, 4, Fraction(6), given_order=False) is False


def test_the_number_of_items_does_not_matter() -> None:
    """10^12 items are within one of them of what fractions take."""
    workers = [times(1, 7), times(2, 3), times(3, 5)]
    rate = ZERO
    for one in reversed(workers):
        rate = (1 + one.w * rate) / one.unit
    assert no_items_are_faster(workers, None, 10**12, 1 / rate, given_order=True)
    later = 1 / rate + Fraction(20, 10**12)
    assert not no_items_are_faster(workers, None, 10**12, later, given_order=True)


def test_what_takes_too_long_is_not_repeated() -> None:
    workers = [times(1, 7, 1, 2), times(2, 3, 2, 1), times(3, 5)]
    least = shortest(workers, None, 6, given=True)
    claim = no_items_are_faster(workers, None, 6, least, given_order=True, most_steps=3)
    assert claim is None


@pytest.mark.parametrize("items", [10**3, 10**12])
def test_latencies_do_not_make_more_steps_of_more_items(items: int) -> None:
    """The least makespan, found by bisection, is proved in few steps, and nothing longer is."""
    workers = [times(1 + i % 4, 50 + i % 7, i % 3, i % 2) for i in range(20)]

    def claim(time: int, most_steps: int = 20_000) -> bool | None:
        makespan = Fraction(time, items)
        return no_items_are_faster(
            workers, None, items, makespan, given_order=True, most_steps=most_steps
        )

    proved, refuted = 0, 100 * items
    while refuted - proved > 1:
        time = (proved + refuted) // 2
        proved, refuted = (time, refuted) if claim(time) else (proved, time)
    assert claim(proved)
    assert claim(refuted, MOST_STEPS) is False


def test_orders_of_many_workers_are_not_repeated() -> None:
    workers = [times(1, 1)] * 11
    assert no_items_are_faster(workers, None, 9, Fraction(1), given_order=False) is None
    assert no_items_are_faster(workers[:9], None, 9, Fraction(2, 9), given_order=False)
