"""Which jobs are asked for: the query parameters of lists and streams of jobs."""

import re
from typing import Annotated, Literal, NamedTuple

from fastapi import Query

from app.db.matching import Wanted
from app.http.parameters import documented, documented_values
from app.http.refusals import refused_parameter
from steadygrid.domain.job import MOST_LABELS, JobState, Outcome
from steadygrid.kinds import PROBLEMS

_LONGEST = 200
_LABEL_KEY = re.compile(r"[A-Za-z0-9_.-]{1,63}", re.ASCII)
_ANY = "any of these"
MOST_COUNTED = 10_000
"""Jobs of a total. A longer list is not counted to its end."""

States = Annotated[list[JobState] | None, Query(description=_ANY)]
Outcomes = Annotated[list[Outcome] | None, Query(description=_ANY)]
Kinds = Annotated[list[Annotated[str, documented_values(PROBLEMS)]] | None, Query(description=_ANY)]
LabelPairs = Annotated[
    list[Annotated[str, documented("^[A-Za-z0-9_.-]{1,63}:")]] | None,
    Query(max_length=MOST_LABELS, description="`key:value`, all of these"),
]
NamePrefix = Annotated[
    str, Query(max_length=_LONGEST, description="what the name begins with, case and all")
]
_SWEEP = "^(none|swp_[0-9a-f]{32})$"
SINGLE = "none"
NamePart = Annotated[
    str,
    Query(
        max_length=_LONGEST,
        description="a part of the name or of the id. ASCII letters in upper or lower case",
    ),
]
Order = Annotated[Literal["newest", "oldest"], Query(description="with which jobs the list begins")]
Total = Annotated[
    bool,
    Query(description=f"count the jobs of all pages, up to {MOST_COUNTED:,}"),
]
OfSweep = Annotated[
    Annotated[str, documented(_SWEEP)] | None,
    Query(description="the sweep whose jobs are asked for. `none`: jobs of no sweep"),
]


class Filters(NamedTuple):
    """What a job has to be. What is empty asks for nothing."""

    states: tuple[JobState, ...] = ()
    kinds: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    name: str = ""
    """Its beginning."""
    sweep: str = ""
    """The sweep that it is one of, or `SINGLE`."""
    find: str = ""
    """A part of its name or id."""

    @property
    def wanted(self) -> Wanted:
        """Give them as the database asks."""
        return Wanted(
            states=self.states,
            kinds=self.kinds,
            labels=self.labels,
            outcomes=self.outcomes,
            name=self.name,
            find=self.find,
            sweep=None if self.sweep == SINGLE else self.sweep,
        )

    def matches_sweep(self, sweep_id: str | None) -> bool:
        """Say whether a job of some sweep, or of none, is asked for."""
        return self.sweep in ("", SINGLE if sweep_id is None else sweep_id)


def filters(
    states: list[JobState] | None,
    kinds: list[str] | None,
    labels: list[str] | None,
    outcomes: list[Outcome] | None = None,
    name: str = "",
    sweep: str | None = None,
    find: str = "",
) -> Filters:
    """Read the query parameters.

    Parameters
    ----------
    states, kinds, outcomes
        Any of these. None: any at all.
    labels
        Pairs ``key:value``, all of which the job must have.
    name
        What the name begins with.
    sweep
        The sweep that it is one of, or `SINGLE`. None: jobs of sweeps, too.
    find
        A part of the name or of the id.

    Raises
    ------
    Refusal
        ``invalid_request`` for an unknown kind, a malformed label or what is no id of a sweep.
    """
    if not set(kinds or ()) <= PROBLEMS.keys():
        known = "the kind is one of: " + ", ".join(PROBLEMS)
        raise refused_parameter("kind", "unknown_kind", known)
    pairs = tuple(_label(text) for text in labels or ())
    if sweep is not None and not re.fullmatch(_SWEEP, sweep, re.ASCII):
        raise refused_parameter("sweep", "invalid_sweep", "expected an id such as swp_..., or none")
    return Filters(
        tuple(states or ()),
        tuple(kinds or ()),
        pairs,
        tuple(outcomes or ()),
        name,
        sweep or "",
        find,
    )


def _label(text: str) -> tuple[str, str]:
    key, colon, value = text.partition(":")
    if not colon or not _LABEL_KEY.fullmatch(key) or len(value) > 200 or not _plain(value):
        raise refused_parameter("label", "invalid_label", "expected key:value")
    return key, value


def _plain(text: str) -> bool:
    return all(character.isprintable() or ord(character) > 0x9F for character in text)
