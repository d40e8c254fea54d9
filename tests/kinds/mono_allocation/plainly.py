"""The algorithms of the source once more, as plainly as they can be written."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from steadygrid.engine.mapping import NoMapping
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables


def occupation(tables: MonoTables, mapping: Sequence[int]) -> list[Fraction] | None:
    """Evaluate from scratch: sorted occupations of all resources, the longest first."""
    if any(i not in tables.labels[k] for k, i in enumerate(mapping)):
        return None
    try:
        times = list(tables.occupation(mapping).values())
    except NoMapping:
        return None
    padding = [Fraction(0)] * (len(tables.resources) - len(times))
    return sorted(times + padding, reverse=True)


def mappings(tables: MonoTables) -> Iterator[tuple[int, ...]]:
    """All mappings of all tasks for which every file has a way."""
    for mapping in product(*tables.labels):
        if all(
            tables.reference_path(mapping[k], mapping[m]) is not None for k, m, _ in tables.files
        ):
            yield mapping


def optimum(tables: MonoTables) -> Fraction | None:
    """Give the shortest period over the reference ways, None if there is no mapping."""
    return min((tables.period(mapping) for mapping in mappings(tables)), default=None)


def distances(tables: MonoTables, task: int) -> dict[int, int]:
    found = {task: 0}
    for _ in tables.tasks:
        for k, m, _ in tables.files:
            for a, b in ((k, m), (m, k)):
                if a in found:
                    found[b] = min(found.get(b, found[a] + 1), found[a] + 1)
    return found


def neighborhoods(tables: MonoTables, depth: int) -> dict[tuple[int, ...], set[int]]:
    """Give all connected sets, with the tasks of which they are neighborhoods."""
    joined = [{m for k, m, _ in tables.files if k == a} for a in range(len(tables.tasks))]
    for k, m, _ in tables.files:
        joined[m].add(k)
    near = [distances(tables, task) for task in range(len(tables.tasks))]
    sets = {}
    for size in range(1, len(tables.tasks) + 1):
        for some in combinations(range(len(tables.tasks)), size):
            seen, edge = {some[0]}, [some[0]]
            while edge:
                edge = [b for a in edge for b in joined[a] if b in some and b not in seen]
                seen.update(edge)
            roots = {k for k in some if all(near[k].get(m, depth + 1) <= depth for m in some)}
            if len(seen) == size and roots:
                sets[some] = roots
    return sets


def refined(
    tables: MonoTables, mapping: list[int], some: set[int], target: int
) -> list[int] | None:
    value = occupation(tables, mapping)
    grown = value is not None
    while grown:
        grown = False
        for task in range(len(mapping)):
            beside = any({k, m} - some == {task} for k, m, _ in tables.files if {k, m} & some)
            if task in some or not beside or mapping[task] == target:
                continue
            trial = [target if k == task else i for k, i in enumerate(mapping)]
            tried = occupation(tables, trial)
            if tried is not None and tried < value:
                mapping, value, grown = trial, tried, True
                some = {*some, task}
    return mapping if value is not None else None


def delegated(tables: MonoTables, start: list[int], depth: int) -> list[int]:
    """Run Algorithm 5 as its text says, without any short cut."""
    current, sets = start, neighborhoods(tables, depth)
    while True:
        best, best_value = None, None
        for target in range(tables.num_processors):
            for some, roots in sets.items():
                if all(current[k] == target for k in roots):
                    continue
                moved = [target if k in some else i for k, i in enumerate(current)]
                mapping = refined(tables, moved, set(some), target)
                value = None if mapping is None else occupation(tables, mapping)
                if value is not None and (best_value is None or value < best_value):
                    best, best_value = mapping, value
        if best is None or best_value >= occupation(tables, current):
            return current
        current = best


def neighborly(tables: MonoTables) -> list[int] | None:
    """Run Algorithm 6 from scratch at every step; None where it finds no mapping."""
    tasks = range(len(tables.tasks))

    def sorted_times(times):
        return sorted((t for t in times.values() if t), reverse=True)

    def plus(times, task=None, place=None, file=None, ends=None):
        times = dict(times)
        if task is not None:
            times[place] = times.get(place, 0) + tables.time(task, place)
        if file is not None:
            uses = tables.path_uses(*ends)
            if uses is None:
                return None
            for resource, time in uses:
                times[resource] = times.get(resource, 0) + tables.files[file][2] * time
        return times

    def game(times, task, place, mapping):
        times = plus(times, task, place)
        files = [
            (m if k == task else k, f, k == task)
            for f, (k, m, _) in enumerate(tables.files)
            if task in (k, m)
        ]
        for other, file, outwards in sorted(files):
            able = tables.labels[other] if mapping.get(other) is None else [mapping[other]]
            tried = []
            for j in able:
                ends = (place, j) if outwards else (j, place)
                fresh = other if mapping.get(other) is None else None
                found = plus(times, fresh, j, file, ends)
                if found is not None:
                    tried.append(found)
            if not tried:
                return None
            times = min(tried, key=sorted_times)
        return times

    priorities = []
    for task in tasks:
        found = [game({}, task, i, {}) for i in tables.labels[task]]
        longest = [max(times.values(), default=0) for times in found if times is not None]
        if not longest:
            return None
        priorities.append(Fraction(sum(longest)) / len(longest))
    mapping, times = {}, {}
    for task in sorted(tasks, key=lambda k: -priorities[k]):
        found = [(game(times, task, i, mapping), i) for i in tables.labels[task]]
        found = [(sorted_times(state), i) for state, i in found if state is not None]
        if not found:
            return None
        mapping[task] = min(found)[1]
        times = plus(times, task, mapping[task])
        for f, (k, m, _) in enumerate(tables.files):
            if task in (k, m) and k in mapping and m in mapping:
                times = plus(times, None, None, f, (mapping[k], mapping[m]))
    return [mapping[k] for k in tasks]
