r"""The optimal shares of a load on a tree at given orders, without a program.

One star, sent to in the order 1, 2, ..., with :math:`S = 0` after the last, is

.. math::
   S_i = \frac{1 + w_i S_{i+1}}{w_i + c_i} \text{ if } c_i S_{i+1} < 1, \text{ else } S_{i+1}
   \tag{7}

load per time unit from the i-th on. A load A takes :math:`T = A / S_1`. Forwards, with
:math:`K = T`, the i-th takes :math:`a_i = K / (c_i + w_i)` and leaves :math:`K - c_i a_i`. Who is
left out in (7) takes nothing. The price of its constraint is :math:`(S_i - S_{i+1}) / S_1`. A
processor that computes and sends is the first of its own star, with c = 0, and to the one before
it a single processor with :math:`w = 1 / S_1`, whose price it shares out in its star.

By nondecreasing c no other order is better. Where results come back in reverse order, c is the
time there and back (`Tree.with_round_trips`), on trees as on stars. T after its message has
arrived, a
processor has all results of its star, and sends them on. Source: Gallet, *Steady-State Scheduling of Task Graphs
onto Heterogeneous Platforms*, 2009, section 1.2.2: Lemma 1.5 for the order, and (7) is Lemma 1.6
where all take part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.rounding import magnitude, num_bits
from steadygrid.kinds.divisible_star.solver.tree.tree import ZERO, Division, Tree

LONGEST_BITS = 4_000
"""Of an exact answer; longer numbers, more than 1,200 digits, are rounded."""
PRECISION = 320
"""Bits to which rates are known, relative to the least of them, where they are rounded."""


class TooLongError(Exception):
    """Exact numbers are too long to read."""


@dataclass(frozen=True)
class _Item:
    """Who takes a part in a star, at what rate from there on. No rate: in no time."""

    place: int
    rate: Fraction
    wire: Fraction
    work: Fraction


def divide_exactly(tree: Tree, check: Callable[[], None] = lambda: None) -> Division:
    """Compute shares and prices exactly.

    Parameters
    ----------
    tree
        Processors with their times, and the order in which each sends.
    check
        May raise, which ends the work.

    Raises
    ------
    TooLongError
        If some number has more than `LONGEST_BITS`.
    """
    # By processor, the time of the whole load on it and all behind it; None where no processor
    # computes.
    times: list[Fraction | None] = [None] * len(tree.ids)
    stars: list[list[_Item]] = [[] for _ in tree.ids]
    for i in reversed(tree.downwards):
        check()
        stars[i], times[i] = _star(tree, i, times) if tree.children[i] else ([], tree.work[i])
    shares, prices = [ZERO] * len(tree.ids), [ZERO] * len(tree.ids)
    amounts, worths = {0: Fraction(1)}, {0: Fraction(1)}
    for i in tree.downwards:
        check()
        amount, worth, time = amounts.pop(i, ZERO), worths.pop(i, ZERO), times[i]
        if (not amount and not worth) or time is None:
            continue
        if not tree.children[i]:
            shares[i], prices[i] = amount, worth
            continue
        left = amount * time
        star = stars[i]
        for item, after in zip(star, [*(item.rate for item in star[1:]), ZERO], strict=True):
            total = item.wire + item.work
            part = left / total if total else amount
            price = worth * (item.rate - after) * time if total else worth
            left = _short(left - item.wire * part)
            of_shares, of_prices = (shares, prices) if item.place == i else (amounts, worths)
            of_shares[item.place], of_prices[item.place] = _short(part), _short(price)
    return Division(shares, prices)


def _star(
    tree: Tree, i: int, times: Sequence[Fraction | None]
) -> tuple[list[_Item], Fraction | None]:
    """Give those that take part in the star of a processor, and its time of the whole load."""
    own = [(i, ZERO, tree.work[i])]
    rate, items = ZERO, []
    for place, wire, work in reversed(
        [*own, *((j, tree.wire[j], times[j]) for j in tree.children[i])]
    ):
        if work is None or wire * rate >= 1:
            continue
        if not wire + work:
            return [_Item(place, ZERO, ZERO, ZERO)], ZERO
        rate = _short((1 + work * rate) / (wire + work))
        items.append(_Item(place, rate, wire, work))
    return items[::-1], 1 / rate if rate else None


def _short(value: Fraction) -> Fraction:
    if num_bits(value) > LONGEST_BITS:
        raise TooLongError
    return value


@dataclass(frozen=True)
class _Whole:
    """An item in whole numbers: rate in the unit, numerators and denominators of the times."""

    place: int
    rate: int
    wire: tuple[int, int]
    work: tuple[int, int]


def divide_rounded(tree: Tree, check: Callable[[], None] = lambda: None) -> Division:
    """Compute shares and prices in whole numbers of small units, in linear time.

    The largest share, and the largest price, takes what the rounding of the others leaves.

    Parameters
    ----------
    tree
        Processors with their times, and the order in which each sends.
    check
        May raise, which ends the work.
    """
    longest = max((time for time in tree.work if time is not None), default=ZERO)
    longest += len(tree.ids) * max(tree.wire)
    bits = PRECISION + 2 * len(tree.ids).bit_length() + magnitude(longest)
    stars: list[list[_Whole]] = [[] for _ in tree.ids]
    for i in reversed(tree.downwards):
        check()
        stars[i] = _whole_star(tree, i, stars, bits)
    top = stars[0][0].rate
    # What costs the rounding of a share or a price, over the makespan: longest * top / unit.
    digits = PRECISION - 64 + len(tree.ids).bit_length() + max(0, magnitude(longest * top) - bits)
    shares, prices = [0] * len(tree.ids), [0] * len(tree.ids)
    amounts, worths = {0: 1 << digits}, {0: 1 << digits}
    for i in tree.downwards:
        check()
        amount, worth, star = amounts.pop(i, 0), worths.pop(i, 0), stars[i]
        if not star or (not amount and not worth):
            continue
        first = star[0].rate
        left = (amount << 2 * bits) // first if first else 0
        for item, after in zip(star, [*(item.rate for item in star[1:]), 0], strict=True):
            part, price = amount, worth
            if first:
                (c, over_c), (w, over_w) = item.wire, item.work
                part = left * (over_c * over_w) // ((w * over_c + c * over_w) << bits)
                price = worth * (item.rate - after) // first
                left = max(0, left - ((c * part) << bits) // over_c)
            of_shares, of_prices = (shares, prices) if item.place == i else (amounts, worths)
            of_shares[item.place], of_prices[item.place] = part, price
    unit = 1 << digits
    for numbers in (shares, prices):
        largest = max(range(len(numbers)), key=numbers.__getitem__)
        numbers[largest] += unit - sum(numbers)
    return Division(
        [Fraction(share, unit) for share in shares],
        [Fraction(price, unit) for price in prices],
        exact=False,
    )


def _whole_star(tree: Tree, i: int, stars: Sequence[Sequence[_Whole]], bits: int) -> list[_Whole]:
    """Give those that take part in a star. A single one of rate 0 where that takes no time."""
    rate, items = 0, []
    for place in reversed((i, *tree.children[i])):
        wire = (0, 1)
        own = tree.work[i] if place == i else None
        if place != i:
            wire = tree.wire[place].as_integer_ratio()
            star = stars[place]
            if not star:
                continue
            work = (1 << bits, star[0].rate) if star[0].rate else (0, 1)
        elif own is None:
            continue
        else:
            work = own.as_integer_ratio()
        (c, over_c), (w, over_w) = wire, work
        if c * rate >= over_c << bits:
            continue
        total = w * over_c + c * over_w
        if not total:
            return [_Whole(place, 0, (0, 1), (0, 1))]
        rate = ((over_w << bits) + w * rate) * over_c // total
        items.append(_Whole(place, rate, wire, work))
    return items[::-1]
