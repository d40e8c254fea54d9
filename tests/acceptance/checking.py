"""A judge of answers, written from the contract alone: JSON in, plain fractions, no other code.

Only `optimal` and `feasible` answers of `master_worker` are judged. Each function raises
`AssertionError` at the first thing that is not so.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

from tests.acceptance.runs import (
    Arc,
    carried,
    check_runs,
    counts_of,
    interruptions_of,
    moved_in,
    moves_parts,
    side_by_side,
)

INPUT, OUTPUT = ("begin", "task"), ("task", "end")


def number(value: Any) -> Fraction:
    """Read a rational of a request: a decimal means what it says."""
    return Fraction(repr(value) if isinstance(value, float) else value)


class Grid(NamedTuple):
    """An instance of `master_worker`, read."""

    master: str
    one_port: bool
    times: dict[str, Fraction]
    switches: set[str]
    arcs: dict[Arc, Fraction]
    half: set[frozenset[str]]
    media: dict[Arc, list[str]]
    medium_bandwidth: dict[str, Fraction]
    ports: dict[tuple[str, str], Fraction]
    sizes: dict[tuple[str, str], Fraction]


def grid_of(problem: dict[str, Any]) -> Grid:
    platform, task = problem["platform"], problem["task"]
    times: dict[str, Fraction] = {}
    ports: dict[tuple[str, str], Fraction] = {}
    for processor in platform["processors"]:
        name = processor["id"]
        if "times" in task:
            if name in task["times"]:
                times[name] = number(task["times"][name])
        elif "unit_time" in processor:
            times[name] = number(task["work"]) * number(processor["unit_time"])
        elif "speed" in processor:
            times[name] = number(task["work"]) / number(processor["speed"])
        for side in ("in", "out"):
            if f"bandwidth_{side}" in processor:
                ports[name, side] = number(processor[f"bandwidth_{side}"])
    arcs: dict[Arc, Fraction] = {}
    half: set[frozenset[str]] = set()
    media: dict[Arc, list[str]] = {}
    for link in platform.get("links", []):
        there, back = (link["source"], link["target"]), (link["target"], link["source"])
        time = number(link["unit_time"]) if "unit_time" in link else 1 / number(link["bandwidth"])
        duplex = link.get("duplex", "full")
        for arc in [there] if duplex == "simplex" else [there, back]:
            assert arc not in arcs
            arcs[arc] = time
            media[arc] = link.get("media", [])
        if duplex == "half":
            half.add(frozenset(there))
    sizes = {INPUT: number(task.get("input_size", 1))}
    if output := number(task.get("output_size", 0)):
        sizes[OUTPUT] = output
    return Grid(
        problem["master"],
        problem.get("ports", "one_port") == "one_port",
        times,
        {p["id"] for p in platform["processors"] if p.get("switch")},
        arcs,
        half,
        media,
        {m["id"]: number(m["bandwidth"]) for m in platform.get("media", [])},
        ports,
        sizes,
    )


def resources_of(grid: Grid, arc: Arc) -> dict[str, Fraction]:
    """Give what one unit of data over `arc` takes of each resource that it uses."""
    sender, receiver = arc
    time = grid.arcs[arc]
    used = {f"{sender}->{receiver}.link": time}
    if frozenset(arc) in grid.half:
        used[f"{min(arc)}--{max(arc)}.half"] = time
    if grid.one_port:
        if sender not in grid.switches:
            used[f"{sender}.send"] = time
        if receiver not in grid.switches:
            used[f"{receiver}.receive"] = time
        return used
    if bandwidth := grid.ports.get((sender, "out")):
        used[f"{sender}.out"] = 1 / bandwidth
    if bandwidth := grid.ports.get((receiver, "in")):
        used[f"{receiver}.in"] = 1 / bandwidth
    for medium in grid.media[arc]:
        used[f"{medium}.medium"] = 1 / grid.medium_bandwidth[medium]
    return used


def within_capacity(grid: Grid, data: dict[Arc, Fraction], time: Fraction = Fraction(1)) -> None:
    """Expect that these data fit every port, link and medium in this time."""
    used: Counter[str] = Counter()
    for arc, amount in data.items():
        assert arc in grid.arcs, f"no link {arc}"
        for resource, each in resources_of(grid, arc).items():
            used[resource] += each * amount  # type: ignore[assignment]
    assert all(amount <= time for amount in used.values()), used


# --- the result ------------------------------------------------------------------------


def check_rates(grid: Grid, result: dict[str, Any]) -> None:
    computed = {name: Fraction(rate) for name, rate in result["computed"].items()}
    assert all(rate > 0 for rate in computed.values())
    for name, rate in computed.items():
        assert rate * grid.times[name] <= 1
    balance: dict[str, Counter[str]] = {"input": Counter(), "output": Counter()}
    data: dict[Arc, Fraction] = defaultdict(Fraction)
    for sent in result["sent"]:
        rate, arc = Fraction(sent["rate"]), (sent["source"], sent["target"])
        assert rate > 0
        balance[sent["file"]][arc[0]] -= rate  # type: ignore[assignment]
        balance[sent["file"]][arc[1]] += rate  # type: ignore[assignment]
        assert grid.master != arc[sent["file"] == "input"]
        file = INPUT if sent["file"] == "input" else OUTPUT
        data[arc] += grid.sizes[file] * rate
    within_capacity(grid, data)
    away = sum((r for name, r in computed.items() if name != grid.master), Fraction())
    for name in {*balance["input"], *balance["output"], *computed} - {grid.master}:
        assert balance["input"][name] == computed.get(name, 0)
        if OUTPUT in grid.sizes:
            assert balance["output"][name] == -computed.get(name, 0)
    assert balance["input"][grid.master] == -away
    assert balance["output"][grid.master] == (away if OUTPUT in grid.sizes else 0)
    if result["outcome"] == "optimal":
        assert sum(computed.values()) == Fraction(result["objective"]["value"])


def cheapest(grid: Grid, prices: dict[str, Fraction], *, back: bool) -> dict[str, Fraction]:
    """Bellman and Ford's way: the price of one file from the master (or `back` to it)."""
    size = grid.sizes[OUTPUT if back else INPUT]
    cost = {
        arc: size * sum(each * prices.get(r, 0) for r, each in resources_of(grid, arc).items())
        for arc in grid.arcs
    }
    best = {grid.master: Fraction()}
    changed = {grid.master}
    leaving: dict[str, list[Arc]] = defaultdict(list)
    for arc in grid.arcs:
        leaving[arc[back]].append(arc)
    while changed:
        ahead: set[str] = set()
        for name in changed:
            for arc in leaving[name]:
                price = best[name] + cost[arc]
                if (end := arc[not back]) not in best or price < best[end]:
                    best[end] = price
                    ahead.add(end)
        changed = ahead
    return best


