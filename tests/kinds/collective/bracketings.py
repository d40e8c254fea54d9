"""All ways to combine what a few have, two by two, on a small platform, and the program over them."""

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.platform import Platform
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from tests.kinds.collective.by_ways import limit

F = Fraction
Load = tuple[tuple[int, ...], tuple[int, ...]]
"""How often a way to combine takes each arc, and how often each processor combines."""


def bracketings(items: Sequence[int], *, fixed: bool) -> Iterator[Any]:
    """List all binary trees over some leaves, as nested pairs."""
    if len(items) == 1:
        yield items[0]
        return
    for left, right in _halves(items, fixed=fixed):
        for one in bracketings(left, fixed=fixed):
            for other in bracketings(right, fixed=fixed):
                yield one, other


def _halves(items: Sequence[int], *, fixed: bool) -> Iterator[tuple[list[int], list[int]]]:
    if fixed:
        for k in range(1, len(items)):
            yield list(items[:k]), list(items[k:])
        return
    first, *rest = items
    for number in range(len(rest)):
        for chosen in itertools.combinations(rest, number):
            yield [first, *chosen], [item for item in rest if item not in chosen]


def ways(platform: Platform, start: int, end: int, passed: frozenset[int]) -> Iterator[list[int]]:
    """List all ways, by arcs, that pass no processor twice."""
    if start == end:
        yield []
        return
    for arc in platform.arcs:
        if arc.source == start and arc.target not in passed:
            for rest in ways(platform, arc.target, end, passed | {arc.target}):
                yield [arc.index, *rest]


def combining_times(problem: Mapping[str, Any], platform: Platform) -> dict[int, Fraction]:
    """Read off the contract's words who may combine, and how long it takes."""
    index, given = platform.index_by_id, problem.get("combine")
    if given is None:
        able = {
            "processors": [p.id for p in platform.processors if not p.switch],
            "participants": [problem["target"], *problem["sources"]],
            "all": [p.id for p in platform.processors],
        }[problem.get("copying", "processors")]
        return {index[name]: F(0) for name in able}
    if "times" in given:
        return {index[name]: F(time) for name, time in given["times"].items()}
    return {i: F(given["work"]) / p.speed for i, p in enumerate(platform.processors) if p.speed}


def loads(problem: Mapping[str, Any], platform: Platform) -> set[Load]:
    """List what every bracketing, with every choice of places and ways, takes."""
    index, able = platform.index_by_id, combining_times(problem, platform)
    owners = [index[name] for name in problem["sources"]]
    number = len(platform.processors)
    between = {
        (a, b): list(ways(platform, a, b, frozenset({a})))
        for a in range(number)
        for b in range(number)
    }

    def add(load: Load, arcs: Sequence[int], place: int | None = None) -> Load:
        moved, joined = list(load[0]), list(load[1])
        for arc in arcs:
            moved[arc] += 1
        if place is not None:
            joined[place] += 1
        return tuple(moved), tuple(joined)

    def moved(found: Mapping[int, set[Load]], end: int) -> set[Load]:
        return {
            add(load, way)
            for start, listed in found.items()
            for way in between[start, end]
            for load in listed
        }

    def made(tree: Any) -> dict[int, set[Load]]:
        if isinstance(tree, int):
            return {owners[tree]: {((0,) * len(platform.arcs), (0,) * number)}}
        one, other = map(made, tree)
        return {
            place: {
                add((_sum(a[0], b[0]), _sum(a[1], b[1])), (), place)
                for a in moved(one, place)
                for b in moved(other, place)
            }
            for place in able
        }

    fixed = problem.get("order") == "fixed"
    return {
        load
        for tree in bracketings(range(len(owners)), fixed=fixed)
        for load in moved(made(tree), index[problem["target"]])
    }


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(one, other, strict=True)))


def undominated(found: set[Load]) -> list[Load]:
    """Leave out what takes no less of anything than another does."""
    kept: list[Load] = []
    for load in sorted(found, key=lambda load: sum(load[0]) + sum(load[1])):
        every = load[0] + load[1]
        if not any(all(a <= b for a, b in zip(k[0] + k[1], every, strict=True)) for k in kept):
            kept.append(load)
    return kept


def by_all_bracketings(body: Mapping[str, Any]) -> Fraction | None:
    """Solve over all ways to combine, and all transfers that may run side by side; None: no way."""
    problem = body["problem"]
    platform = Platform.model_validate(problem["platform"])
    ports, size = problem["ports"], F(problem.get("size", 1))
    times = combining_times(problem, platform)
    listed = undominated(loads(problem, platform))
    if not listed:
        return None
    model = pyo.ConcreteModel()
    model.rows = pyo.ConstraintList()
    model.rate = pyo.Var(range(len(listed)), domain=pyo.NonNegativeReals)
    data: dict[int, Any] = defaultdict(lambda: 0 * model.rate[0])
    computed: dict[int, Any] = {}
    for k, (moved, joined) in enumerate(listed):
        for arc, count in enumerate(moved):
            if count:
                data[arc] = data[arc] + count * size * model.rate[k]
        for i, count in enumerate(joined):
            if count and times[i]:
                taken = count * size * times[i] * model.rate[k]
                computed[i] = computed.get(i, 0 * model.rate[0]) + taken
    limit(model, platform, ports, data, computed)
    model.total = pyo.Objective(expr=sum(model.rate.values()), sense=pyo.maximize)
    return solve_certified(model, Control()).objective


