"""What a key may be allowed."""

from collections.abc import Iterable
from enum import StrEnum


class Scope(StrEnum):
    """What a key may be allowed."""

    READ = "read"
    SUBMIT = "submit"
    ADMIN = "admin"


def known_scopes(names: Iterable[str]) -> frozenset[Scope]:
    """Read stored scopes. Those that only a newer version knows allow nothing here."""
    return frozenset(Scope(name) for name in names if name in set(Scope))
