"""Times as people say them, besides the exact ones."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

SECONDS = {
    **dict.fromkeys(("s", "sec", "second", "seconds"), Fraction(1)),
    "ms": Fraction(1, 10**3),
    "us": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}
"""By the label of a unit of time."""
FROM = 120
"""Seconds from which a time is said in other units, too."""
_YEAR = Fraction(36525 * 864)
_UNITS = (("years", _YEAR), ("d", SECONDS["d"]), ("h", SECONDS["h"]), ("min", SECONDS["min"]))
_MANY = 10
"""Years from which days are not said."""


class HumanTime(NamedTuple):
    """A time in at most two units, such as ``2 d 5 h``, and whether it is exact."""

    text: str
    exact: bool


def human_time(value: Fraction, label: str | None) -> HumanTime | None:
    """Say a time in the largest units that it fills. None for what is short, or has no known unit.

    Parameters
    ----------
    value
        In the unit.
    label
        Of the unit of time, as a platform names it.
    """
    if label not in SECONDS:
        return None
    seconds = value * SECONDS[label]
    if seconds < FROM:
        return None
    for (name, size), (smaller, step) in pairwise((*_UNITS, ("s", Fraction(1)))):
        full, rest = divmod(seconds, size)
        if name == "years" and full >= _MANY:
            count = _rounded(seconds / size)
            return HumanTime(f"{_spelled(count)} {name}", count * size == seconds)
        count = _rounded(rest / step)
        if count * step >= size:
            full, count = full + 1, 0
        if full:
            parts = [f"{full} {'year' if name == 'years' and full == 1 else name}"]
            parts += [f"{count} {smaller}"] * bool(count)
            return HumanTime(" ".join(parts), full * size + count * step == seconds)
    raise AssertionError("two minutes are more than a minute")


def _rounded(value: Fraction) -> int:
    return int(value + Fraction(1, 2))


def _spelled(count: int) -> str:
    """Write a number of years, in powers of ten from a million on."""
    return f"{count:,}" if count < 10**6 else f"{Decimal(count):.1e}"
