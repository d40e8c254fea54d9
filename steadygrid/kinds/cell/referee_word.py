"""The referee's own look for a better mapping, where a bound rests on a search's word."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from operator import itemgetter

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.resources import compute_resource, in_resource, out_resource
from steadygrid.kinds.cell.referee_search import Placing
from steadygrid.kinds.cell.referee_view import RefereeView

MOST_STEPS = 20_000
"""Tasks placed, over all that is tried."""


class _TooManyStepsError(Exception):
    """The search would take longer than is sensible."""


def beaten_by(
    view: RefereeView,
    mapping: Mapping[str, str],
    below: Fraction,
    most_steps: int = MOST_STEPS,
) -> Fraction | None:
    """Look for a mapping of a period shorter than `below`.

    Parameters
    ----------
    mapping
        Of the answer, near which to look first; empty if there is none.

    Returns
    -------
    Fraction or None
        Its period. Finding none proves nothing.

    Notes
    -----
    First the mappings in which one task is on another core, or two have changed places; then depth
    first, tasks of the longest times first, each on the core that stays least busy first. Where a
    resource is busy for `below` or longer, or a limit is broken, it turns back. Complete for small
    instances, else ended after `most_steps`.
    """
    search = _Search(view, below, most_steps)
    try:
        for changed in _neighbours(view, mapping):
            period = search.period(changed)
            if period is not None and period < below:
                return period
        return search.run()
    except _TooManyStepsError:
        return None


def _neighbours(view: RefereeView, mapping: Mapping[str, str]) -> Iterator[dict[str, str]]:
    for task, core in mapping.items():
        for other in view.cores:
            if other != core:
                yield {**mapping, task: other}
    for (one, here), (other, there) in combinations(mapping.items(), 2):
        if here != there:
            yield {**mapping, one: there, other: here}


class _Search:
    def __init__(self, view: RefereeView, below: Fraction, most_steps: int) -> None:
        self._view = view
        self._below = below
        self._left = most_steps
        self._loads: Amounts[str] = Amounts()
        self._placing = Placing(view)
        self._files: dict[str, list[tuple[str, str]]] = {task: [] for task in view.tasks}
        for source, target in view.sizes:
            self._files[source].append((source, target))
            self._files[target].append((source, target))

    def period(self, mapping: Mapping[str, str]) -> Fraction | None:
        """Give the period of a mapping. None where a limit is broken, or a core cannot run a task."""
        self._pay(len(mapping))
        placing = Placing(self._view)
        for task, core in mapping.items():
            if self._view.time(task, core) is None or not placing.place(task, core):
                return None
        return max(self._view.occupation(mapping).values(), default=Fraction(0))

    def run(self) -> Fraction | None:
        """Look depth first."""
        order = sorted(self._view.tasks, key=self._shortest, reverse=True)
        levels = [self._choices(order[0])]
        taken: list[Mapping[str, Fraction]] = []
        while levels:
            task = order[len(levels) - 1]
            if task in self._placing.mapping:
                self._placing.take(task)
                self._add(taken.pop(), -1)
            choice = next(levels[-1], None)
            if choice is None:
                levels.pop()
                continue
            core, added = choice
            self._add(added, 1)
            taken.append(added)
            if not self._placing.place(task, core):
                continue
            if len(levels) == len(order):
                return max(self._loads.values(), default=Fraction(0))
            levels.append(self._choices(order[len(levels)]))
        return None

    def _shortest(self, task: str) -> Fraction:
        times = (self._view.time(task, core) for core in self._view.cores)
        return min((time for time in times if time is not None), default=Fraction(0))

    def _choices(self, task: str) -> Iterator[tuple[str, Mapping[str, Fraction]]]:
        """List the cores on which nothing is busy for too long, the best first; of empty ones one of a type."""
        found = []
        busy = set(self._placing.mapping.values())
        seen: set[bool] = set()
        for core in self._view.cores:
            time = self._view.time(task, core)
            if time is None:
                continue
            if core not in busy:
                core_type = core in self._view.ppes
                if core_type in seen:
                    continue
                seen.add(core_type)
            self._pay(1)
            added = self._added(task, core, time)
            longest = max(self._loads[name] + more for name, more in added.items())
            if longest < self._below:
                found.append((longest, core, added))
        return iter([choice[1:] for choice in sorted(found, key=itemgetter(0, 1))])

    def _added(self, task: str, core: str, time: Fraction) -> Mapping[str, Fraction]:
        """Give what a task adds on a core, with its files to and from those that are placed."""
        view, placed = self._view, {**self._placing.mapping, task: core}
        width = view.instance.machine.bandwidth
        added = Amounts({compute_resource(core): time})
        added[in_resource(core)] += view.tasks[task].read / width
        added[out_resource(core)] += view.tasks[task].write / width
        for source, target in self._files[task]:
            sender, receiver = placed.get(source, ""), placed.get(target, "")
            if sender and receiver and sender != receiver:
                size = view.sizes[source, target] / width
                added[out_resource(sender)] += size
                added[in_resource(receiver)] += size
        return added

    def _add(self, added: Mapping[str, Fraction], sign: int) -> None:
        for resource, time in added.items():
            self._loads[resource] += sign * time

    def _pay(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooManyStepsError
