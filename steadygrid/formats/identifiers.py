"""Names of foreign documents as ids of steadygrid."""

from collections.abc import Iterable

from steadygrid.formats.simgrid.notes import Notes

_LONGEST_ID = 200


def usable_ids(names: Iterable[str], notes: Notes) -> dict[str, str]:
    """Give each name an id: at most 200 characters, no ``--`` or ``->``, no ``-`` at the ends.

    Parameters
    ----------
    names
        As the document has them; different ones get different ids.
    notes
        Gets a line for each sort of thing that is changed or left out.
    """
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        base = name.replace("->", "-:")
        while "--" in base:
            base = base.replace("--", "-.")
        if base.startswith("-"):
            base = f".{base}"
        id_, number = base[:_LONGEST_ID], 1
        if id_.endswith("-"):
            id_ = f"{id_[:-1]}."
        while id_ in taken:
            number += 1
            id_ = f"{base[: _LONGEST_ID - 12]}_{number}"
        taken.add(id_)
        ids[name] = id_
        if id_ != name:
            notes.add("ids that we cannot use are changed", f"{name!r} to {id_!r}")
    return ids
