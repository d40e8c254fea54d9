"""What an order of service that is given may be refused for."""

from collections.abc import Iterator, Mapping

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.slots import FileName
from steadygrid.domain.wording import shown
from steadygrid.kinds.replicated_workflow.referee_view import Workflow, read_mapping
from steadygrid.kinds.replicated_workflow.schemas import (
    MappedStageOut,
    ReplicatedWorkflowInstance,
)
from steadygrid.verification.findings import Findings


def service_faults(instance: ReplicatedWorkflowInstance, at: Pointer) -> Iterator[Fault]:
    """List the faults of an order of service.

    Rules, in order, each only where those before it found nothing:

    1. it comes with a mapping, and not with an order that is to be searched;
    2. it has every operation once, each behind those that make what it needs;
    3. operations that wait for each other do so over at least one data set: every closed walk
       advances, so that none of shift 0 takes any time.

    Parameters
    ----------
    instance
        Without other faults.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    if instance.service is None:
        return
    here = (*at, "service")
    if instance.mapping is None:
        yield Fault(
            here, "mapping_missing", "service is of a mapping: give one, or leave service out"
        )
        return
    if instance.order is not None:
        yield Fault(
            (*at, "order"), "service_given", "service is the order: leave order out, or service"
        )
        return
    listed = [
        MappedStageOut(tasks=list(stage.tasks), processors=list(stage.processors))
        for stage in instance.mapping
    ]
    workflow = read_mapping(instance, listed, Findings())
    if workflow is None:
        return
    sound = True
    for fault in _order_faults(instance, workflow, here):
        sound = False
        yield fault
    if not sound:
        return
    lags = {one.operation: one.lag for one in instance.service}
    waiting = _closed_walk(workflow.served_by(lags))
    if waiting:
        told = ", ".join(map(_operation_name, waiting[:6])) + (", ..." if len(waiting) > 6 else "")
        yield Fault(
            here,
            "waits_for_itself",
            f"with these lags {told} wait for each other within one data set, or for later ones."
            " Let what comes later in the workflow lag by no less than what comes before",
        )


def _order_faults(
    instance: ReplicatedWorkflowInstance, workflow: Workflow, here: Pointer
) -> Iterator[Fault]:
    inputs: dict[str | FileName, set[str | FileName]] = {o.name: set() for o in workflow.operations}
    for operation in workflow.operations:
        if operation.receiver is not None:
            inputs[operation.name].add(workflow.stages[operation.stage].name)
            inputs[workflow.stages[operation.receiver].name].add(operation.name)
    seen: set[str | FileName] = set()
    for i, one in enumerate(instance.service or ()):
        if one.operation not in inputs:
            yield Fault(
                (*here, i, "operation"),
                "unknown_operation",
                f"there is no operation {_operation_name(one.operation)}: name the first task of a stage, or"
                " [source, target] of a file between two stages",
            )
        elif one.operation in seen:
            yield Fault(
                (*here, i, "operation"),
                "operation_twice",
                f"{_operation_name(one.operation)} is in the order already: list it once",
            )
        elif inputs[one.operation] - seen:
            missing = min(inputs[one.operation] - seen, key=repr)
            yield Fault(
                (*here, i, "operation"),
                "before_its_input",
                f"{_operation_name(one.operation)} needs {_operation_name(missing)}: list it behind that. A lag lets it"
                " be served later",
            )
        seen.add(one.operation)
    left = [name for name in inputs if name not in seen]
    if left:
        yield Fault(
            here,
            "operation_missing",
            f"{_operation_name(left[0])} is not in the order: list every operation",
        )


def _operation_name(operation: str | FileName) -> str:
    return shown(operation if isinstance(operation, str) else " -> ".join(operation))


def _closed_walk(workflow: Workflow) -> list[str | FileName]:
    """Name operations that wait for each other over no data set, or over less. None if none do.

    Notes
    -----
    Shortest walks by Bellman and Ford, with a step worth a little less than its data sets: a walk
    that advances does not get shorter, one that does not gets shorter for ever.
    """
    size = len(workflow.operations)
    waits: Mapping[tuple[int, int], int] = {ends: min(s) for ends, s in workflow.waits.items()}
    length = [0] * size
    before = [-1] * size
    changed = -1
    for _ in range(size + 1):
        changed = -1
        for (one, other), shift in waits.items():
            found = length[one] + shift * (size + 1) - 1
            if found < length[other]:
                length[other], before[other], changed = found, one, other
        if changed < 0:
            return []
    for _ in range(size):
        changed = before[changed]
    walk = [changed]
    while before[walk[-1]] != changed:
        walk.append(before[walk[-1]])
    return [workflow.operations[o].name for o in reversed(walk)]
