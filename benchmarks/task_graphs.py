"""Task graphs: how fast the optimum is certified, and what joins cost."""

from collections.abc import Iterator
from fractions import Fraction
from statistics import mean

from benchmarks.generators import random_fork_join, random_task_graph
from benchmarks.joins import without_joins
from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.submissions.submission import Submission

CASES = ((20, 20, 3, 5), (20, 80, 3, 5), (47, 20, 4, 20), (30, 40, 3, 20), (50, 100, 2, 60))
"""Tasks, processors, width, and the seconds that are claimed."""
NUM_FORK_JOINS = 100
MANY = ((110, 5), (130, 5), (250, 10), (640, 30))
"""Different processors for ten tasks, and the seconds that are claimed."""


def measure() -> Iterator[Measurement]:
    """Solve, certify, reconstruct and verify; both methods where both can run."""
    _solve(random_task_graph(0, 5, 5, 2))  # a worker has imported everything before its first job
    for tasks, processors, width, seconds in CASES:
        what = f"{tasks} tasks, {processors} processors, width at most {width}"
        instance = random_task_graph(0, tasks, processors, width)
        with stopwatch() as watch:
            _solve(instance)
        yield Measurement(what, watch.seconds, "s", claim=seconds)
    for tasks, processors in ((7, 3), (8, 4), (8, 5)):
        instance = random_task_graph(1, tasks, processors, 3)
        what = f"{tasks} tasks, {processors} processors"
        with stopwatch() as columns:
            optimum = _solve(instance)
        yield Measurement(f"{what}: column_generation", columns.seconds, "s")
        with stopwatch() as lists:
            same = _solve(instance.model_copy(update={"method": "constraint_lists"}))
        if optimum != same:
            raise ArithmeticError(f"{what}: {optimum} by one method, {same} by the other")
        yield Measurement(f"{what}: constraint_lists", lists.seconds, "s")
    for processors in (5, 10, 20, 40, 80):
        instance = random_task_graph(2, 20, processors, 3)
        with stopwatch() as watch:
            optimum = _solve(instance)
        what = f"20 tasks, {processors} processors"
        yield Measurement(f"{what}: throughput", float(optimum), "per time unit")
        yield Measurement(f"{what}: time", watch.seconds, "s")
    for processors, seconds in MANY:
        instance = random_task_graph(0, 10, processors, 3)
        with stopwatch() as watch:
            _solve(instance)
        what = f"10 tasks, {processors} different processors, width at most 3"
        yield Measurement(what, watch.seconds, "s", claim=seconds)
    yield from _joins()
    yield Measurement("peak memory", peak_gigabytes(), "GB", claim=4)


def _joins() -> Iterator[Measurement]:
    ratios: list[float] = []
    impossible = 0
    for seed in range(NUM_FORK_JOINS):
        instance = random_fork_join(seed)
        flow = without_joins(instance)
        if not flow:
            continue
        truth = _solve(instance)
        if truth:
            ratios.append(float(flow / truth))
        else:
            impossible += 1
    what = f"{NUM_FORK_JOINS} fork-joins, flows that ignore instances over the truth"
    yield Measurement(f"{what}: mean", mean(ratios), "times")
    yield Measurement(f"{what}: largest", max(ratios), "times")
    yield Measurement(f"{what}: infeasible, yet with a flow", impossible, "instances")


def _solve(instance: TaskGraphInstance) -> Fraction:
    """Give the certified throughput, 0 where there is no allocation."""
    submission = Submission(PROBLEMS["task_graph"], instance, Options(), {})
    result = pipeline.run(submission, Control(), Limits()).result
    if result.outcome is Outcome.INFEASIBLE or result.objective is None:
        return Fraction(0)
    if result.outcome is not Outcome.OPTIMAL:
        raise ArithmeticError(f"only {result.outcome}")
    return result.objective.value
