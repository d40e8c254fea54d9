"""The Gantt chart on a job's page is moved and read with buttons, and with a mouse."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from steadygrid.kinds import PROBLEMS
from tests.browser.visits import Visit, expect

pytestmark = pytest.mark.browser


def window(visit: Visit, move: Callable[[], object]) -> list[Fraction] | None:
    """Give the dates that a move asks for, from and to, or None for all; and wait for them."""
    drawing = visit.page.locator("#picture-gantt .drawing")
    drawing.evaluate("drawing => (drawing.dataset.old = 'yes')")
    with visit.page.expect_response(re.compile(r"/pictures/gantt\.vega")) as awaited:
        move()
    assert awaited.value.status == 200
    expect(drawing).not_to_have_attribute("data-old", "yes")
    asked = parse_qs(urlsplit(awaited.value.url).query)
    return [Fraction(asked[name][0]) for name in ("from", "to") if name in asked] or None


def solved(visit: Visit) -> Any:
    """Open a job whose chart shows 40 time units from 0, and look at it when nothing moves."""
    visit.go(visit.solved(PROBLEMS["master_worker"].example))
    for figure in visit.page.locator("figure[data-picture]").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".drawing")).to_be_visible()
    gantt = visit.page.locator("#picture-gantt")
    gantt.evaluate("figure => figure.scrollIntoView({ block: 'center' })")
    expect(gantt.get_by_role("button", name="Closer")).to_be_visible()
    return gantt


def test_buttons_ask_for_exact_windows(visit: Visit) -> None:
    gantt = solved(visit)
    asked = [
        window(visit, gantt.get_by_role("button", name=name, exact=True).click)
        for name in ("Closer", "Later", "Closer", "Wider", "Earlier", "Whole")
    ]
    assert asked == [[10, 30], [20, 40], [25, 35], [20, 40], [10, 30], None]
    gantt.get_by_role("button", name="Show as table").click()
    expect(gantt.locator("table")).to_be_visible()
    gantt.get_by_role("button", name="Hide the table").click()
    expect(gantt.locator("table")).to_have_count(0)


def test_the_wheel_zooms_with_ctrl_only_and_a_drag_moves(visit: Visit) -> None:
    gantt = solved(visit)
    page = visit.page

    def point() -> tuple[float, float]:
        box = gantt.locator(".drawing svg").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*point())
    page.keyboard.down("Control")
    zoomed = window(visit, lambda: page.mouse.wheel(0, -300))
    page.keyboard.up("Control")
    assert zoomed is not None
    begin, end = zoomed
    assert 0 < begin < end < 40
    across, down = point()

    def drag() -> None:
        page.mouse.move(across, down)
        page.mouse.down()
        page.mouse.move(across + 80, down, steps=4)
        page.mouse.up()

    dragged = window(visit, drag)
    assert dragged is not None
    assert dragged[0] < begin
    # Positions are in whole parts of 2^30 of the chart.
    assert abs((dragged[1] - dragged[0]) - (end - begin)) <= Fraction(80, 2**30)
    bar = gantt.locator(".drawing svg .mark-rect path").first
    bar.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text("from")
    gantt.get_by_role("button", name="Whole").focus()
    assert window(visit, lambda: page.keyboard.press("Escape")) is None
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    before = page.evaluate("scrollY")
    page.mouse.move(*point())
    page.mouse.wheel(0, 60)
    expect(page.locator("html")).not_to_have_js_property("scrollTop", before)
    assert asked == []
