"""The table of a sweep: exact and approximate columns, and no formula in any cell."""

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from steadygrid.studies.sweep_plan import Parameter
from steadygrid.studies.sweep_table import SweepRow, csv_lines, row_of

RESULTS = (
    "state,outcome,error,value,approx,bound,bound_approx,gap,gap_approx,exact,period,"
    "period_approx,seconds,job"
)
SOLVED = row_of(
    3,
    {"speed": "1/2", "method": "lp"},
    "succeeded",
    outcome="optimal",
    objective={"name": "throughput", "value": "21/40", "approx": 0.525},
    bound={"value": "21/40", "approx": 0.525, "exact": True},
    gap="0",
    period=Fraction(40),
    seconds=0.25,
    job="job_1",
)


def parameter(name: str, *values: Any) -> Parameter:
    return Parameter(name=name, at=("/problem/x",), values=values)


def table(parameters: list[Parameter], *rows: SweepRow) -> list[list[str]]:
    text = "".join(csv_lines(parameters, rows))
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_a_row_has_exact_and_approximate_numbers() -> None:
    parameters = [parameter("speed", 1, "1/2"), parameter("method", "lp")]
    lines = list(csv_lines(parameters, [SOLVED]))
    assert lines == [
        f"index,speed,speed_approx,method,{RESULTS}\r\n",
        "3,1/2,0.5,lp,succeeded,optimal,,21/40,0.525,21/40,0.525,0,0.0,true,40,40.0,0.25,job_1\r\n",
    ]


def test_the_document_of_a_row_says_the_same() -> None:
    assert json.loads(json.dumps(SOLVED.document())) == {
        "index": 3,
        "parameters": {"speed": "1/2", "method": "lp"},
        "state": "succeeded",
        "outcome": "optimal",
        "error": None,
        "value": "21/40",
        "approx": 0.525,
        "bound": "21/40",
        "gap": "0",
        "exact": True,
        "period": "40",
        "seconds": 0.25,
        "job": "job_1",
    }


def test_a_failed_job_is_a_row_with_its_code() -> None:
    row = row_of(0, {}, "failed", error={"code": "limit_exceeded", "detail": "too large"})
    assert row.detail == "too large"
    assert table([], row)[1] == ["0", "failed", "", "limit_exceeded", *[""] * 11]
    assert row.document()["error"] == "limit_exceeded"


def test_no_cell_is_a_formula_and_numbers_stay_plain() -> None:
    values = ["=1+1", "+1", "-1", "@a", "\tb", "\rc", 5, 0.25, "3", "'", "", {"a": [1]}, None, True]
    parameters = [parameter("=HYPERLINK()", *values)]
    rows = [SweepRow(i, {"=HYPERLINK()": value}, "queued") for i, value in enumerate(values)]
    header, *lines = table(parameters, *rows)
    assert header[1] == "'=HYPERLINK()"
    assert [line[1] for line in lines] == [
        *("'=1+1", "'+1", "'-1", "'@a", "'\tb", "'\rc", "5", "0.25", "3", "'", "", '{"a":[1]}'),
        *("null", "true"),
    ]


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_every_text_is_read_back(values: list[str]) -> None:
    column = parameter("x", *values)
    rows = [SweepRow(i, {column.name: value}, "queued") for i, value in enumerate(values)]
    header, *lines = table([column], *rows)
    assert len({len(line) for line in (header, *lines)}) == 1
    for line, value in zip(lines, values, strict=True):
        assert line[1] in (value, f"'{value}")
        assert line[1][:1] not in ("=", "+", "-", "@", "\t", "\r")


def test_no_two_columns_have_one_name() -> None:
    names = ["value", "index", "parameter value", "x", "x_approx", "gap"]
    header, *_ = table([parameter(name, "1/2") for name in names])
    assert len(set(header)) == len(header)
    assert header[0] == "index"
    assert ",".join(header[-14:]) == RESULTS


def test_rows_are_written_as_they_come() -> None:
    def rows() -> Iterator[SweepRow]:
        yield SweepRow(0, {}, "queued")
        raise AssertionError("asked for a row that is not read")

    lines = csv_lines([], rows())
    assert next(lines).startswith("index,")
    assert next(lines).startswith("0,queued")
