"""From the period of a mapping to the result and its timetable."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np
import numpy.typing as npt

from steadygrid.domain.certificate import CycleRatioCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.resources import port_resource
from steadygrid.domain.timetable import Computing, Row, Sending, Timetable
from steadygrid.engine.solver import Solution
from steadygrid.kinds.replicated_workflow.limits import (
    MOST_CYCLE_NODES,
    MOST_MEAN_ROWS,
    MOST_ROWS,
)
from steadygrid.kinds.replicated_workflow.schemas import (
    MOST_CYCLE_STEPS,
    CycleStep,
    MappedStageOut,
    ReplicatedWorkflowResult,
    ReplicatedWorkflowStatistics,
    ResourceTime,
    ServedOperationOut,
    WorkflowLatency,
)
from steadygrid.kinds.replicated_workflow.solver.evaluation import Evaluation, num_groups
from steadygrid.kinds.replicated_workflow.solver.model import Operation, Workflow
from steadygrid.kinds.replicated_workflow.solver.starts import Starts, Walk, time_of
from steadygrid.kinds.replicated_workflow.stages import is_order_searched

_GIVEN = "the mapping was given, and is not compared with others"
IN_ORDER = (
    "a stage sends its files in the order in which they are listed; in another order the period may"
    " be another"
)
IN_GIVEN_ORDER = "the order of service was given; in another one the period may be another"
IN_TRIED_ORDER = (
    "orders of service and lags were searched, and not all there are: in another order the period may"
    " be shorter"
)
_STATE_ONLY = (
    "the schedule would list more than {most:,} starts: certificate.state says when each processor is"
    " free at first; playing the operations in order from there, each as early as it can, is the"
    " schedule"
)
_TOO_MANY_ROWS = (
    "a schedule would list {rows:,} starts, more than {most:,}: there is none; fewer copies, or such"
    " with common divisors, give one"
)
_LONG_CYCLE = "the critical cycle has {steps:,} steps, more than {most:,}: it is not listed"
_NOT_PROVED = (
    "too many resources are nearly critical for a graph of at most {most:,} nodes, so the period is"
    " not proved"
)
_NOTHING = "no schedule was found in the time"


def answer(
    workflow: Workflow, method: str, found: Evaluation, notes: Sequence[str] = ()
) -> Solution:
    """Write the result of an evaluation, with its timetable.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    method
        Name of the one that ran.
    found
        Period, schedule and proof, as far as they are known.
    notes
        Those that come first.
    """
    notes = [*notes]
    walk = found.walk
    if walk is not None and len(walk.steps) > MOST_CYCLE_STEPS:
        notes.append(_LONG_CYCLE.format(steps=len(walk.steps), most=MOST_CYCLE_STEPS))
        walk = None
    starts = found.starts
    if starts is not None and starts.rows > MOST_ROWS:
        starts = None
    state = found.state if starts is None or walk is None else None
    if found.period is not None and starts is None:
        if state is not None:
            notes.append(_STATE_ONLY.format(most=MOST_ROWS))
        elif found.starts is not None:
            notes.append(_TOO_MANY_ROWS.format(rows=found.starts.rows, most=MOST_ROWS))
    shown = found.period if starts is not None or state is not None else None
    period = None if shown is None else shown / workflow.scale
    mct = workflow.mct / workflow.scale
    shortest = mct
    if walk is not None:
        shortest = Fraction(time_of(workflow, walk), walk.length * workflow.scale)
    elif state is not None and period is not None:
        shortest = period
    outcome = Outcome.BOUND_ONLY
    if period is not None:
        outcome = Outcome.OPTIMAL if period == shortest else Outcome.FEASIBLE
    notes += _notes_of(workflow, outcome, found)
    result = ReplicatedWorkflowResult(
        outcome=outcome,
        method=method,
        objective=None if period is None else Objective.throughput(1 / period),
        bound=Bound.from_value(1 / shortest, exact=True),
        gap=None if period is None else relative_gap(1 / period, 1 / shortest),
        certificate=CycleRatioCertificate(state=None if state is None else _state(workflow, state)),
        period=period,
        mapping=[
            MappedStageOut(tasks=list(stage.tasks), processors=list(stage.processors))
            for stage in workflow.mapping
        ],
        copies={stage.name: len(stage.processors) for stage in workflow.stages},
        service=told_service(workflow),
        rows=str(workflow.rows),
        mct=mct,
        critical_resource=workflow.loads[0].resource if period == mct else None,
        occupation=[*_occupation(workflow)],
        critical_cycle=None if walk is None else _steps(workflow, walk),
        length=None if walk is None else walk.length,
        time=None if walk is None else Fraction(time_of(workflow, walk), workflow.scale),
        latency=None if starts is None else latency(workflow, starts),
        statistics=ReplicatedWorkflowStatistics(
            groups=num_groups(workflow),
            rounds=found.rounds or None,
            nodes=found.nodes or None,
            edges=found.edges or None,
            policy_rounds=found.policy_rounds or None,
            turns=found.turns,
        ),
        notes=notes,
    )
    return Solution(result, schedule=None if starts is None else timetable(workflow, starts))


def told_service(workflow: Workflow) -> list[ServedOperationOut] | None:
    """Write the order of service with its lags. None where it is as listed.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    """
    instance = workflow.instance
    if instance.service is None and not is_order_searched(instance):
        return None
    return [ServedOperationOut(operation=name, lag=lag) for name, lag in workflow.service.items()]


def sends_several(workflow: Workflow) -> bool:
    """Tell whether some stage sends several files, so that their order counts."""
    senders = [operation.stages[0] for operation in workflow.operations if operation.is_file]
    return len(set(senders)) < len(senders)


def order_notes(workflow: Workflow, period: Fraction | None) -> Iterator[str]:
    """Say that the period is one of its order of service, where another may have another.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    period
        In units of ``1 / scale``. None if there is none.
    """
    if workflow.instance.service is not None:
        yield IN_GIVEN_ORDER
    elif is_order_searched(workflow.instance):
        if period != workflow.mct:
            yield IN_TRIED_ORDER
    elif sends_several(workflow):
        yield IN_ORDER


def _notes_of(workflow: Workflow, outcome: Outcome, found: Evaluation) -> Iterator[str]:
    yield from order_notes(workflow, found.period)
    if outcome is Outcome.OPTIMAL:
        yield _GIVEN
    elif not found.interrupted and not found.exact:
        yield _NOT_PROVED.format(most=MOST_CYCLE_NODES)
    if found.period is None:
        yield _NOTHING


def _state(workflow: Workflow, state: Sequence[Fraction]) -> dict[str, Fraction]:
    """Name the processors of a state, which lists them stage by stage."""
    names = [
        port_resource(processor) for stage in workflow.stages for processor in stage.processors
    ]
    return {name: time / workflow.scale for name, time in zip(names, state, strict=True)}


def _occupation(workflow: Workflow) -> Iterator[ResourceTime]:
    for load in workflow.loads:
        parts = {}
        if workflow.no_overlap:
            parts = {
                kind: load.parts.get(kind, Fraction(0)) / workflow.scale
                for kind in ("receive", "compute", "send")
            }
        yield ResourceTime(resource=load.resource, time=load.total / workflow.scale, **parts)


def _steps(workflow: Workflow, walk: Walk) -> list[CycleStep]:
    found: list[CycleStep] = []
    for o, data_set in walk.steps:
        operation = workflow.operations[o]
        time = Fraction(operation.times[data_set % operation.modulus], workflow.scale)
        place = workflow.place(operation, data_set)
        found.append(CycleStep(operation=operation.name, place=place, data_set=data_set, time=time))
    return found


def timetable(workflow: Workflow, starts: Starts) -> Timetable:
    """List when each operation starts for each residue of the data set.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    starts
        A schedule that repeats.
    """
    denominator = starts.unit * workflow.scale
    step = starts.period.numerator * (starts.unit // starts.period.denominator)
    rows: list[Row] = []
    for operation, potentials in zip(workflow.operations, starts.potentials, strict=True):
        modulus = len(potentials)
        every = modulus * starts.period / workflow.scale
        times = [Fraction(time, workflow.scale) for time in operation.times]
        places = [_placed_operation(workflow, operation, n) for n in range(operation.modulus)]
        for residue, potential in enumerate(potentials):
            n = residue % operation.modulus
            start = Fraction(potential + residue * step, denominator)
            rows.append(Row(places[n], residue, modulus, start, times[n], every))
    return Timetable(
        ports="no_overlap" if workflow.no_overlap else "one_port",
        period=workflow.rows * starts.period / workflow.scale,
        instances_per_period=workflow.rows,
        rows=tuple(rows),
    )


def _placed_operation(
    workflow: Workflow, operation: Operation, data_set: int
) -> Computing | Sending:
    place = workflow.place(operation, data_set)
    if isinstance(operation.name, str):
        assert isinstance(place, str)
        return Computing(operation.name, place)
    return Sending(operation.name, *place)


def latency(workflow: Workflow, starts: Starts) -> WorkflowLatency:
    """Tell how long data sets take from the start of their first operation to the end of their last.

    Those are computations of stages that receive nothing, and of stages that send nothing. For two of
    them all pairs of residues occur that are equal modulo the greatest common divisor of their
    moduli. The mean needs all moduli at once.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    starts
        A schedule that repeats.
    """
    senders = {operation.stages[0] for operation in workflow.operations if operation.is_file}
    receivers = {operation.stages[1] for operation in workflow.operations if operation.is_file}
    begins: list[npt.NDArray[np.object_]] = []
    ends: list[npt.NDArray[np.object_]] = []
    for operation, potentials in zip(workflow.operations, starts.potentials, strict=True):
        if operation.is_file:
            continue
        begin = np.array(potentials, dtype=object)
        if operation.stages[0] not in receivers:
            begins.append(begin)
        if operation.stages[0] not in senders:
            times = np.array(operation.times, dtype=object) * starts.unit
            ends.append(begin + np.tile(times, len(begin) // len(times)))
    unit = starts.unit * workflow.scale
    largest = max(_apart(begin, end) for begin in begins for end in ends)
    mean = None
    if workflow.rows <= MOST_MEAN_ROWS:
        number = lcm(*(len(one) for one in (*begins, *ends)))
        first = np.minimum.reduce([np.tile(one, number // len(one)) for one in begins])
        last = np.maximum.reduce([np.tile(one, number // len(one)) for one in ends])
        mean = Fraction(int((last - first).sum()), number * unit)
    return WorkflowLatency(largest=Fraction(largest, unit), mean=mean)


def _apart(begin: npt.NDArray[np.object_], end: npt.NDArray[np.object_]) -> int:
    common = gcd(len(begin), len(end))
    earliest = begin.reshape(-1, common).min(axis=0)
    latest = end.reshape(-1, common).max(axis=0)
    return int((latest - earliest).max())
