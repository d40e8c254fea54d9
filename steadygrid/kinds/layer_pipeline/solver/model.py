r"""Whether some plan keeps a period: the least round trips, from the last layer to the first.

Let :math:`V_i(u, l)` be the least round trip behind a stage of device type l that ends before layer
i. It is over the plans of the layers from i on that use :math:`u_k` devices of each device type k.
Let :math:`R'(R; i, j, k, r)` be that of (3) of `plans` for layers i to j - 1 on r copies of device
type k:

.. math::
    V_n(0, l) = 0, \qquad
    V_i(u + r e_k, l) = \min_{j, k, r} R'(V_j(u, k); i, j, k, r) + c_{i-1}(l, k) + c'_{i-1}(l, k)
    \tag{4}

over the stages that keep (1) and (2). A boundary asks both its stages for copies. The one before is not
known yet, so a state has the number of copies that it needs, too. The period is kept if (4) has a value
for layer 0. Of two states of the same i and l, one may use no more of any device type, with a round
trip no longer and no more copies needed. It leaves nothing to the other, which is dropped.

Numbers are whole: times in units of ``1 / (D q)`` for times over D and the period p / q. They are 64-bit
integers where they are short enough, else Python's.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor, lcm, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.solver.plans import Plan, Stage

_ROOM = 2**62
"""Of 64-bit integers, with one addition to spare."""

Whole = npt.NDArray[Any]


class _States:
    """The states for one device type before a boundary, of all layers so far, the last layers first."""

    def __init__(self, dtype: Any) -> None:
        self._size = 0
        self._stored: list[Whole] = [
            np.zeros(64, dtype=kind) for kind in (np.int64, np.int64, np.int64, dtype)
        ]
        self.begins: dict[int, int] = {}

    def add(self, layer: int, used: Whole, needed: Whole, trips: Whole) -> None:
        """Take the states of a layer."""
        self.begins[layer] = begin = self._size
        self._size += len(used)
        for i, values in enumerate((layer, used, needed, trips)):
            if self._size > len(self._stored[i]):
                grown = np.zeros(2 * self._size, dtype=self._stored[i].dtype)
                grown[:begin] = self._stored[i][:begin]
                self._stored[i] = grown
            self._stored[i][begin : self._size] = values

    def columns(self, first: int, last: int) -> tuple[Whole, Whole, Whole, Whole]:
        """Give layer, devices in use, copies needed and round trip, behind one layer up to another."""
        end = self.begins.get(first, self._size)
        begin = self.begins.get(last, end) if last > first else end
        layers, used, needed, trips = (column[begin:end] for column in self._stored)
        return layers, used, needed, trips


class _Found(NamedTuple):
    """Stages of one device type and number of copies that begin at a layer."""

    layers: Whole
    """At which they end."""
    before: Whole
    """Devices in use behind them."""
    used: Whole
    """Theirs included."""
    trips: Whole


class Test:
    """One test of a period.

    Parameters
    ----------
    chain
        The instance in numbers.
    period
        Above 0.
    heartbeat
        Called now and then; may raise, which ends the work.

    Attributes
    ----------
    states
        How many were kept.
    """

    def __init__(self, chain: Chain, period: Fraction, heartbeat: Callable[[], None]) -> None:
        self._chain = chain
        self._heartbeat = heartbeat
        self._device_types = range(chain.num_device_types)
        self._counts = [device.count for device in chain.instance.devices]
        self._strides = list(
            accumulate((count + 1 for count in self._counts), lambda a, b: a * b, initial=1)
        )
        self._num_used = prod(count + 1 for count in self._counts)
        unit = lcm(chain.unit, period.denominator)
        self._period = period.numerator * (unit // period.denominator)
        self._loads = [
            [int((forward + backward) * unit) for forward, backward in zip(*rows, strict=True)]
            for rows in zip(chain.forward, chain.backward, strict=True)
        ]
        self._unit, self._exact_period = unit, period
        self._read_weights()
        held = lcm(*(m.denominator for m in (*chain.memory, *chain.in_flight)))
        self._memory = [int(m * held) for m in chain.memory]
        self._in_flight = [int(m * held) for m in chain.in_flight]
        self._alone = [
            one + other for one, other in zip(self._memory, self._in_flight, strict=True)
        ]
        self._rooms = [
            None if device.memory is None else floor(device.memory * held)
            for device in chain.instance.devices
        ]
        devices = sum(self._counts)
        longest = 8 * devices * self._period + 2 * max(row[-1] for row in self._loads)
        largest = self._memory[-1] + 8 * devices * self._in_flight[-1]
        self._dtype: Any = np.int64 if max(longest, largest) < _ROOM else object
        self._arrays = {
            name: np.array(values, dtype=self._dtype)
            for name, values in (("memory", self._memory), ("in_flight", self._in_flight))
        }
        self._load_arrays = [np.array(row, dtype=self._dtype) for row in self._loads]
        self._kept = [_States(self._dtype) for _ in self._device_types]
        self._last = [chain.last_ends(copies) for copies in range(max(self._counts) + 1)]
        self.states = 0

    def plan(self) -> Plan | None:
        """Give a plan that keeps the period, on the fewest devices. None if there is none."""
        end = np.zeros(1, dtype=np.int64)
        for device_type in self._device_types:
            self._kept[device_type].add(self._chain.num_layers, end, end, end)
        for first in range(self._chain.num_layers - 1, 0, -1):
            self._heartbeat()
            self._add_layer(first)
        self._heartbeat()
        best: tuple[int, Stage, int] | None = None
        for device_type in self._device_types:
            for copies in range(1, self._counts[device_type] + 1):
                found = self._stages(0, device_type, copies)
                if not len(found.used):
                    continue
                numbers = self._num_devices(found.used)
                which = int(np.argmin(numbers))
                if best is None or numbers[which] < best[0]:
                    stage = Stage(0, int(found.layers[which]), device_type, copies)
                    best = int(numbers[which]), stage, int(found.before[which])
        return None if best is None else self._plan_from(*best[1:])

    def _num_devices(self, used: Whole) -> Whole:
        """Give how many devices are in use, of all device types together."""
        number = np.zeros_like(used)
        for device_type in self._device_types:
            number += used // self._strides[device_type] % (self._counts[device_type] + 1)
        return number

    def _add_layer(self, first: int) -> None:
        """Keep the states of plans that begin at a layer above 0."""
        tables: list[dict[int, Whole]] = [{} for _ in self._device_types]
        for device_type in self._device_types:
            boundary = [self._boundary(first - 1, left, device_type) for left in self._device_types]
            for copies in range(1, self._counts[device_type] + 1):
                self._heartbeat()
                found = self._stages(first, device_type, copies)
                if not len(found.used):
                    continue
                best = self._best(found)
                for left, (needed, moved) in enumerate(boundary):
                    if needed > min(copies, self._counts[left]):
                        continue
                    table = tables[left].get(needed)
                    if table is None:
                        table = tables[left][needed] = self._empty()
                    np.minimum(table, best + moved, out=table, where=best < self._never)
        for left, by_need in enumerate(tables):
            self._keep(first, left, by_need)

    @property
    def _never(self) -> int:
        return _ROOM if self._dtype is np.int64 else 8 * sum(self._counts) * self._period + 1

    def _empty(self) -> Whole:
        return np.full(self._num_used, self._never, dtype=self._dtype)

    def _best(self, found: _Found) -> Whole:
        """Give the least round trip for each number of devices in use."""
        table = self._empty()
        # The last of equal places is what is assigned: the shortest trip.
        order = np.argsort(-found.trips, kind="stable")
        table[found.used[order]] = found.trips[order]
        return table

    def _boundary(self, last: int, left: int, device_type: int) -> tuple[int, int]:
        """Give the copies that a boundary needs on both sides, and how long transfers take."""
        there, back = self._chain.transfer(last, left, device_type)
        needed = max(1, ceil(max(there, back) / self._exact_period))
        moved = (there + back) * self._unit if self._chain.trains else 0
        return needed, int(moved)

    def _stages(self, first: int, device_type: int, copies: int) -> _Found:
        """Give the stages that begin at a layer, by (1), (2) and (3)."""
        end = self._farthest(first, device_type, copies)
        layers, used, needed, trips = self._kept[device_type].columns(first, end)
        free = (
            used // self._strides[device_type] % (self._counts[device_type] + 1) + copies
            <= self._counts[device_type]
        )
        free &= needed <= copies
        layers, used, trips = layers[free], used[free], trips[free]
        if self._chain.trains:
            trips, fits = self._round_trips(first, device_type, copies, layers, trips)
            layers, used, trips = layers[fits], used[fits], trips[fits]
        return _Found(layers, used, used + copies * self._strides[device_type], trips)

    def _round_trips(
        self, first: int, device_type: int, copies: int, layers: Whole, behind: Whole
    ) -> tuple[Whole, Whole]:
        """Give the round trips of stages by (3), and for which of them there is room by (2)."""
        turn = copies * self._period
        loads = self._load_arrays[device_type]
        load = loads[layers] - loads[first]
        turns = -(-behind // turn) * turn
        trips = np.where(behind + load <= turns, behind, turns) + load
        room = self._rooms[device_type]
        if room is None:
            return trips, np.ones(len(trips), dtype=bool)
        held, each = self._arrays["memory"], self._arrays["in_flight"]
        in_flight = np.maximum(-(-trips // turn), 1)
        needs = held[layers] - held[first] + in_flight * (each[layers] - each[first])
        return trips, (needs <= room).astype(bool)

    def _farthest(self, first: int, device_type: int, copies: int) -> int:
        """Give the last end of a stage that keeps (1), and has room for one data set."""
        loads, room = self._loads[device_type], self._rooms[device_type]
        end = min(
            bisect_right(loads, loads[first] + copies * self._period) - 1, self._last[copies][first]
        )
        if room is not None:
            end = min(end, bisect_right(self._alone, self._alone[first] + room) - 1)
        most = self._most_weights[device_type][copies]
        if most is not None:
            end = min(end, bisect_right(self._weights, self._weights[first] + most) - 1)
        return end

    def _read_weights(self) -> None:
        """Read the weights in whole numbers, and how many of them so many copies can reduce in time."""
        unit = lcm(*(weight.denominator for weight in self._chain.weights))
        self._weights = [int(weight * unit) for weight in self._chain.weights]
        updating = self._chain.instance.update_every * self._exact_period * unit
        self._most_weights: list[list[int | None]] = []
        for device in self._chain.instance.devices:
            width = device.reduce_bandwidth
            most: list[int | None] = [None, None]
            for copies in range(2, device.count + 1):
                time = None if width is None else updating * width * copies / (2 * (copies - 1))
                most.append(None if time is None else floor(time))
            self._most_weights.append(most)

    def _keep(self, first: int, left: int, by_need: dict[int, Whole]) -> None:
        """Keep the states that no other state of the layer is as good as."""
        best = self._empty()
        columns: list[tuple[Whole, Whole, Whole]] = []
        shape = [count + 1 for count in reversed(self._counts)]
        for needed, table in sorted(by_need.items()):
            better = table < best
            np.minimum(best, table, out=best)
            below = best.reshape(shape)
            for axis in range(len(shape)):
                below = np.minimum.accumulate(below, axis=axis)
            least = below.reshape(-1)
            # Where the least of all that use no more is its own, it is kept; of equal ones the first.
            kept = np.flatnonzero(better & (table <= least) & self._first_of(least, shape, table))
            columns.append((kept, np.full(len(kept), needed), table[kept]))
            best = least
        if columns:
            used, needs, trips = (np.concatenate(column) for column in zip(*columns, strict=True))
            self._kept[left].add(first, used, needs, trips)
            self.states += len(used)
        else:
            nothing = np.zeros(0, dtype=np.int64)
            self._kept[left].add(first, nothing, nothing, nothing)

    def _first_of(self, least: Whole, shape: list[int], table: Whole) -> Whole:
        """Tell where no state that uses less is as good: `least` is lower than one step before."""
        lower = np.ones(shape, dtype=bool)
        values, own = least.reshape(shape), table.reshape(shape)
        for axis in range(len(shape)):
            ahead = [slice(None)] * len(shape)
            behind = [slice(None)] * len(shape)
            ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
            lower[tuple(ahead)] &= (own[tuple(ahead)] < values[tuple(behind)]).astype(bool)
        return lower.reshape(-1)

    def _plan_from(self, stage: Stage, used: int) -> Plan:
        """Follow the states from the first stage to the last; `used` are the devices behind it."""
        stages = [stage]
        while stages[-1].end < self._chain.num_layers:
            self._heartbeat()
            stage, used = self._next_stage(stages[-1], used)
            stages.append(stage)
        return tuple(stages)

    def _next_stage(self, before: Stage, used: int) -> tuple[Stage, int]:
        """Find how the least round trip behind a stage comes about."""
        first, left = before.end, before.device_type
        least = self._least_behind(before, used)
        for device_type, needed, moved in self._neighbours(before):
            digit = used // self._strides[device_type] % (self._counts[device_type] + 1)
            for copies in range(needed, digit + 1):
                found = self._stages(first, device_type, copies)
                right = (found.used == used) & (found.trips + moved == least)
                if len(which := np.flatnonzero(right)):
                    end, behind = found.layers[which[0]], found.before[which[0]]
                    return Stage(first, int(end), device_type, copies), int(behind)
        raise AssertionError(
            f"a state of layer {first} before device type {left} comes from nowhere"
        )

    def _neighbours(self, before: Stage) -> Iterator[tuple[int, int, int]]:
        for device_type in self._device_types:
            needed, moved = self._boundary(before.end - 1, before.device_type, device_type)
            if needed <= before.copies:
                yield device_type, needed, moved

    def _least_behind(self, before: Stage, used: int) -> Any:
        _, states, needed, trips = self._kept[before.device_type].columns(
            before.end - 1, before.end
        )
        right = (states == used) & (needed <= before.copies)
        return trips[right].min()
