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

Where the tables would be too large, labels go first that `LabelBounds` tells to cost 1 or more, and
then the combinations of labels are listed that may cost less. If they are too many, the tables of
the labels that are left may be small enough.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steadygrid.domain.slots import FileName
from steadygrid.verification.exact import Ratio, add, equals, times
from steadygrid.verification.label_bounds import ONE, LabelBounds
from steadygrid.verification.label_combinations import list_combinations
from steadygrid.verification.label_tables import (
    FAR,
    Bag,
    Floats,
    TooWideError,
    count_entries,
    label_along,
    position_in,
)
from steadygrid.verification.priced_paths import PricedPaths
from steadygrid.verification.prices import Cost, PriceList
from steadygrid.verification.steady import SteadyInstance

MAX_ENTRIES = 200_000_000
"""Entries of the largest table."""
MAX_LEFT = 20_000_000
"""Entries that are looked at exactly, over all tables."""

MAX_LISTED = 4_000_000
"""Combinations of labels that are listed, over all tables."""


_ERROR = 2.0**-44
"""More than what one rounded operation on costs of at most 8 can add to the error."""


def cheap_allocation(
    instance: SteadyInstance,
    prices: PriceList,
    path_prices: PricedPaths,
    order: Sequence[str],
    max_entries: int = MAX_ENTRIES,
    max_left: int = MAX_LEFT,
    max_listed: int = MAX_LISTED,
    *,
    whole: bool = False,
) -> Fraction | None:
    """Look for an allocation that costs less than 1.

    Parameters
    ----------
    instance
        Tasks with their times, files with their sizes. It has no fictitious ends.
    prices
        Of the resources, none below 0.
    path_prices
        What one unit of data of each file costs.
    order
        All tasks; in which order they are eliminated decides only about time and space.
    whole
        Whether all labels have to fit into the tables, without a look at which may matter.

    Returns
    -------
    Fraction or None
        The cost of the cheapest allocation if it is less than 1. None proves that there is none.

    Raises
    ------
    TooWideError
        If a table of all labels that may matter would have more than `max_entries`, and more than
        `max_listed` of their combinations may. Or if more than `max_left` entries stay too
        close to 1 to be told from it in floating-point numbers.

    Notes
    -----
    Error bound: all costs are at least 0, and what is above `FAR` is cut, so every base cost and
    every sum is off by at most 2**-48 where it matters. In what an entry is worth each task and
    each file counts once, and each message of a task twice at most, so the errors add up to less than
    `_ERROR` times their number. Base costs enter rounded down.
    """
    labelling = _Labelling(instance, prices, path_prices)
    bags = labelling.bags(order)
    listed = False
    if count_entries(bags) > max_entries:
        if whole:
            raise TooWideError(f"a table of {count_entries(bags):,} entries")
        if not labelling.keep(labelling.bounds(bags).labels()):
            return None
        bags = labelling.bags(order)
        listed = list_combinations(labelling.bounds(bags), bags, max_listed)
        if not listed and count_entries(bags) > max_entries:
            raise TooWideError(
                f"a table of {count_entries(bags):,} entries, too many of which may cost less than 1"
            )
    if not listed:
        _compare(bags, _ERROR * (len(instance.times) + len(instance.sizes) + 1), max_left)
    least = _least_left(labelling, bags)
    if least is None:
        return None
    value = Fraction(least[0], least[1] * prices.common)
    return value if value < 1 else None


def _compare(bags: Sequence[Bag], tolerance: float, max_left: int) -> None:
    """Find what may cost less than 1, forth and back; sums are off by less than the tolerance."""
    for bag in bags:
        bag.send_forward()
    # Also keeps what is cheapest where that is below 1, and not all else that is.
    surely = min(1 + tolerance, float(bags[-1].forth) + 2 * tolerance)
    left = 0
    for bag in reversed(bags):
        left += bag.send_back(surely, max_left - left)


