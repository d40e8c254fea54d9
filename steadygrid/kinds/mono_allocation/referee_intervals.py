r"""The referee's own proof that a chain in intervals has no shorter period.

A chain of tasks is cut into intervals, each on a processor of its own. Of an allocation that is
begun, with some first tasks of the chain on some processors, what follows depends on few things.
They are the last of these processors, which ones are left, the task that comes next, and how long
those resources are busy that may be used again. Of two beginnings that agree in the former, the one
of which no such resource is busy for longer is as good as the other. So a search in breadth, that
drops what keeps a resource busy for as long as is to be undercut, ends soon where most resources
are a processor's own.

What is left may be too much. Give every processor any pace :math:`s_i > 0`, and every task the work
:math:`w_k = \min_i s_i t_{ik}`: within T the processors that are left do less than :math:`T \sum s_i`
of the :math:`\sum w_k` that is left to do.

Interchangeable processors are used in the order of their names.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from steadygrid.domain.platform import Route
from steadygrid.kinds.mono_allocation.referee_limits import Limits
from steadygrid.verification.findings import Findings
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance
from steadygrid.verification.twins import check_classes

MOST_STEPS = 4_000_000
"""Tasks added to intervals, routes looked at, and beginnings compared, over the whole search."""

Loads = Mapping[str, int]


class _TooManyStepsError(Exception):
    """The search would take longer than is sensible."""


def intervals_exist(
    steady: SteadyInstance,
    limits: Limits,
    routes: FixedRoutes,
    given: Sequence[Route],
    below: Fraction | None,
    most_steps: int = MOST_STEPS,
) -> bool | None:
    """Tell whether a chain in intervals keeps to memory, and has a shorter period.

    Parameters
    ----------
    limits
        With an order of the tasks.
    routes
        The route of each file.
    given
        Routes of the platform, if they count.
    below
        No resource may be busy for so long. None for as long as you like: then only memory and
        routes count.

    Returns
    -------
    bool or None
        None where that takes more than `most_steps`.
    """
    try:
        return _Search(steady, limits, routes, given, below, most_steps).run()
    except _TooManyStepsError:
        return None


class _Search:
    def __init__(
        self,
        steady: SteadyInstance,
        limits: Limits,
        routes: FixedRoutes,
        given: Sequence[Route],
        below: Fraction | None,
        most_steps: int,
    ) -> None:
        assert limits.order is not None
        self._order = limits.order
        self._limits = limits
        self._routes = routes
        self._steady = steady
        self._left = most_steps
        self._timed = below is not None
        network = steady.network
        per_data = lcm(*(time.denominator for hop in network.hops.values() for _, time in hop.uses))
        sizes = lcm(*(size.denominator for size in steady.sizes.values()))
        times = lcm(*(t.denominator for row in steady.times.values() for t in row.values()))
        unit = lcm(per_data * sizes, times)
        self._times = {
            task: {name: int(time * unit) for name, time in row.items()}
            for task, row in steady.times.items()
        }
        self._sizes = [
            int(steady.sizes[file] * (unit // per_data)) for file in pairwise(self._order)
        ]
        self._per_data = per_data
        self._below = Fraction(0) if below is None else below * unit
        self._fixed: dict[tuple[str, str], Loads | None] = {}
        self._open: dict[tuple[frozenset[str], str], frozenset[str]] = {}
        self._groups = self._interchangeable(given)
        self._paces: dict[str, Fraction] = {}
        for name in (name for names in self._groups for name in names):
            taken = [row[name] for row in self._times.values() if name in row]
            self._paces[name] = Fraction(len(taken), sum(taken) or 1)
        self._work_from, self._held_from = [Fraction(0)], [Fraction(0)]
        for task in reversed(self._order):
            row = self._times[task].items()
            least = min((time * self._paces[name] for name, time in row), default=Fraction(0))
            self._work_from.insert(0, self._work_from[0] + least)
            self._held_from.insert(0, self._held_from[0] + limits.needs.get(task, Fraction(0)))

    def run(self) -> bool:
        layer: dict[tuple[frozenset[str], str, int], list[Loads]]
        layer = {(frozenset(), "", 0): [{}]}
        while layer:
            following: dict[tuple[frozenset[str], str, int], list[Loads]] = {}
            for (used, last, start), beginnings in layer.items():
                if not self._may_end(used, start):
                    continue
                for here in self._next(used):
                    now = used | {here}
                    for loads in beginnings:
                        for end, longer in self._intervals(loads, last, here, start):
                            if end == len(self._order):
                                return True
                            self._keep(
                                following.setdefault((now, here, end), []), longer, now, here
                            )
            layer = following
        return False

    def _may_end(self, used: frozenset[str], start: int) -> bool:
        """Tell whether the processors that are left may do the rest within the time, and hold it."""
        self._pay(1)
        free = [name for name in self._paces if name not in used]
        rooms = [self._limits.room[name] for name in free if name in self._limits.room]
        if len(rooms) == len(free) and self._held_from[start] > sum(rooms):
            return False
        pace = sum((self._paces[name] for name in free), Fraction(0))
        return not self._timed or self._work_from[start] < self._below * pace

    def _next(self, used: frozenset[str]) -> Iterator[str]:
        """Give the processors that may run the next interval: of interchangeable ones the first."""
        for names in self._groups:
            free = next((name for name in names if name not in used), None)
            if free is not None:
                yield free

    def _intervals(
        self, loads: Loads, last: str, here: str, start: int
    ) -> Iterator[tuple[int, Loads]]:
        """Begin an interval on a processor and make it longer, task by task, while all goes well."""
        found = dict(loads)
        if start:
            uses = self._path_loads(last, here)
            if uses is None:
                return
            for name, time in uses.items():
                found[name] = found.get(name, 0) + time * self._sizes[start - 1]
                if self._timed and found[name] >= self._below:
                    return
        room, held = self._limits.room.get(here), Fraction(0)
        computing = self._steady.network.computing(here)
        for position in range(start, len(self._order)):
            self._pay(1)
            task = self._order[position]
            if here not in self._times[task]:
                return
            held += self._limits.needs.get(task, 0)
            if room is not None and held > room:
                return
            found[computing] = found.get(computing, 0) + self._times[task][here]
            if self._timed and found[computing] >= self._below:
                return
            yield position + 1, dict(found)

    def _keep(self, known: list[Loads], loads: Loads, used: frozenset[str], last: str) -> None:
        """Keep a beginning, as far as it matters, unless one is there that is as good."""
        again = self._used_again(used, last) if self._timed else frozenset()
        rest = {name: time for name, time in loads.items() if name in again and time}
        self._pay(len(known))
        for other in known:
            if all(time <= rest.get(name, 0) for name, time in other.items()):
                return
        known.append(rest)

    def _used_again(self, used: frozenset[str], last: str) -> frozenset[str]:
        """Name the resources that what follows may use."""
        if (used, last) not in self._open:
            rest = [name for names in self._groups for name in names if name not in used]
            found = {self._steady.network.computing(name) for name in rest}
            for receiver in rest:
                for sender in (last, *rest):
                    self._pay(1)
                    found.update(self._path_loads(sender, receiver) or ())
            self._open[used, last] = frozenset(found)
        return self._open[used, last]

    def _path_loads(self, sender: str, receiver: str) -> Loads | None:
        """Give the time per unit of data on each resource of a route. None if there is none."""
        if (sender, receiver) not in self._fixed:
            path = self._routes.path(sender, receiver)
            uses: dict[str, int] = {}
            for ends in pairwise(path or ()):
                for name, time in self._steady.network.hops[ends].uses:
                    uses[name] = uses.get(name, 0) + int(time * self._per_data)
            self._fixed[sender, receiver] = None if path is None else uses
        return self._fixed[sender, receiver]

    def _interchangeable(self, given: Sequence[Route]) -> list[list[str]]:
        """Group the processors that run tasks: those of a group may change places."""
        hops: dict[str, list[object]] = {}
        for (sender, receiver), hop in self._steady.network.hops.items():
            hops.setdefault(sender, []).append((receiver, True, hop.unit_time))
            hops.setdefault(receiver, []).append((sender, False, hop.unit_time))
        alike: dict[object, list[str]] = {}
        for name in sorted({name for row in self._times.values() for name in row}):
            times = tuple(self._times[task].get(name) for task in self._order)
            room = self._limits.room.get(name)
            alike.setdefault((times, room, frozenset(hops.get(name, ()))), []).append(name)
        groups: list[list[str]] = []
        for names in alike.values():
            faults = Findings()
            if len(names) > 1:
                check_classes(self._steady, [names], given, faults, ())
            groups += [[name] for name in names] if faults else [names]
        return groups

    def _pay(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooManyStepsError
