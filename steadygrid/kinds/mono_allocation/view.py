"""What people read about an answer of `mono_allocation`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.job import Bound, Options, Outcome
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import (
    Amount,
    Column,
    Measure,
    Method,
    Phrase,
    Section,
    Table,
    View,
    with_article,
)
from steadygrid.kinds.mono_allocation.schemas import (
    REFERENCES,
    ComparedMethod,
    MonoAllocationInstance,
    MonoAllocationResult,
)
from steadygrid.kinds.shared.comparison import comparison, methods
from steadygrid.kinds.shared.headlines import periodic_view

_NAMED = 3
"""Resources that are as busy as the bottleneck, in one line."""


def view(
    instance: MonoAllocationInstance,
    options: Options,
    result: MonoAllocationResult,
    schedule: Schedule | None,
) -> View:
    """Say how often the allocation is used, what fills the memory, what was simulated and compared,
    and why it is best.

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
    seen = periodic_view(
        instance,
        schedule,
        result.bound,
        instance.task_index,
        fixed_routes=instance.routing == "fixed",
    )
    return replace(
        seen,
        facts=(*_simulated(result, seen.noun), *_given(result)),
        comparison=_comparison(result),
        methods=_methods(result),
        occupation={use.resource: use.time for use in result.occupation},
        bottleneck=result.bottleneck,
        sections=tuple(_memory(instance, result)),
        proof=_weights(result) or _intervals(result),
        bound_asked=instance.method == "upper_bound",
        given=instance.method == "given",
    )


def _simulated(result: MonoAllocationResult, noun: str) -> Iterator[tuple[str, Phrase]]:
    """Tell how long a number of instances took, where there is no period."""
    run = result.simulation
    if run is None:
        return
    taken: Phrase = (
        Amount(Fraction(run.instances), Measure.INSTANCES),
        " in ",
        Amount(run.makespan, Measure.DURATION),
    )
    if run.planned_makespan is not None and run.planned_makespan != run.makespan:
        planned = Amount(run.planned_makespan, Measure.DURATION)
        taken = (*taken, "; the method had planned ", planned, ", without contention")
    yield "simulated", taken
    mean = Amount(run.latency, Measure.DURATION)
    yield "latency", (f"{with_article(noun)} is done after ", mean, " on average")


def _given(result: MonoAllocationResult) -> Iterator[tuple[str, Phrase]]:
    """Tell what keeps a given mapping from more, what it lacks, and which move helps most."""
    if result.objective is None or result.moves is None or result.outcome is Outcome.OPTIMAL:
        return
    value, others = result.objective.value, result.bottlenecks[1:]
    if others:
        rest = f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else ""
        yield "just as busy", (", ".join(others[:_NAMED]) + rest,)
    if result.distance is not None and result.distance > 0:
        yield "distance", (Amount(result.distance, Measure.SHARE), " below the bound")
    moves, better = result.moves, result.better
    tried: Phrase = (
        ()
        if moves.tried == moves.total
        else (f", of {moves.tried:,} moves that were tried among {moves.total:,}",)
    )
    if better is None:
        yield "better", ("no move of one task does more", *tried)
        return
    step = f"{better.task} from {better.source} to {better.target}: "
    gain: Phrase = ()
    if value:
        gain = (", ", Amount(better.throughput / value - 1, Measure.SHARE), " more")
    yield "better", (step, Amount(better.throughput, Measure.RATE), *gain, *tried)


def _ranked(result: MonoAllocationResult) -> list[ComparedMethod]:
    return sorted(result.comparison or (), key=lambda row: -(row.throughput or 0))


def _methods(result: MonoAllocationResult) -> tuple[Method, ...]:
    best = None if result.objective is None else result.objective.value
    rows = [_beside_bound(row, result.bound) for row in _ranked(result)]
    return methods(((row, row.throughput, row.throughput == best) for row in rows), REFERENCES)


def _beside_bound(row: ComparedMethod, bound: Bound | None) -> ComparedMethod:
    """Compare a reference with the bound of one allocation, too, where both are drawn."""
    if row.throughput is None or bound is None or not bound.value:
        return row
    return row.model_copy(update={"ratio_to_bound": row.throughput / bound.value})


