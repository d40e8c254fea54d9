"""Better mappings by moving and exchanging tasks."""

import random
from collections.abc import Callable, Iterator, Sequence
from math import inf

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.solver.chunks import in_pieces
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables

ROUNDS = 10
"""Descents per task, each from a shaken mapping, unless `enough` says stop before."""
SHAKEN = 4
"""Tasks that are put elsewhere at random before a descent."""
MOST_CANDIDATES = 24
"""Cores that are compared for each task of the mapping that is made first."""
CHECKED = 256
"""Mappings that are tried between two looks at the clock."""

Key = tuple[float, ...]
"""How far limits are broken, then the times of all resources, longest first."""


class LocalSearch:
    """Iterated descent over mappings.

    A descent moves a task away from the core that is busy longest (or breaks a limit), or
    exchanges it with a task of another core, while that lowers `Key`. One begins at each of
    several mappings. Then some tasks of the best one are put elsewhere at random, again and again,
    and what the next descent finds is kept unless it is worse.

    Parameters
    ----------
    tables
        The instance. Each task can run on some core.
    control
        Ends the search early, without an exception, when its time is over.
    seed
        Of the random choices: equal runs that are not cut short give equal mappings.
    """

    def __init__(self, tables: Tables, control: Control, seed: int = 0) -> None:
        self._tables = tables
        self._control = control
        self._random = random.Random(seed)
        self._tried = 0
        self._longest = 0
        self._best: list[int | None] = []
        self._best_key: Key = (inf,)
        self._rounds = ROUNDS * len(tables.tasks)

    def run(
        self, starts: Sequence[Sequence[int]], enough: Callable[[float], bool] = lambda _: False
    ) -> list[int] | None:
        """Give the best mapping found. None if all of them break a limit.

        Parameters
        ----------
        starts
            Mappings to begin with, which may break limits.
        enough
            Asked after every descent, with the period in the tables' unit, whether to stop.

        Raises
        ------
        Cancelled, OutOfTime
            Only when cancelled.
        """
        use: Occupancy | None = None
        for start in starts:
            self._keep(Occupancy(self._tables, start))
        try:
            for left, beginning in self._beginnings(starts):
                use = Occupancy(self._tables, beginning)
                self._descend_within(use, 1 / (1 + left))
                self._keep(use)
            while self._rounds:
                if not self._best_key[0] and enough(self._best_key[1]):
                    break
                self._rounds -= 1
                use = Occupancy(self._tables, self._best)
                self._shake(use)
                self._descend(use)
                self._keep(use)
        except OutOfTime:
            if use is not None:
                self._keep(use)
        return self.best

    @property
    def best(self) -> list[int] | None:
        """The best mapping so far. None if all of them break a limit."""
        return None if self._best_key[0] else [core for core in self._best if core is not None]

    @property
    def exhausted(self) -> bool:
        """Whether all rounds have been made."""
        return not self._rounds

    def go_on(self, control: Control) -> bool:
        """Make one more round; tell whether it has found a better mapping that keeps all limits.

        Parameters
        ----------
        control
            Ends the round early, without an exception, when its time is over.

        Raises
        ------
        Cancelled
            If cancelled.
        """
        self._control = control
        self._rounds -= 1
        before = self._best_key[:2]
        use = Occupancy(self._tables, self._best)
        try:
            self._shake(use)
            self._descend(use)
        except OutOfTime:
            pass
        self._keep(use)
        return not self._best_key[0] and self._best_key[:2] < before

    def take(self, mapping: Sequence[int]) -> None:
        """Go on from a mapping that was found elsewhere, if it is not worse."""
        self._keep(Occupancy(self._tables, mapping))

    def _keep(self, found: Occupancy) -> None:
        key = _key(found)
        if key <= self._best_key:
            self._best, self._best_key = list(found.place), key

    def _beginnings(self, starts: Sequence[Sequence[int]]) -> Iterator[tuple[int, Sequence[int]]]:
        """Give mappings in pieces, then one that spreads the tasks, then what was given.

        Each with the number of those to come.
        """
        cores = range(len(self._tables.cores))
        ppes = self._tables.num_ppes
        for i, order in enumerate((cores, [*cores[ppes:], *cores[:ppes]])):
            yield len(starts) + 2 - i, in_pieces(self._tables, order)
        yield len(starts), self._spread()
        for i, start in enumerate(starts, 1):
            yield len(starts) - i, start

    def _descend_within(self, use: Occupancy, share: float) -> None:
        """Descend for a share of the time left; raise only when all of it is over."""
        whole = self._control
        self._control = whole.limited(share * whole.remaining)
        try:
            self._descend(use)
        except OutOfTime:
            whole.check()
        finally:
            self._control = whole

    def _spread(self) -> list[int]:
        """Place the longest tasks first, each where the mapping so far stays shortest."""
        tables = self._tables
        use = Occupancy(tables, [None] * len(tables.tasks))
        longest = [max(time or 0 for time in times) for times in tables.compute]
        for task in sorted(range(len(longest)), key=lambda k: (-longest[k], k)):
            choices: list[tuple[Key, int]] = []
            for core in self._candidates(use, task):
                use.place_task(task, core)
                choices.append((_key(use), core))
                use.take(task)
            use.place_task(task, min(choices)[1])
        return [core for core in use.place if core is not None]

    def _candidates(self, use: Occupancy, task: int) -> Sequence[int]:
        """Choose the cores that compute least, where there are many. Any, out of time."""
        able = self._tables.able[task]
        if self._control.remaining <= 0:
            return able[:1]
        if len(able) <= MOST_CANDIDATES:
            return able
        times, used = use.times[0], use.used
        return sorted(able, key=lambda core: (times[core], used[core], core))[:MOST_CANDIDATES]

    def _descend(self, use: Occupancy) -> None:
        key = _key(use)
        while (better := self._improved(use, key)) is not None:
            key = better

    def _improved(self, use: Occupancy, key: Key) -> Key | None:
        """Take the first move or exchange that lowers the key."""
        for change in self._changes(use):
            self._tried += 1
            if self._tried % CHECKED == 0:
                self._control.check()
            before = [(task, use.take(task)) for task, _ in change]
            for task, core in change:
                use.place_task(task, core)
            found = _key(use)
            if found < key:
                return found
            for task, _ in change:
                use.take(task)
            for task, old in before:
                use.place_task(task, old)
        return None

    def _changes(self, use: Occupancy) -> Iterator[tuple[tuple[int, int], ...]]:
        able = self._tables.able
        busy = self._worst(use)
        self._longest = use.longest
        here = [task for task, core in enumerate(use.place) if core == busy]
        there = [task for task, core in enumerate(use.place) if core != busy]
        self._random.shuffle(here)
        self._random.shuffle(there)
        for task in here:
            for core in able[task]:
                if core != busy and self._hopeful(use, task, core):
                    yield ((task, core),)
        for task in here:
            for other in there:
                place = use.place[other]
                if (
                    place is not None
                    and place in able[task]
                    and busy in able[other]
                    and self._hopeful(use, task, place, other)
                    and self._hopeful(use, other, busy, task)
                ):
                    yield ((task, place), (other, busy))

    def _hopeful(self, use: Occupancy, task: int, core: int, gone: int | None = None) -> bool:
        """Tell, at little cost, whether a core could take a task (and give one away).

        It would have to compute for less than the longest time, and have the room; while a limit
        is broken, anything may help.
        """
        if use.excess:
            return True
        tables = self._tables
        time = use.times[0][core] + (tables.time(task, core) or 0)
        room = use.used[core] + tables.need[task]
        if gone is not None:
            time -= tables.time(gone, core) or 0
            room -= tables.need[gone]
        return time < self._longest and (core < tables.num_ppes or room <= tables.store)

    def _worst(self, use: Occupancy) -> int:
        """Choose the core that breaks a limit, or else the one that is busy longest."""
        ppes = self._tables.num_ppes
        cores = range(len(self._tables.cores))
        if use.excess:
            return self._random.choice([core for core in cores[ppes:] if use.breaks_limit(core)])
        return max(cores, key=lambda core: max(times[core] for times in use.times))

    def _shake(self, use: Occupancy) -> None:
        for _ in range(SHAKEN):
            task = self._random.randrange(len(use.place))
            core = self._random.choice(self._tables.able[task])
            use.take(task)
            use.place_task(task, core)


def _key(use: Occupancy) -> Key:
    times = [time for of_cores in use.times for time in of_cores]
    times.sort(reverse=True)
    return (use.excess, *times)
