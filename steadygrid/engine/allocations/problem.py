"""The instance as the pricing problem sees it: labels by task, files by pairs of tasks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Literal

import numpy as np

from steadygrid.engine.allocations.elimination import Elimination, eliminate
from steadygrid.engine.allocations.network import (
    Distances,
    Floats,
    Integers,
    Network,
)
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.kinds.shared.collection import CollectionInstance

MOST_PAIRS = 60_000_000
"""Numbers in the tables of all files, for pairs of labels, that a solver process has room for."""
MOST_ROUTES = 1_000_000
"""Fixed routes that it has room for."""

MUCH_WORK = 1_000_000
"""Entries of labelling tables, all together, that take no time worth saving."""
WIDE = 10
"""Entries of labelling tables for each pair of labels that are worth a detour."""


@dataclass(frozen=True)
class FloatCosts:
    """What labellings cost at some prices, in floats.

    Attributes
    ----------
    distances
        By file.
    single
        By task, the cost of each label; `pairs`: by file, the cost of each pair of labels.
    """

    distances: list[Distances]
    single: list[Floats]
    pairs: dict[tuple[int, int], Floats]


class Problem:
    """Tasks with their labels (the processors that can run them) and the files among them.

    Parameters
    ----------
    routing
        ``fixed``: see `Network`; ``multipath``: files choose their routes and may be split.
    below
        Only tasks and files count that keep no resource busy for as long: the labels and the routes
        on which they would are left out. Files that may be split take any route.
    labels
        By task, processors that may run it. The processors whose time is given if None.
    check
        Called while fixed routes are found; may raise.
    odd_sets, shares, by_arc
        See `Network`.

    Attributes
    ----------
    labels
        By task, the processor of each label.
    groups
        By file, the routes that are open to it, see `Network.group`.
    """

    def __init__(
        self,
        instance: CollectionInstance,
        routing: Literal["free", "fixed", "multipath"],
        *,
        below: Fraction | None = None,
        network: Network | None = None,
        labels: Sequence[Integers] | None = None,
        check: Callable[[], None] = lambda: None,
        odd_sets: Sequence[OddSet] = (),
        shares: Mapping[str, int] = MappingProxyType({}),
        by_arc: bool = False,
    ) -> None:
        self.instance = instance
        self.files = instance.files
        self.routing = routing
        self._below = below
        if labels is None:
            labels = _labels(instance, below)
        self.labels = list(labels)
        if network is None:
            network = Network(
                instance.platform,
                instance.ports,
                "fixed" if routing == "fixed" else "free",
                {i for k, _, _ in self.files for i in self.labels[k].tolist()},
                {i for _, k, _ in self.files for i in self.labels[k].tolist()},
                check,
                odd_sets,
                shares,
                by_arc=by_arc,
            )
        self.network = network
        self.groups = [
            None
            if below is None or not size or routing == "multipath"
            else network.group(below / size)
            for _, _, size in self.files
        ]
        sorts = np.array(instance.sorts, dtype=np.intp)
        self._times = [
            of_sort[sorts[processors]]
            for of_sort, processors in zip(_float_times(instance), self.labels, strict=True)
        ]
        self._sizes = [float(size) for _, _, size in self.files]
        firsts: dict[bytes, int] = {}
        # By task, the first one with the same labels.
        self._alike = [
            firsts.setdefault(processors.tobytes(), task)
            for task, processors in enumerate(self.labels)
        ]

    @property
    def num_tasks(self) -> int:
        """Tasks of one instance."""
        return len(self.labels)

    @property
    def label_counts(self) -> list[int]:
        """By task, how many processors can run it."""
        return [len(processors) for processors in self.labels]

    @property
    def num_pairs(self) -> int:
        """Numbers in the tables of `costs`: pairs of labels, over all files."""
        counts = self.label_counts
        return sum(counts[source] * counts[target] for source, target, _ in self.files)

    @property
    def too_large(self) -> bool:
        """Whether `costs` would take more memory than there is."""
        if self.routing == "fixed" and self.num_endpoint_pairs > MOST_ROUTES:
            return True
        return self.num_pairs > MOST_PAIRS

    @property
    def num_endpoint_pairs(self) -> int:
        """Pairs of a processor that may send a file and one that may receive one."""
        return len(self.network.sources) * len(self.network.targets)

    @cached_property
    def elimination(self) -> Elimination:
        """A good elimination order of the task graph."""
        pairs = [(k, target) for k, target, _ in self.files]
        return eliminate(self.num_tasks, pairs, self.label_counts)

    @cached_property
    def wide(self) -> bool:
        """Whether labelling tables are far more work than a look at all pairs of labels."""
        work = self.elimination.work(self.label_counts)
        return work > max(MUCH_WORK, WIDE * self.num_pairs)

    @cached_property
    def level_prices(self) -> Floats:
        """The same price for every resource that some task or file can take time of; else 0."""
        prices = np.zeros(len(self.network.resources))
        for times, processors in zip(self._times, self.labels, strict=True):
            prices[processors[times > 0]] = 1.0
        if any(self._sizes):
            for uses in self.network.uses:
                prices[[place for place, _ in uses]] = 1.0
        return prices

    def restricted(self, kept: Sequence[Integers]) -> "Problem":
        """Keep only some labels of each task, given by position."""
        return Problem(
            self.instance,
            self.routing,
            below=self._below,
            network=self.network,
            labels=[labels[places] for labels, places in zip(self.labels, kept, strict=True)],
        )

    def costs(self, prices: Floats) -> FloatCosts:
        """Price labels and pairs of labels; `prices` by resource of the network."""
        by_group = {group: self.network.distances(prices, group) for group in {*self.groups}}
        distances = [by_group[group] for group in self.groups]
        single = [
            times * prices[processors]
            for times, processors in zip(self._times, self.labels, strict=True)
        ]
        pairs: dict[tuple[int, int], Floats] = {}
        looked_up: dict[tuple[int | None, int, int], Floats] = {}
        for (source, target, _), size, group in zip(
            self.files, self._sizes, self.groups, strict=True
        ):
            key = group, self._alike[source], self._alike[target]
            if key not in looked_up:
                ends = np.ix_(self.labels[source], self.labels[target])
                looked_up[key] = by_group[group].matrix[ends]
            lengths = looked_up[key]
            if size:
                pairs[source, target] = lengths * size
            else:
                pairs[source, target] = np.where(np.isfinite(lengths), 0.0, np.inf)
        return FloatCosts(distances, single, pairs)

    @cached_property
    def roundings(self) -> Fraction:
        """Bound the relative error of any cost that is computed from float prices.

        All terms are at least 0 and only ever added, multiplied and compared, so each operation
        adds at most one rounding, relatively. No term passes through more operations than these:
        the conversions, the resources of an arc, the arcs of a path, and the additions of the
        labelling.
        """
        most_uses = max((len(uses) for uses in self.network.uses), default=0)
        operations = (
            16 + most_uses + self.network.longest_path + 4 * (self.num_tasks + len(self.files))
        )
        return Fraction(operations * 9, 8 << 52)


def _labels(instance: CollectionInstance, below: Fraction | None) -> list[Integers]:
    """List by task the processors that can run it, in less than some time if that is given."""
    sorts = np.array(instance.sorts, dtype=np.intp)
    found: list[Integers] = []
    for times in instance.times:
        able = np.zeros(len(sorts), dtype=bool)
        for first in instance.sort_members:
            time = times[first]
            able[first] = time is not None and (below is None or time < below)
        found.append(np.flatnonzero(able[sorts]))
    return found


def _float_times(instance: CollectionInstance) -> Iterator[Floats]:
    """Give by task its times on the first processor of each sort, at the processor's position."""
    for times in instance.times:
        found = np.zeros(len(times))
        for first in instance.sort_members:
            time = times[first]
            found[first] = 0 if time is None else float(time)
        yield found
