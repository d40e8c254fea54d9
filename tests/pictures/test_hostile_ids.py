"""Ids with a meaning in HTML, SVG and other formats are text in every picture of the gallery."""

import csv
import io
import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from steadygrid.kinds import PROBLEMS
from steadygrid.pictures import rendering
from steadygrid.pictures.drawn import drawn
from steadygrid.pictures.gallery import GALLERY, entries_of, picture_of
from steadygrid.pictures.picture import Picture, Wanted
from steadygrid.report.report import Report
from tests.pictures.hostile import HOSTILE
from tests.pictures.reports import reported
from tests.pictures.test_rendering import SVG, Page

HARMLESS = {"svg", "title", "desc", "g", "path", "rect", "line", "text", "tspan", "defs",
            "clipPath", "linearGradient", "stop"}  # fmt: skip
"""Elements that run nothing and load nothing."""


def renamed(value: Any, names: dict[str, str]) -> Any:
    """A document with other ids: as values, and as names of members."""
    if isinstance(value, dict):
        return {names.get(k, k): renamed(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [renamed(v, names) for v in value]
    return names.get(value, value) if isinstance(value, str) else value


def ids_in(value: Any) -> Iterator[str]:
    """The ids of whatever has one."""
    if isinstance(value, dict):
        if isinstance(value.get("id"), str):
            yield value["id"]
        for member in value.values():
            yield from ids_in(member)
    elif isinstance(value, list):
        for member in value:
            yield from ids_in(member)


@cache
def hostile_report(kind: str) -> Report:
    """The example of a kind, whose ids are hostile; each kind has others."""
    turn = 3 * list(PROBLEMS).index(kind)
    body = json.loads(json.dumps(dict(PROBLEMS[kind].example)))
    ids = list(dict.fromkeys(ids_in(body)))
    names = {
        name: HOSTILE[(turn + place) % len(HOSTILE)][:190]
        + (str(place) if place >= len(HOSTILE) else "")
        for place, name in enumerate(ids)
    }
    return reported(renamed(body, names))


@pytest.fixture(scope="module", params=list(PROBLEMS))
def report(request: pytest.FixtureRequest) -> Report:
    return hostile_report(request.param)


def test_they_are_text_in_every_format(report: Report) -> None:
    for entry in entries_of(report):
        wanted = Wanted(theme="dark", width=600)
        picture = picture_of(report, entry.name, wanted)
        if picture.svg is None:
            assert_nothing_of_ids_is_code(picture)
        root = ET.fromstring(drawn(picture, "svg", wanted))
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= HARMLESS
        for element in root.iter():
            assert not any(name.startswith("on") for name in element.attrib)
            assert not any("javascript:" in v for n, v in element.items() if n != "aria-label")
        page = Page(rendering.html(picture, wanted, "window.vegaEmbed = () => 1"))
        tags = [tag for tag, _ in page.elements]
        vega = picture.svg is None
        found = tags.count("script"), tags.count("img"), tags.count("svg")
        assert found == ((3, 0, 0) if vega else (0, 0, 1))
        assert tags.count("style") == 1
        if vega:
            assert json.loads(page.of("script")[0]) == json.loads(rendering.vega(picture))
        rows = list(csv.reader(io.StringIO(rendering.csv(picture).decode(), newline="")))
        assert len(rows) == 1 + len(picture.table.rows)
        assert {len(row) for row in rows} == {len(rows[0])}
        assert not any(cell.startswith(("=", "@", "+")) for row in rows for cell in row)


def assert_nothing_of_ids_is_code(picture: Picture) -> None:
    """In the specification ids are values of data, or of domains and ranges, and nothing else."""
    code = json.dumps(_without_values(picture.spec), ensure_ascii=False)
    for name in HOSTILE:
        assert name not in ("datum.x", "__proto__") or f'"{name}' not in code
        if name not in ("datum.x", "__proto__"):
            assert json.dumps(name, ensure_ascii=False)[1:-1][:60] not in code


def _without_values(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _without_values(member)
            for name, member in value.items()
            if name not in ("domain", "range", "values")
        }
    return [_without_values(v) for v in value] if isinstance(value, list | tuple) else value


def test_every_picture_of_the_gallery_is_looked_at() -> None:
    """What needs answers that no example gives has tests of its own."""
    seen = {e.name for kind in PROBLEMS for e in entries_of(hostile_report(kind))}
    assert set(GALLERY) - seen <= {"convergence", "comparison", "times"}
