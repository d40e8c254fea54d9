"""What the passes and transfers of a pipeline wait for, data set by data set."""

from itertools import accumulate

from steadygrid.domain.errors import Fault
from steadygrid.domain.resources import (
    compute_resource,
    pair_name,
    receive_resource,
    send_resource,
)
from steadygrid.domain.timetable import Row, Sending, Timetable
from steadygrid.domain.unrolling import Line, Repetition, Unrolling
from steadygrid.kinds.layer_pipeline.referee_plan import read_stages
from steadygrid.kinds.layer_pipeline.referee_rows import check_copies, read_course
from steadygrid.kinds.layer_pipeline.referee_terms import Terms
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance, LayerPipelineResult
from steadygrid.verification.findings import Findings


def unrolled(
    instance: LayerPipelineInstance, result: LayerPipelineResult, schedule: Timetable
) -> Unrolling | list[Fault]:
    """Say what each pass of a data set waits for; or why the timetable does not hold.

    A boundary between two stages carries one transfer at a time from each copy, and to each.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer. It names the stages.
    schedule
        Of the answer.
    """
    findings, terms, period = Findings(), Terms(instance), 1 / schedule.throughput
    stages = read_stages(terms, result, findings)
    if stages:
        course = read_course(terms, stages, period, schedule, findings)
        if course is not None:
            told = [stage.in_flight for stage in result.stages]
            check_copies(terms, stages, period, course, told, findings)
    if findings or not stages:
        return list(findings.faults)
    moduli: list[int] = []
    at = 0
    while at < len(schedule.rows):
        moduli.append(schedule.rows[at].modulus)
        at += moduli[-1]
    firsts = list(accumulate(moduli, initial=0))

    def repetitions_of(data_sets: int) -> list[Repetition]:
        found: list[Repetition] = []
        for n in range(data_sets):
            for o, modulus in enumerate(moduli):
                turn, residue = divmod(n, modulus)
                needs = (len(found) - 1,) if o else ()
                found.append(Repetition(firsts[o] + residue, turn, n, needs))
        return found

    return Unrolling([_line(row) for row in schedule.rows], len(moduli), repetitions_of)


def _line(row: Row) -> Line:
    one = row.operation
    if isinstance(one, Sending):
        boundary = " ".join(one.file)
        resources = (
            f"{boundary} {send_resource(one.sender)}",
            f"{boundary} {receive_resource(one.receiver)}",
        )
        return Line(
            row.start, row.time, row.every, pair_name(one.sender, one.receiver), resources, False
        )
    (place,) = one.places
    busy = (compute_resource(place),) if row.time else ()
    return Line(row.start, row.time, row.every, place, busy, True)
