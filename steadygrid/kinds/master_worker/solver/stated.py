"""The linear program of an instance, for other solvers: names, and what its optimum is."""

from typing import Any

from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.engine.solver import no_program
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.stating import state
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.master_worker.solver.half_duplex import needs_own_slots
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.program import PooledProgram, SolvedProgram
from steadygrid.kinds.master_worker.solver.rates import Rates

BY_TREE = "the answer is by the algorithm for trees; this program has the same optimum"
POOLED = "processors that are alike are one pool, with the rates of all of its members"
A_BOUND = (
    "half-duplex links leave a schedule less than this program says: its optimum is the bound of"
    " the answer"
)


def state_program(
    instance: MasterWorkerInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
) -> StatedProgram:
    """Give program (1)-(11), (14), (15) of `model`, with the odd sets that matter.

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
        ``no_program``, where the master reaches no processor that computes.
    """
    if not Reach.from_instance(instance).workers:
        raise no_program(
            "the program has no variables: the master reaches no processor that computes; give"
            " `speed` or `unit_time` to one"
        )
    legs = Legs.from_instance(instance, control.check)
    program = PooledProgram.solve(instance, legs, control)
    return state(
        program.solved.solution.reading,
        "steady-state master-worker tasking",
        _Names(program.solved).parts,
        program.solved.throughput,
        _notes(instance, legs, sizing, program),
    )


def _notes(
    instance: MasterWorkerInstance, legs: Legs, sizing: Sizing, program: PooledProgram
) -> list[str]:
    notes = [] if sizing.method == "lp" else [BY_TREE]
    if program.pools.classes:
        notes.append(POOLED)
    rates: Rates = program.rates
    if needs_own_slots(instance, legs, rates):
        notes.append(A_BOUND)
    return notes


class _Names:
    """Says what indices of the model stand for."""

    def __init__(self, solved: SolvedProgram) -> None:
        self._ids = [one.id for one in solved.instance.platform.processors]
        self._legs = solved.legs

    def parts(self, word: str, index: Any) -> tuple[str, ...]:
        """Give the ids of what an index of a component stands for."""
        if word in ("input_sent", "output_sent"):
            leg = self._legs.all[index]
            return self._node(leg.source), self._node(leg.target)
        return (self._node(index),) if isinstance(index, int) else (str(index),)

    def _node(self, node: int) -> str:
        """Name a processor; of a hub also whether it is the node of what goes up or comes down."""
        rank, index = divmod(node, len(self._ids))
        return self._ids[index] + ("", ".up", ".down")[rank]
