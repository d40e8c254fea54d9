"""The picture of a sweep: every job is where its values are, and its number is its own."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.picture import THEMES, Picture, Wanted
from steadygrid.pictures.rendering import svg
from steadygrid.pictures.sweep import MOST_BARS, sweep_picture
from steadygrid.pictures.sweep_maps import MOST_MAPS
from steadygrid.studies.sweep_plan import Parameter
from steadygrid.studies.sweep_table import SweepRow
from tests.pictures.hostile import HOSTILE
from tests.pictures.test_hostile_ids import HARMLESS

F = Fraction


def parameter(name: str, *values: Any) -> Parameter:
    return Parameter(name=name, at=("/problem/method",), values=values)


def rows_of(
    parameters: Sequence[Parameter], value: Callable[..., Fraction | None], **more: Any
) -> list[SweepRow]:
    names = [one.name for one in parameters]
    rows = []
    for index, values in enumerate(product(*(one.values for one in parameters))):
        found = value(*values)
        known = {"outcome": "optimal", "value": found, "bound": found, "exact": True}
        failed = {"error": "limit_exceeded"}
        rows.append(
            SweepRow(
                index,
                dict(zip(names, values, strict=True)),
                "failed" if found is None else "succeeded",
                **{**(failed if found is None else known), **more},
            )
        )
    return rows


def drawn(
    parameters: Sequence[Parameter], value: Callable[..., Fraction | None], **more: Any
) -> Picture:
    return sweep_picture(parameters, rows_of(parameters, value), Wanted(), **more)


def test_one_parameter_of_numbers_is_a_line_in_their_measure() -> None:
    picture = drawn([parameter("b", 1, "5/2", 10)], lambda b: None if b == 10 else F(b) / 3)
    assert [(row["across"], row["value"]) for row in picture.datasets["values"]] == [
        (1.0, 1 / 3),
        (2.5, 5 / 6),
    ]
    assert [row["across"] for row in picture.datasets["nothing"]] == [10.0]
    assert "1 of them without a value" in picture.description
    assert "from 1/3 for b = 1 to 5/6 for b = 5/2" in picture.description


def test_what_is_not_proved_has_its_bound_beside_it() -> None:
    one = parameter("b", 1, 2)
    rows = rows_of([one], lambda b: F(b), bound=F(2), outcome="feasible")
    bounds = sweep_picture([one], rows, Wanted()).datasets["bounds"]
    assert [(row["across"], row["value"]) for row in bounds] == [(1.0, 2.0)]


def test_other_values_are_bars_in_their_order() -> None:
    picture = drawn([parameter("method", "lp", "greedy")], lambda m: F(len(m), 7))
    assert [row["label"] for row in picture.datasets["labels"]] == ["lp", "greedy"]
    assert picture.table.rows[1] == (1, "greedy", "succeeded", "optimal", F(6, 7), F(6, 7))


def test_many_bars_are_cut_and_the_table_is_not() -> None:
    names = [f"m{place}" for place in range(MOST_BARS + 5)]
    picture = drawn([parameter("method", *names)], lambda _: F(1))
    assert len(picture.datasets["labels"]) == MOST_BARS
    assert len(picture.table.rows) == MOST_BARS + 5
    assert f"The first {MOST_BARS} of {MOST_BARS + 5}" in json.dumps(picture.spec)


def test_two_parameters_are_a_map_with_a_cell_for_each_job() -> None:
    across, down = parameter("a", 1, 2, 3), parameter("d", "x", "y")
    picture = drawn([down, across], lambda d, a: F(a) if d == "x" else None)
    cells = picture.datasets["cells"]
    assert len({(cell["x"], cell["y"]) for cell in cells}) == 6
    first, second, third = cells[:3]
    assert first["y"] == second["y"] == third["y"] < cells[3]["y"]
    assert first["x"] < second["x"] < third["x"]
    assert first["colour"] != third["colour"] != cells[3]["colour"]
    assert [said["label"] for said in picture.datasets["said"]] == ["1", "2", "3", *["failed"] * 3]


def test_the_axes_can_be_chosen() -> None:
    parameters = [parameter("a", 1, 2), parameter("b", 1, 2, 3), parameter("c", 1, 2)]
    usual = drawn(parameters, lambda a, b, c: F(a * b * c))
    turned = drawn(parameters, lambda a, b, c: F(a * b * c), axes={"x": "a", "y": "c"})
    assert [row["label"] for row in usual.datasets["labels"] if "=" in row["label"]] == [
        "c = 1",
        "c = 2",
    ]
    assert [row["label"] for row in turned.datasets["labels"] if "=" in row["label"]] == [
        "b = 1",
        "b = 2",
        "b = 3",
    ]
    for wrong, places in (
        ({"y": "z"}, ["y"]),
        ({"x": "a", "y": "a"}, ["y"]),
        ({"x": "z", "y": "z"}, ["x", "y"]),
    ):
        with pytest.raises(UnfitPicture, match="expected a parameter that varies") as caught:
            drawn(parameters, lambda a, b, c: F(1), axes=wrong)
        assert [fault.pointer for fault in caught.value.faults] == [(place,) for place in places]
        assert {fault.code for fault in caught.value.faults} == {"no_axis"}


def test_of_many_maps_the_first_are_drawn() -> None:
    many = [parameter("n", *range(MOST_MAPS + 2)), parameter("a", 1, 2), parameter("b", 1, 2)]
    picture = drawn(many, lambda n, a, b: F(n + a + b), axes={"x": "a", "y": "b"})
    assert len(picture.datasets["cells"]) == 4 * MOST_MAPS
    assert f"the first {MOST_MAPS} of {MOST_MAPS + 2} maps" in json.dumps(picture.spec)
    assert len(picture.table.rows) == 4 * (MOST_MAPS + 2)


def test_parameters_that_vary_together_are_one_axis() -> None:
    a, b = parameter("a", 1, 2), parameter("b", "x", "y")
    rows = [
        SweepRow(place, {"a": place + 1, "b": "xy"[place]}, "succeeded", value=F(place))
        for place in range(2)
    ]
    picture = sweep_picture([a, b], rows, Wanted(), together=True)
    assert [row["across"] for row in picture.datasets["values"]] == [1.0, 2.0]
    assert picture.datasets["values"][1]["told1"] == "a = 2, b = y"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_names_and_values_are_data_and_nothing_else(number: int, theme: Any) -> None:
    parameters = [
        parameter(name, *(f"{value}{place}" for value in HOSTILE))
        for place, name in enumerate(HOSTILE[:number])
    ]
    parameters[0] = parameter(HOSTILE[0], *HOSTILE[:3]) if number == 3 else parameters[0]
    rows = rows_of(parameters, lambda *_: F(1, 3))
    picture = sweep_picture(parameters, rows, Wanted(theme=theme))
    assert not any(odd in json.dumps(picture.spec) for odd in HOSTILE)
    elements = {one.tag.rpartition("}")[2] for one in ET.fromstring(svg(picture.vega)).iter()}
    assert elements <= HARMLESS


def test_without_jobs_there_is_nothing_to_draw() -> None:
    picture = sweep_picture([parameter("a", 1, 2)], [], Wanted())
    assert picture.spec is None
    assert picture.description == "0 jobs, and none has a value yet."
