"""Every fault of form has a sentence of our own."""

from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core.core_schema import ErrorType

from steadygrid.domain.wording import sentence_for, unknown_field
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import _Envelope

ERRORS_OF = {
    "model": {"model_type", "missing", "extra_forbidden"},
    "str": {
        *("string_type", "string_sub_type", "string_unicode"),
        *("string_too_short", "string_too_long", "string_pattern_mismatch"),
    },
    "int": {
        *("int_type", "int_from_float", "int_parsing", "int_parsing_size"),
        *("greater_than_equal", "less_than_equal", "greater_than", "less_than"),
    },
    "float": {
        *("float_type", "float_parsing", "finite_number"),
        *("greater_than_equal", "less_than_equal", "greater_than", "less_than"),
    },
    "bool": {"bool_type", "bool_parsing"},
    "tuple": {"tuple_type", "too_short", "too_long", "missing"},
    "list": {"list_type", "too_short", "too_long"},
    "dict": {"dict_type", "mapping_type", "too_short", "too_long"},
    "literal": {"literal_error"},
    "enum": {"enum"},
    "tagged-union": {"union_tag_invalid", "union_tag_not_found", "model_attributes_type"},
}
"""Types of errors that pydantic can raise for a sort of schema."""
SILENT = {
    *("model-fields", "model-field", "default", "nullable", "union", "any", "definitions"),
    *("function-after", "function-plain", "function-before", "function-wrap", "no-info"),
    *("definition-ref", "json-or-python", "is-instance"),
}
"""Sorts that raise nothing by themselves: their parts do, or functions of ours."""
FOREIGN = ("Input should", "Extra inputs", "Field required", "String should", "should have at")


def sorts_of(schema: Any) -> set[str]:
    found: set[str] = set()
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if isinstance(part.get("type"), str):
                found.add(part["type"])
            stack.extend(value for key, value in part.items() if key != "serialization")
        elif isinstance(part, list | tuple):
            stack.extend(part)
    return found


def errors_of_all_schemas() -> set[str]:
    models = [_Envelope, *(m for p in PROBLEMS.values() for m in (p.instance, p.result))]
    sorts = set().union(*(sorts_of(model.__pydantic_core_schema__) for model in models))
    assert sorts <= ERRORS_OF.keys() | SILENT
    return set().union(*(ERRORS_OF[sort] for sort in sorts & ERRORS_OF.keys()))


@pytest.mark.parametrize("code", sorted(get_args(ErrorType)))
def test_no_type_of_error_is_told_in_the_library_s_words(code: str) -> None:
    context = {
        **dict.fromkeys(("gt", "ge", "lt", "le", "min_length", "max_length"), 3),
        "actual_length": 1,
        "expected": "'a' or 'b'",
        "pattern": "x",
        "discriminator": "'type'",
        "expected_tags": "'a', 'b'",
    }
    message = "Input should be what the library wants"
    found = {"type": code, "loc": ("x",), "msg": message, "input": [1], "ctx": context}
    sentence = sentence_for(found)  # type: ignore[arg-type]
    assert sentence
    assert not sentence.startswith(FOREIGN)
    assert (sentence != "this value is not accepted here") or code not in errors_of_all_schemas()


class Example(BaseModel):
    pair: tuple[str, str]
    number: int


class Round(BaseModel):
    type: Literal["round"]


class Square(BaseModel):
    type: Literal["square"]


Shape = Annotated[Round | Square, Field(discriminator="type")]


@pytest.mark.parametrize(
    ("annotation", "value", "sentence"),
    [
        (Example, {"pair": ["a"], "number": 1}, "entry 1 is missing"),
        (Example, {"pair": ["a", "b"]}, "the field 'number' is missing"),
        (Example, {"pair": ["a"] * 3, "number": 1}, "at most 2 entries are accepted, and there"),
        (Example, {"pair": "ab", "number": 1}, "expected a JSON list, not a text"),
        (Example, 3, "expected a JSON object, not a number"),
        (int, 4.5, "expected a whole number, not 4.5"),
        (int, "x", "expected a whole number"),
        (bool, None, "expected true or false, not null"),
        (bool, 7, "expected true or false"),
        (float, {}, "expected a number, not an object"),
        (float, "quick", "expected a number"),
        (str, ["a"], "expected a text, not a list"),
        (str, False, "expected a text, not false"),
        (str, object(), "expected a text, not something of type object"),
        (
            Shape,
            {"type": "sqare"},
            "its 'type': expected 'round' or 'square'. Did you mean 'square'?",
        ),
        (Shape, {"type": 4}, "its 'type': expected 'round' or 'square', not a number"),
        (Shape, {}, "the field 'type' is missing"),
        (Shape, 4, "expected a JSON object, not a number"),
    ],
)
def test_a_sentence_says_what_was_expected_and_what_was_there(
    annotation: Any, value: Any, sentence: str
) -> None:
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(annotation).validate_python(value)
    assert sentence_for(refusal.value.errors()[0]).startswith(sentence)


def test_an_unknown_field_names_the_nearest_one_or_all() -> None:
    fields = {"speed", "unit_time"}
    assert unknown_field("sped", fields) == "there is no field 'sped' here. Did you mean 'speed'?"
    assert (
        unknown_field("red", fields) == "there is no field 'red' here. There are: speed, unit_time"
    )
    assert unknown_field("red", ()) == "there is no field 'red' here"
    many = unknown_field("x" * 1000, [f"field_{i:02}" for i in range(27)])
    assert many.endswith("field_23 and 3 more")
    assert len(many) < 400


def test_a_plain_number_with_a_unit_is_given_back_without_it() -> None:
    adapter = TypeAdapter(Annotated[float, Field(strict=True)])
    for text, number in (("20s", "20"), ("2 min", "120"), ("500 ms", "0.5")):
        with pytest.raises(ValidationError) as refusal:
            adapter.validate_python(text)
        said = sentence_for(refusal.value.errors()[0])
        assert said == f"numbers are written without units: {text} is {number}"
