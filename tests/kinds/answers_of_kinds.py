"""Answers of every kind that together have every member that a result can have."""

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import ScheduleLimits
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.replicated_workflow import validator as of_workflows
from steadygrid.kinds.replicated_workflow.solver import answer as workflow_answers
from steadygrid.submissions.submission import Submission, parse_submission
from tests.engine.executions.seen import pair
from tests.kinds.bag_of_tasks import bodies as bags
from tests.kinds.cell import bodies as cells
from tests.kinds.collective import bodies as collectives
from tests.kinds.dataflow import bodies as dataflows
from tests.kinds.divisible_chain.test_validator import DOCUMENTS as CHAINS
from tests.kinds.divisible_star import bodies as stars
from tests.kinds.layer_pipeline import bodies as layers
from tests.kinds.replicated_workflow import bodies as workflows
from tests.kinds.replicated_workflow.test_states import played
from tests.kinds.simulation import bodies as simulations
from tests.kinds.task_graph.test_given import on, star
from tests.solved import solve
from tests.tree import ROOT

Body = Mapping[str, Any]
Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Solved:
    """An answer, what was asked, and what has to be changed while it is judged."""

    submission: Submission
    result: Any
    schedule: Any
    patch: Patch

    def judge(self, result: Any) -> None:
        """Let the referee judge another result for the same question and schedule."""
        asked = self.submission
        with pytest.MonkeyPatch.context() as patched:
            self.patch(patched)
            asked.problem.validate(
                asked.instance, asked.options, result, self.schedule, ScheduleLimits()
            )


def _as_it_is(_: pytest.MonkeyPatch) -> None:
    return


