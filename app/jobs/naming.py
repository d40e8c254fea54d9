"""What a job is called where people look at lists, and files about it."""

import re

from pydantic import BaseModel

from app.db.jobs import JobRecord
from steadygrid.problems.submission import Submission

MOST_CHARACTERS = 200
_PLATFORM = "platform"
_MOST_OF_A_FILE = 60
_NOT_OF_A_FILE = re.compile(r"[^A-Za-z0-9]+")


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


def file_stem(record: JobRecord) -> str:
    """Begin the names of files about a job: its name, as far as any system takes it, or its id."""
    plain = _NOT_OF_A_FILE.sub("-", record.name or "")[:_MOST_OF_A_FILE].strip("-")
    return plain or record.id
