"""The best of the heuristics, improved by searches of small programs and by the whole one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from app.domain.errors import SolverError
from app.problems.mono_allocation.program import (
    MOST_SEARCHED,
    Measures,
    exact_program,
    relaxed_program,
)
from workers.allocations.infeasible import why_infeasible
from workers.problems.mono_allocation import bounds, milp
from workers.problems.mono_allocation.answer import Allocated, NoMapping, PeriodBound
from workers.problems.mono_allocation.delegate import default_source, delegate
from workers.problems.mono_allocation.greedy import refined_greedy, simple_greedy
from workers.problems.mono_allocation.local_search import improved
from workers.problems.mono_allocation.neighborhood import neighborhood
from workers.problems.mono_allocation.rounding import rlp_max, rlp_rand
from workers.problems.mono_allocation.routing import best_ways
from workers.problems.mono_allocation.tables import Tables
from workers.problems.mono_allocation.ways import allocated, period_of
from workers.solving.control import Control, Interrupted

HEURISTIC_SHARE = 0.15
"""Of the time left, for one heuristic and the improvement of its mapping."""
ROUNDED_COEFFICIENTS = 100_000
"""Relaxed programs of up to so many are rounded."""
SMALL_COEFFICIENTS = 20_000
"""Exact programs of up to so many are searched as a whole at once."""
BOUND_SHARE = 0.2
"""Of the time left, for the first bound."""
PART_SHARE = 0.5
"""Of the time left, for searching parts before the whole."""


@dataclass(frozen=True)
class Best:
    """What the portfolio found.

    Attributes
    ----------
    allocated
        Over the best ways that the routing allows.
    period
        Exact.
    found_by
        A heuristic; ``local_search`` (improved by moves and swaps), ``large_neighborhood``
        (improved by small programs) or ``milp``.
    searched
        No allocation has a shorter period, by the solver's word; None without a search.
    proved
        Whether the search has closed the gap as far as was asked.
    rounds
        Small programs that were searched.
    nodes
        Of the search of the whole program.
    bound
        What the heuristics' best was bounded by.
    """

    allocated: Allocated
    period: Fraction
    found_by: str
    searched: Fraction | None
    proved: bool
    rounds: int
    nodes: int | None
    bound: PeriodBound | None = None


def portfolio(tables: Tables, control: Control, *, relative_gap: float = 0.0) -> Best:
    """Run the heuristics, then search around the best, then everywhere, as time allows.

    1. `simple_greedy`, `refined_greedy`, `neighborhood`, `delegate`, and where the relaxed program
       is small `rlp_max` and `rlp_rand`; each mapping is improved by moves and swaps.
    2. A large-neighbourhood search: the tasks of some processors are placed anew on these
       processors by the exact program, which is small; see `Neighborhoods`.
    3. `milp`, from the best mapping, with the time left, unless its program is very large.

    After step 1 the best mapping is bounded exactly, and whenever the best one meets that bound,
    the rest is left out.

    Steps 1 and 2 evaluate mappings over the reference ways and without copies of tasks; the
    best mapping is then given the best ways. With the same seed the same mapping is found, as
    long as no limit of time ends a step.

    Parameters
    ----------
    relative_gap
        For `milp`.

    Raises
    ------
    NoMapping
        If there is none.
    Interrupted
        If cancelled, or if the time is over before any mapping is found.
    """
    plain = _plain(tables)
    best = _Incumbent(plain, control)
    _run_heuristics(plain, best, control)
    size = exact_program(tables.instance, _measures(tables))["coefficients"]
    if not best.mapping:
        first = _search_whole(tables, (), None, control, relative_gap)
        if first is None:
            raise Interrupted("time_limit")
        return first
    found = _finished(tables, best, 0, control)
    bound = _first_bound(tables, found.period, control)
    floor = Fraction(0) if bound is None else bound.period
    if found.period > floor and size > SMALL_COEFFICIENTS:
        whole = size <= MOST_SEARCHED
        part = control.within(PART_SHARE * control.remaining) if whole else control
        rounds = _search_parts(plain, best, floor, part)
        found = _finished(tables, best, rounds, control)
    if found.period > floor and size <= MOST_SEARCHED:
        found = _search_whole(tables, best.mapping, found, control, relative_gap) or found
    return replace(found, bound=bound)


def _first_bound(tables: Tables, period: Fraction, control: Control) -> PeriodBound | None:
    part = control.within(BOUND_SHARE * control.remaining, silent=True)
    try:
        bound = bounds.forbidding(tables, part, period)
    except Interrupted as stop:
        if stop.reason == "cancelled":
            raise
        return None
    control.progress(bound=1 / bound.period)
    return bound


def _measures(tables: Tables) -> Measures:
    labels = [len(row) for row in tables.labels]
    return Measures.of(tables.instance, labels, len(tables.resources))


def _plain(tables: Tables) -> Tables:
    """Give the same tasks and reference ways with fixed routing and no copies."""
    instance = tables.instance
    if instance.routing == "fixed" and instance.duplication == "none":
        return tables
    changes: dict[str, object] = {"routing": "fixed", "duplication": "none"}
    if instance.routing != "fixed":
        changes["platform"] = instance.platform.model_copy(update={"routes": ()})
    return Tables(instance.model_copy(update=changes))


class _Incumbent:
    """The best mapping so far.

    Attributes
    ----------
    mapping
        Empty while there is none.
    """

    def __init__(self, tables: Tables, control: Control) -> None:
        self._tables = tables
        self._control = control
        self.mapping: list[int] = []
        self.period = Fraction(0)
        self.found_by = ""

    def offer(self, mapping: Sequence[int], found_by: str) -> bool:
        """Keep a mapping if it is the best."""
        period = self._tables.period(mapping)
        if self.mapping and period >= self.period:
            return False
        self.mapping, self.period, self.found_by = list(mapping), period, found_by
        if period:
            self._control.progress(value=1 / period)
        return True


def _run_heuristics(tables: Tables, best: _Incumbent, control: Control) -> None:
    instance = tables.instance
    source = None if instance.source is None else tables.platform.index_by_id[instance.source]
    heuristics: dict[str, Callable[[Control], list[int]]] = {
        "simple_greedy": lambda part: simple_greedy(tables, part),
        "refined_greedy": lambda part: refined_greedy(tables, part),
        "neighborhood": lambda part: neighborhood(tables, part),
        "delegate": lambda part: delegate(
            tables, part, default_source(tables) if source is None else source, instance.depth
        ),
    }
    if relaxed_program(_measures(tables))["coefficients"] <= ROUNDED_COEFFICIENTS:
        heuristics["rlp_max"] = lambda part: rlp_max(tables, part)
        heuristics["rlp_rand"] = lambda part: rlp_rand(tables, part, instance.seed)
    for name, heuristic in heuristics.items():
        if control.remaining <= 0 and best.mapping:
            break
        part = control.within(HEURISTIC_SHARE * control.remaining)
        try:
            mapping = heuristic(part)
            best.offer(mapping, name)
            best.offer(improved(tables, mapping, part), "local_search")
        except NoMapping:
            continue
        except Interrupted as stop:
            if stop.reason == "cancelled":
                raise


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


class Neighborhoods:
    """Which processors' tasks are placed anew.

    Parameters
    ----------
    tables
        With fixed routing.
    random
        Makes the choices.
    """

    def __init__(self, tables: Tables, random: Random) -> None:
        self._tables = tables
        self._random = random
        self.usable = sorted({i for labels in tables.labels for i in labels})

    def chosen(self, mapping: Sequence[int], size: int) -> set[int]:
        """Choose processors around the most occupied resource.

        First those that sit on it: the processor that computes there, or the ends of the files
        that pass it (at most half of `size`, the longest files first). Then, by turns drawn at
        random: one that exchanges files with those chosen, one that is little occupied, any.
        """
        tables, random = self._tables, self._random
        times = tables.occupation(mapping)
        top = max(times, key=lambda place: (times[place], -place))
        found: dict[int, None] = {}
        if top < tables.num_processors:
            found[top] = None
        passing = []
        for k, m, data in tables.files:
            uses = dict(tables.way_uses(mapping[k], mapping[m]) or ())
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


def _search_parts(tables: Tables, best: _Incumbent, floor: Fraction, control: Control) -> int:
    """Search small programs around the best mapping, down to a bound; give their number."""
    choice = Neighborhoods(tables, Random(tables.instance.seed))
    size, rounds, failures, since_growth = FEWEST, 0, 0, 0
    most = len(choice.usable)
    while failures < MOST_ROUNDS and best.period > floor:
        if control.remaining <= 0:
            break
        freed = choice.chosen(best.mapping, size)
        labels = [
            tuple(q for q in row if q in freed) if best.mapping[k] in freed else (best.mapping[k],)
            for k, row in enumerate(tables.labels)
        ]
        seconds = min(LONGEST_ROUND, ROUND_SHARE * control.remaining)
        part = control.within(seconds, silent=True)
        found: milp.Search | None = None
        try:
            found = milp.search(
                tables,
                part,
                labels=labels,
                start=best.mapping,
                below=best.period,
                presolve=False,
            )
        except SolverError:
            pass
        except Interrupted as stop:
            if stop.reason == "cancelled":
                raise
        rounds += 1
        control.progress(iterations=rounds)
        if found is not None and found.allocation is not None:
            mapping = improved(tables, _mapping(tables, found.allocation), part)
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


def _mapping(tables: Tables, allocated: Allocated) -> list[int]:
    index = tables.platform.index_by_id
    return [index[allocated.tasks[task][0]] for task in tables.tasks]


def _finished(tables: Tables, best: _Incumbent, rounds: int, control: Control) -> Best:
    """Send the files of the best mapping over the best ways."""
    places = [(i,) for i in best.mapping]
    ways = best_ways(tables, best.mapping, control)
    period = period_of(tables, places, ways)
    if period:
        control.progress(value=1 / period)
    found = allocated(tables, places, ways)
    return Best(found, period, best.found_by, None, False, rounds, None)


def _search_whole(
    tables: Tables,
    start: Sequence[int],
    best: Best | None,
    control: Control,
    relative_gap: float,
) -> Best | None:
    """Search the whole program from the best mapping with the time left."""
    if best is not None and (control.remaining <= 0 or not best.period):
        return best

    # The search begins from reference ways and tells of what may not be the best so far.
    part = control.within(control.remaining, silent=best is not None)

    def better(period: Fraction) -> None:
        if period and best is not None and period < best.period:
            control.progress(value=1 / period)

    try:
        found = milp.search(
            tables, part, start=start or None, relative_gap=relative_gap, incumbent=better
        )
    except SolverError:
        if best is None:
            raise
        return best
    except Interrupted as stop:
        if stop.reason == "cancelled" or best is None:
            raise
        return best
    if best is None and (found.allocation is None or found.period is None):
        if found.proved:
            raise NoMapping(why_infeasible(tables.instance), proved=True)
        return None
    if found.allocation is not None and (
        best is None or (found.period is not None and found.period < best.period)
    ):
        assert found.period is not None
        winner, period, found_by = found.allocation, found.period, "milp"
    else:
        assert best is not None
        winner, period, found_by = best.allocated, best.period, best.found_by
    rounds = 0 if best is None else best.rounds
    bound = min(found.bound, period)
    return Best(winner, period, found_by, bound, found.proved, rounds, found.nodes)
