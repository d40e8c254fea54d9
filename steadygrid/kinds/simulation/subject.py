"""The problem, result and schedule that shall be simulated, read from their documents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.exported_program import ExportedProgram
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Execution, Options, Result
from steadygrid.domain.problem import Problem
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.unrolling import Unrolling
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.shared.piecewise import findings_of
from steadygrid.kinds.simulation.schemas import Document, SimulationInstance
from steadygrid.verification.allocations import check_allocations, check_computations
from steadygrid.verification.findings import Findings
from steadygrid.verification.runs import check_runs
from steadygrid.verification.slots import check_slots
from steadygrid.verification.start_ups import read_grouping

ON_DEMAND = "master_worker"
"""The kind whose tasks workers may ask for."""
_NOTHING_RUNS = "a schedule in which nothing runs cannot be simulated"


class Subject(NamedTuple):
    """What is simulated."""

    problem: Problem[Any, Any]
    instance: Any
    result: Result
    schedule: AnySchedule

    @property
    def executions(self) -> tuple[Execution, ...]:
        """All that there are for it."""
        if self.is_unrolled:
            return ("clock", "order")
        if any(one.message is not None for one in self.periodic.allocations):
            return ("clock", "order", "program") if self.programs else ("clock", "order")
        found: tuple[Execution, ...] = ("clock", "order", "dispatch")
        if self.problem.kind == ON_DEMAND:
            found += ("on_demand",)
        return (*found, "heft") if self._is_planned_anew else found

    @property
    def usual(self) -> tuple[Execution, ...]:
        """Those that are simulated where none were asked for: what carries out the plan."""
        return tuple(execution for execution in self.executions if execution != "heft")

    @property
    def programs(self) -> Mapping[int, ExportedProgram]:
        """The programs that the answer exports, by bytes of the operation; in this order."""
        if self.problem.programs is None:
            return {}
        found = self.problem.programs(self.instance, self.result)
        return {one.size: one for one in sorted(found, key=lambda one: one.size)}

    def program_of(self, size: int | None) -> ExportedProgram:
        """Give the program of a size.

        Parameters
        ----------
        size
            Bytes, for which there is one. None: the largest.
        """
        programs = self.programs
        return programs[max(programs) if size is None else size]

    @property
    def _is_planned_anew(self) -> bool:
        """Whether HEFT knows all that there is: one application, free paths, one transfer a port."""
        schedule, network = self.periodic, self.views.network
        return (
            getattr(self.instance, "routing", "fixed") == "free"
            and schedule.ports != "multiport"
            and not network.cards
            and len(self.views.streams) == 1
            and self._all_reach_each_other(network.hops)
        )

    def _all_reach_each_other(self, hops: Iterable[tuple[str, str]]) -> bool:
        """Whether files can go from every processor that runs a task to every other."""
        runs = self.views.of(self.periodic.allocations[0])
        able = {name for times in runs.times.values() for name in times}
        able |= {getattr(self.instance, "master", name) for name in able}
        ends = list(hops)
        first = next(iter(able))
        return able <= _reached(first, ends) & _reached(first, [one[::-1] for one in ends])

    @property
    def periodic(self) -> Schedule:
        """The schedule, which has allocations."""
        assert isinstance(self.schedule, Schedule)
        return self.schedule

    @property
    def views(self) -> Any:
        """What its allocations run, and where."""
        assert self.problem.views is not None
        return self.problem.views(self.instance, self.result)

    @property
    def unrolled(self) -> Unrolling | list[Fault]:
        """What waits for what, where `is_unrolled`; or why the schedule does not hold."""
        assert self.problem.unrolled is not None
        return self.problem.unrolled(self.instance, self.result, self.schedule)

    @property
    def is_unrolled(self) -> bool:
        """Whether its kind says what waits for what, instance by instance."""
        return self.problem.unrolled is not None

    @property
    def runs_once(self) -> bool:
        """Whether its makespan counts."""
        return isinstance(self.schedule, Timeline)

    @property
    def plan(self) -> Fraction:
        """Throughput of the schedule; makespan of one that runs once."""
        schedule = self.schedule
        return schedule.makespan if isinstance(schedule, Timeline) else schedule.throughput

    @property
    def optimum(self) -> Fraction | None:
        """Bound of its result. None if there is none, or it is of something else."""
        objective, bound = self.result.objective, self.result.bound
        name = "makespan" if self.runs_once else "throughput"
        if objective is None or objective.name != name or bound is None:
            return None
        return bound.value


def _reached(first: str, ends: Sequence[tuple[str, str]]) -> set[str]:
    after: dict[str, list[str]] = {}
    for sender, receiver in ends:
        after.setdefault(sender, []).append(receiver)
    found, waiting = {first}, [first]
    while waiting:
        fresh = [name for name in after.get(waiting.pop(), ()) if name not in found]
        found.update(fresh)
        waiting += fresh
    return found


class _Unread(Exception):
    """A document has faults."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__(faults)


