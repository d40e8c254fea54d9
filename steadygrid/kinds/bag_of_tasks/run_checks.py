"""The referee's rules for simulated streams: every run is replayed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import Pointer
from steadygrid.domain.job import Outcome
from steadygrid.kinds.bag_of_tasks.referee_star import (
    Star,
    TaskKind,
    check_certificate,
    check_rates,
)
from steadygrid.kinds.bag_of_tasks.replayer import Replayer
from steadygrid.kinds.bag_of_tasks.runs import (
    FEWER_SEEDS,
    MOST_EVENTS,
    POLICIES,
    ComparedPolicy,
    PolicyRun,
    TaskPlan,
)
from steadygrid.kinds.bag_of_tasks.sampling import Sampled
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance, BagOfTasksResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.prices import check_prices

_FINE = 2**1000
"""Denominators from here on are those of numbers that were rounded to be readable at all."""


def check_simulation(
    instance: BagOfTasksInstance, star: Star, result: BagOfTasksResult, findings: Findings
) -> None:
    """Check what policies did with the streams of all seeds.

    Parameters
    ----------
    instance
        Without faults.
    star
        The instance as a star: its master, workers and what transfers use.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== =======================
    1  there is a `distribution_bound`                                       `no_bound`
    2  its prices prove it for the tasks of the bags, (16)                   see `check_certificate`
    3  a bound only has no runs, and nothing that is made of them            `wrong_runs`
    4  it is the `distribution_bound`, with its prices                       `wrong_bound`
    5  there are runs only of a stream                                       `wrong_runs`
    6  they are those that were asked for, seed by seed and in each policy   `wrong_runs`
       by policy
    7  a run has a makespan and a bound above 0                              `wrong_run`
    8  ``on_demand`` and ``round_robin`` follow no plan                      `wrong_plan`
    9  the classes of a plan are the buckets of the sample, or none          `wrong_buckets`
    10 its rates are feasible and in proportion                              see `check_rates`
    11 its prices prove a bound                                              see `check_certificate`
    12 its rates sum to this bound, unless they had to be rounded            `plan_not_optimal`
    13 prices of a run sum to its bound                                      see `check_prices`
    14 at these prices its tasks cost at least 1 on the average              `cheap_tasks`
    15 its plan says where all tasks go                                      `no_plan`
    16 replayed, it has its number of tasks, makespan and throughput         `wrong_run`
    17 it lists its first events, if it is of the first seed, and else none  `wrong_events`
    18 the answer is the fastest run of the first seed, with its bound and   `wrong_answer`
       prices
    19 the rates of the bags are those of this run                           `wrong_bags`
    20 so are the rates of classes on processors                             `wrong_computed`
    21 the comparison sums the runs up, policy by policy, with no time below `wrong_comparison`
       0
    == ===================================================================== =======================

    Rules 3 and 4 are for answers with a bound only, the others from 5 on for all others. Rule 6:
    the last runs may be missing if the note `FEWER_SEEDS` says so.
    """
    _check_long_run(star, result, findings)
    if result.outcome is Outcome.BOUND_ONLY:
        _check_no_runs(result, findings)
        return
    if not _runs_are_asked(instance, result, findings):
        return
    first: list[_Replayed] = []
    replayer = None
    for position, run in enumerate(result.simulation):
        if position == 0 or run.seed != result.simulation[position - 1].seed:
            replayer = Replayer(instance, star, run.seed)
        assert replayer is not None
        at = "result", "simulation", position
        is_first = run.seed == result.simulation[0].seed
        replayed = _check_run(replayer, star, run, is_first, findings, at)
        if is_first and replayed is not None:
            first.append(replayed)
    _check_answer(instance, star, result, first, findings)
    _check_comparison(result, findings)


def _check_long_run(star: Star, result: BagOfTasksResult, findings: Findings) -> None:
    if result.distribution_bound is None:
        findings.add(
            ("result", "distribution_bound"), "no_bound", "The bound of the bags is missing."
        )
        return
    check_certificate(
        star,
        star.classes.values(),
        result.distribution_prices,
        result.distribution_bound,
        findings,
        ("result", "distribution_prices"),
        star.uniform,
    )


def _check_no_runs(result: BagOfTasksResult, findings: Findings) -> None:
    told = (result.bound and result.bound.value, result.certificate)
    claims = (
        result.simulation,
        result.comparison,
        result.computed,
        result.throughput_by_bag,
        result.rate_per_priority is not None,
    )
    if any(claims):
        findings.add(
            ("result", "simulation"), "wrong_runs", "There is a bound only, and yet a run."
        )
    prices = getattr(told[1], "prices", None) or {}
    if told[0] != result.distribution_bound or prices != result.distribution_prices:
        findings.add(
            ("result", "bound"), "wrong_bound", "Without a run the bound is the one of the bags."
        )


def _runs_are_asked(
    instance: BagOfTasksInstance, result: BagOfTasksResult, findings: Findings
) -> bool:
    stream = instance.stream
    counts = all(bag.uniform is None for bag in instance.bags)
    policies = [name for name in POLICIES if result.method in (name, "compare")]
    if result.method == "compare" and not counts:
        policies.remove("dispatch")
    if stream is None:
        findings.add(("result", "simulation"), "wrong_runs", "There is no stream to simulate.")
        return False
    expected = [
        (seed, policy)
        for seed in range(stream.seed, stream.seed + stream.seeds)
        for policy in policies
    ]
    told = [(run.seed, run.policy) for run in result.simulation]
    is_complete = told == expected
    is_shorter = FEWER_SEEDS in result.notes and len(told) > 0 and told == expected[: len(told)]
    if not (is_complete or is_shorter):
        findings.add(
            ("result", "simulation"),
            "wrong_runs",
            "The runs are not those of the policies and seeds that were asked for, seed by seed.",
        )
        return False
    for position, run in enumerate(result.simulation):
        if run.makespan <= 0 or run.empirical_bound <= 0:
            findings.add(
                ("result", "simulation", position),
                "wrong_run",
                "A run takes some time, and more than no task can be done per time unit.",
            )
            return False
    return True


class _Replayed(NamedTuple):
    """A run, how many tasks it has of each bag, and of each name on each worker."""

    run: PolicyRun
    bags: Counter[str]
    computed: Counter[tuple[str, int]]


def _check_run(
    replayer: Replayer,
    star: Star,
    run: PolicyRun,
    is_first: bool,
    findings: Findings,
    at: Pointer,
) -> _Replayed | None:
    left_out, sampled = replayer.sampled() if run.policy == "lp_samp" else (0, None)
    tasks = replayer.stream[left_out:]
    _check_plan(star, run, sampled, findings, (*at, "plan"))
    _check_run_bound(replayer, star, run, tasks, findings, at)
    happened = replayer.happened(run, tasks, sampled)
    if happened is None:
        findings.add((*at, "plan"), "no_plan", "The plan does not say where all tasks go.")
        return None
    makespan = Fraction(max(one.done for one in happened), replayer.steps)
    told = run.tasks, run.makespan, run.throughput
    if told != (len(tasks), makespan, len(tasks) / makespan):
        findings.add(
            at,
            "wrong_run",
            f"{run.policy} is done with {len(tasks):,} tasks of seed {run.seed} at {show(makespan)}"
            f", not with {run.tasks:,} at {show(run.makespan)}.",
        )
    if run.events != (replayer.events(tasks, happened, MOST_EVENTS) if is_first else []):
        findings.add((*at, "events"), "wrong_events", "These are not the first events of the run.")
    bags = [replayer.kinds[k].bag for k in tasks]
    done = [(replayer.names[k], one.worker) for k, one in zip(tasks, happened, strict=True)]
    return _Replayed(run, Counter(bags), Counter(done))


def _check_plan(
    star: Star, run: PolicyRun, sampled: Sampled | None, findings: Findings, at: Pointer
) -> None:
    plan = run.plan
    if run.policy in ("on_demand", "round_robin"):
        if plan is not None:
            findings.add(at, "wrong_plan", f"{run.policy} follows no plan.")
        return
    if plan is None:
        return
    if plan.classes != ([] if sampled is None else sampled.classes):
        findings.add(
            (*at, "classes"), "wrong_buckets", "The sample makes other classes than these."
        )
    kinds = star.classes if sampled is None else sampled.kinds()
    _check_program(star, kinds, plan, findings, at)


def _check_program(
    star: Star,
    kinds: Mapping[str, TaskKind],
    plan: TaskPlan,
    findings: Findings,
    at: Pointer,
) -> None:
    """Check that rates are feasible, and, if they can be written, that no others are better."""
    rates = [(planned.name, planned.processor, planned.rate) for planned in plan.rates]
    value = sum((rate for *_, rate in rates), Fraction(0))
    check_rates(star, kinds, rates, value, findings, (*at, "rates"))
    bound = sum(plan.prices.values(), Fraction(0))
    check_certificate(star, kinds.values(), plan.prices, bound, findings, (*at, "prices"))
    if value < bound and not _is_rounded(plan):
        findings.add(
            at,
            "plan_not_optimal",
            f"The rates sum to {show(value)}, and the prices allow {show(bound)}.",
        )


def _is_rounded(plan: TaskPlan) -> bool:
    """Tell whether numbers were so long that they had to be rounded to a fine grid."""
    numbers = [*(planned.rate for planned in plan.rates), *plan.prices.values()]
    return any(number.denominator >= _FINE for number in numbers)


def _check_run_bound(
    replayer: Replayer,
    star: Star,
    run: PolicyRun,
    tasks: Sequence[int],
    findings: Findings,
    at: Pointer,
) -> None:
    prices, bound = run.prices, run.empirical_bound
    here = (*at, "prices")
    if check_prices(star.network, star.time_per_work, prices, bound, findings, here) is None:
        return
    cost = replayer.average_cost(tasks, prices)
    if cost < 1:
        findings.add(
            here,
            "cheap_tasks",
            f"At these prices the tasks of this run cost {show(cost)} on the average, each where it"
            " is cheapest, less than 1: they do not prove the bound.",
        )


def _check_answer(
    instance: BagOfTasksInstance,
    star: Star,
    result: BagOfTasksResult,
    replays: Sequence[_Replayed],
    findings: Findings,
) -> None:
    if not replays or result.objective is None or result.bound is None:
        return
    run, bags, computed = max(replays, key=lambda each: each.run.throughput)
    told = result.objective.value, result.bound.value, getattr(result.certificate, "prices", None)
    if told != (run.throughput, run.empirical_bound, run.prices):
        findings.add(
            ("result", "objective"),
            "wrong_answer",
            f"The answer is the run of {run.policy}, the fastest of seed {run.seed}: its throughput,"
            " bound and prices.",
        )
    of_bags = {bag.id: bags[bag.id] / run.makespan for bag in instance.bags}
    if result.throughput_by_bag != of_bags or result.rate_per_priority is not None:
        findings.add(
            ("result", "throughput_by_bag"),
            "wrong_bags",
            f"These are not the tasks of each bag over the makespan of {run.policy}.",
        )
    of_classes: dict[str, list[str]] = {bag.id: [] for bag in instance.bags}
    for name, kind in star.classes.items():
        of_classes[kind.bag].append(name)
    expected = [
        (name, worker, computed[name, i] / run.makespan)
        for bag, names in of_classes.items()
        for name in names or [bag]
        for i, worker in enumerate(star.time_per_work)
        if computed[name, i]
    ]
    if [(one.name, one.processor, one.rate) for one in result.computed] != expected:
        findings.add(
            ("result", "computed"),
            "wrong_computed",
            f"These are not the tasks of each class on each processor over the makespan of"
            f" {run.policy}.",
        )


def _check_comparison(result: BagOfTasksResult, findings: Findings) -> None:
    runs: dict[str, list[PolicyRun]] = {}
    for run in result.simulation:
        runs.setdefault(run.policy, []).append(run)
    told = [_without_seconds(one) for one in result.comparison or ()]
    in_time = all(one.seconds >= 0 for one in result.comparison or ())
    if not in_time or told != [(policy, *_summed(listed)) for policy, listed in runs.items()]:
        findings.add(
            ("result", "comparison"),
            "wrong_comparison",
            "The comparison does not sum the runs up, policy by policy.",
        )


def _without_seconds(
    one: ComparedPolicy,
) -> tuple[str, int, Fraction, Fraction, Fraction, Fraction]:
    return one.policy, one.runs, one.mean, one.least, one.greatest, one.least_ratio


def _summed(runs: Sequence[PolicyRun]) -> tuple[int, Fraction, Fraction, Fraction, Fraction]:
    rates = [run.throughput for run in runs]
    mean = sum(run.tasks for run in runs) / sum((run.makespan for run in runs), Fraction(0))
    ratio = min(run.throughput / run.empirical_bound for run in runs)
    return len(runs), mean, min(rates), max(rates), ratio
