"""What more rules cost: port models, network cards, latencies, fixed routes; each against none of them.

The plain instance has ``one_port`` and free routing. All are solved one after the other in one
process, refereed schedules included, so that the ratios do not depend on the machine's mood.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.generators import random_platform, random_task_graph
from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission

Body = dict[str, Any]

PORTS = ("send_or_receive", "no_overlap")


def measure() -> Iterator[Measurement]:
    """Solve a bag of tasks on 200 processors and a task graph on 20, under one rule after the other."""
    yield from _compared("tasks on 200 processors, 300 links", _bag())
    yield from _compared("12 tasks on 20 processors", _graph("task_graph"))
    yield from _compared("one allocation, 8 tasks on 8 processors", _graph("mono_allocation"))
    yield Measurement("peak memory", peak_gigabytes(), "GB")


def _compared(what: str, plain: Body) -> Iterator[Measurement]:
    _seconds(plain)  # a worker has imported everything before its first job
    alone = _seconds(plain)
    yield Measurement(f"{what}: one_port", alone, "s")
    for rule, body in _ruled(plain):
        yield Measurement(f"{what}: {rule}", _seconds(body) / alone, "times as long")


def _ruled(plain: Body) -> Iterator[tuple[str, Body]]:
    problem = plain["problem"]
    for ports in PORTS:
        yield ports, plain | {"problem": problem | {"ports": ports}}
    platform = problem["platform"]
    carded = [p if p.get("switch") else p | {"cards": 2} for p in platform["processors"]]
    cards = problem | {"platform": platform | {"processors": carded}}
    yield "two cards each", plain | {"problem": cards}
    late = [link | {"latency": "1/1000"} for link in platform["links"]]
    paid = problem | {"platform": platform | {"links": late}}
    yield "latencies paid", {"problem": paid, "options": plain["options"] | {"latencies": "paid"}}
    other = "fixed" if problem.get("routing", "free") == "free" else "free"
    yield f"{other} routing", plain | {"problem": problem | {"routing": other}}


def _seconds(body: Body) -> float:
    submission = parse_submission(body, Limits())
    with stopwatch() as watch:
        answer = pipeline.run(submission, Control(submission.options.time_limit), Limits())
    if answer.schedule is None:
        raise ArithmeticError(f"no schedule: {answer.result.notes}")
    return watch.seconds


def _bag() -> Body:
    instance = random_platform(1, num_processors=200, num_links=300)
    problem = instance.model_dump(mode="json", exclude_none=True) | {"method": "lp"}
    return _asked(problem)


def _graph(kind: str) -> Body:
    tasks, processors = (12, 20) if kind == "task_graph" else (8, 8)
    instance = random_task_graph(1, tasks, processors, 3)
    problem: Mapping[str, Any] = instance.model_dump(mode="json", exclude_none=True)
    kept = {name: problem[name] for name in ("platform", "application")}
    return _asked({"kind": kind, **kept, "routing": "free"})


def _asked(problem: Body) -> Body:
    platform = problem["platform"]
    links = [link | {"duplex": "full"} for link in platform["links"]]
    return {
        "problem": problem | {"platform": platform | {"links": links}, "ports": "one_port"},
        "options": {"time_limit": 300, "whole_files": False},
    }
