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
from steadygrid.kinds.replicated_workflow.solver.orders import by_name, search_orders, with_lags
from steadygrid.kinds.replicated_workflow.stages import is_order_searched

ORDER_SHARE = 0.6
"""Of the time left, for orders of service of a mapping that is given."""
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
    if is_order_searched(instance):
        workflow = _best_order(workflow, control)
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
        What ended the solve. An `Unfinished` one brings what was found so far.
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
    """Map the stages; serve as it is given, as files are listed, or by their names."""
    assert instance.mapping is not None
    if is_order_searched(instance):
        instance = by_name(instance)
    assert instance.mapping is not None
    workflow = Workflow(instance, instance.mapping)
    if instance.service is not None:
        workflow = workflow.in_order({one.operation: one.lag for one in instance.service})
    return workflow


def _best_order(workflow: Workflow, control: Control) -> Workflow:
    """Give the best order of service that is found in a part of the time."""
    try:
        found = search_orders(workflow, control.limited(control.remaining * ORDER_SHARE).check)
        if found.service is not None:
            return with_lags(workflow, found.service, control.check)
    except OutOfTime:
        pass
    return workflow
