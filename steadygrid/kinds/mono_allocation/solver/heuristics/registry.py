"""All heuristics, in the order in which they run: each gives one mapping.

To add one, write its function in a file of its own, its line here, and its sentence in
`steadygrid.kinds.mono_allocation.methods`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from steadygrid.engine.allocations.last_resort import some_allocation
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import default_source, delegate
from steadygrid.kinds.mono_allocation.solver.heuristics.few import choose_part
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import refined_greedy, simple_greedy
from steadygrid.kinds.mono_allocation.solver.heuristics.neighborhood import neighborhood
from steadygrid.kinds.mono_allocation.solver.heuristics.rounding import rlp_max, rlp_rand
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

QUICK_SECONDS = 10.0
"""For each quick heuristic, under every time limit: it is what is left when that is over."""


class Effort(Enum):
    """What a heuristic takes, and so when it runs."""

    QUICK = auto()
    """Little time at any size."""
    PAIRS = auto()
    """Looks at all pairs of processors: at those of a part where the platform is large."""
    PROGRAM = auto()
    """Solves relaxed programs, likewise of a part."""


@dataclass(frozen=True)
class Heuristic:
    """A method to find one mapping.

    Attributes
    ----------
    name
        As a method, see `steadygrid.kinds.mono_allocation.methods`.
    function
        Raises `NoMapping` where it finds none.
    anytime
        Whether it begins with a mapping and only improves it, so that it gives the best so far
        where the time is over. The others raise `OutOfTime`.
    """

    name: str
    function: Callable[[MonoTables, Control], list[int]]
    effort: Effort
    anytime: bool = False

    def mapping(self, tables: MonoTables, control: Control) -> list[int]:
        """Find a mapping; on a large platform, of the part that is looked at.

        Those that take little time are run once for the same tables.

        Parameters
        ----------
        tables
            The instance, with its routes between processors, by position.
        control
            Deadline, cancellation and progress of the solve.

        Returns
        -------
        list of int
            Position of the processor of each task.

        Raises
        ------
        NoMapping
            If it finds none.
        Cancelled, OutOfTime
            If the solve was asked to stop, or its time is over. See `anytime`.
        """
        if self.effort is Effort.QUICK:
            return tables.cached(self.function, control)
        seen = choose_part(tables, control)
        return seen.whole(self.function(seen.tables, control))


def _some_mapping(tables: MonoTables, control: Control) -> list[int]:
    if tables.limits is not None:
        mapping = tables.fitting(control)
        if mapping is None:
            raise NoMapping("to find out whether the tasks fit takes too long")
        return mapping
    mapping = some_allocation(tables.instance, tables.routes, control.check)
    if mapping is None:
        raise NoMapping("no task could be placed after those before it")
    return mapping


def _delegate(tables: MonoTables, control: Control) -> list[int]:
    """Begin on the processor that was asked for, or on a good one."""
    asked = tables.instance.source
    source = default_source(tables) if asked is None else tables.platform.index_by_id[asked]
    try:
        return delegate(tables, control, source, tables.instance.depth)
    except NoMapping:
        # What has no room on the source may leave the rest without room, too.
        start = None if tables.limits is None else tables.fitting(control)
        if start is None:
            raise
        return delegate(tables, control, source, tables.instance.depth, start)


def _rlp_rand(tables: MonoTables, control: Control) -> list[int]:
    return rlp_rand(tables, control, tables.instance.seed)


SOME = Heuristic("some_allocation", _some_mapping, Effort.QUICK, anytime=True)
"""What takes next to no time at any size. No method that can be asked for."""

HEURISTICS: dict[str, Heuristic] = {
    heuristic.name: heuristic
    for heuristic in (
        Heuristic("simple_greedy", simple_greedy, Effort.QUICK),
        Heuristic("refined_greedy", refined_greedy, Effort.QUICK),
        Heuristic("delegate", _delegate, Effort.PAIRS, anytime=True),
        Heuristic("neighborhood", neighborhood, Effort.PAIRS),
        Heuristic("rlp_max", rlp_max, Effort.PROGRAM),
        Heuristic("rlp_rand", _rlp_rand, Effort.PROGRAM),
    )
}


def of_effort(*efforts: Effort) -> list[Heuristic]:
    """List the heuristics that take so much."""
    return [heuristic for heuristic in HEURISTICS.values() if heuristic.effort in efforts]
