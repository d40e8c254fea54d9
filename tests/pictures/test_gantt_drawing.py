"""Gantt charts as they are drawn: Vega takes them, and ids stay data."""

import json
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
import vl_convert

from steadygrid.pictures import gantt
from steadygrid.pictures.house_style import ON_PORT_COLOURS, PORT_COLOURS
from steadygrid.pictures.picture import THEMES, Theme, Wanted
from steadygrid.pictures.rendering import VEGA_LITE, svg
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import example, reported, star
from tests.pictures.schedules import DRAWN

F = Fraction


@pytest.mark.parametrize("name", DRAWN)
def test_vega_lite_takes_the_chart_of_every_example(name: str) -> None:
    drawn = gantt.picture(example(name), Wanted(theme="dark"))
    compiled = vl_convert.vegalite_to_vega(drawn.vega, vl_version=VEGA_LITE)
    assert compiled["width"] == 800


def test_the_wheel_zooms_with_ctrl_only() -> None:
    drawn = gantt.picture(example("rr4870-figure-3"), Wanted())
    compiled = json.dumps(vl_convert.vegalite_to_vega(drawn.vega, vl_version=VEGA_LITE)["signals"])
    assert '"filter": ["event.ctrlKey"]' in compiled
    assert compiled.count('"type": "wheel"') == compiled.count('"filter": ["event.ctrlKey"]') > 0


@pytest.mark.parametrize("theme", THEMES)
def test_ids_are_drawn_as_text_and_are_nowhere_but_in_the_data(theme: Theme) -> None:
    names = [name for name in HOSTILE if name.isprintable()]
    report = reported(star([(name, 50 + i, F(1, 100).__str__()) for i, name in enumerate(names)]))
    drawn = gantt.picture(report, Wanted(theme=theme, lanes=tuple(names)))
    written = json.dumps([drawn.spec, drawn.description], ensure_ascii=False)
    assert not [name for name in names if name in written]
    shown = {lane["name"] for lane in drawn.datasets["lanes"]} - {""}
    assert len(shown) == len(names)
    text = svg(drawn.vega, 800).decode()
    assert "<script" not in text
    assert "<img" not in text
    texts = {"".join(node.itertext()).strip() for node in ET.fromstring(text).iter()}
    assert {name for name in shown if len(name) < 14} <= texts


def contrast(one: str, other: str) -> float:
    """Give the contrast of two colours by WCAG 2."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_words_on_bars_can_be_read(theme: Theme) -> None:
    assert PORT_COLOURS[theme].keys() == ON_PORT_COLOURS[theme].keys()
    for doing, colour in PORT_COLOURS[theme].items():
        assert contrast(colour, ON_PORT_COLOURS[theme][doing]) >= 4.5, doing
