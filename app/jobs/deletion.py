"""Deleting many jobs with one request; sync, for the thread pool."""

from datetime import datetime
from typing import Annotated, NamedTuple

from fastapi import Query

from app.db.audit import Action
from app.http.identity import Identity
from app.http.parameters import documented
from app.http.refusals import refused_parameter
from app.http.resources import Resources
from app.jobs.filters import Filters
from steadygrid.domain.moments import MOMENT, read_moment

MOST_DELETED = 1_000
"""Jobs that one request deletes."""
AT_ONCE = 50
"""Jobs that are deleted in one unit: others write in between."""

Before = Annotated[
    Annotated[str, documented(f"^{MOMENT}$", 40)],
    Query(
        description="a moment as RFC 3339 has it, such as 2026-11-23T00:00:00Z. Jobs that ended"
        " then or later stay"
    ),
]


class Deleted(NamedTuple):
    """What one request has deleted."""

    deleted: int
    more: bool
    """Whether there are more such jobs."""


def delete_ended(parts: Resources, by: Identity, wanted: Filters, before: str) -> Deleted:
    """Delete jobs that ended before a moment, up to `MOST_DELETED` of them, and write that down.

    Parameters
    ----------
    parts
        The parts of the running application.
    by
        Who asks. The audit line names them.
    wanted
        What the jobs have to be; something has to be asked for.
    before
        A moment, as it was written.

    Raises
    ------
    Refusal
        ``invalid_request`` if only the moment is given, or it is none, or a state is not final.
    DatabaseUnavailableError
        Some may have been deleted. The same request deletes the rest.
    """
    moment = _moment(before)
    if not any(wanted):
        raise refused_parameter(
            "label", "missing_filter", "say which jobs: by label, state, kind, outcome or name"
        )
    if not all(state.final for state in wanted.states):
        raise refused_parameter(
            "state", "not_final", "only jobs that have ended are deleted: cancel the others first"
        )
    count, piece = 0, AT_ONCE
    while count < MOST_DELETED and piece == AT_ONCE:
        with parts.database.write(by.tenant) as unit:
            piece = unit.jobs.delete_ended(AT_ONCE, moment, **wanted.wanted)
            if piece:
                subject = f"{piece} jobs that ended before {before}{_filters_text(wanted)}"
                unit.audit.write(by.tenant, by.actor, Action.JOB_DELETED, subject)
        count += piece
    with parts.database.read(by.tenant) as unit:
        return Deleted(count, unit.jobs.any_ended(moment, **wanted.wanted))


def _filters_text(wanted: Filters) -> str:
    """Write filters for an audit line."""
    pairs = {
        "states": wanted.states,
        "kinds": wanted.kinds,
        "labels": [":".join(pair) for pair in wanted.labels],
        "outcomes": wanted.outcomes,
        "name": [wanted.name] if wanted.name else [],
    }
    return "".join(f", {name} {' '.join(values)}" for name, values in pairs.items() if values)


def _moment(text: str) -> datetime:
    moment = read_moment(text)
    if moment is not None:
        return moment
    raise refused_parameter(
        "before",
        "not_a_moment",
        "expected a moment such as 2026-11-23T00:00:00Z (a + in an address is written %2B)",
    )
