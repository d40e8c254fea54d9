"""A picture as data: its table and its specification."""

import csv
import io
from fractions import Fraction

import altair as alt
import pytest

from steadygrid.pictures.assembling import specification
from steadygrid.pictures.picture import Picture, PictureTable

ODD = PictureTable(
    ("resource", "share", "pieces"),
    (('P,"1"\n', Fraction(1, 3), 2), ("Q", None, 0), ("R", Fraction(0), 1)),
)


def test_a_column_of_fractions_is_followed_by_one_of_floats() -> None:
    written = list(csv.reader(io.StringIO(ODD.csv())))
    assert written == [
        ["resource", "share", "share (approximate)", "pieces"],
        ['P,"1"\n', "1/3", "0.3333333333333333", "2"],
        ["Q", "", "", "0"],
        ["R", "0", "0.0", "1"],
    ]


def picture(marks: int) -> Picture:
    chart = alt.Chart(alt.NamedData("bars")).mark_bar().encode(x="length:Q")
    spec = specification(chart, "dark", "A title", "and more")
    return Picture("gantt", "A title", "One bar.", spec, {"bars": ({"length": 1},)}, ODD, marks)


def test_a_specification_holds_its_rows_and_names_no_other_data() -> None:
    drawn = picture(1).vega
    assert drawn["data"] == {"name": "bars"}
    assert drawn["datasets"] == {"bars": [{"length": 1}]}
    assert drawn["description"] == "One bar."
    assert drawn["title"] == {"text": "A title", "subtitle": "and more"}


def test_many_marks_are_drawn_on_a_canvas() -> None:
    renderers = [picture(n).vega["usermeta"]["embedOptions"]["renderer"] for n in (2_000, 2_001)]
    assert renderers == ["svg", "canvas"]


def test_what_is_too_large_to_be_drawn_says_so() -> None:
    table_only = Picture("platform", "Platform", "401 nodes.", None, {}, ODD)
    with pytest.raises(ValueError, match=r"platform is too large to be drawn: 401 nodes\."):
        _ = table_only.vega
