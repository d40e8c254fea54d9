"""From a posted body to an instance that can be solved, or to the list of its faults."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from app.domain.application import Application
from app.domain.errors import Fault, InstanceError, LimitError, Pointer
from app.domain.job import Labels, Options
from app.domain.platform import Platform
from app.domain.problem import Problem, Sizing
from app.domain.text import Frozen
from app.problems import PROBLEMS
from app.problems.piecewise import Finding, findings_by_pieces, findings_of
from app.settings import Limits

M = TypeVar("M", bound=BaseModel)

MAX_FAULTS = 100
"""Most faults reported at once."""

_COUNTED = (
    (("problem", "platform", "processors"), "max_processors", "processors"),
    (("problem", "platform", "links"), "max_links", "links"),
    (("problem", "platform", "media"), "max_links", "media"),
    (("problem", "platform", "routes"), "max_links", "routes"),
    (("problem", "application", "tasks"), "max_tasks", "tasks"),
    (("problem", "application", "files"), "max_files", "files"),
)


_STORED: Mapping[str, type[Frozen]] = {"platform": Platform, "application": Application}
"""What can be stored, by the name of the member that may refer to it."""


class _Envelope(Frozen):
    """The body of ``POST /v1/jobs``, the kind's own part still unread."""

    problem: dict[str, Any]
    options: Options = Options()
    labels: Labels = Field(default_factory=dict)


@dataclass(frozen=True)
class Submission:
    """A well-formed body without faults."""

    problem: Problem[Any, Any]
    instance: Any
    options: Options
    labels: Mapping[str, str]

    @property
    def kind(self) -> str:
        """The kind of the problem."""
        return self.problem.kind

    def document(self) -> dict[str, Any]:
        """Give the canonical body: JSON-ready, defaults filled in, equal when parsed again."""
        return {
            "problem": self.instance.model_dump(mode="json", exclude_none=True),
            "options": self.options.model_dump(mode="json", exclude_none=True),
            "labels": dict(self.labels),
        }


def parse_submission(body: Any, limits: Limits) -> Submission:
    """Read the body of ``POST /v1/jobs``, whose references are resolved already.

    Raises
    ------
    LimitError
        If something is listed more often than `limits` allow; nothing else is read then.
    InstanceError
        With every fault found (at most `MAX_FAULTS`); its pointers walk `body`.
    """
    if not isinstance(body, Mapping):
        raise InstanceError(faults=[Fault((), "invalid_type", "expected a JSON object")])
    _check_counts(body, limits)
    _check_long_parts(_Envelope, body)
    faults: list[Fault] = []
    try:
        envelope = _Envelope.model_validate(body)
    except ValidationError as error:
        faults.extend(validation_faults(error, body))
        envelope = None
    problem, instance = None, None
    try:
        problem = _problem(body)
        _check_long_parts(problem.instance, body, ("problem",))
        instance = problem.instance.model_validate(body["problem"])
    except InstanceError as error:
        faults.extend(f for f in error.faults if f not in faults)
    except ValidationError as error:
        faults.extend(validation_faults(error, body, ("problem",)))
    if envelope is None or problem is None or instance is None:
        raise InstanceError(faults=faults[:MAX_FAULTS])
    for fault in problem.faults(instance, envelope.options, ("problem",)):
        faults.append(fault)
        if len(faults) == MAX_FAULTS:
            break
    if faults:
        raise InstanceError(faults=faults)
    return Submission(problem, instance, envelope.options, envelope.labels)


def restore_submission(document: Mapping[str, Any]) -> Submission:
    """Read back what `Submission.document` gave for an accepted body.

    Its faults and counts are not looked for again: for a large platform that takes as long as
    reading it, and what was accepted is solved, whatever the limits are now.
    """
    envelope = _Envelope.model_validate(document)
    problem = PROBLEMS[document["problem"]["kind"]]
    instance = problem.instance.model_validate(document["problem"])
    return Submission(problem, instance, envelope.options, envelope.labels)


def size_submission(submission: Submission, limits: Limits) -> Sizing:
    """Estimate the program's size and choose the method.

    Raises
    ------
    LimitError
        If the program would have more coefficients than `limits` allow.
    """
    sizing = submission.problem.sizing(submission.instance, submission.options)
    coefficients = sizing.sizes.get("coefficients", 0)
    if coefficients > limits.max_coefficients:
        raise _over(
            ("problem",), coefficients, limits.max_coefficients, "coefficients", sizing.remedy
        )
    return sizing


