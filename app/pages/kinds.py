"""What the pages of problem kinds show, and the page for a new job."""

import json
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from fastapi import Request

from app.http.identity import tenant_of
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import resources_of
from app.jobs import service as jobs
from app.pages.answer import LONGEST_BODY
from app.pages.jobs import base_of
from app.pages.sweeps import first_draft
from app.problem_kinds import service
from steadygrid.kinds import PROBLEMS
from steadygrid.report.layout import Column, Listing


def kinds() -> dict[str, Any]:
    """List the kinds."""
    return {"kinds": service.problem_kinds()}


def kind(name: str) -> dict[str, Any]:
    """Tell of one kind; `Refusal` ``not_found``."""
    details = service.problem_kind(name)
    schema = details["instance_schema"]
    rows = [list(row) for row in _fields(schema)]
    columns = [Column("field"), Column("needed"), Column("what it is")]
    methods = [[method, says] for method, says in details["methods"].items()]
    return {
        "told": details,
        "fields": Listing("Fields of the problem", columns, rows, len(rows), "fields"),
        "methods": Listing(
            "Methods", [Column("method"), Column("what it does")], methods, len(methods), "methods"
        ),
        "example": json.dumps(details["example"], indent=2, ensure_ascii=False),
    }


def _fields(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give each field, whether it must be given, and its description."""
    parts = schema.get("$defs", {})
    for name, field in schema["properties"].items():
        if name == "kind":
            continue
        needed = "yes" if name in schema.get("required", ()) else ""
        yield name, needed, " ".join(filter(None, (_says(field, parts), _choices(field))))


def _says(field: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    said = field.get("description", "")
    options = [field, *field.get("anyOf", ())]
    named = (one["$ref"].rpartition("/")[2] for one in options if "$ref" in one)
    return str(said or next((parts[name].get("description", "") for name in named), ""))


def _choices(field: Mapping[str, Any]) -> str:
    told = []
    if "enum" in field:
        told.append("one of " + ", ".join(map(str, field["enum"])))
    if field.get("default") not in (None, [], {}, ""):
        told.append(f"default {field['default']}")
    return f"({'; '.join(told)})" if told else ""


def new(request: Request, example: str, job_id: str, *, vary: bool) -> dict[str, Any]:
    """Offer an example to start from, or what a job was made of, as a job or as a sweep about it.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    example
        A kind of problem; empty: the first one.
    job_id
        A job to begin with; empty: the example.
    vary
        Whether to write a sweep about it.

    Raises
    ------
    Refusal
        For a kind that does not exist; ``not_found`` for a job, ``limit_exceeded`` for one whose
        body is too long to be written by hand.
    """
    if example and example not in PROBLEMS:
        raise refused_parameter(
            "example", "unknown_kind", "the kind is one of: " + ", ".join(PROBLEMS)
        )
    parts = resources_of(request)
    chosen = PROBLEMS[example or next(iter(PROBLEMS))]
    body = dict(chosen.example)
    if job_id:
        body = jobs.instance(parts, tenant_of(request), job_id)
        chosen = PROBLEMS[body["problem"]["kind"]]
    text = first_draft(body) if vary else json.dumps(body, indent=2, ensure_ascii=False)
    if len(text) > LONGEST_BODY:
        raise Refusal(
            "limit_exceeded",
            f"The job's body has {len(text):,} characters, and at most {LONGEST_BODY:,} are shown"
            " to be changed by hand: download it from the job's page, and post it when changed.",
        )
    base = base_of(parts, request)
    return {
        "kinds": list(PROBLEMS.values()),
        "chosen": chosen,
        "of_job": job_id,
        "vary": vary,
        "body": text,
        "curl": f"curl -s {quote(base + ('/v1/sweeps' if vary else '/v1/jobs') + '?wait=10')} -H 'Content-Type: application/json'"
        " -d @body.json",
    }