def check_prices(grid: Grid, result: dict[str, Any]) -> None:
    """Expect that the prices prove the bound: no way of doing a task costs less than 1."""
    assert result["certificate"]["type"] == "lp_duality"
    prices = {name: Fraction(price) for name, price in result["certificate"]["prices"].items()}
    assert all(price > 0 for price in prices.values())
    assert sum(prices.values()) == Fraction(result["bound"]["value"])
    known = {f"{name}.compute" for name in grid.times}
    for arc in grid.arcs:
        known |= resources_of(grid, arc).keys()
    assert prices.keys() <= known
    there = cheapest(grid, prices, back=False)
    home = cheapest(grid, prices, back=True) if OUTPUT in grid.sizes else dict.fromkeys(there, 0)
    for name, time in grid.times.items():
        if name in there and name in home:
            price = prices.get(f"{name}.compute", Fraction()) * time
            assert there[name] + price + home[name] >= 1, name


def check_result(body: dict[str, Any], result: dict[str, Any]) -> None:
    grid = grid_of(body["problem"])
    assert result["kind"] == "master_worker"
    assert result["verified"] is True
    assert result["objective"]["name"] == "throughput"
    value, bound = Fraction(result["objective"]["value"]), Fraction(result["bound"]["value"])
    assert result["objective"]["approx"] == float(value)
    assert result["bound"]["approx"] == float(bound)
    assert value <= bound
    assert Fraction(result["gap"]) == (abs(bound - value) / bound if bound else 0)
    if result["outcome"] == "optimal":
        assert value == bound
        assert result["bound"]["exact"] is True
    else:
        assert result["outcome"] == "feasible"
    check_rates(grid, result)
    check_prices(grid, result)


# --- the schedule ----------------------------------------------------------------------


