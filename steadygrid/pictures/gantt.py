"""The Gantt chart of a schedule: who is busy with what when."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.errors import Fault
from steadygrid.domain.nearest import Known
from steadygrid.domain.wording import shown
from steadygrid.pictures.asking import MOST_LANES_ASKED
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.folded_lanes import Fold, fold
from steadygrid.pictures.gantt_chart import chart
from steadygrid.pictures.gantt_rows import bar_rows, lane_rows, table
from steadygrid.pictures.picture import MOST_BARS, Picture, Wanted
from steadygrid.pictures.thinning import Thinned, thin
from steadygrid.report.bars import cut_bars
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.lanes import (
    Lane,
    Lanes,
    lanes_of,
)
from steadygrid.report.quantities import amount, exact_text, percent, small_percent
from steadygrid.report.report import Report

USUAL_LANES = 60
"""Lanes that are shown where it is not said which: the busiest."""
MOST_UNFOLDED = 24
"""Lanes that are drawn one by one, even where several do the same."""


class Window(NamedTuple):
    """What is shown of a schedule, in time units."""

    begin: Fraction
    end: Fraction

    @property
    def length(self) -> Fraction:
        """From its begin to its end."""
        return self.end - self.begin


class Shown(NamedTuple):
    """Lanes of a window with their bars, ready to be drawn.

    Attributes
    ----------
    busy
        Exact busy time of each fold within the window.
    left_out
        Lanes that are not shown, since others are busier.
    """

    window: Window
    folds: tuple[Fold, ...]
    busy: tuple[Fraction, ...]
    thinned: Thinned
    left_out: int


def applies_to(report: Report) -> bool:
    """Tell whether there is a schedule, of any form, that takes time."""
    if report.timeline is not None:
        return report.timeline.makespan > 0
    return report.found is not None


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw a schedule of any form.

    One period of the steady state, or a schedule that runs once as a whole, or some data sets of one
    that repeats row by row.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    UnfitPicture
        If the window or the lanes that are wanted do not exist.
    """
    lanes = gathered(report, wanted)
    window = window_of(lanes, wanted)
    drawn = _shown(lanes, window, wanted)
    title, subtitle = titles_of(report, lanes, window)
    rows = lane_rows(report, drawn.folds, drawn.busy, window.length, wanted.width)
    bars = bar_rows(report, lanes, window, drawn.folds, drawn.thinned.bars, wanted.theme)
    spec, datasets = chart(report, lanes, window, rows, bars, wanted, title, subtitle)
    # A zoom asks again for a part of it, exactly.
    spec = {**spec, "usermeta": {"window": [str(window.begin), str(window.end)]}}
    return Picture(
        "gantt",
        title,
        _description(report, lanes, drawn, wanted),
        spec,
        datasets,
        table(drawn.folds, drawn.thinned.bars),
        sum(map(len, datasets.values())),
    )


def gathered(report: Report, wanted: Wanted) -> Lanes:
    """Give the lanes of a schedule, as far as a window needs them.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        It names the window.

    Raises
    ------
    UnfitPicture
        If the window is empty.
    """
    if wanted.begin is not None and wanted.end is not None and wanted.begin >= wanted.end:
        detail = f"the window ends at {shown(str(wanted.end))}, before or where it begins"
        raise UnfitPicture(faults=[Fault(("end",), "empty_window", detail)])
    lanes = lanes_of(report, wanted.begin, wanted.end)
    if lanes is None:
        detail = "there is nothing to draw in this window"
        raise UnfitPicture(faults=[Fault(("end",), "empty_window", detail)])
    return lanes


def window_of(lanes: Lanes, wanted: Wanted) -> Window:
    """Keep a window to what is known of the schedule.

    Parameters
    ----------
    lanes
        All lanes of the schedule, and the time that they show.
    wanted
        It names the window.

    Raises
    ------
    UnfitPicture
        If nothing of the schedule lies in it.
    """
    begin = lanes.begin if wanted.begin is None else max(wanted.begin, lanes.begin)
    end = lanes.end if wanted.end is None else min(wanted.end, lanes.end)
    if begin >= end:
        known = f"from {exact_text(lanes.begin, UNICODE)} to {exact_text(lanes.end, UNICODE)}"
        detail = f"nothing of the schedule lies in this window: the schedule goes {known}"
        place = "begin" if wanted.begin is not None and wanted.begin >= lanes.end else "end"
        raise UnfitPicture(faults=[Fault((place,), "empty_window", detail)])
    return Window(begin, end)


def _shown(lanes: Lanes, window: Window, wanted: Wanted) -> Shown:
    """Choose lanes, fold them, and thin their bars."""
    asked = lanes.lanes if not wanted.lanes else _find_lanes(lanes, wanted.lanes)
    folds = fold(asked) if len(asked) > MOST_UNFOLDED else [Fold((one,), one.bars) for one in asked]
    bars = [cut_bars(one.bars, *window) for one in folds]
    busy = [sum((bar.busy for bar in one), Fraction(0)) for one in bars]
    chosen = range(len(folds))
    if len(folds) > USUAL_LANES and not wanted.lanes:
        kept = sorted(sorted(chosen, key=lambda i: -busy[i])[:USUAL_LANES])
    else:
        kept = list(chosen)
    left_out = len(asked) - sum(len(folds[i].lanes) for i in kept)
    return Shown(
        window,
        tuple(folds[i] for i in kept),
        tuple(busy[i] for i in kept),
        thin([bars[i] for i in kept], *window, wanted.cells, MOST_BARS),
        left_out,
    )


