"""Rates that slots of half-duplex links carry, one port at a time."""

from collections.abc import Sequence
from dataclasses import replace

from steadygrid.problems.task_graph.schemas import TaskGraphInstance
from workers.allocations.workload import workload_of
from workers.problems.task_graph.answer import Answer
from workers.scheduling import Plan
from workers.scheduling.in_slots import Pricing, in_best_slots
from workers.scheduling.members import spread
from workers.solving.control import Control


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
