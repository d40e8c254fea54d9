"""Heuristics for a multicast, to compare the best trees with: one file and one line each."""

from collections.abc import Callable, Mapping

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.best_trees import Packing
from steadygrid.kinds.collective.solver.copies import Copies
from steadygrid.kinds.collective.solver.references.mcph import mcph
from steadygrid.kinds.collective.solver.references.reduced_broadcast import reduced_broadcast
from steadygrid.kinds.collective.solver.references.scatter import scatter

REFERENCES: Mapping[str, Callable[[Copies, Control], Packing]] = {
    "mcph": mcph,
    "reduced_broadcast": reduced_broadcast,
    "scatter": scatter,
}
"""By name, as `steadygrid.kinds.collective.methods.REFERENCES` describes them."""
