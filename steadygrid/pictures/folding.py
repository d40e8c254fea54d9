"""Several that look the same are drawn as one: what such a group is called, and who is in it."""

from collections.abc import Sequence

MOST_MEMBERS = 50
"""Members of a group that are named; the others are counted."""


def group_label(members: Sequence[str]) -> str:
    """Give the first id up to its first dot, and how many there are: ``graphene-1 … ×31``.

    One alone keeps its id.
    """
    first = members[0]
    if len(members) == 1:
        return first
    return f"{first.partition('.')[0] or first} … ×{len(members)}"


def members_text(members: Sequence[str]) -> str:
    """Name the members, up to `MOST_MEMBERS` of them, and count the others."""
    more = len(members) - MOST_MEMBERS
    named = ", ".join(members[:MOST_MEMBERS])
    return f"{named} and {more:,} more" if more > 0 else named
