"""The heuristics by their names: each gives one mapping."""

from collections.abc import Callable, Mapping

from workers.allocations.last_resort import some_allocation
from workers.mapping import NoMapping
from workers.problems.mono_allocation.heuristics.delegate import default_source, delegate
from workers.problems.mono_allocation.heuristics.few import few
from workers.problems.mono_allocation.heuristics.greedy import refined_greedy, simple_greedy
from workers.problems.mono_allocation.heuristics.neighborhood import neighborhood
from workers.problems.mono_allocation.heuristics.rounding import rlp_max, rlp_rand
from workers.problems.mono_allocation.tables import MonoTables
from workers.solving.control import Control

Heuristic = Callable[[MonoTables, Control], list[int]]

SOME = "some_allocation"
"""What takes next to no time at any size; no method that can be asked for."""
GREEDY = ("simple_greedy", "refined_greedy")
"""What takes little time at any size."""
QUICK_SECONDS = 10.0
"""For each of these, whatever the time limit is: they are what is left when it is over."""
THOROUGH = ("delegate", "neighborhood")
"""What looks at all pairs of processors, or of some of them."""
ROUNDING = ("rlp_max", "rlp_rand")
"""What solves relaxed programs."""


def source_of(tables: MonoTables) -> int:
    """Give the processor on which delegate begins: the one asked for, or a good one."""
    source = tables.instance.source
    return default_source(tables) if source is None else tables.platform.index_by_id[source]


def _some(tables: MonoTables, control: Control) -> list[int]:
    mapping = some_allocation(tables.instance, tables.routes, control.check)
    if mapping is None:
        raise NoMapping("no task could be placed after those before it")
    return mapping


def _on_few(heuristic: Heuristic) -> Heuristic:
    """Let a heuristic that looks at all pairs of processors see some of a large platform."""

    def mapping(tables: MonoTables, control: Control) -> list[int]:
        seen = few(tables, control)
        return seen.whole(heuristic(seen.tables, control))

    return mapping


HEURISTICS: Mapping[str, Heuristic] = {
    SOME: _some,
    "simple_greedy": simple_greedy,
    "refined_greedy": refined_greedy,
    "rlp_max": _on_few(rlp_max),
    "rlp_rand": _on_few(lambda tables, control: rlp_rand(tables, control, tables.instance.seed)),
    "delegate": _on_few(
        lambda tables, control: delegate(tables, control, source_of(tables), tables.instance.depth)
    ),
    "neighborhood": _on_few(neighborhood),
}
