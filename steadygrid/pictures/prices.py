"""What limits the throughput: the prices of resources, as shares of the bound that they add up to.

Resources that exchange their parts when interchangeable processors change places, and have the same
price, are one bar. Where more bars than `MOST_BARS` are left, so are all of one sort and one price.
Nothing is rounded away: what is not drawn by itself is one bar more.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.pictures.alike import Alike
from steadygrid.pictures.assembling import specification, subtitle_lines
from steadygrid.pictures.house_style import FAINT, RESOURCE_WORDS, resource_colours
from steadygrid.pictures.numbers import exact, printed
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Wanted
from steadygrid.pictures.ranking import Part, Row, drawn, label_cells
from steadygrid.report.folding import named
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.quantities import counted, exact_text, percent
from steadygrid.report.report import Report

NAME = "prices"
MOST_BARS = 20
"""Bars. All else is one bar more."""
_NARROW = 420
_HEADINGS = ("resource", "price each", "together", "share")


class Group(NamedTuple):
    """Resources that are one bar, each of the same price."""

    members: tuple[str, ...]
    price: Fraction

    @property
    def total(self) -> Fraction:
        """What all are worth."""
        return self.price * len(self.members)


def applies_to(report: Report) -> bool:
    """Whether an answer has prices that add up to the bound of its throughput."""
    result = report.result
    proof, bound, objective = result.certificate, result.bound, result.objective
    return (
        proof.type == "lp_duality"
        and bound is not None
        and bound.exact
        and bound.value > 0
        and (objective is None or not objective.minimised)
        and sum(proof.prices.values(), Fraction(0)) == bound.value
    )


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the prices, the greatest first.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.

    Raises
    ------
    ValueError
        If they do not add up to the bound: `applies_to` says so beforehand.
    """
    if not applies_to(report):
        raise ValueError("the prices of this answer do not add up to the bound of a throughput")
    groups = grouped_prices(report)
    total = sum((group.total for group in groups), Fraction(0))
    rows = rows_of(report, wanted)
    colours = resource_colours(wanted.theme)
    sorts = {_sort(resource) for group in groups for resource in group.members}
    keys = [(word, colours[sort]) for sort, word in RESOURCE_WORDS.items() if sort in sorts]
    chart, data, marks = drawn(
        rows, _HEADINGS, wanted.theme, wanted.width, keys if len(keys) > 1 else ()
    )
    what = "optimum" if report.proved else "bound"
    title = f"What limits the throughput: shares of the {what}"
    if wanted.width < _NARROW:
        title = f"What limits: shares of the {what}"
    worth = f"{exact_text(total, UNICODE)} {counted(report.noun, total)} {report.per_time}"
    subtitle = f"The prices add up exactly to the {what}, {worth}"
    return Picture(
        NAME,
        title,
        _description(groups, total, f"the {what}, {worth}"),
        specification(chart, wanted.theme, title, subtitle_lines(subtitle, wanted.width)),
        data,
        _table(groups, total),
        marks,
    )


def grouped_prices(report: Report) -> list[Group]:
    """Put together what is one bar, the greatest sum first."""
    prices = {resource: price for resource, price in report.prices.items() if price}
    classes = Alike(report)
    groups = _grouped(prices, classes.of_resource)
    if len(groups) > MOST_BARS:
        groups = _grouped(prices, _sort)
    return sorted(groups, key=lambda group: (-group.total, group.members[0]))


def _grouped(prices: Mapping[str, Fraction], place: Callable[[str], Hashable]) -> list[Group]:
    found: dict[Hashable, list[str]] = {}
    for resource, price in prices.items():
        found.setdefault((place(resource), price), []).append(resource)
    return [Group(tuple(members), prices[members[0]]) for members in found.values()]


def _sort(resource: str) -> str:
    return resource.rpartition(".")[2]


def rows_of(report: Report, wanted: Wanted) -> list[Row]:
    """Give the bars, whose lengths are shares of the bound and add up to 1.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.
    """
    groups = grouped_prices(report)
    total = sum((group.total for group in groups), Fraction(0))
    colours, grey = resource_colours(wanted.theme), FAINT[wanted.theme]
    cells = label_cells(wanted.width)
    rows: list[Row] = []
    for group in groups[:MOST_BARS]:
        first, number = group.members[0], len(group.members)
        times = f" ×{number:,}" if number > 1 else ""
        label = report.names.of_resource(first, cells - len(times), UNICODE) + times
        told = (
            named([printable(member) for member in group.members]),
            exact(group.price),
            exact(group.total),
            percent(group.total / total),
        )
        rows.append(_row(label, group.total / total, colours.get(_sort(first), grey), told))
    rest = groups[MOST_BARS:]
    if rest:
        worth = sum((group.total for group in rest), Fraction(0))
        label = f"{sum(len(group.members) for group in rest):,} more"
        told = label, "", exact(worth), percent(worth / total)
        rows.append(_row(label, worth / total, grey, told))
    return rows


def _row(label: str, share: Fraction, colour: str, told: tuple[str, ...]) -> Row:
    part = Part(share, colour, dict(zip(_HEADINGS, told, strict=True)))
    return Row(label, percent(share), (part,))


def _description(groups: Sequence[Group], total: Fraction, whole: str) -> str:
    number = sum(len(group.members) for group in groups)
    first = groups[0]
    great = percent(first.total / total)
    if number == 1:
        return f"One resource limits the throughput: its price is exactly {whole}."
    alike = f"{len(first.members):,} of one price" if len(first.members) > 1 else "one resource"
    return (
        f"The prices of {number:,} resources add up exactly to {whole}."
        f" The greatest share, {great}, is that of {alike}."
    )


def _table(groups: Sequence[Group], total: Fraction) -> PictureTable:
    rows: list[tuple[Cell, ...]] = []
    for number, group in enumerate(groups):
        bar = min(number, MOST_BARS) + 1
        share = printed(group.price / total)
        rows += [(member, group.price, share, bar) for member in group.members]
    return PictureTable(("resource", "price", "share", "bar"), tuple(rows))
