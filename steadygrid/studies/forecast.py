"""What a resource will do next, from what it did: simple forecasts, each judged on the past.

Beaumont, Legrand, Marchal, Robert: Steady-state scheduling on heterogeneous clusters: why and how?,
section 5.5: "use the past to predict the future", with what tools such as the Network Weather Service
collect. A forecast is made anew before each measurement, from those before it, and compared with it: the mean
of the squared errors says which one deserves to be believed.
"""

import csv
import io
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer
from steadygrid.domain.limits import Limits
from steadygrid.domain.rational import (
    ExactRational,
    PositiveRational,
    Rational,
    Whole,
    decimal_text,
)
from steadygrid.domain.text import Frozen
from steadygrid.domain.wording import described, shown
from steadygrid.submissions.submission import MAX_FAULTS, validation_faults
from steadygrid.verification.exact import add

DIGITS = 12
"""Significant digits of a forecast. An error has as many."""
_WORKING = Context(prec=60)
"""Of sums in between, in forecasts that are made to be compared."""
_ROUNDED = Context(prec=DIGITS)

Method = Literal["last", "mean", "median", "harmonic"]
METHODS: tuple[Method, ...] = get_args(Method)
COLUMNS = ("resource", "at", "speed")


class Sample(Frozen):
    """A measurement."""

    at: Rational = Field(description="when, in any unit")
    speed: PositiveRational = Field(description="or bandwidth")


class Forecast(BaseModel):
    """What one resource will do next."""

    model_config = ConfigDict(extra="forbid")

    resource: str
    samples: Whole
    method: Method
    value: ExactRational = Field(description="rounded to 12 significant digits")
    rounded: bool = Field(description="whether the exact value has more")
    errors: dict[Method, ExactRational] = Field(
        description="mean of the squared errors of each method, one step ahead, on this series."
        " Rounded to 12 significant digits"
    )


class Forecasts(BaseModel):
    """What resources will do next."""

    model_config = ConfigDict(extra="forbid")

    forecasts: list[Forecast]

    @property
    def measured(self) -> dict[str, Any]:
        """The forecasts as what was measured, for re-planning."""
        found: dict[str, Any] = {"processors": {}, "links": [], "media": {}}
        for one in self.forecasts:
            resource = _resource(one.resource)
            value = decimal_text(one.value)
            if resource.what == "compute":
                found["processors"][resource.names[0]] = {"speed": value}
            elif resource.what == "medium":
                found["media"][resource.names[0]] = {"bandwidth": value}
            else:
                source, target = resource.names
                found["links"].append({"source": source, "target": target, "bandwidth": value})
        return {name: part for name, part in found.items() if part}


def forecast(
    series: Mapping[str, Iterable[Any]],
    method: str = "best",
    *,
    limits: Limits | None = None,
) -> Forecasts:
    """Forecast the speed of each resource from a series of measurements.

    Parameters
    ----------
    series
        By resource, ``P1.compute`` or ``P1``, ``A->B.link`` or ``A->B``, ``M.medium``:
        samples ``{"at": TIME, "speed": SPEED}`` in the order of time, at least two.
    method
        ``last``, ``mean``, ``median``; ``harmonic``, the harmonic mean, which is the speed that does equal
        pieces of work one after the other in the time that they took. ``best``: the one with the least mean
        of squared errors on the series itself, the first of these on ties.

    Returns
    -------
    Forecasts
        With the errors of all methods; `Forecasts.measured` is what `steadygrid.replan` takes.

    Raises
    ------
    LimitError
        If there are more than `Limits.max_measurements`.
    InstanceError
        With every fault: fewer than two measurements, speeds that are not above 0, times that do not rise;
        pointers walk `series`.

    Notes
    -----
    A forecast is the exact value, rounded once. Those made for each measurement in between, to be
    compared, are computed with 60 digits and rounded to 12, as the speeds are with which they are compared, and the errors.

    Examples
    --------
    >>> series = {"P2": [{"at": k, "speed": speed} for k, speed in enumerate((4, 2, 1, 2))]}
    >>> found = forecast(series, "harmonic")
    >>> found.measured
    {'processors': {'P2': {'speed': '1.77777777778'}}}
    >>> forecast(series).forecasts[0].method, forecast(series).measured
    ('last', {'processors': {'P2': {'speed': '2'}}})
    """
    read = _read(series, method, limits or Limits())
    return Forecasts(forecasts=[_forecast(name, listed, method) for name, listed in read.items()])


def read_table(text: str) -> dict[str, list[dict[str, str]]]:
    """Read a series from a table with the columns ``resource,at,speed``, in any order.

    Raises
    ------
    InstanceError
        If a column is missing or a row has no cell for one. The pointer is the number of the line.
    """
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    series: dict[str, list[dict[str, str]]] = {}
    try:
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            detail = (
                f"the first line names the columns {', '.join(COLUMNS)}: {missing[0]!r} is missing"
            )
            raise InstanceError(faults=[Fault((), "missing_column", detail)])
        for row in rows:
            cells = {name: row[name] for name in COLUMNS}
            if any(cell is None for cell in cells.values()):
                detail = f"line {rows.line_num} has too few cells"
                raise InstanceError(faults=[Fault((), "missing_cell", detail)])
            name = cells.pop("resource").strip()
            series.setdefault(name, []).append({key: cell.strip() for key, cell in cells.items()})
    except csv.Error as error:
        detail = f"not a table of comma-separated values: after line {rows.line_num}, {error}"
        raise InstanceError(faults=[Fault((), "malformed_csv", detail)]) from None
    return series


