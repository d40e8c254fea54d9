"""Small problems of every kind, and what they are compared with: narrower ones and other ones.

Every schedule of a narrower problem is one of the problem itself, so that its optimum is a lower value
that a forger could pass off as the best. A problem that is merely another one lends its certificates
and schedules.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

from steadygrid.kinds import PROBLEMS
from tests.forgery.papers import Document, Edit, Papers, answered
from tests.kinds.bag_of_tasks import bodies as bags
from tests.kinds.cell import bodies as cells
from tests.kinds.collective import bodies as collectives
from tests.kinds.dataflow.bodies import problem as graph
from tests.kinds.divisible_chain.solving import body as chain
from tests.kinds.divisible_star.bodies import star, tree
from tests.kinds.layer_pipeline import bodies as layers
from tests.kinds.replicated_workflow.bodies import workflow
from tests.kinds.simulation import bodies as simulations


class Subject(NamedTuple):
    """A problem whose answer is forged."""

    given: Document | Callable[[], Document]
    """The body, or what makes it where that takes a while."""
    narrower: Mapping[str, Edit] = {}
    others: Mapping[str, Edit] = {}

    @property
    def body(self) -> Document:
        """A body of the problem."""
        return deepcopy(self.given() if callable(self.given) else self.given)


def put(path: str, value: Any) -> Edit:
    """Put a value somewhere in the problem, such as ``platform/links/0/unit_time``; None: take it out."""

    def edit(problem: Document) -> None:
        *way, last = (int(step) if step.isdigit() else step for step in path.split("/"))
        here: Any = problem
        for step in way:
            here = here[step]
        if value is None:
            del here[last]
        else:
            here[last] = value

    return edit


def _with_slow_links(problem: Document) -> None:
    for link in problem["platform"]["links"]:
        link["unit_time"] = 3 * int(link["unit_time"])


def _without_a_way_round(problem: Document) -> None:
    """Leave A alone with B and C, which have no links to each other."""
    del problem["platform"]["links"][4:]


def _simulated(kind: str) -> Edit:
    """Simulate the schedule of the example of another kind."""
    documents = ("instance", "result", "schedule")

    def edit(problem: Document) -> None:
        other = simulations.example(kind)["problem"]
        problem.update({name: other[name] for name in documents})

    return edit


def _example(kind: str) -> Document:
    return deepcopy(dict(PROBLEMS[kind].example))


def _links(*pairs: str, **members: Any) -> list[Document]:
    """Give links by pairs such as ``"A B 2"``, the unit time last."""
    return [
        dict(zip(("source", "target", "unit_time"), pair.split(), strict=True)) | members
        for pair in pairs
    ]


def _pooled_master() -> Document:
    """A master with three workers alike, whose results come back."""
    workers = [{"id": name, "unit_time": 2} for name in ("A", "B", "C")]
    platform = {
        "processors": [{"id": "M", "unit_time": 6}, *workers],
        "links": _links("M A 1", "M B 1", "M C 1"),
    }
    task = {"work": 1, "input_size": "1/2", "output_size": "1/4"}
    asked = {"kind": "master_worker", "platform": platform, "master": "M", "task": task}
    return {"problem": asked}


def _with_latencies() -> Document:
    """The example, in groups of periods that pay for the latencies of its links."""
    body = _example("master_worker") | {"options": {"latencies": "paid"}}
    for link in body["problem"]["platform"]["links"]:
        link["latency"] = "1/2"
    return body


def _routed_master() -> Document:
    """Workers behind each other: files take the routes."""
    platform = {
        "processors": [{"id": "M"}, {"id": "A", "unit_time": 1}, {"id": "B", "unit_time": 3}],
        "links": _links("M A 1", "A B 1"),
        "routes": [{"source": "M", "target": "B", "via": ["A"]}],
    }
    asked = {"kind": "master_worker", "platform": platform, "master": "M", "task": {"work": 1}}
    return {"problem": asked | {"ports": "multiport", "routing": "fixed"}}


def _pooled_tasks() -> Document:
    """Two tasks on a source and three processors alike."""
    platform = {
        "processors": [{"id": "S"}, *({"id": name} for name in ("A", "B", "C"))],
        "links": _links("S A 1", "S B 1", "S C 1", duplex="simplex"),
    }
    application = {
        "tasks": [
            {"id": "make", "times": {"S": "1/2"}},
            {"id": "use", "times": {"A": 2, "B": 2, "C": 2}},
        ],
        "files": [{"source": "make", "target": "use", "size": "1/4"}],
    }
    return {"problem": {"kind": "task_graph", "platform": platform, "application": application}}


def _judged_tasks(joining: tuple[str, ...] = ("P4", "P5")) -> Document:
    """Give allocations of the fork and join, one for each processor that joins, with the best rates."""
    body = _example("task_graph")
    others = {"T1": "P1", "T2": "P2", "T3": "P3"}
    body["problem"] |= {
        "method": "given",
        "routing": "fixed",
        "allocations": [{"tasks": others | {"T4": name}} for name in joining],
    }
    return body


def _camera_with_slow_links() -> Document:
    """The example, with so slow a link that no prices prove the optimum."""
    body = _example("mono_allocation")
    put("platform/links/0/bandwidth", "1/2")(body["problem"])
    return body


def _two_on_the_small_one(problem: Document) -> None:
    tasks = problem["application"]["tasks"]
    tasks[1] = {"id": "align", "times": {"small": 6}}
    tasks[2] = {"id": "detect", "times": {"small": 8}}


def _stages(**problem: Any) -> Document:
    """A chain of three tasks on three processors in a row."""
    platform = {
        "processors": [{"id": name} for name in "ABC"],
        "links": _links("A B 1", "B C 1", "A C 1"),
    }
    application = {
        "tasks": [
            {"id": "x", "times": {"A": 2, "B": 3, "C": 4}},
            {"id": "y", "times": {"A": 3, "B": 2, "C": 3}},
            {"id": "z", "times": {"A": 4, "B": 3, "C": 2}},
        ],
        "files": [
            {"source": "x", "target": "y", "size": 1},
            {"source": "y", "target": "z", "size": 1},
        ],
    }
    asked = {"kind": "mono_allocation", "platform": platform, "application": application}
    return {"problem": asked | problem}


def _triangle(**problem: Any) -> Document:
    """A broadcast among three, where no port is enough for both others."""
    listed = "A>B 1, B>A 1, A>C 1, C>A 1, B>C 1, C>B 1"
    return collectives.body(listed, "broadcast", source="A", **problem)


def _reduction() -> Document:
    """A reduction whose combinations take time."""
    listed = "A>B 1, B>A 1, A>C 1, C>A 1, B>C 1, C>B 1"
    combine = {"times": {"A": 1, "B": "1/2"}}
    return collectives.body(listed, "reduce", target="A", combine=combine)


def _searched_workflow(method: str = "exact") -> Document:
    """Two stages on four processors that are all joined."""
    names = ("P1", "P2", "P3", "P4")
    times = dict(zip(names, (3, 4, 6, 8), strict=True))
    links = {f"{a} {b}": 1 for a in names for b in names if a != b}
    tasks = {"a": {"P1": 2, "P2": 3}, "b": times}
    return {"problem": workflow(tasks, {"a b": 1}, links, None, method=method)["problem"]}


_RETURNED = {"communication_volume": 1, "computation_volume": 1, "return_volume": "1/2"}


def _with_link_latencies(body: Document) -> Document:
    """Let every message take a quarter of a time unit more."""
    for link in body["problem"]["platform"]["links"]:
        link["latency"] = "1/4"
    return body


def _rounds() -> Document:
    """Messages that cost time of their own, in two rounds."""
    return _with_link_latencies(star([1, 2], [6, 4], order=["P1", "P2"], rounds=2))


def _with_a_late_worker(problem: Document) -> None:
    problem["platform"]["links"][1]["latency"] = 100


def _cell_of_search() -> Document:
    """A machine on which neither reference is the best."""
    tasks = {
        name: {"time_ppe": 6, "time_spe": time}
        for name, time in zip("abcd", (4, 3, 3, 2), strict=True)
    }
    return cells.body(tasks, {}, spes=2)


def _streamed_bags() -> Document:
    """Bags whose tasks come one by one, dealt out on demand."""
    body = bags.example_b(method="compare")
    body["problem"]["stream"] = {"count": 8, "seeds": 2}
    return body


SUBJECTS: Mapping[str, Subject] = {
    "master_worker": Subject(
        _example("master_worker"),
        {"P4 idle": put("platform/processors/3/unit_time", None)},
        {"slow links": _with_slow_links},
    ),
    "master_worker with pools": Subject(
        _pooled_master(),
        {"C idle": put("platform/processors/3/unit_time", None)},
        {"slow workers": put("task/work", 4)},
    ),
    "master_worker in short periods": Subject(
        _example("master_worker") | {"options": {"max_period": 17}},
        {"P4 idle": put("platform/processors/3/unit_time", None)},
        {"slow links": _with_slow_links},
    ),
    "master_worker that pays latencies": Subject(
        _with_latencies(),
        {"P4 idle": put("platform/processors/3/unit_time", None)},
        {"slow links": _with_slow_links},
    ),
    "master_worker of least traffic": Subject(
        _example("master_worker") | {"options": {"prefer": "least_traffic"}},
        {"P4 idle": put("platform/processors/3/unit_time", None)},
        {"slow links": _with_slow_links},
    ),
    "master_worker on routes": Subject(
        _routed_master(),
        {"A idle": put("platform/processors/1/unit_time", None)},
        {"a slow link": put("platform/links/0/unit_time", 2)},
    ),
    "task_graph": Subject(
        _example("task_graph"),
        {"P5 idle": put("application/tasks/3/times/P5", None)},
        {"a slow task": put("application/tasks/1/times/P2", 2)},
    ),
    "task_graph with classes": Subject(
        _pooled_tasks(),
        {"C idle": put("application/tasks/1/times/C", None)},
        {"a slow task": put("application/tasks/0/times/S", 4)},
    ),
    "task_graph that is searched": Subject(
        _pooled_tasks() | {"options": {"max_labelling_entries": 0}},
        {"C idle": put("application/tasks/1/times/C", None)},
        {"a slow task": put("application/tasks/0/times/S", 4)},
    ),
    "task_graph of given allocations": Subject(
        _judged_tasks(),
        others={"a slow task": put("application/tasks/1/times/P2", 2)},
    ),
    "task_graph of one given allocation": Subject(
        _judged_tasks(("P4",)),
        others={"a slow task": put("application/tasks/1/times/P2", 3)},
    ),
    "mono_allocation": Subject(
        _example("mono_allocation"),
        {
            "detection on the small one": put(
                "application/tasks/2", {"id": "detect", "times": {"small": 8}}
            ),
        },
        {"slow links": put("platform/links/0/bandwidth", "1/2")},
    ),
    "mono_allocation of a chain": Subject(
        _stages(),
        {"all on one": put("application/tasks/2/times", {"A": 4, "B": 3})},
        {"slow links": put("platform/links/0/unit_time", 3)},
    ),
    "mono_allocation in intervals": Subject(
        _stages(contiguous=True),
        {"two processors": put("application/tasks/2/times", {"A": 4, "B": 3})},
        {"slow links": put("platform/links/0/unit_time", 3)},
    ),
    "mono_allocation that is searched": Subject(
        _camera_with_slow_links(),
        {"two on the small one": _two_on_the_small_one},
        {"slower links": put("platform/links/0/bandwidth", "1/3")},
    ),
    "mono_allocation of a given mapping": Subject(
        _stages(method="given", mapping={"x": ["A"], "y": ["A"], "z": ["C"]}),
        others={"a slow task": put("application/tasks/0/times/A", 3)},
    ),
    "collective": Subject(
        _example("collective"),
        {"one way less": put("platform/links/2", None)},
        {"a slow link": put("platform/links/0/unit_time", 2)},
    ),
    "collective with trees": Subject(
        _triangle(),
        {"two ways less": _without_a_way_round},
        {"slow links": _with_slow_links},
    ),
    "collective that combines": Subject(
        _reduction(),
        {"B combines nothing": put("combine/times/B", None)},
        {"a slow link": put("platform/links/1/unit_time", 3)},
    ),
    "collective by cuts": Subject(
        _triangle(ports="multiport"),
        {"one way less": put("platform/links/5", None)},
        {"a slow link": put("platform/links/0/unit_time", 2)},
    ),
    "collective that runs once": Subject(
        _triangle(ports="multiport", objective="completion", size=4),
        {"one way less": put("platform/links/5", None)},
        {"a slow link": put("platform/links/0/unit_time", 2)},
    ),
    "divisible_chain": Subject(
        _example("divisible_chain"),
        {"P2 too late": put("availability", {"P2": 1000})},
        {"a slow processor": put("platform/processors/1/unit_time", 2)},
    ),
    "divisible_chain of completions": Subject(
        chain([1, 2], [2], [(1, 2), (2, 1)], 1, objective="mean_completion"),
        {"P2 too late": put("availability", {"P2": 1000})},
        {"a slow link": put("platform/links/0/bandwidth", "1/2")},
    ),
    "divisible_star": Subject(
        _example("divisible_star"),
        {
            "the wrong order": put("order", ["P3", "P2", "P1"]),
            "two workers": put("order", ["P1", "P2"]),
        },
        {"a slow link": put("platform/links/0/unit_time", 4)},
    ),
    "divisible_star with latencies": Subject(
        _with_link_latencies(star([1, 2, 3], [3, 2, 1])),
        {"the wrong order": put("order", ["P2", "P1"])},
        {"a slow link": put("platform/links/0/unit_time", 2)},
    ),
    "divisible_star in two rounds": Subject(
        _rounds(),
        {"one round": put("rounds", 1), "one worker": _with_a_late_worker},
        {"a slow link": put("platform/links/0/unit_time", 4)},
    ),
    "divisible_star with results": Subject(
        star([1, 2], [3, 1], load=_RETURNED),
        {"the wrong order": put("order", ["P2", "P1"]), "one worker": put("order", ["P1"])},
        {"a slow link": put("platform/links/0/unit_time", 4)},
    ),
    "divisible_star as a tree": Subject(
        tree({"M": None, "A": 2, "B": 3, "C": 1}, {("M", "A"): 1, ("A", "B"): 1, ("M", "C"): 2}),
        {"the wrong order": put("order", ["C", "A", "B"])},
        {"a slow link": put("platform/links/1/unit_time", 4)},
    ),
    "cell": Subject(
        _example("cell"),
        {"greedily": put("method", "greedy"), "on the PPE": put("method", "ppe_only")},
        {"slow tasks": put("application/tasks/1/time_spe", "6e-5")},
    ),
    "cell that is searched": Subject(
        _cell_of_search(),
        {"greedily": put("method", "greedy"), "one SPE": put("machine/spes", 1)},
        {"a slow task": put("application/tasks/0/time_spe", 6)},
    ),
    "bag_of_tasks": Subject(
        _example("bag_of_tasks"),
        {"P2 idle": put("platform/processors/2/speed", None)},
        {"a slow link": put("platform/links/1/bandwidth", 5)},
    ),
    "bag_of_tasks as they come": Subject(
        _streamed_bags(),
        others={"a slow link": put("platform/links/1/bandwidth", 5)},
    ),
    "replicated_workflow": Subject(
        _example("replicated_workflow"),
        others={"a slow link": put("platform/links/1/unit_time", 9)},
    ),
    "replicated_workflow that is searched": Subject(
        _searched_workflow(),
        {
            "no replicas": put("max_replicas", 1),
            "P1 idle": put("application/tasks/0/times", {"P2": 3}),
        },
        {"a slow link": put("platform/links/0/unit_time", 3)},
    ),
    "dataflow": Subject(
        _example("dataflow"),
        others={"a slow actor": put("graph/actors/1/times", 3)},
    ),
    "dataflow side by side": Subject(
        {
            "problem": graph(
                {"a": 2, "b": 3, "c": 1}, "a 1>2 b; b 1>1 c; c 2>1 a 4", concurrency="auto"
            )
        },
        {"fewer tokens": put("graph/channels/2/tokens", 2)},
        {"a slow actor": put("graph/actors/1/times", 5)},
    ),
    "layer_pipeline": Subject(
        _example("layer_pipeline"),
        {"less memory": put("devices/0/memory", 3)},
        {"a slow layer": put("layers/1/forward", 3)},
    ),
    "layer_pipeline of forward passes": Subject(
        layers.H,
        {"one copy each": put("max_replicas", 1)},
        {"a slow layer": put("layers/1/forward", 5)},
    ),
    "layer_pipeline that reduces": Subject(
        layers.E,
        {"fewer devices": put("devices/0/count", 3)},
        {"more weights": put("layers/0/weights", 20)},
    ),
    "layer_pipeline of given stages": Subject(
        {
            "problem": layers.D["problem"]
            | {
                "method": "evaluate",
                "stages": [
                    {"layers": ["a", "a"], "device": "gpu"},
                    {"layers": ["b", "c"], "device": "gpu", "replicas": 2},
                ],
            }
        },
        others={"a slow layer": put("layers/1/forward", 3)},
    ),
    "simulation": Subject(
        lambda: simulations.example(noise=["0", "1/20"], instances=30, seeds=2),
        others={"another schedule": _simulated("task_graph"), "more noise": put("noise/1", "1/5")},
    ),
    "simulation of one allocation": Subject(
        lambda: simulations.example("mono_allocation", noise=["0", "1/10"], instances=30, seeds=2),
        others={"another schedule": _simulated("master_worker")},
    ),
}
"""By name; the first word is the kind."""


@cache
def right(name: str) -> Papers:
    """Give the right answer to a problem."""
    return answered(SUBJECTS[name].body)


@cache
def narrower(name: str, how: str) -> Papers:
    """Give the answer to a narrower problem."""
    return _of(name, SUBJECTS[name].narrower[how])


@cache
def other(name: str, how: str) -> Papers:
    """Give the answer to another problem."""
    return _of(name, SUBJECTS[name].others[how])


def _of(name: str, edit: Edit) -> Papers:
    body = SUBJECTS[name].body
    edit(body["problem"])
    return answered(body)
