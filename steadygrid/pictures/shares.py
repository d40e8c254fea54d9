"""Who does how much of what several share: loads, bags of tasks, tasks of one sort.

Interchangeable processors that do the same are one bar, as long as all of them do together. Where
more bars than `MOST_BARS` are left, so are all that do the same.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.view import Measure
from steadygrid.pictures.alike import Alike
from steadygrid.pictures.assembling import specification, subtitle_lines
from steadygrid.pictures.house_style import SERIES
from steadygrid.pictures.numbers import exact, printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Wanted
from steadygrid.pictures.ranking import Part, Row, drawn, label_cells
from steadygrid.report.folding import named
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.quantities import counted, exact_text, percent
from steadygrid.report.report import Report

NAME = "shares"
TITLE = "Who does how much"
_HEADINGS = ("processor", "of", "amount", "each", "share")
MOST_BARS = 40
"""Bars. All else is one bar more."""


class Group(NamedTuple):
    """Processors that are one bar, each of which does the same."""

    members: tuple[str, ...]
    amounts: Mapping[str, Fraction]
    """By part: what each of them does."""

    @property
    def total(self) -> Fraction:
        """What all of them do."""
        return len(self.members) * sum(self.amounts.values(), Fraction(0))


def applies_to(report: Report) -> bool:
    """Whether an answer says who does how much."""
    return any(share.amount for share in report.view.shares)


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the shares, the greatest first.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.
    """
    groups = grouped_shares(report)
    total = sum((group.total for group in groups), Fraction(0))
    colours = colours_of(report, wanted)
    keys = [(printable(part), colour) for part, colour in colours.items()]
    more = len(parts_of(report)) - len(colours)
    if more:
        keys.append((f"{more:,} more", SERIES[wanted.theme][-1]))
    chart, data, marks = drawn(
        rows_of(report, wanted),
        _HEADINGS,
        wanted.theme,
        wanted.width,
        keys if len(keys) > 1 else (),
    )
    whole = _whole(report, total)
    subtitle = f"Shares of {whole}"
    return Picture(
        NAME,
        TITLE,
        _description(groups, total, whole),
        specification(chart, wanted.theme, TITLE, subtitle_lines(subtitle, wanted.width)),
        data,
        _table(groups, total),
        marks,
    )


def _whole(report: Report, total: Fraction) -> str:
    """Say what is shared out in all."""
    if report.view.shared is Measure.SHARE:
        return "the load"
    amount = exact_text(total, UNICODE)
    if report.view.shared is Measure.RATE:
        return f"{amount} {counted(report.noun, total)} {report.per_time}"
    units = None if report.platform is None else report.platform.units
    if units is None or not units.work:
        return f"{amount} {'unit' if total == 1 else 'units'} of work"
    return f"{amount} {printable(units.work)} of work"


def parts_of(report: Report) -> list[str]:
    """List what is shared out, in its order."""
    return list(dict.fromkeys(share.part for share in report.view.shares))


def colours_of(report: Report, wanted: Wanted) -> dict[str, str]:
    """Give colours to the parts. The greatest ones, where there are more parts than colours.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.
    """
    palette, parts = SERIES[wanted.theme], parts_of(report)
    if len(parts) > len(palette):
        sizes: Amounts[str] = Amounts()
        for share in report.view.shares:
            sizes[share.part] += share.amount
        greatest = sorted(parts, key=lambda part: -sizes[part])[: len(palette) - 1]
        parts = [part for part in parts if part in greatest]
    return dict(zip(parts, palette, strict=False))


def grouped_shares(report: Report) -> list[Group]:
    """Put together who is one bar, the greatest sum first."""
    done: dict[str, Amounts[str]] = {}
    for share in report.view.shares:
        if share.amount:
            done.setdefault(share.processor, Amounts())[share.part] += share.amount
    groups = _grouped(done, Alike(report).of_processor)
    if len(groups) > MOST_BARS:
        groups = _grouped(done, lambda _: None)
    place = {} if report.platform is None else report.platform.index_by_id
    return sorted(groups, key=lambda group: (-group.total, place.get(group.members[0], 0)))


def _grouped(
    done: Mapping[str, Mapping[str, Fraction]], place: Callable[[str], Hashable]
) -> list[Group]:
    found: dict[Hashable, list[str]] = {}
    for name, amounts in done.items():
        found.setdefault((place(name), frozenset(amounts.items())), []).append(name)
    return [Group(tuple(members), done[members[0]]) for members in found.values()]


def rows_of(report: Report, wanted: Wanted) -> list[Row]:
    """Give the bars, whose lengths are shares of everything and add up to 1.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.
    """
    groups = grouped_shares(report)
    total = sum((group.total for group in groups), Fraction(0))
    bars = _Bars(report, total, wanted)
    rows: list[Row] = []
    for group in groups[:MOST_BARS]:
        number = len(group.members)
        times = f" ×{number:,}" if number > 1 else ""
        room = label_cells(wanted.width) - len(times)
        label = report.names.short_name(group.members[0], room, UNICODE) + times
        who = named([printable(member) for member in group.members])
        rows.append(bars.row(label, who, group.amounts, number))
    rest = groups[MOST_BARS:]
    if rest:
        amounts: Amounts[str] = Amounts()
        for group in rest:
            for part, amount in group.amounts.items():
                amounts[part] += amount * len(group.members)
        label = f"{sum(len(group.members) for group in rest):,} more"
        rows.append(bars.row(label, label, amounts, 1))
    return rows


class _Bars:
    """Bars of several colours."""

    def __init__(self, report: Report, total: Fraction, wanted: Wanted) -> None:
        self._total, self._colours = total, colours_of(report, wanted)
        self._others = f"{len(parts_of(report)) - len(self._colours):,} more"
        self._grey = SERIES[wanted.theme][-1]

    def row(self, label: str, who: str, amounts: Mapping[str, Fraction], number: int) -> Row:
        """Make a row of `number` processors that do these amounts each."""
        coloured = [
            (part, colour, amounts[part])
            for part, colour in self._colours.items()
            if part in amounts
        ]
        others = [amount for part, amount in amounts.items() if part not in self._colours]
        if others:
            coloured.append((self._others, self._grey, sum(others, Fraction(0))))
        bar: list[Part] = []
        for part, colour, amount in coloured:
            each = exact(amount) if number > 1 else ""
            share = amount * number / self._total
            told = _tooltip(who, printable(part), exact(amount * number), each, percent(share))
            bar.append(Part(share, colour, told))
        return Row(label, percent(sum((part.length for part in bar), Fraction(0))), tuple(bar))


def _tooltip(*said: str) -> dict[str, str]:
    return dict(zip(_HEADINGS, said, strict=True))


def _description(groups: Sequence[Group], total: Fraction, whole: str) -> str:
    number = sum(len(group.members) for group in groups)
    if number == 1:
        return f"One processor does all of {whole}."
    most = max(sum(group.amounts.values(), Fraction(0)) for group in groups)
    great = percent(most / total)
    return f"{number:,} processors share {whole}; the greatest share of one is {great}."


def _table(groups: Sequence[Group], total: Fraction) -> PictureTable:
    rows: list[tuple[Cell, ...]] = []
    for number, group in enumerate(groups):
        bar = min(number, MOST_BARS) + 1
        for member in group.members:
            for part, amount in group.amounts.items():
                share = printed(amount / total)
                rows.append((member, part or None, amount, share, bar))
    return PictureTable(("processor", "of", "amount", "share", "bar"), tuple(rows))
