"""What the operations of a replicated workflow wait for, data set by data set."""

from itertools import accumulate

from steadygrid.domain.errors import Fault
from steadygrid.domain.resources import pair_name
from steadygrid.domain.timetable import Timetable
from steadygrid.domain.unrolling import Line, Repetition, Unrolling
from steadygrid.kinds.replicated_workflow.referee_rows import check_rows, check_waits
from steadygrid.kinds.replicated_workflow.referee_service import read_service
from steadygrid.kinds.replicated_workflow.referee_view import Workflow, read_mapping
from steadygrid.kinds.replicated_workflow.schemas import (
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from steadygrid.verification.findings import Findings


def unrolled(
    instance: ReplicatedWorkflowInstance, result: ReplicatedWorkflowResult, schedule: Timetable
) -> Unrolling | list[Fault]:
    """Say what each operation of a data set waits for; or why the timetable does not hold.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer. It names the mapping and the order of service.
    schedule
        Of the answer.
    """
    findings = Findings()
    workflow = read_mapping(instance, result.mapping or [], findings)
    if workflow is not None:
        workflow = read_service(instance, workflow, result.service, findings)
    if workflow is not None:
        starts = check_rows(workflow, 1 / schedule.throughput, schedule, findings)
        if starts is not None:
            check_waits(workflow, starts, findings)
    if findings or workflow is None:
        return list(findings.faults)
    return _unrolled(workflow, schedule)


def _unrolled(workflow: Workflow, schedule: Timetable) -> Unrolling:
    """Unroll. Each operation has as many rows as its first one says."""
    moduli: list[int] = []
    at = 0
    while at < len(schedule.rows):
        moduli.append(schedule.rows[at].modulus)
        at += moduli[-1]
    firsts = list(accumulate(moduli, initial=0))
    lines: list[Line] = []
    for o, modulus in enumerate(moduli):
        computes = workflow.operations[o].receiver is None
        for row in schedule.rows[firsts[o] : firsts[o] + modulus]:
            draws = row.operation.places
            lines.append(
                Line(
                    row.start,
                    row.time,
                    row.every,
                    draws[0] if len(draws) == 1 else pair_name(*draws),
                    workflow.resources(o, row.residue) if row.time else (),
                    computes,
                )
            )
    computing = {
        operation.stage: o
        for o, operation in enumerate(workflow.operations)
        if operation.receiver is None
    }
    needs: list[list[int]] = [[] for _ in moduli]
    for o, operation in enumerate(workflow.operations):
        if operation.receiver is not None:
            needs[o].append(computing[operation.stage])
            needs[computing[operation.receiver]].append(o)

    def repetitions_of(data_sets: int) -> list[Repetition]:
        found: list[Repetition] = []
        for n in range(data_sets):
            base = len(found)
            for o, modulus in enumerate(moduli):
                turn, residue = divmod(n, modulus)
                found.append(
                    Repetition(
                        firsts[o] + residue, turn, n, tuple(base + need for need in needs[o])
                    )
                )
        return found

    return Unrolling(lines, len(moduli), repetitions_of)