class _Resource(NamedTuple):
    what: Literal["compute", "link", "medium"]
    names: tuple[str, ...]


def _resource(name: str) -> _Resource:
    """Tell what a resource is by its name. An id with a dot at its end needs the whole name."""
    stem, _, what = name.rpartition(".")
    if what == "medium" and stem:
        return _Resource("medium", (stem,))
    if what == "half" and "--" in stem:
        one, _, other = stem.partition("--")
        return _Resource("link", (one, other))
    if what == "link" and "->" in stem:
        name = stem
    elif what == "compute" and stem:
        return _Resource("compute", (stem,))
    source, arrow, target = name.partition("->")
    return _Resource("link", (source, target)) if arrow else _Resource("compute", (name,))


def _read(series: Any, method: str, limits: Limits) -> dict[str, list[Sample]]:
    if method not in (*METHODS, "best"):
        known = ", ".join((*METHODS, "best"))
        raise _refused((), "unknown_method", f"the method is one of {known}, not {shown(method)}")
    if not isinstance(series, Mapping) or not series:
        detail = f"expected an object with a list for each resource, not {described(series)}"
        raise _refused((), "invalid_type", detail if series else "there are no measurements")
    faults: list[Fault] = []
    read: dict[str, list[Sample]] = {}
    same: dict[_Resource, str] = {}
    left = limits.max_measurements
    for name, listed in series.items():
        known_as = same.setdefault(_resource(name), name)
        if known_as != name:
            detail = f"{shown(known_as)} is the same resource"
            faults.append(Fault((name,), "measured_twice", detail))
        if not isinstance(listed, Sequence) or isinstance(listed, str):
            detail = f"expected a list of measurements, not {described(listed)}"
            faults.append(Fault((name,), "list_type", detail))
            continue
        left -= len(listed)
        if left < 0:
            most = f"{limits.max_measurements:,}"
            detail = f"more measurements than the {most} that are accepted: leave out old ones"
            raise LimitError(detail, [Fault((name,), "limit_exceeded", detail)])
        read[name] = list(_samples(name, listed, faults))
    if faults:
        raise InstanceError(faults=faults[:MAX_FAULTS])
    return read


def _samples(name: str, listed: Sequence[Any], faults: list[Fault]) -> Iterator[Sample]:
    if len(listed) < 2:
        detail = "at least two measurements are needed: one to begin with, one to compare"
        faults.append(Fault((name,), "too_few_measurements", detail))
    before: Fraction | None = None
    for i, given in enumerate(listed):
        try:
            sample = Sample.model_validate(given)
        except ValidationError as error:
            faults += (
                fault._replace(pointer=(name, i, *fault.pointer))
                for fault in validation_faults(Sample, error, given)
            )
            continue
        if before is not None and sample.at <= before:
            detail = "measurements are listed in the order of time, each later than the one before"
            faults.append(Fault((name, i, "at"), "not_later", detail))
        before = sample.at
        yield sample


def _refused(at: Pointer, code: str, detail: str) -> InstanceError:
    return InstanceError(faults=[Fault(at, code, detail)])


def _forecast(name: str, samples: Sequence[Sample], method: str) -> Forecast:
    speeds = [sample.speed for sample in samples]
    errors = _errors(speeds)
    best: Method = min(METHODS, key=lambda one: errors[one])
    chosen = next((one for one in METHODS if one == method), best)
    exact = _EXACT[chosen](speeds)
    value = _rounded(exact)
    return Forecast(
        resource=name,
        samples=len(samples),
        method=chosen,
        value=value,
        rounded=value != exact,
        errors={one: _rounded(errors[one]) for one in METHODS},
    )


def _mean(speeds: Sequence[Fraction]) -> Fraction:
    return Fraction(*add(speed.as_integer_ratio() for speed in speeds)) / len(speeds)


def _median(speeds: Sequence[Fraction]) -> Fraction:
    return _middle(sorted(speeds))


def _middle(ordered: Sequence[Fraction]) -> Fraction:
    half, odd = divmod(len(ordered), 2)
    return ordered[half] if odd else (ordered[half - 1] + ordered[half]) / 2


_EXACT: Mapping[Method, Callable[[Sequence[Fraction]], Fraction]] = {
    "last": lambda speeds: speeds[-1],
    "mean": _mean,
    "median": _median,
    "harmonic": lambda speeds: 1 / _mean([1 / speed for speed in speeds]),
}


def _errors(speeds: Sequence[Fraction]) -> dict[Method, Fraction]:
    """Give the mean of the squared errors of each method, each forecast made from what came before."""
    squares: dict[Method, Fraction] = dict.fromkeys(METHODS, Fraction(0))
    total, times = Decimal(0), Decimal(0)
    ordered: list[Fraction] = []
    for number, (speed, following) in enumerate(pairwise(speeds), start=1):
        insort(ordered, speed)
        total = _WORKING.add(total, _decimal(speed, _WORKING))
        times = _WORKING.add(times, _decimal(1 / speed, _WORKING))
        told: dict[Method, Fraction] = {
            "last": _rounded(speed),
            "mean": _rounded(Fraction(total) / number),
            "median": _rounded(_middle(ordered)),
            "harmonic": _rounded(number / Fraction(times)),
        }
        for method, value in told.items():
            squares[method] += (value - _rounded(following)) ** 2
    return {method: square / (len(speeds) - 1) for method, square in squares.items()}


def _rounded(value: Fraction) -> Fraction:
    return Fraction(_decimal(value, _ROUNDED))


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))
