"""What people read about the program that runs best, and its times."""

from fractions import Fraction

from steadygrid.domain.view import Amount, Column, Measure, Phrase, Section, Table, TimeOfSize
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult

_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def prediction_facts(
    instance: CollectiveInstance, result: CollectiveResult
) -> tuple[tuple[str, Phrase], ...]:
    """Say how fast the largest operation runs, and which trees it takes.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer.
    """
    told = result.execution
    if told is None:
        return ()
    row = told.predicted[-1]
    program = told.programs[row.program]
    trees = sum(tree.chunks for tree in program.trees)
    fast: Phrase = (
        Amount(row.algbw, Measure.NUMBER),
        f"{_per_time(instance)} algbw, ",
        Amount(row.busbw, Measure.NUMBER),
        f" busbw, for {size_told(row.bytes)}",
    )
    if row.of_bound is not None:
        fast += (": ", Amount(row.of_bound, Measure.SHARE), " of the bound")
    shape: Phrase = (
        Amount(Fraction(trees), Measure.COUNT),
        f" tree{'s' if trees > 1 else ''} of one chunk, ",
        Amount(Fraction(program.depth), Measure.COUNT),
        f" hop{'s' if program.depth > 1 else ''} deep; at most ",
        Amount(Fraction(program.blocks), Measure.COUNT),
        " blocks of a rank",
    )
    return (("predicted", fast), ("program", shape))


def _per_time(instance: CollectiveInstance) -> str:
    """Name the unit of bandwidths, where the platform names its units."""
    units = instance.platform.units
    if units is None or units.data is None or units.time is None:
        return ""
    return f" {units.data}/{units.time}"


def predicted_times(instance: CollectiveInstance, result: CollectiveResult) -> tuple[Section, ...]:
    """Put the predicted times in a table, by size.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer.
    """
    told = result.execution
    if told is None:
        return ()
    several = len(told.programs) > 1
    columns = [
        Column("size", Measure.TEXT),
        Column("time", Measure.DURATION),
        Column("algbw", Measure.NUMBER),
        Column("busbw", Measure.NUMBER, optional=True),
        Column("of the bound", Measure.SHARE),
        Column("loops", Measure.COUNT, optional=True),
        Column("hops deep", Measure.COUNT, optional=True),
    ]
    if several:
        columns.append(Column("program", Measure.COUNT, optional=True))
    rows = tuple(
        (
            size_told(row.bytes),
            row.time,
            row.algbw,
            row.busbw,
            row.of_bound,
            Fraction(row.loops),
            Fraction(told.programs[row.program].depth),
            *([Fraction(row.program)] if several else []),
        )
        for row in told.predicted
    )
    text: Phrase = ("One operation, simulated piece by piece as the exported program runs.",)
    if not any(link.latency for link in instance.platform.links):
        text += (" No link has a latency, so small sizes take longer than that.",)
    return (Section("Predicted times", text, Table(tuple(columns), rows)),)


def times_of_sizes(result: CollectiveResult) -> tuple[TimeOfSize, ...]:
    """Put the predicted times next to what the bound allows, by size.

    Parameters
    ----------
    result
        The answer.
    """
    if result.execution is None:
        return ()
    return tuple(
        TimeOfSize(
            row.bytes,
            size_told(row.bytes),
            row.time,
            None if row.of_bound is None else row.time * row.of_bound,
            row.algbw,
        )
        for row in result.execution.predicted
    )


def size_told(number: int) -> str:
    """Write a number of bytes, in the largest unit of which it is a multiple or more than one.

    Parameters
    ----------
    number
        Of bytes.
    """
    for unit, name in _UNITS:
        if number >= unit:
            return f"{float(Fraction(number, unit)):g} {name}"
    return f"{number} B"
