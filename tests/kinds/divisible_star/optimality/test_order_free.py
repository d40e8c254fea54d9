"""Bounds for all orders, of stars that send results back, against schedules of all sorts."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from steadygrid.kinds.divisible_star.optimality.order_free import any_rounds_bound, is_lower_bound
from steadygrid.kinds.divisible_star.replay.star_terms import Times
from tests.draws import draws

ZERO = Fraction(0)
TINY = 1 + Fraction(1, 10**30)


def random_times(draw: Random) -> Times:
    c, w, d, C, W, D = (Fraction(draw.choice([0, 0, 1, 2, 3, 7])) for _ in "cwdCWD")  # noqa: N806
    return Times(c, w, d + Fraction(1, 2), C, W, D)


def makespan(
    sent: Sequence[tuple[Times, Fraction]], back: Sequence[int], *, two_ports: bool
) -> Fraction:
    """Send one after the other, and let results come back as early as the port allows."""
    now = ZERO
    computed = []
    for one, share in sent:
        now += one.C + one.c * share
        computed.append(now + one.W + one.w * share)
    port = ZERO if two_ports else now
    for i in back:
        one, share = sent[i]
        port = max(port, computed[i]) + one.D + one.d * share
    return port


def shortest_of(draw: Random, stars: Sequence[Times], *, two_ports: bool) -> Fraction:
    """Draw schedules; the shares are those of the first in, in proportion, or equal."""
    found = [one.latency + one.unit for one in stars]
    for _ in range(60):
        sent = draw.sample(stars, draw.randint(1, len(stars)))
        weights = [draw.choice([Fraction(1), Fraction(2), 1 / one.unit]) for one in sent]
        shares = [(one, weight / sum(weights)) for one, weight in zip(sent, weights, strict=True)]
        back = draw.sample(range(len(sent)), len(sent))
        found.append(makespan(shares, back, two_ports=two_ports))
    return min(found)


@pytest.mark.parametrize("seed", range(draws(15, 3_000)))
@pytest.mark.parametrize("two_ports", [False, True])
def test_no_schedule_is_shorter_than_a_bound(seed: int, *, two_ports: bool) -> None:
    draw = Random(seed)
    stars = [random_times(draw) for _ in range(draw.randint(1, 4))]
    short = shortest_of(draw, stars, two_ports=two_ports)
    assert not is_lower_bound(stars, short * TINY, sends_or_receives=not two_ports)
    assert any_rounds_bound(stars) <= short
    (alone,) = stars[:1]
    whole = alone.latency + alone.unit
    assert is_lower_bound([alone], whole)
    assert not is_lower_bound([alone], whole * TINY)


def times(c: int, w: int, d: int) -> Times:
    return Times(Fraction(c), Fraction(w), Fraction(d), ZERO, ZERO, ZERO)


def test_each_of_the_three_bounds_is_the_best_somewhere() -> None:
    """Long messages, long results, or a port that is too busy with both."""
    for stars, bound in (
        ([times(2, 1, 0), times(2, 1, 0)], Fraction(9, 4)),
        ([times(0, 1, 2), times(0, 1, 2)], Fraction(9, 4)),
    ):
        assert is_lower_bound(stars, bound)
        assert not is_lower_bound(stars, bound * TINY)
    busy = [times(1, 0, 1), times(1, 0, 1)]
    assert is_lower_bound(busy, Fraction(2), sends_or_receives=True)
    assert not is_lower_bound(busy, Fraction(2))
    assert not is_lower_bound(busy, 2 * TINY, sends_or_receives=True)
