"""Which jobs of a tenant are wanted: the filters of lists, as SQL."""

from collections.abc import Collection, Iterable
from typing import TypedDict

from sqlalchemy import ColumnElement, exists, or_

from app.db.models import job_labels, jobs
from app.db.turns import Lane
from steadygrid.domain.job import JobState, Outcome

_LAST_CHARACTER = 0x10FFFF
_FIRST_SURROGATE, _AFTER_SURROGATES = 0xD800, 0xE000


class Wanted(TypedDict, total=False):
    """What a job has to be. What is empty, or not there, asks for nothing."""

    states: Collection[JobState]
    """Any of these."""
    kinds: Collection[str]
    """Any of these."""
    outcomes: Collection[Outcome]
    """Any of these."""
    labels: Iterable[tuple[str, str]]
    """Pairs of key and value, all of which the job must have."""
    name: str
    """What the name begins with."""
    find: str
    """A part of the name or of the id; ASCII letters in upper or lower case."""
    sweep: str | None
    """The sweep that it is one of. None: none."""


def conditions(tenant: str, wanted: Wanted) -> list[ColumnElement[bool]]:
    """Write what a tenant's jobs have to be; transient ones are in no list.

    Parameters
    ----------
    tenant
        Whose it is, by name.
    wanted
        What is empty, or not there, asks for nothing.
    """
    found: list[ColumnElement[bool]] = [
        jobs.c.tenant == tenant,
        jobs.c.lane != Lane.TRANSIENT.value,
    ]
    if states := wanted.get("states"):
        found.append(jobs.c.state.in_([state.value for state in states]))
    if kinds := wanted.get("kinds"):
        found.append(jobs.c.kind.in_(list(kinds)))
    if outcomes := wanted.get("outcomes"):
        found.append(jobs.c.outcome.in_([outcome.value for outcome in outcomes]))
    if name := wanted.get("name"):
        found.append(_begins_with(name))
    if find := wanted.get("find"):
        parts = [one.icontains(find, autoescape=True) for one in (jobs.c.name, jobs.c.id)]
        found.append(or_(*parts))
    if (sweep := wanted.get("sweep", "")) != "":
        found.append(jobs.c.sweep_id == sweep)
    found += [_has_label(tenant, key, value) for key, value in wanted.get("labels", ())]
    return found


def _has_label(tenant: str, key: str, value: str) -> ColumnElement[bool]:
    return exists().where(
        job_labels.c.tenant == tenant,
        job_labels.c.job_id == jobs.c.id,
        job_labels.c.key == key,
        job_labels.c.value == value,
    )


def _begins_with(prefix: str) -> ColumnElement[bool]:
    """Say that a name begins with a text, as a range, for which there is an index."""
    within = jobs.c.name >= prefix
    beyond = _next_after_all(prefix)
    return within if beyond is None else within & (jobs.c.name < beyond)


def _next_after_all(prefix: str) -> str | None:
    """Give the least text that comes after all that begin with a text. None if there is none."""
    for place in reversed(range(len(prefix))):
        number = ord(prefix[place]) + 1
        if number <= _LAST_CHARACTER:
            is_half = _FIRST_SURROGATE <= number < _AFTER_SURROGATES
            return prefix[:place] + chr(_AFTER_SURROGATES if is_half else number)
    return None
