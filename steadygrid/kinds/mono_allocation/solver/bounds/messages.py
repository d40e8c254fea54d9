"""Lower bounds of the cost of all allocations where the task graph is wide: see `Messages`."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steadygrid.engine.allocations.dual_ascent import Messages
from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.allocations.problem import FloatCosts

FAR = 4.0
"""Stands for any cost of 4 or more, where the whole costs about 1."""
UNIT = 2.0**-40
"""Messages are whole multiples of it."""
MOST_PASSES = 200
"""Over all tasks, forth and back."""
IDLE_PASSES = 5
"""Passes that gain less than `LEAST_GAIN` before the ascent ends."""
LEAST_GAIN = 1e-5


class Shared(NamedTuple):
    """What messages prove.

    Attributes
    ----------
    least
        No labelling costs less, rounding errors included.
    sent, received
        By file, the messages by label of its producer and of its user.
    """

    least: Fraction
    sent: Mapping[tuple[int, int], Floats]
    received: Mapping[tuple[int, int], Floats]


def share_costs(
    costs: FloatCosts,
    roundings: Fraction,
    check: Callable[[], None],
    most_passes: int = MOST_PASSES,
) -> Shared | None:
    """Find messages, and the lower bound that they prove.

    Parameters
    ----------
    costs
        Infinite where a pair of labels is not possible; about 1 for the cheapest labelling.
    roundings
        Relative error of the costs.

    most_passes
        Without any, each task and each file counts by itself.

    Returns
    -------
    Shared or None
        None if some file has no route at all, or some task no label.

    Notes
    -----
    ``O(files * labels^2)`` per pass. Costs above `FAR` are cut. So are costs that do not exist,
    which can only lower the bound.
    """
    tables = (*costs.single, *costs.pairs.values())
    if not all(np.isfinite(table).any() for table in tables):
        return None
    ascent = Messages(costs, FAR)
    best, idle = ascent.value(), 0
    order = range(len(costs.single))
    for number in range(most_passes):
        check()
        ascent.sweep(order if number % 2 == 0 else order[::-1])
        value = ascent.value()
        idle = 0 if value > best + LEAST_GAIN else idle + 1
        best = max(best, value)
        if idle >= IDLE_PASSES:
            break
    ascent.round(UNIT)
    error = Fraction(ascent.doubt) + (len(tables) + 1) * int(FAR) * roundings
    return Shared(Fraction(ascent.value()) - error, ascent.sent, ascent.received)
