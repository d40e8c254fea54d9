"""Prefixes of units, and what numbers with units would be where no field takes a unit."""

import re
from decimal import Context, Decimal

SI = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SMALL = {"m": -3, "u": -6, "\N{MICRO SIGN}": -6, "n": -9, "p": -12}
BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_SECONDS = {"min": 60, "h": 3600}
_UNITS = (
    *("f", "flop", "flops", "f/s", "flop/s", "flops/s", "Hz"),
    *("B", "byte", "bytes", "B/s", "Bps", "byte/s", "bytes/s"),
    *("b", "bit", "bits", "b/s", "bps", "bit/s", "bits/s"),
)
_WRITTEN = re.compile(
    r"(?P<number>[0-9]{1,64}(?:\.[0-9]{1,64})?(?:e[+-]?[0-9]{1,2})?) ?(?:"
    rf"(?P<prefix>{'|'.join((*BINARY, *filter(None, SI)))})?(?P<unit>{'|'.join(map(re.escape, _UNITS))})"
    r"|(?P<bare>[kMGT])"
    rf"|(?P<small>[{''.join(_SMALL)}])?(?P<second>s|sec|seconds?)"
    rf"|(?P<long>{'|'.join(_SECONDS)}))",
    re.ASCII,
)
_EXACT = Context(prec=200)


def without_unit(text: str) -> tuple[str, str] | None:
    """Give the number that a text with a unit stands for, and the unit that it then counts.

    Returns
    -------
    tuple or None
        ``("4000000000", "f")`` for ``4Gf``, ``("0.01", "s")`` for ``10 ms``, and
        ``("4000000", "")`` for ``4M``. None where there is no unit, or where the prefix may mean
        two things, as K (1000 or 1024) does.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    number = Decimal(found["number"])
    unit = found["unit"] or ("s" if found["second"] or found["long"] else "")
    prefix = found["prefix"] or found["bare"] or found["small"]
    if found["long"]:
        number = _EXACT.multiply(number, Decimal(_SECONDS[found["long"]]))
    elif prefix in BINARY:
        number = _EXACT.multiply(number, Decimal(1024) ** BINARY[prefix])
    elif prefix:
        number = number.scaleb((SI | _SMALL)[prefix], _EXACT)
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain, unit
