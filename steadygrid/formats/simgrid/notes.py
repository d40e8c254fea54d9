"""Warnings, grouped: one sentence for each kind of loss, not one line for each host."""

from collections import Counter

FORWARDS_ONLY = (
    "no speed: the host forwards only, and its ports limit it as those of any host. If it is a"
    " network switch, set switch to yes"
)
_SHOWN = 3
_LONGEST = 60


class Notes:
    """Collects what an import lost or had to interpret."""

    def __init__(self) -> None:
        self._names: dict[str, list[str]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, sentence: str, name: str) -> None:
        """Count one more case of `sentence`; `name` says where.

        Parameters
        ----------
        sentence
            What was done. The same for all cases.
        name
            Of an element, as an example.
        """
        self._counts[sentence] += 1
        names = self._names.setdefault(sentence, [])
        if len(names) < _SHOWN:
            names.append(name if len(name) <= _LONGEST else name[:_LONGEST] + "...")

    def say(self, sentence: str) -> None:
        """Note what needs no example.

        Parameters
        ----------
        sentence
            What was done or assumed, whole.
        """
        self._names.setdefault(sentence, [])

    def sentences(self) -> tuple[str, ...]:
        """Each sentence once, with the first names and the number of the others."""
        written = []
        for sentence, names in self._names.items():
            others = self._counts[sentence] - len(names)
            more = f" and {others:,} more" if others else ""
            written.append(f"{sentence}: {', '.join(names)}{more}" if names else sentence)
        return tuple(written)
