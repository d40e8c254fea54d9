"""The schedule that repeats row by row: when each operation starts for each data set, for ever.

The third form of schedules, besides the periodic one of `steadygrid.domain.schedule` and the one
that runs once of `steadygrid.domain.timeline`. An operation has a row for each residue of the data
sets by a modulus of its own, so a timetable never lists the whole period, which may hold more
data sets than can be counted. `Timetable.document` and `Timetable.from_document` are its JSON form.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heapify, heappop, heappush, heapreplace
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from steadygrid.domain.header import (
    GROUPING,
    Headed,
    Parts,
    read_counts,
    require_form,
    text_of,
)
from steadygrid.domain.rational import parse_exact, parse_whole
from steadygrid.domain.slots import FileName

TimetablePorts = Literal["one_port", "no_overlap"]
"""Port models of timetables; one without a platform has none."""


class Computing(NamedTuple):
    """A stage, by its first task or by its pass, is computed on a processor."""

    task: str
    processor: str

    @property
    def places(self) -> tuple[str]:
        """What it keeps busy."""
        return (self.processor,)

    @property
    def document(self) -> dict[str, Any]:
        """The members of its rows and events."""
        return {"kind": "compute", "processor": self.processor, "task": self.task}


class Sending(NamedTuple):
    """A file goes over the link from one processor to another."""

    file: FileName
    sender: str
    receiver: str

    @property
    def places(self) -> tuple[str, str]:
        """What it keeps busy."""
        return self.sender, self.receiver

    @property
    def document(self) -> dict[str, Any]:
        """The members of its rows and events."""
        link = [self.sender, self.receiver]
        return {"kind": "transfer", "link": link, "file": list(self.file)}


class Firing(NamedTuple):
    """An actor of a dataflow graph runs one of its phases, counted from 1."""

    actor: str
    phase: int

    @property
    def places(self) -> tuple[str]:
        """What it keeps busy."""
        return (self.actor,)

    @property
    def document(self) -> dict[str, Any]:
        """The members of its rows and events."""
        return {"kind": "compute", "actor": self.actor, "phase": self.phase}


Operation = Computing | Sending | Firing


class Row(NamedTuple):
    """When an operation starts for the data sets (or cycles of an actor) of one residue.

    Data set ``residue + k modulus``, k = 0, 1, ..., starts at ``start + k every``.
    """

    operation: Operation
    residue: int
    modulus: int
    start: Fraction
    """Not negative."""
    time: Fraction
    """How long the operation takes."""
    every: Fraction


def row_document(row: Row) -> dict[str, Any]:
    """Write a row as the contract shows it; whole numbers that may be large are strings."""
    return {
        **row.operation.document,
        "residue": str(row.residue),
        "modulus": str(row.modulus),
        "start": str(row.start),
        "time": str(row.time),
        "every": str(row.every),
    }


def row_from_document(value: Mapping[str, Any]) -> Row:
    """Read a row back. Numbers may be strings or JSON integers.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it does not have the form of a row.
    """
    residue, modulus = _count(value["residue"]), _count(value["modulus"])
    if not 0 <= residue < modulus:
        raise ValueError(f"residue {residue} by modulus {modulus}")
    row = Row(
        _operation(value),
        residue,
        modulus,
        parse_exact(value["start"]),
        parse_exact(value["time"]),
        parse_exact(value["every"]),
    )
    if not row.every:
        raise ValueError("every row takes time before it starts again")
    return row


class Occurrence(NamedTuple):
    """An operation at work for one data set, or one cycle of its actor."""

    start: Fraction
    row: int
    """Position of its row among those given."""
    turn: int
    """How often the row started before."""


def occurrences(
    rows: Sequence[Row] | Mapping[int, Row],
    begin: Fraction,
    end: Fraction,
    after: Occurrence | None = None,
) -> Iterator[Occurrence]:
    """Give what is at work in a window, in the order of starts, and of rows where these are equal.

    Linear in the rows for the first one, logarithmic for each further one.

    Parameters
    ----------
    rows
        All rows, or those that matter (`earliest`), by their positions.
    begin, end
        What starts before `end`, and ends after `begin` or does not start before it.
    after
        Only what comes after this one.
    """
    heap: list[Occurrence] = []
    for position, row in rows.items() if isinstance(rows, Mapping) else enumerate(rows):
        start, every = row.start.as_integer_ratio(), row.every.as_integer_ratio()
        turn = _first_turn(position, start, row.time.as_integer_ratio(), every, begin, after)
        first = Occurrence(row.start + turn * row.every, position, turn)
        if first.start < end:
            heap.append(first)
    heapify(heap)
    while heap:
        yield (one := heap[0])
        later = Occurrence(one.start + rows[one.row].every, one.row, one.turn + 1)
        if later.start < end:
            heapreplace(heap, later)
        else:
            heappop(heap)


def earliest(
    documents: Iterable[Mapping[str, Any]],
    begin: Fraction,
    end: Fraction,
    most: int,
    after: Occurrence | None = None,
) -> dict[int, Row]:
    """Read the rows, by their positions, that have the first `most` `occurrences` in a window.

    There may be a million others: of these nothing is kept, and no more is read than tells that
    they come later.

    Parameters
    ----------
    documents
        All rows, as `row_document` writes them.
    most
        At least one.
    """
    # The latest first; before `most` are found, everything that starts before the end comes in.
    heap: list[_First] = []
    bound = end.as_integer_ratio()
    for position, document in enumerate(documents):
        start = _ratio(document["start"])
        if start[0] * bound[1] >= bound[0] * start[1]:
            continue
        every = _ratio(document["every"])
        turn = _first_turn(position, start, _ratio(document["time"]), every, begin, after)
        upper = start[0] * every[1] + turn * every[0] * start[1]
        lower = start[1] * every[1]
        if upper * bound[1] >= bound[0] * lower:
            continue
        one = _First((upper, lower), position, document)
        if len(heap) < most:
            heappush(heap, one)
        else:
            heapreplace(heap, one)
        if len(heap) == most:
            bound = heap[0].start
    return {
        one.row: row_from_document(one.document) for one in sorted(heap, key=lambda one: one.row)
    }


_Ratio = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _First:
    """The first occurrence of a row. The smallest is the one that comes last."""

    start: _Ratio
    row: int
    document: Mapping[str, Any]

    def __lt__(self, other: "_First") -> bool:
        mine, others = self.start[0] * other.start[1], other.start[0] * self.start[1]
        return mine > others or (mine == others and self.row > other.row)


def _ratio(text: str) -> _Ratio:
    upper, _, lower = text.partition("/")
    return int(upper), int(lower or 1)


def _first_turn(
    position: int,
    start: _Ratio,
    time: _Ratio,
    every: _Ratio,
    begin: Fraction,
    after: Occurrence | None,
) -> int:
    """Give the turn in which a row is first at work at `begin` or later, and after another one."""
    upper = begin.numerator * start[1] - start[0] * begin.denominator
    lower = begin.denominator * start[1]  # so begin - start is upper / lower
    turn = 0
    if upper > 0:
        still = (upper * time[1] - time[0] * lower) * every[1] // (lower * time[1] * every[0]) + 1
        turn = max(0, min(still, -(-upper * every[1] // (lower * every[0]))))
    if after is not None:
        upper = after.start.numerator * start[1] - start[0] * after.start.denominator
        turns, rest = divmod(upper * every[1], after.start.denominator * start[1] * every[0])
        turn = max(turn, turns if not rest and position > after.row else turns + 1)
    return turn


def occurrence_document(row: Row, one: Occurrence) -> dict[str, Any]:
    """Write what is at work as an event of a timeline.

    Parameters
    ----------
    row
        When the operation starts, for the data sets of one residue.
    one
        Start and turn; of this row.
    """
    number = row.residue + one.turn * row.modulus
    return {
        "start": str(one.start),
        "end": str(one.start + row.time),
        **row.operation.document,
        ("cycle" if isinstance(row.operation, Firing) else "data_set"): number,
    }


@dataclass(frozen=True)
class Timetable(Headed):
    """A schedule that repeats row by row.

    A kind whose schedules have this form declares ``Problem(form=Timetable, ...)``. Its solver answers
    with ``Solution(result, schedule=Timetable(...))``. It is stored, served (``/rows``, and
    ``/timeline``, which unrolls it; the parts of periodic schedules are empty), written by ``solve
    --schedule`` and read by ``check`` like any other.

    Attributes
    ----------
    ports
        None where there is no platform.
    period
        After which everything repeats: `instances_per_period` data sets (or iterations) later.
    rows
        By operation in the order of service, and by residue.
    """

    form: ClassVar = "timetable"
    parts: ClassVar[Parts] = {"rows": row_document}
    lacks: ClassVar = (
        "makespan",
        "rounding_loss",
        "bounded",
        "prologue_periods",
        "latency_periods",
        *GROUPING,
    )

    ports: TimetablePorts | None
    period: Fraction
    instances_per_period: int
    rows: tuple[Row, ...]
    loss: ClassVar = Fraction(0)
    preempted: ClassVar = False
    stated_counts: Mapping[str, int] | None = field(default=None, compare=False)
    """As in `Schedule`."""

    @property
    def throughput(self) -> Fraction:
        """Data sets (or iterations) per time unit."""
        return self.instances_per_period / self.period

    @property
    def optimal_throughput(self) -> Fraction:
        """The same: nothing is rounded."""
        return self.throughput

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Timetable":
        """Read the JSON form back. Numbers may be strings or JSON integers.

        Raises
        ------
        KeyError, TypeError, ValueError
            If the document does not have the form of a timetable, or its header says another
            throughput than its period does.
        """
        require_form(document, cls.form, cls.lacks)
        found = cls(
            ports=_ports(document["ports"]),
            period=parse_exact(document["period"]),
            instances_per_period=_count(document["instances_per_period"]),
            rows=tuple(row_from_document(row) for row in document["rows"]),
            stated_counts=read_counts(document),
        )
        if found.period <= 0 or found.instances_per_period < 1:
            raise ValueError("the period of a timetable takes time and holds a data set")
        for name, due in (
            ("throughput", found.throughput),
            ("optimal_throughput", found.throughput),
            ("loss", 0),
        ):
            if parse_exact(document[name]) != due:
                raise ValueError(f"{name} is {document[name]!r:.40}, but its period says {due}")
        if document["preempted"] is not False:
            raise ValueError("operations of a timetable are never preempted")
        return found


def _ports(value: Any) -> TimetablePorts | None:
    if value is not None and value not in get_args(TimetablePorts):
        raise ValueError(f"unknown port model {value!r:.40} of a timetable")
    return value  # type: ignore[no-any-return]


def _count(value: Any) -> int:
    number = parse_exact(value)
    if number.denominator != 1:
        raise ValueError(f"expected a whole number, not {value!r:.40}")
    return number.numerator


def _operation(value: Mapping[str, Any]) -> Operation:
    if value["kind"] == "transfer":
        sender, receiver = value["link"]
        source, target = value["file"]
        return Sending((text_of(source), text_of(target)), text_of(sender), text_of(receiver))
    if value["kind"] != "compute":
        raise ValueError(f"unknown kind of operation {value['kind']!r:.40}")
    if "actor" in value:
        return Firing(text_of(value["actor"]), parse_whole(value["phase"]))
    return Computing(text_of(value["task"]), text_of(value["processor"]))
