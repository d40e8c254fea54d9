"""The one resource on which most of an answer hangs, as lists of jobs name it."""

from typing import NamedTuple

from steadygrid.domain.job import Outcome
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list


class Limiter(NamedTuple):
    """What limits an answer most.

    Attributes
    ----------
    key
        Names its row in addresses. None where several limit alike, so that none is the one to name.
    label
        For people.
    alike
        How many other rows limit as much.
    """

    key: str | None
    label: str
    alike: int


def chief_limiter(report: Report) -> Limiter | None:
    """Name the resource on which most of the optimum hangs, as the table of resources ranks them.

    Parameters
    ----------
    report
        The answer, and what was asked.

    Returns
    -------
    Limiter or None
        None: the answer has no throughput, nothing is known to limit it, or others than those that
        are priced do so: what was given or merely simulated is not the best.

    Notes
    -----
    O(processors + links + resources), as `resource_list`.
    """
    result, objective = report.result, report.result.objective
    if objective is None or objective.minimised or not objective.value:
        return None
    if result.outcome is Outcome.FEASIBLE and (report.schedule is None or report.view.given):
        return None
    if report.view.alike:
        return Limiter(None, report.view.alike, 0)
    limiting = resource_list(report).limiting
    if not limiting:
        return None
    first = limiting[0]
    alike = sum(row.weight == first.weight for row in limiting) - 1
    return Limiter(first.key, first.label, alike)
