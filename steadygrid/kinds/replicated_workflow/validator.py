"""The exact referee of `replicated_workflow`; shares no code with what solves it."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.replicated_workflow.limits import MOST_ROWS
from steadygrid.kinds.replicated_workflow.referee_counts import check_counts
from steadygrid.kinds.replicated_workflow.referee_rows import (
    check_latency,
    check_rows,
    check_waits,
)
from steadygrid.kinds.replicated_workflow.referee_search import mapping_exists
from steadygrid.kinds.replicated_workflow.referee_service import by_file_names, read_service
from steadygrid.kinds.replicated_workflow.referee_state import check_state
from steadygrid.kinds.replicated_workflow.referee_use import check_use
from steadygrid.kinds.replicated_workflow.referee_view import (
    Workflow,
    bare,
    read_mapping,
    times_of_stage,
)
from steadygrid.kinds.replicated_workflow.referee_word import beaten_by
from steadygrid.kinds.replicated_workflow.schemas import (
    MOST_CYCLE_STEPS,
    MappedStageOut,
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from steadygrid.kinds.shared.collection_referee import elimination_order, steady_instance
from steadygrid.verification.comparison import AT, check_methods, check_row
from steadygrid.verification.cycles import Step, closes, open_step
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.relaxation import check_period_bound

SEARCHES = ("exact", "greedy", "local_search", "portfolio", "upper_bound")
_COMPARED = ("exact", "greedy", "local_search")
_OF_MAPPING = ("period", "mapping", "service", "copies", "rows", "mct", "critical_resource")
_OF_CYCLE = ("critical_cycle", "length", "time")


def validate(
    instance: ReplicatedWorkflowInstance,
    options: Options,
    result: ReplicatedWorkflowResult,
    schedule: Timetable | None,
    _limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its timetable against the instance, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    _limits
        Not read.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== ========================
    1  outcome, value, bound, gap and certificate go together               see `check_envelope`
    2  the objective is a throughput                                        `wrong_objective`
    3  an evaluation of a mapping, and no other answer, has a certificate   `wrong_certificate`
       ``cycle_ratio``
    4  what bounds a mapping is exact                                       `unproved_bound`
    5  there is a mapping where there is a value, or one was to be          `wrong_outcome`
       evaluated, and else nothing is said of any
    6  it is the one to be evaluated, or one that was asked for             see `read_mapping`
    7  its order of service is right                                        see `read_service`
    8  `copies` are the numbers of processors of its stages                 `wrong_copies`
    9  `rows` is its number of rows                                         `wrong_rows`
    10 ``infeasible``: no mapping was given                                 `not_infeasible`
    11 there are no processors for all stages, with links                   `not_infeasible`
    12 that takes a sensible number of steps to prove                       `not_proved`
    13 the period is one over the value                                     `wrong_period`
    14 mean times of resources, the longest of them, and the critical       see `check_use`
       resource are right
    15 without a schedule no latency is known                               `wrong_latency`
    16 every row of the schedule is right                                   see `check_rows`
    17 every operation waits for all that it has to wait for                see `check_waits`
    18 the latency is that of the timetable                                 see `check_latency`
    19 a period has a schedule, or a state from which one can be played     `no_schedule`
    20 a state has a period                                                 `wrong_outcome`
    21 a schedule of at most `MOST_ROWS` rows is listed                     `no_schedule`
    22 the state repeats after all rows                                     see `check_state`
    23 a cycle has steps, a length and a time, or nothing                   `wrong_cycle`
    24 it has 1 to `MOST_CYCLE_STEPS` steps                                 `wrong_cycle`
    25 each is of an operation that there is                                `ghost_operation`
    26 it is at its place, and takes its time                               `wrong_step`
    27 it waits for the one before it                                       `no_dependency`
    28 the cycle comes back to the first step `length` data sets later, at  `wrong_length`
       the same places
    29 its time is the sum of the times of the steps                        `wrong_time`
    30 a resource, the cycle or the state proves the bound of an evaluation `unproved_bound`
    31 the cycle takes the period per data set or, where no optimum is      `not_critical`
       claimed, what the bound rests on
    32 prices prove the bound of a search                                   see `check_period_bound`
    33 numbers of processors that are searched for prove another            see `check_counts`
    34 the referee finds no mapping that beats a search's word              `bound_beaten`
    35 only a portfolio compares methods                                    `wrong_comparison`
    36 each method is compared once, and can be                             see `check_methods`
    37 the ratio of each is right, and its time                             see `check_row`
    38 the best of the methods is the answer                                `wrong_comparison`
    == ==================================================================== ========================

    Only searches find nothing, and may answer ``unknown``. Rule 17 proves that the period can be
    kept for ever. With rules 23 to 29 a cycle proves that nothing is faster than its time over its
    length, with rule 22 a state that nothing is faster than the period. Rule 32: no allocation of
    the task graph costs less than 1, over all routes of its files. Rule 34: see `beaten_by`.

    Linear in the rows that are listed, the links and the steps of the cycle. It does not depend on
    how many data sets it takes until everything repeats, except for a state, which is played for
    all of them.
    """
    findings = Findings()
    state = getattr(result.certificate, "state", None)
    played = state is not None and schedule is None
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        scheduled=not played,
        may_find_nothing=SEARCHES,
    )
    if result.objective is not None and result.objective.minimised:
        findings.add(("result", "objective"), "wrong_objective", "The objective is a throughput.")
    _check_certificate_type(instance, result, findings)
    workflow = _check_mapping(instance, result, findings)
    if result.outcome is Outcome.INFEASIBLE:
        _check_infeasible(instance, findings)
    if workflow is not None:
        _check_mapped(workflow, result, schedule, findings)
    bound = result.bound
    if bound is not None and instance.mapping is None and result.certificate.type == "lp_duality":
        _check_prices(instance, result, bound.value, findings)
    if bound is not None and instance.mapping is None and result.certificate.type == "copies":
        check_counts(instance, bound.value, findings)
    if instance.mapping is None and bound is not None and not bound.exact and bound.value > 0:
        tried = instance if result.service is None else by_file_names(instance)
        _check_word(tried, None if workflow is None else result.mapping, bound.value, findings)
    _check_comparison(result, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_certificate_type(
    instance: ReplicatedWorkflowInstance, result: ReplicatedWorkflowResult, findings: Findings
) -> None:
    evaluated, rests = instance.mapping is not None, result.certificate.type == "cycle_ratio"
    if evaluated != rests:
        findings.add(
            ("result", "certificate", "type"),
            "wrong_certificate",
            "A mapping is evaluated with a certificate of type cycle_ratio."
            if evaluated
            else "A critical cycle bounds the throughput of its mapping, but not of all mappings.",
        )
    if evaluated and result.bound is not None and not result.bound.exact:
        findings.add(
            ("result", "bound", "exact"), "unproved_bound", "What bounds a mapping is exact."
        )


def _check_mapping(
    instance: ReplicatedWorkflowInstance, result: ReplicatedWorkflowResult, findings: Findings
) -> Workflow | None:
    """Read the mapping of a result, its copies and rows; without one nothing else may be there."""
    needed = result.objective is not None or instance.mapping is not None
    if result.mapping is None or not needed:
        names = [*_OF_MAPPING, *_OF_CYCLE, "latency"]
        given = [name for name in names if getattr(result, name) is not None]
        if needed or given or result.occupation:
            findings.add(
                ("result", "mapping"),
                "wrong_outcome",
                "There is a mapping, and what is said of it, where there is a value, or where one was"
                " to be evaluated, and only there.",
            )
        return None
    listed = read_mapping(instance, result.mapping, findings)
    if listed is None:
        return None
    workflow = read_service(instance, listed, result.service, findings)
    if workflow is None:
        return None
    copies = {stage.name: len(stage.processors) for stage in workflow.stages}
    if result.copies != copies:
        findings.add(
            ("result", "copies"), "wrong_copies", "These are not the numbers of processors."
        )
    if result.rows != str(workflow.rows):
        findings.add(("result", "rows"), "wrong_rows", f"There are {workflow.rows} rows.")
    return workflow


def _check_mapped(
    workflow: Workflow,
    result: ReplicatedWorkflowResult,
    schedule: Timetable | None,
    findings: Findings,
) -> None:
    value = None if result.objective is None else result.objective.value
    period = None if value is None or value == 0 else 1 / value
    if result.period != period:
        told = "no period" if period is None else f"the period {show(period)}"
        findings.add(("result", "period"), "wrong_period", f"The value has {told}.")
    longest = check_use(workflow, result, findings)
    if schedule is None and result.latency is not None:
        findings.add(
            ("result", "latency"), "wrong_latency", "Without a schedule no latency is known."
        )
    if schedule is not None and period is not None:
        starts = check_rows(workflow, period, schedule, findings)
        if starts is not None:
            check_waits(workflow, starts, findings)
            check_latency(workflow, starts, result.latency, findings)
    proved = _check_state(workflow, period, result, schedule, findings)
    ratio = _check_cycle(workflow, result, findings)
    if result.certificate.type == "cycle_ratio" and result.bound is not None:
        proofs = {1 / time for time in (longest, ratio, proved) if time}
        if result.bound.value not in proofs:
            findings.add(
                ("result", "bound"),
                "unproved_bound",
                f"Neither a resource nor a critical cycle proves the bound {show(result.bound.value)}.",
            )
    if ratio is not None and ratio != period:
        bounds = result.certificate.type == "cycle_ratio" and result.outcome is not Outcome.OPTIMAL
        if not bounds or result.bound is None or ratio * result.bound.value != 1:
            findings.add(
                ("result", "critical_cycle"),
                "not_critical",
                f"The cycle takes {show(ratio)} per data set, and is not critical.",
            )


def _check_state(
    workflow: Workflow,
    period: Fraction | None,
    result: ReplicatedWorkflowResult,
    schedule: Timetable | None,
    findings: Findings,
) -> Fraction | None:
    """Check the state of a certificate; give the period if it proves that none is shorter."""
    at = ("result", "certificate", "state")
    state = getattr(result.certificate, "state", None)
    if state is None:
        if period is not None and schedule is None:
            findings.add(
                ("schedule",), "no_schedule", "Neither a schedule nor a state keeps the period."
            )
        return None
    if period is None:
        findings.add(at, "wrong_outcome", "There is a state, but no period in which it repeats.")
        return None
    if schedule is None and workflow.rows * len(workflow.operations) <= MOST_ROWS:
        findings.add(("schedule",), "no_schedule", "The rows are few enough to be listed.")
    claimed = result.outcome is Outcome.OPTIMAL and result.critical_cycle is None
    check_state(workflow, period, state, findings, proves_bound=claimed)
    return period if claimed else None


def _check_cycle(
    workflow: Workflow, result: ReplicatedWorkflowResult, findings: Findings
) -> Fraction | None:
    """Check the critical cycle step by step; give its time per data set if nothing is wrong."""
    cycle, length = result.critical_cycle, result.length
    at = ("result", "critical_cycle")
    if cycle is None or length is None or result.time is None:
        if any(getattr(result, name) is not None for name in _OF_CYCLE):
            findings.add(at, "wrong_cycle", "A cycle has steps, a length and a time, or nothing.")
        return None
    if not 1 <= len(cycle) <= MOST_CYCLE_STEPS:
        findings.add(at, "wrong_cycle", f"There are 1 to {MOST_CYCLE_STEPS:,} steps, or no cycle.")
        return None
    steps: list[Step] = []
    for position, given in enumerate(cycle):
        o = workflow.position.get(given.operation)
        if o is None:
            findings.add(
                (*at, position), "ghost_operation", f"There is no operation {given.operation!r}."
            )
            return None
        steps.append(Step(o, given.data_set))
        place, time = workflow.place(o, given.data_set), workflow.time(o, given.data_set)
        if (given.place, given.time) != (place, time):
            findings.add(
                (*at, position),
                "wrong_step",
                f"{given.operation!r} of data set {given.data_set} is at {place!r} for {show(time)}.",
            )
            return None
    broken = open_step(steps, length, workflow.waits)
    if broken is not None:
        findings.add(
            (*at, broken), "no_dependency", f"Step {broken} does not wait for the one before it."
        )
        return None
    if not closes(steps, length, [operation.modulus for operation in workflow.operations]):
        findings.add(
            ("result", "length"),
            "wrong_length",
            f"After {length} data sets the operations are not at the same places again.",
        )
        return None
    total = sum((step.time for step in cycle), Fraction(0))
    if result.time != total:
        findings.add(("result", "time"), "wrong_time", f"The steps take {show(total)} together.")
        return None
    return total / length


def _check_prices(
    instance: ReplicatedWorkflowInstance,
    result: ReplicatedWorkflowResult,
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices prove a bound of the throughput of all mixes of allocations.

    A workflow whose stages take turns is such a mix: every data set has an allocation, whose files go
    over direct links.
    """
    steady = steady_instance(bare(instance))
    tasks = list(steady.times)
    check_period_bound(
        steady,
        "free",
        None,
        result.certificate.prices,
        bound,
        False,
        {},
        [tasks[i] for i in elimination_order(steady)],
        findings,
        ("result", "certificate", "prices"),
    )


def _check_word(
    instance: ReplicatedWorkflowInstance,
    mapping: Sequence[MappedStageOut] | None,
    bound: Fraction,
    findings: Findings,
) -> None:
    period = beaten_by(instance, mapping, 1 / bound)
    if period is not None:
        findings.add(
            ("result", "bound"),
            "bound_beaten",
            f"The search says that no mapping does more than {show(bound)}, but there is one that"
            f" keeps the period {show(period)}.",
        )


def _check_infeasible(instance: ReplicatedWorkflowInstance, findings: Findings) -> None:
    """Prove anew that there are no processors for the stages, each its own, with all links."""
    at = ("result", "outcome")
    if instance.mapping is not None:
        findings.add(at, "not_infeasible", "There is a mapping, and so there is a throughput.")
        return
    application, names = instance.application, [p.id for p in instance.platform.processors]
    asked = instance.stages
    if asked is None:
        asked = tuple((task.id,) for task in application.tasks)
    tasks = {task.id: task for task in application.tasks}
    stage_of = {name: k for k, stage in enumerate(asked) for name in stage}
    domains: list[int] = []
    for stage in asked:
        times = times_of_stage(instance.platform, [tasks[name] for name in stage], names)
        domains.append(sum(1 << i for i, time in enumerate(times) if time is not None))
    files = {(stage_of[file.source], stage_of[file.target]) for file in application.files}
    position = {name: i for i, name in enumerate(names)}
    out, into = [0] * len(names), [0] * len(names)
    for sender, receiver in read_network(bare(instance).platform, instance.ports).hops:
        out[position[sender]] |= 1 << position[receiver]
        into[position[receiver]] |= 1 << position[sender]
    exists = mapping_exists(
        domains, frozenset(ends for ends in files if ends[0] != ends[1]), out, into
    )
    if exists:
        findings.add(at, "not_infeasible", "There are processors for all stages, and links.")
    elif exists is None:
        findings.add(
            at, "not_proved", "That there are no processors for all stages takes too long to prove."
        )


def _check_comparison(result: ReplicatedWorkflowResult, findings: Findings) -> None:
    """Check the methods side by side: none beats the answer, which is the best of them."""
    rows = result.comparison
    if rows is None:
        return
    if result.method != "portfolio":
        findings.add(AT, "wrong_comparison", f"{result.method} compares nothing.")
    check_methods(rows, _COMPARED, findings)
    bound = None if result.bound is None else result.bound.value
    for position, row in enumerate(rows):
        check_row(row, position, row.throughput, bound, findings)
    best = max((row.throughput for row in rows if row.throughput is not None), default=None)
    value = None if result.objective is None else result.objective.value
    if best != value:
        findings.add(AT, "wrong_comparison", "The best of the methods is not what is answered.")
