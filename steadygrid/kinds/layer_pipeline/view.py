"""What people read about an answer of `layer_pipeline`."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.timetable import Timetable
from steadygrid.domain.view import (
    Amount,
    Cell,
    Column,
    Measure,
    Phrase,
    Section,
    Table,
    View,
)
from steadygrid.kinds.layer_pipeline.referee_terms import StageTerms, Terms
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance, LayerPipelineResult

_MOST_NAMED = 6
_OPTIMUM_OF = (
    "all plans with one course for all data sets, one type of devices per stage, and the layers in the"
    " order given"
)


def view(
    instance: LayerPipelineInstance,
    options: Options,
    result: LayerPipelineResult,
    schedule: Timetable | None,
) -> View:
    """Say how often a data set is done, which stages do it, and what keeps them from doing it more often.

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
    headline: Phrase = ()
    if result.period is not None:
        headline = ("a data set is done every ", Amount(result.period, Measure.INTERVAL))
    given = instance.method == "evaluate"
    passes = ("forward", "backward") if _trains(instance) else ("forward",)
    return View(
        noun="data set",
        tasks=tuple(f"{one} {i + 1}" for i in range(len(result.stages)) for one in passes),
        headline=headline,
        facts=tuple(_facts(instance, result)),
        sections=tuple(_sections(instance, result)),
        proof=_proof(instance, result),
        rivals="schedule of these stages" if given else "plan",
        scope="for the stages that were given"
        if given
        else "for this order of layers, one type per stage and one course for all data sets",
        given=given,
        subject=instance.name or "",
        extent=(
            f"{_counted(len(instance.layers), 'layer')},"
            f" {_counted(sum(one.count for one in instance.devices), 'device')}"
        ),
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _trains(instance: LayerPipelineInstance) -> bool:
    return Terms(instance).trains


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _facts(
    instance: LayerPipelineInstance, result: LayerPipelineResult
) -> Iterator[tuple[str, Phrase]]:
    if result.limiting:
        yield "limit", (_limit(result.limiting),)
    if result.latency is not None:
        yield "latency", (Amount(result.latency, Measure.DURATION),)
    if result.batch_time is not None and instance.update_every > 1:
        yield (
            "batch",
            (
                f"{instance.update_every:,} data sets from an empty pipeline until all weights are reduced"
                " take ",
                Amount(result.batch_time, Measure.DURATION),
            ),
        )
    if result.bound is not None:
        over = "the stages that were given" if instance.method == "evaluate" else _OPTIMUM_OF
        yield "bound for", (over,)
    elif result.outcome is Outcome.INFEASIBLE:
        yield "no room", (_no_room(instance),)


def _limit(limiting: list[str]) -> str:
    """Say which resources are busy all the time, or which stages lack memory at shorter periods."""
    if limiting[0].startswith("memory "):
        numbers = [name.removeprefix("memory ") for name in limiting]
        stages = f"stage{'s' if len(numbers) > 1 else ''} {_listed(numbers)}"
        return (
            f"memory: at any shorter period {stages} would need room for more data sets in flight"
        )
    return f"{_listed(limiting)}: busy all the time"


def _no_room(instance: LayerPipelineInstance) -> str:
    if instance.method == "evaluate":
        return "some stage that was given does not fit its device, even with one data set in flight"
    return (
        "however the layers are cut into stages, the devices have too little memory, even with one data"
        " set in flight"
    )


def _proof(instance: LayerPipelineInstance, result: LayerPipelineResult) -> Section | None:
    bound = result.bound
    if bound is None or isinstance(result.certificate, SearchCertificate):
        return None
    which = "schedule of these stages" if instance.method == "evaluate" else "plan"
    text: Phrase = (
        f"Why no {which} does more than ",
        Amount(bound.value, Measure.RATE),
        ": at any period shorter than ",
        Amount(1 / bound.value, Measure.DURATION),
        ", some stage, boundary or reduction is busy for longer, or some stage lacks memory for the data"
        " sets in flight. ",
    )
    if instance.method == "evaluate":
        return Section("", (*text, "The referee computes that anew, just below this period."))
    searched = (
        f"That was searched for, exactly, over {_OPTIMUM_OF}, and the referee searches again, in another"
        " order."
    )
    return Section("", (*text, searched))


def _sections(instance: LayerPipelineInstance, result: LayerPipelineResult) -> Iterator[Section]:
    if not result.stages or result.period is None:
        return
    terms = Terms(instance)
    stages = [
        StageTerms(
            terms.position[stage.layers[0]],
            terms.position[stage.layers[1]],
            stage.device,
            stage.replicas,
        )
        for stage in result.stages
    ]
    yield _stages(terms, result, result.period)
    yield from _boundaries(terms, stages, result.period)
    yield from _reductions(terms, stages, result.period)


def _stages(terms: Terms, result: LayerPipelineResult, period: Fraction) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for i, stage in enumerate(result.stages, 1):
        first, last = stage.layers
        room = terms.device_types[stage.device].memory
        rows.append(
            (
                Fraction(i),
                first if first == last else f"{first} to {last}",
                stage.device,
                Fraction(stage.replicas),
                stage.load / (stage.replicas * period),
                Fraction(stage.in_flight),
                stage.memory,
                room,
                Fraction(0) if room is None or room == 0 else stage.memory / room,
            )
        )
    columns = (
        Column("stage", Measure.COUNT),
        Column("layers", Measure.TEXT),
        Column("type", Measure.TEXT),
        Column("copies", Measure.COUNT),
        Column("busy", Measure.SHARE),
        Column("in flight", Measure.COUNT),
        Column("memory", Measure.NUMBER),
        Column("there is", Measure.NUMBER, optional=True),
        Column("", Measure.FILL),
    )
    return Section("Stages", table=Table(columns, tuple(rows), "stages"))


def _boundaries(terms: Terms, stages: list[StageTerms], period: Fraction) -> Iterator[Section]:
    rows: list[tuple[Cell, ...]] = []
    for i, (one, other) in enumerate(pairwise(stages), 1):
        there, back = terms.transfers(one.last, one.device, other.device)
        busy = max(there, back) / (min(one.replicas, other.replicas) * period)
        rows.append((f"{i} to {i + 1}", there, back, busy))
    if not any(row[3] for row in rows):
        return
    columns = (
        Column("stages", Measure.TEXT),
        Column("forward", Measure.TIME),
        Column("back", Measure.TIME, optional=True),
        Column("busy", Measure.SHARE),
    )
    yield Section("Transfers per data set", table=Table(columns, tuple(rows), "boundaries"))


def _reductions(terms: Terms, stages: list[StageTerms], period: Fraction) -> Iterator[Section]:
    rows: list[tuple[Cell, ...]] = []
    for i, stage in enumerate(stages, 1):
        time = terms.reduce_time(stage)
        if time:
            busy = time / (terms.instance.update_every * period)
            rows.append((Fraction(i), Fraction(stage.replicas), time, busy))
    if rows:
        columns = (
            Column("stage", Measure.COUNT),
            Column("copies", Measure.COUNT),
            Column("time", Measure.TIME),
            Column("busy", Measure.SHARE),
        )
        yield Section(
            "Reductions of weights, per update", table=Table(columns, tuple(rows), "stages")
        )
