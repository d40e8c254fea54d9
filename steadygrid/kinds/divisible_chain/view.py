"""What people read about an answer of `divisible_chain`."""

from collections.abc import Iterator
from fractions import Fraction

from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.view import (
    Amount,
    Cell,
    Column,
    Measure,
    Phrase,
    Section,
    Share,
    Table,
    View,
)
from steadygrid.kinds.divisible_chain.schemas import (
    DivisibleChainInstance,
    DivisibleChainResult,
)


def view(
    instance: DivisibleChainInstance,
    options: Options,
    result: DivisibleChainResult,
    schedule: Timeline | None,
) -> View:
    """Say when everything is done, each load by itself, and what start-ups would add.

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
    unpriced: Phrase = ()
    if result.cases:
        unpriced = (
            f"that holds in each of {len(result.cases):,} cases of who computes what, which leave"
            " nothing out. The result lists them with their prices",
        )
    done: Phrase = ()
    if schedule is not None:
        done = ("everything is done after ", Amount(schedule.makespan, Measure.DURATION))
    work = {load.id: load.computation_volume for load in instance.loads}
    return View(
        instance.platform,
        instance.ports,
        tasks=tuple(load.id for load in instance.loads),
        headline=done,
        facts=tuple(_facts(instance, result)),
        sections=(*_loads(result), *_startups(result)),
        unpriced=unpriced,
        roles=dict.fromkeys(result.chain[:1], "source"),
        shares=tuple(
            Share(one.processor, one.load, one.fraction * work[one.load]) for one in result.shares
        ),
        shared=Measure.NUMBER,
    )


def _facts(
    instance: DivisibleChainInstance, result: DivisibleChainResult
) -> Iterator[tuple[str, Phrase]]:
    """Tell for which schedules the bound holds, when a load is complete, and who comes too late."""
    if result.bound is not None and result.bound_source == "program":
        forwards = (
            "a processor forwards an installment before it receives the next, "
            if instance.ports == "strict_one_port"
            else ""
        )
        yield (
            "bound for",
            (
                "schedules in which the loads go down the chain, and are computed, in the given"
                f" order and installments, {forwards}and every installment visits every link",
            ),
        )
    if result.bound is not None and result.cases and result.outcome is not Outcome.OPTIMAL:
        yield "cases", ("who computes what was not decided to the end",)
    if result.makespan is None:
        return
    if instance.objective != "makespan":
        yield (
            "complete",
            (
                "a load is, when the processors that compute some of it have done so; one that"
                " computes nothing of it does not delay it",
            ),
        )
    late = [
        name
        for name in result.chain
        if name not in result.participants
        and instance.availability.get(name, Fraction(0)) >= result.makespan > 0
        and _computes(instance, name)
    ]
    if late and instance.objective == "makespan":
        told = f"{', '.join(late)}: available too late to make the makespan shorter"
        yield "not used", (told,)


def _computes(instance: DivisibleChainInstance, name: str) -> bool:
    """Whether a processor can compute some load."""
    processor = instance.platform.processors[instance.platform.index_by_id[name]]
    return processor.time_per_work is not None or any(name in one.speeds for one in instance.loads)


def _loads(result: DivisibleChainResult) -> Iterator[Section]:
    if not result.loads:
        return
    priced = any(load.startup_ratio is not None for load in result.loads)
    columns = [
        Column("load", Measure.TASK),
        Column("done after", Measure.TIME),
        Column("messages", Measure.COUNT),
    ]
    rows: list[list[Cell]] = [
        [load.load, load.completion, Fraction(load.installments)] for load in result.loads
    ]
    if priced:
        columns.append(Column("sent, over its data", Measure.COARSE, optional=True))
        for row, load in zip(rows, result.loads, strict=True):
            row.append(load.startup_ratio)
    yield Section("Loads", table=Table(tuple(columns), tuple(map(tuple, rows)), "loads"))


def _startups(result: DivisibleChainResult) -> Iterator[Section]:
    paid, makespan = result.makespan_with_startup, result.makespan
    if paid is None or makespan is None:
        return
    text: Phrase = (
        "If every message pays its start-up cost, the same shares are done after ",
        Amount(paid, Measure.DURATION),
    )
    if paid > makespan > 0:
        text = (*text, ", ", Amount(paid / makespan - 1, Measure.SHARE), " later")
    yield Section("Start-ups", (*text, "."))
