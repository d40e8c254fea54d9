"""Members of a document's lists and objects, as the steps of a path ask for them."""

from collections.abc import Iterable
from typing import Any

from steadygrid.domain.errors import Fault, LimitError

_MOST_WHOLE = 10**18
Member = tuple[str | int, Any]
Wanted = tuple[tuple[str, str], ...]
"""Names of members, and what they are compared with."""


class Entries:
    """Looks members up, and counts at how many it has looked.

    What selectors ask of a list is read once for each list: with k selectors over n entries, time is
    O(n + k), not O(n k).

    Parameters
    ----------
    most
        Members that may be looked at. None: any number.
    """

    def __init__(self, most: int | None = None) -> None:
        self._left = most
        self._most = most
        self._known: dict[tuple[int, tuple[str, ...]], dict[tuple[str, ...], list[int]]] = {}

    def all_members(self, part: Any) -> list[Member]:
        """Give all members of a list or an object."""
        found: list[Member] = []
        if isinstance(part, dict):
            found = list(part.items())
        elif isinstance(part, list):
            found = list(enumerate(part))
        self.count(len(found))
        return found

    def selected(self, part: Any, wanted: Wanted) -> list[Member]:
        """Give the entries whose members are as said, in their order.

        Parameters
        ----------
        part
            A list or an object. Others have no entries.
        wanted
            What the entries have to be.
        """
        names = tuple(name for name, _ in wanted)
        texts = tuple(text for _, text in wanted)
        if not isinstance(part, list):
            members = self.all_members(part)
            return [(name, entry) for name, entry in members if _key(entry, names) == texts]
        key = id(part), names
        if key not in self._known:
            self.count(len(part))
            found: dict[tuple[str, ...], list[int]] = {}
            for index, entry in enumerate(part):
                told = _key(entry, names)
                if told is not None:
                    found.setdefault(told, []).append(index)
            self._known[key] = found
        chosen = self._known[key].get(texts, [])
        self.count(1 + len(chosen))
        return [(index, part[index]) for index in chosen]

    def forget(self, name: str | int, value: Any) -> None:
        """Forget what is not so any more after a value was put.

        Parameters
        ----------
        name
            Of the member that has the value now.
        value
            Of any sort.
        """
        if isinstance(value, dict | list) or isinstance(name, int):
            self._known.clear()
            return
        for key in [key for key in self._known if name in key[1]]:
            del self._known[key]

    def count(self, more: int) -> None:
        """Count members that were looked at, or other work that takes as long.

        Parameters
        ----------
        more
            How many.

        Raises
        ------
        LimitError
            For more than may be.
        """
        if self._left is None:
            return
        self._left -= more
        if self._left < 0:
            detail = (
                f"the changes look at more than {self._most:,} members: name entries by"
                " '[id=P2]' or by their numbers, and not by '*'"
            )
            raise LimitError(faults=[Fault((), "limit_exceeded", detail)])


def _key(entry: Any, names: Iterable[str]) -> tuple[str, ...] | None:
    """Give what selectors compare of an entry. None where it has not all of it."""
    if not isinstance(entry, dict):
        return None
    texts = [_text(entry.get(name)) for name in names]
    return None if None in texts else tuple(texts)  # type: ignore[arg-type]


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if whole and 0 <= value < _MOST_WHOLE else None
