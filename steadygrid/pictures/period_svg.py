"""SVG of a schedule by time, as it stands in a page: lanes, bars, and no script."""

from collections.abc import Iterator
from fractions import Fraction

from rich.cells import cell_len

from steadygrid.pictures.gantt_rows import pixels
from steadygrid.pictures.period import Period, PeriodBar, PeriodLane
from steadygrid.pictures.svg import PageBrush
from steadygrid.pictures.svg_elements import escaped, length_text, text_element

_ROW, _TOP, _RIGHT = 22.0, 24.0, 58.0
_CELL = 7.4
_WORD_CELL = 6.8
_PAD = 8.0


def period_svg(
    period: Period,
    brush: PageBrush,
    width: int,
    now: Fraction | None = None,
    *,
    narrow: bool = False,
) -> str:
    """Write what a page shows of a schedule.

    Parameters
    ----------
    period
        Lanes with their bars.
    brush
        Names the resources of lanes, and what of them can be opened.
    width
        Of the whole drawing, in pixels.
    now
        The part of the window that is over, where a line shows that. None: no line.
    narrow
        Whether names stand on lines of their own, for small screens. It has the class ``narrow``.
    """
    return _Writer(period, brush, width, narrow=narrow).written(now)


class _Writer:
    def __init__(self, period: Period, brush: PageBrush, width: int, *, narrow: bool) -> None:
        self._period, self._brush, self._width = period, brush, width
        self._narrow = narrow
        names = max((cell_len(lane.name) for lane in period.lanes), default=0) * _CELL
        words = max((cell_len(lane.word) for lane in period.lanes), default=0) * _WORD_CELL
        self._left = words + 2 * _PAD if narrow else names + words + 3 * _PAD
        self._inner = width - self._left - _RIGHT

    def written(self, now: Fraction | None) -> str:
        lines = len(self._period.lanes)
        if self._narrow:
            lines += sum(bool(lane.name) for lane in self._period.lanes)
        height = _TOP + _ROW * lines + 6
        chosen = "" if self._brush.chosen is None else ' data-choosing=""'
        lanes: list[str] = []
        y = _TOP
        for lane in self._period.lanes:
            lanes.append(self._lane(y, lane))
            y += _ROW * (2 if self._narrow and lane.name else 1)
        look = "period narrow" if self._narrow else "period"
        return (
            f'<svg class="{look}" viewBox="0 0 {self._width} {length_text(height)}"'
            f' width="{self._width}" height="{length_text(height)}" role="group"'
            f' aria-label="{escaped(self._period.title)}"{chosen}>'
            f"{self._grid(height)}{''.join(lanes)}{self._present_line(now, height)}</svg>"
        )

    def _present_line(self, now: Fraction | None, height: float) -> str:
        """Draw a line at the present, which a script can move."""
        if now is None:
            return ""
        begin, end = float(self._period.begin), float(self._period.end)
        x = self._left + self._inner * float(now)
        return (
            f'<path d="M0 {_TOP - 4:.0f}V{length_text(height)}" class="now keep"'
            f' transform="translate({length_text(x)} 0)" data-left="{length_text(self._left)}"'
            f' data-wide="{length_text(self._inner)}" data-begin="{begin!r}" data-end="{end!r}">'
            "<title>now</title></path>"
        )

    def _grid(self, height: float) -> str:
        parts = ['<g class="keep">']
        ticks = self._period.ticks
        for k, text in enumerate(ticks):
            said = "" if self._narrow and 0 < k < len(ticks) - 1 else text
            x = self._left + self._inner * k / (len(ticks) - 1)
            at = length_text(x)
            parts.append(
                f'<path d="M{at} {_TOP - 4:.0f}V{length_text(height)}" class="grid-line"/>'
            )
            anchor = "end" if k == len(ticks) - 1 else "middle" if k else "start"
            if said:
                parts.append(text_element(x, 14, said, ' class="small"', anchor))
        return "".join([*parts, "</g>"])

    def _lane(self, y: float, lane: PeriodLane) -> str:
        keys = () if lane.key is None else (lane.key,)
        look = " ".join(filter(None, ("lane", lane.limit)))
        parts = [f'<g class="{look}"{self._brush.marks(keys, ())}>']
        if lane.name:
            begin, end = self._brush.link(keys)
            parts.append(f'<path d="M0 {length_text(y)}H{self._width}" class="grid-line"/>')
            name = text_element(_PAD, y + 15, lane.name, ' class="name"')
            parts.append(f"{begin}{name}{end}")
            y += _ROW if self._narrow else 0
        parts.append(text_element(self._left - _PAD, y + 15, lane.word, ' class="small"', "end"))
        parts += [part for bar in lane.bars for part in self._bar(y, bar)]
        share = ' class="share"'
        parts.append(text_element(self._width - _RIGHT + _PAD, y + 15, lane.share, share))
        return "".join([*parts, "</g>"])

    def _bar(self, y: float, bar: PeriodBar) -> Iterator[str]:
        x, wide = self._left + self._inner * bar.left, max(1.0, self._inner * bar.width - 1)
        full = _ROW - 4
        tall = max(2.0, full * bar.height)
        yield (
            f'<rect x="{length_text(x)}" y="{length_text(y + 2 + full - tall)}"'
            f' width="{length_text(wide)}" height="{length_text(tall)}" class="{bar.doing}">'
            f"<title>{escaped(bar.said)}</title></rect>"
        )
        said = next((text for text in (bar.long, bar.short) if text and pixels(text) < wide), "")
        if said:
            low = " low" if bar.height < 0.8 else ""
            yield text_element(x + 4, y + 15, said, f' class="on {bar.doing}{low}"')
