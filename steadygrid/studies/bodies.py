"""The bodies of the jobs of a study: one template, and what is different from job to job."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.patch import Patch, apply_patch, read_patch


class Bodies:
    """All bodies that a plan stands for, each made when it is asked for.

    Parameters
    ----------
    plan
        ``template``, the body that all have in common, and ``patches``, a list of changes for each
        job.
    """

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self._plan = plan

    def patch(self, index: int) -> Patch:
        """Give what changes the template into a job's body."""
        return read_patch(self._plan["patches"][index])

    def body(self, index: int) -> Any:
        """Make a job's body; what it does not change, it shares with the template.

        Raises
        ------
        InstanceError
            If a change cannot be made; its pointers walk the body.
        """
        return apply_patch(self._plan["template"], self.patch(index))


def patched_body(plan: Mapping[str, Any], index: int) -> Any:
    """Make the body of one job; see `Bodies`."""
    return Bodies(plan).body(index)
