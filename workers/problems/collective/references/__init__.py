"""Heuristics for a multicast, to compare the best trees with: one file and one line each."""

from collections.abc import Callable, Mapping

from workers.problems.collective.best_trees import Packing
from workers.problems.collective.copies import Copies
from workers.problems.collective.references.mcph import mcph
from workers.problems.collective.references.reduced_broadcast import reduced_broadcast
from workers.problems.collective.references.scatter import scatter
from workers.solving.control import Control

REFERENCES: Mapping[str, Callable[[Copies, Control], Packing]] = {
    "mcph": mcph,
    "reduced_broadcast": reduced_broadcast,
    "scatter": scatter,
}
"""By name, as `steadygrid.problems.collective.methods.REFERENCES` tells of them."""
