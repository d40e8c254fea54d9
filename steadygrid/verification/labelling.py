"""That no allocation of a task graph costs less than 1: a proof in floats and integers.

An allocation is a labelling: each task has a processor as its label, its price is a number for
the task and its label, and each file's is a number for its two ends' labels. The cheapest labelling
is found by eliminating one task after the other (bucket elimination): a table over the
labels of the neighbours keeps what the eliminated part costs at least.

The first passes, forth and back, are in floating-point numbers that are never above the truth by more
than a known error. They give, for each table entry, what a labelling with these labels costs at
least, and all entries whose labellings certainly cost 1 or more are dropped. Along an optimal
certificate only the labels of its own allocations are left, and those equally good. What is
left is added up in integers, exactly.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import lcm, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steadygrid.domain.schedule import FileName
from steadygrid.verification.exact import Ratio, add, equals, times
from steadygrid.verification.priced_paths import PricedPaths
from steadygrid.verification.prices import Cost, PriceList
from steadygrid.verification.steady import SteadyInstance

MAX_ENTRIES = 200_000_000
"""Entries of the largest table."""
MAX_LEFT = 20_000_000
"""Entries that are looked at exactly, over all tables."""

Floats = NDArray[np.float64]

_FAR = 4.0
"""Stands for any cost of 4 or more: such costs are never told apart."""
_ERROR = 2.0**-44
"""More than what one rounded operation on costs of at most 8 can add to the error."""


class TooWideError(Exception):
    """The tables would be larger than is sensible."""


def cheap_allocation(
    instance: SteadyInstance,
    prices: PriceList,
    ways: PricedPaths,
    order: Sequence[str],
    max_entries: int = MAX_ENTRIES,
    max_left: int = MAX_LEFT,
) -> Fraction | None:
    """Look for an allocation that costs less than 1.

    Parameters
    ----------
    instance
        Tasks with their times, files with their sizes; it has no fictitious ends.
    prices
        Of the resources, none below 0.
    ways
        What one unit of data of each file costs.
    order
        All tasks; in which order they are eliminated decides only about time and space.

    Returns
    -------
    Fraction or None
        The cost of the cheapest allocation if it is less than 1; None proves that there is none.

    Raises
    ------
    TooWideError
        If a table would have more than `max_entries`, or more than `max_left` entries stay
        too close to 1 to be told from it in floating-point numbers.

    Notes
    -----
    Error bound: all costs are at least 0, and what is above `_FAR` is cut, so every base cost and
    every sum is off by at most 2**-48 where it matters. In what an entry is worth each task and
    each file counts once, and each message of a task twice at most, so the errors add up to less than
    `_ERROR` times their number. Base costs enter rounded down.
    """
    labelling = _Labelling(instance, prices, ways)
    bags = labelling.bags(order, max_entries)
    tolerance = _ERROR * (len(instance.times) + len(instance.sizes) + 1)
    for bag in bags:
        bag.send_forward()
    # Also keeps what is cheapest where that is below 1, and not all else that is.
    surely = min(1 + tolerance, float(bags[-1].forth) + 2 * tolerance)
    left = 0
    for bag in reversed(bags):
        left += bag.send_back(surely, max_left - left)
    least = _least_left(labelling, bags)
    if least is None:
        return None
    value = Fraction(least[0], least[1] * prices.common)
    return value if value < 1 else None


class _Bag:
    """One task of the elimination tree, with the neighbours it has when it is eliminated.

    Attributes
    ----------
    scope, shape
        Those neighbours in the order of their elimination, and their numbers of labels.
    alone
        What each label of the task costs, with the files from and to tasks of one label.
    singles, pairs
        Files of the task: to tasks of one label; to one of the scope, with its axis and
        the cost by the task's label and the other's.
    children
        Bags whose first neighbour is this task (at the root, also those without neighbours).
    forth, back
        By the task's neighbours' labels: the least cost of what is eliminated up to here, and
        of all the rest.
    left
        Labels of the task with the entries, by flat position, that may cost less than 1.
    """

    def __init__(self, task: str, scope: tuple[str, ...], shape: tuple[int, ...]) -> None:
        self.task = task
        self.scope = scope
        self.shape = shape
        self.alone: Floats = np.zeros(0)
        self.singles: list[FileName] = []
        self.pairs: list[tuple[FileName, int, Floats]] = []
        self.children: list[_Bag] = []
        self.forth: Floats = np.zeros(0)
        self.back: Floats = np.zeros(())
        self.left: list[tuple[int, NDArray[np.intp]]] = []

    def send_forward(self) -> None:
        """Eliminate the task: keep its cheapest label for each combination of the others."""
        least = np.full(self.shape, _FAR)
        for label in range(len(self.alone)):
            np.minimum(least, self._table(label), out=least)
        self.forth = least

    def _table(self, label: int) -> Floats:
        """Add up the costs of one label of the task; an axis that matters nowhere has length 1.

        Small parts come first, so that few sums are as large as the table.
        """
        parts = [self._seen(child, label) for child in self.children]
        for _, axis, costs in self.pairs:
            shape = [1] * len(self.shape)
            shape[axis] = -1
            parts.append(costs[label].reshape(shape))
        table: Floats = np.full([1] * len(self.shape), self.alone[label])
        for part in sorted(parts, key=lambda part: part.size):
            table = table + part
        return table

    def _seen(self, child: "_Bag", label: int) -> Floats:
        """Give a child's costs for one label of this task, with the axes of this scope."""
        if not child.scope:
            return child.forth
        shape = [
            size if task in child.scope else 1
            for task, size in zip(self.scope, self.shape, strict=True)
        ]
        seen: Floats = child.forth[label].reshape(shape)
        return seen

    def send_back(self, surely: float, most: int) -> int:
        """Drop the entries of at least `surely`, and tell the children what the rest costs.

        Gives the number of entries left; raises `TooWideError` above `most`.
        """
        for child in self.children:
            child.back = np.full(child.shape, _FAR)
        near = np.flatnonzero(self.forth + self.back < surely)
        if near.size > most:
            raise TooWideError(f"more than {most:,} table entries cost about 1")
        if not near.size:
            return 0
        back = self.back.reshape(-1)[near]
        for label in range(len(self.alone)):
            costs: Floats = back + self.alone[label]
            for _, axis, pair in self.pairs:
                costs += pair[label][_along(self, axis, near)]
            places = [_position_in(child, self, label, near) for child in self.children]
            seen = [
                child.forth.reshape(-1)[place]
                for child, place in zip(self.children, places, strict=True)
            ]
            for part in seen:
                costs += part
            kept = costs < surely
            if not kept.any():
                continue
            self.left.append((label, near[kept]))
            for child, place, part in zip(self.children, places, seen, strict=True):
                rest = np.maximum(costs - part, 0)
                np.minimum.at(child.back.reshape(-1), place[kept], rest[kept])
        return sum(entries.size for _, entries in self.left)


