"""A large-neighbourhood search: small exact programs around the best mapping."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from steadygrid.domain.errors import OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated
from steadygrid.kinds.mono_allocation.solver.heuristics.local_search import improved
from steadygrid.kinds.mono_allocation.solver.programs.search import Search, search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

LONGEST_ROUND = 10.0
"""Seconds for one small program."""
ROUND_SHARE = 0.1
"""Of the time left, at most."""
FEWEST = 4
"""Processors of the first rounds."""
ROUNDS_PER_SIZE = 4
"""Rounds without success before the neighbourhood grows by a quarter."""
MOST_ROUNDS = 100
"""Rounds without success before the search ends, where time does not end it."""


class Incumbent:
    """The best mapping so far.

    Attributes
    ----------
    told
        Whether the throughput of a mapping is that of an answer, and goes out as progress.
    mapping
        Empty while there is none.
    """

    def __init__(self, tables: MonoTables, control: Control) -> None:
        self._tables = tables
        self._control = control
        self.told = False
        self.mapping: list[int] = []
        self.period = Fraction(0)
        self.found_by: str | None = None

    def offer(self, mapping: Sequence[int], found_by: str | None) -> bool:
        """Keep a mapping if it is the best.

        Parameters
        ----------
        mapping
            Position of the processor of each task.
        found_by
            As `Finding` names it. None where that is not told.
        """
        period = self._tables.period(mapping)
        if self.mapping and period >= self.period:
            return False
        self.mapping, self.period, self.found_by = list(mapping), period, found_by
        if period and self.told:
            self._control.progress(value=1 / period)
        return True

    def refresh(self) -> None:
        """Look whether there is a better one by now: here there is none but what is offered."""


class Neighborhoods:
    """Which processors' tasks are placed anew.

    Parameters
    ----------
    tables
        With fixed routing.
    random
        Makes the choices.
    """

    def __init__(self, tables: MonoTables, random: Random) -> None:
        self._tables = tables
        self._random = random
        self.usable = tables.usable

    def chosen(self, mapping: Sequence[int], size: int) -> set[int]:
        """Choose processors around the most occupied resource.

        First those that sit on it: the processor that computes there, or the ends of the files
        that pass it (at most half of `size`, the longest files first). Then, by turns drawn at
        random: one that exchanges files with those chosen, one that is little occupied, any.

        Parameters
        ----------
        mapping
            Position of the processor of each task.
        size
            How many processors are chosen, or all usable ones.

        Returns
        -------
        set of int
            Their positions.
        """
        tables, random = self._tables, self._random
        times = tables.occupation(mapping)
        top = max(times, key=lambda place: (times[place], -place))
        found: dict[int, None] = {}
        if top < tables.num_processors:
            found[top] = None
        passing = []
        for k, m, data in tables.files:
            uses = dict(tables.path_uses(mapping[k], mapping[m]) or ())
            if top in uses:
                passing.append((data * uses[top], k, m))
        for _, k, m in sorted(passing, reverse=True):
            if len(found) >= max(2, size // 2):
                break
            found.setdefault(mapping[k])
            found.setdefault(mapping[m])
        while len(found) < min(size, len(self.usable)):
            rest = [i for i in self.usable if i not in found]
            turn = random.random()
            if turn < 0.5:
                related = {
                    there
                    for k, m, _ in tables.files
                    for here, there in ((mapping[k], mapping[m]), (mapping[m], mapping[k]))
                    if here in found and there not in found
                }
                rest = sorted(related & set(rest)) or rest
            elif turn < 0.8:
                rest.sort(key=lambda i: (times.get(i, 0), i))
                rest = rest[: max(1, len(rest) // 3)]
            found.setdefault(rest[random.randrange(len(rest))])
        return set(found)


def search_parts(tables: MonoTables, best: Incumbent, floor: Fraction, control: Control) -> int:
    """Search small programs around the best mapping, down to a bound; give their number.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    best
        Where to begin; better mappings are kept there.
    floor
        Period that none is shorter than.
    control
        Deadline, cancellation and progress of the solve.
    """
    choice = Neighborhoods(tables, Random(tables.instance.seed))
    size, rounds, failures, since_growth = FEWEST, 0, 0, 0
    most = len(choice.usable)
    while failures < MOST_ROUNDS and best.period > floor:
        if control.remaining <= 0:
            break
        best.refresh()
        freed = choice.chosen(best.mapping, size)
        labels = [
            tuple(q for q in row if q in freed) if best.mapping[k] in freed else (best.mapping[k],)
            for k, row in enumerate(tables.labels)
        ]
        seconds = min(LONGEST_ROUND, ROUND_SHARE * control.remaining)
        part = control.limited(seconds, silent=True)
        found: Search | None = None
        try:
            found = search_program(
                tables,
                part,
                labels=labels,
                start=best.mapping,
                below=best.period,
                presolve=False,
            )
        except SolverError:
            pass
        except OutOfTime:
            pass
        rounds += 1
        control.progress(iterations=rounds)
        if found is not None and found.allocation is not None:
            mapping = improved(tables, mapping_of(tables, found.allocation), part)
            if best.offer(mapping, "large_neighborhood"):
                failures = since_growth = 0
                continue
        failures += 1
        since_growth += 1
        if found is None or not found.proved:
            size, since_growth = max(FEWEST, size - max(1, size // 4)), 0
        elif since_growth >= ROUNDS_PER_SIZE and size < most:
            size, since_growth = min(most, size + max(1, size // 4)), 0
        elif len(freed) == most:
            break
    return rounds


def mapping_of(tables: MonoTables, allocated: Allocated) -> list[int]:
    """Give the positions of the processors, one for each task.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    allocated
        Runs each task on one processor.
    """
    index = tables.platform.index_by_id
    return [index[allocated.tasks[task][0]] for task in tables.tasks]
