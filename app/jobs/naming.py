"""What a job is called where people look at lists."""

from pydantic import BaseModel

from steadygrid.problems.submission import Submission

MOST_CHARACTERS = 200
_PLATFORM = "platform"


def name_of(submission: Submission) -> str | None:
    """Give the name that was given, else one made of what is solved and where it runs.

    None where nothing in the body has a name.
    """
    if submission.name is not None:
        return submission.name
    instance = submission.instance
    # What runs first, then where: names of platforms come last.
    members = sorted(type(instance).model_fields, key=lambda member: member == _PLATFORM)
    parts = [getattr(instance, member) for member in members]
    names = [getattr(part, "name", None) for part in parts if isinstance(part, BaseModel)]
    made = " on ".join(name for name in names if name)
    if len(made) > MOST_CHARACTERS:
        made = made[: MOST_CHARACTERS - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return made or None
