"""Jobs before they are stored: their names, and what belongs to each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.db.ids import DIGITS, id_born, new_id
from app.db.packing import pack
from app.db.turns import Lane
from steadygrid.domain.job import Options

OF_JOBS = "job_"


def new_job_id() -> str:
    """Make an id that sorts by its birth: ``job_`` and 32 hexadecimal digits."""
    return new_id(OF_JOBS)


def id_before(job_id: str, seconds: float) -> str:
    """Give what sorts before the ids of all jobs born not longer than so before a job.

    Empty, which sorts before all, if the id is none of this service.

    Parameters
    ----------
    job_id
        Of the job.
    seconds
        How long before the job the others may have been born.
    """
    digits = job_id.removeprefix(OF_JOBS)[:DIGITS]
    try:
        born = int(digits, 16)
    except ValueError:
        return ""
    return id_born(OF_JOBS, born - round(1000 * seconds))


@dataclass(frozen=True)
class NewJob:
    """A job ready to be stored."""

    id: str
    kind: str
    name: str | None
    """For people."""
    labels: Mapping[str, str]
    warnings: Sequence[str]
    time_limit: float
    packed: bytes | None
    """Its body. None where that is made of its sweep's template."""
    requires: int
    """See `steadygrid.domain.problem.Problem.requires`."""
    priority: int
    """Of the tenant's jobs, those of greater priority are done first."""
    draft: bytes | None = None
    """Its body as it was sent, where that says more; packed."""
    lane: Lane = Lane.SINGLE
    """Where it waits."""

    @classmethod
    def create(
        cls,
        kind: str,
        document: Mapping[str, Any],
        labels: Mapping[str, str] | None = None,
        warnings: Sequence[str] = (),
        requires: int = 0,
        name: str | None = None,
        priority: int = 0,
        draft: Any = None,
        lane: Lane = Lane.SINGLE,
    ) -> "NewJob":
        """Name a job and compress its canonical, self-contained body; not inside a unit.

        Parameters
        ----------
        kind
            Of the problem.
        document
            The canonical body, with its references resolved.
        labels
            Values by key.
        warnings
            Sentences about the body.
        requires
            See `steadygrid.domain.problem.Problem.requires`.
        name
            For people. None: it has none.
        priority
            Of the tenant's jobs, those of greater priority are done first.
        draft
            The body as it was sent, where it names what is stored or has changes; else None.
        lane
            Where it waits.
        """
        time_limit = document.get("options", {}).get("time_limit", Options().time_limit)
        return cls(
            id=new_job_id(),
            kind=kind,
            name=name,
            labels=dict(labels or {}),
            warnings=list(warnings),
            time_limit=float(time_limit),
            packed=pack(document),
            requires=requires,
            priority=priority,
            draft=None if draft is None else pack(draft),
            lane=lane,
        )

    @property
    def num_bytes(self) -> int:
        """Bytes that are stored with it."""
        return len(self.packed or b"") + len(self.draft or b"")
