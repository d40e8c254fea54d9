"""What a mark beside a member of a result says of answers, and of all that there may be."""

from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from steadygrid.domain.judging import NOT_JUDGED, NotJudged, not_judged, not_judged_members


class Row(BaseModel):
    seconds: Annotated[float, NOT_JUDGED]
    value: int


class Statistics(BaseModel):
    nodes: int | None = None


class Asked(BaseModel):
    method: str


class Bound(BaseModel):
    value: int = 3
    exact: bool


class Told(BaseModel):
    method: Annotated[str, NotJudged("asked.method", ("auto",))] = "lp"
    bound: Annotated[Bound | None, NotJudged("bound.exact", (False,))] = None
    notes: Annotated[list[str], NOT_JUDGED] = []
    done: Annotated[bool, NOT_JUDGED] = False
    rows: list[Row] | None = None
    by_name: dict[str, Row] = {}
    pair: tuple[Row, ...] = ()
    statistics: Annotated[Statistics, NOT_JUDGED] = Statistics()


def listed(method: str = "lp", **members: Any) -> tuple[str, ...]:
    return not_judged(Asked(method=method), Told(**members))


def test_what_says_nothing_is_not_listed() -> None:
    assert listed(notes=[], statistics=Statistics()) == ("/done",)
    assert listed(notes=[""], statistics=Statistics(nodes=0)) == ("/notes", "/done", "/statistics")


@pytest.mark.parametrize("done", [False, True])
def test_no_is_said_as_well_as_yes(done: bool) -> None:
    assert listed(done=done) == ("/done",)


def test_what_several_say_is_listed_once() -> None:
    row = Row(seconds=0.0, value=1)
    assert listed(rows=[row, row]) == ("/done", "/rows/*/seconds")
    assert listed(by_name={"a": row}, pair=(row,)) == (
        "/done",
        "/by_name/*/seconds",
        "/pair/*/seconds",
    )


def test_some_members_are_judged_in_some_answers() -> None:
    assert listed("auto") == ("/method", "/done")
    assert listed(bound=Bound(exact=False)) == ("/bound", "/done")
    assert listed(bound=Bound(exact=True)) == ("/done",)


def test_a_model_lists_all_that_may_be_told() -> None:
    assert not_judged_members(Told) == (
        "/method",
        "/bound",
        "/notes",
        "/done",
        "/rows/*/seconds",
        "/by_name/*/seconds",
        "/pair/*/seconds",
        "/statistics",
    )
