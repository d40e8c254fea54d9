"""What prices of every kind of row have in common."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

PRICES: Pointer = ("result", "certificate", "prices")


def check_form(prices: Mapping[str, Fraction], known: Collection[str], findings: Findings) -> None:
    """Check that no price is negative, each is of something known, and they sum to 1.

    Parameters
    ----------
    prices
        By constraint or resource, as the answer has them.
    known
        Names of what may have a price.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ========================== ================
    1  no price is negative       `negative_price`
    2  each is of something known `unknown_price`
    3  they sum to 1              `prices_not_one`
    == ========================== ================
    """
    for name, price in prices.items():
        if price < 0:
            findings.add((*PRICES, name), "negative_price", f"The price of {name!r} is negative.")
        if name not in known:
            findings.add(
                (*PRICES, name), "unknown_price", f"There is no constraint or resource {name!r}."
            )
    total = sum(prices.values(), Fraction(0))
    if total != 1:
        findings.add(PRICES, "prices_not_one", f"The prices sum to {show(total)}, not to 1.")
