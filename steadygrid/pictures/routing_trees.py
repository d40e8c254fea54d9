"""Trees by which messages travel, as rows that are indented below where they come from or go to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import NamedTuple

from steadygrid.domain.roles import SUM
from steadygrid.domain.schedule import Allocation, Transfer


class TreeRow(NamedTuple):
    """A transfer of a tree, or the processor at its top."""

    processor: str
    """The end that is farther from the top."""
    above: int | None
    """The row of the nearer end. None at the top."""
    depth: int
    transfer: Transfer | None
    inwards: bool
    """Whether data moves towards the top: it is combined on its route."""
    begins: bool
    """Whether what moves is the processor's own data, or begins at this top."""
    combines: bool
    """Whether what moves, or arrives at this top, is combined here."""


@dataclass(frozen=True)
class Tree:
    """The routes of a message in one allocation.

    Attributes
    ----------
    rows
        Every transfer once, each below the row that it starts or ends at.
    """

    allocation: Allocation
    rows: tuple[TreeRow, ...] = field(repr=False)

    @property
    def gathers(self) -> bool:
        """Whether data is combined at the top, or on its route there."""
        return bool(self.allocation.combinations)

    @property
    def spreads(self) -> bool:
        """Whether data leaves the top."""
        return any(row.transfer is not None and not row.inwards for row in self.rows)


def tree_of(allocation: Allocation) -> Tree:
    """Give the tree of an allocation, whose top is where all begins or where all of it arrives.

    Notes
    -----
    O(transfers + combinations).
    """
    return _Growing(allocation).tree()


class _Growing:
    """A tree, row by row."""

    def __init__(self, allocation: Allocation) -> None:
        self._allocation = allocation
        self._made = {one.outcome: one for one in allocation.combinations}
        self._arriving: dict[tuple[str, str], list[Transfer]] = {}
        self._leaving: dict[str, list[Transfer]] = {}
        for transfer in allocation.transfers:
            if self._is_inward(transfer):
                place = transfer.file[1], transfer.path[-1]
                self._arriving.setdefault(place, []).append(transfer)
            else:
                self._leaving.setdefault(transfer.path[0], []).append(transfer)
        self._left = {id(transfer): transfer for transfer in allocation.transfers}
        self._rows: list[TreeRow] = []

    def tree(self) -> Tree:
        """Grow it from its top, and what does not hang together with that from tops of its own."""
        if self._made:
            last = self._allocation.combinations[-1]
            moved = [t for t in self._allocation.transfers if t.file[1] == last.outcome]
            passed = {transfer.path[0] for transfer in moved}
            ends = [t.path[-1] for t in moved if t.path[-1] not in passed]
            top = ends[0] if ends else last.processor
            self._grow(top, *self._feeding(last.outcome, top))
        else:
            reached = {transfer.path[-1] for transfer in self._allocation.transfers}
            starts = [t.path[0] for t in self._allocation.transfers]
            tops = [start for start in starts if start not in reached] or starts
            if tops:
                self._grow(tops[0], [], combines=False)
        for transfer in self._allocation.transfers:
            if id(transfer) in self._left:
                inward = self._is_inward(transfer)
                top = transfer.path[-1 if inward else 0]
                self._grow(top, [transfer] if inward else [], combines=False)
        return Tree(self._allocation, tuple(self._rows))

    def _is_inward(self, transfer: Transfer) -> bool:
        return bool(self._made) and transfer.file[1] != SUM

    def _feeding(self, data: str, place: str) -> tuple[list[Transfer], bool]:
        """List what arrives at a place to be this data, and tell whether it is combined there."""
        found: list[Transfer] = []
        combines = False
        waiting = [data]
        while waiting:
            part = waiting.pop()
            found += self._arriving.get((part, place), ())
            made = self._made.get(part)
            if made is not None and made.processor == place:
                combines = True
                waiting += reversed(made.operands)
        return found, combines

    def _grow(self, top: str, feeding: list[Transfer], combines: bool) -> None:
        """Add a top and all that hangs together with it, each branch in full before the next."""
        leaving = self._leaving.get(top, [])
        begins = any(transfer.file[1] == top for transfer in leaving)
        self._rows.append(TreeRow(top, None, 0, None, False, begins, combines))
        here = len(self._rows) - 1
        waiting = [(transfer, here) for transfer in reversed([*feeding, *leaving])]
        while waiting:
            transfer, above = waiting.pop()
            if self._left.pop(id(transfer), None) is None:
                continue
            inward = self._is_inward(transfer)
            data, processor = transfer.file[1], transfer.path[0 if inward else -1]
            below, combines = self._feeding(data, processor) if inward else ([], False)
            begins = inward and data == processor and not combines
            depth = self._rows[above].depth + 1
            row = TreeRow(processor, above, depth, transfer, inward, begins, combines)
            here = len(self._rows)
            self._rows.append(row)
            if not inward:
                below = self._leaving.get(processor, [])
            waiting += [(one, here) for one in reversed(below)]


class Shape(NamedTuple):
    """Trees that differ only in who is where. The one with the greatest rate stands for all."""

    tree: Tree
    number: int
    rate: Fraction
    """Of all together."""


def shapes_of(trees: Iterable[Tree]) -> tuple[list[Shape], list[int]]:
    """Group trees by shape, the greatest rates first.

    Returns
    -------
    tuple
        The shapes, and the position of each tree's shape among them.
    """
    known: dict[object, int] = {}
    groups: dict[int, list[Tree]] = {}
    keys: list[int] = []
    for tree in trees:
        key = _shape(tree.rows, known)
        keys.append(key)
        groups.setdefault(key, []).append(tree)
    shapes: list[tuple[int, Shape]] = []
    for key, members in groups.items():
        first = max(members, key=lambda tree: tree.allocation.rate)
        rate = sum((tree.allocation.rate for tree in members), Fraction(0))
        shapes.append((key, Shape(first, len(members), rate)))
    shapes.sort(key=lambda pair: -pair[1].rate)
    place = {key: position for position, (key, _) in enumerate(shapes)}
    return [shape for _, shape in shapes], [place[key] for key in keys]


def _shape(rows: Sequence[TreeRow], known: dict[object, int]) -> int:
    """Give the number of a shape, which no other has, for every order of branches."""
    numbers = count(len(known))
    below: list[list[int]] = [[] for _ in rows]
    tops: list[int] = []
    for position in range(len(rows) - 1, -1, -1):
        row = rows[position]
        hops = 0 if row.transfer is None else len(row.transfer.path)
        share = None if row.transfer is None else row.transfer.share
        key = (hops, share, row.inwards, row.begins, row.combines, *sorted(below[position]))
        if key not in known:
            known[key] = next(numbers)
        (tops if row.above is None else below[row.above]).append(known[key])
    whole = ("tops", *sorted(tops))
    if whole not in known:
        known[whole] = next(numbers)
    return known[whole]
