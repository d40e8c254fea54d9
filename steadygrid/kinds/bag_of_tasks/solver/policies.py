"""What the runs of policies add up to."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Objective, Outcome, Phase, relative_gap
from steadygrid.engine.solver import Solution, without_schedule
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.runs import (
    FEWER_SEEDS,
    ComparedPolicy,
    PolicyName,
)
from steadygrid.kinds.bag_of_tasks.schemas import (
    BagOfTasksInstance,
    BagOfTasksResult,
    ComputedRate,
)
from steadygrid.kinds.bag_of_tasks.solver.class_names import told_classes
from steadygrid.kinds.bag_of_tasks.solver.policy_runs import Dealt, Simulator
from steadygrid.kinds.bag_of_tasks.solver.program import bound_of
from steadygrid.kinds.bag_of_tasks.solver.star import Star

NO_SCHEDULE = "policies are simulated, see simulation: there is no periodic schedule"


def simulate(instance: BagOfTasksInstance, method: str, control: Control) -> Solution:
    """Simulate a policy, or all of them, on the streams of all seeds.

    The answer is that of the first seed; of several policies, the one with the greatest throughput
    there. Where the time is over before the last run, those that are done are reported.

    Parameters
    ----------
    instance
        Without faults.
    method
        A policy, or the name of all of them together.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If the time is over before the first run is done.
    """
    control.phase(Phase.SOLVING)
    simulator = Simulator(Star(instance), control, [NO_SCHEDULE])
    # Before the runs, which are reported even where the time is over.
    long_run = simulator.long_run
    stream = instance.stream
    assert stream is not None
    seeds = range(stream.seed, stream.seed + stream.seeds)
    asked = instance.policies(method)
    runs = (each for seed in seeds for each in simulator.runs_of(seed, asked))
    done: list[Dealt] = []
    try:
        # What comes before an interruption is kept.
        done.extend(runs)
    except OutOfTime:
        if not done:
            raise
        simulator.notes.append(FEWER_SEEDS)
    return Solution(_result(simulator, method, long_run, done))


def not_simulated(star: Star, method: str, prices: Mapping[str, Fraction]) -> Solution:
    """Answer without a run: a bound on what the bags allow in the long run.

    Parameters
    ----------
    star
        Classes, workers and resources of the instance.
    method
        Policy that was asked for.
    prices
        By resource. They prove a bound on any policy in the long run.
    """
    result = without_schedule(
        BagOfTasksResult,
        Outcome.BOUND_ONLY,
        method,
        bound=Bound.from_value(bound_of(prices), exact=True),
        certificate=DualityCertificate(prices=dict(prices)),
        classes=told_classes(star.instance.classes),
        distribution_bound=bound_of(prices),
        distribution_prices=dict(prices),
        notes=["no run was simulated to its end"],
    )
    return Solution(result)


def _result(
    simulator: Simulator,
    method: str,
    long_run: Mapping[str, Fraction],
    done: Sequence[Dealt],
) -> BagOfTasksResult:
    instance = simulator.star.instance
    first = [each for each in done if each.run.seed == done[0].run.seed]
    answer = max(first, key=lambda each: each.run.throughput)
    run = answer.run
    of_bags = Counter(answer.kinds[k].bag for k in answer.tasks)
    computed = Counter(
        (answer.kinds[k].name, worker)
        for k, worker in zip(answer.tasks, answer.course.workers, strict=True)
    )
    return BagOfTasksResult(
        outcome=Outcome.FEASIBLE,
        method=method,
        objective=Objective.throughput(run.throughput),
        bound=Bound.from_value(run.empirical_bound, exact=True),
        gap=relative_gap(run.throughput, run.empirical_bound),
        certificate=DualityCertificate(prices=run.prices),
        rate_per_priority=None,
        throughput_by_bag={bag.id: of_bags[bag.id] / run.makespan for bag in instance.bags},
        classes=told_classes(instance.classes),
        computed=[
            ComputedRate(name=name, processor=worker.name, rate=computed[name, i] / run.makespan)
            for name in instance.stream_names
            for i, worker in enumerate(simulator.star.workers)
            if computed[name, i]
        ],
        distribution_bound=bound_of(long_run),
        distribution_prices=dict(long_run),
        simulation=[each.run for each in done],
        comparison=[
            _compared(policy, done) for policy in dict.fromkeys(e.run.policy for e in done)
        ],
        notes=simulator.notes,
    )


def _compared(policy: PolicyName, done: Sequence[Dealt]) -> ComparedPolicy:
    own = [each for each in done if each.run.policy == policy]
    runs = [each.run for each in own]
    return ComparedPolicy(
        policy=policy,
        runs=len(runs),
        mean=sum(run.tasks for run in runs) / sum((run.makespan for run in runs), Fraction(0)),
        least=min(run.throughput for run in runs),
        greatest=max(run.throughput for run in runs),
        least_ratio=min(run.throughput / run.empirical_bound for run in runs),
        seconds=round(sum(each.seconds for each in own), 3),
    )
