"""Answers built by hand that are right, and a way to change one thing in them."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pydantic import BaseModel

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import Fault, InvalidScheduleError
from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.schemas import (
    MasterWorkerInstance,
    MasterWorkerResult,
    SentRate,
)
from steadygrid.submissions.submission import parse_submission

INPUT, OUTPUT = ("begin", "task"), ("task", "end")


class Answer(NamedTuple):
    """An answer of any kind, to be changed and judged by the kind's referee."""

    instance: Any
    options: Options
    result: Any
    schedule: Schedule | None

    def change(self, path: str, value: Any) -> "Answer":
        """Give the answer with one place changed; a function is applied to what is there."""
        return changed(self, path.split("/"), value)

    def in_slots(self) -> "Answer":
        """Give the answer with its runs of links told as slots."""
        assert self.schedule is not None
        slots = tuple(self.schedule.slots)
        return self._replace(schedule=dataclasses.replace(self.schedule, runs=None, slots=slots))

    def faults(self) -> list[Fault]:
        """Give what the referee finds."""
        try:
            PROBLEMS[self.instance.kind].validate(*self)
        except InvalidScheduleError as error:
            return list(error.faults)
        return []

    def codes(self) -> set[str]:
        return {fault.code for fault in self.faults()}


def changed(thing: Any, path: Sequence[str], value: Any) -> Any:
    if not path:
        return value(thing) if callable(value) else value
    step, rest = path[0], path[1:]
    if isinstance(thing, BaseModel):
        return thing.model_copy(update={step: changed(getattr(thing, step), rest, value)})
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return dataclasses.replace(thing, **{step: changed(getattr(thing, step), rest, value)})
    if hasattr(thing, "_replace"):
        return thing._replace(**{step: changed(getattr(thing, step), rest, value)})
    if isinstance(thing, Mapping):
        return {**thing, step: changed(thing.get(step), rest, value)}
    items = list(thing)
    items[int(step)] = changed(items[int(step)], rest, value)
    return type(thing)(items)


def answer(
    problem: Mapping[str, Any],
    period: int,
    plans: Sequence[tuple[int, Sequence[str], Sequence[str]]],
    slots: Sequence[tuple[int, Sequence[tuple[str, str, str, int, Any]]]],
    prices: Mapping[str, Fraction],
    latency: int,
) -> Answer:
    """Put an answer together.

    Parameters
    ----------
    plans
        Instances per period, path of the input, path of the output.
    slots
        Duration, and transfers: sender, receiver, "in" or "out", allocation, count.
    """
    instance = MasterWorkerInstance.model_validate({"kind": "master_worker", **problem})
    allocations: list[Allocation] = []
    computations: list[Computation] = []
    sent: dict[tuple[str, str, str], Fraction] = {}
    computed: dict[str, Fraction] = {}
    for index, (count, way_in, way_out) in enumerate(plans):
        rate = Fraction(count, period)
        worker = way_in[-1]
        transfers = []
        for file, kind, path in ((INPUT, "input", way_in), (OUTPUT, "output", way_out)):
            if len(path) > 1:
                transfers.append(Transfer(file, tuple(path), Fraction(1)))
            for i in range(len(path) - 1):
                key = (path[i], path[i + 1], kind)
                sent[key] = sent.get(key, Fraction(0)) + rate
        allocations.append(
            Allocation(index, rate, Fraction(count), {"task": (worker,)}, tuple(transfers))
        )
        if instance.task.times is not None:
            time = instance.task.times[worker]
        else:
            processor = next(p for p in instance.platform.processors if p.id == worker)
            time = instance.task.work * processor.time_per_work
        start = sum((c.time for c in computations if c.processor == worker), Fraction(0))
        computations.append(
            Computation(worker, "task", index, Fraction(count), start, count * time)
        )
        computed[worker] = computed.get(worker, Fraction(0)) + rate
    built, clock = [], Fraction(0)
    for duration, moves in slots:
        moved = tuple(
            SlotTransfer(a, b, INPUT if kind == "in" else OUTPUT, index, Fraction(count))
            for a, b, kind, index, count in moves
        )
        built.append(Slot(clock, Fraction(duration), moved))
        clock += duration
    instances = Fraction(sum(count for count, _, _ in plans))
    value = instances / period
    schedule = Schedule(
        period=Fraction(period), instances_per_period=instances, throughput=value,
        optimal_throughput=value, loss=Fraction(0), rounding_loss=None, ports=instance.ports,
        prologue_periods=latency - 1, latency_periods=latency,
        preempted=any(t.count.denominator != 1 for s in built for t in s.transfers),
        files=(INPUT, OUTPUT) if instance.task.output_size else (INPUT,),
        allocations=tuple(allocations), computations=tuple(computations), slots=tuple(built),
    )  # fmt: skip
    bound = sum(prices.values(), Fraction(0))
    gap = (bound - value) / bound
    result = MasterWorkerResult(
        outcome=Outcome.FEASIBLE if gap else Outcome.OPTIMAL,
        method="lp",
        objective=Objective.throughput(value),
        bound=Bound.from_value(bound, exact=True),
        gap=gap,
        certificate=DualityCertificate(prices=dict(prices)),
        computed=computed,
        sent=[SentRate(source=a, target=b, file=k, rate=r) for (a, b, k), r in sent.items()],
    )
    return Answer(instance, Options(), result, schedule)


