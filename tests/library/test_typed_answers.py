"""Answers know their kind, for mypy as well, and are given as tables."""

from fractions import Fraction
from typing import Any, assert_type

import pandas as pd
import pytest

import steadygrid as sg
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.kinds.master_worker.schemas import MasterWorkerResult
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationResult

STAR: dict[str, Any] = sg.problems()["master_worker"].example["problem"]


@pytest.fixture(scope="module")
def answer() -> "sg.Answer[MasterWorkerResult]":
    question = sg.master_worker(STAR["platform"], master="P1", **STAR["task"])
    return sg.solve(question, in_process=True)


def test_an_answer_has_the_type_of_its_question(answer: "sg.Answer[MasterWorkerResult]") -> None:
    assert_type(answer.result, MasterWorkerResult)
    assert answer.objective == Fraction(21, 40)
    assert sum(answer.result.computed.values()) == Fraction(21, 40)


def types_of_kinds(platform: sg.Platform, application: sg.Application) -> None:
    """Only mypy runs it."""
    assert_type(sg.solve(sg.collective(platform, operation="scatter")), sg.Answer[CollectiveResult])
    mapped = sg.solve(sg.mono_allocation(platform, application=application), time_limit=1)
    assert_type(mapped, sg.Answer[MonoAllocationResult])
    assert_type(mapped.result.distance, Fraction | None)
    assert_type(sg.solve({"kind": "cell"}), sg.Answer[Any])


def test_rates_are_those_of_the_result(answer: "sg.Answer[MasterWorkerResult]") -> None:
    rows: list[Any] = list(answer.table("rates"))
    computed = {row.processor: row.rate for row in rows if not row.receiver}
    sent = {(row.processor, row.receiver): row.rate for row in rows if row.receiver}
    assert computed == answer.result.computed
    assert sent == {(one.source, one.target): one.rate for one in answer.result.sent}


def test_a_table_of_prices_is_the_certificate(answer: "sg.Answer[MasterWorkerResult]") -> None:
    assert {name: price for name, price in answer.table("prices")} == answer.prices  # noqa: C416


@pytest.mark.parametrize("part", ["rates", "prices", "allocations", "computations", "transfers"])
def test_a_frame_has_the_rows_of_its_table(
    answer: "sg.Answer[MasterWorkerResult]", part: str
) -> None:
    rows = answer.table(part)
    exact = answer.frame(part, exact=True)
    assert [tuple(row) for row in exact.itertuples(index=False)] == [tuple(row) for row in rows]
    rounded = answer.frame(part)
    for name in rounded.columns:
        if any(isinstance(value, Fraction) for value in exact[name]):
            assert rounded[name].dtype == float
            assert list(rounded[name]) == [float(value) for value in exact[name]]
    assert isinstance(rounded, pd.DataFrame)


def test_an_unknown_table_is_refused(answer: "sg.Answer[MasterWorkerResult]") -> None:
    with pytest.raises(sg.InstanceError, match="none of") as caught:
        answer.table("prizes")
    assert caught.value.faults[0].code == "invalid_parameter"
