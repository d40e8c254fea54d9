"""From a picture to a file."""

import csv
import io
import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pytest

from steadygrid.pictures import rendering
from steadygrid.pictures.assembling import specification
from steadygrid.pictures.drawing import Drawer
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.picture import FORMATS, Picture, PictureTable, Theme, Wanted
from tests.pictures.hostile import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
DRAWER = Drawer()


def picture(*ids: str, width: int = 800, theme: Theme = "light") -> Picture:
    """A bar for each id, as long as its place."""
    rows = [{"id": name, "share": place} for place, name in enumerate(ids, 1)]
    chart = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(tooltip=True)
        .encode(y=alt.Y("id:N", sort=None), x="share:Q")
        .properties(width=width, autosize=alt.AutoSizeParams(type="fit-x", contains="padding"))
    )
    spec = specification(chart, theme, "A title & more")
    table = PictureTable(
        ("resource", "share"), tuple((name, Fraction(n, 7)) for n, name in enumerate(ids, 1))
    )
    return Picture(
        "shares", "A title & more", "Some <bars>.", spec, {"bars": rows}, table, len(ids)
    )


def drawn(drawing: Picture, form: str, **message: Any) -> bytes:
    asked = {"format": form, "width": 800, **message}
    return DRAWER.draw(asked, rendering.vega(drawing))


def test_an_svg_says_first_what_it_shows() -> None:
    root = ET.fromstring(drawn(picture("P", "Q"), "svg"))
    assert [(child.tag, child.text) for child in root][:2] == [
        (f"{SVG}title", "A title & more"),
        (f"{SVG}desc", "Some <bars>."),
    ]
    assert root.get("role") == "img"
    assert root.get("aria-label") == "A title & more: Some <bars>."


@pytest.mark.parametrize("width", [320, 800, 4000])
def test_an_svg_is_as_wide_as_it_was_to_be(width: int) -> None:
    root = ET.fromstring(drawn(picture("P" * 30, "Q", width=width), "svg", width=width))
    assert root.get("width") == str(width)
    assert root.get("viewBox") == f"0 0 {width} {root.get('height')}"


def test_a_drawing_of_another_width_is_scaled() -> None:
    small = ET.fromstring(drawn(picture("P", width=400), "svg", width=800))
    assert small.get("width") == "800"
    across, down = map(float, small.get("viewBox").split()[2:])
    assert across == 400
    assert float(small.get("height")) == 2 * down


def test_a_png_has_the_pixels_that_were_asked_for() -> None:
    image = drawn(picture("P", "Q"), "png", scale=2.5)
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(image[16:20]) == 2000


def test_a_png_of_too_many_pixels_is_refused() -> None:
    tall = picture(*(f"P{n}" for n in range(400)), width=4000)
    with pytest.raises(UnfitPicture, match="more than 50,000,000 pixels") as refused:
        drawn(tall, "png", scale=4, width=4000)
    assert [fault.pointer for fault in refused.value.faults] == [("scale",)]


def test_a_pdf_has_one_page_as_large_as_the_drawing_and_its_texts_as_text() -> None:
    image = drawn(picture("P", "Q", width=400), "pdf", width=640)
    assert image.startswith(b"%PDF-")
    assert image.count(b"/MediaBox [0 0 640 ") == 1
    assert b"/Type /Font" in image


def test_a_pdf_larger_than_a_page_may_be_is_refused() -> None:
    tall = picture(*(f"P{n}" for n in range(400)), width=400)
    with pytest.raises(UnfitPicture, match="at most 14,400 units a side") as refused:
        drawn(tall, "pdf", width=4000)
    assert [fault.pointer for fault in refused.value.faults] == [("width",)]


def test_too_much_to_draw_leaves_the_table() -> None:
    large = Picture(
        "platform", "Platform", "401 nodes.", None, {}, PictureTable(("id",), (("P",),))
    )
    for form in set(FORMATS) - {"csv", "html"}:
        with pytest.raises(UnfitPicture, match=r"401 nodes\. This is too much to draw"):
            rendering.written(large, form, Wanted())
    assert rendering.written(large, "csv", Wanted()) == b"id\r\nP\r\n"
    page = rendering.written(large, "html", Wanted())
    assert b"<script" not in page
    assert b"<details open>" in page
    assert b"<bdi>P</bdi>" in page


def test_the_versions_of_altair_and_of_what_draws_agree() -> None:
    version = re.search(r"/v([0-9.]+)\.json$", alt.SCHEMA_URL)[1]
    assert version.startswith(f"{rendering.VEGA_LITE}.")
    assert picture("P").spec["$schema"] == alt.SCHEMA_URL


class Page(HTMLParser):
    """What is in a page, by element."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.elements[-1][0] if self.elements else "", data))

    def of(self, tag: str) -> list[str]:
        return [text for name, text in self.texts if name == tag and text.strip()]


def test_a_page_holds_the_specification_the_script_and_the_table() -> None:
    drawing = picture(*HOSTILE)
    written = rendering.html(drawing, Wanted(), "window.vegaEmbed = 1")
    page = Page(written)
    data, script, embed = page.of("script")
    assert json.loads(data) == drawing.vega
    assert script == "window.vegaEmbed = 1"
    assert "ast: true" in embed
    assert page.of("bdi") == list(HOSTILE)
    assert page.of("figcaption")[0] == "Some <bars>."
    assert page.of("title") == ["A title & more"]
    assert [tag for tag, _ in page.elements].count("script") == 3
    assert not any("src" in attributes or "href" in attributes for _, attributes in page.elements)


def test_the_script_that_draws_can_stand_in_a_page() -> None:
    script = DRAWER.draw({"format": "bundle"}).decode()
    assert "</script" not in script.lower()
    assert "vegaEmbed" in script
    page = Page(rendering.html(picture(*HOSTILE), Wanted(), script))
    assert [tag for tag, _ in page.elements].count("script") == 3


def test_a_long_table_is_cut_in_a_page_and_nowhere_else() -> None:
    table = PictureTable(("n",), tuple((n,) for n in range(2_003)))
    long = Picture("shares", "Shares", "Long.", {}, {}, table)
    page = rendering.html(long, Wanted(), "")
    assert page.count(b"<tr>") == 2_001
    assert b"and 3 more rows" in page
    assert rendering.csv(long).count(b"\r\n") == 2_004


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_ids_are_text_in_every_drawing(theme: Theme) -> None:
    drawing = picture(*HOSTILE, theme=theme)
    image = drawn(drawing, "svg")
    root = ET.fromstring(image)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "g", "path", "rect", "line", "text", "defs", "clipPath"
    }  # fmt: skip
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
    assert b"<script" not in image
    labels = " ".join(element.get("aria-label", "") for element in root.iter())
    assert all(name.replace("\ufffe", "\ufffd") in labels for name in HOSTILE)
    assert drawn(drawing, "png", scale=1)[:4] == b"\x89PNG"
    assert json.loads(rendering.vega(drawing)) == drawing.vega


def test_a_table_runs_no_formula() -> None:
    table = PictureTable(("id", "share"), (("=1+1", Fraction(-1, 2)), ("@x", None), ("P=", None)))
    cells = [row[0] for row in csv.reader(io.StringIO(table.csv()))]
    assert cells == ["id", "'=1+1", "'@x", "P="]
    assert ",-1/2,-0.5\r\n" in table.csv()
