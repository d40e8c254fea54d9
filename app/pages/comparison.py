"""Two jobs side by side: what came out, and in what they were asked differently."""

from collections.abc import Iterator, Sequence
from typing import Any

from fastapi import Request

from app.db.packing import unpack
from app.http.identity import tenant_of
from app.http.refusals import refused_parameter
from app.http.resources import resources_of
from app.pages import words
from app.pages.answer import LONGEST_BODY, stored_bodies
from app.pages.differences import MOST_DIFFERENCES, differences
from app.pages.jobs import Opened, opened, row
from steadygrid.report.layout import Column, Listing


def compared(request: Request, ids: Sequence[str]) -> dict[str, Any]:
    """Describe two jobs.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    ids
        Of the jobs.

    Raises
    ------
    Refusal
        ``invalid_request`` if there are not two, ``not_found``.
    """
    if len(ids) != 2:
        raise refused_parameter(
            "job", "two_jobs", f"two jobs are compared, not {len(ids)}: go back and tick two"
        )
    pair = [opened(request, job_id) for job_id in ids]
    with resources_of(request).database.read(tenant_of(request)) as unit:
        bodies = [stored_bodies(unit, one.record.id)[0] for one in pair]
    long = max(map(len, bodies)) > LONGEST_BODY
    asked = [] if long else list(differences(*map(unpack, bodies)))
    columns = [Column("what"), Column("first"), Column("second")]
    return {
        "pair": [(one, row(one.record)) for one in pair],
        "facts": Listing("Side by side", columns, _facts(pair)),
        "asked": asked[:MOST_DIFFERENCES],
        "more": max(0, len(asked) - MOST_DIFFERENCES),
        "long": long,
    }


def _facts(pair: Sequence[Opened]) -> list[list[str]]:
    told = [dict(_facts_of(one)) for one in pair]
    labels = list(dict.fromkeys(label for facts in told for label in facts))
    return [[label, *(facts.get(label, "") for facts in told)] for label in labels]


def _facts_of(one: Opened) -> Iterator[tuple[str, str]]:
    yield "kind", one.record.kind
    yield "state", words.state(one.record.state)
    if one.record.outcome is not None:
        yield "outcome", words.outcome(one.record.outcome)
    if one.told is not None:
        yield "how good", one.told.standing
        yield from ((label, text) for label, text in one.told.facts if label)
    if one.record.state.final:
        yield "seconds", words.seconds(one.record)
