"""The Petri net of a mapping, row by row."""

from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.resources import (
    compute_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.slots import FileName
from steadygrid.formats.exporter import Answer, Exported, Exporter
from steadygrid.formats.pnml import Net, Place, Transition, write_net
from steadygrid.kinds.replicated_workflow.limits import MOST_TRANSITIONS
from steadygrid.kinds.replicated_workflow.referee_service import read_service
from steadygrid.kinds.replicated_workflow.referee_view import Workflow, read_mapping
from steadygrid.kinds.replicated_workflow.schemas import (
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from steadygrid.kinds.replicated_workflow.stages import stage_by_task
from steadygrid.verification.findings import Findings

_LONGEST_ID = 40
"""In names; ids of answers have up to 200 characters."""


def to_pnml(answer: Answer, _parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write the Petri net of a mapping as PNML.

    Parameters
    ----------
    answer
        With a mapping of its instance.
    _parameters
        Not read.

    Raises
    ------
    InstanceError
        There is no mapping, or it is none of this instance.
    LimitError
        The net has more than `MOST_TRANSITIONS` transitions.
    """
    net = petri_net(_workflow(answer.result, answer.instance))
    note = f"transitions: {len(net.transitions):,}, places: {len(net.places):,}, rows: {net.rows:,}"
    return Exported(write_net(net), (note,))


PNML = Exporter(
    name="pnml",
    kind="replicated_workflow",
    content_type="application/pnml+xml",
    title="PNML",
    convert=to_pnml,
    of_instance=True,
)


def petri_net(workflow: Workflow) -> Net:
    """Unroll a workflow: a transition for each row and operation, in the order of service.

    A place for each pair of operations of which the second needs what the first makes, in each row.
    And for each resource one between each of its operations and the next one that it serves. A place
    that leads to a row before its own (where a shift passes the last row) has a token at the beginning.
    What is needed anyway is no place again. Where operations lag, row j of one is a data set before j:
    as many before as leave no place a negative number of tokens.

    Notes
    -----
    Source: *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, sections 6.3.3 and
    6.3.4, for any acyclic graph. There, in a chain, no other places are drawn than here.
    """
    rows, operations = workflow.rows, workflow.operations
    labels = [_label(operation.name) for operation in operations]
    times = [workflow.times(o) for o in range(len(operations))]
    later = _later_rows(workflow)
    transitions = [
        Transition(
            f"{labels[o]} {_place_label(workflow.place(o, row - later[o]))}, row {row}",
            times[o][(row - later[o]) % operation.modulus],
        )
        for row in range(rows)
        for o, operation in enumerate(operations)
    ]
    needs = dict.fromkeys(_needs(workflow))
    turns = [
        turn
        for turn in _next_services(workflow)
        if turn.shift or (turn.before, turn.after) not in needs
    ]
    places: list[Place] = []
    for row in range(rows):
        at = row * len(operations)
        for before, after in needs:
            tokens, behind = divmod(row + later[after] - later[before], rows)
            name = f"{labels[before]} before {labels[after]}, row {row}"
            places.append(Place(name, at + before, behind * len(operations) + after, tokens))
        for turn in turns:
            shift = turn.shift + later[turn.after] - later[turn.before]
            tokens, behind = divmod(row + shift, rows)
            first = f"{labels[turn.before]}, row {row}"
            second = f"{labels[turn.after]}, row {behind}"
            owner = _resource(workflow, turn, row - later[turn.before])
            name = f"{owner}: {first}, before {second}"
            after = behind * len(operations) + turn.after
            places.append(Place(name, at + turn.before, after, tokens))
    ports = "no_overlap" if workflow.one_at_a_time else "one_port"
    return Net(f"replicated workflow, {ports}", rows, transitions, places)


def _later_rows(workflow: Workflow) -> list[int]:
    """Give how many rows behind its data set each operation is, so that nothing waits for a later row."""
    later = [0] * len(workflow.operations)
    changed = True
    while changed:
        changed = False
        for (before, after), shifts in workflow.waits.items():
            due = later[before] - min(shifts)
            if due > later[after]:
                later[after], changed = due, True
    return later


def _workflow(result: ReplicatedWorkflowResult, instance: ReplicatedWorkflowInstance) -> Workflow:
    """Read the mapping of a result, if its net is not too large."""
    if result.mapping is None:
        raise _refused(
            "nothing_to_export",
            f"the outcome is {result.outcome.value}, and there is no mapping to export",
        )
    stage = stage_by_task([one.tasks for one in result.mapping])
    listed = [task for one in result.mapping for task in one.tasks]
    if sorted(listed) != sorted(task.id for task in instance.application.tasks):
        raise _another_instance()
    rows = lcm(*(len(one.processors) for one in result.mapping))
    sent = sum(stage[f.source] != stage[f.target] for f in instance.application.files)
    size = rows * (len(result.mapping) + sent)
    if size > MOST_TRANSITIONS:
        detail = (
            f"the net has {size:,} transitions, {rows:,} rows of {len(result.mapping) + sent:,}"
            f" operations, and at most {MOST_TRANSITIONS:,} are written: name fewer processors, or"
            " numbers of them with common factors"
        )
        raise LimitError(detail, [Fault((), "too_many_transitions", detail)])
    findings = Findings()
    workflow = read_mapping(instance, result.mapping, findings)
    if workflow is not None:
        workflow = read_service(instance, workflow, result.service, findings)
    if workflow is None:
        raise _another_instance()
    return workflow


def _refused(code: str, detail: str) -> InstanceError:
    return InstanceError(detail, [Fault((), code, detail)])


def _another_instance() -> InstanceError:
    return _refused(
        "another_instance",
        "the mapping is none of this instance: `steadygrid check` says what is wrong",
    )


class _NextService(NamedTuple):
    """What each resource of a stage serves next after an operation, so many rows later."""

    stage: int
    before: int
    after: int
    shift: int


def _needs(workflow: Workflow) -> Iterator[tuple[int, int]]:
    """List which operation makes what another one needs for the same data set."""
    computing = {
        operation.stage: o
        for o, operation in enumerate(workflow.operations)
        if operation.receiver is None
    }
    for o, operation in enumerate(workflow.operations):
        if operation.receiver is not None:
            yield computing[operation.stage], o
            yield o, computing[operation.receiver]


def _next_services(workflow: Workflow) -> Iterator[_NextService]:
    for k, served in workflow.served:
        for before, after, shift in workflow.handovers(k, served):
            yield _NextService(k, before, after, shift)


def _resource(workflow: Workflow, turn: _NextService, row: int) -> str:
    processors = workflow.stages[turn.stage].processors
    name = _short(processors[row % len(processors)])
    operation = workflow.operations[turn.before]
    if workflow.one_at_a_time:
        return port_resource(name)
    if operation.receiver is None:
        return compute_resource(name)
    return send_resource(name) if operation.stage == turn.stage else receive_resource(name)


def _label(name: str | FileName) -> str:
    return _short(name) if isinstance(name, str) else " -> ".join(map(_short, name))


def _place_label(place: str | tuple[str, str]) -> str:
    return (
        f"on {_short(place)}"
        if isinstance(place, str)
        else f"from {_short(place[0])} to {_short(place[1])}"
    )


def _short(name: str) -> str:
    """Cut an id: the name of a place has up to five, and there are many places."""
    return name if len(name) <= _LONGEST_ID else f"{name[: _LONGEST_ID - 1]}\N{HORIZONTAL ELLIPSIS}"
