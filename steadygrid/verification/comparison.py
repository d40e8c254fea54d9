"""Rules for results that put several methods side by side."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Protocol

from steadygrid.domain.errors import Pointer
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

AT: Pointer = ("result", "comparison")


class Compared(Protocol):
    """A row: what one method found, and how long it took."""

    method: str
    ratio_to_bound: Fraction | None
    seconds: float


def check_methods(rows: Sequence[Compared], known: Collection[str], findings: Findings) -> None:
    """Check that each row is of a method that can be compared, and no two are of the same.

    Parameters
    ----------
    rows
        The comparison that the result lists.
    known
        Methods that can be compared.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == ========================================= ==================
    1  a row is of a method that can be compared `wrong_comparison`
    2  no two rows are of the same method        `wrong_comparison`
    == ========================================= ==================
    """
    seen: set[str] = set()
    for position, row in enumerate(rows):
        if row.method not in known or row.method in seen:
            findings.add(
                (*AT, position, "method"),
                "wrong_comparison",
                f"{row.method!r} is no method to compare, or compared twice.",
            )
        seen.add(row.method)


def check_row(
    row: Compared, position: int, value: Fraction | None, bound: Fraction | None, findings: Findings
) -> None:
    """Check the ratio of what a method found to the bound of the answer, and its time.

    Parameters
    ----------
    value
        What the method found. None where it found nothing.
    bound
        Of the answer. No ratio is known to none, or to 0.

    Notes
    -----
    Rules, in this order:

    == ========================================================================= ==================
    1  the ratio is the value over the bound of the answer, or null where one of `wrong_comparison`
       them is missing or the bound is 0
    2  the time is 0 or more                                                     `wrong_comparison`
    == ========================================================================= ==================
    """
    ratio = None if value is None or bound is None or bound == 0 else value / bound
    if row.ratio_to_bound != ratio:
        findings.add(
            (*AT, position, "ratio_to_bound"),
            "wrong_comparison",
            f"The value of {row.method} is {'not known' if ratio is None else show(ratio)} as a part"
            " of the bound.",
        )
    if row.seconds < 0:
        findings.add(
            (*AT, position, "seconds"),
            "wrong_comparison",
            f"{row.method} cannot take a time below 0.",
        )
