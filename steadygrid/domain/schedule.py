"""The schedule: who does what when, in a period that repeats for ever.

Plain named tuples, because a schedule may list a million transfers. `Schedule.document`
and `Schedule.from_document` are its JSON form, the one that the contract shows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from steadygrid.domain.combination import Combination
from steadygrid.domain.header import (
    GROUPING,
    Headed,
    Parts,
    TwoFormsError,
    read_counts,
    require_form,
    text_of,
)
from steadygrid.domain.platform import PortModel
from steadygrid.domain.rational import parse_exact, parse_whole
from steadygrid.domain.run import RunPromise, read_promise
from steadygrid.domain.runs import (
    DerivedSlots,
    Run,
    common_unit,
    interruptions,
    read_run,
    run_document,
)
from steadygrid.domain.slots import FileName, Slot, read_file_name, read_slot, slot_document


class ScheduleLimits(NamedTuple):
    """How long the description of an exact schedule may become before its period is bounded."""

    max_period_digits: int = 1_000
    max_slot_transfers: int = 1_000_000


USUAL_LIMITS = ScheduleLimits()

MOST_IN_A_PERIOD = 1_000
"""Instances, or files that are moved, of a period that people can use; exact ones may have more."""
MOST_LOST = Fraction(1, 1000)
"""What a schedule may lose where the exact one has more than that."""
MOST_LOST_BEFORE = Fraction(1, 100)
"""What it might lose in versions before, whose answers stay right."""

Bounded = Literal["asked", "automatic", "run"]
"""Why a period is not the exact one: `max_period` is a time, or was not asked for; or it was chosen
for a run."""


class Grouping(NamedTuple):
    """How a schedule pays latencies: several periods are one, in which everything starts once.

    The period of a schedule that ignores them is the steady one; `periods` of these hold the
    instances, files and executions of one period of the schedule that pays.
    """

    periods: int
    latency_time: Fraction
    """By how much the period is longer than that many steady ones."""
    completion_time_at_most: Fraction | None = None
    """Of `total_instances`, where they were asked for and something runs."""
    no_schedule_before: Fraction | None = None
    """No schedule completes `total_instances` earlier, latencies or not."""

    @property
    def header(self) -> dict[str, Any]:
        """The members that the header of the schedule has more."""
        times = {
            "latency_time": self.latency_time,
            "completion_time_at_most": self.completion_time_at_most,
            "no_schedule_before": self.no_schedule_before,
        }
        told = {name: str(time) for name, time in times.items() if time is not None}
        return {"grouped_periods": self.periods} | told


class Transfer(NamedTuple):
    """The path that a share of one file of an allocation takes."""

    file: FileName
    path: tuple[str, ...]
    share: Fraction


class Allocation(NamedTuple):
    """Where each task of an instance runs and which route its files take."""

    index: int  # type: ignore[assignment]  # the contract's names hide two tuple methods
    rate: Fraction
    """Instances per time unit."""
    instances_per_period: Fraction
    tasks: Mapping[str, tuple[str, ...]]
    """The processors that run each task: one, or several where it is duplicated."""
    transfers: tuple[Transfer, ...]
    first_periods: Mapping[tuple[str, str], int] | None = None
    """By task and processor, where a kind has its own rule for them. None where that of
    `steadygrid.domain.periods` holds."""
    message: str | None = None
    """Which message of an instance it carries, where an instance is one of each of several. None
    where every allocation runs whole instances."""
    combinations: tuple[Combination, ...] = ()
    """Of what the message has from several sources, those whose outcomes others use first. Those that
    take time are among the tasks."""


class Computation(NamedTuple):
    """One processor's work for one task of one allocation in every period."""

    processor: str
    task: str
    allocation: int
    count: Fraction  # type: ignore[assignment]
    start: Fraction
    """Offset from the beginning of the period."""
    time: Fraction
    """Time for all `count` executions together."""


def allocation_document(allocation: Allocation) -> dict[str, Any]:
    """Write an allocation as the contract shows it."""
    document: dict[str, Any] = {
        "index": allocation.index,
        "rate": str(allocation.rate),
        "instances_per_period": str(allocation.instances_per_period),
        "tasks": {
            task: processors[0] if len(processors) == 1 else list(processors)
            for task, processors in allocation.tasks.items()
        },
        "transfers": [
            {"file": list(t.file), "path": list(t.path), "share": str(t.share)}
            for t in allocation.transfers
        ],
    }
    if allocation.message is not None:
        document["message"] = allocation.message
    if allocation.combinations:
        document["combinations"] = [one.document for one in allocation.combinations]
    if allocation.first_periods is not None:
        document["first_periods"] = [
            {"task": task, "processor": processor, "period": period}
            for (task, processor), period in allocation.first_periods.items()
        ]
    return document


