"""Whether tasks can be placed so that every file can travel, at any cost.

Processors that can all send to each other, over however many hops, are one place: on most
platforms there are few places, so that even wide task graphs are decided at once. Where routes are
missing, what can be reached by links is not all that files reach: then processors are one place if the
same routes to and from others are missing.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from graphlib import TopologicalSorter

from steadygrid.verification.findings import Findings
from steadygrid.verification.steady import SteadyInstance

MAX_ROWS = 1_000_000
"""Combinations of places looked at together; beyond, nothing is said."""

_Table = tuple[tuple[int, ...], set[tuple[int, ...]]]
"""Tasks, and the combinations of their places that are possible."""


@dataclass(frozen=True)
class Places:
    """The platform's places.

    Attributes
    ----------
    place
        By processor.
    reach
        By place, as bits, the places to which its processors can send.
    """

    place: Mapping[str, int]
    reach: Sequence[int]

    @classmethod
    def from_hops(
        cls,
        processors: Iterable[str],
        hops: Iterable[tuple[str, str]],
        missing: Iterable[tuple[str, str]] = (),
    ) -> "Places":
        """Find the strongly connected components of a platform, and who reaches whom.

        Parameters
        ----------
        missing
            Pairs between which no file goes, though there may be hops; they split components.

        Notes
        -----
        Tarjan's algorithm, without recursion. It ends components after all that they reach.
        """
        receivers: dict[str, list[str]] = {name: [] for name in processors}
        for sender, receiver in hops:
            receivers[sender].append(receiver)
        place: dict[str, int] = {}
        reach: list[int] = []
        found: dict[str, int] = {}
        low: dict[str, int] = {}
        trail: list[str] = []
        for root, first in receivers.items():
            stack = [(root, iter(first))] if root not in found else []
            while stack:
                name, rest = stack[-1]
                if name not in found:
                    found[name] = low[name] = len(found)
                    trail.append(name)
                for other in rest:
                    if other not in found:
                        stack.append((other, iter(receivers[other])))
                        break
                    if other not in place:
                        low[name] = min(low[name], found[other])
                else:
                    stack.pop()
                    if stack:
                        above = stack[-1][0]
                        low[above] = min(low[above], low[name])
                    if low[name] == found[name]:
                        reach.append(1 << len(reach))
                        _close(name, trail, place, reach, receivers)
        return cls(*_split(place, reach, missing))

    def reaches(self, one: int, other: int) -> bool:
        """Tell whether files can travel from one place to another.

        Parameters
        ----------
        one, other
            Their numbers, as `place` gives them.
        """
        return bool(self.reach[one] >> other & 1)


def _close(
    first: str,
    trail: list[str],
    place: dict[str, int],
    reach: list[int],
    receivers: Mapping[str, Sequence[str]],
) -> None:
    here = len(reach) - 1
    start = len(trail) - 1
    while trail[start] != first:
        start -= 1
    members = trail[start:]
    del trail[start:]
    place.update(dict.fromkeys(members, here))
    for member in members:
        for other in receivers[member]:
            reach[here] |= reach[place[other]]


def _split(
    place: Mapping[str, int], reach: Sequence[int], missing: Iterable[tuple[str, str]]
) -> tuple[dict[str, int], list[int]]:
    """Take processors with missing routes out of their components, those of the same ones together."""
    to: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for sender, receiver in missing:
        to.setdefault(sender, set()).add(receiver)
        back.setdefault(receiver, set()).add(sender)
    places = dict(place)
    inside = [1 << component for component in range(len(reach))]
    parts: dict[tuple[int, frozenset[str], frozenset[str]], int] = {}
    for name in sorted({*to, *back}):
        part = place[name], frozenset(to.get(name, ())), frozenset(back.get(name, ()))
        if part not in parts:
            parts[part] = len(reach) + len(parts)
            inside[part[0]] |= 1 << parts[part]
        places[name] = parts[part]
    wider = [
        sum(bits for component, bits in enumerate(inside) if reached >> component & 1)
        for reached in reach
    ]
    for component, names, _ in parts:
        closed = {places[name] for name in names}
        wider.append(wider[component] & ~sum(1 << other for other in closed))
    return places, wider


def placement_exists(
    candidates: Sequence[AbstractSet[str]],
    files: Iterable[tuple[int, int]],
    places: Places,
    order: Iterable[int],
    most_rows: int = MAX_ROWS,
) -> bool | None:
    """Tell whether every task has a processor so that every file can reach its user.

    Parameters
    ----------
    candidates
        By task, the processors that may run it.
    files
        Producer and user of each, as positions in `candidates`.
    order
        All tasks; in which order they are eliminated decides only about the time.
    most_rows
        Longest table of combinations.

    Returns
    -------
    bool or None
        None if a table would have been longer.
    """
    options = [{places.place[name] for name in names} for names in candidates]
    tables: list[_Table] = []
    for source, target in files:
        if len(options[source]) * len(options[target]) > most_rows:
            return None
        pairs: set[tuple[int, ...]] = {
            (one, other)
            for one in options[source]
            for other in options[target]
            if places.reaches(one, other)
        }
        tables.append(((source, target), pairs))
    waiting: list[list[_Table]] = [[] for _ in candidates]
    turn = {task: position for position, task in enumerate(order)}
    for table in tables:
        waiting[min(table[0], key=turn.__getitem__)].append(table)
    for task in turn:
        joined: _Table = ((task,), {(option,) for option in options[task]})
        for table in waiting[task]:
            joined = _join(joined, table, most_rows)
            if len(joined[1]) > most_rows:
                return None
        if not joined[1]:
            return False
        left = joined[0][1:]
        if left:
            rest = left, {row[1:] for row in joined[1]}
            waiting[min(left, key=turn.__getitem__)].append(rest)
    return True


def _join(one: _Table, other: _Table, most_rows: int) -> _Table:
    shared = [task for task in other[0] if task in one[0]]
    new = [i for i, task in enumerate(other[0]) if task not in one[0]]
    here = [one[0].index(task) for task in shared]
    there = [other[0].index(task) for task in shared]
    matching: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for row in other[1]:
        key = tuple(row[i] for i in there)
        matching.setdefault(key, []).append(tuple(row[i] for i in new))
    rows: set[tuple[int, ...]] = set()
    for row in one[1]:
        for more in matching.get(tuple(row[i] for i in here), ()):
            rows.add(row + more)
        if len(rows) > most_rows:
            break
    return (*one[0], *(other[0][i] for i in new)), rows


def copies_exist(
    candidates: Sequence[AbstractSet[str]], files: Sequence[tuple[int, int]], places: Places
) -> bool:
    """Tell whether copies of every task can be placed so that each gets its files.

    Producers first: a copy can be where one of each producer can be that has a route there. More
    copies of producers never hurt, so all that can be are kept.

    Parameters
    ----------
    candidates, files
        As for `placement_exists`. The files form no cycle.
    """
    order = TopologicalSorter({task: set[int]() for task in range(len(candidates))})
    producers: list[list[int]] = [[] for _ in candidates]
    for source, target in files:
        order.add(target, source)
        producers[target].append(source)
    here = [{places.place[name] for name in names} for names in candidates]
    for task in order.static_order():
        for producer in producers[task]:
            here[task] = {
                place
                for place in here[task]
                if any(places.reaches(other, place) for other in here[producer])
            }
    return all(here)


def check_infeasible(
    steady: SteadyInstance,
    order: Sequence[int],
    findings: Findings,
    missing: Iterable[tuple[str, str]] = (),
) -> None:
    """Check that the tasks cannot be placed so that every file can travel.

    Parameters
    ----------
    order
        Of the tasks, by position: in which they are joined, where each runs once.
    missing
        Pairs of processors between which no file goes.

    Notes
    -----
    Rules, in this order:

    == ================================================= ================
    1  there is no placement with a route for every file `not_infeasible`
    2  that is found with tables of a sensible size      `not_proved`
    == ================================================= ================
    """
    position = {task: i for i, task in enumerate(steady.times)}
    candidates = [times.keys() for times in steady.times.values()]
    files = [(position[source], position[target]) for source, target in steady.sizes]
    places = Places.from_hops(sorted(steady.network.processors), steady.network.hops, missing)
    exists = (
        placement_exists(candidates, files, places, order)
        if steady.duplication == "none"
        else copies_exist(candidates, files, places)
    )
    if exists:
        findings.add(
            ("result", "outcome"),
            "not_infeasible",
            "The instance is not infeasible: its tasks can be placed so that every file can travel.",
        )
    if exists is None:
        findings.add(
            ("result", "outcome"),
            "not_proved",
            "Whether the tasks can be placed takes more room than is sensible.",
        )