def drawn_reduction(seed: int, order: str, ports: str) -> dict[str, Any]:
    """Draw a small platform, and a reduction on it whose combining takes time, mostly."""
    draw = random.Random(f"{seed} {order} {ports}")
    count = draw.randint(2, 4)
    names = [f"P{i}" for i in range(count)]
    links: list[dict[str, str]] = []
    for a, b in itertools.combinations(range(count), 2):
        if b == a + 1 or draw.random() < 0.4:
            ends = draw.sample([names[a], names[b]], 2)
            time = str(F(draw.randint(1, 6), draw.randint(1, 3)))
            duplex = draw.choice(["full", "full", "full", "simplex", "half"])
            links.append(
                {"source": ends[0], "target": ends[1], "unit_time": time, "duplex": duplex}
            )
    processors: list[dict[str, Any]] = [{"id": name} for name in names]
    if count > 2 and draw.random() < 0.4:
        processors[1]["switch"] = True
    platform: dict[str, Any] = {"processors": processors, "links": links}
    if ports == "multiport" and draw.random() < 0.5:
        platform["media"] = [{"id": "M", "bandwidth": str(F(draw.randint(1, 4), 2))}]
        links[0]["media"] = ["M"]  # type: ignore[assignment]
    able = [p["id"] for p in processors if "switch" not in p]
    draw.shuffle(able)
    problem: dict[str, Any] = {
        "platform": platform,
        "operation": "reduce",
        "ports": ports,
        "target": able[0],
        "sources": draw.sample(able, draw.randint(min(2, len(able)), min(3, len(able)))),
        "size": str(F(draw.randint(1, 4), 2)),
        "order": order,
    }
    how = draw.random()
    some = draw.sample(able, draw.randint(1, len(able)))
    if how < 0.6 or (how < 0.8 and order == "any"):
        problem["combine"] = {"times": {n: str(F(draw.randint(0, 4), 3)) for n in some}}
    elif how < 0.8:
        problem["copying"] = draw.choice(["processors", "participants", "all"])
    else:
        for processor in processors:
            if processor["id"] in some:
                processor["speed"] = str(F(draw.randint(1, 4), 2))
        problem["combine"] = {"work": "3/2"}
    return {"problem": {"kind": "collective"} | problem}


def cheapest_bracketing(
    prices: Mapping[tuple[int, int], Fraction],
    joining: Mapping[int, Fraction],
    owners: Sequence[int],
    target: int,
    *,
    fixed: bool,
) -> Fraction | None:
    """Give the least that a bracketing costs, over all places of its combinations; None: no way."""
    vertices = {*owners, *joining, target}.union(*prices)
    far: dict[tuple[int, int], Fraction] = {(v, v): F(0) for v in vertices} | dict(prices)
    for k, i, j in itertools.product(vertices, repeat=3):
        if (i, k) in far and (k, j) in far:
            through = far[i, k] + far[k, j]
            far[i, j] = min(far.get((i, j), through), through)

    def brought(costs: Mapping[int, Fraction], end: int) -> Fraction | None:
        listed = [cost + far[here, end] for here, cost in costs.items() if (here, end) in far]
        return min(listed, default=None)

    def made(tree: Any) -> dict[int, Fraction]:
        if isinstance(tree, int):
            return {owners[tree]: F(0)}
        one, other = map(made, tree)
        found = {}
        for place, price in joining.items():
            left, right = brought(one, place), brought(other, place)
            if left is not None and right is not None:
                found[place] = left + right + price
        return found

    costs = [brought(made(tree), target) for tree in bracketings(range(len(owners)), fixed=fixed)]
    return min((cost for cost in costs if cost is not None), default=None)


def drawn_prices(
    draw: random.Random,
) -> tuple[dict[tuple[int, int], Fraction], dict[int, Fraction], list[int], int]:
    """Draw prices of arcs and of combinations, owners and a target, on a few vertices."""
    number = draw.randint(2, 6)
    unit = draw.choice((1, 3, 10**20))
    pairs = itertools.permutations(range(number), 2)
    prices = {ends: F(draw.randint(0, 6), unit) for ends in pairs if draw.random() < 0.5}
    able = draw.sample(range(number), draw.randint(1, number))
    joining = {place: F(draw.randint(0, 5), draw.randint(1, 3)) for place in able}
    owners = draw.sample(range(number), draw.randint(1, min(4, number)))
    return prices, joining, owners, draw.randrange(number)
