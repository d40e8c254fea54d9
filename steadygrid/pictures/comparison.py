"""Methods side by side: what each of them reached, over the bound.

Of a method with several runs the bar is as long as the least of them, and each run is a line across
it.
"""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.view import Method
from steadygrid.pictures.assembling import specification, subtitle_lines
from steadygrid.pictures.house_style import FAINT, SERIES
from steadygrid.pictures.numbers import exact
from steadygrid.pictures.picture import Cell, Picture, PictureTable, Theme, Wanted
from steadygrid.pictures.ranking import Mark, Part, Row, drawn, label_cells
from steadygrid.report.glyphs import UNICODE, shorten
from steadygrid.report.quantities import percent
from steadygrid.report.report import Report

NAME = "comparison"
TITLE = "Methods beside the bound"
_ANSWER, _METHOD, _BOUND = "the answer", "another method", "a bound, and no schedule"
_MIXES = "mixes placements"
"""What the bound does not hold for, and so may pass it."""
_AS_GOOD = "as good as the answer"
"""Several methods are, and the answer does not say which of them it is from."""
_NOTHING = "no answer"


def applies_to(report: Report) -> bool:
    """Whether methods were compared, and something is known of one of them."""
    return any(method.ratios for method in report.view.methods)


def picture(report: Report, wanted: Wanted) -> Picture:
    """Draw the methods, the best first.

    Parameters
    ----------
    report
        The answer, and what was asked.
    wanted
        Theme, size, and what is to be shown.
    """
    methods = report.view.methods
    colours = _colours(wanted.theme)
    sorts = _sorts(methods)
    keys = [(word, colour) for word, colour in colours.items() if word in sorts]
    headings = _headings(report)
    cells = label_cells(wanted.width)
    rows = [
        _row(method, headings, colours[sort], cells)
        for method, sort in zip(methods, sorts, strict=True)
    ]
    chart, data, marks = drawn(
        rows, headings, wanted.theme, wanted.width, keys, Mark(Fraction(1), "bound")
    )
    subtitle = "As parts of the bound"
    objective = report.result.objective
    if objective is not None and objective.minimised:
        subtitle = f"The {headings[1]} as part of the bound: less is better"
    if any(len(method.ratios) > 1 for method in methods):
        subtitle += "; bars end at the least of all runs, and each run is a line"
    return Picture(
        NAME,
        TITLE,
        _description(methods),
        specification(chart, wanted.theme, TITLE, subtitle_lines(subtitle, wanted.width)),
        data,
        _table(methods, headings[1]),
        marks,
    )


def _headings(report: Report) -> tuple[str, ...]:
    objective = report.result.objective
    name = "value" if objective is None else objective.name.replace("_", " ")
    return "method", name, "over the bound", "run", "note"


def _sorts(methods: Sequence[Method]) -> list[str]:
    """Say what each of the methods is."""
    best = _ANSWER if sum(method.answers for method in methods) == 1 else _AS_GOOD
    return [_sort(method, best) for method in methods]


def _sort(method: Method, best: str) -> str:
    if method.mixes:
        return _MIXES
    return _BOUND if method.bounds else best if method.answers else _METHOD


def _colours(theme: Theme) -> dict[str, str]:
    blue, _, green, purple, *_ = SERIES[theme]
    return {
        _ANSWER: green,
        _AS_GOOD: green,
        _METHOD: blue,
        _MIXES: purple,
        _BOUND: FAINT[theme],
    }


def _row(method: Method, headings: Sequence[str], colour: str, cells: int) -> Row:
    value = _NOTHING if method.value is None else exact(method.value)

    def told(ratio: Fraction, run: str) -> dict[str, str]:
        said = (method.name, value, exact(ratio), run, method.note)
        return dict(zip(headings, said, strict=True))

    label = shorten(method.name, cells, UNICODE)
    if not method.ratios:
        return Row(label, _NOTHING, ())
    least, greatest = min(method.ratios), max(method.ratios)
    said = percent(least)
    if greatest != least:
        said = f"{percent(least).removesuffix(' %')} to {percent(greatest)}"
    several = len(method.ratios) > 1
    bar = Part(least, colour, told(least, "the least" if several else ""))
    dots = [
        Part(ratio, colour, told(ratio, f"{number} of {len(method.ratios)}"))
        for number, ratio in enumerate(method.ratios, 1)
    ]
    return Row(label, said, (bar,), method.answers, tuple(dots) if several else ())


def _description(methods: Sequence[Method]) -> str:
    known = [method for method in methods if method.ratios and not method.bounds]
    count = f"{len(methods):,} methods were compared" if len(methods) > 1 else "One method ran"
    if not known:
        return f"{count}, and none of them has an answer."
    best = next((method for method in known if method.answers), known[0])
    reached = percent(min(best.ratios))
    at = "at least " if len(best.ratios) > 1 else ""
    told = f"{count}; {best.name} reached {at}{reached} of the bound."
    if any(method.mixes for method in known):
        told += " It is a bound of one allocation: what mixes placements may pass it."
    return told


def _table(methods: Sequence[Method], value: str) -> PictureTable:
    rows: list[tuple[Cell, ...]] = []
    for method, sort in zip(methods, _sorts(methods), strict=True):
        runs: list[tuple[int | None, Fraction | None]] = list(enumerate(method.ratios, 1))
        rows += [
            (method.name, run, method.value, ratio, sort, method.note or None)
            for run, ratio in runs or [(None, None)]
        ]
    return PictureTable(("method", "run", value, "over the bound", "is", "note"), tuple(rows))
