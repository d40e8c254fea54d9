"""Short names for long identifiers, as long as nobody can be taken for somebody else."""

from collections import Counter
from collections.abc import Iterable

from rich.cells import cell_len

from workers.console.glyphs import Glyphs, printable, shorten

LONGEST_NAME = 16
"""Cells that a name may take in a picture or a table before it is shortened."""


class Names:
    """Names of processors, media and resources for people.

    Host names such as ``node-17.site.grid.org`` lose their domain where some are too long
    and the first part alone still tells all of them apart.

    Parameters
    ----------
    identifiers
        All identifiers that may be shown.
    """

    def __init__(self, identifiers: Iterable[str]) -> None:
        known = list(identifiers)
        self._short: dict[str, str] = {}
        if any(len(identifier) > LONGEST_NAME for identifier in known):
            heads = Counter(identifier.split(".", 1)[0] for identifier in known)
            for identifier in known:
                head = identifier.split(".", 1)[0]
                if head and heads[head] == 1:
                    self._short[identifier] = head

    def of(self, identifier: str) -> str:
        """Give the name of a processor or medium."""
        return printable(self._short.get(identifier, identifier))

    def of_resource(self, resource: str, width: int, glyphs: Glyphs) -> str:
        """Give the name of a resource in at most `width` cells.

        ``P.send``, ``A->B.link``, ``A--B.half``: the ends of a long one are shortened each by
        itself, so that both can be recognised.
        """
        stem, _, kind = resource.rpartition(".")
        join = next((join for join in ("->", "--") if join in stem), None)
        # Identifiers contain neither.
        ends = [self.of(end) for end in (stem.split(join) if join else [stem])]
        room = width - len(kind) - 1 - len(join or "")
        if sum(map(cell_len, ends)) > room:
            ends = [shorten(end, room // len(ends), glyphs) for end in ends]
        return f"{(join or '').join(ends)}.{kind}"