class _Labelling:
    """Costs of labels and of pairs of labels."""

    def __init__(
        self, instance: SteadyInstance, prices: PriceList, path_prices: PricedPaths
    ) -> None:
        nodes = {
            task: {
                n: prices.cost_of([(instance.network.computing(n), t)], Fraction(1))
                for n, t in by_name.items()
            }
            for task, by_name in instance.times.items()
        }
        self.sizes = instance.sizes
        self._group = {file: path_prices.group(file) for file in self.sizes}
        senders = {(self._group[file], name) for file in self.sizes for name in nodes[file[0]]}
        self._path_costs = {sender: path_prices.costs(*sender) for sender in senders}
        profiles = _profiles(self._path_costs, {name for node in nodes.values() for name in node})
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
        cost = self._path_costs[sender][self.labels[file[1]][other]]
        return times(size, cost.exact)

    def keep(self, bounds: Mapping[str, NDArray[np.int64]]) -> bool:
        """Drop the labels that cost 1 or more; tell whether each task has one left."""
        kept = {task: np.flatnonzero(least < ONE) for task, least in bounds.items()}
        self.labels = {
            task: [names[k] for k in kept[task].tolist()] for task, names in self.labels.items()
        }
        self._nodes = {
            task: [costs[k] for k in kept[task].tolist()] for task, costs in self._nodes.items()
        }
        return all(self.labels.values())

    def bounds(self, bags: Sequence[Bag]) -> LabelBounds:
        """Bound what labellings cost, by their labels, from costs that are rounded down.

        What is not rounded down in the costs of `bags` is off by a half unit in the last place for
        each operation. There are at most as many operations as a task has files, and a few more.
        """
        number = len(self.sizes) + 8
        factor = ONE * (1 - number * 2.0**-52)

        def down(costs: Floats) -> NDArray[np.int64]:
            return np.floor(np.minimum(costs, FAR) * factor).astype(np.int64)

        single = {bag.task: down(bag.alone) for bag in bags}
        pairs: dict[FileName, NDArray[np.int64]] = {}
        for bag in bags:
            for _, axis, costs in bag.pairs:
                pairs[bag.task, bag.scope[axis]] = down(costs)
        return LabelBounds(single, pairs)

    def bags(self, order: Sequence[str]) -> list[Bag]:
        """Make the elimination tree, its tables still empty. The last bag is its root."""
        turn = {task: position for position, task in enumerate(order)}
        free = {task for task, names in self.labels.items() if len(names) > 1}
        around: dict[str, set[str]] = {task: set() for task in order}
        for first, second in (sorted(file, key=turn.__getitem__) for file in self.sizes):
            if first in free and second in free:
                around[first].add(second)
        bags: dict[str, Bag] = {}
        for task in order:
            scope = tuple(sorted(around[task], key=turn.__getitem__))
            shape = tuple(len(self.labels[other]) for other in scope)
            bags[task] = Bag(task, scope, shape)
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

    def _assign(self, file: FileName, bags: Mapping[str, Bag]) -> None:
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
        """Give the cost of a file for each pair of labels, at least; `FAR` without a path."""
        users = tuple(self.labels[file[1]])
        group = self._group[file]
        rows: list[Floats] = []
        for sender in self.labels[file[0]]:
            key = group, sender, users
            if key not in self._units:
                path_prices = self._path_costs[group, sender]
                self._units[key] = np.array(
                    [
                        _at_least(path_prices[name]) if name in path_prices else np.inf
                        for name in users
                    ]
                )
            rows.append(self._units[key])
        units = np.array(rows)
        far = np.isinf(units)
        costs = np.where(far, 0.0, units) * float(self.sizes[file])
        return np.where(far, FAR, np.minimum(costs, FAR))


def _at_least(cost: Cost) -> float:
    """Round a cost to a float, down but for half a unit in the last place."""
    return 2.0**600 if cost.low.bit_length() > 256 + 600 else cost.low / (1 << 256)


_Profile = tuple[tuple[Cost | None, ...], tuple[Cost | None, ...]]
"""What one unit of data costs from a processor to all others, and from all others to it, by group."""


def _profiles(
    path_prices: Mapping[tuple[int, str], Mapping[str, Cost]], names: AbstractSet[str]
) -> dict[str, _Profile]:
    everywhere = [
        (group, name) for group in {group for group, _ in path_prices} for name in sorted(names)
    ]
    nowhere: Mapping[str, Cost] = {}
    return {
        name: (
            tuple(
                path_prices.get((group, name), nowhere).get(other) for group, other in everywhere
            ),
            tuple(path_prices.get(sender, nowhere).get(name) for sender in everywhere),
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


def _least_left(labelling: _Labelling, bags: Sequence[Bag]) -> Ratio | None:
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

    def __init__(self, labelling: _Labelling, bags: Sequence[Bag]) -> None:
        self._ratios: dict[tuple[Any, ...], Ratio] = {}
        for bag in bags:
            for label, entries in bag.left:
                terms = [labelling.exact_node(bag.task, label)]
                for file in bag.singles:
                    ends = (label, 0) if file[0] == bag.task else (0, label)
                    terms.append(labelling.exact_file(file, *ends))
                self._ratios[bag.task, label] = add(terms)
                for file, axis, _ in bag.pairs:
                    for other in np.unique(label_along(bag, axis, entries)).tolist():
                        ends = (label, other) if file[0] == bag.task else (other, label)
                        self._ratios[file, label, other] = labelling.exact_file(file, *ends)
        self.common = lcm(*(denominator for _, denominator in self._ratios.values()))

    def cost(self, *key: Any) -> int:
        """Give a cost by task and label, or by file, label of the task, label of the other."""
        numerator, denominator = self._ratios[key]
        return numerator * (self.common // denominator)


def _eliminate(bag: Bag, scale: _Scale, messages: Mapping[str, _Message]) -> _Message | None:
    all_entries: list[NDArray[np.intp]] = []
    all_costs: list[NDArray[Any]] = []
    for label, at in bag.left:
        entries, costs = at, np.full(at.size, scale.cost(bag.task, label), dtype=object)
        for file, axis, _ in bag.pairs:
            others, which = np.unique(label_along(bag, axis, entries), return_inverse=True)
            each = np.array([scale.cost(file, label, o) for o in others.tolist()], dtype=object)
            costs = costs + each[which]
        for child in bag.children:
            message = messages[child.task]
            asked = position_in(child, bag, label, entries)
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
