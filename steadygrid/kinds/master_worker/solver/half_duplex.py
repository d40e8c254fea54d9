"""Half-duplex links under the one-port model, off a tree: slots as columns.

Rows (8) of the program let each half-duplex link be busy for at most all of the time. But where
input files cross such a link in one direction and output files in the other, and the links used
contain a cycle, no schedule may reach the program's value. The conflicts among transfers are no
longer those of a bipartite graph. Here the slots themselves are variables. A slot is a set of
transfers that may run side by side: at most one from each send port, one into each receive port,
and never both directions of a half-duplex link. The program over slots starts with a few of them;
slots that would pay at its prices are found and added, until none pays or the bound of program
(1)-(8) is reached. See `steadygrid.engine.slots`.
"""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.components import is_forest
from steadygrid.domain.platform import Arc
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.scheduling import UnitSlot
from steadygrid.engine.scheduling.workload import unit_slot
from steadygrid.engine.slots.heaviest import SlotArcs
from steadygrid.engine.slots.search import Priced, first_slots, search_slots
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import build_slot_model
from steadygrid.kinds.master_worker.solver.rates import Rates, straighten


def needs_own_slots(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> bool:
    """Whether the shared reconstruction may fail on these rates.

    True under ``one_port`` if some half-duplex link is used in both directions and the links
    used contain a cycle.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    rates
        Steady-state rates of the processors and legs of this instance.
    """
    if instance.ports != "one_port":
        return False
    used = _used_arcs(instance, legs, rates)
    indices = {arc.index for arc in used}
    if not any(arc.half in indices for arc in used):
        return False
    return not is_forest((arc.source, arc.target) for arc in used)


def _used_arcs(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> list[Arc]:
    sizes = (instance.task.input_size, instance.task.output_size)
    flows = (rates.input_sent, rates.output_sent)
    used = {a for flow, size in zip(flows, sizes, strict=True) if size for a in flow if flow[a]}
    return sorted({arc for leg in used for arc in legs.arcs(leg)})


def schedule_half_duplex(
    instance: MasterWorkerInstance, legs: Legs, rates: Rates, bound: Fraction, control: Control
) -> tuple[Rates, list[UnitSlot], tuple[str, ...]]:
    """Find the best rates together with slots that carry them.

    Parameters
    ----------
    rates
        Optimal for the program (1)-(8), without cycles. They suggest the first slots.
    bound
        Its value.

    Returns
    -------
    tuple
        Feasible rates, slots per time unit (durations sum to at most 1) and notes. Their
        throughput is at most `bound`; less where no schedule reaches it, or the time is over.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or out of time before the first slots were solved for.
    SolverError, CertificationError
        If the solver fails on the first slots. A later failure ends the search only.
    """
    crossed = {arc for leg in (*legs.input, *legs.output) for arc in legs.arcs(leg.index)}
    used = _used_arcs(instance, legs, rates)

    def solve(slots: Sequence[SlotArcs]) -> Priced[Rates]:
        model = build_slot_model(instance, legs, slots)
        solved = solve_certified(model, control)
        found = Rates(
            solved.values_of(model.computed),
            solved.values_of(model.input_sent),
            solved.values_of(model.output_sent),
        )
        return Priced.from_model(model, solved, found.throughput, straighten(found, legs))

    platform = instance.platform
    first = first_slots(platform, (arc.index for arc in sorted(crossed)), used)
    best = search_slots(platform, first, solve, bound, control)
    slots = [unit_slot(platform, slot, time) for slot, time in best.slots]
    return best.rates, slots, () if best.note is None else (best.note,)
