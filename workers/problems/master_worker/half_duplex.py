"""Half-duplex links under the one-port model, off a tree: slots as columns.

Rows (8) of the program let each half-duplex link be busy for at most all of the time, but where
input files cross such a link one way and output files the other, and the links used contain a
cycle, no schedule may reach the program's value: the conflicts among transfers are no longer
those of a bipartite graph. Here the slots themselves are variables. A slot is a set of transfers
that may run side by side: at most one from each send port, one into each receive port, and never
both directions of a half-duplex link. The program over slots starts with a few of them; whatever
slot would pay at its prices is found, exactly (`slots`) or by an integer program where that takes
too long, and added, until none pays or the bound of program (1)-(8) is reached.
"""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.parts import is_forest
from steadygrid.domain.platform import Arc, Platform, receiving_port, sending_port
from steadygrid.problems.master_worker.schemas import MasterWorkerInstance
from workers.exact import solve_certified
from workers.problems.master_worker.legs import Legs
from workers.problems.master_worker.model import build_slot_model, build_slot_pricing
from workers.problems.master_worker.rates import Rates, straighten
from workers.problems.master_worker.slots import SlotArcs, heaviest_slot
from workers.scheduling import UnitSlot
from workers.solving.control import Control
from workers.solving.mixed_integer import solve_mixed_integer

_NO_SLOT_PAYS = (
    "half-duplex links are used in both directions off a tree: the bound is that of the program,"
    " and the search over slots found none that improves this schedule"
)
_CUT_SHORT = (
    "half-duplex links are used in both directions off a tree: the time limit cut short the"
    " search for better slots"
)
_FAILED = (
    "half-duplex links are used in both directions off a tree: the solver failed in the search for"
    " better slots, which ends here"
)


def needs_own_slots(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> bool:
    """Whether the shared reconstruction may fail on these rates.

    True under ``one_port`` if some half-duplex link is used in both directions and the links
    used contain a cycle.
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
        Optimal for the program (1)-(8), without cycles; they suggest the first slots.
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
        If the solver fails on the first slots; a later failure ends the search only.
    """
    slots = _first_slots(instance, legs, rates)
    best: tuple[Rates, list[UnitSlot]] | None = None
    note = _NO_SLOT_PAYS
    iterations = 0
    while True:
        iterations += 1
        try:
            model = build_slot_model(instance, legs, slots)
            solved = solve_certified(model, control)
            durations = solved.values_of(model.slot_time)
            found = Rates(
                solved.values_of(model.computed),
                solved.values_of(model.input_sent),
                solved.values_of(model.output_sent),
            )
            best = (
                straighten(found, legs),
                [_unit_slot(instance, slots[k], time) for k, time in sorted(durations.items())],
            )
            control.progress(iterations=iterations, value=found.throughput, bound=bound)
            if found.throughput == bound:
                return *best, ()
            worth = solved.prices_of(model.carried)
            threshold = solved.prices_of(model.whole_time).get(None, Fraction(0))
            slot = _best_slot(instance, worth, control)
        except OutOfTime:
            if best is None:
                raise
            note = _CUT_SHORT
            break
        except (SolverError, CertificationError):
            if best is None:
                raise
            note = _FAILED
            break
        if slot in slots or sum((worth[a] for a in slot), Fraction(0)) <= threshold:
            break
        slots.append(slot)
    return *best, (note,)


def _first_slots(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> list[SlotArcs]:
    """Every transfer alone, and a greedy slot around each transfer of the given rates."""
    crossed = {arc for leg in (*legs.input, *legs.output) for arc in legs.arcs(leg.index)}
    singles = [frozenset((arc.index,)) for arc in sorted(crossed)]
    used = _used_arcs(instance, legs, rates)
    greedy: list[SlotArcs] = []
    for start in range(len(used)):
        chosen: list[Arc] = []
        for arc in (*used[start:], *used[:start]):
            if all(_compatible(instance.platform, arc, other) for other in chosen):
                chosen.append(arc)
        greedy.append(frozenset(arc.index for arc in chosen))
    return list(dict.fromkeys((*singles, *greedy)))


def _compatible(platform: Platform, first: Arc, second: Arc) -> bool:
    """Whether two transfers may run side by side."""
    ports = (sending_port, receiving_port)
    return first.half != second.index and not any(
        port(platform, first) == port(platform, second) is not None for port in ports
    )


def _best_slot(
    instance: MasterWorkerInstance, worth: Mapping[int, Fraction], control: Control
) -> SlotArcs:
    """Find the set of transfers that may run side by side and is worth most."""
    if not worth:
        return frozenset()
    if (slot := heaviest_slot(instance.platform, worth, control)) is not None:
        return slot
    model = build_slot_pricing(instance, worth)
    chosen = solve_mixed_integer(model, control).values_of(model.chosen)
    return frozenset(index for index, value in chosen.items() if round(value))


def _unit_slot(instance: MasterWorkerInstance, slot: SlotArcs, duration: Fraction) -> UnitSlot:
    platform = instance.platform
    return UnitSlot(
        duration,
        tuple(
            (platform.processors[a.source].id, platform.processors[a.target].id)
            for a in (platform.arcs[index] for index in sorted(slot))
        ),
    )
