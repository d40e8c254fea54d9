"""A short simulation of a schedule, done with its job."""

from collections.abc import Callable
from typing import Any

from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Result, Robustness
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.simulating import simulation_body
from steadygrid.submissions.submission import Submission, parse_submission

SIMULATION_TIME = 5.0
"""Seconds past the answer to simulate its schedule."""
SIMULATED_OPERATIONS = 1_000_000
SIMULATED_NOISE = "1/20"


def add_robustness(
    submission: Submission,
    result: Result,
    schedule: AnySchedule | None,
    control: Control,
    limits: Limits,
    run: Callable[[Submission, Control, Limits], Any],
) -> None:
    """Say in the result how to carry its schedule out, and what is left of it at a little noise.

    Parameters
    ----------
    submission
        What was asked.
    result, schedule
        Its answer, refereed.
    control
        Deadline and cancellation.
    limits
        How large a problem may be.
    run
        Answers a submission.
    """
    notes = result.notes
    problem = submission.problem
    if schedule is None or (problem.views is None and problem.unrolled is None):
        return
    if isinstance(schedule, Schedule) and not schedule.instances_per_period:
        return
    body = simulation_body(submission, result, schedule, noise=[SIMULATED_NOISE], seeds=1) | {
        "options": {"time_limit": SIMULATION_TIME}
    }
    asked = parse_submission(body, limits)
    operations = asked.problem.sizing(asked.instance, asked.options).sizes["simulated_operations"]
    if operations > SIMULATED_OPERATIONS:
        notes.append(
            f"the schedule was not simulated: that takes {operations:,} operations, and at most"
            f" {SIMULATED_OPERATIONS:,} are carried out with a job; ask for a simulation of it"
        )
        return
    told = run(asked, control.limited(SIMULATION_TIME, silent=True), limits).result
    best = getattr(told, "recommended", None)
    if best is None:
        notes.append("the schedule was not simulated: there was no time for it")
        return
    result.robustness = Robustness(
        execution=best.execution,
        overtake=best.overtake,
        noise=best.noise,
        of_plan=best.of_plan,
        alike=best.alike,
    )
