"""The bodies of the jobs of a study: one template, and what is different from job to job."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.domain.patch import Patch, apply_patch, read_patch
from steadygrid.studies.optimum import optimum_alone
from steadygrid.studies.sweep_plan import Plan
from steadygrid.submissions.common_parts import Reader
from steadygrid.submissions.submission import Submission


class Bodies:
    """All bodies that a plan stands for, each made when it is asked for.

    Parameters
    ----------
    plan
        What `Plan.document` gives; or ``template``, the body that all have in common, and
        ``patches``, a list of changes for each job.
    """

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self._template = plan["template"]
        self._patches = plan.get("patches")
        self._plan = Plan.from_document(plan) if self._patches is None else None
        self._reader = Reader()

    def patch(self, index: int) -> Patch:
        """Give what changes the template into a job's body.

        Raises
        ------
        IndexError
            If there is no such job.
        """
        if self._plan is not None:
            return self._plan.patch(index)
        assert self._patches is not None
        return read_patch(self._patches[index])

    def body(self, index: int) -> Any:
        """Make a job's body. What it does not change, it shares with the template.

        Raises
        ------
        InstanceError
            If a change cannot be made. Its pointers walk the body.
        """
        return apply_patch(self._template, self.patch(index))

    def submission(self, index: int, limits: Limits) -> Submission:
        """Make a job's body and read it. What it shares with the first that was read is read once.

        A study is about optima: nothing is asked besides them, but what the template of a sweep
        asks for.

        Parameters
        ----------
        index
            Of the job, from 0.
        limits
            How large a problem may be.

        Raises
        ------
        InstanceError, LimitError
            If the changes together break it; pointers walk the body.
        """
        read = self._reader.read(self.body(index), limits)
        return optimum_alone(read, asked=self._plan is None)


def patched_body(plan: Mapping[str, Any], index: int) -> Any:
    """Make the body of one job. See `Bodies`.

    Parameters
    ----------
    plan
        Template and changes. See `Bodies`.
    index
        Of the job, from 0.
    """
    return Bodies(plan).body(index)
