"""All trees of a message on a small platform, and the program over them: an oracle."""

import itertools
import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.platform import Platform
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from tests.kinds.collective.by_ways import limit

F = Fraction
Way = tuple[int, ...]
"""Arcs, by index, from one who copies over others that do not to the next who does."""


def ways_of_copies(
    platform: Platform, copiers: Collection[int], here: int, passed: frozenset[int], *, home: bool
) -> Iterator[tuple[Way, int]]:
    """List the ways from a processor to all who copy, with their ends; backwards if they go home."""
    for arc in platform.arcs:
        near, far = (arc.target, arc.source) if home else (arc.source, arc.target)
        if near != here or far in passed:
            continue
        if far in copiers:
            yield (arc.index,), far
        else:
            for rest, end in ways_of_copies(platform, copiers, far, passed | {far}, home=home):
                yield (arc.index, *rest), end


def all_trees(
    platform: Platform, copiers: Collection[int], root: int, ends: Collection[int], *, home: bool
) -> Iterator[list[Way]]:
    """List all trees from a root that reach some processors, and perhaps others who copy."""
    into: dict[int, list[tuple[int, Way]]] = defaultdict(list)
    for start in copiers:
        for way, end in ways_of_copies(platform, copiers, start, frozenset({start}), home=home):
            into[end].append((start, way))
    others = [one for one in copiers if one not in ends and one != root]
    for number in range(len(others) + 1):
        for relays in itertools.combinations(others, number):
            entered = [*ends, *relays]
            for chosen in itertools.product(*(into[end] for end in entered)):
                parents = {end: start for end, (start, _) in zip(entered, chosen, strict=True)}
                if all(_comes_from(parents, end, root) for end in entered):
                    yield [way for _, way in chosen]


def _comes_from(parents: Mapping[int, int], end: int, root: int) -> bool:
    for _ in range(len(parents) + 1):
        if end == root:
            return True
        if end not in parents:
            return False
        end = parents[end]
    return False


