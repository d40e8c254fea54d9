"""The table of a sweep: one row for each of its jobs, as JSON and as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic_core import PydanticCustomError

from steadygrid.domain.document import canonical_json
from steadygrid.domain.rational import approximate, parse_exact, parse_rational
from steadygrid.studies.sweep_plan import Parameter

_RESULTS = (
    *("state", "outcome", "error", "value", "approx", "bound", "bound_approx", "gap", "gap_approx"),
    *("exact", "period", "period_approx", "seconds", "job"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula, or passes over to find one."""


@dataclass(frozen=True)
class SweepRow:
    """What came of one job of a sweep. All numbers but `seconds` are exact.

    Attributes
    ----------
    parameters
        The values of this job, as they were given, by the names of the parameters.
    state
        Of the job: ``succeeded``, ``failed``, ``queued``, ...
    outcome
        ``optimal``, ``feasible``, ``infeasible``, ``bound_only`` or ``unknown``. None unless the job
        has succeeded.
    error
        The code with which it failed.
    value, bound, gap
        Of the objective, what no schedule can beat, and how far they are apart, relative to the
        bound. None if there is none.
    exact
        Whether the bound was proved in exact arithmetic, so that a value that is ``optimal`` is
        proved. None without a bound.
    period
        Of the schedule, in the platform's time units, where it repeats.
    seconds
        That the job took.
    job
        Its id. None where no service has solved it.
    detail
        What the error is, in a sentence. It is in no table.
    objective
        Name of what the value is. It is in no table.
    """

    index: int
    parameters: Mapping[str, Any]
    state: str
    outcome: str | None = None
    error: str | None = None
    value: Fraction | None = None
    bound: Fraction | None = None
    gap: Fraction | None = None
    exact: bool | None = None
    period: Fraction | None = None
    seconds: float | None = None
    job: str | None = None
    detail: str | None = None
    objective: str | None = None

    @property
    def approx(self) -> float | None:
        """The double nearest to `value`."""
        return _approximate(self.value)

    def document(self) -> dict[str, Any]:
        """Give the row JSON-ready."""
        return {
            "index": self.index,
            "parameters": dict(self.parameters),
            "state": self.state,
            "outcome": self.outcome,
            "error": self.error,
            "value": _exact(self.value),
            "approx": self.approx,
            "bound": _exact(self.bound),
            "gap": _exact(self.gap),
            "exact": self.exact,
            "period": _exact(self.period),
            "seconds": self.seconds,
            "job": self.job,
        }


def row_of(
    index: int,
    parameters: Mapping[str, Any],
    state: str,
    *,
    outcome: str | None = None,
    objective: Mapping[str, Any] | None = None,
    bound: Mapping[str, Any] | None = None,
    gap: str | None = None,
    error: Mapping[str, Any] | None = None,
    **more: Any,
) -> SweepRow:
    """Make a row of what is stored of a job.

    Parameters
    ----------
    objective, bound, gap
        As a result's document has them.
    error
        With its ``code``, and perhaps a ``detail``.
    **more
        ``period``, ``seconds``, ``job`` of `SweepRow`.
    """
    return SweepRow(
        index,
        parameters,
        state,
        outcome,
        None if error is None else error["code"],
        None if objective is None else parse_exact(objective["value"]),
        None if bound is None else parse_exact(bound["value"]),
        None if gap is None else parse_exact(gap),
        None if bound is None else bound["exact"],
        detail=None if error is None else error.get("detail"),
        objective=None if objective is None else objective["name"],
        **more,
    )


def row_from_document(document: Mapping[str, Any]) -> SweepRow:
    """Read back what `SweepRow.document` gave."""
    numbers = ("value", "bound", "gap", "period")
    kept = {name: value for name, value in document.items() if name not in (*numbers, "approx")}
    for name in numbers:
        kept[name] = None if document[name] is None else parse_exact(document[name])
    return SweepRow(**kept)


def csv_lines(parameters: Sequence[Parameter], rows: Iterable[SweepRow]) -> Iterator[str]:
    """Write rows as CSV (RFC 4180), one line at a time, a header first.

    Exact numbers have a column with the nearest double next to them; parameters only where one of
    their values is a fraction. A text that a spreadsheet would take for a formula gets a ``'``
    before it.

    Parameters
    ----------
    parameters
        Of the sweep.
    rows
        Of the table.

    Yields
    ------
    str
        A line with its end, to be written in UTF-8.
    """
    fractions = [any(map(_is_fraction, parameter.values)) for parameter in parameters]
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["index", *map(guarded_text, _headings(parameters, fractions)), *_RESULTS])
    yield _taken(buffer)
    for row in rows:
        cells: list[Any] = [row.index]
        for parameter, approximated in zip(parameters, fractions, strict=True):
            value = row.parameters[parameter.name]
            cells.append(_cell(value))
            if approximated:
                cells.append(_approximate(_quantity(value)))
        cells += (row.state, row.outcome, row.error, *_both(row.value), *_both(row.bound))
        exact = None if row.exact is None else _cell(row.exact)
        cells += (*_both(row.gap), exact, *_both(row.period), row.seconds, row.job)
        writer.writerow(cells)
        yield _taken(buffer)


def _headings(parameters: Sequence[Parameter], fractions: Sequence[bool]) -> Iterator[str]:
    """Name the columns of parameters. A name that another column has is distinguished."""
    taken = {"index", *_RESULTS, *(parameter.name for parameter in parameters)}
    for parameter, approximated in zip(parameters, fractions, strict=True):
        name = parameter.name
        if name == "index" or name in _RESULTS:
            name = _free(f"parameter {name}", taken)
        yield name
        if approximated:
            yield _free(f"{name}_approx", taken)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _both(value: Fraction | None) -> tuple[str | None, float | None]:
    return _exact(value), _approximate(value)


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _approximate(value: Fraction | None) -> float | None:
    return None if value is None else approximate(value)


def _is_fraction(value: Any) -> bool:
    return isinstance(value, str) and "/" in value and _quantity(value) is not None


def _quantity(value: Any) -> Fraction | None:
    """Read a value of a parameter as a number. None where it is none."""
    try:
        return parse_rational(value)
    except PydanticCustomError:
        return None


def _cell(value: Any) -> Any:
    """Write a JSON value into a cell: texts and numbers as they are, the rest as JSON."""
    if isinstance(value, str):
        return guarded_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return canonical_json(value)


def guarded_text(text: str) -> str:
    """Write a text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _taken(buffer: io.StringIO) -> str:
    line = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return line
