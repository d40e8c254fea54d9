r"""Short exact shares and prices from approximate ones, and what they prove.

Any shares that sum to 1 have a schedule, and any prices that flow from the objective back to the
dates have a bound (see `steadygrid.kinds.divisible_chain.bounds`). So nothing has to be solved.
Shares are rounded, and the rest of each load goes to its largest share. Prices are rounded from the
objective back to the dates, and what a rounding lacks is put on the largest price.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.rounding import power_near
from steadygrid.engine.exact.parts import DIGITS, rounded_parts
from steadygrid.kinds.divisible_chain.solver.cases import Rules
from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain, Shares
from steadygrid.kinds.divisible_chain.solver.proof import Part

BITS = 64
"""Bits of the prices on the objective, and of the sum of what the loads cost."""


def rounded_shares(
    chain: Chain, near: Mapping[tuple[int, int], float | Fraction], digits: int = DIGITS
) -> Shares:
    """Give exact shares with so many decimal digits; of a load that has none, the first able has all.

    Parameters
    ----------
    near
        As good as it may be: what it lacks shows in the value, nowhere else.
    """
    of_load: list[dict[tuple[int, int], float | Fraction]] = [{} for _ in range(chain.num_loads)]
    for t, piece in enumerate(chain.sequence):
        for i in chain.able(piece.load):
            of_load[piece.load][i, t] = near.get((i, t), 0)
    shares: dict[tuple[int, int], Fraction] = {}
    for parts in of_load:
        shares |= rounded_parts(parts, digits)
    return shares


Moment = tuple[int, str, int, int]
"""A strand, ``link`` or ``processor``, its position, and the position of the installment."""


class Precedence(NamedTuple):
    """A constraint along which a price can go on.

    Attributes
    ----------
    name
        Of the constraint.
    before
        Whose end it waits for. None where it waits for a date.
    date
        That date, else 0.
    """

    name: str
    before: Moment | None
    date: Fraction = ZERO


def rounded_part(rules: Rules, near: Mapping[str, float | Fraction], bits: int = BITS) -> Part:
    """Let the prices of a case flow back, in whole units, from the objective to the dates.

    Parameters
    ----------
    near
        By the name of the constraint: what it lacks shows in the bound, nowhere else.
    bits
        Of the prices on the objective and of the loads' prices, the largest of each.
    """
    goal = rules.goal
    places = _Places(rules)
    weights = list(goal.weights) or [Fraction(1)]
    unit = _unit(max(weights), bits)
    counts: dict[str, int] = {}
    ends: Counter[Moment] = Counter()
    value = -goal.constant

    def share_out(total: int, precedences: Sequence[Precedence]) -> Fraction:
        worth = ZERO
        parts = _parts(total, [near.get(precedence.name, 0) for precedence in precedences], unit)
        for precedence, count in zip(precedences, parts, strict=True):
            counts[precedence.name] = count
            worth += count * unit * precedence.date
            if precedence.before is not None:
                ends[precedence.before] += count
        return worth

    for k, weight in enumerate(weights):
        share_out(weight // unit, places.last(None if goal.name == "makespan" else k))
    for moment in places.backwards():
        if total := ends[moment]:
            value += share_out(total, places.waits(moment))
    costs = places.least_costs({moment: count * unit for moment, count in ends.items()})
    step = _unit(max(costs), bits)
    prices = {name: count * unit for name, count in counts.items() if count}
    for load, cost in enumerate(costs):
        if price := cost // step * step:
            prices[f"load{load + 1}.whole"] = price
            value += price
    return Part(rules, value, prices)


def _unit(largest: Fraction, bits: int) -> Fraction:
    """Give a power of two of which the largest number is so many bits long."""
    return power_near(largest) / (1 << bits)


def _parts(total: int, near: Sequence[float | Fraction], unit: Fraction) -> list[int]:
    """Divide a total in proportion to some numbers. The largest part takes the rest."""
    if not near:
        return []
    sizes = [max(0, round(Fraction(number) / unit)) for number in near]
    largest = max(range(len(sizes)), key=sizes.__getitem__)
    parts = [size * total // (sum(sizes) or 1) for size in sizes]
    parts[largest] += total - sum(parts)
    return parts


class _Places:
    """Who waits for whom in a case."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._earlier = {
            (s, i, t): earlier
            for s, strand in enumerate(rules.strands)
            for i, row in strand.able.items()
            for earlier, t in pairwise(row)
        }

    def last(self, load: int | None) -> list[Precedence]:
        """Give (2.2m), or (2.5) for one load."""
        precedences = []
        for s, strand in enumerate(self._rules.strands):
            for of_load, i, t in strand.ends:
                if of_load == load:
                    rule = f"processor{i + 1}.makespan"
                    if load is not None:
                        rule = f"load{load + 1}.processor{i + 1}.installment{t + 1}.completed"
                    precedences.append(Precedence(f"{strand.prefix}{rule}", (s, "processor", i, t)))
        return precedences

    def backwards(self) -> Iterator[Moment]:
        """Give every moment after all that wait for it."""
        links = range(self._rules.chain.length - 1)
        for s, strand in enumerate(self._rules.strands):
            able = {i: set(row) for i, row in strand.able.items()}
            for t in reversed(list(strand.before)):
                for i, row in able.items():
                    if t in row:
                        yield s, "processor", i, t
                for link in reversed(links):
                    yield s, "link", link, t

    def waits(self, moment: Moment) -> list[Precedence]:
        """Give the constraints on a start."""
        s, kind, i, t = moment
        at = f"{self._rules.strands[s].prefix}{kind}{i + 1}.installment{t + 1}"
        return self._waits_of_link(s, i, t, at) if kind == "link" else self._waits(s, i, t, at)

    def _waits_of_link(self, s: int, i: int, t: int, at: str) -> list[Precedence]:
        chain, before = self._rules.chain, self._rules.strands[s].before[t]
        released = chain.released[chain.sequence[t].load]
        precedences: list[Precedence] = []
        if i:
            precedences.append(Precedence(f"{at}.arrives", (s, "link", i - 1, t)))
        elif released:
            precedences.append(Precedence(f"{at}.released", None, released))
        if before is not None:
            precedences.append(Precedence(f"{at}.follows", (s, "link", i, before)))
            if chain.strict and i + 2 < chain.length:
                precedences.append(Precedence(f"{at}.forwarded", (s, "link", i + 1, before)))
        return precedences

    def _waits(self, s: int, i: int, t: int, at: str) -> list[Precedence]:
        strand = self._rules.strands[s]
        precedences: list[Precedence] = []
        if i:
            precedences.append(Precedence(f"{at}.received", (s, "link", i - 1, t)))
        if (s, i, t) in self._earlier:
            precedences.append(
                Precedence(f"{at}.follows", (s, "processor", i, self._earlier[s, i, t]))
            )
        if date := strand.dates.get((i, t), ZERO):
            precedences.append(Precedence(f"{at}.available", None, date))
        return precedences

    def least_costs(self, ends: Mapping[Moment, Fraction]) -> list[Fraction]:
        """Give, by load, the price of the cheapest method to compute any of it."""
        chain, strands = self._rules.chain, self._rules.strands
        able = {(i, t) for i, row in strands[0].able.items() for t in row}
        total: Amounts[tuple[str, int, int]] = Amounts()
        for (_, kind, i, t), end in ends.items():
            total[kind, i, t] += end
        least: list[Fraction | None] = [None] * chain.num_loads
        for t, piece in enumerate(chain.sequence):
            travel = ZERO
            for i in range(chain.length):
                if i:
                    travel += chain.wire[i - 1][piece.load] * total["link", i - 1, t]
                if (i, t) in able:
                    time = chain.time(i, piece.load)
                    cost = travel + time * total["processor", i, t]
                    known = least[piece.load]
                    least[piece.load] = cost if known is None else min(known, cost)
        return [ZERO if cost is None else cost for cost in least]
