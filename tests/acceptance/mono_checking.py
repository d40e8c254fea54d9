"""A judge of single allocations, written from the contract and the models alone.

JSON in, plain fractions, no code of the service. Each function raises `AssertionError` at the
first thing that is not so.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

from tests.acceptance.checking import Arc, Grid, check_counts, grid_of, number, resources_of
from tests.acceptance.runs import check_runs, moved_in, moves_parts, side_by_side

REFERENCES = ("heft", "data_parallel", "clustering")
File = tuple[str, str]
Path = tuple[str, ...]
Copy = tuple[str, str]


class Case(NamedTuple):
    """An instance of `mono_allocation`, read."""

    grid: Grid
    times: dict[str, dict[str, Fraction]]
    sizes: dict[File, Fraction]
    routes: dict[tuple[str, str], Path]
    routing: str
    duplication: str

    def used(self, arc: Arc, data: Fraction) -> dict[str, Fraction]:
        """Give what some data over one link takes of each resource.

        A link needs no word of its own next to a port, or to both of its directions together.
        """
        port = self.grid.one_port and not set(arc) <= self.grid.switches
        implied = port or frozenset(arc) in self.grid.half
        return {
            name: each * data
            for name, each in resources_of(self.grid, arc).items()
            if not (implied and name.endswith(".link"))
        }


def case_of(problem: dict[str, Any]) -> Case:
    platform, application = problem["platform"], problem["application"]
    nothing: dict[str, Any] = {"master": "", "task": {"times": {}}}
    grid = grid_of({"ports": "multiport", **problem, **nothing})
    times: dict[str, dict[str, Fraction]] = {}
    for task in application["tasks"]:
        able = times[task["id"]] = {}
        for processor in platform["processors"]:
            name = processor["id"]
            if name in grid.switches or name not in (task.get("allowed") or [name]):
                continue
            if "times" in task:
                if name in task["times"]:
                    able[name] = number(task["times"][name])
            elif "unit_time" in processor:
                able[name] = number(task["work"]) * number(processor["unit_time"])
            elif "speed" in processor:
                able[name] = number(task["work"]) / number(processor["speed"])
    files = application.get("files", [])
    routes = platform.get("routes", [])
    return Case(
        grid,
        times,
        {(f["source"], f["target"]): number(f["size"]) for f in files},
        {(r["source"], r["target"]): (r["source"], *r["via"], r["target"]) for r in routes},
        problem.get("routing", "fixed"),
        problem.get("duplication", "none"),
    )


def fixed_path(case: Case, start: str, end: str) -> Path | None:
    """Give the route, or the way of least total time, then fewest hops, then smallest names."""
    if (start, end) in case.routes:
        return case.routes[start, end]
    leaving: dict[str, list[str]] = defaultdict(list)
    for sender, receiver in case.grid.arcs:
        leaving[sender].append(receiver)
    queue: list[tuple[Fraction, int, Path]] = [(Fraction(), 0, (start,))]
    seen: set[str] = set()
    while queue:
        far, hops, path = heappop(queue)
        if path[-1] == end:
            return path
        if path[-1] in seen:
            continue
        seen.add(path[-1])
        for follower in leaving[path[-1]]:
            if follower not in seen:
                time = case.grid.arcs[path[-1], follower]
                heappush(queue, (far + time, hops + 1, (*path, follower)))
    return None


# --- the allocation --------------------------------------------------------------------


class Moved(NamedTuple):
    file: File
    path: Path
    share: Fraction


def moved(listed: list[dict[str, Any]]) -> list[Moved]:
    return [Moved(tuple(t["file"]), tuple(t["path"]), Fraction(t["share"])) for t in listed]


def check_mapping(case: Case, mapping: dict[str, list[str]]) -> None:
    assert mapping.keys() == case.times.keys()
    for task, processors in mapping.items():
        assert len(processors) == len(set(processors)) >= 1
        assert all(name in case.times[task] for name in processors), task
        assert case.duplication != "none" or len(processors) == 1


def check_transfers(case: Case, mapping: dict[str, list[str]], transfers: list[Moved]) -> None:
    """Expect that every copy of every task gets its files, from where they are."""
    crossed: dict[File, Counter[Arc]] = defaultdict(Counter)
    for file, path, share in transfers:
        assert file in case.sizes
        assert len(set(path)) == len(path) > 1
        assert all(arc in case.grid.arcs for arc in pairwise(path))
        assert 0 < share <= 1
        assert share == 1 or case.routing == "multipath"
        crossed[file].update(pairwise(path))
    copying = case.duplication == "tasks_and_files"
    for file, path, share in transfers:
        if case.routing == "fixed":
            whole = fixed_path(case, path[0], path[-1]) == path
            assert whole or (copying and part_of_a_route(case, path, set(crossed[file])))
        if not copying:
            assert path[0] in mapping[file[0]]
            assert path[-1] in mapping[file[1]]
            assert path[-1] not in mapping[file[0]]
        else:
            assert share == 1
            assert max(crossed[file].values()) == 1
    for file in case.sizes:
        having = set(mapping[file[0]])
        if copying:
            having = reached(having, crossed[file])
            assert having >= {name for arc in crossed[file] for name in arc}
            assert having >= set(mapping[file[1]])
            continue
        for receiver in set(mapping[file[1]]) - having:
            ways = [t for t in transfers if (t.file, t.path[-1]) == (file, receiver)]
            assert sum(t.share for t in ways) == 1, (file, receiver)
            assert case.routing == "multipath" or len(ways) == 1


def part_of_a_route(case: Case, path: Path, crossed: set[Arc]) -> bool:
    names = {name for arc in crossed for name in arc}
    for start in names:
        for end in names - {start}:
            route = fixed_path(case, start, end)
            if route and path[0] in route and crossed >= set(pairwise(route)):
                at = route.index(path[0])
                if route[at : at + len(path)] == path:
                    return True
    return False


def reached(start: set[str], arcs: Any) -> set[str]:
    found = set(start)
    while more := {b for a, b in arcs if a in found and b not in found}:
        found |= more
    return found


def occupation(
    case: Case, mapping: dict[str, list[str]], transfers: list[Moved]
) -> dict[str, Fraction]:
    busy: dict[str, Fraction] = defaultdict(Fraction)
    for task, processors in mapping.items():
        for name in processors:
            busy[f"{name}.compute"] += case.times[task][name]
    for file, path, share in transfers:
        for arc in pairwise(path):
            for name, time in case.used(arc, case.sizes[file] * share).items():
                busy[name] += time
    return {name: time for name, time in busy.items() if time}


def order_of(case: Case) -> list[str]:
    """Sort the tasks so that users come after producers."""
    order: list[str] = []
    while len(order) < len(case.times):
        for task in case.times:
            if task not in order and all(k in order for k, end in case.sizes if end == task):
                order.append(task)
    return order


def first_periods(
    case: Case, mapping: dict[str, list[str]], transfers: list[Moved]
) -> dict[Copy, int]:
    """Give mu of models.md, section 0, for each copy of each task.

    Where a processor has made a file itself, the task that needs it runs in the same period, behind.
    """
    mu: dict[Copy, int] = {}
    hop = case.grid.one_port
    for task in order_of(case):
        ready: dict[str, int] = dict.fromkeys(mapping[task], 1)
        for file in (f for f in case.sizes if f[1] == task):
            made = {name: mu[file[0], name] for name in mapping[file[0]]}
            come: dict[str, int] = {}
            if case.duplication == "tasks_and_files":
                come = spread(made, [t.path for t in transfers if t.file == file], hop)
            else:
                for t in (t for t in transfers if t.file == file):
                    arrival = made[t.path[0]] + (len(t.path) - 1 if hop else 1)
                    come[t.path[-1]] = max(come.get(t.path[-1], 0), arrival)
            for name, earliest in ready.items():
                there = made[name] if name in made else come[name] + 1
                ready[name] = max(earliest, there)
        mu |= {(task, name): period for name, period in ready.items()}
    return mu


def spread(made: dict[str, int], paths: list[Path], hop: bool) -> dict[str, int]:
    """Give the period in which a file that is copied on the way has come to each processor."""
    come = dict(made)
    waiting = list(paths)
    while waiting:
        path = next(p for p in waiting if p[0] in come)
        waiting.remove(path)
        for i, name in enumerate(path[1:], start=1):
            later = i if hop else path[0] in made
            come.setdefault(name, come[path[0]] + later)
    return come


def buffers(case: Case, mapping: dict[str, list[str]], transfers: list[Moved]) -> dict[str, Any]:
    """Give what each processor holds, where no task has copies."""
    mu = first_periods(case, mapping, transfers)
    room: dict[str, Fraction] = defaultdict(Fraction)
    for file, size in case.sizes.items():
        (producer,), (user,) = (mapping[task] for task in file)
        made, used = mu[file[0], producer], mu[file[1], user]
        if producer == user:
            room[producer] += size * (used - made + 1)
            continue
        for t in (t for t in transfers if t.file == file):
            room[producer] += 2 * size * t.share
            hops = len(t.path) - 1 if case.grid.one_port else 1
            room[user] += size * t.share * (used - made - hops + 1)
            if case.grid.one_port:
                for name in t.path[1:-1]:
                    room[name] += 2 * size * t.share
    return {name: data for name, data in room.items() if data}


def check_allocation(case: Case, result: dict[str, Any]) -> None:
    mapping, transfers = result["mapping"], moved(result["transfers"])
    check_mapping(case, mapping)
    check_transfers(case, mapping, transfers)
    busy = sorted(occupation(case, mapping, transfers).items(), key=lambda x: (-x[1], x[0]))
    listed = [(o["resource"], Fraction(o["time"])) for o in result["occupation"]]
    assert listed == busy, (listed, busy)
    period = Fraction(result["period"])
    assert result["bottleneck"] == result["occupation"][0]["resource"]
    if not (case.grid.one_port and case.grid.half and result["notes"]):
        assert period == busy[0][1]
    assert period >= busy[0][1]
    assert Fraction(result["objective"]["value"]) * period == 1
    mu = first_periods(case, mapping, transfers)
    told = {(p["task"], p["processor"]): p["period"] for p in result["first_periods"]}
    assert told == mu, (told, mu)
    assert result["latency_periods"] == max(mu.values())
    if case.duplication == "none":
        held = {b["processor"]: Fraction(b["data"]) for b in result["buffers"]}
        assert {k: v for k, v in held.items() if v} == buffers(case, mapping, transfers)


# --- value, bound and proof ------------------------------------------------------------


def check_envelope(case: Case, body: dict[str, Any], result: dict[str, Any]) -> None:
    """Expect that outcome, value, bound, gap and certificate go together."""
    method = body["problem"].get("method", "portfolio")
    assert (result["kind"], result["verified"], result["method"]) == (
        "mono_allocation",
        True,
        method,
    )
    value, bound = result["objective"], result["bound"]
    if result["outcome"] in ("infeasible", "unknown"):
        assert value is None
        assert result["notes"] or method == "milp"
        return
    if bound is not None:
        assert bound["approx"] == float(Fraction(bound["value"]))
    if result["outcome"] == "bound_only":
        assert value is None
        assert bound is not None
        return
    assert value["name"] == "throughput"
    rate = Fraction(value["value"])
    assert value["approx"] == float(rate)
    if bound is None:
        assert result["outcome"] == "feasible"
        return
    most = Fraction(bound["value"])
    assert rate <= most
    assert Fraction(result["gap"]) == 1 - rate / most
    asked = number(body.get("options", {}).get("mip_gap", 0))
    if result["outcome"] == "optimal":
        assert 1 - rate / most <= asked
    else:
        assert result["outcome"] == "feasible"
        assert not (bound["exact"] and rate == most)


def check_prices(case: Case, result: dict[str, Any]) -> None:
    prices = {name: Fraction(p) for name, p in result["certificate"]["prices"].items()}
    if not prices:
        return
    assert all(price > 0 for price in prices.values())
    assert sum(prices.values()) == Fraction(result["bound"]["value"])
    known = {f"{name}.compute" for able in case.times.values() for name in able}
    for arc in case.grid.arcs:
        known |= resources_of(case.grid, arc).keys()
    assert prices.keys() <= known


def check(body: dict[str, Any], result: dict[str, Any], schedule: dict[str, Any] | None) -> None:
    """Judge an answer and its schedule."""
    case = case_of(body["problem"])
    check_envelope(case, body, result)
    check_prices(case, result)
    references = result["method"] in REFERENCES
    if result["objective"] is None or references:
        assert schedule is None
        assert (result["mapping"], result["transfers"], result["period"]) == ({}, [], None)
        if references and result["objective"]:
            told = result["simulation"]
            value = told["instances"] / Fraction(told["makespan"])
            assert value == Fraction(result["objective"]["value"])
            assert told["instances"] == body["problem"].get("instances", 1000)
            assert 0 < Fraction(told["latency"]) <= Fraction(told["makespan"])
        return
    check_allocation(case, result)
    assert schedule is not None
    check_schedule(case, body, result, schedule)
    if comparison := result["comparison"]:
        best = Fraction(result["objective"]["value"])
        for row in comparison:
            if row["throughput"] is not None and row["method"] not in REFERENCES:
                bound_only = row["method"] == "upper_bound"
                assert bound_only or Fraction(row["throughput"]) <= best


# --- the schedule ----------------------------------------------------------------------


def check_schedule(
    case: Case, body: dict[str, Any], result: dict[str, Any], schedule: dict[str, Any]
) -> None:
    """Expect that the schedule runs the allocation of the result, in what it says."""
    period, count = (Fraction(schedule[name]) for name in ("period", "instances_per_period"))
    best = Fraction(result["objective"]["value"])
    options = body.get("options", {})
    assert Fraction(schedule["optimal_throughput"]) == best
    assert Fraction(schedule["throughput"]) == count / period
    assert Fraction(schedule["loss"]) == 1 - count / period / best >= 0
    limit = options.get("max_period")
    if limit is None:
        assert schedule["loss"] == "0"
    else:
        assert period <= number(limit)
    assert count.denominator == 1
    (allocation,) = schedule["allocations"]
    assert allocation["index"] == 0
    assert Fraction(allocation["rate"]) == best
    assert Fraction(allocation["instances_per_period"]) == count
    tasks = {t: [p] if isinstance(p, str) else p for t, p in allocation["tasks"].items()}
    assert {t: sorted(p) for t, p in tasks.items()} == {
        t: sorted(p) for t, p in result["mapping"].items()
    }
    transfers = moved(result["transfers"])
    assert Counter(moved(allocation["transfers"])) == Counter(transfers)
    clock: dict[str, Fraction] = defaultdict(Fraction)
    done: Counter[Copy] = Counter()
    for item in schedule["computations"]:
        name, task = item["processor"], item["task"]
        assert Fraction(item["start"]) == clock[name]
        assert Fraction(item["time"]) == Fraction(item["count"]) * case.times[task][name]
        clock[name] += Fraction(item["time"])
        done[task, name] += Fraction(item["count"])  # type: ignore[assignment]
    assert all(busy <= period for busy in clock.values())
    copies = {(t, p): count for t, processors in tasks.items() for p in processors if count}
    assert done == copies
    check_sent(case, schedule, transfers, whole(options))
    last = max(first_periods(case, tasks, transfers).values()) if count else 1
    assert (schedule["prologue_periods"], schedule["latency_periods"]) == (last - 1, last)
    check_counts(schedule)


def whole(options: dict[str, Any]) -> bool:
    asked = options.get("whole_files")
    return options.get("max_period") is None if asked is None else asked


def check_sent(
    case: Case, schedule: dict[str, Any], transfers: list[Moved], whole_files: bool
) -> None:
    """Expect that every hop of every instance is carried, and no port or link does too much."""
    count = Fraction(schedule["instances_per_period"])
    if case.grid.one_port:
        check_runs(
            schedule,
            lambda arc, file: case.grid.arcs[arc] * case.sizes[file],
            lambda arc: case.used(arc, Fraction(1)),
        )
        assert "slots" not in schedule
        assert not whole_files or not moves_parts(schedule)
        carried = moved_in(schedule)
    else:
        assert "runs" not in schedule
        carried = check_flows(case, schedule, whole_files)
    expected: dict[Any, Fraction] = defaultdict(Fraction)
    for file, path, share in transfers:
        for arc in pairwise(path):
            if case.sizes[file] and count:
                expected[0, file, arc] += count * share
    assert carried == expected


def check_flows(case: Case, schedule: dict[str, Any], whole_files: bool) -> dict[Any, Fraction]:
    """Expect a single slot, in which all flows side by side; give what it moves."""
    period = Fraction(schedule["period"])
    carried: dict[Any, Fraction] = defaultdict(Fraction)
    assert len(schedule["slots"]) <= 1
    busy: dict[str, Fraction] = defaultdict(Fraction)
    for one in side_by_side(schedule):
        assert (one.start, one.end) == (0, period)
        assert one.count > 0
        assert not whole_files or one.count.denominator == 1
        carried[one.allocation, one.file, one.arc] += one.count
        for name, time in case.used(one.arc, case.sizes[one.file] * one.count).items():
            busy[name] += time
    assert all(time <= period for time in busy.values()), busy
    return carried
