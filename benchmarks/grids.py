"""Whole grids: task graphs on pools of interchangeable hosts, and over all hosts where that answers."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from benchmarks.generators import random_task_graph
from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from benchmarks.mono_allocation_scenarios import read_grid, read_workflow
from steadygrid.domain.application import Application
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link, Platform, Processor
from steadygrid.domain.pools import Pools
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, WorkerTask
from steadygrid.kinds.shared.pools import pools_of
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver import column_generation
from steadygrid.submissions.submission import Submission

FORK_JOIN = "helloworld-forkjoin-10-chameleon"
EPIGENOMICS = "epigenomics-chameleon-hep-1seq-100k-001"
WHOLE = (
    ("griffon", FORK_JOIN, 3),
    ("griffon", EPIGENOMICS, 3),
    ("g5k", FORK_JOIN, 20),
    ("g5k", EPIGENOMICS, 20),
)
"""Platform, workflow, and the seconds that are claimed for the refereed answer."""
NUM_PLANTED = 60


def measure() -> Iterator[Measurement]:
    """Answer whole grids, then compare with the program over all hosts: equal, and how much slower."""
    _answered(_planted(0))  # a worker has imported everything before its first job
    for platform, workflow, seconds in WHOLE:
        application = read_workflow(workflow)
        if application is not None:
            instance = _instance(read_grid(platform), application)
            with stopwatch() as watch:
                _answered(instance)
            hosts = len(instance.platform.processors)
            what = f"{platform}, {hosts:,} processors, {len(application.tasks)} tasks"
            yield Measurement(f"{what}: answer", watch.seconds, "s", claim=seconds)
    bag = _bag(20, 500)
    with stopwatch() as watch:
        pipeline.run(bag, Control(), Limits())
    yield Measurement("10,000 workers behind 20 switches: answer", watch.seconds, "s", claim=3)
    yield Measurement("peak memory so far", peak_gigabytes(), "GB", claim=1)
    yield from _compared("planted twins", [_planted(seed) for seed in range(NUM_PLANTED)])
    yield from _compared("no twins", [random_task_graph(seed, 20, 20, 3) for seed in range(5)])
    application = read_workflow(FORK_JOIN)
    if application is not None:
        for most in (1, 2, 3):
            part = _part(read_grid("g5k"), application, most)
            yield from _compared(f"g5k, at most {most} hosts of a sort", [part])
        yield from _compared("griffon", [_instance(read_grid("griffon"), application)])
    yield Measurement("peak memory", peak_gigabytes(), "GB")


def _bag(clusters: int, hosts: int) -> Submission:
    """Let a master feed clusters of equal workers, with results to return; switches in a ring."""
    draw = random.Random(1)
    switches = [f"s{k}" for k in range(clusters)]
    processors = [Processor(id="m"), *(Processor(id=name, switch=True) for name in switches)]
    links = [Link(source="m", target="s0", unit_time=Fraction(1, 100))]
    for one, other in zip(switches, [*switches[1:], "s0"], strict=True):
        links.append(Link(source=one, target=other, unit_time=Fraction(1, draw.randint(20, 60))))
    for k, switch in enumerate(switches):
        for name in (f"c{k}h{i}" for i in range(hosts)):
            processors.append(Processor(id=name, unit_time=Fraction(k % 5 + 3)))
            links.append(Link(source=switch, target=name, unit_time=Fraction(1, 2)))
    instance = MasterWorkerInstance(
        kind="master_worker",
        platform=Platform(processors=tuple(processors), links=tuple(links)),
        master="m",
        task=WorkerTask(work=Fraction(1), output_size=Fraction(1, 2)),
        ports="multiport",
    )
    return Submission(PROBLEMS["master_worker"], instance, Options(), {})


def _compared(what: str, instances: list[TaskGraphInstance]) -> Iterator[Measurement]:
    """Solve with and without classes; the optimum must be the same."""
    with stopwatch() as pooled:
        found = [_optimum(instance, None) for instance in instances]
    before = peak_gigabytes()
    with stopwatch() as over_all:
        same = [_optimum(i, Pools(i.platform, i.ports, ())) for i in instances]
    if found != same:
        raise ArithmeticError(f"{what}: {found} with pools, {same} over all hosts")
    yield Measurement(f"{what}: pools", pooled.seconds, "s")
    yield Measurement(f"{what}: all hosts take", over_all.seconds / pooled.seconds, "times as long")
    yield Measurement(f"{what}: all hosts take", peak_gigabytes() - before, "GB more")


def _optimum(instance: TaskGraphInstance, pools: Pools | None) -> Fraction:
    answer = column_generation.solve(instance, Control(), pools=pools)
    if answer.throughput != answer.bound:
        raise ArithmeticError("no optimum")
    return answer.throughput


def _answered(instance: TaskGraphInstance) -> None:
    submission = Submission(PROBLEMS["task_graph"], instance, Options(), {})
    outcome = pipeline.run(submission, Control(), Limits()).result.outcome
    if outcome is not Outcome.OPTIMAL:
        raise ArithmeticError(f"only {outcome}")


def _instance(platform: Platform, application: Application) -> TaskGraphInstance:
    return TaskGraphInstance(
        kind="task_graph", platform=platform, application=application, ports="multiport"
    )


def _part(platform: Platform, application: Application, most: int) -> TaskGraphInstance:
    """Keep at most so many hosts of each sort."""
    whole = _instance(platform, application)
    gone = {name for names in pools_of(whole, fixed_routes=False).names for name in names[most:]}
    kept = {
        "processors": tuple(p for p in platform.processors if p.id not in gone),
        "links": tuple(e for e in platform.links if not gone & {e.source, e.target}),
    }
    fields = {name: getattr(platform, name) for name in Platform.model_fields}
    return _instance(Platform(**(fields | kept)), application)


def _planted(seed: int) -> TaskGraphInstance:
    """Hang equal leaves up on every processor of a random platform; tasks have work."""
    draw = random.Random(seed)
    like = random_task_graph(seed, 6, 4, 2)
    name = (f"leaf{k}" for k in count())
    processors, links = list(like.platform.processors), list(like.platform.links)
    for hub in like.platform.processors:
        speed, time = Fraction(draw.randint(1, 9)), Fraction(draw.randint(1, 9), 100)
        for leaf in [next(name) for _ in range(draw.randint(1, 4))]:
            processors.append(Processor(id=leaf, speed=speed))
            links.append(Link(source=hub.id, target=leaf, unit_time=time))
    tasks = tuple(
        task.model_copy(
            update={"times": None, "allowed": None, "work": Fraction(draw.randint(1, 9))}
        )
        for task in like.application.tasks
    )
    return TaskGraphInstance(
        kind="task_graph",
        platform=Platform(processors=tuple(processors), links=tuple(links)),
        application=Application(tasks=tasks, files=like.application.files),
        ports=draw.choice(("one_port", "multiport")),
    )
