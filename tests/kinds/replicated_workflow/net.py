"""Right answers, found slowly: every row of a workflow as an operation of its own.

The net of the thesis: an operation for each row, a place for each wait. Its largest cycle ratio is
found by longest walks in fractions, from one positive cycle to the next. Nothing here is used by the
referee, and nothing of the referee is used here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import Any

from steadygrid.domain.timetable import Computing, Row, Sending, Timetable
from steadygrid.kinds.replicated_workflow.schemas import (
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from tests.kinds.replicated_workflow.bodies import Body

Name = str | tuple[str, str]


@dataclass
class Net:
    """The operations in the order of service, and who waits for whom how much later."""

    body: Body
    names: list[Name] = field(default_factory=list)
    places: dict[Name, list[str | tuple[str, str]]] = field(default_factory=dict)
    """By residue."""
    times: dict[Name, list[Fraction]] = field(default_factory=dict)
    waits: list[tuple[Name, Name, int]] = field(default_factory=list)
    firsts: list[Name] = field(default_factory=list)
    lasts: list[Name] = field(default_factory=list)
    rows: int = 1

    def __post_init__(self) -> None:
        problem = self.body["problem"]
        mapping, files = problem["mapping"], problem["application"]["files"]
        times = {t["id"]: t["times"] for t in problem["application"]["tasks"]}
        tasks = list(times)
        unit = {
            (link["source"], link["target"]): Fraction(link["unit_time"])
            for link in problem["platform"]["links"]
        }
        stage_of = {task: k for k, stage in enumerate(mapping) for task in stage["tasks"]}
        self.rows = lcm(*(len(stage["processors"]) for stage in mapping))
        leaving = [
            [f for f in files if stage_of[f["source"]] == k != stage_of[f["target"]]]
            for k in range(len(mapping))
        ]
        done: list[int] = []
        while len(done) < len(mapping):
            ready = (
                k
                for k in range(len(mapping))
                if k not in done
                and all(
                    stage_of[f["target"]] != k
                    for j in range(len(mapping))
                    if j not in done
                    for f in leaving[j]
                )
            )
            done.append(next(ready))
        first = {k: min(mapping[k]["tasks"], key=tasks.index) for k in done}
        received: dict[int, list[Name]] = {k: [] for k in done}
        sent: dict[int, list[Name]] = {k: [] for k in done}
        for k in done:
            here = mapping[k]["processors"]
            name: Name = first[k]
            self.names.append(name)
            self.places[name] = list(here)
            self.times[name] = [
                sum((Fraction(times[task][p]) for task in mapping[k]["tasks"]), Fraction(0))
                for p in here
            ]
            for f in leaving[k]:
                l = stage_of[f["target"]]
                there = mapping[l]["processors"]
                name = f["source"], f["target"]
                self.names.append(name)
                both = [
                    (here[n % len(here)], there[n % len(there)])
                    for n in range(lcm(len(here), len(there)))
                ]
                self.places[name] = list(both)
                self.times[name] = [Fraction(f["size"]) * unit[ends] for ends in both]
                self.waits += [(first[k], name, 0), (name, first[l], 0)]
                sent[k].append(name)
                received[l].append(name)
        for k in done:
            classes = [received[k], [first[k]], sent[k]]
            if problem.get("ports") == "no_overlap":
                classes = [[name for part in classes for name in part]]
            for part in classes:
                self.waits += [(a, b, 0) for a, b in pairwise(part)]
                if part:
                    self.waits.append((part[-1], part[0], len(mapping[k]["processors"])))
            self.firsts += [first[k]] * (not received[k])
            self.lasts += [first[k]] * (not sent[k])

    def time(self, name: Name, n: int) -> Fraction:
        """Give how long an operation takes for a data set."""
        return self.times[name][n % len(self.times[name])]

    def place(self, name: Name, n: int) -> str | tuple[str, str]:
        """Name where an operation is for a data set."""
        return self.places[name][n % len(self.places[name])]

    def resources(self, name: Name, n: int) -> list[str]:
        """Name what an operation keeps busy for a data set."""
        place = self.place(name, n)
        if self.body["problem"].get("ports") == "no_overlap":
            return [f"{p}.port" for p in ([place] if isinstance(place, str) else place)]
        if isinstance(place, str):
            return [f"{place}.compute"]
        return [f"{place[0]}.send", f"{place[1]}.receive"]


Node = tuple[Name, int]


@dataclass
class Solved:
    """A period, starts for it, and a cycle that takes as long."""

    period: Fraction
    modulus: Mapping[Name, int]
    starts: Mapping[Node, Fraction]
    """``- n T``, of each residue."""
    cycle: list[tuple[Name, int]]
    """Operations and data sets."""
    length: int


def solve(net: Net, modulus: Callable[[Name], int] | None = None) -> Solved:
    """Find the least period of starts that repeat after `modulus` data sets; default: after all rows."""
    moduli = {name: net.rows if modulus is None else modulus(name) for name in net.names}
    nodes = [(name, r) for name in net.names for r in range(moduli[name])]
    edges: list[tuple[Node, Node, int]] = []
    for before, after, shift in net.waits:
        common = gcd(moduli[before], moduli[after])
        edges += [
            ((before, a), (after, b), shift)
            for a in range(moduli[before])
            for b in range(moduli[after])
            if (a + shift - b) % common == 0
        ]
    period, cycle = Fraction(0), None
    while True:
        found = _longest(net, nodes, edges, period)
        if isinstance(found, dict):
            break
        cycle = found
        period = sum((net.time(*edge[0]) for edge in cycle), Fraction(0)) / sum(
            edge[2] for edge in cycle
        )
    assert cycle is not None
    steps: list[tuple[Name, int]] = []
    n = cycle[0][0][1]
    for (name, _), _, shift in cycle:
        steps.append((name, n))
        n += shift
    return Solved(period, moduli, found, steps, n - steps[0][1])


def _longest(
    net: Net, nodes: list[Node], edges: list[tuple[Node, Node, int]], period: Fraction
) -> dict[Node, Fraction] | list[tuple[Node, Node, int]]:
    """Give the least starts for a period or, if there are none, a cycle that takes longer."""
    scale = lcm(period.denominator, *(t.denominator for row in net.times.values() for t in row))
    value = {node: int(-node[1] * period * scale) for node in nodes}
    lengths = [(edge, int((net.time(*edge[0]) - edge[2] * period) * scale)) for edge in edges]
    by: dict[Node, tuple[Node, Node, int]] = {}
    for _ in range(len(nodes) + 1):
        changed = None
        for edge, length in lengths:
            through = value[edge[0]] + length
            if through > value[edge[1]]:
                value[edge[1]], by[edge[1]], changed = through, edge, edge[1]
        if changed is None:
            return {node: Fraction(start, scale) for node, start in value.items()}
    node = changed
    assert node is not None
    for _ in nodes:
        node = by[node][0]
    cycle = [by[node]]
    while cycle[-1][0] != node:
        cycle.append(by[cycle[-1][0]])
    return cycle[::-1]


def instance_of(body: Body) -> ReplicatedWorkflowInstance:
    """Read a problem."""
    return ReplicatedWorkflowInstance.model_validate(body["problem"])


def timetable(net: Net, solved: Solved) -> Timetable:
    """List the rows of starts."""
    rows: list[Row] = []
    for name in net.names:
        modulus = solved.modulus[name]
        for r in range(modulus):
            place = net.place(name, r)
            operation = (
                Computing(str(name), place)
                if isinstance(place, str)
                else Sending((name[0], name[1]), *place)
            )
            start = solved.starts[name, r] + r * solved.period
            every = modulus * solved.period
            rows.append(Row(operation, r, modulus, start, net.time(name, r), every))
    ports = net.body["problem"].get("ports", "one_port")
    return Timetable(ports, net.rows * solved.period, net.rows, tuple(rows))


def result_of(net: Net, solved: Solved, *, cycle: bool = True) -> dict[str, Any]:
    """Write the answer to an evaluation, as its document."""
    problem, period = net.body["problem"], solved.period
    use: dict[str, dict[str, Fraction]] = {}
    for name in net.names:
        parts = ["compute"] if isinstance(name, str) else ["send", "receive"]
        for n in range(net.rows):
            for resource, part in zip(net.resources(name, n), parts, strict=True):
                here = use.setdefault(resource, {})
                here[part] = here.get(part, Fraction(0)) + net.time(name, n) / net.rows
    split = problem.get("ports") == "no_overlap"
    occupation = [
        {
            "resource": resource,
            "time": str(sum(parts.values())),
            **{
                part: str(parts.get(part, 0)) if split else None
                for part in ("receive", "compute", "send")
            },
        }
        for resource, parts in sorted(use.items(), key=lambda item: -sum(item[1].values()))
    ]
    mct = Fraction(occupation[0]["time"])
    stays = [
        max(_end(net, solved, name, n) for name in net.lasts)
        - min(_end(net, solved, name, n) - net.time(name, n) for name in net.firsts)
        for n in range(net.rows)
    ]
    tasks = [task["id"] for task in problem["application"]["tasks"]]
    value = 1 / period
    approx = value.numerator / value.denominator
    return {
        "kind": "replicated_workflow",
        "outcome": "optimal",
        "method": "evaluate",
        "objective": {"name": "throughput", "value": str(value), "approx": approx},
        "bound": {"value": str(value), "approx": approx, "exact": True},
        "gap": "0",
        "certificate": {"type": "cycle_ratio"},
        "proof": "exact",
        "period": str(period),
        "mapping": [
            {"tasks": list(s["tasks"]), "processors": list(s["processors"])}
            for s in problem["mapping"]
        ],
        "copies": {
            min(s["tasks"], key=tasks.index): len(s["processors"]) for s in problem["mapping"]
        },
        "rows": str(net.rows),
        "mct": str(mct),
        "critical_resource": occupation[0]["resource"] if mct == period else None,
        "occupation": occupation,
        "critical_cycle": [
            {
                "operation": name if isinstance(name, str) else list(name),
                "place": place if isinstance(place := net.place(name, n), str) else list(place),
                "data_set": n,
                "time": str(net.time(name, n)),
            }
            for name, n in solved.cycle
        ]
        if cycle
        else None,
        "length": solved.length if cycle else None,
        "time": str(solved.length * period) if cycle else None,
        "latency": {
            "largest": str(max(stays)),
            "mean": str(sum(stays, Fraction(0)) / net.rows),
        },
        "statistics": {},
    }


def _end(net: Net, solved: Solved, name: Name, n: int) -> Fraction:
    return solved.starts[name, n % solved.modulus[name]] + net.time(name, n)


def answer(body: Body) -> tuple[ReplicatedWorkflowInstance, dict[str, Any], Timetable]:
    """Answer an evaluation: the instance, the document of the result, and the timetable."""
    net = Net(body)
    solved = solve(net)
    return instance_of(body), result_of(net, solved), timetable(net, solved)


def read(document: dict[str, Any]) -> ReplicatedWorkflowResult:
    """Read the document of a result."""
    return ReplicatedWorkflowResult.model_validate(document)


def state_of(net: Net, period: Fraction, before: int = 24, turns: int = 12) -> dict[str, Fraction]:
    """Play turns of all rows until everything repeats, after up to `turns` of them.

    The state in which each resource is free when it is latest, among these, less so many periods: an
    eigenvector, where some of these turns last as long as so many periods.
    """
    free = {
        r: Fraction(0)
        for name in net.names
        for n in range(net.rows)
        for r in net.resources(name, n)
    }
    for _ in range(before):
        free = played(net, free)
    found = free
    for i in range(1, turns):
        free = played(net, free)
        found = {r: max(found[r], free[r] - i * net.rows * period) for r in found}
    return found


def played(net: Net, free: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Play one turn of all rows, each operation as early as it can."""
    later = dict(free)
    needs = [(a, b) for a, b, shift in net.waits if not shift]
    for n in range(net.rows):
        ends: dict[Name, Fraction] = {}
        for name in net.names:
            held = net.resources(name, n)
            start = max([later[r] for r in held] + [ends[a] for a, b in needs if b == name])
            ends[name] = start + net.time(name, n)
            later |= dict.fromkeys(held, ends[name])
    return later
