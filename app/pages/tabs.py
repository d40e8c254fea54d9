"""Tabs of the page of a job: each is a page of the server, with an address of its own."""

from collections.abc import Sequence
from typing import NamedTuple

from app.http.refusals import Refusal

ANSWER, SCHEDULE, PROOF, WHAT_IF, CHANGES, FILES, QUESTION = (
    "",
    "schedule",
    "proof",
    "what-if",
    "changes",
    "files",
    "question",
)
TITLES = {
    ANSWER: "Answer",
    SCHEDULE: "Schedule",
    PROOF: "Proof",
    WHAT_IF: "What would help",
    CHANGES: "Speeds changed",
    FILES: "Files",
    QUESTION: "Question",
}
"""What tabs are called, by how they stand in the address, in the order in which they stand."""
_ANCHORS = {
    SCHEDULE: ("what", "figures", "pictures"),
    PROOF: ("proof",),
    WHAT_IF: ("help",),
    CHANGES: ("changed",),
    FILES: ("downloads",),
    QUESTION: ("instance",),
}
"""Names of the sections that a tab has. Addresses once named them on the page of the job."""


class Tab(NamedTuple):
    """A link to a part of the page.

    Attributes
    ----------
    path
        Below the address of the pages, with the query.
    anchors
        Sections of the tab. None for the open tab, which has the sections themselves.
    """

    name: str
    title: str
    path: str
    open: bool
    anchors: Sequence[str]


def require_tab(name: str) -> None:
    """Raise `Refusal` ``not_found`` for a tab that pages of jobs do not have."""
    if name not in TITLES:
        known = ", ".join(filter(None, TITLES))
        raise Refusal("not_found", f"The page of a job has no part {name!r}: it has {known}.")


def tabs(job_id: str, filled: Sequence[str], opened: str, query: str) -> list[Tab]:
    """List the tabs of a job.

    Parameters
    ----------
    job_id
        Of the job.
    filled
        Names of the tabs that have something to show.
    opened
        Name of the one that is open.
    query
        What the address says besides, which all tabs keep.
    """
    asked = f"?{query}" if query else ""
    return [
        Tab(
            name,
            title,
            f"/jobs/{job_id}{'/' if name else ''}{name}{asked}",
            name == opened,
            () if name == opened else _ANCHORS.get(name, ()),
        )
        for name, title in TITLES.items()
        if name in filled or name == opened
    ]
