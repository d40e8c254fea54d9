r"""Short exact shares and prices from approximate ones, and what they prove.

Any shares that sum to 1 have a schedule, and any prices that flow from the objective back to the
dates have a bound (see `app.problems.divisible_chain.bounds`), so that nothing has to be solved:
shares are rounded and the rest of each load goes to its largest share; prices are rounded on
their way back, and what a rounding lacks is put on the largest price.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from workers.problems.divisible_chain.chain import ZERO, Chain, Shares
from workers.problems.divisible_chain.goal import Goal
from workers.problems.divisible_chain.program import Approximation, Optimum

DIGITS = 17
"""Decimal digits of a share that came from floating point."""
BITS = 64
"""Bits of the prices on the objective, and of the sum of what the loads cost."""


def rounded(
    chain: Chain, goal: Goal, near: Approximation, *, digits: int = DIGITS, bits: int = BITS
) -> Optimum:
    """Give exact shares, and exact prices with the bound that they prove.

    Parameters
    ----------
    near
        As good as it may be: what it lacks shows in the distance of value and bound, nowhere else.
    digits
        Decimal digits of each share.
    bits
        Of the prices on the objective and of the loads' prices, the largest of each.
    """
    shares = _rounded_shares(chain, near, digits)
    value, prices = _rounded_prices(chain, goal, near, bits)
    return Optimum(near.participants, shares, value, prices)


def _rounded_shares(chain: Chain, near: Approximation, digits: int) -> Shares:
    unit = 10**digits
    of_load: list[dict[tuple[int, int], Fraction]] = [{} for _ in range(chain.num_loads)]
    for t, piece in enumerate(chain.sequence):
        for i in near.participants:
            if chain.work[i][piece.load] is not None:
                share = min(max(Fraction(near.shares.get((i, t), 0)), ZERO), Fraction(1))
                of_load[piece.load][i, t] = share
    shares: dict[tuple[int, int], Fraction] = {}
    for parts in of_load:
        total = sum(parts.values(), ZERO) or Fraction(1)
        units = {place: round(share / total * unit) for place, share in parts.items()}
        largest = max(units, key=lambda place: units[place])
        units[largest] += unit - sum(units.values())
        shares |= {place: Fraction(count, unit) for place, count in units.items() if count}
    return shares


def is_bound(chain: Chain, goal: Goal, optimum: Optimum) -> bool:
    """Tell whether the bound of some participants holds whoever takes part.

    For the makespan: whoever is left out comes too late to end before the bound, and whoever
    takes part comes before it, so that nobody's empty computations delay the others in vain. For
    the other objectives bounds are of schedules with the same participants.
    """
    if goal.name != "makespan" or not optimum.value:
        return True
    workers = [i for i in range(chain.length) if any(work is not None for work in chain.work[i])]
    early = [i for i in workers if chain.available[i] < optimum.value]
    return early == list(optimum.participants)


Moment = tuple[str, int, int]
"""``link`` or ``processor``, its position, and the position of the installment."""


class Way(NamedTuple):
    """A constraint along which a price can go on.

    Attributes
    ----------
    name
        Of the constraint.
    before
        Whose end it waits for; None where it waits for a date.
    date
        That date, else 0.
    """

    name: str
    before: Moment | None
    date: Fraction = ZERO


def _rounded_prices(
    chain: Chain, goal: Goal, near: Approximation, bits: int
) -> tuple[Fraction, dict[str, Fraction]]:
    """Let the prices flow back, in whole units, from the objective to the dates."""
    places = _Places(chain, near.participants)
    weights = list(goal.weights) or [Fraction(1)]
    unit = _unit(max(weights), bits)
    counts: dict[str, int] = {}
    ends: dict[Moment, int] = {}
    value = -goal.constant

    def share_out(total: int, ways: Sequence[Way]) -> Fraction:
        worth = ZERO
        parts = _parts(total, [near.prices.get(way.name, 0) for way in ways], unit)
        for way, count in zip(ways, parts, strict=True):
            counts[way.name] = count
            worth += count * unit * way.date
            if way.before is not None:
                ends[way.before] = ends.get(way.before, 0) + count
        return worth

    for k, weight in enumerate(weights):
        share_out(weight // unit, places.last(None if goal.name == "makespan" else k))
    for moment in places.backwards():
        if total := ends.get(moment, 0):
            value += share_out(total, places.waits(moment))
    costs = places.least_costs({moment: count * unit for moment, count in ends.items()})
    step = _unit(max(costs), bits)
    prices = {name: count * unit for name, count in counts.items() if count}
    for load, cost in enumerate(costs):
        if price := cost // step * step:
            prices[f"load{load + 1}.whole"] = price
            value += price
    return value, prices


def _unit(largest: Fraction, bits: int) -> Fraction:
    """Give a power of two of which the largest number is so many bits long."""
    size = largest.numerator.bit_length() - largest.denominator.bit_length() if largest else 0
    return Fraction(2) ** (size - bits)


def _parts(total: int, near: Sequence[float | Fraction], unit: Fraction) -> list[int]:
    """Divide a total in proportion to some numbers; the largest part takes the rest."""
    if not near:
        return []
    sizes = [max(0, round(Fraction(number) / unit)) for number in near]
    largest = max(range(len(sizes)), key=sizes.__getitem__)
    parts = [size * total // (sum(sizes) or 1) for size in sizes]
    parts[largest] += total - sum(parts)
    return parts


class _Places:
    """Who waits for whom on a chain whose processors take part or not."""

    def __init__(self, chain: Chain, participants: Sequence[int]) -> None:
        self._chain = chain
        self._participants = participants
        self._able = {
            i: [
                t for t, piece in enumerate(chain.sequence) if chain.work[i][piece.load] is not None
            ]
            for i in participants
        }
        self._earlier = {
            (i, t): earlier for i, steps in self._able.items() for earlier, t in pairwise(steps)
        }

    def last(self, load: int | None) -> list[Way]:
        """Give (2.2m), or (2.5) for one load."""
        ways = []
        for i, steps in self._able.items():
            of_load = [t for t in steps if load in (None, self._chain.sequence[t].load)]
            if of_load:
                rule = "makespan" if load is None else f"load{load + 1}.completion"
                ways.append(Way(f"processor{i + 1}.{rule}", ("processor", i, of_load[-1])))
        return ways

    def backwards(self) -> Iterator[Moment]:
        """Give every moment after all that wait for it."""
        able = {i: set(steps) for i, steps in self._able.items()}
        for t in reversed(range(len(self._chain.sequence))):
            yield from (("processor", i, t) for i, steps in able.items() if t in steps)
            yield from (("link", link, t) for link in reversed(range(self._chain.length - 1)))

    def waits(self, moment: Moment) -> list[Way]:
        """Give the constraints on a start."""
        chain = self._chain
        kind, i, t = moment
        released = chain.released[chain.sequence[t].load] if i == 0 else ZERO
        at = f"{kind}{i + 1}.installment{t + 1}"
        ways: list[Way] = []
        if kind == "link":
            if i:
                ways.append(Way(f"{at}.arrives", ("link", i - 1, t)))
            elif released:
                ways.append(Way(f"{at}.released", None, released))
            if t:
                ways.append(Way(f"{at}.follows", ("link", i, t - 1)))
                if chain.strict and i + 2 < chain.length:
                    ways.append(Way(f"{at}.forwarded", ("link", i + 1, t - 1)))
            return ways
        if i:
            ways.append(Way(f"{at}.received", ("link", i - 1, t)))
        if (i, t) in self._earlier:
            ways.append(Way(f"{at}.follows", ("processor", i, self._earlier[i, t])))
        if date := max(chain.available[i], released):
            ways.append(Way(f"{at}.available", None, date))
        return ways

    def least_costs(self, ends: Mapping[Moment, Fraction]) -> list[Fraction]:
        """Give, by load, the price of the cheapest way to compute any of it."""
        chain = self._chain
        least: list[Fraction | None] = [None] * chain.num_loads
        for t, piece in enumerate(chain.sequence):
            way = ZERO
            for i in range(chain.length):
                if i:
                    way += chain.wire[i - 1][piece.load] * ends.get(("link", i - 1, t), ZERO)
                if i in self._able and chain.work[i][piece.load] is not None:
                    time = chain.time(i, piece.load)
                    cost = way + time * ends.get(("processor", i, t), ZERO)
                    known = least[piece.load]
                    least[piece.load] = cost if known is None else min(known, cost)
        return [cost or ZERO for cost in least]
