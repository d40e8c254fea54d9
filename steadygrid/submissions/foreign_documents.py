"""Documents that are sent where a job is expected, and what to do with them."""

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from steadygrid.domain.application import Application
from steadygrid.domain.errors import Fault, format_pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.kinds import PROBLEMS

_JOB = '{"problem": {"kind": ..., ...}, "options": {...}}'


@cache
def _members() -> frozenset[str]:
    """Name what some kind of problem cannot do without."""
    return frozenset(
        name
        for problem in PROBLEMS.values()
        for name, field in problem.instance.model_fields.items()
        if field.is_required() and name != "kind"
    )


def stranger(body: Mapping[str, Any]) -> Fault | None:
    """Recognise a body that is no job but something else that is known here."""
    if "problem" in body:
        return None
    if "kind" in body and "outcome" not in body:
        return _wrapped(f"this is a problem without its wrapper. A job is {_JOB}")
    if _looks_like(Platform, body, "processors"):
        return _wrapped(
            f"this is a platform. A job says what to do on it: {_job_with('platform', Platform)}"
        )
    if _looks_like(Application, body, "tasks"):
        return _wrapped(
            "this is an application. A job says where to run it:"
            f" {_job_with('application', Application)}"
        )
    if isinstance(body.get("workflow"), Mapping):
        return _wrapped(
            "this is a workflow of another format. `steadygrid convert FILE --to application` and"
            " POST /v1/applications make an application of it"
        )
    if "outcome" in body and "certificate" in body:
        return _wrapped(f"this is a result, not what was asked. A job is {_JOB}")
    if body.keys() & _members():
        return _wrapped(
            f"this looks like a problem that does not say its kind ({', '.join(PROBLEMS)}). A job"
            f" is {_JOB}"
        )
    return None


def _looks_like(model: type[Platform | Application], body: Mapping[str, Any], part: str) -> bool:
    return isinstance(body.get(part), list) and body.keys() & model.model_fields.keys() != {"name"}


def _job_with(name: str, model: type[Platform | Application]) -> str:
    """Show the wrapper of a document, by the first kind that takes it."""
    fields = next(
        fields
        for fields in (problem.instance.model_fields for problem in PROBLEMS.values())
        if name in fields and fields[name].annotation is model
    )
    kind = get_args(fields["kind"].annotation)[0]
    rest = [f'"{field}": ...' for field in fields if fields[field].is_required()]
    rest[rest.index('"kind": ...')] = f'"kind": "{kind}"'
    return '{"problem": {' + ", ".join(rest) + "}}"


def _wrapped(detail: str) -> Fault:
    return Fault(("problem",), "missing", detail)


def still_wrapped(noun: str, body: Any) -> Fault | None:
    """Recognise a platform or an application that is sent inside of something else.

    Parameters
    ----------
    noun
        ``platform`` or ``application``.
    body
        As it was sent.
    """
    for at in ((noun,), ("problem", noun)):
        part = body
        for step in at:
            part = part.get(step) if isinstance(part, Mapping) else None
        if isinstance(part, Mapping):
            return Fault(
                at[:1],
                "extra_forbidden",
                f"send the {noun} itself: what stands at {format_pointer(at)}",
            )
    return None


def proper_place(fault: Fault, problem_fields: Mapping[str, Any]) -> Fault:
    """Say of an unknown field that stands one level too high or too low where it belongs.

    Parameters
    ----------
    problem_fields
        What the kind's problem has.
    """
    *above, name = fault.pointer or ("",)
    if fault.code != "extra_forbidden" or above not in ([], ["problem"], ["options"]):
        return fault
    if above != ["options"] and name in Options.model_fields:
        place = 'it belongs into "options", which stands beside "problem"'
    elif above != ["problem"] and name in problem_fields:
        place = 'it belongs into "problem"'
    elif above and name in ("options", "labels", "name", "priority"):
        place = 'it stands beside "problem", not in it'
    else:
        return fault
    return fault._replace(detail=f"there is no field {name!r} here: {place}")
