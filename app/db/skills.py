"""What a worker can solve, and which jobs it may take."""

from typing import NamedTuple

from sqlalchemy import ColumnElement

from app.db.models import jobs


class Skills(NamedTuple):
    """The kinds that a version knows, and how much a job may require of it.

    Workers of several versions share a queue while they are exchanged one after the other. A job
    that a worker cannot solve is not there for it: another worker takes it, or it waits.
    """

    kinds: tuple[str, ...]
    level: int
    """Jobs that require more are for newer versions."""

    @property
    def suffice(self) -> ColumnElement[bool]:
        """Whether a job is among those that can be solved, as SQL."""
        return jobs.c.kind.in_(self.kinds) & (jobs.c.requires <= self.level)
