"""What a code of an error means: its title, its cause, its remedy and its first version."""

from typing import NamedTuple

FIRST = "0.1.0"
"""The version in which a code appeared that names no other."""

OF_REFEREE = (
    "Correct this place if you wrote or changed the answer. Report it if steadygrid computed the"
    " answer: an answer that the referee refuses is never shown as right."
)


class CodeText(NamedTuple):
    """What a code means, in sentences that hold wherever it is raised."""

    title: str
    """Short, without a period at its end."""
    cause: str
    remedy: str
    """What to do, as an imperative."""
    since: str = FIRST
    """The version in which the code appeared."""


def of_referee(title: str, cause: str, since: str = FIRST) -> CodeText:
    """Give the text of a rule of the referee, whose remedy all rules share.

    Parameters
    ----------
    title, cause, since
        As of `CodeText`.
    """
    return CodeText(title, cause, OF_REFEREE, since)


def anchor_of(code: str) -> str:
    """Give the anchor of a code in the guide's page of errors.

    Parameters
    ----------
    code
        With underscores, which anchors do not have.
    """
    return code.replace("_", "-")
