"""The timetable of an answer: one course for all data sets, which keeps to its devices and links."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from steadygrid.domain.timetable import Computing, Row, Sending, Timetable
from steadygrid.kinds.layer_pipeline.referee_terms import StageTerms, Terms
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

ROWS = ("schedule", "rows")


class Course(NamedTuple):
    """When a data set that comes at 0 passes through the stages.

    Attributes
    ----------
    forward, backward
        Starts of the passes of each stage. A backward pass of no schedule starts and ends with the
        forward pass's end.
    ends
        Of the last pass of each stage.
    """

    forward: list[Fraction]
    backward: list[Fraction]
    ends: list[Fraction]


class _Operation(NamedTuple):
    """What happens to each data set, on copies or between them in turn."""

    places: list[Computing] | list[Sending]
    time: Fraction


def _operations(terms: Terms, stages: Sequence[StageTerms]) -> Iterator[_Operation]:
    """List what happens to a data set, in the order of its rows."""
    taken = Counter[str]()
    copies: list[list[str]] = []
    for stage in stages:
        first = taken[stage.device]
        taken[stage.device] += stage.replicas
        copies.append([f"{stage.device}#{first + i + 1}" for i in range(stage.replicas)])
    passes = [terms.passes_of(stage) for stage in stages]
    moved = [terms.transfers(a.last, a.device, b.device) for a, b in pairwise(stages)]

    def between(word: str, one: int, other: int, time: Fraction) -> Iterator[_Operation]:
        if time:
            senders, receivers = copies[one], copies[other]
            file = (f"{word} {one + 1}", f"{word} {other + 1}")
            turns = range(lcm(len(senders), len(receivers)))
            places = [
                Sending(file, senders[n % len(senders)], receivers[n % len(receivers)])
                for n in turns
            ]
            yield _Operation(places, time)

    for i, (forward, _) in enumerate(passes):
        if i:
            yield from between("forward", i - 1, i, moved[i - 1][0])
        yield _Operation([Computing(f"forward {i + 1}", name) for name in copies[i]], forward)
    if not terms.trains:
        return
    for i in reversed(range(len(stages))):
        if i + 1 < len(stages):
            yield from between("backward", i + 1, i, moved[i][1])
        yield _Operation([Computing(f"backward {i + 1}", name) for name in copies[i]], passes[i][1])


def read_course(
    terms: Terms,
    stages: Sequence[StageTerms],
    period: Fraction,
    schedule: Timetable,
    findings: Findings,
) -> Course | None:
    """Give the course of a data set, after checking that all take the same. None where they do not.

    Parameters
    ----------
    terms
        The instance.
    stages
        Of the answer.
    period
        Time per data set.
    schedule
        Timetable of the answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ================
    1  the timetable repeats after as many data sets as have all copies' turns `wrong_period`
       in common, and takes as many periods
    2  there are no ports                                                      `wrong_ports`
    3  it has a row for each pass on each copy, and for each transfer that     `wrong_rows`
       takes time between each pair of copies, in the order of the course
    4  a row has the time of its operation                                     `wrong_time`
    5  it comes again after as many periods as there are rows of its operation `wrong_every`
    6  it starts at 0 or later                                                 `negative_start`
    7  each data set starts a period after the one before                      `other_course`
    8  no operation starts before the one before it has ended                  `too_early`
    == ======================================================================= ================
    """
    _check_header(stages, period, schedule, findings)
    due = list(_operations(terms, stages))
    if len(schedule.rows) != (number := sum(len(one.places) for one in due)):
        detail = f"{number:,} rows are due, and {len(schedule.rows):,} are listed."
        findings.add(ROWS, "wrong_rows", detail)
        return None
    starts: list[Fraction] = []
    at, sound, end = 0, True, Fraction(0)
    for operation in due:
        rows = schedule.rows[at : at + len(operation.places)]
        sound &= _check_rows(operation, rows, at, period, findings)
        if rows[0].start < end:
            detail = (
                f"{_name(operation)} starts before what it waits for has ended, at {show(end)}."
            )
            findings.add((*ROWS, at, "start"), "too_early", detail)
        starts.append(rows[0].start)
        end = rows[0].start + operation.time
        at += len(rows)
    return _course(terms, stages, due, starts) if sound else None


def _check_header(
    stages: Sequence[StageTerms], period: Fraction, schedule: Timetable, findings: Findings
) -> None:
    number = lcm(*(stage.replicas for stage in stages))
    if schedule.instances_per_period != number or schedule.period != number * period:
        detail = f"All copies have their turns again after {number:,} data sets, {show(number * period)}."
        findings.add(("schedule", "period"), "wrong_period", detail)
    if schedule.ports is not None:
        findings.add(("schedule", "ports"), "wrong_ports", "There are no ports without a platform.")


def _name(operation: _Operation) -> str:
    place = operation.places[0]
    return repr(place.task if isinstance(place, Computing) else place.file)


def _check_rows(
    operation: _Operation, rows: Sequence[Row], at: int, period: Fraction, findings: Findings
) -> bool:
    """Check the rows of an operation; tell whether they are of it."""
    modulus = len(operation.places)
    every = modulus * period
    sound = True
    for residue, (place, row) in enumerate(zip(operation.places, rows, strict=True)):
        here = (*ROWS, at + residue)
        if row[:3] != (place, residue, modulus):
            sound = False
            detail = f"This is not the row of {_name(operation)} for data set {residue} modulo {modulus}."
            findings.add(here, "wrong_rows", detail)
        if row.time != operation.time:
            detail = f"{_name(operation)} takes {show(operation.time)}."
            findings.add((*here, "time"), "wrong_time", detail)
        if row.every != every:
            findings.add((*here, "every"), "wrong_every", f"The turn comes each {show(every)}.")
        if row.start < 0:
            findings.add((*here, "start"), "negative_start", "Nothing starts before 0.")
        if row.start != rows[0].start + residue * period:
            detail = f"Data set {residue} does not take the course of the first, {residue} periods later."
            findings.add((*here, "start"), "other_course", detail)
    return sound


def _course(
    terms: Terms,
    stages: Sequence[StageTerms],
    due: Sequence[_Operation],
    starts: Sequence[Fraction],
) -> Course:
    at: dict[str, Fraction] = {}
    for operation, start in zip(due, starts, strict=True):
        place = operation.places[0]
        if isinstance(place, Computing):
            at[place.task] = start
    numbers = range(1, len(stages) + 1)
    forward = [at[f"forward {i}"] for i in numbers]
    passes = [terms.passes_of(stage) for stage in stages]
    if not terms.trains:
        ends = [start + both[0] for start, both in zip(forward, passes, strict=True)]
        return Course(forward, ends, ends)
    backward = [at[f"backward {i}"] for i in numbers]
    ends = [start + both[1] for start, both in zip(backward, passes, strict=True)]
    return Course(forward, backward, ends)


def check_copies(
    terms: Terms,
    stages: Sequence[StageTerms],
    period: Fraction,
    course: Course,
    told: Sequence[int],
    findings: Findings,
) -> None:
    """Check that a copy runs one pass at a time, and how many data sets it holds.

    Parameters
    ----------
    terms
        The instance.
    stages
        Of the answer.
    period
        Time per data set.
    course
        Of a data set.
    told
        Data sets in flight of each stage, as the answer says.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== =================
    1  forward and backward passes on a copy do not overlap                `overlap`
    2  `in_flight` is the most data sets between the start of a forward    `wrong_in_flight`
       pass and the end of its backward pass; 1 without backward passes
    == =================================================================== =================
    """
    for i, stage in enumerate(stages):
        turn = stage.replicas * period
        forward, backward = terms.passes_of(stage)
        apart = (course.backward[i] - course.forward[i]) % turn
        if terms.trains and backward and (apart < forward or apart + backward > turn):
            detail = f"A backward pass of stage {i + 1} overlaps with a forward pass."
            findings.add(ROWS, "overlap", detail)
        held = course.ends[i] - course.forward[i]
        due = max(1, -(-held // turn)) if terms.trains else 1
        if told[i] != due:
            detail = f"A copy of stage {i + 1} holds {due:,} data sets at most."
            findings.add(("result", "stages", i, "in_flight"), "wrong_in_flight", detail)
