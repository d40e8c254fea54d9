"""The methods of `layer_pipeline`."""

from dataclasses import replace

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Options, Phase
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.schemas import (
    LayerPipelineInstance,
    LayerPipelineResult,
    LayerPipelineStatistics,
)
from steadygrid.kinds.layer_pipeline.solver import answer
from steadygrid.kinds.layer_pipeline.solver.plans import (
    Plan,
    Stage,
    fits_alone,
    least_period,
)
from steadygrid.kinds.layer_pipeline.solver.reaching import first_plan
from steadygrid.kinds.layer_pipeline.solver.search import Progress, search, work_bound

_LATE_PROOF = (
    "the time limit was reached while the referee searched for a faster plan: the bound is this"
    " search's word"
)


class _Interrupted(OutOfTime):
    """The time was over in the search."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self.progress = progress


def solve(
    instance: LayerPipelineInstance, _options: Options, _sizing: Sizing, control: Control
) -> Solution:
    """Find the plan with the least period, or judge the one that was given.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    _sizing
        Not read.
    control
        Deadline, cancellation and progress of the solve.
    """
    control.phase(Phase.BUILDING)
    chain = Chain.from_instance(instance)
    control.phase(Phase.SOLVING)
    if instance.method == "evaluate":
        return _evaluated(chain, _given(chain))
    progress = Progress()

    def on_test(so_far: Progress) -> None:
        assert so_far.period is not None
        control.progress(iterations=so_far.tests, value=1 / so_far.period, bound=1 / so_far.bound)

    try:
        search(chain, progress, control.check, on_test)
    except OutOfTime:
        raise _Interrupted(progress) from None
    return _answered(chain, progress)


def best_without_solver(
    instance: LayerPipelineInstance,
    _options: Options,
    _sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer with the best plan so far, and the longest period of which it is known that none is shorter.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    _sizing
        Not read.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve. It may bring the search so far.
    """
    chain = Chain.from_instance(instance)
    if instance.method == "evaluate":
        return _evaluated(chain, _given(chain))
    progress = Progress()
    if isinstance(interruption, _Interrupted):
        progress = interruption.progress
    progress.bound = max(progress.bound, work_bound(chain))
    if progress.plan is None:
        progress.plan = first_plan(chain, control.check)
        progress.impossible = progress.plan is None
        if progress.plan is not None:
            progress.period = least_period(chain, progress.plan)
    return _answered(chain, progress)


def with_quick_proof(_instance: LayerPipelineInstance, solution: Solution) -> Solution:
    """Keep the plan and the bound, as the word of the search.

    Parameters
    ----------
    _instance
        Not read.
    solution
        With a bound that intervals prove.
    """
    result = solution.result
    assert isinstance(result, LayerPipelineResult)
    assert result.bound is not None
    weaker = result.model_copy(
        update={
            "bound": Bound.from_value(result.bound.value, exact=False),
            "certificate": SearchCertificate(nodes=result.statistics.states),
            "notes": [*result.notes, _LATE_PROOF],
        }
    )
    return replace(solution, result=weaker)


def _given(chain: Chain) -> Plan:
    """Read the plan that is to be judged."""
    instance = chain.instance
    layers = {layer.id: i for i, layer in enumerate(instance.layers)}
    device_types = {device.id: i for i, device in enumerate(instance.devices)}
    return tuple(
        Stage(
            layers[stage.layers[0]],
            layers[stage.layers[1]] + 1,
            device_types[stage.device],
            stage.replicas,
        )
        for stage in instance.stages or ()
    )


def _evaluated(chain: Chain, plan: Plan) -> Solution:
    if not fits_alone(chain, plan):
        return answer.infeasible(chain, LayerPipelineStatistics())
    period = least_period(chain, plan)
    return answer.solution_of(chain, plan, period, period, LayerPipelineStatistics())


def _answered(chain: Chain, progress: Progress) -> Solution:
    statistics = LayerPipelineStatistics(tests=progress.tests, states=progress.states)
    if progress.plan is None or progress.period is None:
        return answer.infeasible(chain, statistics)
    return answer.solution_of(chain, progress.plan, progress.period, progress.bound, statistics)