class _Labelling:
    """Costs of labels and of pairs of labels."""

    def __init__(self, instance: SteadyInstance, prices: PriceList, ways: PricedPaths) -> None:
        nodes = {
            task: {
                n: prices.cost_of([(instance.network.computing(n), t)], Fraction(1))
                for n, t in by_name.items()
            }
            for task, by_name in instance.times.items()
        }
        self.sizes = instance.sizes
        self._group = {file: ways.group(file) for file in self.sizes}
        senders = {(self._group[file], name) for file in self.sizes for name in nodes[file[0]]}
        self._ways = {sender: ways.costs(*sender) for sender in senders}
        profiles = _profiles(self._ways, {name for node in nodes.values() for name in node})
        self.labels = {task: _distinct(node, profiles) for task, node in nodes.items()}
        self._nodes = {
            task: [nodes[task][name] for name in names] for task, names in self.labels.items()
        }
        self._units: dict[tuple[int, str, tuple[str, ...]], Floats] = {}

    def exact_node(self, task: str, label: int) -> Ratio:
        """Give the cost of a label, times the prices' common denominator."""
        return self._nodes[task][label].exact

    def exact_file(self, file: FileName, one: int, other: int) -> Ratio:
        """Give the cost of a file between two labels that are connected."""
        size = self.sizes[file]
        if not size:
            return 0, 1
        sender = self._group[file], self.labels[file[0]][one]
        cost = self._ways[sender][self.labels[file[1]][other]]
        return times(size, cost.exact)

    def bags(self, order: Sequence[str], max_entries: int) -> list[_Bag]:
        """Make the elimination tree, its tables still empty; the last bag is its root."""
        turn = {task: position for position, task in enumerate(order)}
        free = {task for task, names in self.labels.items() if len(names) > 1}
        around: dict[str, set[str]] = {task: set() for task in order}
        for first, second in (sorted(file, key=turn.__getitem__) for file in self.sizes):
            if first in free and second in free:
                around[first].add(second)
        bags: dict[str, _Bag] = {}
        for task in order:
            scope = tuple(sorted(around[task], key=turn.__getitem__))
            shape = tuple(len(self.labels[other]) for other in scope)
            entries = prod(shape) * len(self.labels[task])
            if entries > max_entries:
                raise TooWideError(f"a table of {entries:,} entries")
            bags[task] = _Bag(task, scope, shape)
            if scope:
                around[scope[0]].update(scope[1:])
        root = bags[order[-1]]
        for bag in bags.values():
            bag.alone = np.array([_at_least(cost) for cost in self._nodes[bag.task]])
            if bag is not root:
                (bags[bag.scope[0]] if bag.scope else root).children.append(bag)
        for file in self.sizes:
            self._assign(file, bags)
        return list(bags.values())

    def _assign(self, file: FileName, bags: Mapping[str, _Bag]) -> None:
        costs = self._costs(file)
        for near, far, table in ((file[0], file[1], costs), (file[1], file[0], costs.T)):
            if far in bags[near].scope:
                bags[near].pairs.append((file, bags[near].scope.index(far), table))
                return
        # One of the two has a single label: the file is a cost of the other's labels.
        if costs.shape[1] == 1:
            bags[file[0]].alone += costs[:, 0]
            bags[file[0]].singles.append(file)
        else:
            bags[file[1]].alone += costs[0]
            bags[file[1]].singles.append(file)

    def _costs(self, file: FileName) -> Floats:
        """Give the cost of a file for each pair of labels, at least; `_FAR` without a way."""
        users = tuple(self.labels[file[1]])
        group = self._group[file]
        rows: list[Floats] = []
        for sender in self.labels[file[0]]:
            key = group, sender, users
            if key not in self._units:
                ways = self._ways[group, sender]
                self._units[key] = np.array(
                    [_at_least(ways[name]) if name in ways else np.inf for name in users]
                )
            rows.append(self._units[key])
        units = np.array(rows)
        far = np.isinf(units)
        costs = np.where(far, 0.0, units) * float(self.sizes[file])
        return np.where(far, _FAR, np.minimum(costs, _FAR))


