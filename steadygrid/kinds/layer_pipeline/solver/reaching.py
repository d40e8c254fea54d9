"""Plans that get as far as they can, where nothing depends on how far the round trips are.

If memory does not grow with the data sets in flight, or there are none (forward passes only, or one data
set, however long it takes), a stage asks only for what it holds itself. What is feasible for some layers
is feasible for the last ones of them. So of two beginnings of a plan on the same devices, the one that
holds more layers is as good as the other. One number for each number of devices in use, by device
type, says whether there is any plan. Boundaries must ask for no second copy.
"""

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.solver.plans import Plan, Stage

_Ends = list[list[npt.NDArray[Any]]]
"""By device type and copies: for each layer and the end, how far a stage that begins there gets."""


def suits(chain: Chain, period: Fraction) -> bool:
    """Tell whether a period can be tested so.

    Parameters
    ----------
    chain
        The instance in numbers.
    period
        Above 0.
    """
    rooms = [device.memory for device in chain.instance.devices]
    grows = chain.trains and chain.in_flight[-1] and any(room is not None for room in rooms)
    return not grows and chain.longest_transfer <= period


def first_plan(chain: Chain, heartbeat: Callable[[], None]) -> Plan | None:
    """Give a plan of one copy of each stage, on few devices. None if no plan fits the memory.

    Parameters
    ----------
    chain
        The instance in numbers.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    ends = [
        [_array(_with_room(chain, device_type))] for device_type in range(chain.num_device_types)
    ]
    return _plan(chain, ends, heartbeat)


def plan_within(chain: Chain, period: Fraction, heartbeat: Callable[[], None]) -> Plan | None:
    """Give a plan that keeps a period, on the fewest devices. None if there is none.

    Parameters
    ----------
    chain
        The instance in numbers.
    period
        One that suits.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    ends: _Ends = []
    for device_type, device in enumerate(chain.instance.devices):
        room = _with_room(chain, device_type)
        ends.append(
            [
                _array(_in_time(chain, device_type, copies, period, room))
                for copies in range(1, device.count + 1)
            ]
        )
    return _plan(chain, ends, heartbeat)


def _array(ends: list[int]) -> npt.NDArray[Any]:
    return np.array([*ends, len(ends)], dtype=np.int64)


def _with_room(chain: Chain, device_type: int) -> list[int]:
    """Give how far a stage on a device gets by its memory, with one data set in flight."""
    room = chain.instance.devices[device_type].memory
    if room is None:
        return [chain.num_layers] * chain.num_layers
    held = [one + other for one, other in zip(chain.memory, chain.in_flight, strict=True)]
    return [bisect_right(held, before + room) - 1 for before in held[:-1]]


def _in_time(
    chain: Chain, device_type: int, copies: int, period: Fraction, room: list[int]
) -> list[int]:
    """Give how far a stage gets by its memory, within the turns of its copies."""
    loads = [
        a + b for a, b in zip(chain.forward[device_type], chain.backward[device_type], strict=True)
    ]
    width = chain.instance.devices[device_type].reduce_bandwidth
    most = None
    if width is not None and copies > 1:
        updating = chain.instance.update_every * period
        most = updating * width * copies / (2 * (copies - 1))
    allowed = chain.last_ends(copies)
    found: list[int] = []
    for first in range(chain.num_layers):
        end = min(room[first], allowed[first])
        end = min(end, bisect_right(loads, loads[first] + copies * period) - 1)
        if most is not None:
            end = min(end, bisect_right(chain.weights, chain.weights[first] + most) - 1)
        found.append(end)
    return found


def _plan(chain: Chain, ends: _Ends, heartbeat: Callable[[], None]) -> Plan | None:
    """Find the first number of devices, in all, that hold every layer."""
    counts = [device.count for device in chain.instance.devices]
    strides = list(accumulate((count + 1 for count in counts), lambda a, b: a * b, initial=1))
    states = np.arange(prod(count + 1 for count in counts))
    digits = [
        states // stride % (count + 1) for stride, count in zip(strides, counts, strict=False)
    ]
    sizes = sum(digits)
    reached = np.zeros(len(states), dtype=np.int64)
    for number in range(1, sum(counts) + 1):
        heartbeat()
        here = np.flatnonzero(sizes == number)
        for device_type, by_copies in enumerate(ends):
            for copies, farthest in enumerate(by_copies, 1):
                some = here[digits[device_type][here] >= copies]
                there = farthest[reached[some - copies * strides[device_type]]]
                reached[some] = np.maximum(reached[some], there)
        done = here[reached[here] == chain.num_layers]
        if len(done):
            return _stages(int(done[0]), strides, digits, ends, reached)
    return None


def _stages(
    state: int,
    strides: list[int],
    digits: list[npt.NDArray[Any]],
    ends: _Ends,
    reached: npt.NDArray[Any],
) -> Plan:
    """Follow how the last layer was reached, backwards. What holds no layer is left out."""
    stages: list[Stage] = []
    while state:
        device_type, copies = next(
            (device_type, copies)
            for device_type, by_copies in enumerate(ends)
            for copies, farthest in enumerate(by_copies, 1)
            if copies <= digits[device_type][state]
            and farthest[reached[state - copies * strides[device_type]]] == reached[state]
        )
        before = state - copies * strides[device_type]
        if reached[before] < reached[state]:
            stages.append(Stage(int(reached[before]), int(reached[state]), device_type, copies))
        state = before
    return tuple(stages[::-1])