def links(*pairs: str, **fields: Any) -> list[dict[str, Any]]:
    """Give links of unit time 1 by pairs such as ``"A B"``."""
    return [
        {"source": pair.split()[0], "target": pair.split()[1], "unit_time": 1, **fields}
        for pair in pairs
    ]


FIGURE_3 = {
    "platform": {
        "processors": [
            {"id": "P1", "unit_time": 10},
            {"id": "P2", "speed": "1/2"},
            {"id": "P3", "unit_time": 2},
            {"id": "P4", "unit_time": 1},
        ],
        "links": links("P1 P2", "P1 P3", "P2 P4", "P3 P4"),
    },
    "master": "P1",
    "task": {"work": 4, "input_size": 2},
}


def figure_3() -> Answer:
    """RR-4870, figure 3, results staying: every resource that is used is used all the time."""
    return answer(
        FIGURE_3, 40,
        [(1, ["P1"], []), (5, ["P1", "P2"], []), (5, ["P1", "P3"], []), (10, ["P1", "P3", "P4"], [])],
        [
            (10, [("P1", "P2", "in", 1, 5), ("P3", "P4", "in", 3, 5)]),
            (10, [("P1", "P3", "in", 2, 5), ("P3", "P4", "in", 3, 5)]),
            (20, [("P1", "P3", "in", 3, 10)]),
        ],
        {"P1.send": Fraction(1, 2), "P1.compute": Fraction(1, 40)},
        3,
    )  # fmt: skip


def figure_3_with_results() -> Answer:
    """RR-4870, figure 3: the results of P4 return over P2."""
    problem = {**FIGURE_3, "task": {"work": 4, "input_size": 2, "output_size": 2}}
    return answer(
        problem, 40,
        [
            (1, ["P1"], []),
            (5, ["P1", "P2"], ["P2", "P1"]),
            (5, ["P1", "P3"], ["P3", "P1"]),
            (10, ["P1", "P3", "P4"], ["P4", "P2", "P1"]),
        ],
        [
            (10, [("P1", "P2", "in", 1, 5), ("P3", "P1", "out", 2, 5)]),
            (10, [("P1", "P3", "in", 2, 5), ("P3", "P4", "in", 3, 5),
                  ("P4", "P2", "out", 3, 5), ("P2", "P1", "out", 1, 5)]),
            (10, [("P1", "P3", "in", 3, 5), ("P3", "P4", "in", 3, 5),
                  ("P4", "P2", "out", 3, 5), ("P2", "P1", "out", 3, 5)]),
            (10, [("P1", "P3", "in", 3, 5), ("P2", "P1", "out", 3, 5)]),
        ],
        {"P1.send": Fraction(1, 2), "P1.compute": Fraction(1, 40)},
        5,
    )  # fmt: skip


def shared_medium() -> Answer:
    """Two workers behind one bus, constant rates."""
    return answer(
        {
            "platform": {
                "processors": [
                    {"id": "M", "bandwidth_out": 2},
                    {"id": "A", "unit_time": 4, "bandwidth_in": 1},
                    {"id": "B", "unit_time": 4},
                    {"id": "R"},
                ],
                "links": links("M A", "M R", media=["bus"]) + links("R B"),
                "media": [{"id": "bus", "bandwidth": "2/5"}],
            },
            "master": "M", "task": {"work": 1}, "ports": "multiport",
        },
        20,
        [(5, ["M", "A"], []), (3, ["M", "R", "B"], [])],
        [(20, [("M", "A", "in", 0, 5), ("M", "R", "in", 1, 3), ("R", "B", "in", 1, 3)])],
        {"bus.medium": Fraction(2, 5)},
        2,
    )  # fmt: skip