def _find_lanes(lanes: Lanes, names: Sequence[str]) -> list[Lane]:
    """Find the lanes that are asked for, by the name of a resource, or of its owner for all of his."""
    if len(names) > MOST_LANES_ASKED:
        detail = f"{len(names):,} lanes are asked for, and {MOST_LANES_ASKED} can be drawn: ask for fewer"
        raise UnfitPicture(faults=[Fault(("lanes",), "too_many_lanes", detail)])
    by_name: dict[str, list[Lane]] = {}
    for lane in lanes.lanes:
        for name in (lane.resource, *lane.owners):
            by_name.setdefault(name, []).append(lane)
    known = Known(by_name)
    faults = [
        Fault(
            ("lanes", i),
            "unknown_lane",
            f"this schedule has no lane {shown(name)}{known.hint(name)}",
        )
        for i, name in enumerate(names)
        if name not in by_name
    ]
    if faults:
        raise UnfitPicture(faults=faults)
    wanted = {id(lane) for name in names for lane in by_name[name]}
    return [lane for lane in lanes.lanes if id(lane) in wanted]


def titles_of(report: Report, lanes: Lanes, window: Window) -> tuple[str, str]:
    """Say in a few words which time is shown: a title, and what stands below it.

    Parameters
    ----------
    report
        The answer, and what was asked.
    lanes
        All lanes of the schedule, and the time that they show.
    window
        What of it is shown.
    """
    length = report.duration(window.length, UNICODE)
    begin = report.duration(window.begin, UNICODE)
    if report.timetable is not None:
        each = report.timetable.period / report.timetable.instances_per_period
        number = window.length / each
        counted = amount(int(number), report.noun, UNICODE)
        title = f"{counted} in {length}" if number.denominator == 1 else f"A window of {length}"
        return title, f"from {begin} on"
    whole = window == (lanes.begin, lanes.end)
    if report.schedule is None:
        title = f"From 0 to {length}" if whole else f"A window of {length}, from {begin} on"
        return title, "the whole schedule" if whole else "of a schedule that runs once"
    title = f"One period: {length}" if whole else f"A window of {length}, from {begin} on"
    done = amount(report.schedule.instances_per_period, report.noun, UNICODE)
    subtitle = f"{done} in each period"
    if report.schedule.loss:
        name = "optimum" if report.is_best else "rates"
        subtitle += f", {small_percent(report.schedule.loss)} less than the {name}"
    return title, f"{subtitle}; shares, not times" if lanes.shares else subtitle


def _description(report: Report, lanes: Lanes, drawn: Shown, wanted: Wanted) -> str:
    """Say in words what is shown, and what is not."""
    parts = [_subject(report, lanes, drawn.window)]
    number = sum(len(one.lanes) for one in drawn.folds)
    if drawn.folds:
        share = percent(max(drawn.busy) / drawn.window.length)
        said = f"{amount(number, 'lane', UNICODE)}; the busiest is busy for {share} of the time"
        if number > len(drawn.folds):
            said += f"; those that do the same are drawn as one, in {len(drawn.folds)} rows"
        parts.append(said)
    if drawn.left_out:
        parts.append(f"{amount(drawn.left_out, 'less busy lane', UNICODE)} not shown")
    if lanes.shares and any(one.lanes[0].port == "link" for one in drawn.folds):
        parts.append(
            "Rates are constant: bars of links are shares of their capacity, not times at which"
            " something is sent"
        )
    if lanes.unplaced:
        moved = amount(lanes.unplaced, "transfer", UNICODE)
        parts.append(f"{moved} not shown, since there is no platform that says over which links")
    joined = sum(bar.pieces for bars in drawn.thinned.bars for bar in bars if bar.pieces > 1)
    if joined:
        blocks = sum(bar.pieces > 1 for bars in drawn.thinned.bars for bar in bars)
        parts.append(
            f"{joined:,} short pieces are drawn as {amount(blocks, 'block', UNICODE)}, the paler the"
            " more idle time there is between them"
        )
    if drawn.thinned.cells < wanted.cells:
        parts.append(
            f"Pieces shorter than 1/{max(int(drawn.thinned.cells), 1):,} of the window are joined,"
            f" since no more than {MOST_BARS:,} bars are drawn: a shorter window shows more"
        )
    if not lanes.complete:
        parts.append("The window ends where it has too many pieces; ask for a later one")
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def _subject(report: Report, lanes: Lanes, window: Window) -> str:
    length, begin = (report.duration(t, UNICODE) for t in (window.length, window.begin))
    part = "" if window == (lanes.begin, lanes.end) else f"{length} from {begin} on, of "
    if report.timetable is not None:
        whole = report.duration(report.timetable.period, UNICODE)
        number = amount(report.timetable.instances_per_period, report.noun, UNICODE)
        return f"{length} of a schedule that does {number} every {whole}, from {begin} on after the start"
    if report.schedule is None:
        return f"{part}a schedule that runs once, for {report.duration(lanes.end, UNICODE)}"
    schedule = report.schedule
    done = amount(schedule.instances_per_period, report.noun, UNICODE)
    period = report.duration(schedule.period, UNICODE)
    before = amount(schedule.prologue_periods, "period", UNICODE)
    first = f"it repeats for ever after a prologue of {before}"
    if not schedule.prologue_periods:
        first = "it repeats for ever from the start"
    return f"{part}one period of {period}, {done}; {first}"
