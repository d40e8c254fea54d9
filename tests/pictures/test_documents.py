"""What the documents tell of pictures is what the code does."""

import re

from steadygrid.domain import trace
from steadygrid.pictures import asking, drawing, drawn, html_page, picture, rendering
from steadygrid.pictures.gallery import GALLERY
from tests.tree import ROOT

LIMITS = {
    name: number
    for module in (asking, drawing, drawn, html_page, picture, rendering, trace)
    for name, number in vars(module).items()
    if name.startswith("MOST_") or name in ("SECONDS", "MEMORY", "LONGEST_SIDE")
}


def test_the_documented_limits_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"\*\*Pictures\.\*\*.*?\n\n(?:\|.*\n)*", text)
    rows = re.findall(r"^\| `(\w+)` \| ([0-9,]+) \|", told, re.MULTILINE)
    assert dict(rows) == {name: f"{limit:,.0f}" for name, limit in LIMITS.items()}


def test_the_page_on_pictures_tells_the_same() -> None:
    text = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    assert f"{drawing.IDLE_SECONDS / 60:g} minutes without any, after {drawing.MOST}" in text
    assert f"more than {drawing.SECONDS:g} s or {drawing.MEMORY / 2**30:g} GiB" in text
    assert f"at most {rendering.MOST_PIXELS:,} pixels" in text
    assert f"(up to {html_page.MOST_ROWS:,} rows)" in text
    assert f"at most {drawn.MOST_IN_NOTEBOOK:,} bars" in text
    assert f"up to {asking.MOST_LANES_ASKED} times" in text
    for least, most in (asking.WIDTHS, asking.SCALES, asking.CELLS):
        assert f"{least:,} to {most:,}" in text
    assert all(f"`{suffix}`" in text for suffix in drawn.SUFFIXES)


def test_every_picture_of_the_gallery_is_described() -> None:
    text = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")
    assert {name for name in GALLERY if f"\n| `{name}` | " not in text} == set()