def _check_counts(body: Mapping[str, Any], limits: Limits) -> None:
    for pointer, limit, noun in _COUNTED:
        part: Any = body
        for step in pointer:
            part = part.get(step) if isinstance(part, Mapping) else None
        most = getattr(limits, limit)
        if isinstance(part, list) and len(part) > most:
            raise _over(pointer, len(part), most, noun)


def _over(pointer: Pointer, count: int, most: int, noun: str, remedy: str = "") -> LimitError:
    detail = f"{count:,} {noun}, and at most {most:,} are accepted"
    if remedy:
        detail = f"{detail}: {remedy}"
    return LimitError(detail, [Fault(pointer, "limit_exceeded", detail)])


def _problem(body: Mapping[str, Any]) -> Problem[Any, Any]:
    part = body.get("problem")
    if not isinstance(part, Mapping):
        code, detail = (
            ("missing", "Field required")
            if part is None
            else ("invalid_type", "expected a JSON object")
        )
        raise InstanceError(faults=[Fault(("problem",), code, detail)])
    if "kind" not in part:
        raise InstanceError(faults=[Fault(("problem", "kind"), "missing", _known_kinds())])
    kind = part["kind"]
    if not isinstance(kind, str) or kind not in PROBLEMS:
        raise InstanceError(faults=[Fault(("problem", "kind"), "unknown_kind", _known_kinds())])
    problem = PROBLEMS[kind]
    for name in problem.instance.model_fields.keys() & _STORED.keys():
        if isinstance(part.get(name), str):
            fault = Fault(
                ("problem", name),
                f"unknown_{name}",
                f"no {name} is stored under this id; post it first, or give the object",
            )
            if name not in stored_parts(kind):
                fault = Fault(
                    ("problem", name),
                    "not_storable",
                    f"the {name} of this kind cannot be stored: give the object itself",
                )
            raise InstanceError(faults=[fault])
    return problem


def stored_parts(kind: str) -> frozenset[str]:
    """Name the members of a kind's instance that may be ids of stored documents.

    None where there is no such kind.
    """
    if kind not in PROBLEMS:
        return frozenset()
    members = PROBLEMS[kind].instance.model_fields
    return frozenset(
        name
        for name, noun in _STORED.items()
        if name in members and members[name].annotation is noun
    )


def _known_kinds() -> str:
    return "the kind is one of: " + ", ".join(PROBLEMS)


def _check_long_parts(model: type[BaseModel], body: Any, at: Pointer = ()) -> None:
    """Refuse long documents with many faults before pydantic collects all of them."""
    part = body
    for step in at:
        part = part[step]
    findings = islice(findings_by_pieces(model, part), MAX_FAULTS)
    if faults := list(_faults(findings, body, at)):
        raise InstanceError(faults=faults)


def validation_faults(error: ValidationError, body: Any, at: Pointer = ()) -> Iterator[Fault]:
    """Turn pydantic's first `MAX_FAULTS` findings into faults whose pointers walk `body`.

    Parameters
    ----------
    error
        What ``model_validate`` raised for the part of `body` at `at`.
    body
        The document as it was sent.
    """
    return _faults(islice(findings_of(error), MAX_FAULTS), body, at)


def _faults(findings: Iterable[Finding], body: Any, at: Pointer) -> Iterator[Fault]:
    for location, code, detail in findings:
        pointer: list[str | int] = []
        part = body
        for step in (*at, *location):
            try:
                part = _member(part, step)
            except LookupError:
                if code != "missing" or step != location[-1]:
                    continue  # a union's tag, or pydantic's own mark such as "[key]"
            pointer.append(step)
        if code == "too_short" and isinstance(part, list) and part:
            continue  # pydantic counts the entries that are well-formed, not those sent
        yield Fault(tuple(pointer), code, detail)


def _member(part: Any, step: str | int) -> Any:
    if isinstance(part, Mapping):
        return part[step]
    if isinstance(part, list) and isinstance(step, int):
        return part[step]
    raise LookupError(step)


def parse_model(model: type[M], body: Any) -> M:
    """Read one document that is not a job, such as a platform.

    Raises
    ------
    InstanceError
        With every fault found; its pointers walk `body`.
    """
    _check_long_parts(model, body)
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise InstanceError(faults=validation_faults(error, body)) from None
