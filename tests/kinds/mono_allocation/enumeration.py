"""The best allocation by trying all of them: slow, and nothing in it is the solver's.

Platforms are read as sets of simple paths, processors as names.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import chain, combinations, groupby, pairwise, product
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.platform import SINGLE_PORT, arc_uses, computing_resource
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.relaxation import Relaxation
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated
from steadygrid.kinds.shared.collection import time_on
from tests.engine.matching.all_slots import share_time

Path = tuple[str, ...]
Load = dict[str, Fraction]


def subsets(names: Sequence[str]) -> list[tuple[str, ...]]:
    return list(chain.from_iterable(combinations(names, n) for n in range(1, len(names) + 1)))


class Enumeration:
    """All allocations of an instance.

    Where a processor takes part in one transfer at a time, loads also say how long each arc is
    used and each processor computes, and periods are those of all slots there are.
    """

    def __init__(self, instance: MonoAllocationInstance) -> None:
        self.instance = instance
        platform = instance.platform
        self.names = [processor.id for processor in platform.processors]
        self.slotted = instance.ports in SINGLE_PORT
        self.hops = {
            (self.names[arc.source], self.names[arc.target]): dict(
                self._summed(arc_uses(platform, arc, instance.ports))
            )
            for arc in platform.arcs
        }
        if self.slotted:
            for arc in platform.arcs:
                hop = self.names[arc.source], self.names[arc.target]
                self.hops[hop][f"arc {arc.index}"] = arc.unit_time
        self.unit = {
            (self.names[arc.source], self.names[arc.target]): arc.unit_time for arc in platform.arcs
        }
        self.times = [
            {
                processor.id: time
                for processor in platform.processors
                if (time := time_on(task, processor)) is not None
            }
            for task in instance.application.tasks
        ]
        self.final = [
            all(source != k for source, _, _ in instance.files) for k in range(len(self.times))
        ]
        self.given = {(r.source, r.target): r.path for r in platform.routes}
        self.fixed_way = cache(self._fixed_way)
        self.ways = cache(self._ways)

    @staticmethod
    def _summed(uses: object) -> Load:
        load: Load = {}
        for resource, time in uses:  # type: ignore[attr-defined]
            load[resource] = load.get(resource, Fraction(0)) + time
        return load

    @cached_property
    def simple_paths(self) -> dict[tuple[str, str], list[Path]]:
        found: dict[tuple[str, str], list[Path]] = {}

        def walk(path: Path) -> None:
            found.setdefault((path[0], path[-1]), []).append(path)
            for source, target in self.hops:
                if source == path[-1] and target not in path:
                    walk((*path, target))

        for name in self.names:
            walk((name,))
        return found

    def _fixed_way(self, source: str, target: str) -> Path | None:
        if (source, target) in self.given:
            return self.given[source, target]
        return min(
            self.simple_paths.get((source, target), []),
            key=lambda path: (sum(self.unit[hop] for hop in pairwise(path)), len(path), path),
            default=None,
        )

    def load_of(self, size: Fraction, path: Path, share: Fraction = Fraction(1)) -> Load:
        load: Load = {}
        for hop in pairwise(path):
            for resource, time in self.hops[hop].items():
                load[resource] = load.get(resource, Fraction(0)) + time * size * share
        return load

    def computing(self, places: Sequence[Sequence[str]]) -> Load:
        load: Load = {}
        for k, row in enumerate(places):
            for name in row:
                for key in (
                    computing_resource(name, self.instance.ports),
                    *([f"computes {name}"] if self.slotted else []),
                ):
                    load[key] = load.get(key, Fraction(0)) + self.times[k][name]
        return load

    def period(self, load: Load) -> Fraction:
        """Give the least period with room for a load."""
        longest = max(load.values(), default=Fraction(0))
        if not self.slotted:
            return longest
        model = pyo.ConcreteModel()
        model.period = pyo.Var(domain=pyo.NonNegativeReals)
        model.least = pyo.Objective(expr=model.period)
        self._in_slots(model, load)
        return max(longest, solve_certified(model, Control()).objective)

    def _in_slots(self, model: Any, load: Mapping[str, Any]) -> None:
        platform = self.instance.platform
        model.rows = pyo.ConstraintList()
        share_time(
            model,
            platform,
            self.instance.ports,
            {
                arc.index: load[name]
                for arc in platform.arcs
                if (name := f"arc {arc.index}") in load
            },
            {
                i: load[key]
                for i, name in enumerate(self.names)
                if (key := f"computes {name}") in load
            },
            model.period,
        )

    def all_places(self) -> Iterator[tuple[tuple[str, ...], ...]]:
        if self.instance.duplication == "none":
            every: Iterator[tuple[tuple[str, ...], ...]] = product(
                *([(name,) for name in row] for row in self.times)
            )
        else:
            every = product(*(subsets(list(row)) for row in self.times))
        return (places for places in every if self.kept(places))

    def kept(self, places: Sequence[Sequence[str]]) -> bool:
        """Tell whether tasks fit into memory, and lie in intervals if that is asked."""
        tasks = self.instance.application.tasks
        for processor in self.instance.platform.processors:
            here = [
                task.memory or 0
                for task, on in zip(tasks, places, strict=True)
                if processor.id in on
            ]
            if processor.memory is not None and sum(here) > processor.memory:
                return False
        if not self.instance.contiguous:
            return True
        number = {task.id: k for k, task in enumerate(tasks)}
        onward = {file.source: file.target for file in self.instance.application.files}
        row = [name for name in number if name not in onward.values()]
        while row[-1] in onward:
            row.append(onward[row[-1]])
        names = [places[number[name]][0] for name in row]
        return len([*groupby(names)]) == len(set(names))

    def best(self) -> Fraction | None:
        """Give the shortest period; None where no allocation exists."""
        best: Fraction | None = None
        listed = sorted(
            (
                (max(load.values()), places, load)
                for places in self.all_places()
                for load in [self.computing(places)]
            ),
            key=lambda entry: entry[0],
        )
        for least, places, load in listed:
            if best is not None and least >= best:
                break
            found = self.best_ways(places, load, best)
            if found is not None and (best is None or found < best):
                best = found
        return best

    def best_ways(
        self, places: Sequence[Sequence[str]], load: Load, below: Fraction | None
    ) -> Fraction | None:
        instance = self.instance
        if instance.routing == "multipath" and instance.duplication != "tasks_and_files":
            return self._split(places, load, below)
        needs = []
        for k, l, size in instance.files:
            receivers = [r for r in places[l] if r not in places[k]]
            if not receivers:
                continue
            if instance.duplication == "tasks_and_files":
                options = self._copied_files(size, places[k], receivers)
                needs.append(options)
            else:
                needs += [self.ways(size, tuple(places[k]), r) for r in receivers]
        if not all(needs):
            return None
        needs.sort(key=len)
        return self._choose(needs, load, below)

    def _choose(
        self, needs: Sequence[Sequence[Load]], load: Load, below: Fraction | None
    ) -> Fraction | None:
        longest = max(load.values(), default=Fraction(0))
        if below is not None and longest >= below:
            return None
        if not needs:
            found = self.period(load)
            return found if below is None or found < below else None
        best = None
        for option in needs[0]:
            together = dict(load)
            for resource, time in option.items():
                together[resource] = together.get(resource, Fraction(0)) + time
            found = self._choose(needs[1:], together, below)
            if found is not None:
                best = below = found
        return best

    def _ways(self, size: Fraction, senders: tuple[str, ...], receiver: str) -> list[Load]:
        paths: list[Path] = []
        for sender in senders:
            if self.instance.routing == "fixed":
                way = self.fixed_way(sender, receiver)
                paths += [] if way is None else [way]
            else:
                paths += self.simple_paths.get((sender, receiver), [])
        return [self.load_of(size, path) for path in paths]

    def _copied_files(
        self, size: Fraction, senders: Sequence[str], receivers: Sequence[str]
    ) -> list[Load]:
        """Give what any set of ways takes that brings the file to all receivers, links once."""
        if self.instance.routing == "fixed":
            ways = [
                way
                for pair in self.simple_paths
                if pair[0] != pair[1] and (way := self.fixed_way(*pair)) is not None
            ]
        else:
            ways = list(self.hops)
        found: list[tuple[frozenset[tuple[str, str]], Load]] = []
        for number in range(1, len(ways) + 1):
            for chosen in combinations(ways, number):
                links = frozenset(hop for way in chosen for hop in pairwise(way))
                if any(known <= links for known, _ in found):
                    continue
                having = set(senders)
                while True:
                    more = {p for way in chosen if way[0] in having for p in way} - having
                    if not more:
                        break
                    having |= more
                if having >= set(receivers):
                    load: Load = {}
                    for hop in links:
                        for resource, time in self.hops[hop].items():
                            load[resource] = load.get(resource, Fraction(0)) + time * size
                    found.append((links, load))
        return [load for _, load in found]

    def _split(
        self, places: Sequence[Sequence[str]], load: Load, below: Fraction | None
    ) -> Fraction | None:
        """Share every file out over all simple paths by a linear program."""
        rows: dict[str, list[tuple[Fraction, int]]] = {resource: [] for resource in load}
        copies: list[list[int]] = []
        number = 0
        for k, l, size in self.instance.files:
            for receiver in places[l]:
                if receiver in places[k]:
                    continue
                copies.append([])
                for path in (
                    p for s in places[k] for p in self.simple_paths.get((s, receiver), [])
                ):
                    for resource, time in self.load_of(size, path).items():
                        rows.setdefault(resource, []).append((time, number))
                    copies[-1].append(number)
                    number += 1
        if not all(copies):
            return None
        if not copies:
            return self.period(load)
        model = pyo.ConcreteModel()
        model.period = pyo.Var(domain=pyo.NonNegativeReals)
        model.share = pyo.Var(range(number), domain=pyo.NonNegativeReals)
        model.least = pyo.Objective(expr=model.period)
        model.whole = pyo.Constraint(
            range(len(copies)), rule=lambda m, c: sum(m.share[n] for n in copies[c]) == 1
        )
        model.busy = pyo.Constraint(
            list(rows),
            rule=lambda m, u: (
                m.period - sum(time * m.share[n] for time, n in rows[u]) >= load.get(u, Fraction(0))
            ),
        )
        if self.slotted:
            self._in_slots(
                model,
                {
                    u: load.get(u, Fraction(0)) + sum(time * model.share[n] for time, n in rows[u])
                    for u in rows
                },
            )
        if below is not None:
            with Relaxation(model, Control()) as relaxation:
                relaxation.solve()
                if relaxation.value > float(below) * (1 + 1e-6):
                    return None
        return solve_certified(model, Control()).objective


def fault_of(instance: MonoAllocationInstance, allocated: Allocated) -> str | None:
    """Say what is wrong with an allocation; None if nothing is."""
    tried = Enumeration(instance)
    ids = [task.id for task in instance.application.tasks]
    places = [allocated.tasks[task] for task in ids]
    if not tried.kept(places):
        return "memory or intervals are not kept"
    for k, row in enumerate(places):
        if not row or len(set(row)) < len(row) or not set(row) <= tried.times[k].keys():
            return f"{ids[k]} runs on {row}"
        if instance.duplication == "none" and len(row) > 1:
            return f"{ids[k]} is copied"
    for transfer in allocated.transfers:
        hops = list(pairwise(transfer.path))
        if not hops or len(set(transfer.path)) <= len(hops) or not set(hops) <= tried.hops.keys():
            return f"no way: {transfer.path}"
        if instance.routing == "fixed" and transfer.path != tried.fixed_way(
            transfer.path[0], transfer.path[-1]
        ):
            return f"not the given way: {transfer.path}"
    for k, l, _ in instance.files:
        moved = [t for t in allocated.transfers if t.file == (ids[k], ids[l])]
        if instance.duplication == "tasks_and_files":
            hops = [hop for t in moved for hop in pairwise(t.path)]
            having = set(places[k])
            for _ in moved:
                having |= {p for t in moved if t.path[0] in having for p in t.path}
            if len(set(hops)) < len(hops) or any(t.share != 1 for t in moved):
                return f"{ids[k]} -> {ids[l]} goes over a link twice, or in parts"
            if not having >= {t.path[0] for t in moved} | set(places[l]):
                return f"{ids[k]} -> {ids[l]} comes from nowhere"
            continue
        for receiver in places[l]:
            here = [t for t in moved if t.path[-1] == receiver]
            if sum(t.share for t in here) != (receiver not in places[k]):
                return f"{ids[k]} -> {ids[l]} reaches {receiver} not once"
            if instance.routing != "multipath" and len(here) > 1:
                return f"{ids[k]} -> {ids[l]} is split"
        if any(t.path[0] not in places[k] or t.path[-1] not in places[l] for t in moved):
            return f"{ids[k]} -> {ids[l]} goes astray"
    return None


def period_of(instance: MonoAllocationInstance, allocated: Allocated) -> Fraction:
    """Give the longest time of a resource, every transfer taking its time on all its links."""
    tried = Enumeration(instance)
    load = tried.computing([allocated.tasks[task.id] for task in instance.application.tasks])
    for file, path, share in allocated.transfers:
        for resource, time in tried.load_of(instance.file_sizes[file], path, share).items():
            load[resource] = load.get(resource, Fraction(0)) + time
    return tried.period(load)
