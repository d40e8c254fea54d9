"""Computations beside transfers, where a processor computes while it sends and receives."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.schedule import Computation
from steadygrid.engine.scheduling.workload import Plan, Workload


def beside_transfers(
    workload: Workload, plans: Sequence[Plan], counts: Sequence[Fraction | int]
) -> list[Computation]:
    """Let every processor compute what falls to it, one kind of task after the other from 0.

    Processors in the platform's order; on each, allocations by index and tasks in the order in
    which the allocation names them. Tasks that take no time are listed, too.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations, with their rates.
    counts
        Instances per period, by plan.
    """
    placed: dict[str, list[Computation]] = {p.id: [] for p in workload.platform.processors}
    free = dict.fromkeys(placed, Fraction(0))
    for index, (plan, instances) in enumerate(zip(plans, counts, strict=True)):
        count = Fraction(instances)
        for task, processor, each in workload.times_of(plan) if count else ():
            time = count * each
            placed[processor].append(
                Computation(processor, task, index, count, free[processor], time)
            )
            free[processor] += time
    return [computation for on_processor in placed.values() for computation in on_processor]
