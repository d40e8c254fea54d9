"""What the pages of problem kinds show, and the page for a new job."""

import json
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any

from fastapi import Request

from app.http.identity import tenant_of
from app.http.pictures import pictures_installed
from app.http.refusals import refused_parameter
from app.http.resources import resources_of
from app.http.stored import must_exist
from app.jobs import service as jobs
from app.jobs.references import BASE
from app.pages.answer import LONGEST_BODY
from app.pages.jobs import base_of
from app.pages.sweeps import first_draft
from app.platforms.service import SHELF as PLATFORMS
from app.problem_kinds import service
from steadygrid.kinds import PROBLEMS
from steadygrid.report.layout import Column, Listing
from steadygrid.submissions.changes import CHANGES


def kinds() -> dict[str, Any]:
    """List the kinds."""
    return {"kinds": service.problem_kinds()}


def kind(name: str) -> dict[str, Any]:
    """Describe one kind; `Refusal` ``not_found``."""
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


def new(
    request: Request, example: str, job_id: str, platform_id: str = "", *, vary: bool = False
) -> dict[str, Any]:
    """Offer an example to start from, or what a job was made of, as a job or as a sweep about it.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    example
        A kind of problem; empty: the first one.
    job_id
        A job to begin with; empty: the example. One that is too long to be written by hand is named
        as the base of what is changed.
    platform_id
        A stored platform to begin with; empty: the example's.
    vary
        Whether to write a sweep about it.

    Raises
    ------
    Refusal
        For a kind that does not exist; ``not_found`` for a job or a platform.
    """
    if example and example not in PROBLEMS:
        raise refused_parameter(
            "example", "unknown_kind", "the kind is one of: " + ", ".join(PROBLEMS)
        )
    parts, tenant = resources_of(request), tenant_of(request)
    chosen = PROBLEMS[example or next(iter(PROBLEMS))]
    body = dict(chosen.example)
    if platform_id:
        must_exist(parts, tenant, PLATFORMS, platform_id)
        with parts.database.read(tenant) as unit:
            kept = unit.platforms.get(platform_id)
        has_media = kept is not None and kept.summary["counts"].get("media", 0) > 0
        body["problem"] = body["problem"] | {"platform": platform_id, "master": ""}
        body["problem"] |= {"ports": "multiport"} if has_media else {}
    if job_id:
        record = jobs.JOBS.get(parts, tenant, job_id)
        body = jobs.instance(parts, tenant, job_id) if vary else jobs.draft(parts, tenant, job_id)
        chosen = PROBLEMS[record.kind]
    text = first_draft(body) if vary else _text(body)
    if len(text) > LONGEST_BODY:
        based = {BASE: job_id}
        text = first_draft(based) if vary else _text(based | {CHANGES: []})
    base = base_of(parts, request)
    return {
        "kinds": list(PROBLEMS.values()),
        "chosen": chosen,
        "of_job": job_id,
        "vary": vary,
        "drawn": pictures_installed(),
        "body": text,
        "faults": None,
        "fits": "",
        "curl": f"curl -s {quote(base + ('/v1/sweeps' if vary else '/v1/jobs') + '?wait=10')} -H 'Content-Type: application/json'"
        " -d @body.json",
    }


def _text(body: Any) -> str:
    return json.dumps(body, indent=2, ensure_ascii=False)
