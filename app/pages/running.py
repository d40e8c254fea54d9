"""What the page of a job says of a schedule that runs: what is slower, what is kept, and where it is."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import NamedTuple

from app.db.jobs import JobRecord
from app.db.unit import Unit
from app.db.watches import Watch
from app.grids.drift import lost_of
from app.grids.epochs import Position, period_of, position_at
from app.grids.measured import NOTICED, MeasuredJob, look_in, sentence, slower_part
from app.http.refusals import Refusal
from app.pages.quantities import Shown, brief
from steadygrid.domain.rational import approximate, parse_exact
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.quantities import percent
from steadygrid.report.report import Report
from steadygrid.studies.measurements import measurable

MOST_NAMED = 12
"""Resources that are named. The rest is counted."""


class Slower(NamedTuple):
    """A resource that is not as planned."""

    name: str
    says: str
    measured: Shown
    planned: Shown
    at: datetime


class PresentPosition(NamedTuple):
    """When the schedule has started, and where it is."""

    epoch: datetime
    seconds: float
    """Of a time unit."""
    period: Fraction
    found: Position

    @property
    def length(self) -> float:
        """The period, for a script; infinite where no double is as long."""
        found = approximate(self.period)
        return math.inf if found is None else found

    @property
    def part(self) -> str:
        """How much of the period that runs is over."""
        return percent(self.found.position / self.period)

    def part_of_window(self, begin: Fraction, end: Fraction) -> Fraction | None:
        """Give the part of a window that is over. None where now is not in it.

        Parameters
        ----------
        begin, end
            Of the window. One that ends with the first period stands for each period.
        """
        if self.found.number == 0 or end <= begin:
            return None
        at = self.found.position if end <= self.period else self.found.elapsed
        return (at - begin) / (end - begin) if begin <= at < end else None


class Running(NamedTuple):
    """What a page says of a schedule that runs.

    Attributes
    ----------
    events
        Where the page hears more; empty where nothing can be measured.
    """

    events: str
    listed: Sequence[Slower]
    rest: int
    kept: str
    replan: str | None
    now: PresentPosition | None


def running(unit: Unit, record: JobRecord, report: Report | None) -> Running | None:
    """Describe the schedule of a job that runs. None where nothing is known of that.

    Parameters
    ----------
    unit
        Of the tenant.
    record
        Of the job.
    report
        Its answer, if it can be read.
    """
    if report is None or record.schedule_id is None:
        return None
    measured, now = look_in(unit, record.id), _present_position(unit, record)
    if measured is None and now is None:
        return None
    slower = [] if measured is None else _slower(measured, report)
    watch = None if measured is None else measured.watch
    return Running(
        "" if measured is None else f"/v1/jobs/{record.id}/measured/events",
        slower[:MOST_NAMED],
        max(0, len(slower) - MOST_NAMED),
        "" if watch is None else _kept_sentence(watch),
        None if watch is None else watch.replan_id,
        now,
    )


def _present_position(unit: Unit, record: JobRecord) -> PresentPosition | None:
    epoch = unit.watched_jobs.epoch(record.id)
    if epoch is None:
        return None
    try:
        period = period_of(unit, record)
    except Refusal:
        return None
    found = position_at(epoch, period, datetime.now(UTC))
    return PresentPosition(epoch.at, float(parse_exact(epoch.unit_seconds)), period, found)


def _slower(measured: MeasuredJob, report: Report) -> list[Slower]:
    found: list[tuple[Fraction, Slower]] = []
    if report.platform is None:
        return []
    for one in measurable(report.platform):
        reading = measured.measured.latest.get(one.key)
        if reading is None or one.planned is None:
            continue
        value = parse_exact(reading.value)
        slower = slower_part(one.planned, value)
        if abs(slower) >= NOTICED:
            name = printable(one.key.partition(":")[2].replace("->", f" {UNICODE.to} "))
            line = Slower(name, sentence(slower), brief(value), brief(one.planned), reading.at)
            found.append((slower, line))
    found.sort(key=lambda pair: -pair[0])
    return [line for _, line in found]


def _kept_sentence(watch: Watch) -> str:
    lost = lost_of(watch)
    if lost is None:
        return ""
    if lost == 0:
        return "It still does all that was planned."
    limits = f", limited by {printable(watch.limited_by[0])}" if watch.limited_by else ""
    return f"It still does {percent(1 - lost)} of what was planned{limits}."
