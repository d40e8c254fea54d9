"""Operations that repeat for ever, checked for all data sets at once.

Operation o starts for data set n at ``u_o(n mod K_o) + n T``, with a modulus `K_o` of its own. What
waits for something else waits for it in the same manner for every n, so a condition on all n is one
on residues. Data set n of o and data set n + d of o' meet in all pairs of residues that agree
modulo ``gcd(K_o, K_o')`` (Chinese remainder theorem). Nothing is ever unrolled to the least common
multiple of all moduli.

The other direction is a closed walk: operations, each of which waits for the one before it, that come
back to the first one `length` data sets later. Each of their runs takes the sum of their times for
so many data sets. So no period is shorter than the sum over the length.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, TypeVar

Number = int | Fraction
"""An exact number; integers where all are scaled by a common denominator."""
T = TypeVar("T")


class Breach(NamedTuple):
    """A data set for which an operation starts too early."""

    data_set: int
    """Of the operation that is waited for; the least."""
    lacking: Number
    """For how long it would have to wait."""


def breach(
    ends: Sequence[Number], starts: Sequence[Number], shift: int, advance: Number
) -> Breach | None:
    """Look for a data set n of which another operation does not wait for the end.

    Parameters
    ----------
    ends
        When the first operation ends, ``- n T``, by residue of n.
    starts
        When the second one starts, for data set m: ``- m T``, by residue of m.
    shift
        The second operation's data set is n + `shift`.
    advance
        ``shift T``.

    Returns
    -------
    Breach or None
        None where ``ends[n] <= starts[n + shift] + advance`` for all n.

    Notes
    -----
    Linear in the two numbers of residues.
    """
    common = gcd(len(ends), len(starts))
    worst: tuple[Number, int, int] | None = None
    for residue in range(common):
        other = (residue + shift) % common
        lacking = max(ends[residue::common]) - min(starts[other::common]) - advance
        if lacking > 0 and (worst is None or lacking > worst[0]):
            worst = lacking, residue, other
    if worst is None:
        return None
    lacking, residue, other = worst
    last = max(range(residue, len(ends), common), key=ends.__getitem__)
    first = min(range(other, len(starts), common), key=starts.__getitem__)
    return Breach(meeting(last, len(ends), first - shift, len(starts)), lacking)


def meeting(one: int, modulus: int, other: int, other_modulus: int) -> int:
    """Give the least number of two residues that agree modulo the common divisor of their moduli.

    Parameters
    ----------
    one, other
        The residues. They agree modulo the common divisor.
    modulus, other_modulus
        What the first one, and the other, are residues of.
    """
    common = gcd(modulus, other_modulus)
    turns = other_modulus // common
    times = (other - one) // common * pow(modulus // common, -1, turns) if turns > 1 else 0
    return one + times % turns * modulus


class Step(NamedTuple):
    """An operation, by its position, for one data set."""

    operation: int
    data_set: int


def open_step(
    steps: Sequence[Step], length: int, waits: Mapping[tuple[int, int], Collection[int]]
) -> int | None:
    """Find a step of a closed walk that does not wait for the one before it.

    Parameters
    ----------
    steps
        At least one; after the last comes the first again, `length` data sets later.
    waits
        By which numbers of data sets later the second operation waits for the first.

    Returns
    -------
    int or None
        Its position; 0 where the walk does not close. None if all wait.
    """
    for position, step in enumerate(steps):
        before = steps[position - 1]
        later = step.data_set - before.data_set + (0 if position else length)
        if later not in waits.get((before.operation, step.operation), ()):
            return position
    return None


def closes(steps: Sequence[Step], length: int, moduli: Sequence[int]) -> bool:
    """Tell whether a walk is at the same places, and takes the same times, once it has closed.

    Parameters
    ----------
    steps
        Of the walk; at least one.
    length
        Data sets that the walk advances.
    moduli
        By operation, after how many data sets its times repeat.
    """
    return length > 0 and length % lcm(*(moduli[step.operation] for step in steps)) == 0


def by_modulus(
    tables: Sequence[Sequence[Number]], pick: Callable[[Number, Number], Number]
) -> dict[int, list[Number]]:
    """Put tables of equally many residues together: the greatest, or the least, of each residue.

    Parameters
    ----------
    tables
        A number for each residue. The length of a table is its modulus.
    pick
        `max` or `min`.
    """
    found: dict[int, list[Number]] = {}
    for table in tables:
        known = found.get(len(table))
        found[len(table)] = list(table) if known is None else list(map(pick, known, table))
    return found


def longest_stay(
    ends: Mapping[int, Sequence[Number]], starts: Mapping[int, Sequence[Number]]
) -> Number:
    """Give the longest time from the first start to the last end of the same data set.

    Parameters
    ----------
    ends, starts
        By modulus, what is last, or first, of each residue; at least one of each.
    """
    longest: Number | None = None
    for modulus, last in ends.items():
        for other, first in starts.items():
            common = gcd(modulus, other)
            for residue in range(common):
                stay = max(last[residue::common]) - min(first[residue::common])
                longest = stay if longest is None or stay > longest else longest
    assert longest is not None
    return longest


def mean_stay(
    ends: Mapping[int, Sequence[Number]], starts: Mapping[int, Sequence[Number]]
) -> Fraction:
    """Give the mean time from the first start to the last end of the same data set, over all.

    Parameters
    ----------
    ends, starts
        As of `longest_stay`.

    Notes
    -----
    Data sets up to the least common multiple of the moduli are gone through one by one.
    """
    turns = lcm(*ends, *starts)
    last, first = _merged(ends, max), _merged(starts, min)
    total = sum(last) * (turns // len(last)) - sum(first) * (turns // len(first))
    return Fraction(total) / turns


def _merged(
    tables: Mapping[int, Sequence[Number]], pick: Callable[[Number, Number], Number]
) -> Sequence[Number]:
    """Make one table of all, of their least common multiple of residues."""
    merged: Sequence[Number] = ()
    for modulus in sorted(tables):
        table = tables[modulus]
        if not merged:
            merged = table
            continue
        turns = lcm(len(merged), modulus)
        merged = list(
            map(
                pick,
                list(merged) * (turns // len(merged)),
                list(table) * (turns // modulus),
            )
        )
    return merged