def narrow_ports() -> Answer:
    """A multiport master whose bandwidth out is the limit, and results that return."""
    return answer(
        {
            "platform": {
                "processors": [
                    {"id": "M", "bandwidth_out": 1, "bandwidth_in": 2},
                    {"id": "A", "unit_time": 2, "bandwidth_in": "1/2", "bandwidth_out": "1/2"},
                    {"id": "B", "unit_time": 2},
                ],
                "links": links("M A") + links("M B", duplex="half"),
            },
            "master": "M", "task": {"work": 1, "output_size": 1}, "ports": "multiport",
        },
        2,
        [(1, ["M", "A"], ["A", "M"]), (1, ["M", "B"], ["B", "M"])],
        [(2, [("M", "A", "in", 0, 1), ("A", "M", "out", 0, 1),
              ("M", "B", "in", 1, 1), ("B", "M", "out", 1, 1)])],
        {"M.out": Fraction(1)},
        3,
    )  # fmt: skip


def switches() -> Answer:
    """Two switches in a row: only the links and the ports of M, A and B limit."""
    return answer(
        {
            "platform": {
                "processors": [
                    {"id": "M"},
                    {"id": "S", "switch": True},
                    {"id": "T", "switch": True},
                    {"id": "A", "unit_time": 2},
                    {"id": "B", "unit_time": 2},
                ],
                "links": links("M S", "S T", "T A", "T B"),
            },
            "master": "M", "task": {"work": 1},
        },
        2,
        [(1, ["M", "S", "T", "A"], []), (1, ["M", "S", "T", "B"], [])],
        [
            (1, [("M", "S", "in", 0, 1), ("S", "T", "in", 1, 1)]),
            (1, [("M", "S", "in", 1, 1), ("S", "T", "in", 0, 1),
                 ("T", "A", "in", 0, 1), ("T", "B", "in", 1, 1)]),
        ],
        {"S->T.link": Fraction(1)},
        4,
    )  # fmt: skip


def half_duplex() -> Answer:
    """Input and output share a half-duplex link; the other link is not needed."""
    return answer(
        {
            "platform": {
                "processors": [{"id": "M"}, {"id": "A", "unit_time": 1}, {"id": "Z"}],
                "links": links("M A", duplex="half") + links("M Z", duplex="simplex"),
            },
            "master": "M", "task": {"work": 1, "input_size": 1, "output_size": 1},
        },
        2,
        [(1, ["M", "A"], ["A", "M"])],
        [(1, [("M", "A", "in", 0, 1)]), (1, [("A", "M", "out", 0, 1)])],
        {"A--M.half": Fraction(1, 2)},
        3,
    )  # fmt: skip


def preempted() -> Answer:
    """Figure 3 with the transfer P3 -> P4 cut in the middle of a file."""
    base = figure_3()

    def cut(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        first, second, third = slots
        return (
            first._replace(transfers=(first.transfers[0], first.transfers[1]._replace(count=Fraction(9, 2)))),
            second,
            third._replace(transfers=(*third.transfers, first.transfers[1]._replace(count=Fraction(1, 2)))),
        )  # fmt: skip

    return (
        base.change("schedule/slots", cut)
        .change("schedule/preempted", True)
        .change("options", Options(whole_files=False))
    )


RIGHT: dict[str, Callable[[], Answer]] = {
    build.__name__: build
    for build in (
        figure_3,
        figure_3_with_results,
        shared_medium,
        narrow_ports,
        switches,
        half_duplex,
        preempted,
    )
}


def answered(problem: Mapping[str, Any], **options: Any) -> Answer:
    """Let an instance be solved; what is changed afterwards, the referee has not seen."""
    submission = parse_submission({**problem, "options": options}, Limits())
    result, schedule = run(submission, Control(30), Limits())
    return Answer(submission.instance, submission.options, result, schedule)  # type: ignore[arg-type]
