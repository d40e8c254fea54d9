"""Sweeps: one body, some of its values varied, and a job for each combination.

Every combination is made of values that were looked at one by one: the first combination is read
and sized in full, and then each value with the first ones of the other parameters. Their number is
the sum of the values', not the product. What only a combination breaks ends its job.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from steadygrid.domain.errors import Fault, InstanceError, LimitError, SchedulingError
from steadygrid.domain.limits import Limits
from steadygrid.studies.sweep_checks import Checker, SweepSizing
from steadygrid.studies.sweep_plan import Facts, Parameter, Plan
from steadygrid.studies.sweep_request import SweepRequest, read_sweep

__all__ = [
    "CheckedSweep",
    "Facts",
    "Parameter",
    "Plan",
    "SweepRequest",
    "SweepSizing",
    "plan_sweep",
    "read_sweep",
]

Resolve = Callable[[Any], tuple[Any, Mapping[str, str]]]
"""Puts stored documents in the place of their ids; gives the ids by the name of the member, too."""


class CheckedSweep(NamedTuple):
    """A request that can become a sweep."""

    request: SweepRequest
    plan: Plan
    sizing: SweepSizing
    references: Mapping[str, str]
    """Names of the template's members that stored documents stand for, and these documents' ids."""

    def meant(self) -> dict[str, Any]:
        """Give a document that is equal for requests that mean the same."""
        document = self.plan.document()
        template = dict(self.plan.template)
        template["problem"] = template["problem"] | self.references
        return document | {
            "template": template,
            "labels": dict(self.request.labels),
            "name": self.request.name,
        }


def _unresolved(template: Any) -> tuple[Any, Mapping[str, str]]:
    return template, {}


def plan_sweep(
    request: SweepRequest, limits: Limits, resolve: Resolve = _unresolved
) -> CheckedSweep:
    """Find every place of every parameter, and check the values one by one.

    Parameters
    ----------
    resolve
        Called once, with the template; parameters may lead into what it puts there.

    Raises
    ------
    LimitError
        If a job is too large, or the targets lead to more than `MOST_PLACES` places.
    InstanceError
        With the faults found, at most `MAX_FAULTS`. Their pointers walk the sweep's body.
    """
    template, references = resolve(request.template)
    try:
        checker = Checker(request, limits, template)
        sizing = checker.sizing()
    except (InstanceError, LimitError) as error:
        raise type(error)(faults=_at_references(error, references)) from None
    return CheckedSweep(request, checker.plan, sizing, references)


def _at_references(error: SchedulingError, references: Mapping[str, str]) -> dict[Fault, None]:
    """Cut pointers into resolved documents off at the reference: the rest was not sent."""
    return dict.fromkeys(
        fault._replace(pointer=fault.pointer[:3])
        if fault.pointer[:2] == ("template", "problem")
        and fault.pointer[2:3]
        and fault.pointer[2] in references
        else fault
        for fault in error.faults
    )
