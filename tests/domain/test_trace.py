"""Traces as documents."""

import json
from fractions import Fraction

import pytest
from pydantic_core import PydanticCustomError

from steadygrid.domain.rational import decimal_text, parse_exact_or_decimal
from steadygrid.domain.trace import TracePoint, trace_document, trace_from_document

F = Fraction
TRACE = (
    TracePoint(None, 0.25, None, F(21, 40), False),
    TracePoint(7, 1.5, F(1, 3), F(21, 40), False),
    TracePoint(8, 2.0, F(21, 40), F(21, 40), True),
)


def test_what_is_not_exact_is_written_as_decimals_where_it_is_one() -> None:
    assert trace_document(TRACE) == [
        {"iteration": None, "seconds": 0.25, "value": None, "bound": "0.525", "exact": False},
        {"iteration": 7, "seconds": 1.5, "value": "1/3", "bound": "0.525", "exact": False},
        {"iteration": 8, "seconds": 2.0, "value": "21/40", "bound": "21/40", "exact": True},
    ]


def test_documents_are_read_back_exactly() -> None:
    assert trace_from_document(json.loads(json.dumps(trace_document(TRACE)))) == TRACE


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (123456.789, "123456.789"),
        (1e22, "10000000000000000000000"),
        (0.0, "0"),
        (5e-324, "0." + "0" * 323 + "5"),
    ],
)
def test_the_shortest_decimal_of_a_float_comes_back(number: float, text: str) -> None:
    exact = F(repr(number))
    assert decimal_text(exact) == text
    assert parse_exact_or_decimal(text) == exact
    assert float(text) == number


@pytest.mark.parametrize("text", ["", ".5", "1.", "1.5/2", "-0.5", "1e5", "0x1", None, True, 0.5])
def test_what_is_no_number_is_refused(text: object) -> None:
    with pytest.raises(PydanticCustomError):
        parse_exact_or_decimal(text)


@pytest.mark.parametrize("damage", [{"value": "much"}, {"seconds": ...}])
def test_what_is_no_trace_is_refused(damage: dict[str, object]) -> None:
    (point, *_) = trace_document(TRACE)
    damaged = {name: value for name, value in (point | damage).items() if value is not ...}
    with pytest.raises((KeyError, ValueError)):
        trace_from_document([damaged])
