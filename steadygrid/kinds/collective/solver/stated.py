"""The linear program of flows, for other solvers."""

from typing import Any

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.engine.solver import no_program
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.stating import state
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.solver.flows import solve_flows
from steadygrid.kinds.collective.solver.grouped_messages import Network


def state_program(
    instance: CollectiveInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
) -> StatedProgram:
    """Give program (2)-(5) of `model`, with the odd sets that matter.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    InstanceError
        ``no_program``, where the method is another one, or a message cannot arrive.
    """
    if sizing.method != "flows" or instance.wants_completion or instance.joined_in_twos:
        raise no_program(
            f"{instance.operation} is solved by {sizing.method}, which adds trees or routes while it"
            " searches; the method flows, for scatter, gather and all_to_all, has one program"
        )
    network = Network.from_instance(instance)
    if network.cut_off is not None:
        raise no_program(
            "a message cannot arrive, so that nothing is optimised: solve it to see why"
        )
    solved = solve_flows(network, control)
    ids = [processor.id for processor in network.platform.processors]

    def parts(word: str, index: Any) -> tuple[str, ...]:
        if not isinstance(index, tuple):
            return (str(index),)
        root, other = ids[solved.network.series[index[0]].root], index[1]
        if word == "flow":
            arc = network.platform.arcs[other]
            return root, ids[arc.source], ids[arc.target]
        return root, ids[other]

    return state(
        solved.solution.reading,
        f"flows of a series of {instance.operation}",
        parts,
        solved.throughput,
        ["a name begins with the processor at which all messages of a flow begin, or end"],
    )
