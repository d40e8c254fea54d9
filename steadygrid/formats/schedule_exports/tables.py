"""Parts of an answer as CSV: exact numbers, and decimals of them in columns of their own."""

import csv
import io
from collections import defaultdict, namedtuple
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.rational import approximate
from steadygrid.domain.schedule import Schedule
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.schedule_exports import PARTS
from steadygrid.formats.schedule_exports.activities import periodic

Cell = str | int | Fraction
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_table(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write a part of an answer as CSV.

    Parameters
    ----------
    answer
        With its schedule.
    parameters
        May have ``part``.

    Raises
    ------
    InstanceError
        ``invalid_parameter``, or ``not_periodic`` where there is no such schedule.
    """
    table = table_of(answer, parameters.get("part", (PARTS[0],))[0])
    return _written(table.names, table.rows)


class Table(NamedTuple):
    """Rows of exact numbers and names."""

    names: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def tuples(self, noun: str) -> list[NamedTuple]:
        """Give each row as a tuple with names.

        Parameters
        ----------
        noun
            What the rows are.
        """
        factory: Any = namedtuple
        made = factory(f"{noun.capitalize()}Row", self.names)
        return [made(*row) for row in self.rows]

    def frame(self, *, exact: bool) -> Any:
        """Give a data frame of pandas.

        Parameters
        ----------
        exact
            Whether fractions stay objects.
        """
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError as error:
            error.add_note("pip install 'steadygrid[pandas]' installs it")
            raise
        columns: dict[str, Any] = {}
        for name, values in zip(self.names, self._columns(), strict=True):
            if not any(isinstance(value, Fraction) for value in values):
                columns[name] = pandas.Series(values)
            elif exact:
                columns[name] = pandas.Series(values, dtype=object)
            else:
                near = [approximate(Fraction(value)) for value in values]
                columns[name] = pandas.Series(near, dtype=float)
        return pandas.DataFrame(columns)

    def _columns(self) -> list[list[Cell]]:
        return [[row[i] for row in self.rows] for i in range(len(self.names))]


def table_of(answer: Answer, part: str) -> Table:
    """Give a part of an answer.

    Parameters
    ----------
    answer
        With its schedule, unless prices are asked for.
    part
        One of `PARTS`.

    Raises
    ------
    InstanceError
        ``invalid_parameter``, or ``not_periodic`` where there is no such schedule.
    """
    if part not in PARTS:
        detail = f"{part[:40]!r} is none of {', '.join(PARTS)}"
        raise InstanceError(faults=[Fault(("part",), "invalid_parameter", detail)])
    if part == "prices" and answer.result is None:
        detail = "prices are of the answer, not of its schedule: export the job"
        raise InstanceError(faults=[Fault(("part",), "invalid_parameter", detail)])
    if part == "prices":
        prices = answer.result.certificate.prices
        return Table(("resource", "price"), list(prices.items()))
    schedule = periodic(answer)
    writers = {
        "computations": _computations,
        "transfers": _transfers,
        "allocations": _allocations,
        "rates": _rates,
    }
    names, *rows = writers[part](schedule)
    return Table(tuple(map(str, names)), rows)


def _written(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Exported:
    exact = {i for i in range(len(names)) if any(isinstance(row[i], Fraction) for row in rows)}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, *(f"{names[i]}_decimal" for i in sorted(exact))])
    for row in rows:
        decimals = [_decimal(row[i]) for i in sorted(exact)]
        writer.writerow([*map(_cell, row), *decimals])
    note = f"{len(rows):,} rows; columns that end in _decimal are rounded"
    return Exported(text.getvalue(), (note,))


def _decimal(value: Cell) -> str:
    """Write the nearest double. Nothing where none comes near."""
    near = approximate(Fraction(value)) if isinstance(value, Fraction | int) else None
    return "" if near is None else repr(near)


def _cell(value: Cell) -> str:
    """Write a cell so that no program for tables takes it for a formula."""
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def _computations(schedule: Schedule) -> Iterator[Sequence[Cell]]:
    yield "processor", "task", "allocation", "count", "start", "time"
    for one in schedule.computations:
        yield one.processor, one.task, one.allocation, one.count, one.start, one.time


def _transfers(schedule: Schedule) -> Iterator[Sequence[Cell]]:
    yield "sender", "receiver", "from_task", "to_task", "allocation", "count", "start", "duration"
    if schedule.runs is not None:
        for run in schedule.runs:
            for begin, end, cargo in run.stretches():
                ends = run.sender, run.receiver, *cargo.file
                yield (*ends, cargo.allocation, cargo.count, begin, end - begin)
        return
    for slot in schedule.slots:
        for hop in slot.transfers:
            ends = hop.sender, hop.receiver, *hop.file
            yield (*ends, hop.allocation, hop.count, slot.start, slot.duration)


def _allocations(schedule: Schedule) -> Iterator[Sequence[Cell]]:
    yield "allocation", "task", "processors", "rate", "instances_per_period"
    for one in schedule.allocations:
        for task, processors in one.tasks.items():
            yield one.index, task, " ".join(processors), one.rate, one.instances_per_period


def _rates(schedule: Schedule) -> Iterator[Sequence[Cell]]:
    """Give what is computed and sent per time unit. The receiver of a computation is empty."""
    yield "processor", "receiver", "task", "to_task", "rate"
    counts: defaultdict[tuple[str, str, str, str], Fraction] = defaultdict(Fraction)
    _, *computations = _computations(schedule)
    for processor, task, _, count, *_ in computations:
        counts[str(processor), "", str(task), ""] += Fraction(count)
    _, *transfers = _transfers(schedule)
    for sender, receiver, from_task, to_task, _, count, *_ in transfers:
        counts[str(sender), str(receiver), str(from_task), str(to_task)] += Fraction(count)
    for names, count in counts.items():
        yield (*names, count / schedule.period)
