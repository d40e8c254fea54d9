"""What the files about a job are called."""

import re

from app.db.jobs import JobRecord

_MOST_OF_A_FILE = 60
_NOT_OF_A_FILE = re.compile(r"[^A-Za-z0-9]+")


def file_stem(record: JobRecord) -> str:
    """Begin the names of files about a job: its name, as far as any system takes it, or its id."""
    plain = _NOT_OF_A_FILE.sub("-", record.name or "")[:_MOST_OF_A_FILE].strip("-")
    return plain or record.id
