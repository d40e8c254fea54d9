"""Hosts that are declared together, found by name, without making their names."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from steadygrid.domain.errors import InstanceError
from steadygrid.formats.simgrid.declarations import Declarations, Hosts
from steadygrid.formats.simgrid.xml import refusal

MOST_COMPARED = 2_000_000
"""Groups and names of hosts that are compared one by one, to see that no name is given twice."""
_MOST_DIGITS = 10
_ENDINGS = ("", "_UP", "_DOWN", "_limiter", "_loopback")
"""Of the names of links that a host of a group has."""

_Ends = tuple[str, str]
"""What stands before and after the number in names."""


class _Numbered:
    """Names that differ in a number only: which group has which."""

    def __init__(self) -> None:
        self._by_ends: dict[_Ends, list[tuple[int, int, int]]] = {}

    def add(self, ends: _Ends, numbers: Iterable[range], group: int) -> None:
        pieces = self._by_ends.setdefault(ends, [])
        pieces += ((piece.start, piece.stop, group) for piece in numbers)

    def sort(self) -> None:
        for pieces in self._by_ends.values():
            pieces.sort()

    @property
    def ends(self) -> Sequence[_Ends]:
        return list(self._by_ends)

    def groups(self, ends: _Ends) -> set[int]:
        return {group for _, _, group in self._by_ends[ends]}

    def overlaps(self) -> Iterator[tuple[_Ends, int, int, int]]:
        """Give numbers that two groups have, with both groups."""
        for ends, pieces in self._by_ends.items():
            for (_, stop, one), (start, _, other) in pairwise(pieces):
                if start < stop:
                    yield ends, start, one, other

    def find(self, name: str, beside: _Ends | None = None) -> tuple[int, int] | None:
        """Give a group that has a name, other than those of some ends, and the number in it."""
        for ends in _splits(name):
            pieces = None if ends == beside else self._by_ends.get(ends)
            digits = name[len(ends[0]) : len(name) - len(ends[1])]
            if pieces is None or (digits[0] == "0" and digits != "0"):
                continue
            number = int(digits)
            position = bisect_right(pieces, number, key=lambda piece: piece[0]) - 1
            if position >= 0 and number < pieces[position][1]:
                return pieces[position][2], number
        return None


def _splits(name: str) -> Iterator[_Ends]:
    """Give what may stand before and after a number in a name."""
    for start in range(len(name)):
        for stop in range(start + 1, min(len(name), start + _MOST_DIGITS) + 1):
            if not "0" <= name[stop - 1] <= "9":
                break
            yield name[:start], name[stop:]


def _may_coincide(one: _Ends, other: _Ends) -> bool:
    """Tell whether some numbers between these ends may make the same name. The first begins shorter."""
    shorter, longer = sorted((one[1], other[1]), key=len)
    if one == other or not longer.endswith(shorter):
        return False
    more_before = other[0][len(one[0]) :]
    more_behind = longer[: len(longer) - len(shorter)]
    return more_before[:1].isdigit() or (not more_before and more_behind[-1:].isdigit())


class GroupIndex:
    """Finds the group of a host or of a link by name; knows which hosts stay by themselves.

    Attributes
    ----------
    singles
        Their numbers, for each group: the first of it, and what `set_apart` was reported.
    """

    def __init__(self, groups: Sequence[Hosts]) -> None:
        self._groups = groups
        self.singles = [{hosts.number_at(0)} for hosts in groups]
        self._hosts, self._links = _Numbered(), _Numbered()
        for position, hosts in enumerate(groups):
            self._hosts.add((hosts.prefix, hosts.suffix), hosts.numbers, position)
            self._links.add((hosts.link_prefix, hosts.link_suffix), hosts.numbers, position)
        self._hosts.sort()
        self._links.sort()

    def _with_link(self, name: str) -> tuple[int, int] | None:
        for ending in _ENDINGS:
            found = self._links.find(name.removesuffix(ending)) if name.endswith(ending) else None
            if found is not None:
                return found
        return None

    def set_apart(self, name: str) -> None:
        """Let the host of this name, or of the link of this name, stay by itself."""
        for found in (self._hosts.find(name), self._with_link(name)):
            if found is not None:
                self.singles[found[0]].add(found[1])

    def strangers(self, declarations: Declarations, names: Iterable[str]) -> list[str]:
        """List the names that no host has.

        Parameters
        ----------
        declarations
            What the document declares.
        names
            Those to look for.
        """
        known = {host.id for zone in declarations.zones for host in zone.hosts}
        return [name for name in names if name not in known and self._hosts.find(name) is None]

    def refuse_doubles(self, declarations: Declarations) -> None:
        """Refuse hosts and links of groups whose names others have, too.

        Raises
        ------
        InstanceError
            With the first of them.
        """
        for (prefix, suffix), number, one, other in chain(
            self._hosts.overlaps(), self._links.overlaps()
        ):
            raise self._double(f"{prefix}{number}{suffix}", self._groups[other].line, one)
        for zone in declarations.zones:
            for name, line in [(zone.id, zone.line), *((h.id, h.line) for h in zone.hosts)]:
                if found := self._hosts.find(name):
                    raise self._double(name, line, found[0])
        for link in declarations.links:
            if found := self._with_link(link.id):
                raise self._double(link.id, link.line, found[0])
        self._refuse_likeness()

    def _double(self, name: str, line: int, group: int) -> InstanceError:
        return refusal(
            [
                f"line {line}: {name[:80]!r} is the name of another host, router, zone or link"
                f" (line {self._groups[group].line})"
            ]
        )

    def _refuse_likeness(self) -> None:
        """Compare the names of groups whose ends leave it open whether some are the same."""
        left = MOST_COMPARED
        by_prefix: dict[str, list[_Ends]] = {}
        for ends in self._hosts.ends:
            by_prefix.setdefault(ends[0], []).append(ends)
        for ends in self._hosts.ends:
            for length in range(len(ends[0]) + 1):
                others = by_prefix.get(ends[0][:length], ())
                left -= len(others)
                if any(_may_coincide(other, ends) for other in others):
                    groups = [self._groups[group] for group in self._hosts.groups(ends)]
                    left -= sum(hosts.count for hosts in groups)
                    for hosts in groups if left >= 0 else ():
                        self._refuse_other(hosts, ends)
                if left < 0:
                    raise refusal(
                        [
                            "whether two hosts have the same name takes too long to tell: give"
                            " clusters prefixes that are not others with digits after them"
                        ]
                    )

    def _refuse_other(self, hosts: Hosts, ends: _Ends) -> None:
        for number in chain.from_iterable(hosts.numbers):
            found = self._hosts.find(hosts.name(number), beside=ends)
            if found is not None:
                raise self._double(hosts.name(number), hosts.line, found[0])
