"""What people read about an answer of `bag_of_tasks`."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import (
    Amount,
    Column,
    Measure,
    Method,
    Phrase,
    Section,
    Share,
    Table,
    View,
)
from steadygrid.kinds.bag_of_tasks.runs import SIMULATED, PolicyRun
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance, BagOfTasksResult
from steadygrid.kinds.shared.headlines import periodic_view


def view(
    instance: BagOfTasksInstance,
    options: Options,
    result: BagOfTasksResult,
    schedule: Schedule | None,
) -> View:
    """Say how many tasks are done how often, or what policies did with streams.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    """
    bags = {one.name: one.bag for one in result.classes}
    seen = replace(
        periodic_view(
            instance, schedule, result.bound, [one.name for one in result.classes], noun="task"
        ),
        roles={instance.master: "master"},
        shares=tuple(
            Share(one.processor, bags.get(one.name, one.name), one.rate) for one in result.computed
        ),
        shared=Measure.RATE,
    )
    cost = (
        "What a task uses is worth at least 1 on the average of all tasks, even if each class is"
        " computed where it is cheapest"
    )
    if not result.simulation:
        sizes = {("begin", one.name): one.input_size for one in result.classes}
        facts: tuple[tuple[str, Phrase], ...] = ()
        if result.method in SIMULATED and result.bound is not None:
            facts = (("bound of", ("the bags in the long run: no run was simulated to its end",)),)
        return replace(seen, cost=cost, file_sizes=sizes, facts=facts)
    return replace(
        seen,
        cost=cost.replace("all tasks", "the tasks of this run"),
        headline=_headline(_answer(result)),
        facts=tuple(_facts(result)),
        comparison=_comparison(result),
        methods=tuple(_methods(result)),
        sections=_runs(result),
    )


def _answer(result: BagOfTasksResult) -> PolicyRun:
    """Give the run of which objective and bound tell."""
    seed = result.simulation[0].seed
    first = [run for run in result.simulation if run.seed == seed]
    return max(first, key=lambda run: run.throughput)


def _headline(run: PolicyRun) -> Phrase:
    done = Amount(Fraction(run.tasks), Measure.INSTANCES)
    return done, " in ", Amount(run.makespan, Measure.DURATION), f" by {run.policy}"


def _facts(result: BagOfTasksResult) -> Iterator[tuple[str, Phrase]]:
    yield "bound of", ("the tasks of this very run: no policy does more of them per time unit",)
    if result.distribution_bound is not None:
        yield "long run", ("at most ", Amount(result.distribution_bound, Measure.RATE))


def _comparison(result: BagOfTasksResult) -> Section | None:
    """Put policies side by side, the best first; one run alone is reported already."""
    if not result.comparison or len(result.simulation) == 1:
        return None
    ranked = sorted(result.comparison, key=lambda row: -row.mean)
    best = ranked[0].mean
    columns = (
        Column("policy", Measure.TEXT),
        Column("", Measure.RATE),
        Column("", Measure.BEST),
        Column("least", Measure.COARSE, optional=True),
        Column("greatest", Measure.COARSE, optional=True),
        Column("least of the bound", Measure.SHARE),
        Column("seconds", Measure.SECONDS, optional=True),
    )
    rows = tuple(
        (
            row.policy,
            row.mean,
            row.mean / best,
            row.least,
            row.greatest,
            row.least_ratio,
            Fraction(row.seconds),
        )
        for row in ranked
    )
    return Section("All policies, the best first", table=Table(columns, rows))


def _methods(result: BagOfTasksResult) -> Iterator[Method]:
    """Put policies side by side with all their runs."""
    if not result.comparison or len(result.simulation) == 1:
        return
    best = _answer(result).policy
    for row in sorted(result.comparison, key=lambda row: -row.mean):
        runs = [run for run in result.simulation if run.policy == row.policy]
        ratios = tuple(run.throughput / run.empirical_bound for run in runs)
        yield Method(row.policy, row.mean, ratios, row.policy == best)


def _runs(result: BagOfTasksResult) -> tuple[Section, ...]:
    columns = (
        Column("policy", Measure.TEXT),
        Column("seed", Measure.COUNT),
        Column("tasks", Measure.COUNT),
        Column("makespan", Measure.TIME),
        Column("", Measure.RATE),
        Column("of its bound", Measure.SHARE),
    )
    rows = tuple(
        (
            run.policy,
            Fraction(run.seed),
            Fraction(run.tasks),
            run.makespan,
            run.throughput,
            run.throughput / run.empirical_bound,
        )
        for run in result.simulation
    )
    notes: tuple[tuple[str, str], ...] = ()
    if any(run.policy == "lp_samp" for run in result.simulation):
        notes = (("lp_samp", "the first tasks are its sample: they are not dealt out, nor timed"),)
    return (Section("Runs", table=Table(columns, rows, "runs"), notes=notes),)