def _no_tables(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(prices, "MOST_ENTRIES", 1)
    patched.setattr(prices, "QUICK_ENTRIES", 1)


def _no_rows(patched: pytest.MonkeyPatch) -> None:
    for module in (of_workflows, workflow_answers):
        patched.setattr(module, "MOST_ROWS", 0)


PATCHES: Mapping[str, Patch] = {
    "mono_allocation/messages": _no_tables,
    "replicated_workflow/no rows": _no_rows,
}


def changed(kind: str, **members: Any) -> dict[str, Any]:
    """Give the example of a kind with members of its problem replaced."""
    return with_members(PROBLEMS[kind].example, **members)


def with_members(body: Body, **members: Any) -> dict[str, Any]:
    """Give a body with members of its problem replaced."""
    problem = copy.deepcopy(dict(body["problem"]))
    return {**body, "problem": problem | members}


def file(name: str) -> dict[str, Any]:
    """Read one of the examples."""
    document = json.loads((ROOT / "examples" / name).read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


PAIR = {
    "processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}],
    "links": [{"source": "A", "target": "B", "bandwidth": 1}],
}
PINNED = {
    "platform": {
        "processors": [{"id": name} for name in "ABC"],
        "links": [{"source": a, "target": b, "bandwidth": 1} for a, b in ("AB", "BC", "AC")],
    },
    "application": {
        "tasks": [
            {"id": "a", "times": {"A": 1}},
            {"id": "b", "times": {"B": 1, "C": 1}},
            {"id": "c", "times": {"C": 1, "B": 1}},
        ],
        "files": [
            {"source": "a", "target": "b", "size": 6},
            {"source": "a", "target": "c", "size": 6},
            {"source": "b", "target": "c", "size": 1},
        ],
    },
}
WAYS = {
    "platform": {
        "processors": [{"id": "A", "speed": 1}, {"id": "R"}, {"id": "B", "speed": 2}],
        "links": [
            {"source": "A", "target": "R", "bandwidth": 1},
            {"source": "R", "target": "B", "bandwidth": 2},
        ],
        "routes": [{"source": "A", "target": "B", "via": ["R"]}],
    },
    "master": "A",
    "task": {"work": 1},
    "routing": "fixed",
}
SOLO = {"max_labelling_entries": 5}
"""An option that few kinds use: it is warned of."""


def _mono(**members: Any) -> dict[str, Any]:
    return {"problem": {"kind": "mono_allocation"} | members}


def _three_on_two(**members: Any) -> dict[str, Any]:
    """Three tasks that take 2 on each of two processors: a mix takes 3, one allocation 4."""
    tasks = [{"id": name, "work": 2} for name in "abc"]
    files = [{"source": "a", "target": name, "size": 0} for name in "bc"]
    application = {"tasks": tasks, "files": files}
    return _mono(platform=PAIR, application=application, **members)


def _broadcast(listed: str, **members: Any) -> dict[str, Any]:
    return collectives.body(listed, "broadcast", source="s", **members)


def _drawn_graph() -> dict[str, Any]:
    times = {"a": [1, 2], "b": 3}
    return {"problem": dataflows.problem(times, "a 1,1>1 b; b 1>1,1 a 3", concurrency="auto")}


BODIES: Mapping[str, Body] = {
    **{f"{kind}/example": problem.example for kind, problem in PROBLEMS.items()},
    "simulation/example": with_members(
        PROBLEMS["simulation"].example, noise=["0"], executions=["clock"], instances=3
    ),
    "master_worker/routes": {"problem": {"kind": "master_worker"} | WAYS},
    "master_worker/short": {
        **file("rr4870-figure-3.json"),
        "options": {"max_period": "1/100"} | SOLO,
    },
    "master_worker/cards": file("file-server-two-cards.json"),
    "master_worker/latencies": file("rr4870-figure-3-latencies.json"),
    "task_graph/lists": changed("task_graph", method="constraint_lists"),
    "task_graph/short": {**PROBLEMS["task_graph"].example, "options": {"max_period": "1/100"}},
    "task_graph/given": {"problem": star(allocations=on("Q"))},
    "task_graph/unasked": {"problem": star(allocations=on("Q"), bound_method="none")},
    "task_graph/rated": {"problem": star(allocations=on("P", rate=3), rates="given")},
    "task_graph/classes": {"problem": star(allocations=on("P"), classes=[["P", "Q", "R"]])},
    "task_graph/search": {"problem": star(method="auto"), "options": {"max_labelling_entries": 0}},
    "mono_allocation/given": file("camera-as-it-runs.json"),
    "mono_allocation/intervals": file("pipeline-twelve-layers.json"),
    "mono_allocation/compare": changed("mono_allocation", method="compare", instances=20),
    "mono_allocation/heft": changed("mono_allocation", method="heft", instances=20),
    "mono_allocation/bounds": changed("mono_allocation", method="upper_bound"),
    "mono_allocation/messages": _mono(
        **PINNED,
        method="given",
        mapping={"a": ["A"], "b": ["B"], "c": ["C"]},
        bound_method="relaxation",
        routing="free",
    ),
    "mono_allocation/weights": _three_on_two(),
    "mono_allocation/milp": file("triangle-one-allocation.json") | {"options": SOLO},
    "collective/unreachable": _broadcast("s>a 1, b>a 1"),
    "collective/scatter": collectives.body(
        "s>r 1, r>a 1, s>b 3, r>b 1", "scatter", source="s", targets=["a", "b"]
    ),
    "collective/cuts": file("three-sites-broadcast.json"),
    "collective/trees": _broadcast("s>a 1, s>b 2, a>b 1"),
    "collective/compare": collectives.body(
        "s>r 1, r>a 1, s>b 2, r>b 1, r>c 1",
        "multicast",
        source="s",
        targets=["a", "b"],
        method="compare",
    )
    | {"options": {"max_period": 3, "mip_gap": 1}},
    "collective/reduce": collectives.body(
        "a>b 1, b>t 1, a>t 2",
        "reduce",
        target="t",
        sources=["a", "b", "t"],
        combine={"times": {"b": 1, "t": 2}},
    ),
    "collective/allreduce": collectives.body("a>b 1, b>a 1, b>c 1, c>a 1", "allreduce"),
    "collective/chunks": collectives.body(
        "a>b 1, b>a 1, b>c 1, c>b 1, c>d 1, d>c 1, d>a 1, a>d 1",
        "allgather",
        ports="multiport",
        chunks=1,
    ),
    "collective/summed": collectives.body(
        "a>b 1, b>a 1, b>c 1, c>b 1, c>a 1, a>c 1", "allreduce", ports="multiport"
    ),
    "collective/once": collectives.body(
        "a>b 1, b>a 1, b>c 2, c>b 2",
        "allgather",
        ports="multiport",
        objective="completion",
        members={"latency": 1},
    ),
    "collective/potentials": collectives.body(
        "s>w 1, w>s 2, w>a 1, a>w 3, w>b 2, b>w 1, s>a 3, a>s 4, a>b 1, b>a 2",
        "allreduce",
        switches="w",
        ports="send_or_receive",
    ),
    **{f"divisible_chain/{name}": CHAINS[name] for name in ("three", "simple", "startup", "break")},
    "divisible_chain/single": CHAINS["single"],
    "divisible_star/compare": changed("divisible_star", method="compare"),
    "divisible_star/periodic": changed("divisible_star", method="periodic"),
    "divisible_star/latencies": file("divisible-load-with-latencies.json"),
    "divisible_star/results": stars.with_results(["1", "2"], ["3", "2"], ["1", "3"])
    | {"options": SOLO},
    "divisible_star/items": stars.star(
        ["1", "2"],
        ["3", "2"],
        load={"communication_volume": 1, "computation_volume": 1, "items": 7},
    ),
    "cell/search": file("cell-filter-bank.json") | {"options": SOLO},
    "cell/greedy": changed("cell", method="greedy"),
    "cell/chain": cells.chain(),
    "bag_of_tasks/policies": bags.example_b(method="compare", stream={"count": 12, "seeds": 2}),
    "bag_of_tasks/uniform": bags.body(
        bags.star({"speed": 2}, {"speed": 1}),
        bags.uniform("T", (1, 2), (1, 3)),
        method="means",
        epsilon=10,
    )
    | {"options": {"mip_gap": 1}},
    "bag_of_tasks/classes": bags.example_b(method="approximation") | {"options": SOLO},
    "replicated_workflow/rows": workflows.published_a(),
    "replicated_workflow/no rows": workflows.published_a("no_overlap"),
    "replicated_workflow/portfolio": workflows.without_mapping(
        workflows.small(), method="portfolio"
    ),
    "replicated_workflow/exact": workflows.without_mapping(workflows.published_a(), method="exact"),
    "replicated_workflow/lags": {
        "problem": workflows.skip_edge()["problem"] | {"order": "searched"}
    },
    "dataflow/deadlock": {"problem": dataflows.problem({"a": 1, "b": 1}, "a 1>1 b; b 1>1 a")},
    "dataflow/rows": {
        "problem": dataflows.problem(
            {"a": 3, "b": 3, "c": 2},
            "x:a 1>1 b; y:b 1>1 c; z:a 1>1 c; w:c 1>1 a 2",
            buffers="least",
            target_period=4,
        )
    },
    "dataflow/front": {
        "problem": dataflows.problem(
            {"a": 1, "b": 2, "c": 4}, "a 1>1 b; b 1>1 a 1; b 2>3 c", buffers="front"
        )
    },
    "dataflow/phases": _drawn_graph() | {"options": SOLO},
    "layer_pipeline/reduced": layers.E,
    "layer_pipeline/forward": layers.H,
    "layer_pipeline/without room": layers.body(layers.alike(3), {"count": 2, "memory": 2}),
}


PROGRAM: Body = {
    "problem": {
        "kind": "collective",
        "operation": "broadcast",
        "source": "a",
        "ports": "multiport",
        "platform": {
            "processors": [{"id": "a"}, {"id": "b"}],
            "links": [{"source": "a", "target": "b", "bandwidth": 4}],
        },
        "execution": {"sizes": [10**9], "piece": 10**8},
    }
}
"""A collective whose program is predicted."""


def of_simulations() -> dict[str, Body]:
    """Give those whose schedules have to be found first, which takes a second."""
    return {
        "simulation/rows": simulations.example(noise=["0", "1/20"], instances=30, seeds=2),
        "simulation/dispatched": simulations.example(
            ports="no_overlap", executions=["dispatch"], noise=["1/20"], instances=40, seeds=2
        )
        | {"options": SOLO},
        "simulation/alike": simulations.simulated(
            pair(1, 1), noise=["0"], executions=["order", "dispatch"], instances=20
        ),
        "simulation/program": simulations.simulated(
            PROGRAM, executions=["program"], noise=["0", "1/20"], seeds=2
        ),
        "simulation/once": simulations.simulated(
            PROBLEMS["divisible_star"].example, noise=["0", "1/20"], seeds=2
        ),
    }


@cache
def answers_of(kind: str) -> Mapping[str, Solved]:
    """Solve those of a kind, once."""
    given = of_simulations() if kind == "simulation" else BODIES
    bodies = {name: body for name, body in given.items() if name.split("/")[0] == kind}
    found = {name: _solved(body, PATCHES.get(name, _as_it_is)) for name, body in bodies.items()}
    return found | ({f"{kind}/state": _by_state()} if kind == "replicated_workflow" else {})


def _solved(body: Body, patch: Patch) -> Solved:
    options = dict(body.get("options", {})) | {"time_limit": 10}
    asked = {**copy.deepcopy(dict(body)), "options": options}
    with pytest.MonkeyPatch.context() as patched:
        patch(patched)
        result, schedule = solve(asked)
    return Solved(parse_submission(asked, Limits()), result, schedule, patch)


def _by_state() -> Solved:
    """Give an answer of so many rows that a state stands for them; these are few, and forbidden."""
    body = workflows.published_a("no_overlap")
    _, document = played(body)
    result = PROBLEMS["replicated_workflow"].result.model_validate(document)
    return Solved(parse_submission(body, Limits()), result, None, _no_rows)