def check_paths(grid: Grid, allocation: dict[str, Any]) -> None:
    """Expect that files go from where they are to where they are used, over links that exist."""
    (worker,) = allocation["tasks"].values()
    assert list(allocation["tasks"]) == ["task"]
    assert worker in grid.times
    assert worker not in grid.switches
    share: Counter[tuple[str, str]] = Counter()
    for transfer in allocation["transfers"]:
        path, file = transfer["path"], tuple(transfer["file"])
        ends = (grid.master, worker) if file == INPUT else (worker, grid.master)
        assert (path[0], path[-1]) == ends
        assert len(set(path)) == len(path) > 1
        assert all(arc in grid.arcs for arc in pairwise(path))
        assert Fraction(transfer["share"]) > 0
        share[file] += Fraction(transfer["share"])  # type: ignore[assignment, index]
    expected = {} if worker == grid.master else dict.fromkeys(grid.sizes, 1)
    assert share == expected


def first_periods(grid: Grid, allocation: dict[str, Any]) -> dict[Any, int]:
    """Give mu of models.md for each hop and for the task; the fictitious tasks take no period."""
    mu: dict[Any, int] = {}

    def carry(file: tuple[str, str], start: int) -> int:
        arrival = start
        for transfer in allocation["transfers"]:
            if tuple(transfer["file"]) != file:
                continue
            for hop, arc in enumerate(pairwise(transfer["path"])):
                period = start + (hop if grid.one_port else 0)
                mu[file, arc] = min(mu.get((file, arc), period), period)
                arrival = max(arrival, period + 1)
        return arrival

    mu["task"] = carry(INPUT, 1)
    mu["done"] = carry(OUTPUT, mu["task"] + 1) - 1
    return mu


def check_computations(grid: Grid, schedule: dict[str, Any], counts: list[Fraction]) -> None:
    clock: dict[str, Fraction] = defaultdict(Fraction)
    done: Counter[int] = Counter()
    for item in schedule["computations"]:
        allocation = schedule["allocations"][item["allocation"]]
        assert allocation["tasks"] == {item["task"]: item["processor"]}
        assert Fraction(item["start"]) == clock[item["processor"]]
        time = Fraction(item["count"]) * grid.times[item["processor"]]
        assert Fraction(item["time"]) == time
        clock[item["processor"]] += time
        done[item["allocation"]] += Fraction(item["count"])  # type: ignore[assignment]
    assert all(busy <= Fraction(schedule["period"]) for busy in clock.values())
    assert [done[index] for index in range(len(counts))] == counts


def check_sent(grid: Grid, schedule: dict[str, Any], counts: list[Fraction]) -> None:
    if grid.one_port:
        assert "slots" not in schedule
        check_runs(
            schedule,
            lambda arc, file: grid.arcs[arc] * grid.sizes[file],
            lambda arc: resources_of(grid, arc),
        )
        moved = moved_in(schedule)
    else:
        assert "runs" not in schedule
        moved = check_flows(grid, schedule)
    expected: dict[Any, Fraction] = defaultdict(Fraction)
    for allocation, count in zip(schedule["allocations"], counts, strict=True):
        for transfer in allocation["transfers"]:
            file = tuple(transfer["file"])
            for arc in pairwise(transfer["path"]):
                if grid.sizes[file] and count:  # type: ignore[index]
                    key = allocation["index"], file, arc
                    expected[key] += count * Fraction(transfer["share"])
    assert moved == expected


def check_flows(grid: Grid, schedule: dict[str, Any]) -> dict[Any, Fraction]:
    """Expect a single slot, in which all flows side by side; give what it moves."""
    period = Fraction(schedule["period"])
    moved: dict[Any, Fraction] = defaultdict(Fraction)
    assert len(schedule["slots"]) <= 1
    data: dict[Arc, Fraction] = defaultdict(Fraction)
    for one in side_by_side(schedule):
        assert (one.start, one.end) == (0, period)
        assert one.count > 0
        data[one.arc] += one.count * grid.sizes[one.file]
        moved[one.allocation, one.file, one.arc] += one.count
    within_capacity(grid, data, period)
    return moved


def check_counts(schedule: dict[str, Any]) -> None:
    """Expect that the header counts what the schedule lists, and says whether files are cut."""
    if "runs" in schedule:
        sent = counts_of(schedule)
        partial = moves_parts(schedule)
        assert schedule["interruptions"] == interruptions_of(schedule)
    else:
        transfers = [t for slot in schedule["slots"] for t in slot["transfers"]]
        sent = {"slots": len(schedule["slots"]), "transfers": len(transfers)}
        partial = any(Fraction(item["count"]).denominator > 1 for item in transfers)
        assert schedule.get("interruptions") is None
    assert schedule["counts"] == {
        "allocations": len(schedule["allocations"]),
        "computations": len(schedule["computations"]),
        **sent,
    }
    assert schedule["preempted"] is partial


