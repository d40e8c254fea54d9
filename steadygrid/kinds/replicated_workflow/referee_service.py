"""The order in which resources serve the operations of a data set, as its referee reads it."""

from collections.abc import Mapping, Sequence

from steadygrid.domain.errors import Pointer
from steadygrid.domain.slots import FileName
from steadygrid.kinds.replicated_workflow.referee_view import Workflow
from steadygrid.kinds.replicated_workflow.schemas import (
    ReplicatedWorkflowInstance,
    ServedOperationOut,
)
from steadygrid.verification.findings import Findings

_AT: Pointer = ("result", "service")


def read_service(
    instance: ReplicatedWorkflowInstance,
    workflow: Workflow,
    service: Sequence[ServedOperationOut] | None,
    findings: Findings,
) -> Workflow | None:
    """Put the operations of a workflow in the order of service of an answer.

    Parameters
    ----------
    instance
        Without faults.
    workflow
        In the order in which files are listed, without lags.
    service
        Of the answer. None where it has none.
    findings
        Collects the faults that are found.

    Returns
    -------
    Workflow or None
        None where a rule is broken.

    Notes
    -----
    Rules, in this order:

    == ============================================================= =====================
    1  where orders are to be searched, there is an order of service `no_service`
    2  where it is given, or to be as listed, it is that             `wrong_service`
    3  it has every operation once                                   `wrong_service`
    4  an operation comes behind those that make what it needs       `wrong_service`
    5  no operation lags by less than 0 data sets                    `wrong_lag`
    == ============================================================= =====================

    Rule 1: answers to searches of versions that knew no other order than the listed one have none.
    """
    if service is None:
        if instance.order == "searched" or instance.service is not None:
            findings.add(_AT, "no_service", "The answer has no order of service.")
            return None
        return workflow
    given = [(one.operation, one.lag) for one in service]
    if instance.service is not None:
        due = [(one.operation, one.lag) for one in instance.service]
        if given != due:
            findings.add(_AT, "wrong_service", "This is not the order of service that was given.")
            return None
    elif instance.order == "listed" or (instance.order is None and instance.mapping is not None):
        findings.add(_AT, "wrong_service", "The order of service is the one that is listed.")
        return None
    names = [name for name, _ in given]
    if sorted(map(repr, names)) != sorted(repr(one.name) for one in workflow.operations):
        findings.add(_AT, "wrong_service", "The order of service has not every operation once.")
        return None
    early = _too_early(workflow, names)
    if early is not None:
        findings.add(_AT, "wrong_service", f"{early!r} comes before what it needs.")
        return None
    if any(lag < 0 for _, lag in given):
        findings.add(_AT, "wrong_lag", "A lag is 0 or more data sets.")
        return None
    return workflow.served_by(dict(given))


def _too_early(workflow: Workflow, names: Sequence[str | FileName]) -> str | FileName | None:
    """Name an operation that is listed before one that makes what it needs."""
    known = {one.name: one for one in workflow.operations}
    waiting = [0] * len(workflow.stages)
    for one in workflow.operations:
        if one.receiver is not None:
            waiting[one.receiver] += 1
    computed: set[int] = set()
    for name in names:
        operation = known[name]
        if operation.receiver is None:
            if waiting[operation.stage]:
                return name
            computed.add(operation.stage)
            continue
        if operation.stage not in computed:
            return name
        waiting[operation.receiver] -= 1
    return None


def by_file_names(instance: ReplicatedWorkflowInstance) -> ReplicatedWorkflowInstance:
    """List files by their names: an order that every search of orders tries."""
    application = instance.application
    files = tuple(sorted(application.files, key=lambda file: (file.source, file.target)))
    changed = application.model_copy(update={"files": files})
    members: Mapping[str, object] = {"application": changed, "order": "listed"}
    return instance.model_copy(update=members)
