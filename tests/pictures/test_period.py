"""A schedule by time as pages show it: lanes of the rows of resources, and bars that fit."""

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from steadygrid.kinds import PROBLEMS
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.gantt import applies_to
from steadygrid.pictures.period import MOST_LANES, MOST_PAGE_BARS, Period, period_of
from steadygrid.pictures.period_svg import period_svg
from steadygrid.pictures.svg import PageBrush
from steadygrid.report.report import Report
from steadygrid.report.resources import resource_list
from tests.pictures.reports import reported
from tests.report.answers import figure_3, shared_link, star

F = Fraction


def period(report: Report, begin: Fraction | None = None, end: Fraction | None = None) -> Period:
    return period_of(report, resource_list(report), begin, end)


def lanes(found: Period) -> list[tuple[str, str, str]]:
    return [(lane.name, lane.word, lane.share) for lane in found.lanes]


def test_the_master_comes_first_and_lanes_say_what_they_do() -> None:
    found = period(figure_3())
    assert lanes(found)[:2] == [("P1", "computes", "100 %"), ("", "sends", "100 %")]
    assert [lane.word for lane in found.lanes if lane.key == "processor:P3"] == [
        "receives", "computes", "sends",
    ]  # fmt: skip
    assert {lane.key for lane in found.lanes} == {f"processor:P{i}" for i in range(1, 5)}
    sends = next(lane for lane in found.lanes if lane.word == "sends")
    assert [bar.long for bar in sends.bars] == ["→P2 ×5", "→P3 ×15"]
    assert sum(bar.width for bar in sends.bars) == pytest.approx(1)
    assert {bar.height for lane in found.lanes for bar in lane.bars} == {1.0}, "width is time"
    assert found.ticks[0].startswith("0")


def test_what_limits_is_the_port_and_not_the_resource() -> None:
    limits = {lane.key: lane.limit for lane in period(figure_3()).lanes if lane.word == "computes"}
    assert limits["processor:P4"] == "most"
    assert limits["processor:P2"] == "limits"
    assert not any(lane.limit for lane in period(figure_3()).lanes if lane.word == "receives")


def test_twins_have_the_lanes_of_the_first_under_the_name_of_their_row() -> None:
    report = star([(2, 8), (2, 8), (2, 8), (1, 9)])
    names = {lane.name for lane in period(report).lanes if lane.name}
    assert names == {"M", "W0 … ×3", "W3"}


def test_side_by_side_heights_are_shares_and_busy_links_have_lanes() -> None:
    found = period(shared_link())
    assert found.side_by_side
    links = [lane for lane in found.lanes if lane.word == "carries"]
    assert links
    assert all(0 < bar.height <= 1 for lane in links for bar in lane.bars)
    assert any(bar.height < 1 for lane in links for bar in lane.bars)
    shares = [float(lane.share.strip("<> %")) for lane in links]
    assert min(shares) >= 5


def test_a_window_shows_its_part_and_one_elsewhere_is_refused() -> None:
    found = period(figure_3(), F(10), F(20))
    assert (found.begin, found.end, found.asked) == (10, 20, True)
    assert (found.first, found.last) == (0, period(figure_3()).end)
    bars = [bar for lane in found.lanes for bar in lane.bars]
    assert all(bar.left >= -1e-9 and bar.left + bar.width <= 1 + 1e-9 for bar in bars)
    with pytest.raises(UnfitPicture, match="nothing of the schedule lies in this window"):
        period(figure_3(), F(10**6), F(10**6 + 1))


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_schedule_is_drawn_small_and_without_a_style(kind: str) -> None:
    report = reported(PROBLEMS[kind].example["problem"])
    if not applies_to(report):
        assert report.found is None
        return
    listed = resource_list(report)
    keys = [row.key for row in listed.rows]
    found = period(report)
    assert 0 < len(found.lanes) <= MOST_LANES
    assert sum(len(lane.bars) for lane in found.lanes) <= MOST_PAGE_BARS
    brush = PageBrush(lambda key: keys.index(key), lambda key: f"?{key}")
    written = period_svg(found, brush, 1_160)
    root = ET.fromstring(written)
    assert {one.tag for one in root.iter()} <= {"svg", "g", "a", "rect", "path", "text", "title"}
    assert not any("style" in one.attrib or "fill" in one.attrib for one in root.iter())
    for one in root.iter("rect"):
        assert float(one.get("x", "-1")) >= 0
        assert float(one.get("x", "-1")) + float(one.get("width", "0")) <= 1_160
    # Lanes with one name stand together, and no other has it.
    names = [lane.name for lane in found.lanes if lane.name]
    assert len(names) == len(set(names))
    assert len(written) < 60_000


def test_on_a_small_screen_names_have_lines_of_their_own() -> None:
    found, brush = period(figure_3()), PageBrush(lambda _key: None)
    narrow = ET.fromstring(period_svg(found, brush, 324, narrow=True))
    wide = ET.fromstring(period_svg(found, brush, 1_120))
    heights = [float(svg.get("height", "0")) for svg in (narrow, wide)]
    assert heights[0] - heights[1] == 22 * sum(bool(lane.name) for lane in found.lanes) == 22 * 4
    groups = [one for one in narrow.iter("g") if str(one.get("class")).startswith("lane")]
    for lane, group in zip(found.lanes, groups, strict=True):
        places = {one.text: one.get("y") for one in group.iter("text")}
        assert not lane.name or places[lane.name] != places[lane.word]
    for one in narrow.iter("rect"):
        assert float(one.get("x", "-1")) + float(one.get("width", "0")) <= 324
    assert narrow.get("class") == "period narrow"