def check_header(body: dict[str, Any], result: dict[str, Any], schedule: dict[str, Any]) -> None:
    options = body.get("options", {})
    grid = grid_of(body["problem"])
    period, instances = (Fraction(schedule[n]) for n in ("period", "instances_per_period"))
    optimum = Fraction(schedule["optimal_throughput"])
    assert Fraction(schedule["throughput"]) == instances / period
    assert optimum == Fraction(result["objective"]["value"])
    loss = 1 - instances / period / optimum if optimum else Fraction()
    assert Fraction(schedule["loss"]) == loss >= 0
    assert schedule["ports"] == ("one_port" if grid.one_port else "multiport")
    check_counts(schedule)
    bounded = options.get("max_period") not in (None, "exact")
    if bounded:
        assert period <= number(options["max_period"])
    whole = options.get("whole_files")
    if not bounded if whole is None else whole:
        assert not schedule["preempted"]
    active = [a for a in schedule["allocations"] if a["instances_per_period"] != "0"]
    first = [first_periods(grid, allocation) for allocation in active]
    last = max((mu["done"] for mu in first), default=1)
    assert (schedule["prologue_periods"], schedule["latency_periods"]) == (last - 1, last)


def check_schedule(body: dict[str, Any], result: dict[str, Any], schedule: dict[str, Any]) -> None:
    grid = grid_of(body["problem"])
    check_header(body, result, schedule)
    counts = []
    for index, allocation in enumerate(schedule["allocations"]):
        assert allocation["index"] == index
        check_paths(grid, allocation)
        counts.append(Fraction(allocation["instances_per_period"]))
        rate = Fraction(allocation["rate"])
        assert rate > 0
        if schedule["loss"] == "0" and body.get("options", {}).get("max_period") in (None, "exact"):
            assert rate * Fraction(schedule["period"]) == counts[-1]
    assert all(count.denominator == 1 and count >= 0 for count in counts)
    assert sum(counts) == Fraction(schedule["instances_per_period"])
    check_computations(grid, schedule, counts)
    check_sent(grid, schedule, counts)


def check(body: dict[str, Any], result: dict[str, Any], schedule: dict[str, Any] | None) -> None:
    check_result(body, result)
    if schedule is None:
        raise AssertionError("no schedule")
    check_schedule(body, result, schedule)


# --- what is derived from a schedule ---------------------------------------------------


def expected_events(
    grid: Grid, schedule: dict[str, Any], start: Fraction, end: Fraction
) -> Counter[tuple[Any, ...]]:
    """Give the events that meet [start, end), computed from the parts of the schedule.

    A cargo is shown for its own stretch of its run. A flow is shown for the whole period.
    """
    length = Fraction(schedule["period"])
    mu = [first_periods(grid, allocation) for allocation in schedule["allocations"]]
    events: Counter[tuple[Any, ...]] = Counter()

    def show(begin: Fraction, finish: Fraction, first: int, *what: Any) -> None:
        if first <= period and begin < end and finish > start:
            events[begin, finish, *what, period] += 1

    for period in range(int(start // length) + 1, ceil(end / length) + 1):
        zero = (period - 1) * length
        for item in schedule["computations"]:
            begin = zero + Fraction(item["start"])
            place = "compute", item["processor"], item["task"], item["allocation"]
            first = mu[item["allocation"]]["task"]
            show(begin, begin + Fraction(item["time"]), first, *place)
        for one in carried(schedule) if "runs" in schedule else side_by_side(schedule):
            first = mu[one.allocation][one.file, one.arc]
            what = "transfer", one.arc, one.file, one.allocation
            show(zero + one.start, zero + one.end, first, *what)
    return events


def event_key(event: dict[str, Any]) -> tuple[Any, ...]:
    computing = event["kind"] == "compute"
    place = event["processor"] if computing else tuple(event["link"])
    what = event["task"] if computing else tuple(event["file"])
    when = Fraction(event["start"]), Fraction(event["end"])
    return (*when, event["kind"], place, what, event["allocation"], event["period"])


def check_dispatch(rates: list[Fraction], order: list[int]) -> None:
    """Compare every prefix with the shares of its instances: less than one instance is between."""
    counts = [0] * len(rates)
    most = 1 - Fraction(1, 2 * len(rates) - 2) if len(rates) > 1 else 0
    total = sum(rates)
    for places, index in enumerate(order, 1):
        counts[index] += 1
        for count, rate in zip(counts, rates, strict=True):
            assert abs(count - places * rate / total) <= most
