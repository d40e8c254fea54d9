"""The methods of `replicated_workflow`."""

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from steadygrid.kinds.replicated_workflow.solver.answer import answer
from steadygrid.kinds.replicated_workflow.solver.evaluation import Evaluation, evaluate
from steadygrid.kinds.replicated_workflow.solver.mappings.methods import (
    Searched,
    best_so_far,
    search,
)
from steadygrid.kinds.replicated_workflow.solver.model import Workflow

_OUT_OF_TIME = "the time limit of {limit:g} s was reached before the period was proved"


class Unfinished(OutOfTime):
    """The time is over, and something may have been found.

    Attributes
    ----------
    searched
        What was found.
    """

    def __init__(self, searched: Searched) -> None:
        super().__init__()
        self.searched = searched


def solve(
    instance: ReplicatedWorkflowInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the period of the mapping, or a mapping of a short period where none is given.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` and `time_limit` are read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    if instance.mapping is None:
        searched = Searched()
        try:
            return search(instance, options, sizing.method, control, searched)
        except OutOfTime as interruption:
            raise Unfinished(searched) from interruption
    control.phase(Phase.BUILDING)
    workflow = _workflow(instance)
    control.phase(Phase.SOLVING)
    found = Evaluation()
    try:
        evaluate(workflow, found, control.check)
    except OutOfTime:
        if found.period is None:
            raise
        found.interrupted = True
        return answer(
            workflow, sizing.method, found, [_OUT_OF_TIME.format(limit=options.time_limit)]
        )
    return answer(workflow, sizing.method, found)


def best_without_solver(
    instance: ReplicatedWorkflowInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: one round, if that is quick, or the bound of the resources.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve; an `Unfinished` one brings what was found so far.
    """
    if instance.mapping is None:
        searched = interruption.searched if isinstance(interruption, Unfinished) else Searched()
        return best_so_far(instance, options, sizing.method, control, searched)
    workflow = _workflow(instance)
    found = Evaluation(interrupted=True)
    try:
        evaluate(workflow, found, control.limited(control.remaining / 3).check)
    except OutOfTime:
        found.exact = False
    return answer(workflow, sizing.method, found)


def _workflow(instance: ReplicatedWorkflowInstance) -> Workflow:
    assert instance.mapping is not None
    return Workflow(instance, instance.mapping)