def computation_document(computation: Computation) -> dict[str, Any]:
    """Write a computation as the contract shows it."""
    return {
        "processor": computation.processor,
        "task": computation.task,
        "allocation": computation.allocation,
        "count": str(computation.count),
        "start": str(computation.start),
        "time": str(computation.time),
    }


@dataclass(frozen=True)
class Schedule(Headed):
    """A periodic schedule.

    `files` lists the application's files (also those that never move): they order the
    operations of an instance, see `steadygrid.domain.periods`. What is sent is reported in one of
    two forms: as runs of links, from which slots are derived, or as slots.
    """

    form: ClassVar = "periodic"
    parts: ClassVar[Parts] = {
        "allocations": allocation_document,
        "computations": computation_document,
        "runs": run_document,
        "slots": slot_document,
    }
    lacks: ClassVar = ("makespan",)

    period: Fraction
    instances_per_period: Fraction
    throughput: Fraction
    """Achieved: ``instances_per_period / period``, 0 if the period holds no instance."""
    optimal_throughput: Fraction
    """The certified value (or, where none is certified, the best known) before rounding."""
    loss: Fraction
    """Relative: ``1 - throughput / optimal_throughput``, 0 if the latter is 0."""
    rounding_loss: Fraction | None
    """The loss that merely rounding the rates down would have had. None if not bounded."""
    ports: PortModel
    prologue_periods: int
    latency_periods: int
    preempted: bool
    files: tuple[FileName, ...]
    allocations: tuple[Allocation, ...]
    computations: tuple[Computation, ...]
    slots: Sequence[Slot] = ()
    """Derived where there are runs."""
    runs: tuple[Run, ...] | None = None
    """By their starts. None where slots are all that is reported."""
    bounded: Bounded | None = None
    """Why the rates were rounded; null if they were not, or in documents that do not say so."""
    grouping: Grouping | None = None
    """How latencies are paid. None where they are not."""
    run: RunPromise | None = None
    """What it does in the run that was asked for."""
    stated_counts: Mapping[str, int] | None = field(default=None, compare=False)
    """What the document that this was read from says of `counts`. None if it was not read."""
    stated_interruptions: int | None = field(default=None, compare=False)
    """As `stated_counts`, of its interruptions."""

    def __post_init__(self) -> None:
        if self.runs is not None:
            object.__setattr__(self, "slots", DerivedSlots(self.runs))

    @property
    def listed(self) -> Parts:
        """The parts that are written: runs, or slots."""
        return _drop_part(self.parts, "runs" if self.runs is None else "slots")

    @classmethod
    def parts_in(cls, header: Mapping[str, Any]) -> Parts:
        """Give the parts that a header counts."""
        parts = super().parts_in(header)
        return _drop_part(parts, "slots") if "runs" in parts else parts

    @property
    def counts(self) -> dict[str, int]:
        """How much is listed in each part; of runs also the slots that are derived from them."""
        listed = super().counts
        if self.runs is None:
            return listed | {"transfers": sum(len(slot.transfers) for slot in self.slots)}
        assert isinstance(self.slots, DerivedSlots)
        cargo = sum(len(run.cargo) for run in self.runs)
        derived = {"slots": len(self.slots), "transfers": self.slots.num_transfers}
        return listed | derived | {"cargo": cargo}

    @property
    def interruptions(self) -> int | None:
        """How often links stop and go on later. None where slots are all that is reported."""
        return None if self.runs is None else interruptions(self.runs)

    @property
    def optional_members(self) -> Mapping[str, Any]:
        """Members that the header has only where they say something."""
        told = {"bounded": self.bounded, "interruptions": self.interruptions}
        grouping = {} if self.grouping is None else self.grouping.header
        run = {} if self.run is None else {"run": self.run.document}
        return {name: value for name, value in told.items() if value is not None} | grouping | run

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Schedule":
        """Read the JSON form back. Numbers may be strings or JSON integers.

        Raises
        ------
        KeyError, TypeError, ValueError
            If the document does not have the form of a periodic schedule.
        """
        require_form(document, cls.form, cls.lacks)
        runs, stated = _runs(document), document.get("interruptions")
        rounding = document.get("rounding_loss")
        return cls(
            period=parse_exact(document["period"]),
            instances_per_period=parse_exact(document["instances_per_period"]),
            throughput=parse_exact(document["throughput"]),
            optimal_throughput=parse_exact(document["optimal_throughput"]),
            loss=parse_exact(document["loss"]),
            rounding_loss=None if rounding is None else parse_exact(rounding),
            ports=_ports(document["ports"]),
            prologue_periods=parse_whole(document["prologue_periods"]),
            latency_periods=parse_whole(document["latency_periods"]),
            preempted=_flag(document["preempted"]),
            files=tuple(read_file_name(f) for f in document.get("files", ())),
            allocations=tuple(_allocation(a) for a in document["allocations"]),
            computations=tuple(_computation(c) for c in document["computations"]),
            slots=() if runs is not None else tuple(map(read_slot, document["slots"])),
            runs=runs,
            bounded=_bounded(document.get("bounded")),
            grouping=_grouping(document),
            run=read_promise(document.get("run")),
            stated_counts=read_counts(document),
            stated_interruptions=None if stated is None else parse_whole(stated),
        )


