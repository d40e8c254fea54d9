"""Large platforms seen by methods that look at all pairs of processors: some hosts of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from steadygrid.domain.platform import Platform
from steadygrid.engine.allocations.last_resort import some_allocation
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.fastest import fastest_first
from steadygrid.engine.mapping.tables import Mapping_
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import refined_greedy, simple_greedy
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

SEEN_PER_TASK = 2
"""Processors that are looked at, for each task, of a platform that is seen in part."""
FEWEST_SEEN, MOST_SEEN = 100, 300
"""Of them, at least and at most."""
WHOLE = 1.5
"""Platforms with more than so many times as many processors are seen in part."""
BOUND = 3
"""Processors of a task that is tied to where its data is, at most."""


class PlatformPart(NamedTuple):
    """The part of a platform that is looked at, or all of it.

    Attributes
    ----------
    tables
        Of the same application on that part. Its routes are those on the whole platform, so that
        each of its mappings is one of the whole, with the same period.
    position
        In the whole platform, of each processor of the part.
    """

    tables: MonoTables
    position: Sequence[int]

    def whole(self, mapping: Mapping_) -> list[int]:
        """Give a mapping of the part by positions in the whole platform."""
        return [self.position[i] for i in mapping]

    def part(self, mapping: Mapping_) -> list[int]:
        """Give a mapping by positions in the part, which has its processors."""
        place = {there: here for here, there in enumerate(self.position)}
        return [place[i] for i in mapping]


def choose_part(tables: MonoTables, control: Control) -> PlatformPart:
    """Choose the processors that are looked at; computed once.

    Where not many more run tasks, all. Else two for each task, within limits (`num_seen`):

    1. Those of the two greedy mappings, the source asked for, and those of tasks that few can run.
    2. By turns the fastest for each task, and those that are nearest to the ones before, by the time
       of a unit of data on its path.

    Of interchangeable ones there are no more than there are tasks. All that lies on the paths between
    them is there too.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If the time is over before.
    """
    return tables.cached(_choose_part, control)


def num_seen(tables: MonoTables) -> int:
    """Give how many of the processors that run tasks are looked at."""
    usable = len(tables.usable)
    seen = max(FEWEST_SEEN, min(MOST_SEEN, SEEN_PER_TASK * len(tables.tasks)))
    return usable if usable <= WHOLE * seen else seen


def _choose_part(tables: MonoTables, control: Control) -> PlatformPart:
    usable = tables.usable
    seen = num_seen(tables)
    if seen == len(usable):
        return PlatformPart(tables, range(tables.num_processors))
    kept = _needed(tables, control)
    fastest, nearest = _fastest(tables), _nearest(tables, usable, list(kept), control)
    twins = twins_of(tables)
    full = Counter(twins.like(i)[0] for i in kept)
    while len(kept) < seen:
        before = len(kept)
        for ranking in (fastest, nearest):
            chosen = next(
                (
                    i
                    for i in ranking
                    if i not in kept and full[twins.like(i)[0]] < len(tables.tasks)
                ),
                None,
            )
            if chosen is not None:
                kept[chosen] = None
                full[twins.like(chosen)[0]] += 1
        if len(kept) == before:
            break
    return _cut(tables, sorted(kept), usable, control)


def _needed(tables: MonoTables, control: Control) -> dict[int, None]:
    some = some_allocation(tables.instance, tables.routes, control.check)
    kept: dict[int, None] = dict.fromkeys(some or ())
    if tables.limits is not None:
        kept.update(dict.fromkeys(tables.fitting(control) or ()))
    for greedy in (simple_greedy, refined_greedy):
        try:
            kept.update(dict.fromkeys(tables.cached(greedy, control)))
        except NoMapping:
            continue
    source = tables.instance.source
    if source is not None:
        kept[tables.platform.index_by_id[source]] = None
    for labels in tables.labels:
        if len(labels) <= BOUND:
            kept.update(dict.fromkeys(labels))
    return kept


def _fastest(tables: MonoTables) -> Iterator[int]:
    """Give the processors by turns: the fastest for each task, the next for each, and so on."""
    rankings = [fastest_first(tables.instance, task) for task in range(len(tables.tasks))]
    for rank in zip_longest(*rankings):
        yield from (i for i in rank if i is not None)


def _nearest(
    tables: MonoTables, usable: Sequence[int], anchors: Sequence[int], control: Control
) -> Iterator[int]:
    arcs = tables.platform.arcs
    far: dict[int, Fraction] = {}
    for i in usable:
        control.check()
        for anchor in anchors[:BOUND]:
            route = tables.reference_path(anchor, i)
            if route is not None:
                time = sum((arcs[arc].unit_time for arc in route), Fraction(0))
                far[i] = min(far.get(i, time), time)
    return iter(sorted(far, key=lambda i: (far[i], i)))


def _cut(
    tables: MonoTables, chosen: Sequence[int], usable: Sequence[int], control: Control
) -> PlatformPart:
    """Cut a platform down to some processors and all that is on the routes between them.

    What lies there and runs tasks itself is one of them.
    """
    platform, able = tables.platform, frozenset(usable)
    seen: set[int] = set()
    used: set[int] = set()
    new = set(chosen)
    while new:
        seen |= new
        for source in sorted(seen):
            control.check()
            for target in seen if source in new else new:
                used.update(tables.reference_path(source, target) or ())
        ends = {
            end for arc in used for end in (platform.arcs[arc].source, platform.arcs[arc].target)
        }
        new = (ends & able) - seen
    position = sorted(
        seen
        | {end for arc in used for end in (platform.arcs[arc].source, platform.arcs[arc].target)}
    )
    names = {platform.processors[i].id for i in seen}
    links = [platform.links[k] for k in sorted({platform.arcs[arc].link for arc in used})]
    shared = {medium for link in links for medium in link.media}
    part = Platform.model_construct(
        name=platform.name,
        units=platform.units,
        processors=tuple(platform.processors[i] for i in position),
        links=tuple(links),
        media=tuple(medium for medium in platform.media if medium.id in shared),
        routes=tuple(r for r in platform.routes if r.source in names and r.target in names),
    )
    instance = tables.instance
    fields = {name: getattr(instance, name) for name in type(instance).model_fields}
    return PlatformPart(
        MonoTables(type(instance).model_construct(**fields | {"platform": part})), position
    )
