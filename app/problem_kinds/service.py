"""The registry as documents."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from app.http.openapi import REF
from app.http.refusals import Refusal
from steadygrid.domain.job import JobName, Labels, Options, Priority
from steadygrid.domain.judging import not_judged_members
from steadygrid.domain.patch import Change
from steadygrid.domain.problem import Problem
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.changes import MOST_CHANGES
from steadygrid.submissions.submission import stored_parts

_REFERENCES = {
    "platform": {"type": "string", "description": "id of a stored platform: plt_..."},
    "application": {"type": "string", "description": "id of a stored application: app_..."},
}


def problem_kind(kind: str) -> dict[str, Any]:
    """Describe a kind in full.

    Raises
    ------
    Refusal
        ``not_found``.
    """
    if kind not in PROBLEMS:
        raise Refusal("not_found", "The kind is one of: " + ", ".join(PROBLEMS) + ".")
    return _details(kind)


def problem_kinds() -> list[dict[str, Any]]:
    """Describe every kind in short."""
    return [_summary(problem) for problem in PROBLEMS.values()]


def _summary(problem: Problem[Any, Any]) -> dict[str, Any]:
    return {
        "kind": problem.kind,
        "title": problem.title,
        "description": problem.description,
        "methods": dict(problem.methods),
        "links": {"self": f"/v1/problems/{problem.kind}"},
    }


@cache
def _details(kind: str) -> dict[str, Any]:
    problem = PROBLEMS[kind]
    instance = problem.instance.model_json_schema()
    allow_references(kind, instance)
    return _summary(problem) | {
        "sources": list(problem.sources),
        "instance_schema": instance,
        "result_schema": problem.result.model_json_schema(mode="serialization"),
        "not_judged": list(not_judged_members(problem.result)),
        "example": dict(problem.example),
    }


def allow_references(kind: str, schema: dict[str, Any]) -> None:
    """Let the platform and the application of an instance's schema be ids of stored ones.

    Parameters
    ----------
    kind
        Of the problem.
    schema
        JSON Schema of its instance; changed in place.
    """
    members = schema["properties"]
    for name in stored_parts(kind):
        members[name] = {"anyOf": [members[name], _REFERENCES[name]]}


def job_request_schemas() -> dict[str, Any]:
    """Give the JSON Schema components of ``POST /v1/jobs``. The body is ``JobRequest``."""
    problem = {
        "oneOf": [{"$ref": REF.format(model=p.instance.__name__)} for p in PROBLEMS.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {
                kind: REF.format(model=p.instance.__name__) for kind, p in PROBLEMS.items()
            },
        },
    }
    envelope = create_model(
        "JobRequest",
        __config__=ConfigDict(extra="forbid"),
        __doc__="What to solve, and how.",
        problem=(dict[str, Any] | None, None),
        base=(
            str | None,
            Field(
                None,
                pattern="^job_[0-9a-f]{32}$",
                description="id of a job: its problem and options are taken, and no problem is given",
            ),
        ),
        changes=(
            list[Change],
            Field(
                [],
                max_length=MOST_CHANGES,
                description="made in their order before the body is read: places are named as in sweeps",
            ),
        ),
        transient=(
            bool,
            Field(
                False,
                description="for a look at the answer only: in no list, gone ten minutes after its"
                " end. A tenant's next one cancels it",
            ),
        ),
        options=(Options, Options()),
        labels=(Labels, {}),
        name=(
            JobName | None,
            Field(
                None, description="for people. Without, made of the application's and platform's"
            ),
        ),
        priority=(
            Priority,
            Field(0, description="of the tenant's jobs, those of greater priority are done first"),
        ),
    )
    found: dict[str, Any] = {}
    models: list[type[BaseModel]] = [envelope, *(p.instance for p in PROBLEMS.values())]
    for model in models:
        schema = model.model_json_schema(ref_template=REF)
        found |= schema.pop("$defs", {})
        found[model.__name__] = schema
    for p in PROBLEMS.values():
        allow_references(p.kind, found[p.instance.__name__])
    found["JobRequest"]["properties"]["problem"] = problem
    found["JobRequest"]["examples"] = [dict(p.example) for p in PROBLEMS.values()]
    return found


def result_models() -> list[type[BaseModel]]:
    """Give the model of each kind's result."""
    return [problem.result for problem in PROBLEMS.values()]


def result_schema() -> Mapping[str, Any]:
    """Give the component ``Result``: the result of one kind or another."""
    references = {
        problem.kind: REF.format(model=problem.result.__name__) for problem in PROBLEMS.values()
    }
    return {
        "title": "Result",
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "kind", "mapping": references},
    }
