"""What a job is called: made of what is solved and where it runs, where no name was given."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import Submission

MOST_CHARACTERS = 200
_PLATFORM = "platform"


def name_of(submission: Submission) -> str | None:
    """Give the name that was given, else one made of what is solved and where it runs.

    None where nothing in the body has a name.
    """
    if submission.name is not None:
        return submission.name
    instance = submission.instance
    parts = [instance, *(getattr(instance, member) for member in named_parts(submission.kind))]
    return _made(getattr(part, "name", None) for part in parts)


def name_in(document: Mapping[str, Any]) -> str | None:
    """Give the same for a canonical body, which is not read."""
    name = document.get("name")
    if isinstance(name, str):
        return name
    problem = document["problem"]
    parts = [problem, *(problem.get(member) for member in named_parts(problem["kind"]))]
    return _made(part.get("name") for part in parts if isinstance(part, dict))


def named_parts(kind: str) -> list[str]:
    """Name the members of a kind's instance that may have names.

    What runs comes first, then where: names of platforms come last.
    """
    fields = PROBLEMS[kind].instance.model_fields
    members = [member for member, field in fields.items() if _has_name(field.annotation)]
    return sorted(members, key=lambda member: member == _PLATFORM)


def _has_name(noun: Any) -> bool:
    model = isinstance(noun, type) and issubclass(noun, BaseModel)
    return model and "name" in noun.model_fields


def _made(names: Iterable[Any]) -> str | None:
    made = " on ".join(name for name in names if name and isinstance(name, str))
    if len(made) > MOST_CHARACTERS:
        made = made[: MOST_CHARACTERS - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return made or None
