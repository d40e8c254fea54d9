"""Query parameters: those that a resource does not have are refused, like unknown fields."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, get_args, get_origin

from fastapi import Request
from fastapi.openapi.utils import get_openapi
from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticKnownError

from app.http.refusals import Refusal, RefusedPart, refused_header, refused_parameter
from steadygrid.domain.nearest import Known

_KEY = "Idempotency-Key"
_DIGITS = re.compile("-?[0-9]+", re.ASCII)


def _checked_digits(given: Any) -> Any:
    if isinstance(given, str) and not _DIGITS.fullmatch(given):
        raise PydanticKnownError("int_parsing")
    return given


WholeNumber = Annotated[int, BeforeValidator(_checked_digits)]
"""A whole number as it is written in an address: ``1.0``, ``1_0`` and ``+1`` are none."""


def documented(pattern: str, longest: int | None = None) -> WithJsonSchema:
    """Document the pattern of a text that is checked elsewhere, in steadygrid's words.

    Parameters
    ----------
    pattern
        A regular expression of JSON Schema.
    longest
        Characters. None: any number.
    """
    length = {} if longest is None else {"maxLength": longest}
    return WithJsonSchema({"type": "string", "pattern": pattern} | length)


def documented_values(values: Iterable[str]) -> WithJsonSchema:
    """Document the values of a text that is checked elsewhere, in steadygrid's words."""
    return WithJsonSchema({"type": "string", "enum": list(values)})


async def only_known_parameters(request: Request) -> None:
    """Refuse misspelt query parameters: ``?validate_onyl=true`` must not create a job.

    Nor must ``?validate_only=true&validate_only=false``: what has one value is given once. So is a
    key that makes a request the same as another one.
    """
    if len(request.headers.getlist(_KEY)) > 1:
        raise refused_header(_KEY, "given_twice", "give it once: it has one value")
    if not request.scope["query_string"]:
        return
    known = _known(request)
    given = Counter(name for name, _ in request.query_params.multi_items())
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        has = "It has " + ", ".join(sorted(known)) if known else "It has none"
        raise Refusal(
            "invalid_request",
            f"This resource does not have every query parameter that was sent. {has}.",
            errors=[
                RefusedPart(
                    parameter=name[:200],
                    code="unknown_parameter",
                    detail=f"unknown query parameter{Known(sorted(known)).hint(name)}",
                )
                for name in unknown[:20]
            ],
        )
    for name, repeatable in known.items():
        if given[name] > 1 and not repeatable:
            raise refused_parameter(name, "given_twice", "give it once: it has one value")


def _known(request: Request) -> dict[str, bool]:
    """Give the names that the OpenAPI document has for this operation, and which may be repeated.

    Pages are not in it: what their endpoints take is all there is, and they change nothing.
    """
    route = request.scope["route"]
    if not route.include_in_schema:
        fields = route.dependant.query_params
        return {field.alias: _holds_list(field.field_info.annotation) for field in fields}
    known: dict[tuple[str, str], dict[str, bool]] = request.app.state.parameters
    asked = route.path_format, request.method.lower()
    if asked not in known:
        # The document of this route alone: that of all takes a second.
        path = get_openapi(title="", version="", routes=[route])["paths"][route.path_format]
        known[asked] = {
            one["name"]: _is_list(one["schema"])
            for one in path[asked[1]].get("parameters", ())
            if one["in"] == "query"
        }
    return known[asked]


def _holds_list(annotation: Any) -> bool:
    return any(get_origin(one) is list for one in (annotation, *get_args(annotation)))


def _is_list(schema: Mapping[str, Any]) -> bool:
    return any(one.get("type") == "array" for one in (schema, *schema.get("anyOf", ())))
