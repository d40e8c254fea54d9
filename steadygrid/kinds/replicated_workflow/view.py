"""What people read about an answer of `replicated_workflow`."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.resources import pair_name
from steadygrid.domain.slots import FileName
from steadygrid.domain.timetable import Timetable
from steadygrid.domain.view import (
    Amount,
    Cell,
    Column,
    Cycle,
    Measure,
    Method,
    Phrase,
    Section,
    Step,
    Table,
    View,
)
from steadygrid.kinds.replicated_workflow.referee_service import read_service
from steadygrid.kinds.replicated_workflow.referee_view import read_mapping
from steadygrid.kinds.replicated_workflow.schemas import (
    ComparedMapping,
    CycleStep,
    ReplicatedWorkflowInstance,
    ReplicatedWorkflowResult,
)
from steadygrid.kinds.shared.comparison import comparison, methods
from steadygrid.verification.findings import Findings

_DOES = {
    "compute": "computes",
    "send": "sends",
    "receive": "receives",
    "port": "receives, computes or sends",
}
HOLD_IN_EVERY_ORDER = ("lp_duality", "copies")
_NAMED = 4
_FILES = 6
"""Of an order, in one line."""


def view(
    instance: ReplicatedWorkflowInstance,
    options: Options,
    result: ReplicatedWorkflowResult,
    schedule: Timetable | None,
) -> View:
    """Say how often a data set is done, and which resource, or which cycle, decides that.

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
    order = _order(instance, result)
    rivals = _rivals(instance, result, order)
    return View(
        instance.platform,
        instance.ports,
        instance.file_sizes,
        "data set",
        tuple(instance.task_index),
        headline=_headline(result),
        facts=(*_facts(result), *_bound_for(instance, result, order)),
        comparison=_comparison(result),
        methods=_methods(result),
        sections=(
            *_mapping(result),
            *_service(result),
            *_occupation(instance, result),
            *_cycle(result),
        ),
        occupation={use.resource: use.time for use in result.occupation},
        bottleneck=result.critical_resource,
        proof=_proof(result, rivals),
        cycle=_ring(result),
        rivals=rivals,
        scope=_scope(instance, result) if order else "",
        bound_asked=instance.method == "upper_bound",
    )


def _order(
    instance: ReplicatedWorkflowInstance, result: ReplicatedWorkflowResult
) -> Sequence[FileName]:
    """Give the files in the order of service, where the bound is one for some orders only; else none.

    Prices and numbers of processors hold in every order, and so does what a resource of a given mapping is busy for. There is
    but one order where no stage sends several files or receives several, and ports are apart.
    """
    bound = result.bound
    if bound is None or result.mapping is None or result.certificate.type in HOLD_IN_EVERY_ORDER:
        return ()
    evaluated = instance.mapping is not None
    if evaluated and result.mct is not None and result.mct * bound.value == 1:
        return ()
    if not evaluated and result.service is not None and result.outcome is not Outcome.OPTIMAL:
        return ()
    workflow = read_mapping(instance, result.mapping, Findings())
    if workflow is None:
        return ()
    if result.service is not None:
        workflow = read_service(instance, workflow, result.service, Findings()) or workflow
    files = [o for o in workflow.operations if o.receiver is not None]
    several = len({one.stage for one in files}) < len(files)
    several = several or len({one.receiver for one in files}) < len(files)
    several = several or (workflow.one_at_a_time and result.service is not None)
    return [name for one in files if isinstance(name := one.name, tuple)] if several else ()


def _scope(instance: ReplicatedWorkflowInstance, result: ReplicatedWorkflowResult) -> str:
    """Name the orders that the bound holds for."""
    if result.service is None:
        return "for this order of files"
    return "for this order of service" if instance.mapping is not None else "in the orders tried"


def _rivals(
    instance: ReplicatedWorkflowInstance,
    result: ReplicatedWorkflowResult,
    order: Sequence[FileName],
) -> str:
    """Name what the bound holds for."""
    what = "mapping" if instance.mapping is None else "schedule of this mapping"
    if not order:
        return what
    scope = _scope(instance, result)
    return f"{what} {scope if result.service is not None else 'with this order of files'}"


def _bound_for(
    instance: ReplicatedWorkflowInstance,
    result: ReplicatedWorkflowResult,
    order: Sequence[FileName],
) -> Iterator[tuple[str, Phrase]]:
    """Tell for which mappings, and which order of files, the bound holds."""
    if result.bound is None:
        return
    words = "all mappings" if instance.mapping is None else "the mapping that was given"
    if order:
        if result.service is not None and instance.mapping is None:
            words += ", in the orders of service and with the lags that were tried"
        else:
            words += f", and files in this order: {_listed_files(result, order)}"
        words += "; in another the period may be shorter"
    elif instance.mapping is not None:
        words += ": another may have a shorter period"
    yield "bound for", (words,)