def by_all_trees(body: dict[str, Any]) -> Fraction | None:
    """Solve over all trees of all messages, and all transfers that may run side by side.

    None where a message has no tree.
    """
    problem = body["problem"]
    platform = Platform.model_validate(problem["platform"])
    ports = problem["ports"]
    model = pyo.ConcreteModel()
    model.rho = pyo.Var(domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    model.rate = pyo.VarList(domain=pyo.NonNegativeReals)
    data: dict[int, Any] = defaultdict(lambda: 0 * model.rho)
    copiers = who_copies(problem, platform)

    def rates_of(root: int, ends: list[int], size: Fraction, *, home: bool) -> list[Any]:
        rates = []
        for tree in all_trees(platform, copiers, root, ends, home=home):
            rate = model.rate.add()
            rates.append(rate)
            for arc in itertools.chain(*tree) if size else ():
                data[arc] = data[arc] + size * rate
        return rates

    if problem["operation"] == "allreduce":
        pieces = []
        for root, ends, size in spread(problem, platform):
            both = [rates_of(root, ends, size, home=home) for home in (True, False)]
            if all(both):
                pieces += both[0]
                model.rows.add(sum(both[0]) == sum(both[1]))
            else:
                for rate in itertools.chain(*both):
                    model.rows.add(rate == 0)
        if not pieces:
            return None
        model.rows.add(sum(pieces) == model.rho)
    else:
        home = problem["operation"] in ("reduce", "reduce_scatter")
        for root, ends, size in spread(problem, platform):
            rates = rates_of(root, ends, size, home=home)
            if not rates:
                return None
            model.rows.add(sum(rates) == model.rho)
    limit(model, platform, ports, data)
    model.total = pyo.Objective(expr=model.rho, sense=pyo.maximize)
    return solve_certified(model, Control()).objective


def taking_part(problem: Mapping[str, Any], platform: Platform) -> list[str]:
    """Read off the contract's words who has or wants something."""
    processors = [p.id for p in platform.processors if not p.switch]
    operation = problem["operation"]
    if operation in ("allgather", "reduce_scatter", "allreduce"):
        return problem.get("participants", processors)
    if operation == "reduce":
        return [problem["target"], *problem.get("sources", processors)]
    return [problem["source"], *problem.get("targets", processors)]


def who_copies(problem: Mapping[str, Any], platform: Platform) -> list[int]:
    """Read off the contract's words who may copy or combine."""
    copying = problem.get("copying", "processors")
    index = platform.index_by_id
    if copying == "participants":
        return sorted({index[name] for name in taking_part(problem, platform)})
    return [i for i, p in enumerate(platform.processors) if copying == "all" or not p.switch]


def spread(
    problem: Mapping[str, Any], platform: Platform
) -> Iterator[tuple[int, list[int], Fraction]]:
    """Give root, other ends and size of each message; of an allreduce for all that may be its root."""
    index = platform.index_by_id
    names = list(dict.fromkeys(taking_part(problem, platform)))
    if problem["operation"] == "allreduce":
        for place in who_copies(problem, platform):
            ends = [index[name] for name in names if index[name] != place]
            yield place, ends, F(problem.get("size", 1))
        return
    roots = names if problem["operation"] in ("allgather", "reduce_scatter") else names[:1]
    for root in roots:
        size = F(problem.get("sizes", {}).get(root, problem.get("size", 1)))
        yield index[root], [index[name] for name in names if name != root], size


def drawn_copies(seed: int, operation: str, ports: str, *, half: bool = False) -> dict[str, Any]:
    """Draw a small platform with cycles, and an operation that copies or combines on it."""
    draw = random.Random(f"{seed} {operation} {ports}")
    count = draw.randint(3, 4)
    names = [f"P{i}" for i in range(count)]
    links: list[dict[str, str]] = []
    for a, b in itertools.permutations(range(count), 2):
        if b == a + 1 or draw.random() < 0.45:
            time = str(F(draw.randint(1, 6), draw.randint(1, 3)))
            duplex = "half" if half and draw.random() < 0.4 else "simplex"
            if not any(links and {link["source"], link["target"]} == {names[a], names[b]} for link in links):  # fmt: skip
                duplex = draw.choice([duplex, "full", "full"])
                links.append(
                    {"source": names[a], "target": names[b], "unit_time": time, "duplex": duplex}
                )
    processors: list[dict[str, Any]] = [{"id": name} for name in names]
    platform: dict[str, Any] = {"processors": processors, "links": links}
    if count > 3 and draw.random() < 0.6:
        platform["processors"][draw.randint(1, 2)]["switch"] = True
    if ports == "multiport" and draw.random() < 0.5:
        platform["media"] = [{"id": "M", "bandwidth": str(F(draw.randint(1, 4), 2))}]
        platform["links"] = [{**links[0], "media": ["M"]}, *links[1:]]
        for processor in platform["processors"]:
            if draw.random() < 0.3 and "switch" not in processor:
                processor["bandwidth_out"] = str(F(draw.randint(1, 4), 3))
                processor["bandwidth_in"] = str(F(draw.randint(1, 4), 3))
    able = [p["id"] for p in platform["processors"] if "switch" not in p]
    draw.shuffle(able)
    problem: dict[str, Any] = {"platform": platform, "operation": operation, "ports": ports}
    if operation in ("broadcast", "multicast"):
        problem["source"] = able[0]
    if operation == "reduce":
        problem["target"] = able[0]
        if draw.random() < 0.7:
            problem["sources"] = able[draw.randint(0, 2) :]
    if operation == "multicast":
        problem["targets"] = able[1 : draw.randint(2, 3)]
    if operation in ("allgather", "reduce_scatter"):
        problem["sizes"] = {name: str(F(draw.randint(0, 4), 3)) for name in able[1:]}
        if draw.random() < 0.5:
            problem["participants"] = sorted(able[: draw.randint(2, len(able))])
            problem["sizes"] = {
                name: size
                for name, size in problem["sizes"].items()
                if name in problem["participants"]
            }
    if operation == "allreduce":
        problem["size"] = str(F(draw.randint(1, 4), 3))
        if draw.random() < 0.4 and len(able) > 2:
            problem["participants"] = able[:-1]
    problem["copying"] = draw.choice(["processors", "all", "participants"])
    return {"problem": {"kind": "collective"} | problem}
