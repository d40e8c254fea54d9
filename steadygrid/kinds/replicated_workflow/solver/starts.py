"""Starts of operations by residue of the data set, and rounds of operations that wait for each other."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from steadygrid.kinds.replicated_workflow.solver.model import Workflow


class Starts(NamedTuple):
    """A schedule: operation o starts for data set n at ``potentials[o][n % K_o] / unit + n period``.

    Attributes
    ----------
    period
        Time per data set, in units of ``1 / scale``.
    unit
        Potentials are multiples of ``1 / unit``, in the same units.
    potentials
        Of each operation, one for each residue by its modulus K_o. The least of all is 0.
    """

    period: Fraction
    unit: int
    potentials: Sequence[Sequence[int]]

    @property
    def rows(self) -> int:
        """Starts that are listed."""
        return sum(map(len, self.potentials))


class Walk(NamedTuple):
    """Operations with their data sets, each waiting for the one before. All around in `length`."""

    steps: list[tuple[int, int]]
    length: int


def time_of(workflow: Workflow, walk: Walk) -> int:
    """Add up the times of a walk, in units of ``1 / scale``.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    walk
        Operations with their data sets.
    """
    operations = workflow.operations
    return sum(operations[o].times[n % operations[o].modulus] for o, n in walk.steps)


def shortest_round(workflow: Workflow, steps: Sequence[tuple[int, int]], length: int) -> Walk:
    """Cut a critical walk down to a round of its own.

    Where an operation comes again for data sets that differ by a multiple of all moduli of the
    walk, the steps between are a round. If the whole has the largest ratio of all, so has it.

    Parameters
    ----------
    steps
        Of a closed walk with the largest ratio of time to data sets.
    length
        Data sets that it advances: a multiple of the moduli.
    """
    modulus = lcm(*(workflow.operations[o].modulus for o in {o for o, _ in steps}))
    if length % modulus:
        raise ValueError(f"a walk of {length} data sets does not close modulo {modulus}")
    last: dict[tuple[int, int], int] = {}
    best = (len(steps), 0, length)
    for place, (o, n) in enumerate(steps):
        before = last.get((o, n % modulus))
        if before is not None and place - before < best[0] and n > steps[before][1]:
            best = (place - before, before, n - steps[before][1])
        last[o, n % modulus] = place
    number, first, advance = best
    chosen = steps[first : first + number]
    return Walk(_from_0(chosen, modulus), advance)


def _from_0(steps: Sequence[tuple[int, int]], modulus: int) -> list[tuple[int, int]]:
    """Give the steps with data sets numbered so that the least is from 0 on, and below a modulus."""
    least = min(n for _, n in steps)
    back = least - least % modulus
    return [(o, n - back) for o, n in steps]


def turn_of_a_resource(workflow: Workflow) -> Walk:
    """Give all that the busiest resource does until its partners come again.

    If no period is shorter than what it has to do per data set, this is a critical walk.
    """
    load = workflow.loads[0]
    copies = workflow.copies[load.queue.stage]
    length = lcm(*(workflow.moduli[o] for o in load.queue.operations))
    turns = range(load.turn, load.turn + length, copies)
    served = list(zip(load.queue.operations, load.queue.data_sets, strict=True))
    return Walk(_from_0([(o, n + d) for n in turns for o, d in served], length), length)
