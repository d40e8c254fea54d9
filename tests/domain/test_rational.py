"""Exact rationals at the boundary."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from steadygrid.domain.document import MalformedJSONError, content_id, parse_json
from steadygrid.domain.rational import (
    ExactRational,
    ExactSigned,
    PositiveRational,
    Rational,
    approximate,
    as_number,
)


class Quantity(BaseModel):
    value: Rational


class Speed(BaseModel):
    value: PositiveRational


class Rate(BaseModel):
    value: ExactRational


def code(model: type[BaseModel], value: Any) -> str:
    with pytest.raises(ValidationError) as refusal:
        model.model_validate({"value": value})
    return refusal.value.errors()[0]["type"]


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (3, Fraction(3)),
        (0, Fraction(0)),
        (0.1, Fraction(1, 10)),
        (1e22, Fraction(10**22)),
        (2.5e-3, Fraction(1, 400)),
        ("3", Fraction(3)),
        ("06/8", Fraction(3, 4)),
        ("0.75", Fraction(3, 4)),
        ("7.5e-1", Fraction(3, 4)),
        ("1E3", Fraction(1000)),
        ("1e+30", Fraction(10**30)),
        ("9" * 64, Fraction(10**64 - 1)),
        (10**64 - 1, Fraction(10**64 - 1)),
    ],
)
def test_numbers_mean_what_they_say(given_: Any, expected: Fraction) -> None:
    assert Quantity.model_validate({"value": given_}).value == expected


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (True, "not_a_rational"),
        (None, "not_a_rational"),
        ([1], "not_a_rational"),
        (float("nan"), "not_a_rational"),
        (float("inf"), "not_a_rational"),
        ("", "not_a_rational"),
        (" 1", "not_a_rational"),
        ("+1", "not_a_rational"),
        (".5", "not_a_rational"),
        ("5.", "not_a_rational"),
        ("1_000", "not_a_rational"),
        ("٣", "not_a_rational"),
        ("1/2/3", "not_a_rational"),
        ("0x10", "not_a_rational"),
        ("nan", "not_a_rational"),
        (-1, "negative_rational"),
        (-0.5, "negative_rational"),
        ("-3/4", "negative_rational"),
        (Fraction(-1), "negative_rational"),
        ("1/0", "zero_denominator"),
        ("1/" + "0" * 60, "zero_denominator"),
        ("1e31", "rational_too_long"),
        ("1e-31", "rational_too_long"),
        (1e300, "rational_too_long"),
        ("1e10000000", "rational_too_long"),
        ("9" * 65, "rational_too_long"),
        ("1/" + "9" * 65, "rational_too_long"),
        ("0." + "1" * 65, "rational_too_long"),
        ("1." + "3" * 60 + "e-30", "rational_too_long"),
        ("9" * 33 + "." + "3" * 33, "rational_too_long"),
        ("9" * 100_000, "rational_too_long"),
        (10**64, "rational_too_long"),
    ],
)
def test_what_is_no_bounded_number_is_refused(given_: Any, expected: str) -> None:
    assert code(Quantity, given_) == expected


def test_zero_is_refused_for_speeds_only() -> None:
    assert code(Speed, 0) == code(Speed, "0/3") == code(Speed, 0.0) == "zero_rational"
    assert Speed.model_validate({"value": "1/3"}).value == Fraction(1, 3)


@given(st.fractions(min_value=0))
def test_answers_are_strings_in_lowest_terms_and_read_back(value: Fraction) -> None:
    text = Rate(value=value).model_dump_json()
    assert json.loads(text)["value"] == str(value)
    assert Rate.model_validate_json(text).value == value


@pytest.mark.parametrize("given_", ["", "1/0", "-1", -1, "1.5", 1.5, True, "9" * 4301, None])
def test_what_no_answer_writes_is_not_read_back(given_: Any) -> None:
    assert code(Rate, given_) in ("not_a_rational", "rational_too_long")


def test_an_answer_may_have_thousands_of_digits() -> None:
    value = Fraction(10**4299 - 1, 7)
    assert Rate.model_validate({"value": str(value)}).value == value
    assert Rate.model_validate({"value": 12}).value == 12


def test_numbers_become_doubles_only_where_a_double_can_hold_them() -> None:
    context = {"numbers": "float"}
    for value, expected in [
        (Fraction(1, 4), 0.25),
        (Fraction(10**400), str(10**400)),
        (Fraction(1, 10**400), f"1/{10**400}"),
        (Fraction(0), 0.0),
    ]:
        assert Rate(value=value).model_dump(mode="json", context=context)["value"] == expected
        assert as_number(value) == expected
    assert approximate(Fraction(10**400)) is None


def test_numbers_leave_integers_integers_as_far_as_doubles_are_exact() -> None:
    for value, expected in [(3, "3"), (0, "0"), (2**53, str(2**53)), (2**53 + 2, f"{2.0**53 + 2}")]:
        assert json.dumps(as_number(Fraction(value))) == expected


def test_json_is_read_strictly() -> None:
    assert parse_json(b'{"a": [1, 0.5, "x"]}') == {"a": [1, 0.5, "x"]}
    for malformed, word in [
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": NaN}', "NaN"),
        (b"[-Infinity]", "Infinity"),
        (b'{"a": }', "line 1, column 7"),
        (b'{"a"', "line 1"),
        (b"", "line 1"),
        (b'"\xff"', "UTF-8"),
        (b"[" * 100_000 + b"]" * 100_000, "deeply"),
    ]:
        with pytest.raises(MalformedJSONError, match=word):
            parse_json(malformed)


def test_an_overlong_integer_is_never_converted() -> None:
    body = parse_json('{"value": ' + "9" * 100_000 + "}")
    assert code(Quantity, body["value"]) == "rational_too_long"


def test_equal_documents_have_equal_ids() -> None:
    assert content_id("plt", {"a": 1, "b": "é"}) == content_id("plt", {"b": "é", "a": 1})
    assert content_id("plt", {"a": 1}) != content_id("plt", {"a": 2})
    assert content_id("plt", {}).startswith("plt_")


def test_the_documented_schema_accepts_what_the_parser_accepts() -> None:
    schema = Speed.model_json_schema()["properties"]["value"]
    assert schema["anyOf"][0] == {"type": "number", "exclusiveMinimum": 0}
    answer = Rate.model_json_schema(mode="serialization")["properties"]["value"]
    assert answer["anyOf"][0]["pattern"] == "^[0-9]+(/[0-9]+)?$"


@pytest.mark.parametrize(
    ("sent", "value"),
    [("-3/4", Fraction(-3, 4)), ("3/4", Fraction(3, 4)), (-2, Fraction(-2)), ("-0", Fraction(0))],
)
def test_a_part_of_a_proof_may_be_negative(sent: Any, value: Fraction) -> None:
    adapter = TypeAdapter(ExactSigned)
    assert adapter.validate_python(sent) == value
    assert adapter.validate_python(adapter.dump_python(value)) == value
    assert adapter.validate_python(value) == value


@pytest.mark.parametrize("sent", ["--1", "-", "1/-2", True, -0.5, None])
def test_what_is_no_signed_fraction_is_refused(sent: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(ExactSigned).validate_python(sent)
