"""Checks of a timetable: every row, what waits for what, and how long a data set stays."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from steadygrid.domain.slots import FileName
from steadygrid.domain.timetable import Operation, Row, Sending, Timetable
from steadygrid.kinds.replicated_workflow.limits import MOST_MEAN_ROWS
from steadygrid.kinds.replicated_workflow.referee_view import Workflow
from steadygrid.kinds.replicated_workflow.schemas import WorkflowLatency
from steadygrid.verification.cycles import Number, breach, by_modulus, longest_stay, mean_stay
from steadygrid.verification.exact import common_denominator, show
from steadygrid.verification.findings import Findings


class Starts:
    """When operations start and end, ``- n T`` for data set n, by residue: scaled, and exact."""

    def __init__(self, scale: int, period: Number) -> None:
        self.scale = scale
        self.period = period
        self.starts: list[list[Number]] = []
        self.ends: list[list[Number]] = []


def check_rows(
    workflow: Workflow, period: Fraction, schedule: Timetable, findings: Findings
) -> Starts | None:
    """Check that a timetable has a row for each operation and residue, and when it starts.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    period
        Time per data set.
    schedule
        Timetable of the answer.
    findings
        Collects the faults that are found.

    Returns
    -------
    Starts or None
        None where a rule about the form is broken.

    Notes
    -----
    Rules, in this order:

    == ========================================================================== ==================
    1  the header says after which time and how many data sets everything repeats `wrong_period`
    2  its ports are those of the instance                                        `wrong_ports`
    3  rows are listed by operation, in the order of service                      `wrong_operations`
    4  an operation has as many rows as its modulus                               `wrong_modulus`
    5  these are of the residues from 0 on                                        `wrong_residue`
    6  a row names the place of its residue                                       `wrong_place`
    7  it has the time of its residue                                             `wrong_time`
    8  it comes again after modulus times `period`                                `wrong_every`
    9  it starts at 0 or later                                                    `negative_start`
    == ========================================================================== ==================

    Rule 4: the modulus divides the number of rows of the workflow, and is a multiple of that after
    which the places of the operation repeat.
    """
    if (schedule.period, schedule.instances_per_period) != (period * workflow.rows, workflow.rows):
        findings.add(
            ("schedule", "period"),
            "wrong_period",
            f"Everything repeats after {show(period * workflow.rows)}, and"
            f" {show(Fraction(workflow.rows))} data sets.",
        )
    ports = "no_overlap" if workflow.one_at_a_time else "one_port"
    if schedule.ports != ports:
        findings.add(("schedule", "ports"), "wrong_ports", f"The ports are {ports}.")
    listed = [(name, list(rows)) for name, rows in groupby(schedule.rows, _name)]
    due = [operation.name for operation in workflow.operations]
    names = [name for name, _ in listed]
    if names != due:
        place = next(
            (i for i, pair in enumerate(zip(names, due, strict=False)) if pair[0] != pair[1]),
            min(len(names), len(due)),
        )
        what = f"{due[place]!r}" if place < len(due) else "nothing"
        findings.add(
            ("schedule", "rows"),
            "wrong_operations",
            f"In the order of service {what} comes after {place} operations, but the rows name"
            f" {repr(names[place]) if place < len(names) else 'no more'}.",
        )
        return None
    scale = common_denominator([period, *(v for r in schedule.rows for v in (r.start, r.time))])
    found = Starts(scale, _scaled(period, scale))
    sound = True
    for o, (_, rows) in enumerate(listed):
        if _check_operation(workflow, o, period, rows, findings):
            starts = [_scaled(r.start, scale) - r.residue * found.period for r in rows]
            times = [_scaled(r.time, scale) for r in rows]
            found.starts.append(starts)
            found.ends.append([s + t for s, t in zip(starts, times, strict=True)])
        else:
            sound = False
    return found if sound else None


def _name(row: Row) -> str | FileName:
    return _name_of(row.operation)


def _name_of(operation: Operation) -> str | FileName:
    if isinstance(operation, Sending):
        return operation.file
    return getattr(operation, "task", "")


def _scaled(value: Fraction, scale: int) -> Number:
    whole, rest = divmod(scale, value.denominator)
    return value.numerator * whole if not rest else value * scale


def _check_operation(
    workflow: Workflow, o: int, period: Fraction, rows: Sequence[Row], findings: Findings
) -> bool:
    """Check the rows of one operation; tell whether they can be compared with others."""
    operation, modulus = workflow.operations[o], len(rows)
    at = ("schedule", "rows")
    if modulus % operation.modulus or workflow.rows % modulus:
        findings.add(
            at,
            "wrong_modulus",
            f"{operation.name!r} has {modulus} rows: no multiple of {operation.modulus} that divides"
            f" {show(Fraction(workflow.rows))}.",
        )
        return False
    times = workflow.times(o)
    every = modulus * period
    for residue, row in enumerate(rows):
        what = f"Row {residue} of {operation.name!r}"
        if (row.residue, row.modulus) != (residue, modulus):
            findings.add(
                at,
                "wrong_residue",
                f"{what} is of residue {row.residue} modulo {row.modulus}, not {residue} modulo"
                f" {modulus}.",
            )
            return False
        if _place_of(row.operation) != workflow.place(o, residue):
            findings.add(at, "wrong_place", f"{what} is not at {workflow.place(o, residue)!r}.")
        if row.time != times[residue % operation.modulus]:
            findings.add(
                at,
                "wrong_time",
                f"{what} takes {show(times[residue % operation.modulus])}, not {show(row.time)}.",
            )
        if row.every != every:
            findings.add(at, "wrong_every", f"{what} comes again after {show(every)}.")
        if row.start < 0:
            findings.add(at, "negative_start", f"{what} starts before 0.")
    return True


def _place_of(operation: Operation) -> str | tuple[str, str]:
    if isinstance(operation, Sending):
        return operation.sender, operation.receiver
    return getattr(operation, "processor", "")


def check_waits(workflow: Workflow, found: Starts, findings: Findings) -> None:
    """Check that every operation waits for all that it has to wait for, for every data set.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    found
        Starts and ends of all operations, as the timetable has them.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================== ===========
    1  an operation starts when all that it waits for has ended `too_early`
    == ======================================================== ===========

    By residue classes of the greatest common divisors of the moduli: linear in the rows, times how
    many operations wait for one.
    """
    for (before, after), shifts in workflow.waits.items():
        for shift in shifts:
            early = breach(found.ends[before], found.starts[after], shift, shift * found.period)
            if early is not None:
                n = early.data_set
                findings.add(
                    ("schedule", "rows"),
                    "too_early",
                    f"{workflow.operations[after].name!r} of data set {n + shift} starts"
                    f" {show(Fraction(early.lacking) / found.scale)} before the end of"
                    f" {workflow.operations[before].name!r} of data set {n}.",
                )


def check_latency(
    workflow: Workflow, found: Starts, latency: WorkflowLatency | None, findings: Findings
) -> None:
    """Check how long data sets stay, from the start of the first operation to the end of the last.

    A computation that no file of a stage before feeds may be the first, one that feeds none the
    last.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    found
        Starts and ends of all operations, as the timetable has them.
    latency
        As the answer has it. None where it has none.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ===============
    1  a schedule has a latency                                           `no_latency`
    2  the largest is that of the timetable                               `wrong_latency`
    3  so is the mean, or it is null with more than `MOST_MEAN_ROWS` rows `wrong_latency`
    == ================================================================== ===============
    """
    at = ("result", "latency")
    if latency is None:
        findings.add(at, "no_latency", "The schedule has a latency, but the result has none.")
        return
    fed = {operation.receiver for operation in workflow.operations}
    feeding = {o.stage for o in workflow.operations if o.receiver is not None}
    computing = [(o, op) for o, op in enumerate(workflow.operations) if op.receiver is None]
    starts = by_modulus([found.starts[o] for o, op in computing if op.stage not in fed], min)
    ends = by_modulus([found.ends[o] for o, op in computing if op.stage not in feeding], max)
    longest = Fraction(longest_stay(ends, starts)) / found.scale
    if latency.largest != longest:
        findings.add((*at, "largest"), "wrong_latency", f"The largest latency is {show(longest)}.")
    mean = None
    if workflow.rows <= MOST_MEAN_ROWS:
        mean = mean_stay(ends, starts) / found.scale
    if latency.mean != mean:
        told = "not known" if mean is None else show(mean)
        findings.add((*at, "mean"), "wrong_latency", f"The mean latency is {told}.")