def _at_least(cost: Cost) -> float:
    """Round a cost to a float, down but for half a unit in the last place."""
    return 2.0**600 if cost.low.bit_length() > 256 + 600 else cost.low / (1 << 256)


_Profile = tuple[tuple[Cost | None, ...], tuple[Cost | None, ...]]
"""What one unit of data costs from a processor to all others, and from all others to it, by group."""


def _profiles(
    ways: Mapping[tuple[int, str], Mapping[str, Cost]], names: AbstractSet[str]
) -> dict[str, _Profile]:
    everywhere = [(group, name) for group in {group for group, _ in ways} for name in sorted(names)]
    nowhere: Mapping[str, Cost] = {}
    return {
        name: (
            tuple(ways.get((group, name), nowhere).get(other) for group, other in everywhere),
            tuple(ways.get(sender, nowhere).get(name) for sender in everywhere),
        )
        for name in names
    }


def _distinct(node: Mapping[str, Cost], profiles: Mapping[str, _Profile]) -> list[str]:
    """Keep one of those processors that cost a task exactly the same, wherever the others are."""
    kept: dict[tuple[Any, ...], str] = {}
    for name, cost in node.items():
        there, back = profiles[name]
        costs = (cost, *there, *back)
        rough = tuple(None if c is None else (c.low, c.slack) for c in costs)
        first = kept.setdefault(rough, name)
        if first != name:
            others = (node[first], *profiles[first][0], *profiles[first][1])
            same = all(
                c is d or (c is not None and d is not None and equals(c.exact, d.exact))
                for c, d in zip(costs, others, strict=True)
            )
            if not same:
                kept[*rough, name] = name
    return list(kept.values())


