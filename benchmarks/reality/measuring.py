"""Carries out the cases by every execution, and compares with what a simulation predicts."""

import asyncio
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import steadygrid as sg
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.reality.cases import CASES, Case
from benchmarks.reality.conducting import Conductor, unit_times
from benchmarks.reality.handing_out import DemandSource, DispatcherSource, HandedOut
from benchmarks.reality.machines import started
from benchmarks.reality.ordering import InOrder
from benchmarks.reality.processor import hash_blocks
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.executions.parts import period_of
from steadygrid.engine.executions.steps import seen_of
from steadygrid.kinds import PROBLEMS

NOISE = Fraction(1, 100)
"""Of the simulation that predicts."""
TELLING = 0.04
"""Two executions are ranked where the simulation sees at least such a difference, of the plan."""
WANTED = 0.97
BLOCKS = 500
"""That are hashed to measure how fast that is."""
BUFFER = 4
"""Of tasks on demand, as in the simulation."""


class Way(NamedTuple):
    """An execution."""

    execution: str
    overtake: bool | None

    @property
    def name(self) -> str:
        """For tables."""
        return self.execution + (", overtaking" if self.overtake else "")


class Outcome(NamedTuple):
    """What an execution reached of the plan.

    Attributes
    ----------
    predicted, reached
        Parts of the plan: by the simulation, and in reality.
    lag
        Seconds by which all but a hundredth of operations ended at most later than their buckets say:
        how much the machine stalled.
    """

    predicted: float
    reached: float
    lag: float


def measured_cases() -> Iterator[Measurement]:
    """Carry out every case by every execution."""
    for case in CASES:
        outcomes, wanted = asyncio.run(carried_out(case))
        for way, outcome in outcomes.items():
            what = f"{case.name}: {way.name}; the simulation says {outcome.predicted:.1%}"
            claim = WANTED if way == wanted and not case.hashes else None
            yield Measurement(what, outcome.reached, "of the plan", claim, at_least=True)
        lag = max(outcome.lag for outcome in outcomes.values())
        yield Measurement(f"{case.name}: late, but for a hundredth of operations", lag, "s")
        pairs, alike = ranked(outcomes)
        if pairs:
            what = f"{case.name}: pairs of executions that are ranked as predicted, of {pairs}"
            yield Measurement(what, alike, "pairs", pairs, at_least=True)


def ranked(outcomes: Mapping[Way, Outcome]) -> tuple[int, int]:
    """Count the pairs that differ in the simulation, and those of them that differ alike in reality."""
    telling = [
        (one, other)
        for one, other in combinations(outcomes.values(), 2)
        if abs(one.predicted - other.predicted) >= TELLING
    ]
    alike = sum((a.predicted > b.predicted) == (a.reached > b.reached) for a, b in telling)
    return len(telling), alike


async def carried_out(case: Case) -> tuple[dict[Way, Outcome], Way]:
    """Simulate a schedule, and carry it out by each execution that was simulated.

    Parameters
    ----------
    case
        The problem.

    Returns
    -------
    tuple
        The outcomes, and the execution of which most is wanted: the dispatcher's, with or without
        overtaking as the simulation is better; else the one that it recommends.
    """
    answer = sg.solve(case.problem)
    simulated = sg.solve(answer.simulation(noise=[str(NOISE)], instances=case.instances)).result
    # A program is one operation on graphics processors, and no schedule that is repeated here.
    predicted = {
        Way(row.execution, row.overtake): float(row.of_plan)
        for row in simulated.table
        if row.execution != "program"
    }
    dispatched = [way for way in predicted if way.execution == "dispatch"]
    best = max(dispatched or predicted, key=lambda way: predicted[way])
    schedule, views_of = answer.schedule, PROBLEMS[answer.result.kind].views
    assert isinstance(schedule, Schedule)
    assert views_of is not None
    views = views_of(answer.submission.instance, answer.result)
    network = seen_of(views).network
    blocks = blocks_per_second() if case.hashes else None
    names = list(dict.fromkeys(end for ends in network.hops for end in ends))
    outcomes: dict[Way, Outcome] = {}
    async with started(names, unit_times(network), case.scale) as machines:
        for way, share in predicted.items():
            conductor = Conductor(machines, case.scale, blocks)
            rate = await _reached(way, case, answer, views, conductor)
            lag = sorted(conductor.lags)[len(conductor.lags) * 99 // 100]
            outcomes[way] = Outcome(share, rate / float(schedule.throughput), lag)
    return outcomes, best


def blocks_per_second() -> float:
    """Measure how fast a processor hashes that has this machine for itself: the best of three times."""
    best = 0.0
    for _ in range(3):
        with stopwatch() as watch:
            hash_blocks(BLOCKS)
        best = max(best, BLOCKS / watch.seconds)
    return best


async def _reached(
    way: Way, case: Case, answer: sg.Answer[Any], views: Any, conductor: Conductor
) -> float:
    schedule = answer.schedule
    assert isinstance(schedule, Schedule)
    seen = seen_of(views)
    period = period_of(schedule, seen)
    if way.execution in ("clock", "order"):
        periods = period.periods_for(case.instances)
        clocked = way.execution == "clock"
        return await InOrder(conductor, answer, period, periods, clocked=clocked).run()
    source = (
        DispatcherSource(schedule, period.courses)
        if way.execution == "dispatch"
        else DemandSource(len(period.courses), BUFFER)
    )
    run = HandedOut(conductor, period.courses, seen.network, source, overtake=way.overtake is True)
    rate = await run.until(case.instances)
    await conductor.drain()
    return rate