def _listed_files(result: ReplicatedWorkflowResult, order: Sequence[FileName]) -> str:
    """List files in the order of service, with their lags."""
    lags = {one.operation: one.lag for one in result.service or ()}
    told = [
        _file(name) + (f" (lag {lags[name]:,})" if lags.get(name, 0) else "")
        for name in order[:_FILES]
    ]
    more = f" and {len(order) - _FILES:,} more" if len(order) > _FILES else ""
    return ", ".join(told) + more


def _service(result: ReplicatedWorkflowResult) -> Iterator[Section]:
    """Show in which order resources serve the operations of a data set, and how far these lag."""
    if result.service is None or len(result.service) < 2:
        return
    columns = (Column("operation", Measure.TEXT), Column("lag", Measure.COUNT))
    rows = tuple((_file(one.operation), Fraction(one.lag)) for one in result.service)
    text: Phrase = ()
    if any(one.lag for one in result.service):
        text = ("With a lag of l, data set n is served as if it were data set n + l.",)
    yield Section("Order of service", text, Table(columns, rows, "operations"))


def _headline(result: ReplicatedWorkflowResult) -> Phrase:
    if result.period is None:
        return ()
    return ("a data set every ", Amount(result.period, Measure.INTERVAL))


def _facts(result: ReplicatedWorkflowResult) -> Iterator[tuple[str, Phrase]]:
    """Tell what decides the period, after how many data sets all repeats, and how long one stays."""
    told = _critical(result)
    if told:
        yield "critical", told
    if result.rows is not None:
        rows = Amount(Fraction(int(result.rows)), Measure.COUNT)
        yield "rows", ("everything repeats after ", rows, " data sets")
    if result.latency is not None:
        longest = Amount(result.latency.largest, Measure.DURATION)
        words: Phrase = ("a data set is done within ", longest)
        mean = result.latency.mean
        if mean is not None and mean != result.latency.largest:
            words += (" of its start, ", Amount(mean, Measure.DURATION), " on average")
        else:
            words += (" of its start",)
        yield "latency", words


def _critical(result: ReplicatedWorkflowResult) -> Phrase:
    """Explain the period by a resource that is always busy, or by the cycle that is longer."""
    if result.period is None or result.mct is None:
        return ()
    if result.critical_resource is not None:
        owner, _, what = result.critical_resource.rpartition(".")
        return (
            f"{owner} {_DOES[what]} all the time: ",
            Amount(result.period, Measure.DURATION),
            " per data set",
            _as_busy(result),
        )
    longest = Amount(result.mct, Measure.DURATION)
    busiest = result.occupation[0].resource
    if result.outcome is not Outcome.OPTIMAL and not _is_critical(result):
        return ("no cycle is known that takes so long; ", busiest, " is busy for ", longest)
    words: Phrase = (
        "no resource is always busy, the busiest, ",
        busiest,
        ", for ",
        longest,
        " of ",
        Amount(result.period, Measure.DURATION),
    )
    if result.critical_cycle is None or result.length is None or result.time is None:
        return (*words, ": operations of several wait for each other")
    steps = Amount(Fraction(len(result.critical_cycle)), Measure.COUNT)
    over = Amount(Fraction(result.length), Measure.COUNT)
    return (
        *words,
        f": {_places(result.critical_cycle)} wait for each other in a cycle of ",
        steps,
        " operations, which takes ",
        Amount(result.time, Measure.DURATION),
        " for ",
        over,
        " data sets",
    )


def _as_busy(result: ReplicatedWorkflowResult) -> str:
    """Name what else is always busy: a faster critical resource alone would change nothing."""
    others = [
        use.resource
        for use in result.occupation
        if use.time == result.period and use.resource != result.critical_resource
    ]
    if not others:
        return ""
    return f"; {_listed(others)} {'is' if len(others) == 1 else 'are'} as busy"


def _is_critical(result: ReplicatedWorkflowResult) -> bool:
    """Tell whether the cycle that is listed takes as long as the period."""
    if result.time is None or result.length is None or result.period is None:
        return False
    return result.time == result.length * result.period


def _places(cycle: list[CycleStep]) -> str:
    """Name the processors that a cycle visits, in its order."""
    names = list(
        dict.fromkeys(
            name
            for step in cycle
            for name in ((step.place,) if isinstance(step.place, str) else step.place)
        )
    )
    return _listed(names)


def _listed(names: list[str]) -> str:
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _mapping(result: ReplicatedWorkflowResult) -> Iterator[Section]:
    """Show whose turn it is in each stage."""
    if result.mapping is None:
        return
    columns = (
        Column("stage", Measure.TASK),
        Column("copies", Measure.COUNT),
        Column("processors, in turn", Measure.TEXT),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            ", ".join(stage.tasks),
            Fraction(len(stage.processors)),
            _list_processors(stage.processors),
        )
        for stage in result.mapping
    ]
    yield Section("Mapping", table=Table(columns, tuple(rows), "stages"))


def _list_processors(names: list[str]) -> str:
    if len(names) > 2 * _NAMED:
        return f"{', '.join(names[: 2 * _NAMED - 1])} and {len(names) - 2 * _NAMED + 1} more"
    return ", ".join(names)


