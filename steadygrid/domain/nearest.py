"""Which of the known names a user may have meant."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

_CLOSE = 0.7
_SHORTEST_BEGINNING = 3
"""Letters of a name that suggest another by beginning like it."""
_MOST_LISTED = 6
_EFFORT = 2_000_000
"""Pairs of letters that are compared at most, for all names asked for: about half a second."""


class Known:
    """Names that exist, asked for the one nearest to a name that does not.

    Parameters
    ----------
    names
        In the order given. Where there are very many, the first are compared.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names
        self._effort = _EFFORT
        self._found: dict[str, str | None] = {}
        self._folded: dict[str, str] = {}

    def nearest(self, name: str) -> str | None:
        """Give the nearest name. None where none is near.

        Another case is no distance, and found among any number of names, and so is the shortest of
        those that begin with all of it. Another spelling is looked for first among those that begin
        with the same letter.
        """
        if name not in self._found:
            self._found[name] = self._search(name.casefold())
        return self._found[name]

    def hint(self, name: str) -> str:
        """Give ``. Did you mean 'P1'?``, or nothing where no name is near."""
        found = self.nearest(name)
        return "" if found is None else f". Did you mean {found!r}?"

    def suggestion(self, name: str) -> str:
        """Give a hint, or a few of the names there are where none is near."""
        if hint := self.hint(name):
            return hint
        if not self._folded:
            return ". There are none"
        known = list(self._folded.values())
        listed = ", ".join(map(repr, known[:_MOST_LISTED]))
        more = len(known) - _MOST_LISTED
        verb = "There is" if len(known) == 1 else "There are"
        return f". {verb} {listed}" + (f" and {more:,} more" if more > 0 else "")

    def _search(self, name: str) -> str | None:
        if not self._folded:
            for known in self._names:
                self._folded.setdefault(known.casefold(), known)
        if name in self._folded:
            return self._folded[name]
        if len(name) >= _SHORTEST_BEGINNING:
            longer = (other for other in self._folded if other.startswith(name))
            if found := min(longer, key=len, default=None):
                return self._folded[found]
        alike = [other for other in self._folded if other[:1] == name[:1]]
        for candidates in (alike, self._folded):
            if close := get_close_matches(name, self._affordable(name, candidates), 1, _CLOSE):
                return self._folded[close[0]]
        return None

    def _affordable(self, name: str, candidates: Iterable[str]) -> Iterator[str]:
        for candidate in candidates:
            self._effort -= (len(name) + 1) * (len(candidate) + 1)
            if self._effort < 0:
                return
            yield candidate


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Give the nearest of a few names. None where none is near.

    Parameters
    ----------
    name
        As it was written.
    names
        Those that may have been meant.
    """
    return Known(names).nearest(name)
