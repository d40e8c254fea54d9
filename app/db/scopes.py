"""What a key may be allowed."""

from enum import StrEnum


class Scope(StrEnum):
    """What a key may be allowed."""

    READ = "read"
    SUBMIT = "submit"
    ADMIN = "admin"
