"""JSON answers as prepared bytes, and rationals as JSON numbers on demand."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query, Response
from pydantic import Field

from app.db.clock import wire_moment
from steadygrid.domain.rational import as_number, parse_exact_or_decimal

JSON_UTF8 = "application/json"
ASK_AGAIN = "private, no-cache"
"""For answers that may change. What one client was given is for no other, here and below."""

Numbers = Annotated[
    Literal["exact", "float"],
    Query(
        description="`float`: every rational of the answer is a JSON number (what does not fit a"
        ' double stays a string). `exact`: strings such as "21/40"'
    ),
]

ExactNumber = Annotated[
    str | float,
    Field(
        union_mode="left_to_right",
        json_schema_extra={
            "anyOf": [{"type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"}, {"type": "number"}]
        },
    ),
]

FoundNumber = Annotated[
    str | float,
    Field(
        union_mode="left_to_right",
        json_schema_extra={
            "anyOf": [
                {"type": "string", "pattern": r"^[0-9]+(/[0-9]+|\.[0-9]+)?$"},
                {"type": "number"},
            ]
        },
    ),
]
"""An exact number, or a solver's decimal."""


def to_json(document: Any) -> bytes:
    """Write a document in the order of its members."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def json_answer(
    document: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Answer with a document that may change: not to be kept without asking again.

    Parameters
    ----------
    document
        JSON-ready.
    status
        Of HTTP.
    headers
        More header fields, by name.
    """
    fields = {"Cache-Control": ASK_AGAIN} | dict(headers or {})
    return Response(to_json(document), status, fields, media_type=JSON_UTF8)


def with_numbers(document: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Turn the named members of one object from exact strings into JSON numbers.

    Parameters
    ----------
    document
        One JSON object.
    names
        Of members that are exact numbers, or null.
    """
    return {
        name: as_number(parse_exact_or_decimal(value))
        if name in names and value is not None
        else value
        for name, value in document.items()
    }


def moment(value: datetime | None) -> str | None:
    """Write a moment in UTC, to the millisecond."""
    return None if value is None else wire_moment(value)