def _comparison(result: MonoAllocationResult) -> Section | None:
    """Put the methods that were compared side by side, the best first."""
    if not result.comparison:
        return None
    ranked = _ranked(result)
    return comparison(
        [(row, (row.throughput, _mixes(row), row.latency)) for row in ranked],
        Column("", Measure.RATE),
        Column("mixes", Measure.TEXT),
        Column("latency", Measure.COARSE, optional=True),
        text=_mixing(result, ranked),
        remarks=_of_bound(result),
    )


def _mixes(row: ComparedMethod) -> str:
    """Say whether a method mixes placements."""
    if row.throughput is None or row.method == "upper_bound":
        return ""
    return "yes" if row.method in REFERENCES else "no"


def _mixing(result: MonoAllocationResult, ranked: Sequence[ComparedMethod]) -> Phrase:
    """Say which methods the bound does not hold for, and which of them do more than it says."""
    mixed = [row for row in ranked if row.throughput is not None and row.method in REFERENCES]
    if not mixed:
        return ()
    bound = None if result.bound is None else result.bound.value
    passing = [
        row.method
        for row in mixed
        if bound is not None and row.throughput is not None and row.throughput > bound
    ]
    words = (
        "Answer and bound are of one allocation for all instances. What mixes placements runs each"
        " instance by an allocation of its own, and may do more"
    )
    if passing:
        best = "the optimum of one allocation" if result.outcome is Outcome.OPTIMAL else "the bound"
        named = " and ".join(filter(None, (", ".join(passing[:-1]), passing[-1])))
        words += f": {named} {'does' if len(passing) == 1 else 'do'} more than {best}"
    return (f"{words}.",)


def _of_bound(result: MonoAllocationResult) -> Iterator[tuple[str, str]]:
    """Say what the bound among the methods means."""
    if result.bound is not None:
        sure = "proved exactly" if result.bound.exact else "by the word of a search"
        yield "upper_bound", f"no allocation does more, {sure}"


def _memory(instance: MonoAllocationInstance, result: MonoAllocationResult) -> Iterator[Section]:
    """Tell how much of the memory of each processor that runs tasks they need, the fullest first."""
    limits = dict(zip(instance.platform.index_by_id, instance.memory, strict=True))
    held: dict[str, Fraction] = {}
    for task, need in zip(instance.application.tasks, instance.needs, strict=True):
        for name in result.mapping.get(task.id, ()):
            held[name] = held.get(name, Fraction(0)) + need
    used = {
        name: (need, limit, need / limit if limit else Fraction(0))
        for name, need in held.items()
        if (limit := limits[name]) is not None
    }
    if not used:
        return
    columns = (
        Column("processor", Measure.TEXT),
        Column("tasks need", Measure.NUMBER),
        Column("there is", Measure.NUMBER),
        Column("in use", Measure.SHARE),
        Column("", Measure.FILL),
    )
    ranked = sorted(used, key=lambda name: (-used[name][2], name))
    rows = tuple((name, *used[name], used[name][2]) for name in ranked)
    yield Section("Memory", table=Table(columns, rows, "processors"))


def _intervals(result: MonoAllocationResult) -> Section | None:
    """Say why no intervals of the chain have a shorter period."""
    bound = result.bound
    if bound is None or result.certificate.type != "intervals":
        return None
    text = (
        "Why no allocation does more than ",
        Amount(bound.value, Measure.RATE),
        ": however the chain is cut into intervals, one for each processor that has room for it,"
        " some resource is busy for ",
        Amount(1 / bound.value, Measure.DURATION),
        " or longer per instance. That was searched for, exactly, and the referee searches again.",
    )
    return Section("", text)


def _weights(result: MonoAllocationResult) -> Section | None:
    """Say why the tasks of a shorter period would not all find room."""
    weights, bound = result.weights, result.bound
    if not weights or bound is None:
        return None
    text = (
        "Why no allocation does more than ",
        Amount(bound.value, Measure.RATE),
        ": give every task its weight below (0 if it is not listed). Any sets of tasks that the"
        " processors can run, and send and receive the files of, in less than ",
        Amount(1 / bound.value, Measure.DURATION),
        " weigh less together than all tasks do, so one of them has no room.",
    )
    ranked = sorted(weights, key=lambda task: (-weights[task], task))
    columns = (Column("task", Measure.TASK), Column("weight", Measure.PRICE))
    rows = tuple((task, weights[task]) for task in ranked)
    return Section("", text, Table(columns, rows, "tasks"))
