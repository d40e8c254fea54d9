"""How far a job is that has not ended: its best so far, its bound, and how near they are."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from app.db.jobs import JobRecord
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.quantities import decimal_text, small_percent


def progress(record: JobRecord) -> Iterator[tuple[str, str]]:
    """Tell how far a running job is. What a solver gave in floating point is no exact number."""
    told: Mapping[str, Any] = record.progress or {}
    for name, label in (("value", "best so far"), ("bound", "bound")):
        if told.get(name) is not None:
            yield label, f"{UNICODE.approx} {decimal_text(Fraction(str(told[name])))}"
    if told.get("gap") is not None:
        yield "gap", small_percent(Fraction(str(told["gap"])))
    if told.get("iterations") is not None:
        yield "iterations", f"{told['iterations']:,}"
    if told.get("elapsed") is not None:
        yield "elapsed", f"{told['elapsed']:,.1f} s"


def reached(record: JobRecord) -> Fraction | None:
    """Give what part of the bound is found, or of the best so far if that is sought small.

    Parameters
    ----------
    record
        Of a job that has not ended.

    Returns
    -------
    Fraction or None
        From 0 to 1. None where one of the two is not known yet.
    """
    told: Mapping[str, Any] = record.progress or {}
    if told.get("value") is None or told.get("bound") is None:
        return None
    one, other = sorted(Fraction(str(told[name])) for name in ("value", "bound"))
    return one / other if one >= 0 and other > 0 else None