def _drop_part(parts: Parts, left_out: str) -> Parts:
    return {name: write for name, write in parts.items() if name != left_out}


def _runs(document: Mapping[str, Any]) -> tuple[Run, ...] | None:
    """Read the runs of a document, if it tells what is sent as runs."""
    if "runs" not in document:
        if "slots" not in document:
            raise KeyError("runs")
        return None
    if "slots" in document:
        raise TwoFormsError("it has both runs and slots: leave out slots")
    if not isinstance(document["runs"], list):
        raise TypeError("runs are a list")
    runs = tuple(map(read_run, document["runs"]))
    common_unit(runs)  # refuses times that slots could not be derived from
    return runs


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false, not {str(value)[:40]!r}")
    return value


def _processors(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list):
        raise TypeError("a task runs on a processor, or on a list of them")
    return tuple(map(text_of, value))


def _ports(value: Any) -> PortModel:
    if value not in get_args(PortModel):
        raise ValueError(f"unknown port model {value!r}")
    return value  # type: ignore[no-any-return]


def _bounded(value: Any) -> Bounded | None:
    if value is not None and value not in get_args(Bounded):
        raise ValueError(f"bounded is {value!r:.40}, not asked, automatic, run or null")
    return value  # type: ignore[no-any-return]


def _grouping(document: Mapping[str, Any]) -> Grouping | None:
    periods, *times = (document.get(name) for name in GROUPING)
    paid, *dates = (None if time is None else parse_exact(time) for time in times)
    if periods is None and paid is None and not any(date is not None for date in dates):
        return None
    if periods is None or paid is None:
        raise ValueError("latencies are paid only with both grouped_periods and latency_time")
    return Grouping(parse_whole(periods), paid, *dates)


def _allocation(value: Mapping[str, Any]) -> Allocation:
    return Allocation(
        parse_whole(value["index"]),
        parse_exact(value["rate"]),
        parse_exact(value["instances_per_period"]),
        {text_of(task): _processors(processors) for task, processors in value["tasks"].items()},
        tuple(
            Transfer(
                read_file_name(t["file"]), tuple(map(text_of, t["path"])), parse_exact(t["share"])
            )
            for t in value["transfers"]
        ),
        _first_periods(value.get("first_periods")),
        None if value.get("message") is None else text_of(value["message"]),
        tuple(map(_combination, value.get("combinations") or ())),
    )


def _combination(value: Mapping[str, Any]) -> Combination:
    operands = value["operands"]
    if not isinstance(operands, list):
        raise TypeError("a combination has a list of operands")
    return Combination(
        parse_whole(value["index"]), text_of(value["processor"]), tuple(map(text_of, operands))
    )


def _first_periods(
    values: Iterable[Mapping[str, Any]] | None,
) -> dict[tuple[str, str], int] | None:
    if values is None:
        return None
    return {(text_of(v["task"]), text_of(v["processor"])): parse_whole(v["period"]) for v in values}


def _computation(value: Mapping[str, Any]) -> Computation:
    return Computation(
        text_of(value["processor"]),
        text_of(value["task"]),
        parse_whole(value["allocation"]),
        parse_exact(value["count"]),
        parse_exact(value["start"]),
        parse_exact(value["time"]),
    )