def subject_of(asked: SimulationInstance) -> Subject:
    """Read what is simulated. There are no faults any more.

    Parameters
    ----------
    asked
        Without faults.
    """
    return _read(asked, ())


def subject_faults(asked: SimulationInstance, at: Pointer) -> Iterator[Fault]:
    """Find what is wrong with the documents that are simulated.

    Rules, in order:

    1. Instance, result and schedule are given.
    2. The instance is of a kind whose schedules are simulated, and well-formed.
    3. Result and schedule are well-formed.
    4. The instance has no faults.
    5. The schedule does something.
    6. Its operations fit next to each other, and what they need is there.

    Parameters
    ----------
    asked
        Well-formed.
    at
        Where it is in the document; faults point there.
    """
    if asked.job is not None and asked.instance is None:
        detail = (
            "no job that has succeeded with a schedule is stored under this id. Without the service give"
            " instance, result and schedule"
        )
        yield Fault((*at, "job"), "unknown_job", detail)
        return
    missing = [name for name in ("instance", "result", "schedule") if getattr(asked, name) is None]
    for name in missing:
        detail = f"give {name}: the document of the job whose schedule shall be simulated"
        yield Fault((*at, name), "missing", detail)
    if missing:
        return
    try:
        subject = _read(asked, at)
    except _Unread as error:
        yield from error.faults
        return
    yield from _schedule_faults(subject, (*at, "schedule"))


def _read(asked: SimulationInstance, at: Pointer) -> Subject:
    assert asked.instance is not None
    assert asked.result is not None
    assert asked.schedule is not None
    problem, document, where = _problem(asked.instance, (*at, "instance"))
    instance = _model(problem.instance, document, where)
    if faults := list(problem.faults(instance, Options(), where)):
        raise _Unread(faults)
    result = _model(problem.result, asked.result, (*at, "result"))
    try:
        schedule = problem.form.from_document(asked.schedule)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise _Unread([Fault((*at, "schedule"), "not_a_schedule", f"{what:.300}")]) from None
    return Subject(problem, instance, result, schedule)


def _problem(given: Document, at: Pointer) -> tuple[Problem[Any, Any], Mapping[str, Any], Pointer]:
    """Find the kind. The problem may stand alone, or in the body of its job."""
    if isinstance(given.get("problem"), dict):
        given, at = given["problem"], (*at, "problem")
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in PROBLEMS:
        raise _Unread([Fault((*at, "kind"), "unknown_kind", "give a problem with its kind")])
    problem = PROBLEMS[kind]
    if problem.views is None and problem.unrolled is None:
        simulated = sorted(
            name
            for name, one in PROBLEMS.items()
            if one.views is not None or one.unrolled is not None
        )
        detail = (
            f"simulation does not take schedules of kind {kind} yet. It takes those of"
            f" {', '.join(simulated)}"
        )
        raise _Unread([Fault((*at, "kind"), "not_simulated", detail)])
    return problem, given, at


def _model(model: type[BaseModel], document: Any, at: Pointer) -> Any:
    try:
        return model.model_validate(document)
    except ValidationError as error:
        found = [
            Fault((*at, *location), code, detail)
            for location, code, detail in findings_of(model, error)
        ]
        raise _Unread(found) from None


def _schedule_faults(subject: Subject, at: Pointer) -> Iterator[Fault]:
    if subject.is_unrolled:
        if subject.plan <= 0:
            yield Fault(at, "nothing_runs", _NOTHING_RUNS)
            return
        unrolled = subject.unrolled
        for fault in unrolled if isinstance(unrolled, list) else ():
            yield fault._replace(pointer=(*at[:-1], *fault.pointer))
        return
    schedule = subject.periodic
    if schedule.period <= 0 or schedule.instances_per_period <= 0:
        yield Fault(at, "nothing_runs", _NOTHING_RUNS)
        return
    if schedule.throughput != schedule.instances_per_period / schedule.period:
        detail = "the throughput is not the instances of a period over the period"
        yield Fault((*at, "throughput"), "wrong_throughput", detail)
    findings = Findings()
    views = subject.views
    paid: Any = "ignored" if schedule.grouping is None else "paid"
    steady = read_grouping(views, schedule, Options(latencies=paid), findings)
    if schedule.ports != views.network.ports:
        detail = f"the schedule is for {schedule.ports}, the instance for {views.network.ports}"
        yield Fault((*at, "ports"), "wrong_ports", detail)
    elif steady is not None:
        by_index = check_allocations(views, schedule, findings)
        if not findings:
            check_computations(views, schedule, by_index, steady.latencies, findings)
            if schedule.runs is None:
                check_slots(views, schedule, by_index, False, steady, findings)
            else:
                check_runs(
                    views,
                    schedule,
                    schedule.runs,
                    by_index,
                    False,
                    steady,
                    findings,
                )
    for fault in findings.faults:
        yield fault._replace(pointer=(*at[:-1], *fault.pointer))
