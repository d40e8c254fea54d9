"""From a plan to the result and its timetable."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.timetable import Computing, Row, Sending, Timetable
from steadygrid.engine.solver import Solution, without_schedule
from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.schemas import (
    LayerIntervalsCertificate,
    LayerPipelineResult,
    LayerPipelineStatistics,
    PlannedStage,
)
from steadygrid.kinds.layer_pipeline.solver.plans import (
    Plan,
    Stage,
    boundary_times,
    demands,
    just_below,
    lacking,
    round_trips,
)

_LOOKED_AT = (
    "the plans looked at have one course for all data sets, one type of devices per stage, the layers in the"
    " order given, and for each boundary links of its own"
)


class _Course(NamedTuple):
    """When a data set that comes at 0 passes through the stages."""

    forward: list[Fraction]
    """Starts of the forward passes."""
    ends: list[Fraction]
    """Of the last pass on each stage."""
    in_flight: list[int]


def _passes(chain: Chain, stage: Stage) -> tuple[Fraction, Fraction]:
    forward, backward = chain.forward[stage.device_type], chain.backward[stage.device_type]
    return forward[stage.end] - forward[stage.first], backward[stage.end] - backward[stage.first]


def _course(chain: Chain, plan: Plan, period: Fraction) -> _Course:
    trips = round_trips(chain, plan, period)
    starts = [Fraction(0)]
    for stage, (there, _) in zip(plan, boundary_times(chain, plan), strict=False):
        starts.append(starts[-1] + _passes(chain, stage)[0] + there)
    if chain.trains:
        ends = [start + trip.whole for start, trip in zip(starts, trips, strict=True)]
    else:
        ends = [start + _passes(chain, stage)[0] for start, stage in zip(starts, plan, strict=True)]
    return _Course(starts, ends, [trip.in_flight for trip in trips])


def solution_of(
    chain: Chain,
    plan: Plan,
    period: Fraction,
    bound: Fraction,
    statistics: LayerPipelineStatistics,
) -> Solution:
    """Answer with a plan and its timetable.

    Parameters
    ----------
    chain
        The instance in numbers.
    plan
        Its stages.
    period
        The least that the plan can keep.
    bound
        A period that no plan undercuts.
    statistics
        How it was found.
    """
    course = _course(chain, plan, period)
    throughput, best = 1 / period, 1 / bound
    reduced = [
        end + chain.reduce_time(*stage) for end, stage in zip(course.ends, plan, strict=True)
    ]
    result = LayerPipelineResult(
        outcome=Outcome.OPTIMAL if period == bound else Outcome.FEASIBLE,
        method=chain.instance.method,
        objective=Objective.throughput(throughput),
        bound=Bound.from_value(best, exact=True),
        gap=relative_gap(throughput, best),
        certificate=LayerIntervalsCertificate(),
        period=period,
        stages=[
            _planned(chain, stage, number)
            for stage, number in zip(plan, course.in_flight, strict=True)
        ],
        latency=max(course.ends),
        limiting=_limiting(chain, plan, period),
        batch_time=(chain.instance.update_every - 1) * period + max(reduced),
        statistics=statistics,
        notes=[_LOOKED_AT] if chain.instance.method == "exact" else [],
    )
    return Solution(result, schedule=_timetable(chain, plan, period, course))


def infeasible(chain: Chain, statistics: LayerPipelineStatistics) -> Solution:
    """Say that no plan fits the memory. The referee finds that by itself.

    Parameters
    ----------
    chain
        The instance in numbers.
    statistics
        How it was found.
    """
    result = without_schedule(
        LayerPipelineResult,
        Outcome.INFEASIBLE,
        chain.instance.method,
        certificate=NoCertificate(),
        statistics=statistics,
        notes=["the devices are too small for the layers, even with one data set in flight"],
    )
    return Solution(result)


def _planned(chain: Chain, stage: Stage, in_flight: int) -> PlannedStage:
    layers = chain.instance.layers
    return PlannedStage(
        layers=(layers[stage.first].id, layers[stage.end - 1].id),
        device=chain.instance.devices[stage.device_type].id,
        replicas=stage.copies,
        in_flight=in_flight,
        memory=chain.held(stage.first, stage.end, in_flight),
        load=chain.load(*stage[:3]),
        reduce_time=chain.reduce_time(*stage),
    )


def _limiting(chain: Chain, plan: Plan, period: Fraction) -> list[str]:
    """Name what is busy all the time or, where nothing is, what lacks memory at shorter periods."""
    busy = [demand.name for demand in demands(chain, plan) if demand.period == period]
    below = just_below(chain, period)
    return busy or [f"memory {i + 1}" for i in lacking(chain, plan, below)]


def _copies(chain: Chain, plan: Plan) -> list[list[str]]:
    """Name the devices of each stage; of a device type, the first stages have the first ones."""
    used = [0] * chain.num_device_types
    found: list[list[str]] = []
    for stage in plan:
        name = chain.instance.devices[stage.device_type].id
        first = used[stage.device_type] + 1
        used[stage.device_type] += stage.copies
        found.append([f"{name}#{number}" for number in range(first, first + stage.copies)])
    return found


def _timetable(chain: Chain, plan: Plan, period: Fraction, course: _Course) -> Timetable:
    copies, moved = _copies(chain, plan), boundary_times(chain, plan)
    passes = [_passes(chain, stage) for stage in plan]

    def computing(word: str, i: int, start: Fraction, time: Fraction) -> Iterator[Row]:
        places = copies[i]
        for residue, name in enumerate(places):
            yield Row(
                Computing(f"{word} {i + 1}", name),
                residue,
                len(places),
                start + residue * period,
                time,
                len(places) * period,
            )

    def sending(word: str, i: int, j: int, start: Fraction, time: Fraction) -> Iterator[Row]:
        modulus = lcm(len(copies[i]), len(copies[j]))
        file = f"{word} {i + 1}", f"{word} {j + 1}"
        for residue in range(modulus if time else 0):
            ends = copies[i][residue % len(copies[i])], copies[j][residue % len(copies[j])]
            yield Row(
                Sending(file, *ends),
                residue,
                modulus,
                start + residue * period,
                time,
                modulus * period,
            )

    rows: list[Row] = []
    for i, start in enumerate(course.forward):
        rows += computing("forward", i, start, passes[i][0])
        if i + 1 < len(plan):
            rows += sending("forward", i, i + 1, start + passes[i][0], moved[i][0])
    for i in reversed(range(len(plan) if chain.trains else 0)):
        if i + 1 < len(plan):
            rows += sending("backward", i + 1, i, course.ends[i + 1], moved[i][1])
        rows += computing("backward", i, course.ends[i] - passes[i][1], passes[i][1])
    number = lcm(*(stage.copies for stage in plan))
    return Timetable(
        ports=None, period=number * period, instances_per_period=number, rows=tuple(rows)
    )
