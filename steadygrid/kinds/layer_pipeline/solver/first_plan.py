"""A first plan: one copy of each stage, and as many layers in each as its device has room for.

With time enough nothing but memory counts, and one data set is in flight. Of two beginnings of a plan on
the same devices, the one that holds more layers is as good as the other; so one number for each number
of devices in use, by sort, says whether there is any plan.
"""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from math import prod

import numpy as np

from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.solver.plans import Plan, Stage


def first_plan(chain: Chain, heartbeat: Callable[[], None]) -> Plan | None:
    """Give a plan of one copy of each stage, on few devices; None if no plan fits the memory.

    Parameters
    ----------
    chain
        The instance in numbers.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    counts = [device.count for device in chain.instance.devices]
    strides = list(accumulate((count + 1 for count in counts), lambda a, b: a * b, initial=1))
    ends = [np.array(_ends(chain, sort), dtype=np.int64) for sort in range(chain.num_sorts)]
    states = np.arange(prod(count + 1 for count in counts))
    digits = [
        states // stride % (count + 1) for stride, count in zip(strides, counts, strict=False)
    ]
    sizes = sum(digits)
    reached = np.zeros(len(states), dtype=np.int64)
    for number in range(1, sum(counts) + 1):
        heartbeat()
        here = np.flatnonzero(sizes == number)
        for sort, farthest in enumerate(ends):
            some = here[digits[sort][here] > 0]
            there = farthest[reached[some - strides[sort]]]
            reached[some] = np.maximum(reached[some], there)
        done = here[reached[here] == chain.num_layers]
        if len(done):
            return _plan(chain, int(done[0]), counts, strides, ends, reached)
    return None


def _ends(chain: Chain, sort: int) -> list[int]:
    """Give, for each layer and the end, how far a stage that begins there gets on one device."""
    room = chain.instance.devices[sort].memory
    if room is None:
        return [chain.num_layers] * (chain.num_layers + 1)
    held = [one + other for one, other in zip(chain.memory, chain.in_flight, strict=True)]
    return [bisect_right(held, before + room) - 1 for before in held]


def _plan(
    chain: Chain,
    state: int,
    counts: list[int],
    strides: list[int],
    ends: list[np.ndarray],  # type: ignore[type-arg]
    reached: np.ndarray,  # type: ignore[type-arg]
) -> Plan:
    """Follow how the last layer was reached, backwards; empty stages are left out."""
    stages: list[Stage] = []
    while state:
        for sort, farthest in enumerate(ends):
            if state // strides[sort] % (counts[sort] + 1):
                before = state - strides[sort]
                if farthest[reached[before]] == reached[state]:
                    break
        if reached[before] < reached[state]:
            stages.append(Stage(int(reached[before]), int(reached[state]), sort, 1))
        state = before
    return tuple(stages[::-1])