class _Message(NamedTuple):
    """Exact costs of combinations of labels, by their flat positions in ascending order."""

    positions: NDArray[np.intp]
    costs: NDArray[Any]


def _least_left(labelling: _Labelling, bags: Sequence[_Bag]) -> Ratio | None:
    """Give the least cost, times the prices' common denominator, among what is left.

    None where nothing is left.
    """
    scale = _Scale(labelling, bags)
    messages: dict[str, _Message] = {}
    for bag in bags:
        message = _eliminate(bag, scale, messages)
        if message is None:
            return None
        messages[bag.task] = message
    return messages[bags[-1].task].costs[0], scale.common


class _Scale:
    """Exact costs of what is left, as integers over one common denominator."""

    def __init__(self, labelling: _Labelling, bags: Sequence[_Bag]) -> None:
        self._ratios: dict[tuple[Any, ...], Ratio] = {}
        for bag in bags:
            for label, entries in bag.left:
                terms = [labelling.exact_node(bag.task, label)]
                for file in bag.singles:
                    ends = (label, 0) if file[0] == bag.task else (0, label)
                    terms.append(labelling.exact_file(file, *ends))
                self._ratios[bag.task, label] = add(terms)
                for file, axis, _ in bag.pairs:
                    for other in np.unique(_along(bag, axis, entries)).tolist():
                        ends = (label, other) if file[0] == bag.task else (other, label)
                        self._ratios[file, label, other] = labelling.exact_file(file, *ends)
        self.common = lcm(*(denominator for _, denominator in self._ratios.values()))

    def cost(self, *key: Any) -> int:
        """Give a cost by task and label, or by file, label of the task, label of the other."""
        numerator, denominator = self._ratios[key]
        return numerator * (self.common // denominator)


def _along(bag: _Bag, axis: int, entries: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give the label of one neighbour at each flat position."""
    return entries // prod(bag.shape[axis + 1 :]) % bag.shape[axis]


def _eliminate(bag: _Bag, scale: _Scale, messages: Mapping[str, _Message]) -> _Message | None:
    all_entries: list[NDArray[np.intp]] = []
    all_costs: list[NDArray[Any]] = []
    for label, at in bag.left:
        entries, costs = at, np.full(at.size, scale.cost(bag.task, label), dtype=object)
        for file, axis, _ in bag.pairs:
            others, which = np.unique(_along(bag, axis, entries), return_inverse=True)
            each = np.array([scale.cost(file, label, o) for o in others.tolist()], dtype=object)
            costs = costs + each[which]
        for child in bag.children:
            message = messages[child.task]
            asked = _position_in(child, bag, label, entries)
            found = np.searchsorted(message.positions, asked)
            known = message.positions[np.minimum(found, len(message.positions) - 1)] == asked
            entries = entries[known]
            costs = costs[known] + message.costs[found[known]]
        all_entries.append(entries)
        all_costs.append(costs)
    if not sum(entries.size for entries in all_entries):
        return None
    entries, costs = np.concatenate(all_entries), np.concatenate(all_costs)
    by_position = np.argsort(entries, kind="stable")
    positions, starts = np.unique(entries[by_position], return_index=True)
    return _Message(positions, np.minimum.reduceat(costs[by_position], starts))


def _position_in(child: _Bag, bag: _Bag, label: int, entries: NDArray[np.intp]) -> NDArray[np.intp]:
    """Translate flat positions, and the task's own label, into those of a child."""
    asked = np.zeros_like(entries)
    for task, size in zip(child.scope, child.shape, strict=True):
        here = label if task == bag.task else _along(bag, bag.scope.index(task), entries)
        asked = asked * size + here
    return asked
