"""The combinations of labels that cheap labellings can have, where tables of all would be too large."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steadygrid.verification.label_bounds import NEVER, ONE, LabelBounds
from steadygrid.verification.label_tables import Bag, count_entries, label_along, position_in

MOST_POSITIONS = 1 << 62
"""Entries of a table that can be numbered."""


def list_combinations(bounds: LabelBounds, bags: Sequence[Bag], max_listed: int) -> bool:
    """List what may cost less than 1, from the root: combinations extend those of the parent.

    Lists nothing and gives false where there are too many of them, or they cannot be numbered.
    """
    if count_entries(bags) >= MOST_POSITIONS:
        return False
    parents = {child.task: bag for bag in bags for child in bag.children}
    listed = 0
    for bag in reversed(bags):
        at = np.zeros(1, dtype=np.intp)
        parent = parents.get(bag.task)
        if parent is not None:
            found = [position_in(bag, parent, label, some) for label, some in parent.left]
            at = np.unique(np.concatenate(found)) if found else at[:0]
        above = np.array(
            [label_along(bag, axis, at) for axis in range(len(bag.shape))], dtype=np.intp
        )
        by_label: dict[int, list[NDArray[np.intp]]] = {}
        for labels, extended in bounds.extensions(
            bag.task, bag.scope, above.reshape(len(bag.shape), len(at))
        ):
            listed += len(labels)
            if listed > max_listed:
                for other in bags:
                    other.left = []
                return False
            for label in np.unique(labels).tolist():
                by_label.setdefault(label, []).append(at[extended[labels == label]])
        bag.left = [(label, np.concatenate(some)) for label, some in sorted(by_label.items())]
    _drop_dear(bounds, bags)
    return True


class _Listed(NamedTuple):
    """The combinations of a bag, and what they cost at least with all that is eliminated before.

    `positions` are those of the scope, in ascending order, `least` what they cost at least, and
    `groups` says which of them each combination has. `below` says by child which of the child's
    positions each combination contains.
    """

    labels: NDArray[np.intp]
    at: NDArray[np.intp]
    costs: NDArray[np.int64]
    positions: NDArray[np.intp]
    least: NDArray[np.int64]
    groups: NDArray[np.intp]
    below: list[NDArray[np.intp]]


def _drop_dear(bounds: LabelBounds, bags: Sequence[Bag]) -> None:
    """Drop the combinations whose labellings all cost 1 or more, forth and back."""
    known: dict[str, _Listed] = {}
    for bag in bags:
        if not bag.left:
            # The task has no label with which a labelling is cheap: so none is.
            for other in bags:
                other.left = []
            return
        known[bag.task] = _listed(bounds, bag, known)
    back = {bags[-1].task: np.zeros(1, dtype=np.int64)}
    for bag in reversed(bags):
        listed = known[bag.task]
        total = listed.costs + back[bag.task][listed.groups]
        kept = total < ONE
        for child, places in zip(bag.children, listed.below, strict=True):
            least = known[child.task].least
            back[child.task] = np.full(len(least), NEVER)
            rest = total[kept] - least[places[kept]]
            np.minimum.at(back[child.task], places[kept], rest)
        labels, at = listed.labels[kept], listed.at[kept]
        bag.left = [(label, at[labels == label]) for label in np.unique(labels).tolist()]


def _listed(bounds: LabelBounds, bag: Bag, known: Mapping[str, _Listed]) -> _Listed:
    labels = np.concatenate([np.full(len(some), label) for label, some in bag.left])
    at = np.concatenate([some for _, some in bag.left])
    others = np.array([label_along(bag, axis, at) for axis in range(len(bag.shape))], dtype=np.intp)
    costs = bounds.costs(bag.task, labels, bag.scope, others)
    below: list[NDArray[np.intp]] = []
    for child in bag.children:
        theirs = known[child.task]
        asked = position_in(child, bag, labels, at)
        found = np.minimum(np.searchsorted(theirs.positions, asked), len(theirs.positions) - 1)
        costs = costs + np.where(theirs.positions[found] == asked, theirs.least[found], NEVER)
        below.append(found)
    positions, groups = np.unique(at, return_inverse=True)
    least = np.full(len(positions), NEVER)
    np.minimum.at(least, groups, costs)
    return _Listed(labels, at, costs, positions, least, groups, below)