def _occupation(
    instance: ReplicatedWorkflowInstance, result: ReplicatedWorkflowResult
) -> Iterator[Section]:
    """Show how long each resource is busy per data set, and of what its time is made up."""
    if not result.occupation:
        return
    split = instance.ports == "no_overlap"
    columns = [Column("resource", Measure.TEXT), Column("per data set", Measure.TIME)]
    if split:
        columns += [Column(name, Measure.TIME, True) for name in ("receive", "compute", "send")]
    columns += [Column("of the period", Measure.SHARE), Column("", Measure.FILL)]
    rows: list[tuple[Cell, ...]] = []
    for use in result.occupation:
        part = use.time / result.period if result.period is not None else None
        parts: list[Cell] = [use.receive, use.compute, use.send] if split else []
        rows.append((use.resource, use.time, *parts, part, part))
    yield Section("Occupation", table=Table(tuple(columns), tuple(rows), "resources"))


def _cycle(result: ReplicatedWorkflowResult) -> Iterator[Section]:
    """List the operations of the critical cycle in order."""
    if result.critical_cycle is None or result.length is None:
        return
    columns = (
        Column("operation", Measure.TEXT),
        Column("place", Measure.TEXT),
        Column("data set", Measure.COUNT),
        Column("time", Measure.TIME),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            _file(step.operation),
            step.place if isinstance(step.place, str) else pair_name(*step.place),
            Fraction(step.data_set),
            step.time,
        )
        for step in result.critical_cycle
    ]
    later = (
        Amount(Fraction(result.length), Measure.COUNT),
        " data set later" if result.length == 1 else " data sets later",
    )
    text: Phrase = (
        ("Each operation waits for the one before, and the first, ", *later, ", for the last.")
        if len(rows) > 1
        else ("It waits for itself: the one ", *later, " starts when this one ends.")
    )
    yield Section("The critical cycle", text, Table(columns, tuple(rows), "steps"))


def _ring(result: ReplicatedWorkflowResult) -> Cycle | None:
    """Give the critical cycle with the data sets that lie between its steps."""
    listed = result.critical_cycle
    if not listed or result.length is None:
        return None
    before = listed[-1].data_set - int(result.length)
    steps: list[Step] = []
    for step in listed:
        places = (step.place,) if isinstance(step.place, str) else step.place
        later = step.data_set - before
        steps.append(Step(_file(step.operation), places, step.data_set, step.time, tokens=later))
        before = step.data_set
    advance = Fraction(result.length)
    return Cycle(tuple(steps), "data set", "data set later", advance, "data set")


def _file(operation: str | FileName) -> str:
    return operation if isinstance(operation, str) else f"{operation[0]} to {operation[1]}"


def _proof(result: ReplicatedWorkflowResult, rivals: str) -> Section | None:
    """Say why no schedule of the mapping is faster, or why no mapping is."""
    bound = result.bound
    if result.certificate.type == "copies" and bound is not None and bound.value:
        text: Phrase = (
            "Why no mapping does more than ",
            Amount(bound.value, Measure.RATE),
            ": however many processors each stage has, and whichever, some processor is busy for ",
            Amount(1 / bound.value, Measure.DURATION),
            " or longer per data set. That was searched for, exactly, and the referee searches again.",
        )
        return Section("", text)
    if result.certificate.type != "cycle_ratio" or bound is None or not bound.value:
        return None
    least = Amount(1 / bound.value, Measure.DURATION)
    why: Phrase
    if result.mct is not None and result.mct * bound.value == 1:
        named = result.critical_resource or result.occupation[0].resource
        why = (f"{named} is busy for ", least, " per data set, in every schedule.")
    elif result.time is not None and result.length is not None:
        why = (
            "the operations of the critical cycle wait for each other, and take ",
            Amount(result.time, Measure.DURATION),
            " for every ",
            Amount(Fraction(result.length), Measure.COUNT),
            " data sets.",
        )
    else:
        why = (
            "from the state that is given, everything is done as early as it can be, and is free"
            " exactly one period later after each turn of all rows.",
        )
    return Section(
        "",
        (f"Why no {rivals} is faster than one data set every ", least, ": ", *why),
    )


def _ranked(result: ReplicatedWorkflowResult) -> list[ComparedMapping]:
    return sorted(result.comparison or (), key=lambda row: -(row.throughput or 0))


def _methods(result: ReplicatedWorkflowResult) -> tuple[Method, ...]:
    best = None if result.objective is None else result.objective.value
    rows = _ranked(result)
    return methods((row, row.throughput, row.throughput == best) for row in rows)


def _comparison(result: ReplicatedWorkflowResult) -> Section | None:
    """Put the methods side by side, the best first."""
    if not result.comparison:
        return None
    ranked = _ranked(result)
    return comparison([(row, (row.throughput,)) for row in ranked], Column("", Measure.RATE))
