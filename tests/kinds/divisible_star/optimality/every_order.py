"""The shortest makespan of a small star, by trying all participants in all orders."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

from steadygrid.kinds.divisible_star.replay.star_terms import Times

ZERO = Fraction(0)


def shortest(workers: Sequence[Times], master: Times | None, *, given_order: bool) -> Fraction:
    """Give the least makespan at which participants finish together, all with a share."""
    alone = [one.latency + one.unit for one in (*workers, *([master] if master else []))]
    found = alone + [
        makespan
        for sent in _orders(workers, given_order)
        for own in ({None, master})
        if (makespan := _together(sent, own)) is not None
    ]
    return min(found)


def _orders(workers: Sequence[Times], given_order: bool) -> Iterator[tuple[Times, ...]]:
    for size in range(len(workers) + 1):
        for members in combinations(workers, size):
            yield from [members] if given_order else permutations(members)


def _together(sent: Sequence[Times], own: Times | None) -> Fraction | None:
    """Solve for the makespan; times and loads are lines in it."""
    slope, offset = Fraction(1), ZERO
    shares: list[tuple[Fraction, Fraction]] = []
    for one in sent:
        if not one.unit:
            return None
        share = slope / one.unit, (offset - one.latency) / one.unit
        shares.append(share)
        slope, offset = one.w * share[0], one.W + one.w * share[1]
    if own is not None:
        if not own.w:
            return None
        shares.append((1 / own.w, -own.W / own.w))
    per_time = sum((slope for slope, _ in shares), ZERO)
    if not per_time:
        return None
    makespan = (1 - sum((offset for _, offset in shares), ZERO)) / per_time
    if any(slope * makespan + offset < 0 for slope, offset in shares):
        return None
    return makespan


def random_star(draw: Random, most: int) -> tuple[list[Times], Times | None]:
    """Draw workers, and at times a master that computes: with ties, zeros and huge ratios."""
    values = draw.choice(
        [
            [Fraction(n) for n in range(11)],
            [Fraction(1), Fraction(2)],
            [ZERO, ZERO, Fraction(1), Fraction(3)],
            [Fraction(10) ** n for n in range(-6, 7, 2)],
            [Fraction(n, d) for n in range(0, 20, 3) for d in (1, 3, 7)],
        ]
    )
    workers = []
    for _ in range(draw.randint(1, most)):
        c, w, C, W = (draw.choice(values) for _ in "cwCW")  # noqa: N806
        workers.append(Times(c, w, ZERO, C, W, ZERO))
    if draw.random() < 0.6:
        return workers, None
    return workers, Times(ZERO, draw.choice(values), ZERO, ZERO, draw.choice(values), ZERO)
