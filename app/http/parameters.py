"""Query parameters: those that a resource does not have are refused, like unknown fields."""

from collections.abc import Iterable

from fastapi import Request
from pydantic import WithJsonSchema

from app.http.refusals import Refusal, RefusedPart
from steadygrid.domain.nearest import Known


def documented(pattern: str, longest: int | None = None) -> WithJsonSchema:
    """Document the pattern of a text that is checked elsewhere, in words of our own."""
    length = {} if longest is None else {"maxLength": longest}
    return WithJsonSchema({"type": "string", "pattern": pattern} | length)


def one_of(values: Iterable[str]) -> WithJsonSchema:
    """Document the values of a text that is checked elsewhere, in words of our own."""
    return WithJsonSchema({"type": "string", "enum": list(values)})


async def only_known_parameters(request: Request) -> None:
    """Refuse misspelt query parameters: ``?validate_onyl=true`` must not create a job."""
    if not request.scope["query_string"]:
        return
    known = _known(request)
    unknown = sorted(name for name in request.query_params if name not in known)
    if unknown:
        has = "it has " + ", ".join(sorted(known)) if known else "it has none"
        raise Refusal(
            "invalid_request",
            f"This resource does not have every query parameter that was sent; {has}.",
            errors=[
                RefusedPart(
                    parameter=name[:200],
                    code="unknown_parameter",
                    detail=f"unknown query parameter{Known(sorted(known)).hint(name)}",
                )
                for name in unknown[:20]
            ],
        )


def _known(request: Request) -> set[str]:
    """Give the names that the OpenAPI document has for this operation.

    Pages are not in it: what their endpoints take is all there is.
    """
    route = request.scope["route"]
    if not route.include_in_schema:
        return {field.alias for field in route.dependant.query_params}
    path = request.app.openapi()["paths"][route.path_format]
    operation = path[request.method.lower()]
    return {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
