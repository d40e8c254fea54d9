"""The OpenAPI document: what the endpoints cannot say by their signatures.

Bodies are taken as bytes and answers are prepared bytes, so the schemas of both come from
the same pydantic models by reference, gathered here in one set of components.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.http.answers import JSON_UTF8, to_json
from app.http.conditions import conditional, strong_tag
from app.http.openapi_links import add_links
from app.http.openapi_unions import name_unions, simplify
from steadygrid.domain.problem_details import PROBLEM_JSON

PATH = "/openapi.json"
REF = "#/components/schemas/{model}"
Responses = dict[int | str, dict[str, Any]]

_PROBLEMS = {
    400: "The body is not JSON, or names something twice.",
    401: "There is no credential, or none that belongs to a tenant.",
    403: "The credential lacks the scope, or a page of another origin would change something.",
    404: "There is no such thing.",
    405: "The resource exists, but not with this method. `Allow` says which.",
    408: "The rest of the body did not arrive.",
    409: "The state of the resource does not allow this.",
    410: "The job, the sweep or the replan was deleted, because it is older than jobs are kept.",
    413: "The body is too long.",
    415: "The body has a content type or an encoding that is not accepted.",
    421: "The service does not go by the name in `Host`.",
    422: "The request breaks a rule. `errors` says where.",
    429: "The tenant has, or asks, too much. `Retry-After` says when to come back.",
    501: "This service was installed without what draws pictures.",
    503: "The service or its disk is full, or its database away. `Retry-After` says when to come back.",
}
_RETRY_AFTER = {"Retry-After": {"description": "seconds", "schema": {"type": "integer"}}}
_ALWAYS = (401, 403, 421, 422, 429, 503)
READS_BODY = (400, 408, 413, 415)
_SECURITY_SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A key, `sk_...`, or a token of the site's issuer.",
    }
}
_SECURITY: list[dict[str, list[str]]] = [{}, {"bearer": []}]
"""Which of both is right depends on the service: one that asks for no keys takes none."""


def reference(model: str) -> dict[str, str]:
    """Point to a component."""
    return {"$ref": REF.format(model=model)}


def problems(*statuses: int) -> Responses:
    """Document refusals. Those of `_ALWAYS` can happen everywhere."""
    return {
        status: {
            "description": _PROBLEMS[status],
            "content": {PROBLEM_JSON: {"schema": reference("ProblemDetails")}},
            **({"headers": _RETRY_AFTER} if status in (429, 503) else {}),
        }
        for status in sorted({*statuses, *_ALWAYS})
    }


def answer(
    description: str,
    model: str | Sequence[str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Document an answer that holds a model, with its header fields.

    Parameters
    ----------
    description
        For people.
    model
        Name of its schema among the components; several: it holds one of them; None: none.
    headers
        Descriptions of header fields, by name.
    """
    document: dict[str, Any] = {"description": description}
    if model is not None:
        found = [reference(one) for one in ([model] if isinstance(model, str) else model)]
        schema = {"oneOf": found} if len(found) > 1 else found[0]
        document["content"] = {JSON_UTF8: {"schema": schema}}
    if headers:
        document["headers"] = {
            name: {"description": text, "schema": {"type": "string"}}
            for name, text in headers.items()
        }
    return document


def events(model: str) -> dict[str, Any]:
    """Document a stream of server-sent events, whose data is a model.

    OpenAPI has a word for the items of a stream from 3.2 on, which most generators of clients do
    not know. Until they do the model stands in a field of its own.

    Parameters
    ----------
    model
        Name of its schema among the components.
    """
    return {"text/event-stream": {"schema": {"type": "string"}, "x-item-schema": reference(model)}}


def request_body(schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Document a body by content type; for ``openapi_extra``."""
    content = {content_type: {"schema": dict(schema)} for content_type, schema in schemas.items()}
    return {"requestBody": {"required": True, "content": content}}


def components(
    requests: Iterable[type[BaseModel]], answers: Iterable[type[BaseModel]]
) -> dict[str, Any]:
    """Gather the schemas of models that are read and of models that are written.

    Parameters
    ----------
    requests
        Models that are read.
    answers
        Models that are written.
    """
    wanted: list[tuple[type[BaseModel], Literal["validation", "serialization"]]] = [
        *((model, "validation") for model in requests),
        *((model, "serialization") for model in answers),
    ]
    _, document = models_json_schema(wanted, ref_template=REF)
    found: dict[str, Any] = document["$defs"]
    return found


def install(
    app: FastAPI, schemas: Callable[[], Mapping[str, Any]], tags: Sequence[Mapping[str, str]]
) -> None:
    """Let an application serve a document with these components.

    The document is made at the first request for it, beside other requests: it takes longer than
    all the rest of a start.

    Parameters
    ----------
    app
        Its routes are documented.
    schemas
        Gives components by name, as `components` does.
    tags
        Names and descriptions of groups of endpoints.
    """
    making = threading.Lock()

    def openapi() -> dict[str, Any]:
        with making:
            if app.openapi_schema is None:
                app.openapi_schema = _document(app, schemas(), tags)
            return app.openapi_schema

    def serve(request: Request) -> Response:
        document, root = openapi(), request.scope.get("root_path", "").rstrip("/")
        content = to_json(document | {"servers": [{"url": root}]} if root else document)
        return conditional(request, content, strong_tag(content), {})

    app.openapi = openapi  # type: ignore[method-assign]
    app.add_route(PATH, serve, include_in_schema=False)


def _document(
    app: FastAPI, schemas: Mapping[str, Any], tags: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=app.description,
        routes=app.routes,
        tags=[dict(tag) for tag in tags],
    )
    held = document.setdefault("components", {}).setdefault("schemas", {})
    document["components"]["securitySchemes"] = _SECURITY_SCHEMES
    document["security"] = _SECURITY
    for unused in ("HTTPValidationError", "ValidationError"):
        held.pop(unused, None)
    held.update(schemas)
    held.update(name_unions(held))
    simplify(held)
    add_links(document)
    return document
