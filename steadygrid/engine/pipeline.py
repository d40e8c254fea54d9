"""From a submission to a refereed answer; knows no kind by name.

instance --solve--> certified rates --reconstruct--> schedule --validate--> answer

A kind may also hand over the schedule itself.
"""

import math
from dataclasses import replace
from typing import Any, NamedTuple

from steadygrid.domain.errors import (
    CertificationError,
    OutOfTime,
    SchedulingError,
    SolverError,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import (
    NO_SOLVER_FOR_SCHEDULE,
    NO_TIME_FOR_SCHEDULE,
    Options,
    Outcome,
    Phase,
    Result,
    proof_of,
)
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.engine.robustness import add_robustness
from steadygrid.engine.scheduling import reconstruct
from steadygrid.engine.scheduling.completion import (
    LeastTime,
    promise,
    start_up_warnings,
    streams_of,
)
from steadygrid.engine.solver import Solution, Solver, no_program, solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import (
    Submission,
    options_within,
    schedule_limits,
    size_submission,
)

FALLBACK_GRACE = 15.0
"""Seconds past the time limit to find a schedule and a bound without the solver."""
RECONSTRUCTION_GRACE = 20.0
"""Seconds past the time limit to reconstruct the schedule of what was found. The referee has the
rest, until the hard stop 30 s after the limit."""
VERIFICATION_GRACE = 2.0
"""Seconds past the time limit in which a referee may search. After that the bound has to be one that
is verified without a search."""


class Answer(NamedTuple):
    """What is stored: the result and its schedule."""

    result: Result
    schedule: AnySchedule | None


def run(submission: Submission, control: Control, limits: Limits) -> Answer:
    """Solve a submission, reconstruct its schedule and have both refereed.

    Parameters
    ----------
    submission
        Without faults, see `parse_submission`.
    control
        Its time limit should be the submission's, and begins when the solver of the kind is
        loaded. When it is over, the answer is the best one so far with an honest bound.
    limits
        Refuses programs that are too large before they are built.

    Raises
    ------
    LimitError, SolverError, CertificationError, InvalidScheduleError
        See `steadygrid.domain.errors`; `failure_of` gives the job's error code.
    Cancelled, OutOfTime
        If the control was cancelled, or even the grace time was not enough.
    """
    sizing = size_submission(submission, limits)
    solver = solver_for(submission.kind)
    control.restart()
    instance, options = submission.instance, options_within(submission.options, limits)
    try:
        solution = solver.solve(instance, options, sizing, control)
    except OutOfTime as interruption:
        _allow(control, submission, FALLBACK_GRACE)
        solution = _best_so_far(solver, submission, options, sizing, control, interruption)
    try:
        found = _verified(solution, sizing, submission, control, limits, VERIFICATION_GRACE)
    except _Unverified:
        if solver.with_quick_proof is None:
            raise
        solution = solver.with_quick_proof(instance, solution)
        found = _verified(solution, sizing, submission, control, limits, math.inf)
    if submission.options.simulate is True:
        try:
            add_robustness(submission, found.result, found.schedule, control, limits, run)
        except (SchedulingError, OutOfTime) as error:
            # The answer is verified already.
            found.result.notes.append(f"the schedule was not simulated: {str(error)[:200]}")
    return found


def state_program(submission: Submission, control: Control, limits: Limits) -> StatedProgram:
    """Give the linear program of a submission, with its exact optimum.

    Parameters
    ----------
    submission
        Without faults, see `parse_submission`.
    control
        Its time limit should be the submission's. It begins when the solver of the kind is loaded.
    limits
        Refuses programs that are too large before they are built.

    Raises
    ------
    InstanceError
        ``no_program``, where the kind or its method solves none, or several.
    LimitError, SolverError, CertificationError, Cancelled, OutOfTime
        As `run`.
    """
    sizing = size_submission(submission, limits)
    solver = solver_for(submission.kind)
    control.restart()
    if solver.program is None:
        raise no_program(
            f"{submission.kind} is not solved by one linear program; programs are written of"
            " master_worker, of task_graph with method constraint_lists, and of collective with"
            " method flows"
        )
    options = options_within(submission.options, limits)
    return solver.program(submission.instance, options, sizing, control)


class _Unverified(OutOfTime):
    """The time of the referee was over."""


def _verified(
    found: Solution,
    sizing: Sizing,
    submission: Submission,
    control: Control,
    limits: Limits,
    seconds: float,
) -> Answer:
    """Reconstruct the schedule and have both refereed, at least so many seconds long."""
    result, problem = found.result, submission.problem
    result = result.model_copy(update={"notes": [*result.notes]})
    solution = replace(found, result=result)
    schedule = _promised(
        _reconstructed(solution, submission, control, limits), solution, submission.options
    )
    if solution.as_scheduled is not None and isinstance(schedule, Schedule):
        result = solution.as_scheduled(result, schedule)
    result.warnings = [*sizing.warnings, *result.warnings]
    if isinstance(schedule, Schedule):
        result.warnings += start_up_warnings(schedule, _time_label(submission.instance))
    result.proof = proof_of(result)
    judged = submission.instance, options_within(submission.options, limits), result, schedule
    _allow(control, submission, math.inf)
    control.phase(Phase.VERIFYING)
    if problem.validate_in_time is None:
        problem.validate(*judged, schedule_limits(limits))
    else:
        left = submission.options.time_limit - control.elapsed
        referee = control.limited(max(left, 0.0) + seconds)
        try:
            problem.validate_in_time(*judged, schedule_limits(limits), referee.check)
        except OutOfTime as late:
            raise _Unverified from late
    result.verified = True
    return Answer(result, schedule)


def _allow(control: Control, submission: Submission, past: float) -> None:
    """Let the work go on for some seconds past the time limit."""
    control.extend(submission.options.time_limit + past - control.elapsed)


def _best_so_far(
    solver: Solver,
    submission: Submission,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    solution = solver.best_without_solver(
        submission.instance, options, sizing, control, interruption
    )
    outcome = solution.result.outcome
    if outcome not in (Outcome.INFEASIBLE, Outcome.UNKNOWN):
        solution.result.notes.append(
            f"the time limit of {options.time_limit:g} s was reached before "
            + (
                "a schedule was found"
                if outcome is Outcome.BOUND_ONLY
                else "the optimum was proved; more time may find a better schedule"
            )
        )
    return solution


def _reconstructed(
    solution: Solution, submission: Submission, control: Control, limits: Limits
) -> AnySchedule | None:
    if solution.periodic is None:
        return solution.schedule
    periodic = solution.periodic
    _allow(control, submission, RECONSTRUCTION_GRACE)
    try:
        control.phase(Phase.RECONSTRUCTING)
        reconstruction = reconstruct(
            periodic.workload,
            periodic.plans,
            periodic.throughput,
            submission.options,
            schedule_limits(limits),
            control,
            periodic.slots,
            periodic.pools,
        )
    except (OutOfTime, SolverError, CertificationError) as error:
        late = isinstance(error, OutOfTime)
        solution.result.notes.append(NO_TIME_FOR_SCHEDULE if late else NO_SOLVER_FOR_SCHEDULE)
        if solution.result.outcome is Outcome.OPTIMAL:
            solution.result.outcome = Outcome.FEASIBLE
        return None
    solution.result.notes.extend(reconstruction.notes)
    return reconstruction.schedule


def _promised(
    schedule: AnySchedule | None, solution: Solution, options: Options
) -> AnySchedule | None:
    """Add to a periodic schedule what it does in the run that was asked for."""
    run, bound, periodic = options.asked_run, solution.result.bound, solution.periodic
    if run is None or not isinstance(schedule, Schedule):
        return schedule
    least = None if periodic is None or periodic.least is None else periodic.least()
    if least is None and bound is not None and bound.exact:
        least = LeastTime({"all": bound.value})
    mix = None if periodic is None else periodic.workload.mix
    streams = streams_of(schedule.files, schedule.ports, schedule.allocations, mix)
    told = promise(run, schedule, streams, least)
    grouping = schedule.grouping
    if grouping is not None:
        grouping = grouping._replace(
            completion_time_at_most=told.completion_time_at_most,
            no_schedule_before=told.no_schedule_before,
        )
    return replace(schedule, run=told, grouping=grouping)


def _time_label(instance: Any) -> str | None:
    """Give the platform's own name of the unit of time. None if there is none."""
    units = getattr(getattr(instance, "platform", None), "units", None)
    return None if units is None else units.time
