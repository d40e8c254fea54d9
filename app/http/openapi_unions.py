"""Unions and defaults of the OpenAPI document, written so that generators of clients understand them.

Generators write a class for each union. One without a name is called after the member it stands in,
and two members of one name then have one class too many.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from steadygrid.domain.rational import ExactRational, ExactSigned, PositiveRational, Rational

_REF = "#/components/schemas/{name}"
_UNIONS: tuple[tuple[str, Any, Literal["validation", "serialization"]], ...] = (
    ("ExactNumber", ExactRational, "serialization"),
    ("ExactSignedNumber", ExactSigned, "serialization"),
    ("GivenNumber", Rational, "validation"),
    ("GivenPositiveNumber", PositiveRational, "validation"),
    ("OneOrSeveral", str | list[str], "serialization"),
    ("CountOrText", int | str, "serialization"),
)


def simplify(schemas: dict[str, Any]) -> None:
    """Say the same in words that generators of clients know.

    Titles of members go where they repeat the name of the member, as generators call classes by
    titles. A default that is an object goes, and one of a union moves to the description: no client
    sends what it leaves out. A union within another is one union. Whole numbers have 64 bits, as
    generators take 32 by default.

    Parameters
    ----------
    schemas
        The components by name; changed in place.
    """
    for schema in list(_objects_of(schemas)):
        for name, member in schema.get("properties", {}).items():
            if member.get("title") == name.replace("_", " ").title():
                del member["title"]
            _tell_default(member)
        if schema.get("type") == "integer":
            schema.setdefault("format", "int64")
        if "oneOf" in schema:
            schema["oneOf"] = [each for one in schema["oneOf"] for each in one.get("anyOf", [one])]


def name_unions(schemas: dict[str, Any]) -> dict[str, Any]:
    """Make a component of each union that is the value of a map or the item of a list.

    Parameters
    ----------
    schemas
        The components by name; changed in place.

    Returns
    -------
    dict
        The components that are referred to then, by name.
    """
    found: dict[str, Any] = {}
    for schema in list(_objects_of(schemas)):
        for place in ("additionalProperties", "items"):
            union = schema.get(place)
            if not isinstance(union, dict) or "anyOf" not in union:
                continue
            name = _names().get(_written(union))
            if name is not None:
                found[name] = {"title": name} | union
                schema[place] = {"$ref": _REF.format(name=name)}
    return found


def _tell_default(member: dict[str, Any]) -> None:
    """Take away a default that is no value of a simple type; people read of it."""
    default = member.get("default")
    union = "anyOf" in member or "oneOf" in member
    if isinstance(default, dict):
        del member["default"]
    elif union and default is not None:
        del member["default"]
        told = [member["description"]] if "description" in member else []
        member["description"] = "; ".join([*told, f"default: {default}"])


def _objects_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Give the objects in a document, the inner ones first."""
    if isinstance(schema, dict):
        for part in schema.values():
            yield from _objects_of(part)
        yield schema
    elif isinstance(schema, list):
        for part in schema:
            yield from _objects_of(part)


@cache
def _names() -> Mapping[str, str]:
    """Give the names by what the unions are."""
    return {
        _written(TypeAdapter(kind).json_schema(mode=mode)): name for name, kind, mode in _UNIONS
    }


def _written(union: Mapping[str, Any]) -> str:
    return json.dumps(union["anyOf"], sort_keys=True)
