r"""The referee's own searches: whether some plan has a shorter period, or any at all.

A plan is walked from its first stage to its last. What follows depends on the layer that comes next, on
the devices that are left, by device type, and on the last stage. Of that stage its device type
counts, and its copies as
far as a boundary asks for them. So first all such places are found that can be reached, and then,
from the last layer back, the shortest round trip behind each of them. Where that leads from the
first place to the end, there is a plan.

Where memory does not grow with the data sets in flight, nothing depends on round trips, and it is enough
to know how far each number of devices gets.

A place is left out where too much work is left. Give every device type any pace :math:`s_k > 0`:
devices that are left do no more than :math:`T \sum s_k` of the :math:`\sum_i \min_k s_k t_{ik}`
that are left to do.

The period is a little shorter than the one that is asked about: all times are whole numbers of units of
1/U. And a unit is cut into so many parts that taking one part off the period decides every comparison
as any smaller cut would. Sums of times and multiples ``a T`` are compared, and ``a`` is below the number
of parts. A round trip adds at most two turns and two transfers per stage, each within as many periods as
there are copies.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor, lcm
from typing import NamedTuple

from steadygrid.kinds.layer_pipeline.referee_terms import Terms, reduce_time

MOST_PLACES = 1_000_000
"""Of a search; one that needs more is given up."""
_EVERY = 1_000
"""Places between two calls of the heartbeat."""


class TooManyPlacesError(Exception):
    """The search would take more room than is sensible."""


class _Place(NamedTuple):
    """What follows depends on this, and on the layer that comes next."""

    left: tuple[int, ...]
    """Devices of each device type that are not in use."""
    device_type: int
    """Of the stage before; -1 before the first layer."""
    copies: int
    """Of the stage before, no more than a boundary may ask for."""


class _Steps(NamedTuple):
    """Stages that may come next: all of one device type and number of copies."""

    ends: range
    """Layers that follow them."""
    device_type: int
    copies: int
    moved: int
    """How long the transfers before them take, there and back."""
    after: _Place


def some_plan_is_faster(
    terms: Terms,
    period: Fraction,
    heartbeat: Callable[[], None] = lambda: None,
    most_places: int = MOST_PLACES,
) -> bool:
    """Tell whether some plan has a period shorter than this.

    Parameters
    ----------
    terms
        The instance.
    period
        Above 0.
    heartbeat
        Called now and then; may raise.
    most_places
        Of the search.

    Raises
    ------
    TooManyPlacesError
        If there are more places.
    """
    search = _Search(terms, period, heartbeat, most_places)
    return search.goes_far_enough() if search.is_plain else search.run()


def some_plan_fits(terms: Terms) -> bool:
    """Tell whether layers can be cut into stages that fit the devices, with one data set in flight.

    Notes
    -----
    See `_Search.goes_far_enough`, at no period.
    """
    layers = terms.layers
    held = list(accumulate((l.memory + l.in_flight for l in layers), initial=Fraction(0)))
    ends: dict[str, list[list[int]]] = {}
    for name, device_type in terms.device_types.items():
        room = device_type.memory
        ends[name] = [
            [
                len(terms.layers) if room is None else bisect_right(held, before + room) - 1
                for before in held
            ]
        ]
    return _gets_to_the_end(terms, ends, lambda: None)


def _gets_to_the_end(
    terms: Terms, ends: Mapping[str, Sequence[Sequence[int]]], heartbeat: Callable[[], None]
) -> bool:
    """Tell whether stages, each as long as can be, hold all layers.

    `ends` has, by device type and number of copies, how far a stage gets that begins at a layer.
    """
    counts = {name: device_type.count for name, device_type in terms.device_types.items()}
    strides, number = {}, 1
    for name, count in counts.items():
        strides[name] = number
        number *= count + 1
    reached = [0] * number
    for state in range(number):
        if state % _EVERY == 0:
            heartbeat()
        for name, by_copies in ends.items():
            free = state // strides[name] % (counts[name] + 1)
            for copies, farthest in enumerate(by_copies[:free], 1):
                end = farthest[reached[state - copies * strides[name]]]
                reached[state] = max(reached[state], end)
        if reached[state] == len(terms.layers):
            return True
    return False


class ShortPeriod:
    """A period a little shorter than one given, and times, in whole numbers of the same parts.

    Attributes
    ----------
    length
        The period.
    """

    def __init__(self, terms: Terms, period: Fraction) -> None:
        self.terms = terms
        names = list(terms.device_types)
        times = [period]
        for i, layer in enumerate(terms.layers):
            for name in names:
                times += terms.passes(i, name)
                width = terms.device_types[name].reduce_bandwidth
                times.append(Fraction(0) if width is None else layer.weights / width)
        for i in range(len(terms.layers) - 1):
            for one in names:
                for other in names:
                    if one != other or terms.device_types[one].count > 1:
                        times += terms.transfers(i, one, other)
        parts = (10 + terms.instance.update_every) * terms.devices + 10
        self._parts = lcm(*(time.denominator for time in times)) * parts
        self.length = self.whole(period) - 1

    def whole(self, time: Fraction) -> int:
        """Give a time in parts."""
        return int(time * self._parts)

    def allows(self, reduce_time: Fraction) -> bool:
        """Tell whether weights that take so long are reduced in the time between two updates."""
        return reduce_time * self._parts <= self.terms.instance.update_every * self.length

    def around(self, behind: int, load: int, copies: int) -> int:
        """Give the least time from the start of a forward pass to the end of its backward pass.

        Parameters
        ----------
        behind
            Least time from the end of the one to the start of the other.
        load
            Time of both.
        copies
            Which come in turn, so that the passes of one come as many periods apart.
        """
        turn = copies * self.length
        whole_turns, rest = divmod(behind, turn)
        if rest + load <= turn or not rest:
            return behind + load
        return (whole_turns + 1) * turn + load

    def in_flight(self, around: int, copies: int) -> int:
        """Give how many data sets a copy holds."""
        turn = copies * self.length
        return max(1, (around + turn - 1) // turn)


class _Search:
    def __init__(
        self, terms: Terms, period: Fraction, heartbeat: Callable[[], None], most_places: int
    ) -> None:
        self._terms, self._short = terms, ShortPeriod(terms, period)
        self._heartbeat, self._most = heartbeat, most_places
        self._names = list(terms.device_types)
        self._counts = [terms.device_types[name].count for name in self._names]
        self._num = len(terms.layers)
        loads = [
            [self._short.whole(sum(terms.passes(i, name), Fraction(0))) for i in range(self._num)]
            for name in self._names
        ]
        self._loads = [list(accumulate(row, initial=0)) for row in loads]
        weights = (layer.weights for layer in terms.layers)
        self._weights = list(accumulate(weights, initial=Fraction(0)))
        self._read_memory()
        self._read_boundaries()
        self._read_work(loads)

    def _read_memory(self) -> None:
        layers = self._terms.layers
        unit = lcm(*(l.memory.denominator * l.in_flight.denominator for l in layers))
        self._memory = list(accumulate((int(l.memory * unit) for l in layers), initial=0))
        self._each = list(accumulate((int(l.in_flight * unit) for l in layers), initial=0))
        rooms = [self._terms.device_types[name].memory for name in self._names]
        self._rooms = [None if room is None else floor(room * unit) for room in rooms]

    def _read_boundaries(self) -> None:
        self._moved: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._most_needed = 1
        for end in range(1, self._num):
            for device_type, one in enumerate(self._names):
                for following, other in enumerate(self._names):
                    if device_type == following and self._counts[device_type] == 1:
                        continue
                    both = self._terms.transfers(end - 1, one, other)
                    there, back = map(self._short.whole, both)
                    needed = max(1, -(-max(there, back) // self._short.length))
                    self._moved[end, device_type, following] = needed, there + back
                    self._most_needed = max(self._most_needed, needed)

    def _read_work(self, loads: list[list[int]]) -> None:
        self._paces = [Fraction(1, sum(row) or 1) for row in loads]
        self._work = [Fraction(0)]
        for i in reversed(range(self._num)):
            least = min(pace * row[i] for pace, row in zip(self._paces, loads, strict=True))
            self._work.append(self._work[-1] + least)
        self._soonest_by_left: dict[tuple[int, ...], int] = {}
        self._ends: dict[tuple[int, int, int], int] = {}

    @property
    def is_plain(self) -> bool:
        """Whether memory does not depend on round trips, and no boundary asks for a second copy."""
        grows = self._terms.trains and self._each[-1] and any(r is not None for r in self._rooms)
        return not grows and self._most_needed == 1

    def goes_far_enough(self) -> bool:
        """Tell whether there is a plan, where the search is plain.

        Notes
        -----
        A stage that keeps the period keeps it without its first layers. So the more layers are held by
        the first so many devices, the better, and the most of them are found for each number of devices,
        by device type.
        """
        ends = {
            name: [
                [self._end(layer, device_type, copies) for layer in range(self._num)] + [self._num]
                for copies in range(1, self._counts[device_type] + 1)
            ]
            for device_type, name in enumerate(self._names)
        }
        return _gets_to_the_end(self._terms, ends, self._heartbeat)

    def run(self) -> bool:
        """Tell whether there is a plan."""
        start = _Place(tuple(self._counts), -1, 0)
        reached: list[set[_Place]] = [set() for _ in range(self._num + 1)]
        reached[0].add(start)
        number = 0
        for layer in range(self._num):
            for place in reached[layer]:
                number = self._count(number)
                for steps in self._steps(layer, place):
                    for end in steps.ends:
                        reached[end].add(steps.after)
        behind: list[dict[_Place, int]] = [{} for _ in range(self._num)]
        behind.append(dict.fromkeys(reached[self._num], 0))
        number = 0
        for layer in reversed(range(self._num)):
            for place in reached[layer]:
                number = self._count(number)
                trips = [
                    trip
                    for steps in self._steps(layer, place)
                    for trip in self._trips(layer, steps, behind)
                ]
                if trips:
                    behind[layer][place] = min(trips)
        return start in behind[0]

    def _count(self, number: int) -> int:
        if number >= self._most:
            raise TooManyPlacesError
        if number % _EVERY == 0:
            self._heartbeat()
        return number + 1

    def _steps(self, layer: int, place: _Place) -> Iterator[_Steps]:
        """Give the stages that may come next, as far as periods and one data set in flight go."""
        for device_type, free in enumerate(place.left):
            if not free:
                continue
            needed, moved = self._moved[layer, place.device_type, device_type] if layer else (1, 0)
            if needed > place.copies and layer:
                continue
            for copies in range(needed, free + 1):
                left = (*place.left[:device_type], free - copies, *place.left[device_type + 1 :])
                ends = range(
                    max(layer + 1, self._soonest(left)), self._end(layer, device_type, copies) + 1
                )
                if ends:
                    after = _Place(left, device_type, min(copies, self._most_needed))
                    yield _Steps(ends, device_type, copies, moved, after)

    def _soonest(self, left: tuple[int, ...]) -> int:
        """Give the first layer from which on the devices that are left can do the rest."""
        if left not in self._soonest_by_left:
            paces = zip(self._paces, left, strict=True)
            most = self._short.length * sum((pace * free for pace, free in paces), Fraction(0))
            self._soonest_by_left[left] = self._num - (bisect_right(self._work, most) - 1)
        return self._soonest_by_left[left]

    def _end(self, layer: int, device_type: int, copies: int) -> int:
        """Give the layer before which a stage ends at the latest."""
        known = self._ends.get((layer, device_type, copies))
        if known is None:
            known = self._ends[layer, device_type, copies] = self._find_end(
                layer, device_type, copies
            )
        return known

    def _find_end(self, layer: int, device_type: int, copies: int) -> int:
        room, loads = self._rooms[device_type], self._loads[device_type]
        width = self._terms.device_types[self._names[device_type]].reduce_bandwidth
        for end in range(layer, self._num):
            held = self._memory[end + 1] + self._each[end + 1]
            held -= self._memory[layer] + self._each[layer]
            most = self._terms.most_replicas([end])
            weights = self._weights[end + 1] - self._weights[layer]
            if (
                loads[end + 1] - loads[layer] > copies * self._short.length
                or (room is not None and held > room)
                or (most is not None and copies > most)
                or not self._short.allows(reduce_time(weights, width, copies))
            ):
                return end
        return self._num

    def _trips(self, layer: int, steps: _Steps, behind: list[dict[_Place, int]]) -> Iterator[int]:
        """Give the round trips behind the stage before, over the stages that have room."""
        loads, room = self._loads[steps.device_type], self._rooms[steps.device_type]
        for end in steps.ends:
            rest = behind[end].get(steps.after)
            if rest is None:
                continue
            if not self._terms.trains:
                yield 0
                continue
            around = self._short.around(rest, loads[end] - loads[layer], steps.copies)
            if room is not None:
                data_sets = self._short.in_flight(around, steps.copies)
                held = self._memory[end] - self._memory[layer]
                if held + data_sets * (self._each[end] - self._each[layer]) > room:
                    continue
            yield around + steps.moved
