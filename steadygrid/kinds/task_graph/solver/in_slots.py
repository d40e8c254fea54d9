"""Rates that slots of half-duplex links carry, one port at a time."""

from collections.abc import Sequence
from dataclasses import replace

from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.scheduling.in_slots import Pricing, in_best_slots
from steadygrid.engine.scheduling.members import spread
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.answer import Answer


def in_slots(
    instance: TaskGraphInstance,
    answer: Answer,
    control: Control,
    price: Pricing | None = None,
    *,
    others: Sequence[Plan] = (),
    together: bool = False,
) -> Answer:
    """Give slots, and rates that fit into them, where half-duplex links need them.

    They are found for the members of pools, which have rates of their own then.

    Parameters
    ----------
    price, others, together
        See `in_best_slots`.
    """
    platform = instance.platform
    if instance.ports != "one_port" or all(arc.half is None for arc in platform.arcs):
        return answer
    if answer.bound is None or not answer.plans:
        return answer
    parts = answer.plans
    if answer.pools is not None:
        names = answer.pools.names
        parts = [part for plan in parts for part in spread(plan, names)]
        others = [part for plan in others for part in spread(plan, names)]
    found = in_best_slots(
        workload_of(instance),
        parts,
        answer.bound,
        control,
        price,
        others=others,
        together=together,
    )
    if found.slots is None:
        return answer
    return replace(
        answer,
        plans=found.plans,
        slots=found.slots,
        pools=None,
        notes=(*answer.notes, *found.notes),
    )
