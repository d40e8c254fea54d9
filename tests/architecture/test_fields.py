"""Each field of a problem, its platform, its options and its result says what it is."""

from collections.abc import Iterator
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.kinds import BUILT_IN, PROBLEMS


def undescribed(schema: dict[str, Any]) -> Iterator[str]:
    """List the fields without a description, in a JSON Schema and all it defines."""
    for name, part in {schema["title"]: schema, **schema.get("$defs", {})}.items():
        for field, described in part.get("properties", {}).items():
            if not described.get("description"):
                yield f"{name}.{field}"


@pytest.mark.parametrize("kind", BUILT_IN)
def test_each_field_of_a_kind_has_a_description(kind: str) -> None:
    problem = PROBLEMS[kind]
    asked = problem.instance.model_json_schema()
    answered = problem.result.model_json_schema(mode="serialization")

    assert sorted({*undescribed(asked), *undescribed(answered)}) == [], (
        'give each of these fields a Field(description="...")'
    )


def test_each_option_has_a_description() -> None:
    assert list(undescribed(Options.model_json_schema())) == []
