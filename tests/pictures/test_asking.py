"""What may be asked of a picture, and what is wrong with what was."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Pointer
from steadygrid.pictures.asking import read_wanted
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.picture import Wanted


def test_nothing_asked_is_what_is_usual() -> None:
    assert read_wanted({}) == read_wanted({"theme": None, "end": None}) == Wanted()


def test_everything_can_be_asked() -> None:
    given = {"theme": "dark", "width": 4000, "scale": 1.5, "lanes": ["P"], "cells": 100}
    dates = {"begin": "1/3", "end": 0.5}
    assert read_wanted(given | dates) == Wanted(
        "dark", 4000, 1.5, Fraction(1, 3), Fraction(1, 2), ("P",), 100
    )


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"theme": "pink"}, ("theme",)),
        ({"width": 319}, ("width",)),
        ({"width": 4001}, ("width",)),
        ({"width": 800.5}, ("width",)),
        ({"width": True}, ("width",)),
        ({"scale": 4.01}, ("scale",)),
        ({"scale": float("nan")}, ("scale",)),
        ({"scale": "2"}, ("scale",)),
        ({"cells": 99}, ("cells",)),
        ({"around": "P", "hops": 4}, ("hops",)),
        ({"hops": 2}, ("hops",)),
        ({"around": 1}, ("around",)),
        ({"begin": "soon"}, ("begin",)),
        ({"begin": -1}, ("begin",)),
        ({"end": float("inf")}, ("end",)),
        ({"begin": 2, "end": "2.0"}, ("end",)),
        ({"lanes": "P1"}, ("lanes",)),
        ({"lanes": 5}, ("lanes",)),
        ({"lanes": [5]}, ("lanes",)),
        ({"lanes": ["P"] * 501}, ("lanes",)),
        ({"colour": "red"}, ("colour",)),
    ],
)
def test_a_fault_names_its_member(given: dict[str, Any], pointer: Pointer) -> None:
    with pytest.raises(UnfitPicture) as refused:
        read_wanted(given)
    assert [fault.pointer for fault in refused.value.faults] == [pointer]
    assert refused.value.code == "invalid_request"


def test_what_another_picture_has_is_refused() -> None:
    given = {"around": "P1", "begin": 0, "lanes": ["P1"], "width": 900}
    for name, odd in (
        ("gantt", ["around"]),
        ("platform", ["begin", "lanes"]),
        ("prices", ["begin", "lanes", "around"]),
    ):
        with pytest.raises(UnfitPicture) as refused:
            read_wanted(given, name)
        faults = refused.value.faults
        assert [fault.pointer for fault in faults] == [(one,) for one in odd]
        assert {fault.code for fault in faults} == {"parameter_not_applicable"}
    assert read_wanted(given).lanes == ("P1",)
    # A default asks for nothing.
    assert read_wanted({"cells": 1_000, "hops": 1, "around": None}, "prices") == Wanted()


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(UnfitPicture, match="Did you mean 'theme'") as refused:
        read_wanted({"themes": 1, "width": 0, "end": "x"})
    assert [fault.pointer for fault in refused.value.faults] == [("themes",), ("width",), ("end",)]
