"""The rows of a timetable of firings: all of them, in order, with their times."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from steadygrid.domain.timetable import Firing, Timetable
from steadygrid.kinds.dataflow.referee_graph import Graph
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

ROWS = ("schedule", "rows")


def check_header(
    cycles: Sequence[int],
    turns: Sequence[int],
    period: Fraction,
    schedule: Timetable,
    findings: Findings,
) -> None:
    """Check that the timetable repeats when it says so.

    Parameters
    ----------
    cycles
        Of each actor, in an iteration.
    turns
        Of each actor, the cycles after which its starts repeat.
    period
        Of an iteration.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ==============
    1  `instances_per_period` are the iterations after which all rows repeat `wrong_period`
    2  the period is that of so many iterations                              `wrong_period`
    3  there are no ports                                                    `wrong_ports`
    == ===================================================================== ==============
    """
    iterations = lcm(*(Fraction(turn, q).numerator for turn, q in zip(turns, cycles, strict=True)))
    if schedule.instances_per_period != iterations:
        findings.add(
            ("schedule", "instances_per_period"),
            "wrong_period",
            f"All rows repeat after {iterations:,} iterations, not"
            f" {schedule.instances_per_period:,}.",
        )
    if schedule.period != schedule.instances_per_period * period:
        findings.add(
            ("schedule", "period"),
            "wrong_period",
            f"{schedule.instances_per_period:,} iterations of {show(period)} do not take"
            f" {show(schedule.period)}.",
        )
    if schedule.ports is not None:
        findings.add(("schedule", "ports"), "wrong_ports", "There are no ports without a platform.")


def read_starts(
    graph: Graph,
    cycles: Sequence[int],
    turns: Sequence[int],
    period: Fraction,
    schedule: Timetable,
    findings: Findings,
) -> list[list[Fraction]] | None:
    """Give the starts of each actor's rows, after checking the rest. None where the rows are others.

    Parameters
    ----------
    graph
        Actors and channels by number.
    cycles
        Of each actor, in an iteration.
    turns
        Of each actor, the cycles after which its starts repeat.
    period
        Time per iteration.
    schedule
        Timetable of the answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ================
    1  there is a row for each phase of each cycle of the unfolding       `wrong_rows`
    2  these are listed actor by actor, cycle by cycle and phase by phase `wrong_rows`
    3  a row has the time of its phase                                    `wrong_time`
    4  it comes again after the cycles of the unfolding                   `wrong_every`
    5  it starts at 0 or later                                            `negative_start`
    == ================================================================== ================
    """
    due = sum(turn * phases for turn, phases in zip(turns, graph.phases, strict=True))
    if len(schedule.rows) != due:
        findings.add(
            ROWS, "wrong_rows", f"{due:,} rows are due, and {len(schedule.rows):,} are listed."
        )
        return None
    starts: list[list[Fraction]] = []
    at = 0
    in_order = True
    for actor, (name, turn, phases) in enumerate(
        zip(graph.names, turns, graph.phases, strict=True)
    ):
        every = period * turn / cycles[actor]
        starts.append([row.start for row in schedule.rows[at : at + turn * phases]])
        for firing in range(turn * phases):
            row = schedule.rows[at]
            residue, phase = divmod(firing, phases)
            if row[:3] != (Firing(name, phase + 1), residue, turn):
                in_order = False
                findings.add(
                    (*ROWS, at),
                    "wrong_rows",
                    f"Row {at} is not of phase {phase + 1} of {name!r}, cycle {residue} modulo {turn}.",
                )
            time = graph.time(actor, firing)
            if row.time != time:
                detail = f"Phase {phase + 1} of {name!r} takes {show(time)}."
                findings.add((*ROWS, at, "time"), "wrong_time", detail)
            if row.every != every:
                detail = f"{turn} cycles of {name!r} take {show(every)}."
                findings.add((*ROWS, at, "every"), "wrong_every", detail)
            if row.start < 0:
                detail = "Nothing starts before 0."
                findings.add((*ROWS, at, "start"), "negative_start", detail)
            at += 1
    return starts if in_order else None
