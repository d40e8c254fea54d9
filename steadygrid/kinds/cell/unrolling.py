"""What tasks and transfers on a Cell wait for, instance by instance: files, and room for them."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from steadygrid.domain.errors import Fault
from steadygrid.domain.job import Options
from steadygrid.domain.resources import compute_resource, pair_name
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.unrolling import Line, Repetition, Unrolling
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.schemas import CellInstance, CellResult
from steadygrid.kinds.cell.validator import check_agreement, check_limits, check_mapping
from steadygrid.verification.allocations import check_allocations, check_computations
from steadygrid.verification.findings import Findings
from steadygrid.verification.slots import check_slots
from steadygrid.verification.start_ups import read_grouping
from steadygrid.verification.steady import views_of_one_application


def unrolled(
    instance: CellInstance, result: CellResult, schedule: Schedule
) -> Unrolling | list[Fault]:
    """Say what each task and transfer waits for; or why the schedule does not hold.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer. It has the mapping.
    schedule
        Of the answer.

    Notes
    -----
    The buffer of a file has room for as many instances as there are periods between making and using
    one, on either core (section 7.2.2 of the source). Where it is made, an instance takes its place when
    the task begins, and leaves it when it has been sent. Where it is used, it takes its place when
    sending begins, and leaves it when the task of the same number ends: no later one needs it. A file
    that stays on its core is sent in no time.
    """
    findings, view = Findings(), RefereeView(instance)
    if check_mapping(view, result, findings):
        check_limits(view, result, findings)
        check_agreement(view, result, schedule, findings)
    if not findings:
        _check_period(view, schedule, findings)
    if findings:
        return list(findings.faults)
    return _Unrolled(view, result.mapping, schedule).unrolling


def _check_period(view: RefereeView, schedule: Schedule, findings: Findings) -> None:
    """Check the period as it is without a clock.

    Rules, in this order:

    = ============================================================= ==================
    1 a period has one instance, and the throughput is 1 over it    `wrong_throughput`
    2 the slots hold what the allocation sends                      see `check_slots`
    = ============================================================= ==================
    """
    if schedule.instances_per_period != 1 or schedule.throughput * schedule.period != 1:
        sentence = "A period has one instance, and the throughput is 1 over it."
        findings.add(("schedule", "throughput"), "wrong_throughput", sentence)
        return
    views = views_of_one_application(view.steady(schedule))
    steady = read_grouping(views, schedule, Options(), findings)
    if steady is None:
        return
    by_index = check_allocations(views, schedule, findings)
    if not findings:
        check_computations(views, schedule, by_index, steady.latencies, findings)
        check_slots(views, schedule, by_index, False, steady, findings)


class _Unrolled:
    def __init__(self, view: RefereeView, mapping: dict[str, str], schedule: Schedule) -> None:
        self._view, self._mapping, self._schedule = view, mapping, schedule
        self._tasks = list(view.tasks)
        self._files = list(view.sizes)
        self._place = {task: i for i, task in enumerate(self._tasks)}
        self._into: dict[str, list[int]] = {task: [] for task in self._tasks}
        self._out_of: dict[str, list[int]] = {task: [] for task in self._tasks}
        for number, (source, target) in enumerate(self._files):
            position = len(self._tasks) + number
            self._out_of[source].append(position)
            self._into[target].append(position)
        self._room = [0] * len(self._tasks) + [
            view.first[target] - view.first[source] for source, target in self._files
        ]

    @property
    def unrolling(self) -> Unrolling:
        """Tasks and files as lines, their instances as turns."""
        lines = [*self._computations(), *self._transfers()]
        return Unrolling(lines, len(lines), self._repetitions_of)

    def _computations(self) -> Iterator[Line]:
        period, starts = self._schedule.period, {}
        for one in self._schedule.computations:
            starts[one.task] = one.start
        for task in self._tasks:
            core = self._mapping[task]
            time = self._view.time(task, core)
            assert time is not None
            start = (self._view.first[task] - 1) * period + starts.get(task, Fraction(0))
            yield Line(start, time, period, core, (compute_resource(core),), True)

    def _transfers(self) -> Iterator[Line]:
        """Let each file flow at the rate of the schedule, at the same time as all others, after the one before it."""
        period = self._schedule.period
        for number, (source, target) in enumerate(self._files):
            sender, receiver = self._mapping[source], self._mapping[target]
            start, time = self._view.first[source] * period, Fraction(0)
            if sender != receiver and self._view.sizes[source, target]:
                slot = self._schedule.slots[0]
                start, time = start + slot.start, slot.duration
            yield Line(start, time, period, pair_name(sender, receiver), (f"{number}",), False)

    def _repetitions_of(self, instances: int) -> list[Repetition]:
        found: list[Repetition] = []

        def add(position: int, turn: int, awaited: Iterable[tuple[int, int]]) -> None:
            needs = (other * instances + number for other, number in awaited if number >= 0)
            found.append(Repetition(position, turn, turn, tuple(needs)))

        for task in self._tasks:
            into, out_of = self._into[task], self._out_of[task]
            peek = self._view.tasks[task].peek
            for turn in range(instances):
                # The stream ends: the last instances look at fewer that follow.
                last = min(turn + peek, instances - 1)
                files = [(file, last) for file in into]
                rooms = [(file, turn - self._room[file]) for file in out_of]
                add(self._place[task], turn, files + rooms)
        for number, (source, target) in enumerate(self._files):
            file = len(self._tasks) + number
            for turn in range(instances):
                room = (self._place[target], turn - self._room[file])
                add(file, turn, ((self._place[source], turn), room))
        return found
