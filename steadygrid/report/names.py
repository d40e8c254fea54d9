"""Short names for long identifiers, as long as none can be taken for another."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from rich.cells import cell_len, set_cell_size

from steadygrid.report.glyphs import Glyphs, printable, shorten

LONGEST_NAME = 16
"""Cells that a name may take in a picture or a table before it is shortened."""


class Names:
    """Names of processors, media, tasks and resources for people.

    Host names such as ``node-17.site.grid.org`` lose the domain that most of them have, where
    some are too long. Names that are too wide still lose letters, but never those by which they
    differ: two identifiers never look the same.

    Parameters
    ----------
    identifiers
        All identifiers that may be shown.
    """

    def __init__(self, identifiers: Iterable[str]) -> None:
        known = list(dict.fromkeys(identifiers))
        self._names = {identifier: printable(identifier) for identifier in known}
        self._by_width: dict[int, dict[str, str]] = {}
        self.left_out = ""
        """What names that are shown lack at their ends, which what is typed needs."""
        domain = _common_domain(known)
        if domain:
            taken = set(known)
            for identifier in known:
                short = identifier.removesuffix(domain)
                if short not in taken:
                    self._names[identifier] = printable(short)
                    if short != identifier:
                        self.left_out = printable(domain)

    def counted(self, sizes: Mapping[str, int]) -> "Names":
        """Give the same names, those of the first ones of several alike with their number."""
        names = Names(())
        names._names = self._names | {
            first: f"{size:,} x {self.name_of(first)}" for first, size in sizes.items()
        }
        names.left_out = self.left_out
        return names

    def name_of(self, identifier: str) -> str:
        """Give the name of a processor or medium."""
        return self._names.get(identifier) or printable(identifier)

    def short_name(self, identifier: str, width: int, glyphs: Glyphs) -> str:
        """Give the name in at most `width` cells, other than that of any other.

        Parameters
        ----------
        identifier
            Of a processor, a medium or a task. An unknown one is shortened by itself.
        width
            Cells that the name may take.
        glyphs
            Characters to draw with.
        """
        if cell_len(self.name_of(identifier)) <= width or identifier not in self._names:
            return shorten(self.name_of(identifier), width, glyphs)
        if width not in self._by_width:
            names = list(self._names.values())
            short = distinct(names, width, glyphs)
            self._by_width[width] = dict(zip(self._names, short, strict=True))
        return self._by_width[width][identifier]

    def of_resource(self, resource: str, width: int, glyphs: Glyphs) -> str:
        """Give the name of a resource in at most `width` cells.

        ``P.send``, ``A->B.link``, ``A--B.half``: the ends of a long one are shortened each by
        itself, so that both can be recognised.

        Parameters
        ----------
        resource
            Its name in certificates.
        width
            Cells that the name may take.
        glyphs
            Characters to draw with.
        """
        stem, dot, kind = resource.rpartition(".")
        join = next((join for join in ("->", "--") if join in stem), None)
        # Identifiers contain neither.
        ends = stem.split(join) if join else [stem]
        room = width - len(kind) - len(dot) - len(join or "")
        short: dict[int, str] = {}
        for left, place in enumerate(
            sorted(range(len(ends)), key=lambda i: cell_len(self.name_of(ends[i])))
        ):
            # What a short end leaves of its share, the other one takes.
            short[place] = self.short_name(ends[place], room // (len(ends) - left), glyphs)
            room -= cell_len(short[place])
        return f"{(join or '').join(short[i] for i in range(len(ends)))}{dot}{kind}"


def _common_domain(identifiers: Sequence[str]) -> str:
    """Give what most identifiers with a dot end in, dot included, where it is worth dropping."""
    hosts = [identifier for identifier in identifiers if "." in identifier.strip(".")]
    if all(len(identifier) <= LONGEST_NAME for identifier in identifiers):
        return ""
    domains = Counter(
        "." + ".".join(labels[i:])
        for labels in (host.split(".") for host in hosts)
        for i in range(1, len(labels))
    )
    shared = [name for name, count in domains.items() if count > max(len(hosts) / 2, 1)]
    return max(shared, key=len, default="")


def _agreement(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the entries up to the first difference."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def distinct(names: Sequence[str], width: int, glyphs: Glyphs) -> list[str]:
    """Shorten names to `width` cells so that those that differ still do.

    Of names that would look the same, another part is kept: the beginning, the end, or the part
    in which they differ. Where that is too long as well, a number tells them apart.

    Parameters
    ----------
    names
        Printable; equal ones are taken for different things.
    """
    short = [shorten(name, width, glyphs) for name in names]
    seen = Counter(short)
    taken = {text for text, count in seen.items() if count == 1}
    groups: dict[str, list[int]] = {}
    for position, text in enumerate(short):
        if seen[text] > 1:
            groups.setdefault(text, []).append(position)
    for members in groups.values():
        for form in (_first, _last, _middle):
            told = form([names[i] for i in members], width, glyphs)
            if len(set(told)) == len(told) and not taken.intersection(told):
                break
        else:
            told = [_numbered(names[i], i + 1, width, glyphs) for i in members]
        taken.update(told)
        for position, text in zip(members, told, strict=True):
            short[position] = text
    return short


def _last(names: Sequence[str], width: int, glyphs: Glyphs) -> list[str]:
    return [glyphs.ellipsis + _end(name, width - len(glyphs.ellipsis)) for name in names]


def _first(names: Sequence[str], width: int, glyphs: Glyphs) -> list[str]:
    return [
        set_cell_size(name, max(width - len(glyphs.ellipsis), 0)).rstrip() + glyphs.ellipsis
        for name in names
    ]


def _middle(names: Sequence[str], width: int, glyphs: Glyphs) -> list[str]:
    begin = min(_agreement(names[0], name) for name in names[1:])
    room = max(width - 2 * len(glyphs.ellipsis), 0)
    return [
        glyphs.ellipsis + set_cell_size(name[begin:], room).rstrip() + glyphs.ellipsis
        for name in names
    ]


def _numbered(name: str, number: int, width: int, glyphs: Glyphs) -> str:
    mark = f"{glyphs.ellipsis}#{number}"
    return set_cell_size(name, max(width - len(mark), 0)).rstrip() + mark


def _end(text: str, width: int) -> str:
    while cell_len(text) > width:
        text = text[1:]
    return text
