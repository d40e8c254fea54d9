"""Solving what a study asks: one body after the other, and what came of each."""

from collections.abc import Callable

from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.limits import Limits
from steadygrid.solving import Found
from steadygrid.studies.bodies import Bodies
from steadygrid.studies.study import Exact, Study
from steadygrid.submissions.submission import Submission


def solve_upgrades(
    study: Study, limits: Limits, solve: Callable[[Submission], Found]
) -> dict[int, Exact]:
    """Solve the upgrades of a study that are to be solved.

    Parameters
    ----------
    solve
        Answers one submission, as `steadygrid.solving.Solver` does.

    Returns
    -------
    dict
        By position of the upgrade, for `Study.document`. What fails has no value and says why.
    """
    solved: dict[int, Exact] = {}
    bodies = Bodies(study.plan)
    for job, i in enumerate(study.to_solve):
        try:
            result = solve(bodies.submission(job, limits)).result
        except SchedulingError as error:
            solved[i] = Exact(None, None, note=error.detail)
        except MemoryError as error:
            solved[i] = Exact(None, None, note=str(error) or "out of memory")
        else:
            value = None if result.objective is None else result.objective.value
            solved[i] = Exact(result.outcome, value)
    return solved
